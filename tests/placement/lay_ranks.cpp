// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/lay_ranks.hpp>

#include "support/catch.hpp"
#include "support/generator.hpp"
#include "support/yard.hpp"

#include <cstddef>
#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

namespace {

using muster::division;
using muster::division_rule;
using muster::domain_tree;
using muster::leader_rank;
using muster::level_wish;
using muster::node_level;
using muster::pod_count;
using muster::topology_level;
using muster::tree_index;
using muster_test::wish_of;
using muster_test::yard;

constexpr topology_level zone{0}, rack{1};

using ranked = std::tuple<std::uint64_t, pod_count, pod_count>;  // node, first rank, pods

std::vector<ranked> ranks(yard& s, const domain_tree& tree, const division& answer, leader_rank leader) {
  std::vector<ranked> all;
  const auto view = s.view();
  lay_ranks(tree, answer, leader, [&](tree_index at, pod_count first, pod_count pods) {
    all.push_back({number(view.id(tree[at].number)), first, pods});
  });
  return all;
}

}  // namespace

TEST_CASE("ranks go along the tree; a leader that is rank 0 has its own neighbours first", "[placement]") {
  yard s;
  s.node(1, {2, 0}, {1, 1});
  s.node(2, {2, 0}, {1, 2});
  s.node(3, {2, 0}, {2, 1});
  s.node(4, {1, 0}, {2, 2});
  s.node(5, {2, 1}, {2, 2});
  s.node(6, {2, 0}, {2});
  s.node(7, {2, 0}, {3, 1});
  const auto tree = s.tree(node_level, 1);
  auto wish = wish_of(12, muster::no_level, level_wish::required);
  wish.leader = true;
  muster::division_space space;
  REQUIRE(divide(tree, wish, space).fits());
  CHECK(ranks(s, tree, space.answer, leader_rank::none) ==
        std::vector<ranked>{{1, 0, 2}, {2, 2, 2}, {3, 4, 2}, {4, 6, 1}, {5, 7, 1}, {6, 8, 2}, {7, 10, 2}});
  CHECK(ranks(s, tree, space.answer, leader_rank::zero) ==
        std::vector<ranked>{
            {5, 0, 1}, {5, 1, 1}, {4, 2, 1}, {3, 3, 2}, {6, 5, 2}, {1, 7, 2}, {2, 9, 2}, {7, 11, 2}});
}

TEST_CASE("a division without a leader, or of no pods", "[placement]") {
  yard s;
  s.racks(1, {2, 2}, 1);
  const auto tree = s.tree(node_level, 0);
  muster::division_space space;
  CHECK(ranks(s, tree, divide(tree, wish_of(3, zone, level_wish::required), space), leader_rank::zero) ==
        std::vector<ranked>{{1, 0, 2}, {2, 2, 1}});
  CHECK(ranks(s, tree, divide(tree, wish_of(0, zone, level_wish::required), space), leader_rank::zero).empty());
  auto alone = wish_of(0, zone, level_wish::required);
  alone.leader = true;
  CHECK(ranks(s, tree, divide(tree, alone, space), leader_rank::none).empty());
  CHECK(ranks(s, tree, divide(tree, alone, space), leader_rank::zero).size() == 1);
}

TEST_CASE("neighbours in rank change domains once less than there are domains, and slices are runs", "[placement]") {
  muster_test::generator draw{"lay ranks"};
  int changes_seen = 0;
  for (int round = 0; round < muster_test::rounds(200); ++round) {
    yard s;
    const auto count = 1 + draw.below(10);
    for (std::uint64_t n = 1; n <= count; ++n) {
      const muster::amount room = draw.between(1, 4), head = draw.between(0, 1);
      if (draw.chance(20)) s.node(n, {room, head}, {1 + draw.below(2)});
      else s.node(n, {room, head}, {1 + draw.below(2), 1 + draw.below(3)});
    }
    const auto tree = s.tree(node_level, 1);
    auto wish = wish_of(2 * draw.between(1, 6), rack, level_wish::unconstrained,
                        draw.chance(50) ? division_rule::best_fit : division_rule::least_free);
    wish.leader = draw.chance(50);
    if (draw.chance(50)) wish.layers = {{rack, 2}};
    muster::division_space space;
    if (!divide(tree, wish, space).fits()) continue;
    for (const leader_rank leader : {leader_rank::none, leader_rank::zero}) {
      const bool ranked_leader = wish.leader && leader == leader_rank::zero;
      std::vector<tree_index> at_rank;
      lay_ranks(tree, space.answer, leader, [&](tree_index at, pod_count first, pod_count pods) {
        REQUIRE(first == static_cast<pod_count>(at_rank.size()));
        at_rank.insert(at_rank.end(), static_cast<std::size_t>(pods), at);
      });
      REQUIRE(static_cast<pod_count>(at_rank.size()) == wish.pods + (ranked_leader ? 1 : 0));
      for (const topology_level level : {zone, rack, node_level}) {
        std::set<tree_index> used;
        std::size_t changes = 0;
        for (std::size_t i = 0; i < at_rank.size(); ++i) {
          const tree_index in = tree.ancestor(at_rank[i], level);
          if (in == muster::no_tree_index) continue;
          used.insert(in);
          if (i > 0 && tree.ancestor(at_rank[i - 1], level) != in) ++changes;
        }
        // one more where the first pods are in no domain of the level
        const bool first_bare = tree.ancestor(at_rank[0], level) == muster::no_tree_index;
        if (!used.empty()) REQUIRE(changes == used.size() - 1 + (first_bare ? 1 : 0));
        changes_seen += static_cast<int>(changes);
      }
      if (!wish.layers.empty())
        for (std::size_t i = ranked_leader ? 1 : 0; i < at_rank.size(); i += 2)
          REQUIRE(tree.ancestor(at_rank[i], rack) == tree.ancestor(at_rank[i + 1], rack));
    }
  }
  CHECK(changes_seen > 300);
}
