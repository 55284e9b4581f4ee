// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/candidates.hpp>
#include <muster/placement/list_candidates.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/generator.hpp"
#include "support/scene.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

using slots = muster::resource_vector<1>;
using scene = muster_test::scene<slots>;
using muster::candidate_fault;
using muster::candidate_list;
using muster::list_candidates;
using muster::topology_level;

constexpr topology_level only_level{0}, second_level{1};

/// Names and nodes of a list, for people: "1:n2n4 2:n3"; a name of several parts as "1/1".
std::string said(const muster::snapshot<slots>& view, const candidate_list& list) {
  std::string text;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i > 0) text += ' ';
    std::string name;
    for (const muster::domain_path& part : list.name(i)) {
      if (!name.empty()) name += '/';
      name += std::to_string(number(part.path.back()));
    }
    text += name + ':';
    std::set<std::uint64_t> nodes;
    for (const muster::run& some : list.nodes(i))
      for (auto p = some.first; p < some.last; ++p) nodes.insert(number(view.id(p)));
    for (const std::uint64_t node : nodes) text += 'n' + std::to_string(node);
  }
  return text;
}

/// Ascending runs of some nodes of the view.
std::vector<muster::run> runs_of(const muster::snapshot<slots>& view, std::initializer_list<std::uint64_t> nodes) {
  std::vector<std::uint32_t> at;
  for (const std::uint64_t node : nodes) at.push_back(*view.find(muster::node_id{node}));
  std::sort(at.begin(), at.end());
  std::vector<muster::run> runs;
  for (const std::uint32_t p : at) runs.push_back({p, p + 1});
  return runs;
}

}  // namespace

TEST_CASE("a candidate for every label value, none for nodes without", "[placement]") {  // row 25
  scene s{muster::nested_levels(1)};
  s.node(1, {1});
  s.node(2, {1}, {1});
  s.node(3, {1}, {2});
  s.node(4, {1}, {1});
  s.node(5, {1}, {3});
  s.node(6, {1});
  const auto view = s.view();
  candidate_list list;
  REQUIRE(list_candidates(view, only_level, all_nodes(view), list).ok());
  CHECK(said(view, list) == "1:n2n4 2:n3 3:n5");
  CHECK(list.constrained);
  CHECK(!list.pinned);
  CHECK(list.count(0) == 2);
}

TEST_CASE("a label nobody has gives no candidate, and that is no fault", "[placement]") {
  scene s{muster::nested_levels(1)};
  s.node(1, {1});
  const auto view = s.view();
  candidate_list list;
  CHECK(list_candidates(view, only_level, all_nodes(view), list).ok());
  CHECK(list.empty());
  CHECK(list.constrained);
}

TEST_CASE("without a level the parent is the one candidate", "[placement]") {
  scene s{muster::nested_levels(1)};
  for (std::uint64_t n = 1; n <= 3; ++n) s.node(n, {1}, {n});
  const auto view = s.view();
  candidate_list list;
  REQUIRE(list_candidates(view, muster::no_level, runs_of(view, {1, 3}), list).ok());
  CHECK(said(view, list) == ":n1n3");
  CHECK(!list.constrained);
}

TEST_CASE("each node is a candidate of its own at the level of nodes", "[placement]") {
  scene s{muster::nested_levels(1)};
  for (std::uint64_t n = 1; n <= 3; ++n) s.node(n, {1}, {7});
  const auto view = s.view();
  candidate_list list;
  REQUIRE(list_candidates(view, muster::node_level, runs_of(view, {1, 3}), list).ok());
  CHECK(said(view, list) == "1:n1 3:n3");
}

TEST_CASE("an unknown level or group is named", "[placement]") {
  scene s{muster::nested_levels(1)};
  s.node(1, {1}, {1});
  const auto view = s.view();
  candidate_list list;
  CHECK(list_candidates(view, second_level, all_nodes(view), list).fault == candidate_fault::unknown_level);
  CHECK(list.empty());
  CHECK(list_candidates(view, only_level, all_nodes(view), muster::group_id{5}, list).fault ==
        candidate_fault::unknown_group);
  for (const auto fault : {candidate_fault::none, candidate_fault::unknown_group, candidate_fault::unknown_level,
                           candidate_fault::node_gone, candidate_fault::node_without_domain,
                           candidate_fault::domains_differ})
    CHECK(name(fault) != "?");
}

TEST_CASE("members that run pin the domain, inside the parent", "[placement]") {  // row 26
  scene s{muster::nested_levels(1)};
  s.node(1, {4}, {1});  // n1 and n3 in d1, n2 in d2, n4 in none, n5 in a domain with an empty name
  s.node(2, {4}, {2});
  s.node(3, {4}, {1});
  s.node(4, {4});
  s.node(5, {4}, {99});
  const auto gang = scene::gang(1, 4, {1}, 1);
  s.group(gang);
  s.pods(10, 4, gang);
  candidate_list list;
  const auto listed = [&](std::initializer_list<std::uint64_t> parent) {
    return list_candidates(s.view(), only_level, runs_of(s.view(), parent), gang.id, list);
  };
  SECTION("nothing runs: all") {
    CHECK(listed({1, 2, 3, 4, 5}).ok());
    CHECK(said(s.view(), list) == "1:n1n3 2:n2 99:n5");
    CHECK(!list.pinned);
  }
  SECTION("on a node outside the parent") {
    s.bind(10, 3);
    CHECK(listed({1, 2}).ok());
    CHECK(said(s.view(), list) == "1:n1");
    CHECK(list.pinned);
  }
  SECTION("the parent has none of its nodes") {
    s.bind(10, 3);
    CHECK(listed({2}).ok());
    CHECK(list.empty());
  }
  SECTION("in two domains: named at the first that differs, by id") {
    s.bind(12, 2);
    s.bind(10, 1);
    s.bind(11, 3);
    const auto found = listed({1, 2});
    CHECK(found.fault == candidate_fault::domains_differ);
    CHECK(found.pod == muster::pod_id{12});
    CHECK(list.empty());
  }
  SECTION("on a node without the label") {
    s.bind(11, 4);
    const auto found = listed({1, 2});
    CHECK(found.fault == candidate_fault::node_without_domain);
    CHECK(found.pod == muster::pod_id{11});
  }
  SECTION("on a node never seen") {
    s.bind(11, 77);
    const auto found = listed({1, 2});
    CHECK(found.fault == candidate_fault::node_gone);
    CHECK(found.pod == muster::pod_id{11});
  }
  SECTION("those of a node that went are lost and pin nothing") {
    s.bind(11, 5);
    s.say(muster::node_gone{muster::node_id{5}});
    CHECK(listed({1, 2}).ok());
    CHECK(!list.pinned);
  }
  SECTION("one that is leaving pins nothing") {
    s.bind(10, 1);
    s.leave(10);
    CHECK(listed({1, 2}).ok());
    CHECK(said(s.view(), list) == "1:n1 2:n2");
  }
  SECTION("without a level nothing is pinned") {
    s.bind(10, 1);
    s.bind(11, 2);
    CHECK(list_candidates(s.view(), muster::no_level, runs_of(s.view(), {1, 4}), gang.id, list).ok());
    CHECK(said(s.view(), list) == ":n1n4");
  }
}

TEST_CASE("generators combine to what their candidates have in common", "[placement]") {  // row 27
  scene s;
  for (std::uint64_t n = 1; n <= 4; ++n) s.node(n, {1});
  const auto view = s.view();
  const auto named = [&](std::vector<std::pair<std::uint64_t, std::initializer_list<std::uint64_t>>> all) {
    candidate_list list;
    list.constrained = true;
    for (const auto& [label, nodes] : all) {
      const muster::domain_path path{only_level, {muster::label_id{label}}};
      list.add({&path, 1}, runs_of(view, nodes));
    }
    return list;
  };
  candidate_list unconstrained, out;
  REQUIRE(list_candidates(view, muster::no_level, all_nodes(view), unconstrained).ok());
  const auto a = named({{1, {1, 2, 3}}}), b = named({{2, {2, 3, 4}}});
  SECTION("two") {
    combine_candidates(a, b, out);
    CHECK(said(view, out) == "1/2:n2n3");
  }
  SECTION("a pair of lists") {
    combine_candidates(named({{11, {1, 2}}, {12, {3, 4}}}), named({{21, {2, 3}}}), out);
    CHECK(said(view, out) == "11/21:n2 12/21:n3");
  }
  SECTION("three, folded") {
    candidate_list two;
    combine_candidates(a, b, two);
    combine_candidates(two, named({{3, {3, 4}}}), out);
    CHECK(said(view, out) == "1/2/3:n3");
  }
  SECTION("nothing in common") {
    combine_candidates(named({{1, {1}}}), named({{2, {2}}}), out);
    CHECK(out.empty());
    CHECK(out.constrained);
  }
  SECTION("one unconstrained leaves the other") {
    combine_candidates(unconstrained, b, out);
    CHECK(said(view, out) == "2:n2n3n4");
    CHECK(out.constrained);
    combine_candidates(a, unconstrained, out);
    CHECK(said(view, out) == "1:n1n2n3");
  }
  SECTION("all unconstrained: the parent") {
    combine_candidates(unconstrained, unconstrained, out);
    CHECK(said(view, out) == ":n1n2n3n4");
    CHECK(!out.constrained);
  }
}

TEST_CASE("candidates of a level hold its nodes in the parent, each once", "[placement]") {
  muster_test::generator rng{11};
  for (int round = 0; round < 100; ++round) {
    const bool merged = rng.between(0, 1) == 1;
    auto shape = muster::nested_levels(2);
    shape.levels[1].merge_equal_names = merged;
    scene s{shape};
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::set<std::uint64_t>> want;  // by labels, in their order
    std::vector<std::uint64_t> parent;
    const auto nodes = static_cast<std::uint64_t>(rng.between(1, 30));
    for (std::uint64_t n = 0; n < nodes; ++n) {
      const auto block = static_cast<std::uint64_t>(rng.between(1, 3));
      const auto rack = static_cast<std::uint64_t>(rng.between(1, 3));
      const bool labelled = rng.between(0, 4) > 0;
      const auto kind = static_cast<std::uint32_t>(rng.between(0, 1));
      if (labelled) s.node(n, {1}, {block, rack}, kind);
      else s.node(n, {1}, {block}, kind);
      if (rng.between(0, 2) == 0) continue;
      parent.push_back(n);
      if (labelled) want[{merged ? 0 : block, rack}].insert(n);
    }
    const auto view = s.view();
    std::vector<std::uint32_t> at;
    for (const std::uint64_t n : parent) at.push_back(*view.find(muster::node_id{n}));
    std::sort(at.begin(), at.end());
    std::vector<muster::run> runs;
    for (const std::uint32_t p : at) runs.push_back({p, p + 1});
    candidate_list list;
    REQUIRE(list_candidates(view, second_level, runs, list).ok());
    REQUIRE(list.size() == want.size());
    std::size_t i = 0;
    for (const auto& [labels, ids] : want) {
      std::set<std::uint64_t> got;
      for (const muster::run& some : list.nodes(i))
        for (auto p = some.first; p < some.last; ++p) CHECK(got.insert(number(view.id(p))).second);
      CHECK(got == ids);
      CHECK(number(list.name(i)[0].path.back()) == labels.second);
      ++i;
    }
  }
}
