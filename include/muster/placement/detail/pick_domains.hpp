// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_PICK_DOMAINS_HPP
#define MUSTER_PLACEMENT_DETAIL_PICK_DOMAINS_HPP

/// \file
/// A given number of domains that hold a gang with the least left over.
///
/// How many it takes at least is told by taking the largest first, the leader's before the others. Which so many leave
/// least over is a knapsack over (domains picked, leader placed or not, pods left); of ways to the same state the first
/// in the order of the domains stays. \see Kueue: balanced placement

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/detail/fill_items.hpp>
#include <muster/placement/detail/slice_rooms.hpp>
#include <muster/placement/division_space.hpp>
#include <muster/placement/domain_tree.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

/// Largest first over some domains.
struct greedy_use {
  bool fits = false;
  std::size_t domains = 0;        ///< how many are used
  pod_count last_beside = -1;     ///< slices of the leader's domain beside it; -1 without a leader
  pod_count last = -1;            ///< slices of the last of the others, -1 if there is none
  pod_count last_if_leader = -1;  ///< of that one, beside a leader
};

/// \complexity O(items log items); orders the items
[[nodiscard]] inline greedy_use use_greedily(std::vector<fill_item>& items, pod_count needed, bool leader) {
  greedy_use use;
  if (leader) {
    sort_items(items, item_order::largest_first, true);
    if (items.empty() || !items[0].leader) return use;
    use.last_beside = items[0].units_with;
    needed -= items[0].units_with;
    ++use.domains;
  }
  sort_items(items, item_order::largest_first, false, use.domains);
  for (std::size_t i = use.domains; needed > 0 && i < items.size() && items[i].units > 0; ++i) {
    use.last = items[i].units;
    use.last_if_leader = items[i].units_with;
    needed -= items[i].units;
    ++use.domains;
  }
  use.fits = needed <= 0;
  return use;
}

/// Adds to a list of states, sorted by the pods left, those of another after one more domain was picked. Of two with as
/// many pods left the older one stays.
inline void add_states(const dividing& on, std::vector<division_space::left_over>& to,
                       const std::vector<division_space::left_over>& before, bool leader_done, tree_index domain,
                       pod_count pods) {
  auto& merged = on.space.merged_left_overs;
  merged.clear();
  std::size_t old = 0;
  for (const division_space::left_over& state : before) {
    if (leader_done && state.pods <= 0) continue;  // it needs no more
    const pod_count left = state.pods - pods;
    while (old < to.size() && to[old].pods < left) merged.push_back(to[old++]);
    if (old < to.size() && to[old].pods == left) continue;
    merged.push_back({left, static_cast<std::uint32_t>(on.space.picks.size())});
    on.space.picks.push_back({domain, state.last});
  }
  while (old < to.size()) merged.push_back(to[old++]);
  to.assign(merged.begin(), merged.end());
}

/// Keeps of the items the `count` that hold the pods and the leader with the least left over; false if there are none
/// such, or the budget ends.
/// \param steps spent so far \complexity O(items x count x states)
[[nodiscard]] inline bool pick_domains(const dividing& on, std::vector<fill_item>& items, std::size_t count,
                                       std::uint64_t& steps) {
  auto& picks = on.space.picks;
  auto& states = on.space.left_overs;  // [2 x picked + leader left]
  picks.clear();
  if (states.size() < 2 * (count + 1)) states.resize(2 * (count + 1));
  for (auto& each : states) each.clear();
  states[on.wish.leader ? 1 : 0].push_back({on.wish.pods, 0});
  sort_items(items, item_order::along_tree);
  for (const fill_item& item : items)
    for (std::size_t i = count; i > 0; --i)
      for (const std::size_t leaders : {std::size_t{0}, std::size_t{1}}) {
        auto& to = states[2 * i + leaders];
        const auto& before = states[2 * (i - 1) + leaders];
        if (item.units > 0) add_states(on, to, before, leaders == 0, item.domain, item.pods);
        if (leaders == 0 && item.leader) add_states(on, to, states[2 * i - 1], false, item.domain, item.pods_with);
        steps += to.size() + 1;
        if (steps > on.wish.budget) return false;
      }
  const auto& ends = states[2 * count];
  std::size_t best = ends.size();
  while (best > 0 && ends[best - 1].pods > 0) --best;
  if (best == 0) return false;
  std::size_t kept = 0;
  std::uint32_t at = ends[best - 1].last;
  for (std::size_t i = count; i > 0; --i, at = picks[at].before) {
    std::size_t found = kept;
    while (items[found].domain != picks[at].domain) ++found;
    std::swap(items[kept++], items[found]);
  }
  items.resize(kept);
  return true;
}

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
