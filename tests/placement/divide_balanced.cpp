// SPDX-License-Identifier: BSL-1.0
// Kueue's balanced placement on small examples worked out by hand, sentence by sentence.
#include <muster/placement/divide.hpp>

#include "support/catch.hpp"
#include "support/yard.hpp"

#include <cstdint>
#include <initializer_list>

namespace {

using muster::division_rule;
using muster::division_wish;
using muster::level_wish;
using muster::node_level;
using muster::topology_level;
using muster_test::divided;
using muster_test::nodes;
using muster_test::yard;

constexpr topology_level zone{0}, rack{1};

division_wish balanced(muster::pod_count pods, topology_level level) {
  return muster_test::wish_of(pods, level, level_wish::preferred, division_rule::balanced);
}

struct one_rack : yard {
  explicit one_rack(std::initializer_list<muster::amount> rooms) {
    for (const muster::amount room : rooms) node(++last, {room, 1}, {1, 1});
  }
};

}  // namespace

TEST_CASE("the threshold is the slices by the domains in use, each of which gets as many", "[placement]") {
  one_rack s{4, 4, 4};
  CHECK(divided(s, s.tree(), balanced(6, rack)) == nodes{{1, 3}, {2, 3}});
  CHECK(divided(s, s.tree(), muster_test::wish_of(6, rack, level_wish::preferred)) == nodes{{1, 4}, {2, 2}});
  CHECK(divided(s, s.tree(), balanced(7, rack)) == nodes{{1, 4}, {2, 3}});
  CHECK(divided(s, s.tree(), balanced(9, rack)) == nodes{{1, 3}, {2, 3}, {3, 3}});
}

TEST_CASE("the last domain's room bounds the threshold; the extras go to the largest", "[placement]") {
  one_rack s{2, 6};
  CHECK(divided(s, s.tree(), balanced(7, rack)) == nodes{{1, 2}, {2, 5}});
}

TEST_CASE("exactly as many domains as are needed are picked, with the least left over", "[placement]") {
  one_rack s{4, 3, 3};
  CHECK(divided(s, s.tree(), balanced(6, rack)) == nodes{{2, 3}, {3, 3}});  // 4 and 3 would leave one slot
}

TEST_CASE("what holds less than the threshold is left out", "[placement]") {
  one_rack s{5, 2, 5};
  // 5 and 2 leave nothing over, but three each is the threshold
  CHECK(divided(s, s.tree(), balanced(7, rack)) == nodes{{1, 4}, {3, 3}});
}

TEST_CASE("of sibling sets the one with the largest threshold is kept, then the one on fewest domains", "[placement]") {
  yard s;
  s.node(1, {5, 0}, {1, 1});
  s.node(2, {1, 0}, {1, 1});
  s.node(3, {3, 0}, {2, 1});
  s.node(4, {3, 0}, {2, 1});
  CHECK(divided(s, s.tree(), balanced(6, rack)) == nodes{{3, 3}, {4, 3}});

  yard t;
  t.racks(1, {3, 3});
  t.node(3, {3, 0}, {2, 1});
  t.node(4, {3, 0}, {2, 1});
  CHECK(divided(t, t.tree(), balanced(6, rack)) == nodes{{3, 3}, {4, 3}});
}

TEST_CASE("domains of the level are picked first, then those below them", "[placement]") {
  yard s;
  s.node(1, {2, 0}, {1, 1});
  s.node(2, {2, 0}, {1, 2});
  s.node(3, {2, 0}, {1, 2});
  s.node(4, {3, 0}, {1, 3});
  // seven pods take three nodes, of which 1, 2 and 4 are the first; but they take two racks, 2 and 3
  CHECK(divided(s, s.tree(), balanced(7, rack)) == nodes{{2, 2}, {3, 2}, {4, 3}});
}

TEST_CASE("slices of the preferred level are shared out on its domains", "[placement]") {
  yard s;
  s.racks(1, {6, 6, 6});
  auto wish = balanced(8, rack);
  wish.layers = {{rack, 2}};
  CHECK(divided(s, s.tree(), wish) == nodes{{1, 4}, {2, 4}});
}

TEST_CASE("the leader sits on one of the domains, which then takes less", "[placement]") {
  one_rack s{4, 4};
  auto wish = balanced(6, rack);
  wish.leader = true;
  const auto tree = s.tree(node_level, 1);
  muster::division_space space;
  CHECK(divide(tree, wish, space).fits());
  CHECK(s.by_node(tree, space.answer) == nodes{{1, 3}, {2, 3}});
  CHECK(s.leader_node(tree, space.answer) == 1);

  // beside a leader that costs three node 1 holds one, node 2 two; two domains hold six, the last of them 4
  one_rack t{4, 5};
  const auto costly = t.tree(node_level, 3);
  CHECK(divide(costly, wish, space).fits());
  CHECK(t.by_node(costly, space.answer) == nodes{{1, 4}, {2, 2}});
  CHECK(t.leader_node(costly, space.answer) == 2);
}

TEST_CASE("a lower threshold keeps a leader that costs less", "[placement]") {
  // workers of 3, a leader of 4: beside it node 1 holds 6 of 8, node 2 4 of 5, node 3 7 of 8; node 4 holds 2
  using two = muster::resource_vector<2>;
  yard s;
  s.node(1, {24, 1}, {1, 1});
  s.node(2, {17, 1}, {1, 1});
  s.node(3, {25, 1}, {1, 2});
  s.node(4, {6, 0}, {1, 2});
  auto gang = s.gang(1, 20, {3, 0});
  gang.pod_sets.push_back({{4, 1}, 1, 0});
  muster::workspace<two> counting;
  muster::domain_tree tree;
  count_domains(s.view(), gang, node_level, counting, tree);
  // the leader on node 3 and then nodes 1 and 2 hold 20, the last of them 5, the threshold. Without what is less rack 1
  // leads: node 2 may not at 5, so that 11 + 8 are too few. At 4, what node 2 holds beside the leader, they are 12 + 8
  auto wish = balanced(20, rack);
  wish.leader = true;
  muster::division_space space;
  CHECK(divide(tree, wish, space).fits());
  CHECK(s.by_node(tree, space.answer) == nodes{{1, 8}, {2, 5}, {3, 7}});
  CHECK(s.leader_node(tree, space.answer) == 3);
  // best fit needs node 4 as well
  wish.rule = division_rule::best_fit;
  CHECK(divide(tree, wish, space).fits());
  CHECK(s.by_node(tree, space.answer) == nodes{{1, 6}, {2, 5}, {3, 8}, {4, 1}});
}

TEST_CASE("where no sibling set holds all, or the budget ends, best fit decides", "[placement]") {
  yard s;
  s.racks(1, {4});
  s.racks(2, {4});
  CHECK(divided(s, s.tree(), balanced(6, rack)) == nodes{{1, 4}, {2, 2}});
  CHECK(divided(s, s.tree(), balanced(6, zone)) == nodes{{1, 3}, {2, 3}});  // zones are the siblings: below them racks

  one_rack t{4, 4, 4};
  auto wish = balanced(6, rack);
  wish.budget = 1;
  CHECK(divided(t, t.tree(), wish) == nodes{{1, 4}, {2, 2}});
}
