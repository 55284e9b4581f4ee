// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DOMAIN_TREE_HPP
#define MUSTER_PLACEMENT_DOMAIN_TREE_HPP

/// \file
/// How many alike pods every domain of a cluster has room for, as one tree: the cluster, the domains of every level,
/// the nodes.
///
/// The root is the whole cluster. Below a domain hang the domains of the next finer level within it; a node that lacks
/// the label of a level hangs under the finest domain it is in. *Leaves* are domains of the finest level asked for, or
/// the nodes; nodes without room for any pod are left out. The *depth* of a level counts from the root (0) to the
/// leaves, of a node that of the leaves wherever it hangs; its *height* counts from the leaves up. Two pods are as far
/// apart as the lowest domain they share is high: 0 in one leaf.
///
/// With a *leader*, one pod unlike the others, a domain also has the number of pods that sit beside it: the leader goes
/// where it costs the domain least. Whatever the domain, that is the sum over its children less the smallest loss.
///
/// Domains are stored in the order of their depth in the tree, each one's children in a row and in label order (nodes
/// after domains, by position), so that the order of the array is the order of ties.
/// \see Kueue: counts of a topology, filled from the leaves up

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/topology.hpp>
#include <muster/workload/validate.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace muster::inline MUSTER_ABI {

/// Place of a domain in the array of a tree.
using tree_index = std::uint32_t;
inline constexpr tree_index no_tree_index = ~tree_index{0};

struct tree_domain {
  topology_level level = no_level;  ///< of the root no_level
  std::uint32_t number = 0;         ///< of the domain in the snapshot at its level; of a node its position
  tree_index parent = no_tree_index;
  tree_index first_child = 0, last_child = 0;  ///< children are first_child .. last_child-1
  bool leader = false;                         ///< a leader fits somewhere in it
  pod_count slots = 0;                         ///< pods that fit
  pod_count slots_with_leader = 0;             ///< pods that fit beside one leader; 0 where it does not fit

  [[nodiscard]] bool is_leaf() const noexcept { return first_child == last_child; }
  friend bool operator==(const tree_domain&, const tree_domain&) = default;
};

enum class tree_fault : std::uint8_t {
  none,
  unknown_level,  ///< the topology has no such level
  levels_cross,   ///< a merged level lies below another one: its domains need not nest
  group,          ///< the group or pod set is faulty: see `finding`
  pod_sets,       ///< neither one pod set nor two of which one is a single pod
};

[[nodiscard]] constexpr std::string_view name(tree_fault fault) noexcept {
  switch (fault) {
    case tree_fault::none: return "none";
    case tree_fault::unknown_level: return "the topology has no such level";
    case tree_fault::levels_cross: return "a merged level below another does not nest";
    case tree_fault::group: return "faulty group";
    case tree_fault::pod_sets: return "neither one pod set nor a leader and its workers";
  }
  return "?";
}

/// Filled by `count_domains`. A tree that is kept is filled again without allocation.
struct domain_tree {
  std::vector<tree_domain> domains;  ///< the root first, parents before children; empty where there is a fault
  topology_level finest = no_level;  ///< that was asked for
  std::uint32_t leaf_depth = 0;      ///< of the finest level, and of every node
  bool with_leader = false;          ///< a leader was counted
  std::uint32_t pod_set = 0;         ///< of the group: the pods that were counted
  std::uint32_t leader_set = 0;      ///< of the group: the leader, if one was counted
  tree_fault fault = tree_fault::none;
  group_finding finding{};           ///< with tree_fault::group

  // scratch; what lies here is nobody's
  struct counted_node {
    std::uint32_t position = 0;
    bool leader = false;
    pod_count slots = 0, slots_with_leader = 0;
  };
  std::vector<counted_node> nodes;
  std::vector<tree_domain> draft;
  std::vector<tree_index> offsets, by_parent;

  [[nodiscard]] tree_index size() const noexcept { return static_cast<tree_index>(domains.size()); }
  [[nodiscard]] const tree_domain& operator[](tree_index at) const noexcept { return domains[at]; }

  /// Whether domains of the level can be in the tree: one of its levels, its leaves, or the root's `no_level`.
  [[nodiscard]] bool has(topology_level level) const noexcept {
    if (level == no_level || level == finest) return true;
    return level != node_level && depth(level) < leaf_depth;
  }
  [[nodiscard]] std::uint32_t depth(topology_level level) const noexcept {
    if (level == no_level) return 0;
    return level == node_level ? leaf_depth : static_cast<std::uint32_t>(level) + 1;
  }
  [[nodiscard]] std::uint32_t depth(tree_index at) const noexcept { return depth(domains[at].level); }
  [[nodiscard]] std::uint32_t height(tree_index at) const noexcept { return leaf_depth - depth(at); }

  /// Whether a domain is one of those that cut the tree at a level: a domain of the level, or one below it whose nodes
  /// are in no domain of the level. Every leaf is in one such domain, or is coarser.
  [[nodiscard]] bool cuts(tree_index at, topology_level level) const noexcept {
    const tree_index above = domains[at].parent;
    return depth(at) >= depth(level) && (above == no_tree_index || depth(above) < depth(level));
  }
  /// The domain of a level that a domain is, or lies in; no_tree_index if there is none.
  [[nodiscard]] tree_index ancestor(tree_index at, topology_level level) const noexcept {
    while (at != no_tree_index && domains[at].level != level) at = domains[at].parent;
    return at;
  }
};

}  // namespace muster::inline MUSTER_ABI

#endif
