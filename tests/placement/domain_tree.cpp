// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/domain_tree.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <set>
#include <string_view>

namespace {

using muster::domain_tree;
using muster::no_tree_index;
using muster::node_level;
using muster::topology_level;
using muster::tree_index;

constexpr topology_level zone{0}, rack{1};

/// A zone with a rack of one node, and a node of the zone's own.
domain_tree small_tree() {
  domain_tree tree;
  tree.finest = node_level;
  tree.leaf_depth = 3;
  tree.domains = {
      {muster::no_level, 0, no_tree_index, 1, 2, false, 0, 0}, {zone, 0, 0, 2, 4, false, 0, 0},
      {rack, 0, 1, 4, 5, false, 0, 0},                         {node_level, 7, 1, 5, 5, false, 0, 0},
      {node_level, 3, 2, 5, 5, false, 0, 0},
  };
  return tree;
}

}  // namespace

TEST_CASE("depth counts from the root, height from the leaves; a node is a leaf wherever it hangs", "[placement]") {
  const domain_tree tree = small_tree();
  CHECK(tree.depth(muster::no_level) == 0);
  CHECK(tree.depth(zone) == 1);
  CHECK(tree.depth(rack) == 2);
  CHECK(tree.depth(node_level) == 3);
  CHECK(tree.depth(tree_index{3}) == 3);
  CHECK(tree.height(0) == 3);
  CHECK(tree.height(2) == 1);
  CHECK(tree.height(3) == 0);
  CHECK(tree[3].is_leaf());
  CHECK_FALSE(tree[2].is_leaf());
}

TEST_CASE("a tree has its levels, its leaves and the cluster", "[placement]") {
  domain_tree tree = small_tree();
  for (const topology_level level : {muster::no_level, zone, rack, node_level}) CHECK(tree.has(level));
  CHECK_FALSE(tree.has(topology_level{2}));
  tree.finest = zone;
  tree.leaf_depth = 1;
  CHECK(tree.has(muster::no_level));
  CHECK(tree.has(zone));
  CHECK_FALSE(tree.has(rack));
  CHECK_FALSE(tree.has(node_level));
  tree.finest = muster::no_level;
  tree.leaf_depth = 0;
  CHECK(tree.has(muster::no_level));
  CHECK_FALSE(tree.has(zone));
}

TEST_CASE("every level cuts the tree so that a leaf at or below it is in one part", "[placement]") {
  const domain_tree tree = small_tree();
  const auto cut_at = [&](topology_level level) {
    std::set<tree_index> all;
    for (tree_index at = 0; at < tree.size(); ++at)
      if (tree.cuts(at, level)) all.insert(at);
    return all;
  };
  CHECK(cut_at(muster::no_level) == std::set<tree_index>{0});
  CHECK(cut_at(zone) == std::set<tree_index>{1});
  CHECK(cut_at(rack) == std::set<tree_index>{2, 3});
  CHECK(cut_at(node_level) == std::set<tree_index>{3, 4});
}

TEST_CASE("the ancestor of a level is the domain itself, one above, or none", "[placement]") {
  const domain_tree tree = small_tree();
  CHECK(tree.ancestor(4, node_level) == 4);
  CHECK(tree.ancestor(4, rack) == 2);
  CHECK(tree.ancestor(3, rack) == no_tree_index);
  CHECK(tree.ancestor(3, zone) == 1);
  CHECK(tree.ancestor(3, muster::no_level) == 0);
}

TEST_CASE("every fault of a tree has a name of its own", "[placement]") {
  std::set<std::string_view> names;
  for (std::uint8_t each = 0; each <= static_cast<std::uint8_t>(muster::tree_fault::pod_sets); ++each)
    names.insert(name(static_cast<muster::tree_fault>(each)));
  CHECK(names.size() == 5);
  CHECK_FALSE(names.contains("?"));
}
