// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DIVIDE_HPP
#define MUSTER_PLACEMENT_DIVIDE_HPP

/// \file
/// Divides a gang of alike pods over the domains of a tree, by a rule of the caller's choice.
///
/// Every rule keeps each domain within its slots and every slice whole, and finds a division exactly if the sums of the
/// tree have room: the most slices that several domains take together is the sum over them, less the least that the
/// leader costs one of them. So for alike pods a refusal is proved by the count (of the tree's moment).
///
/// Rules differ in which division they choose. Kueue's (detail/best_fit.hpp, detail/balanced.hpp) fill domains level by
/// level and look back at nothing. smallest_spread and fewest_domains (detail/smallest_spread.hpp) search: exact within
/// the budget, else the largest-first division, with a bound that no division passes. One gang is divided at a time;
/// pod sets that are unlike beyond a leader are for `place`, which moves earlier pods for later ones where it must.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/topology.hpp>
#include <muster/placement/detail/balanced.hpp>
#include <muster/placement/detail/best_fit.hpp>
#include <muster/placement/detail/fill_items.hpp>
#include <muster/placement/detail/slice_rooms.hpp>
#include <muster/placement/detail/smallest_spread.hpp>
#include <muster/placement/division.hpp>
#include <muster/placement/division_space.hpp>
#include <muster/placement/domain_tree.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI {

/// What is wrong with a wish for a tree; of a layer, `layer` says which.
/// \complexity O(layers) \exceptions none, allocates nothing
[[nodiscard]] inline division_fault first_fault(const domain_tree& tree, const division_wish& wish,
                                                std::uint32_t& layer) noexcept {
  if (tree.fault != tree_fault::none || tree.domains.empty()) return division_fault::tree;
  if (wish.pods < 0 || wish.pods > max_pods_per_group) return division_fault::pods;
  if (wish.leader && !tree.with_leader) return division_fault::leader_uncounted;
  if (!tree.has(wish.level)) return division_fault::level_not_in_tree;
  if (wish.within >= tree.size()) return division_fault::domain_not_in_tree;
  if (wish.rule == division_rule::balanced && wish.meaning != level_wish::preferred)
    return division_fault::rule_needs_preferred;
  for (layer = 0; layer < wish.layers.size(); ++layer) {
    const slice_layer& here = wish.layers[layer];
    if (here.level == no_level || !tree.has(here.level)) return division_fault::layer_level;
    const bool first = layer == 0;
    const std::uint32_t depth = tree.depth(here.level);
    if (first ? depth < tree.depth(wish.level) : depth <= tree.depth(wish.layers[layer - 1].level))
      return division_fault::layer_level;
    if (here.pods < 1) return division_fault::layer_size;
    if ((first ? wish.pods : wish.layers[layer - 1].pods) % here.pods != 0) return division_fault::layer_divides;
  }
  layer = 0;
  return division_fault::none;
}

/// Divides the pods of a wish over the tree.
/// \return in `space`, until its next use: shares of the leaves, in the order along the tree, and where they lie; or
///         why there are none: a fault of the wish, no domain of the level, no room for the leader, or too few slices,
///         with how many fit
/// \complexity O(d (log d + layers)) a level for d domains of the tree; besides at most `budget` steps of search
/// \exceptions none of its own; allocates in `space` only
/// \determinism a function of tree and wish; ties end in the order of the tree
/// \see Kueue: required, preferred and unconstrained topologies, slices, balanced placement
inline const division& divide(const domain_tree& tree, const division_wish& wish, division_space& space) {
  division& answer = space.answer;
  std::vector<domain_share> shares = std::move(answer.shares);
  shares.clear();
  answer = division{};
  answer.shares = std::move(shares);
  answer.fault = first_fault(tree, wish, answer.layer);
  if (answer.fault != division_fault::none) {
    answer.refusal = division_refusal::fault;
    return answer;
  }
  const placement_detail::dividing on{tree, wish, space};
  answer.needed = on.slices();
  if (wish.pods == 0 && !wish.leader) return answer;
  on.find_rooms();
  using placement_detail::item_order;
  switch (wish.rule) {
    case division_rule::best_fit: placement_detail::divide_by_fit(on, item_order::largest_first); break;
    case division_rule::least_free: placement_detail::divide_by_fit(on, item_order::least_first); break;
    case division_rule::balanced: placement_detail::divide_balanced(on); break;
    case division_rule::smallest_spread:
    case division_rule::fewest_domains: placement_detail::divide_by_spread(on); break;
  }
  return answer;
}

}  // namespace muster::inline MUSTER_ABI

#endif
