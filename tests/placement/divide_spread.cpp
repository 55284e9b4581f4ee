// SPDX-License-Identifier: BSL-1.0
// The nearest divisions and those on the fewest domains, on small examples; tests/property/division.cpp tries every
// division of many more. The reports B83, B86 and B89 of preferred levels, replacements and leaders.
#include <muster/placement/divide.hpp>
#include <muster/placement/place.hpp>

#include "support/catch.hpp"
#include "support/yard.hpp"

#include <cstdint>

namespace {

using muster::division;
using muster::division_rule;
using muster::level_wish;
using muster::node_level;
using muster::topology_level;
using muster_test::divided;
using muster_test::nodes;
using muster_test::wish_of;
using muster_test::yard;

constexpr topology_level zone{0}, rack{1};

}  // namespace

TEST_CASE("the lowest domain that holds all is taken, then the tightest of its kind", "[placement]") {
  yard s;
  s.node(1, {6, 0}, {1, 1});
  s.node(2, {2, 0}, {1, 2});
  s.node(3, {2, 0}, {1, 2});
  s.node(4, {4, 0}, {2, 1});
  s.node(5, {9, 0}, {2, 1});
  const auto tree = s.tree();
  const auto nearest = [&](muster::pod_count pods) {
    return divided(s, tree, wish_of(pods, zone, level_wish::preferred, division_rule::smallest_spread));
  };
  CHECK(nearest(4) == nodes{{4, 4}});    // not rack 1.2, of which two nodes would be full
  CHECK(nearest(7) == nodes{{5, 7}});
  CHECK(nearest(10) == nodes{{5, 9}, {4, 1}});
}

TEST_CASE("largest first is not nearest where two blocks of the middle hold all", "[placement]") {
  yard s;
  s.node(1, {3, 0}, {1, 1});
  s.node(2, {3, 0}, {1, 1});
  s.node(3, {5, 0}, {1, 2});
  s.node(4, {5, 0}, {1, 3});
  const auto tree = s.tree();
  muster::division_space space;
  auto wish = wish_of(10, zone, level_wish::required, division_rule::smallest_spread);
  const division& answer = divide(tree, wish, space);
  CHECK(s.by_node(tree, answer) == nodes{{3, 5}, {4, 5}});
  CHECK(answer.proved);
  CHECK(answer.distance == 25 * 2);  // five times five pairs, two levels up
  CHECK(answer.least_distance == 50);
  CHECK(tree[answer.shared].level == zone);
  // without search: six on rack 1 and four on node 3. Pairs in one rack but on two nodes 9, in two racks 24
  wish.budget = 0;
  const division& greedy = divide(tree, wish, space);
  CHECK_FALSE(greedy.proved);
  CHECK(s.by_node(tree, greedy) == nodes{{1, 3}, {2, 3}, {3, 4}});
  CHECK(greedy.distance == 9 + 24 * 2);
  // nodes of 5 and 5 have 25 pairs apart at least, racks of 6 and 4 have 24
  CHECK(greedy.least_distance == 25 + 24);
}

TEST_CASE("a division without a choice is its own bound", "[placement]") {
  yard s;
  s.node(1, {3, 0}, {1, 1});
  s.node(2, {3, 0}, {1, 1});
  s.node(3, {2, 0}, {1, 2});
  s.node(4, {2, 0}, {1, 3});
  auto wish = wish_of(10, zone, level_wish::required, division_rule::smallest_spread);
  wish.budget = 0;
  muster::division_space space;
  const division& answer = divide(s.tree(), wish, space);
  // of 45 pairs 8 are on one node and 17 in one rack
  CHECK(answer.distance == (45 - 8) + (45 - 17));
  CHECK(answer.least_distance == answer.distance);
}

TEST_CASE("a required level bounds how far apart pods may be, and no more", "[placement]") {
  yard s;
  s.racks(1, {2, 2});
  s.racks(2, {3, 2});
  const auto tree = s.tree();
  muster::division_space space;
  CHECK(divided(s, tree, wish_of(3, zone, level_wish::required, division_rule::smallest_spread)) == nodes{{3, 3}});
  const division& answer =
      divide(tree, wish_of(4, rack, level_wish::required, division_rule::smallest_spread), space);
  CHECK(answer.refusal == muster::division_refusal::too_few_slices);
  CHECK(answer.fit == 3);
}

TEST_CASE("fewest domains counts those of its level first", "[placement]") {
  yard s;
  s.racks(1, {3, 3, 3});
  s.racks(2, {4, 1, 1});
  s.racks(3, {4});
  const auto tree = s.tree();
  // zone 1 alone holds eight on three racks; racks 2.1 and 3.1 are two
  auto wish = wish_of(8, rack, level_wish::preferred, division_rule::smallest_spread);
  CHECK(divided(s, tree, wish) == nodes{{1, 3}, {2, 3}, {3, 2}});
  wish.rule = division_rule::fewest_domains;
  CHECK(divided(s, tree, wish) == nodes{{4, 4}, {7, 4}});
  muster::division_space space;
  CHECK(divide(tree, wish, space).domains == 2);
  wish.budget = 0;
  CHECK(divide(tree, wish, space).domains == 2);
  wish.level = zone;
  CHECK(divided(s, tree, wish) == nodes{{1, 3}, {2, 3}, {3, 2}});
}

TEST_CASE("B83 a soft rack level: four pods on exactly two racks", "[reports]") {
  yard s{1};
  for (std::uint64_t n = 0; n < 6; ++n) s.node(n + 1, {1, 0}, {n / 2});
  const auto tree = s.tree();
  for (const auto rule : {division_rule::best_fit, division_rule::smallest_spread, division_rule::fewest_domains}) {
    muster::division_space space;
    const division& answer = divide(tree, wish_of(4, zone, level_wish::preferred, rule), space);
    REQUIRE(answer.fits());
    CHECK(answer.domains == 2);
    CHECK(s.by_node(tree, answer) == nodes{{1, 1}, {2, 1}, {3, 1}, {4, 1}});
  }
}

TEST_CASE("B86 a replacement keeps to the inner limits of what was lost", "[reports]") {
  // rack > switch > host; on switch 1 host 1 has one slot left, host 2 is gone, host 3 idle; on switch 2 host 6 is
  yard s{2};
  s.node(1, {3, 0}, {1, 1});
  s.filler(90, 1, {2, 0});
  s.node(3, {2, 0}, {1, 1});
  s.node(4, {2, 0}, {1, 2});
  s.filler(91, 4, {2, 0});
  s.node(6, {2, 0}, {1, 2});
  const auto tree = s.tree();
  constexpr topology_level network{1};
  muster::tree_index of_the_rest = 0;  // the switch of host 1
  for (muster::tree_index at = 0; at < tree.size(); ++at)
    if (tree[at].level == network && tree[at].number == s.view().domain_of(*s.view().find(muster::node_id{1}), 1))
      of_the_rest = at;
  auto wish = wish_of(2, network, level_wish::required);
  wish.layers = {{node_level, 2}};
  wish.within = of_the_rest;
  for (const auto rule : {division_rule::best_fit, division_rule::least_free, division_rule::smallest_spread}) {
    wish.rule = rule;
    CHECK(divided(s, tree, wish) == nodes{{3, 2}});
  }
  // where host 3 is not idle either nothing else will do
  s.filler(92, 3, {1, 0});
  muster::division_space space;
  CHECK(divide(s.tree(), wish, space).refusal == muster::division_refusal::too_few_slices);
  CHECK(space.answer.fit == 0);
}

TEST_CASE("B89 the domain is taken where the leader leaves room for the workers", "[reports]") {
  using cores_and_gpus = muster::resource_vector<2>;
  muster_test::scene<cores_and_gpus> s{muster::nested_levels(1)};
  s.node(1, {10, 5}, {1});
  s.node(2, {12, 4}, {2});
  auto gang = s.gang(1, 1, {4, 0});
  gang.pod_sets.push_back({{2, 1}, 4, 0});
  muster::workspace<cores_and_gpus> space;
  muster::domain_tree tree;
  count_domains(s.view(), gang, node_level, space, tree);
  for (const auto rule : {division_rule::best_fit, division_rule::least_free, division_rule::smallest_spread}) {
    auto wish = wish_of(4, zone, level_wish::required, rule);
    wish.leader = true;
    muster::division_space divisions;
    const division& answer = divide(tree, wish, divisions);
    REQUIRE(answer.fits());
    REQUIRE(answer.shares.size() == 1);
    CHECK(tree[answer.shares[0].domain].number == *s.view().find(muster::node_id{2}));
  }
}

TEST_CASE("unlike pod sets divided one after the other can miss what place() finds", "[placement]") {
  // nodes of 8, 1 and 1; two small pods, then one of eight. Kueue gives the first the smallest node that holds both
  using gpus = muster::resource_vector<1>;
  muster_test::scene<gpus> s;
  s.node(1, {8});
  s.node(2, {1});
  s.node(3, {1});
  const auto view = s.view();
  muster::overlay<gpus> trial{view};
  muster::workspace<gpus> space;
  muster::domain_tree tree;
  muster::division_space divisions;
  count_domains(trial, muster::pod_set<gpus>{{1}, 2, 0}, node_level, space, tree);
  REQUIRE(divide(tree, wish_of(2, node_level, level_wish::preferred), divisions).fits());
  for (const auto& share : divisions.answer.shares) {
    CHECK(view.id(tree[share.domain].number) == muster::node_id{1});
    trial.charge(tree[share.domain].number, {share.pods}, share.pods);
  }
  count_domains(trial, muster::pod_set<gpus>{{8}, 1, 0}, node_level, space, tree);
  CHECK(divide(tree, wish_of(1, node_level, level_wish::preferred), divisions).refusal ==
        muster::division_refusal::too_few_slices);

  auto both = s.gang(1, 2, {1});
  both.pod_sets.push_back({{8}, 1, 0});
  CHECK(place(view, both).fits());
}
