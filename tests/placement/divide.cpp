// SPDX-License-Identifier: BSL-1.0
// Kueue's rules on small examples worked out by hand, sentence by sentence.
#include <muster/placement/divide.hpp>

#include "support/catch.hpp"
#include "support/yard.hpp"

#include <cstdint>

namespace {

using muster::division;
using muster::division_fault;
using muster::division_refusal;
using muster::division_rule;
using muster::division_wish;
using muster::domain_tree;
using muster::level_wish;
using muster::node_level;
using muster::pod_count;
using muster::topology_level;
using muster_test::divided;
using muster_test::nodes;
using muster_test::wish_of;
using muster_test::yard;

constexpr topology_level zone{0}, rack{1};

}  // namespace

TEST_CASE("best fit takes the smallest domain of the level that holds all, the first on ties", "[placement]") {
  yard s;
  s.racks(1, {6, 4, 2, 4});
  const auto tree = s.tree();
  CHECK(divided(s, tree, wish_of(3, rack, level_wish::required)) == nodes{{2, 3}});
  CHECK(divided(s, tree, wish_of(5, rack, level_wish::required)) == nodes{{1, 5}});
  CHECK(divided(s, tree, wish_of(2, rack, level_wish::required)) == nodes{{3, 2}});
}

TEST_CASE("of domains with as many slices the one with the fewest pods is taken", "[placement]") {
  yard s;
  s.racks(1, {5, 4, 5});
  auto wish = wish_of(4, rack, level_wish::required);
  wish.layers = {{rack, 2}};
  CHECK(divided(s, s.tree(), wish) == nodes{{2, 4}});
}

TEST_CASE("a required level that no domain holds is refused with what fits in the best", "[placement]") {
  yard s;
  s.racks(1, {6, 4});
  const auto tree = s.tree();
  muster::division_space space;
  const division& answer = divide(tree, wish_of(7, rack, level_wish::required), space);
  CHECK(answer.refusal == division_refusal::too_few_slices);
  CHECK(answer.fit == 6);
  CHECK(answer.needed == 7);
  CHECK(answer.shares.empty());
  CHECK(divide(tree, wish_of(7, zone, level_wish::required), space).fits());

  yard bare;
  bare.node(1, {8, 0}, {1});
  CHECK(divide(bare.tree(), wish_of(2, rack, level_wish::required), space).refusal == division_refusal::level_empty);
}

TEST_CASE("a preferred level gives way one level up, recursively", "[placement]") {
  yard s{3};
  // two blocks; zones 1.1 and 1.2 hold 6 each, 2.1 holds 13
  s.node(1, {3, 0}, {1, 1, 1});
  s.node(2, {3, 0}, {1, 1, 2});
  s.node(3, {3, 0}, {1, 2, 1});
  s.node(4, {3, 0}, {1, 2, 2});
  s.node(5, {7, 0}, {2, 1, 1});
  s.node(6, {6, 0}, {2, 1, 2});
  const auto tree = s.tree();
  constexpr topology_level finest{2};
  CHECK(divided(s, tree, wish_of(3, finest, level_wish::preferred)) == nodes{{1, 3}});
  CHECK(divided(s, tree, wish_of(6, finest, level_wish::preferred)) == nodes{{6, 6}});
  CHECK(divided(s, tree, wish_of(8, finest, level_wish::preferred)) == nodes{{5, 7}, {6, 1}});
  // zones fail, block 1 holds 12 of 12: too few for 13, and zone 2.1 holds that
  CHECK(divided(s, tree, wish_of(13, finest, level_wish::preferred)) == nodes{{5, 7}, {6, 6}});
  muster::division_space space;
  CHECK(tree[divide(tree, wish_of(13, finest, level_wish::preferred), space).shared].level == topology_level{1});
  // no block: both, and nowhere is room for more
  CHECK(divided(s, tree, wish_of(25, finest, level_wish::preferred)).size() == 6);
  CHECK(divide(tree, wish_of(26, finest, level_wish::preferred), space).refusal == division_refusal::too_few_slices);
  CHECK(space.answer.fit == 25);
}

TEST_CASE("at the coarsest level the largest are taken, and last the smallest that suffices", "[placement]") {
  yard s;
  s.racks(1, {6});
  s.racks(2, {2});
  s.racks(3, {4});
  s.racks(4, {5});
  const auto tree = s.tree();
  // 6, then of 4, 5 and 2 for the last two the 2
  CHECK(divided(s, tree, wish_of(8, zone, level_wish::preferred)) == nodes{{1, 6}, {2, 2}});
  CHECK(divided(s, tree, wish_of(9, zone, level_wish::preferred)) == nodes{{1, 6}, {3, 3}});
  CHECK(divided(s, tree, wish_of(12, zone, level_wish::preferred)) == nodes{{1, 6}, {4, 5}, {2, 1}});
  CHECK(divided(s, tree, wish_of(9, rack, level_wish::unconstrained)) == nodes{{1, 6}, {3, 3}});
}

TEST_CASE("an unconstrained level is not left", "[placement]") {
  yard s;
  s.racks(1, {6, 1, 1});  // holds all eight: the preferred way
  s.racks(2, {2, 3});
  const auto tree = s.tree();
  CHECK(divided(s, tree, wish_of(8, rack, level_wish::preferred)) == nodes{{1, 6}, {2, 1}, {3, 1}});
  CHECK(divided(s, tree, wish_of(8, rack, level_wish::unconstrained)) == nodes{{1, 6}, {4, 2}});
}

TEST_CASE("above the slices the pods are spread anew over the children of all chosen domains", "[placement]") {
  yard s;
  s.racks(1, {3, 3});
  s.racks(2, {5});
  const auto tree = s.tree();
  // zone 1 would get six and zone 2 two; over their racks the five go first, then the first that holds three
  CHECK(divided(s, tree, wish_of(8, zone, level_wish::unconstrained)) == nodes{{1, 3}, {3, 5}});
}

TEST_CASE("at the slices and below each domain spreads its own", "[placement]") {
  yard s;
  s.racks(1, {3, 3});
  s.racks(2, {4, 2});
  const auto tree = s.tree();
  auto wish = wish_of(10, zone, level_wish::unconstrained);
  wish.layers = {{zone, 2}};
  // three slices in zone 1, first of two with three, and two in zone 2: four pods, all on its rack of four
  CHECK(divided(s, tree, wish) == nodes{{1, 3}, {2, 3}, {3, 4}});
  wish.pods = 8;
  CHECK(divided(s, tree, wish) == nodes{{1, 3}, {2, 3}, {4, 2}});
}

TEST_CASE("slices at a level are whole there, and summed up above", "[placement]") {
  yard s;
  s.racks(1, {5, 3});
  s.racks(2, {4});
  const auto tree = s.tree();
  auto wish = wish_of(6, zone, level_wish::required);
  wish.layers = {{rack, 2}};
  // zone 1: 2 + 1 slices of the eight pods
  CHECK(divided(s, tree, wish) == nodes{{1, 4}, {2, 2}});
  wish.pods = 8;
  muster::division_space space;
  const division& answer = divide(tree, wish, space);
  CHECK(answer.refusal == division_refusal::too_few_slices);
  CHECK(answer.fit == 3);
  CHECK(answer.needed == 4);
  wish.meaning = level_wish::preferred;
  CHECK(divided(s, tree, wish) == nodes{{1, 4}, {3, 4}});
}

TEST_CASE("inner layers count a child in whole multiples, and fill it so", "[placement]") {
  yard s;
  s.node(1, {3, 0}, {1, 1});
  s.node(2, {3, 0}, {1, 1});
  s.node(3, {2, 0}, {1, 2});
  s.node(4, {2, 0}, {1, 2});
  s.node(5, {2, 0}, {1, 2});
  const auto tree = s.tree();
  auto wish = wish_of(6, rack, level_wish::required);
  wish.layers = {{rack, 6}, {node_level, 2}};
  CHECK(divided(s, tree, wish) == nodes{{3, 2}, {4, 2}, {5, 2}});  // rack 1 holds six pods, four of them in twos
  wish.layers = {{rack, 6}};
  CHECK(divided(s, tree, wish) == nodes{{1, 3}, {2, 3}});
  wish.layers = {{rack, 6}, {node_level, 3}};
  CHECK(divided(s, tree, wish) == nodes{{1, 3}, {2, 3}});
  wish.layers = {{zone, 12}, {rack, 6}, {node_level, 2}};
  wish.pods = 12;
  wish.level = zone;
  muster::division_space space;
  const division& answer = divide(tree, wish, space);
  CHECK(answer.refusal == division_refusal::too_few_slices);
  CHECK(answer.fit == 0);
  CHECK(answer.layers_fit[0] == 0);
  CHECK(answer.layers_fit[1] == 1);
  CHECK(answer.layers_fit[2] == 5);
}

TEST_CASE("levels between two layers take multiples of the inner one too", "[placement]") {
  yard s{3};
  s.node(1, {3, 0}, {1, 1, 1});
  s.node(2, {3, 0}, {1, 2, 1});
  s.node(3, {2, 0}, {1, 2, 2});
  auto wish = wish_of(4, zone, level_wish::required);
  wish.layers = {{zone, 4}, {topology_level{2}, 2}};
  CHECK(divided(s, s.tree(), wish) == nodes{{2, 2}, {3, 2}});
  wish.pods = 8;
  muster::division_space space;
  CHECK(divide(s.tree(), wish, space).fit == 1);  // 2 + 2 + 2 pods
}

TEST_CASE("the leader's domain holds all beside it, the smallest such", "[placement]") {
  // a leader costs two: rack 1 holds five, or three beside it; rack 2 four and four; rack 3 six and four
  yard s;
  s.node(1, {5, 1}, {1, 1});
  s.node(2, {4, 0}, {1, 2});
  s.node(3, {2, 1}, {1, 2});
  s.node(4, {6, 1}, {1, 3});
  const auto tree = s.tree(node_level, 2);
  auto wish = wish_of(4, rack, level_wish::required);
  wish.leader = true;
  muster::division_space space;
  CHECK(divide(tree, wish, space).fits());
  // rack 2 holds six, or four beside the leader on node 3, as rack 3 does: the first in order
  CHECK(s.by_node(tree, space.answer) == nodes{{2, 4}});
  CHECK(s.leader_node(tree, space.answer) == 3);
  wish.pods = 3;
  CHECK(divide(tree, wish, space).fits());
  CHECK(s.by_node(tree, space.answer) == nodes{{1, 3}});
  CHECK(s.leader_node(tree, space.answer) == 1);
  wish.pods = 5;
  CHECK(divide(tree, wish, space).refusal == division_refusal::too_few_slices);
  CHECK(space.answer.fit == 4);
  wish.leader = false;
  CHECK(divide(tree, wish, space).fits());
}

TEST_CASE("a leader that fits nowhere is a refusal of its own", "[placement]") {
  yard s;
  s.racks(1, {5, 5});
  const auto tree = s.tree(node_level, 1);
  for (const auto meaning : {level_wish::required, level_wish::preferred, level_wish::unconstrained})
    for (const auto rule : {division_rule::best_fit, division_rule::least_free, division_rule::smallest_spread,
                            division_rule::fewest_domains}) {
      auto wish = wish_of(4, rack, meaning, rule);
      wish.leader = true;
      muster::division_space space;
      CHECK(divide(tree, wish, space).refusal == division_refusal::leader_no_room);
    }
}

TEST_CASE("the leader's domain comes first, the first in order whose loss leaves room enough", "[placement]") {
  // a leader costs three; zones of one node: 6 with the leader's seat, 5 without, 4 with
  yard s;
  s.racks(1, {6}, 1);
  s.racks(2, {5}, 0);
  s.racks(3, {4}, 1);
  const auto tree = s.tree(node_level, 3);
  auto wish = wish_of(10, zone, level_wish::preferred);
  wish.leader = true;
  muster::division_space space;
  // 3 beside the leader in zone 1, then 5, then 2 of 4
  CHECK(divide(tree, wish, space).fits());
  CHECK(s.leader_node(tree, space.answer) == 1);
  CHECK(s.by_node(tree, space.answer) == nodes{{1, 3}, {2, 5}, {3, 2}});
  wish.pods = 8;
  CHECK(divide(tree, wish, space).fits());
  CHECK(s.by_node(tree, space.answer) == nodes{{1, 3}, {2, 5}});
  wish.pods = 13;
  CHECK(divide(tree, wish, space).refusal == division_refusal::too_few_slices);
  CHECK(space.answer.fit == 12);

  // only the smallest zone loses nothing, so it gets the leader where every slot is needed
  yard t;
  t.node(1, {6, 1}, {1, 1});
  t.node(2, {5, 0}, {2, 1});
  t.node(3, {1, 0}, {3, 1});
  t.node(4, {2, 1}, {3, 2});
  const auto other = t.tree(node_level, 2);
  auto all = wish_of(12, zone, level_wish::preferred);
  all.leader = true;
  CHECK(divide(other, all, space).fits());
  CHECK(t.by_node(other, space.answer) == nodes{{1, 4}, {2, 5}, {3, 1}, {4, 2}});
  CHECK(t.leader_node(other, space.answer) == 1);
}

TEST_CASE("least free takes the smallest that holds all, else fills from the smallest up", "[placement]") {
  yard s;
  s.racks(1, {6, 4, 2, 4});
  const auto tree = s.tree();
  const auto with = [](pod_count pods, topology_level level) {
    return wish_of(pods, level, level_wish::unconstrained, division_rule::least_free);
  };
  CHECK(divided(s, tree, with(3, rack)) == nodes{{2, 3}});
  CHECK(divided(s, tree, with(7, rack)) == nodes{{3, 2}, {2, 4}, {4, 1}});
  CHECK(divided(s, tree, with(3, zone)) == nodes{{3, 2}, {2, 1}});  // the descent starts from the smallest
  muster::division_space space;
  CHECK(divide(tree, with(17, rack), space).fit == 16);
}

TEST_CASE("nodes in no domain of the level are used where several may be, and never as one", "[placement]") {
  yard s;
  s.racks(1, {2});
  s.node(2, {3, 0}, {1});
  s.node(3, {4, 0});
  const auto tree = s.tree();
  muster::division_space space;
  CHECK(divide(tree, wish_of(3, rack, level_wish::required), space).fit == 2);
  CHECK(divided(s, tree, wish_of(4, rack, level_wish::preferred)) == nodes{{2, 3}, {1, 1}});
  CHECK(divided(s, tree, wish_of(7, rack, level_wish::unconstrained)) == nodes{{3, 4}, {2, 3}});
  auto wish = wish_of(4, zone, level_wish::preferred);
  wish.layers = {{rack, 2}};
  CHECK(divide(tree, wish, space).fit == 1);
}

TEST_CASE("pods of none, and a leader alone", "[placement]") {
  yard s;
  s.racks(1, {2, 2}, 1);
  const auto tree = s.tree(node_level, 1);
  for (const auto rule : {division_rule::best_fit, division_rule::least_free, division_rule::smallest_spread}) {
    muster::division_space space;
    auto wish = wish_of(0, rack, level_wish::required, rule);
    CHECK(divide(tree, wish, space).fits());
    CHECK(space.answer.shares.empty());
    wish.leader = true;
    CHECK(divide(tree, wish, space).fits());
    REQUIRE(space.answer.shares.size() == 1);
    CHECK(space.answer.shares[0].leader);
    CHECK(space.answer.shares[0].pods == 0);
  }
}

TEST_CASE("what is wrong with a wish is named", "[placement]") {
  yard s;
  s.racks(1, {8, 8});
  const auto tree = s.tree();
  muster::division_space space;
  const auto fault = [&](const division_wish& wish) {
    const division& answer = divide(tree, wish, space);
    CHECK(answer.refusal == (answer.fault == division_fault::none ? division_refusal::none : division_refusal::fault));
    return answer.fault;
  };
  auto wish = wish_of(8, zone, level_wish::required);
  CHECK(fault(wish) == division_fault::none);
  wish.pods = -1;
  CHECK(fault(wish) == division_fault::pods);
  wish.pods = muster::max_pods_per_group + 1;
  CHECK(fault(wish) == division_fault::pods);
  wish.pods = 8;
  wish.leader = true;
  CHECK(fault(wish) == division_fault::leader_uncounted);
  wish.leader = false;
  wish.level = topology_level{2};
  CHECK(fault(wish) == division_fault::level_not_in_tree);
  wish.level = zone;
  wish.within = tree.size();
  CHECK(fault(wish) == division_fault::domain_not_in_tree);
  wish.within = 0;
  wish.rule = division_rule::balanced;
  CHECK(fault(wish) == division_fault::rule_needs_preferred);
  wish.rule = division_rule::best_fit;
  wish.layers = {{topology_level{2}, 2}};
  CHECK(fault(wish) == division_fault::layer_level);
  wish.layers = {{muster::no_level, 2}};
  CHECK(fault(wish) == division_fault::layer_level);
  wish.layers = {{rack, 0}};
  CHECK(fault(wish) == division_fault::layer_size);
  wish.layers = {{rack, 3}};
  CHECK(fault(wish) == division_fault::layer_divides);
  wish.layers = {{rack, 4}, {rack, 2}};
  CHECK(fault(wish) == division_fault::layer_level);
  CHECK(space.answer.layer == 1);
  wish.layers = {{rack, 4}, {node_level, 3}};
  CHECK(fault(wish) == division_fault::layer_divides);
  wish.layers = {{rack, 4}, {node_level, 2}};
  CHECK(fault(wish) == division_fault::none);
  CHECK(space.answer.layer == 0);
  wish.level = node_level;
  CHECK(fault(wish) == division_fault::layer_level);  // the slices are of a coarser level than the wish
  domain_tree faulty;
  CHECK(divide(faulty, wish, space).fault == division_fault::tree);
}
