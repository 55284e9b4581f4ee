// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/describe_division.hpp>
#include <muster/placement/divide.hpp>

#include "support/catch.hpp"
#include "support/yard.hpp"

#include <iterator>
#include <string>
#include <string_view>

namespace {

using muster::division_wish;
using muster::level_wish;
using muster::node_level;
using muster::topology_level;
using muster_test::wish_of;
using muster_test::yard;

constexpr topology_level zone{0}, rack{1};

std::string told(const muster::domain_tree& tree, const division_wish& wish, const muster::describe_names& names = {}) {
  muster::division_space space;
  std::string text;
  describe(std::back_inserter(text), wish, divide(tree, wish, space), names);
  return text;
}

}  // namespace

TEST_CASE("a division says where it is, or what is missing", "[placement]") {
  yard s;
  s.racks(1, {6, 3, 1}, 1);
  s.racks(2, {2}, 1);
  const auto tree = s.tree(node_level, 1);
  auto wish = wish_of(9, zone, level_wish::required);
  CHECK(told(tree, wish) == "fits: 9 pods on 2 leaves");
  wish.leader = true;
  CHECK(told(tree, wish) == "fits: 9 pods and a leader on 3 leaves");
  wish.pods = 1;
  CHECK(told(tree, wish) == "fits: 1 pod and a leader on 1 leaf");
  wish = wish_of(7, rack, level_wish::required);
  CHECK(told(tree, wish) == "6 of 7 pods fit in the best domain of level 1");
  const std::string_view levels[] = {"zone", "rack"};
  CHECK(told(tree, wish, {.levels = levels}) == "6 of 7 pods fit in the best domain of rack");
  wish.level = node_level;
  CHECK(told(tree, wish) == "6 of 7 pods fit in the best node");
  wish = wish_of(13, rack, level_wish::unconstrained);
  CHECK(told(tree, wish) == "12 of 13 pods fit in all");
  wish = wish_of(16, zone, level_wish::required);
  wish.layers = {{rack, 8}, {node_level, 2}};
  CHECK(told(tree, wish) == "0 of 2 slices fit in the best domain of level 0; of its layers 0 of 2 and 4 of 8");
  wish.layers = {{rack, 0}};
  CHECK(told(tree, wish) == "invalid: slice size below 1 (layer 0)");
  wish.pods = -1;
  CHECK(told(tree, wish) == "invalid: pods out of range");
  yard bare;
  bare.node(1, {1, 0});
  CHECK(told(bare.tree(), wish_of(1, rack, level_wish::required)) == "no domain of the level");
  auto led = wish_of(1, node_level, level_wish::required);
  led.leader = true;
  CHECK(told(bare.tree(node_level, 1), led) == "no room for the leader");
}
