// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_BEST_FIT_HPP
#define MUSTER_PLACEMENT_DETAIL_BEST_FIT_HPP

/// \file
/// Kueue's two ways to choose domains.
///
/// *Best fit*: of the level's domains that hold all slices the one with the fewest slots in slices (with a leader:
/// beside it). Where none does, `required` fails, `preferred` asks one level up, and at the coarsest level, or
/// `unconstrained`, the largest domains are taken one after the other, the leader's first, the last one being the
/// smallest that suffices. Then level by level the slices are spread anew by the same rule over the children of the
/// chosen domains; from the level of the first slice layer down each domain spreads its own.
///
/// *Least free*: from the smallest domain up, one that holds all slices if there is one; the rest is the same with the
/// smallest first.
///
/// Within a slice Kueue's code orders children by fewest pods alone, since it counts no slices there; here, as its
/// rule is written, the largest goes first.
/// \see Kueue: the two phases of topology assignment

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/topology.hpp>
#include <muster/placement/detail/descend.hpp>
#include <muster/placement/detail/fill_items.hpp>
#include <muster/placement/detail/slice_rooms.hpp>
#include <muster/placement/division.hpp>
#include <muster/placement/division_space.hpp>
#include <muster/placement/domain_tree.hpp>

#include <cstddef>

namespace muster::inline MUSTER_ABI::placement_detail {

/// Lists as items the domains of a level, or those that cut the tree there.
enum class listed_domains : bool { of_level, cut };
inline void list_items(const dividing& on, topology_level level, listed_domains which) {
  on.space.items.clear();
  for (tree_index at = 0; at < on.tree.size(); ++at)
    if (which == listed_domains::cut ? on.tree.cuts(at, level) : on.tree[at].level == level)
      on.space.items.push_back(on.slices_item(at));
}

/// Why all slices do not fit in one of the domains of the level, and how many do in the best one.
/// \complexity O(d x layers)
inline void refuse_level(const dividing& on) {
  division& answer = on.space.answer;
  list_items(on, on.wish.level, listed_domains::of_level);
  const fill_item* best = nullptr;
  const auto room = [&on](const fill_item& one) { return on.wish.leader ? one.units_with : one.units; };
  for (const fill_item& one : on.space.items)
    if ((!on.wish.leader || one.leader) && (best == nullptr || room(one) > room(*best))) best = &one;
  if (best == nullptr) {
    answer.refusal = on.space.items.empty() ? division_refusal::level_empty : division_refusal::leader_no_room;
    return;
  }
  answer.refusal = division_refusal::too_few_slices;
  answer.fit = room(*best);
  for (std::size_t l = 0; l < on.wish.layers.size(); ++l) {
    const slice_layer& layer = on.wish.layers[l];
    pod_count& fit = answer.layers_fit[l];
    for (tree_index at = best->domain; at < on.tree.size(); ++at)
      if (on.tree[at].level == layer.level && on.tree.ancestor(at, on.wish.level) == best->domain)
        fit = saturating_add(fit, on.space.rooms[at].pods / layer.pods);
  }
}

/// Puts the one domain of a level that holds all and is the smallest into `open`; false if none does.
[[nodiscard]] inline bool choose_one(const dividing& on, topology_level level, item_order order) {
  auto& items = on.space.items;
  list_items(on, level, listed_domains::of_level);
  sort_items(items, order, on.wish.leader);
  const std::size_t best = smallest_that_holds(items, 0, on.slices(), on.wish.leader);
  if (best == items.size()) return false;
  on.space.open.assign(1, domain_share{items[best].domain, on.wish.pods, on.wish.leader});
  return true;
}

/// Chooses the domains and what each gets, into `open`; false where there is a refusal. \complexity O(d log d) a level
[[nodiscard]] inline bool choose_domains(const dividing& on, item_order order) {
  topology_level level = on.wish.level;
  while (!choose_one(on, level, order)) {
    if (on.wish.meaning == level_wish::required) {
      refuse_level(on);
      return false;
    }
    if (on.wish.meaning == level_wish::preferred && on.tree.depth(level) > 1) {
      level = static_cast<topology_level>(on.tree.depth(level) - 2);
      continue;
    }
    list_items(on, level, listed_domains::cut);
    const unfilled left = fill_items(on.space.items, on.slices(), on.wish.leader, order, item_choice::fresh);
    if (!left.none()) {
      on.space.answer.refusal = left.leader ? division_refusal::leader_no_room : division_refusal::too_few_slices;
      on.space.answer.fit = on.slices() - left.units;
      return false;
    }
    on.space.open.clear();
    take_shares(on.space.items, on.slice(), on.space.open);
    return true;
  }
  return true;
}

inline void divide_by_fit(const dividing& on, item_order order) {
  if (!choose_domains(on, order)) return;
  descend_together(on, order);
  descend_inside(on, order);
  conclude(on);
}

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
