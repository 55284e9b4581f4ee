// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/count_domains.hpp>
#include <muster/placement/largest_gang.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/allocation.hpp"
#include "support/catch.hpp"
#include "support/generator.hpp"
#include "support/scene.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

using two = muster::resource_vector<2>;
using muster::domain_tree;
using muster::node_level;
using muster::topology_level;
using muster::tree_domain;
using muster::tree_fault;
using muster::tree_index;

constexpr topology_level zone{0}, rack{1};

muster::pod_set<two> pods_of(muster::amount first, muster::amount second) { return {{first, second}, 7, 3}; }

/// Workers, and a leader of one pod before them.
muster::pod_group<two> led(muster::amount leader_first, muster::amount leader_second, muster::amount first,
                           muster::amount second) {
  auto gang = muster_test::scene<two>::gang(1, 1, {leader_first, leader_second});
  gang.pod_sets.push_back({{first, second}, 4, 0});
  return gang;
}

domain_tree counted(const muster::snapshot<two>& view, const muster::pod_set<two>& pods, topology_level finest) {
  muster::workspace<two> space;
  domain_tree tree;
  count_domains(view, pods, finest, space, tree);
  return tree;
}
domain_tree counted(const muster::snapshot<two>& view, const muster::pod_group<two>& gang, topology_level finest) {
  muster::workspace<two> space;
  domain_tree tree;
  count_domains(view, gang, finest, space, tree);
  return tree;
}

std::vector<muster::pod_count> slots(const domain_tree& tree) {
  std::vector<muster::pod_count> all;
  for (const tree_domain& each : tree.domains) all.push_back(each.slots);
  return all;
}

struct not_kind_0 {
  std::size_t set;
  muster::reason_code operator()(const muster::pod_group<two>&, std::size_t pod_set, muster::kind_id kind) const {
    return pod_set == set && kind == muster::kind_id{0} ? muster::reason_code{1} : muster::eligible_node;
  }
};

}  // namespace

TEST_CASE("slots are summed up from nodes to the cluster, in label order", "[placement]") {
  muster_test::scene<two> s{muster::nested_levels(2)};
  s.node(1, {8, 80}, {2, 1});
  s.node(2, {6, 80}, {1, 2});
  s.node(3, {4, 80}, {1, 2});
  s.node(4, {2, 80}, {1, 1});
  s.node(5, {1, 80}, {1, 1});  // no room for a pod
  s.filler(90, 2, {3, 0});
  const domain_tree tree = counted(s.view(), pods_of(2, 10), node_level);
  REQUIRE(tree.fault == tree_fault::none);
  // cluster; zones 1, 2; racks 1.1, 1.2, 2.1; nodes 4, 2, 3, 1
  CHECK(slots(tree) == std::vector<muster::pod_count>{8, 4, 4, 1, 3, 4, 1, 1, 2, 4});
  CHECK(tree.leaf_depth == 3);
  const auto view = s.view();
  const auto node_of = [&](tree_index at) { return number(view.id(tree[at].number)); };
  CHECK(tree[6].level == node_level);
  CHECK(node_of(6) == 4);
  CHECK(node_of(7) == 2);
  CHECK(node_of(8) == 3);
  CHECK(node_of(9) == 1);
  for (tree_index at = 1; at < tree.size(); ++at) {
    CHECK(tree[at].parent < at);
    CHECK(tree[tree[at].parent].first_child <= at);
    CHECK(at < tree[tree[at].parent].last_child);
  }
  CHECK(view.domain_name(1, tree[4].number).path == muster::labels{muster::label_id{1}, muster::label_id{2}});
}

TEST_CASE("the leaves are of the level asked for", "[placement]") {
  muster_test::scene<two> s{muster::nested_levels(2)};
  for (std::uint64_t n = 0; n < 12; ++n) s.node(n, {4, 80}, {n / 6, n / 2});
  const domain_tree racks = counted(s.view(), pods_of(2, 0), rack);
  CHECK(slots(racks) == std::vector<muster::pod_count>{24, 12, 12, 4, 4, 4, 4, 4, 4});
  CHECK(racks[3].is_leaf());
  CHECK(slots(counted(s.view(), pods_of(2, 0), zone)) == std::vector<muster::pod_count>{24, 12, 12});
  const domain_tree whole = counted(s.view(), pods_of(2, 0), muster::no_level);
  CHECK(slots(whole) == std::vector<muster::pod_count>{24});
  CHECK(whole[0].is_leaf());
}

TEST_CASE("a node without a label hangs under the finest domain it is in", "[placement]") {
  muster_test::scene<two> s{muster::nested_levels(2)};
  s.node(1, {2, 80}, {1, 1});
  s.node(2, {3, 80}, {1});
  s.node(3, {4, 80});
  s.say(muster::node_seen<two>{
      {muster::node_id{4}, muster::kind_id{0}, {5, 80}, {muster::no_label, muster::label_id{1}}}});
  const domain_tree tree = counted(s.view(), pods_of(1, 0), node_level);
  // the cluster has zone 1, the rack without a zone, and node 3; zone 1 has a rack and node 2
  REQUIRE(tree.size() == 8);
  CHECK(tree[0].slots == 14);
  CHECK(tree[0].last_child - tree[0].first_child == 3);
  CHECK(tree[1].level == zone);
  CHECK(tree[1].slots == 5);
  CHECK(tree[2].level == rack);
  CHECK(tree[2].slots == 5);
  CHECK(tree[3].level == node_level);
  CHECK(tree[3].slots == 4);
  CHECK(tree[4].level == rack);
  CHECK(tree[4].parent == 1);
  CHECK(tree[5].level == node_level);
  CHECK(tree[5].slots == 3);
  CHECK(tree[5].parent == 1);
  // with racks as leaves these nodes are leaves still
  const domain_tree racks = counted(s.view(), pods_of(1, 0), rack);
  CHECK(slots(racks) == std::vector<muster::pod_count>{14, 5, 5, 4, 2, 3});

  muster_test::scene<two> bare{muster::nested_levels(2)};
  bare.node(1, {2, 80});
  CHECK(slots(counted(bare.view(), pods_of(1, 0), node_level)) == std::vector<muster::pod_count>{2, 2});
}

TEST_CASE("a leader costs a domain the least that it costs one of its nodes", "[placement]") {
  // workers of 3, leader of 2 where there is a head's licence: node 1 holds 3 and, beside the leader, 2; node 2 holds 2
  // and still 2; node 3 has no licence
  muster_test::scene<two> s{muster::nested_levels(1)};
  s.node(1, {9, 1}, {1});
  s.node(2, {8, 1}, {1});
  s.node(3, {12, 0}, {1});
  s.node(4, {9, 1}, {2});
  s.node(5, {2, 1}, {3});   // the leader alone
  s.node(6, {12, 0}, {4});  // no leader
  const domain_tree tree = counted(s.view(), led(2, 1, 3, 0), node_level);
  REQUIRE(tree.fault == tree_fault::none);
  CHECK(tree.with_leader);
  CHECK(tree.leader_set == 0);
  CHECK(tree.pod_set == 1);
  const auto is = [&](tree_index at, muster::pod_count pods, bool leader, muster::pod_count with) {
    CAPTURE(at);
    CHECK(tree[at].slots == pods);
    CHECK(tree[at].leader == leader);
    CHECK(tree[at].slots_with_leader == with);
  };
  is(0, 3 + 2 + 4 + 3 + 0 + 4, true, 16);
  is(1, 9, true, 9);
  is(2, 3, true, 2);
  is(3, 0, true, 0);
  is(4, 4, false, 0);
  is(5, 3, true, 2);
  is(6, 2, true, 2);
  is(7, 4, false, 0);
  const domain_tree racks = counted(s.view(), led(2, 1, 3, 0), zone);
  for (tree_index at = 0; at < 5; ++at) {
    CHECK(racks[at].slots == tree[at].slots);
    CHECK(racks[at].leader == tree[at].leader);
    CHECK(racks[at].slots_with_leader == tree[at].slots_with_leader);
  }
}

TEST_CASE("a filter is asked for workers and leader, and what is on an overlay counts", "[placement]") {
  muster_test::scene<two> s{muster::nested_levels(1)};
  s.node(1, {8, 80}, {1}, 0);
  s.node(2, {6, 80}, {1}, 1);
  const auto view = s.view();
  muster::workspace<two> space;
  domain_tree tree;
  const auto gang = led(2, 0, 1, 0);
  count_domains(view, gang, zone, space, tree, not_kind_0{1});  // workers
  CHECK(tree[0].slots == 6);
  CHECK(tree[0].slots_with_leader == 6);  // the leader beside no worker
  count_domains(view, gang, zone, space, tree, not_kind_0{0});  // the leader
  CHECK(tree[0].slots == 14);
  CHECK(tree[0].slots_with_leader == 12);
  muster::overlay<two> trial{view};
  trial.charge(*view.find(muster::node_id{2}), {5, 0}, 1);
  count_domains(trial, gang, zone, space, tree, not_kind_0{1});
  CHECK(tree[0].slots == 1);
}

TEST_CASE("questions that cannot be asked name their fault", "[placement]") {
  muster_test::scene<two> s{muster::nested_levels(2)};
  s.node(1, {8, 80}, {1, 1});
  CHECK(counted(s.view(), pods_of(1, 0), topology_level{2}).fault == tree_fault::unknown_level);
  const domain_tree faulty = counted(s.view(), pods_of(-1, 0), node_level);
  CHECK(faulty.fault == tree_fault::group);
  CHECK(faulty.finding.fault == muster::group_fault::pod_set_request);
  CHECK(faulty.domains.empty());
  auto gang = led(1, 0, 1, 0);
  gang.pod_sets[0].count = 2;
  CHECK(counted(s.view(), gang, node_level).fault == tree_fault::pod_sets);
  gang.pod_sets[1].count = 1;
  const domain_tree second = counted(s.view(), gang, node_level);
  CHECK(second.leader_set == 1);
  CHECK(second.pod_set == 0);
  gang.pod_sets[0].count = 1;
  CHECK(counted(s.view(), gang, node_level).leader_set == 0);  // of two single pods the first
  gang.pod_sets.push_back({{1, 0}, 1, 0});
  CHECK(counted(s.view(), gang, node_level).fault == tree_fault::pod_sets);

  auto merged = muster::nested_levels(2);
  merged.levels[1].merge_equal_names = true;
  muster_test::scene<two> crossed{merged};
  crossed.node(1, {8, 80}, {1, 1});
  CHECK(counted(crossed.view(), pods_of(1, 0), node_level).fault == tree_fault::levels_cross);
  CHECK(counted(crossed.view(), pods_of(1, 0), rack).fault == tree_fault::levels_cross);
  CHECK(counted(crossed.view(), pods_of(1, 0), zone).fault == tree_fault::none);
}

TEST_CASE("a node takes no more pods than it may hold", "[placement]") {
  muster_test::scene<two> s;
  s.node(1, {8, 80});
  s.filler(90, 1, {1, 1});
  const domain_tree tree = counted(s.view(), led(0, 0, 0, 0), node_level);
  CHECK(tree[0].slots == muster::max_pods_per_node - 1);
  CHECK(tree[0].slots_with_leader == muster::max_pods_per_node - 2);
}

TEST_CASE("the tree does not depend on the order in which nodes were seen, and counts as largest_gang does",
          "[placement]") {
  muster_test::generator draw{"count domains"};
  for (int round = 0; round < muster_test::rounds(100); ++round) {
    struct drawn {
      std::uint64_t id, zone, rack;
      muster::amount first, second;
    };
    std::vector<drawn> nodes;
    const auto count = 1 + draw.below(12);
    for (std::uint64_t n = 1; n <= count; ++n)
      nodes.push_back({n, 1 + draw.below(2), draw.below(4), draw.between(0, 8), draw.between(0, 8)});
    const auto first = draw.between(0, 3);
    const muster::pod_set<two> pods = pods_of(first, draw.between(1, 3));
    std::vector<domain_tree> trees;
    for (int order = 0; order < 2; ++order) {
      muster_test::scene<two> s{muster::nested_levels(2)};
      for (const drawn& n : nodes) {
        if (n.rack == 0) s.node(n.id, {n.first, n.second}, {n.zone});
        else s.node(n.id, {n.first, n.second}, {n.zone, n.rack});
      }
      const auto view = s.view();
      trees.push_back(counted(view, pods, node_level));
      muster::workspace<two> space;
      for (const topology_level level : {muster::no_level, zone, rack, node_level}) {
        muster::pod_count most = 0;
        for (const tree_domain& each : trees.back().domains)
          if (each.level == level) most = std::max(most, each.slots);
        REQUIRE(most == largest_gang(view, pods, level, space).pods);
      }
      draw.shuffle(nodes);
    }
    REQUIRE(trees[0].domains == trees[1].domains);
  }
}

TEST_CASE("counting again allocates nothing", "[placement]") {
  muster_test::scene<two> s{muster::nested_levels(2)};
  for (std::uint64_t n = 0; n < 60; ++n) s.node(n, {8, static_cast<muster::amount>(n % 2)}, {n % 3, n % 9});
  const auto view = s.view();
  const auto gang = led(2, 1, 1, 0);
  muster::workspace<two> space;
  domain_tree tree;
  count_domains(view, gang, node_level, space, tree);
  const muster_test::allocation_watch watch;
  count_domains(view, gang, node_level, space, tree);
  const auto calls = watch.calls();
  CHECK(calls == 0);
  CHECK(tree[0].slots == 480);
}
