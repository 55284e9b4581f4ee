// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DIVISION_HPP
#define MUSTER_PLACEMENT_DIVISION_HPP

/// \file
/// How a gang of alike pods, with a leader or without, is divided over the domains of a tree: the wish and the answer.
///
/// Pods come in *slices* where layers are given: every domain of the first layer's level takes whole multiples of that
/// layer's size, within it every domain of the next layer's level whole multiples of that one's, and so on. A node that
/// is in no domain of a layer's level takes no slice, though it may take the leader, which belongs to no slice.
/// Without layers a pod is a slice.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/storage.hpp>
#include <muster/core/topology.hpp>
#include <muster/placement/domain_tree.hpp>

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace muster::inline MUSTER_ABI {

/// `pods` pods, and multiples of them, share a domain of `level`.
struct slice_layer {
  topology_level level = no_level;
  pod_count pods = 0;
};

/// What the level of a wish means.
enum class level_wish : std::uint8_t {
  required,       ///< one domain of the level holds all pods
  preferred,      ///< else one of the next coarser level, and so on; at last several of the coarsest
  unconstrained,  ///< else several of the level
};

/// How to divide. The first three are Kueue's; see the headers that hold them for the rules in full.
enum class division_rule : std::uint8_t {
  best_fit,         ///< the smallest domain that suffices, else the largest ones and last the smallest that suffices
  least_free,       ///< the smallest ones first
  balanced,         ///< near-equal shares on as few domains as may be; with `preferred` only
  smallest_spread,  ///< the worst pair as near as can be, then the sum over all pairs; then the fewest leaves, those
                    ///< with the fewest slots, and the last ones in order left emptiest
  fewest_domains,   ///< the fewest domains of the level, then as `smallest_spread`, but for the worst pair where one
                    ///< domain is not enough
};

struct division_wish {
  pod_count pods = 0;              ///< besides the leader
  bool leader = false;             ///< a leader beside them, as the tree was counted
  topology_level level = no_level;
  level_wish meaning = level_wish::required;
  division_rule rule = division_rule::best_fit;
  short_list<slice_layer, 3> layers{};  ///< coarse to fine, none coarser than `level`
  tree_index within = 0;                ///< only in this domain: where the rest of a gang is. The root: anywhere
  std::uint64_t budget = 1U << 22;      ///< steps of smallest_spread, fewest_domains and balanced
};

enum class division_fault : std::uint8_t {
  none,
  tree,                  ///< the tree itself has a fault
  pods,                  ///< fewer than 0 or more than max_pods_per_group
  leader_uncounted,      ///< a leader is asked for, and the tree was counted without one
  level_not_in_tree,     ///< finer than the tree's leaves
  domain_not_in_tree,    ///< `within` is no domain of the tree
  layer_level,           ///< a layer's level is not in the tree, not finer than the layer before, or coarser than the
                         ///< level of the wish
  layer_size,            ///< a layer's size is below 1
  layer_divides,         ///< it does not divide the layer before, or the pods
  rule_needs_preferred,  ///< balanced with another meaning of the level
};

[[nodiscard]] constexpr std::string_view name(division_fault fault) noexcept {
  switch (fault) {
    case division_fault::none: return "none";
    case division_fault::tree: return "faulty tree";
    case division_fault::pods: return "pods out of range";
    case division_fault::leader_uncounted: return "a leader that the tree does not count";
    case division_fault::level_not_in_tree: return "the tree has no such level";
    case division_fault::domain_not_in_tree: return "the tree has no such domain";
    case division_fault::layer_level: return "slice levels are not coarse to fine within the wish and the tree";
    case division_fault::layer_size: return "slice size below 1";
    case division_fault::layer_divides: return "slice size does not divide the layer above or the pods";
    case division_fault::rule_needs_preferred: return "balanced shares need a preferred level";
  }
  return "?";
}

/// Why there is no division.
enum class division_refusal : std::uint8_t {
  none,            ///< there is one
  fault,           ///< see `fault`
  level_empty,     ///< the tree has no domain of the level
  leader_no_room,  ///< the leader fits in none of the domains
  too_few_slices,  ///< they hold `fit` of `needed` slices
};

[[nodiscard]] constexpr std::string_view name(division_refusal refusal) noexcept {
  switch (refusal) {
    case division_refusal::none: return "none";
    case division_refusal::fault: return "faulty wish";
    case division_refusal::level_empty: return "no domain of the level";
    case division_refusal::leader_no_room: return "no room for the leader";
    case division_refusal::too_few_slices: return "too few slices fit";
  }
  return "?";
}

/// What one leaf domain gets.
struct domain_share {
  tree_index domain = 0;
  pod_count pods = 0;
  bool leader = false;
  friend bool operator==(const domain_share&, const domain_share&) = default;
};

struct division {
  division_refusal refusal = division_refusal::none;
  division_fault fault = division_fault::none;
  std::uint32_t layer = 0;           ///< which one is faulty, where it is one
  std::vector<domain_share> shares;  ///< in tree order; empty where there is a refusal
  tree_index shared = 0;             ///< the lowest domain that holds all pods
  std::uint32_t domains = 0;         ///< of the level, or nodes in none, that got any
  std::int64_t distance = 0;         ///< sum over all pairs of pods, the leader's too, of how high their lowest common
                                     ///< domain is
  std::int64_t least_distance = 0;   ///< of smallest_spread and fewest_domains: no division they choose among has less
  bool proved = false;               ///< of these: nothing is better by their rule; else the budget ended
  pod_count needed = 0;              ///< slices
  pod_count fit = 0;                 ///< slices that fit, with a refusal: in the best of the domains, or in all of them
                                     ///< together where several may be used
  std::array<pod_count, max_levels + 1> layers_fit{};  ///< with too_few_slices where one domain is required: of each
                                                       ///< layer how many slices fit in the best domain
  std::uint64_t steps = 0;

  [[nodiscard]] bool fits() const noexcept { return refusal == division_refusal::none; }
};

/// Where a leader stands among the ranks.
enum class leader_rank : std::uint8_t {
  none,  ///< it has none: workers count from 0
  zero,  ///< it is rank 0, and the workers nearest to it follow
};

}  // namespace muster::inline MUSTER_ABI

#endif
