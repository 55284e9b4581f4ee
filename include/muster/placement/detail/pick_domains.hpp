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
#include <muster/placement/division.hpp>
#include <muster/placement/domain_tree.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
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
    sort_items_for_leader(items, item_order::largest_first);
    if (items.empty() || !items[0].leader) return use;
    use.last_beside = items[0].units_with;
    needed -= items[0].units_with;
    ++use.domains;
  }
  sort_items(items, use.domains, item_order::largest_first);
  for (std::size_t i = use.domains; needed > 0 && i < items.size() && items[i].units > 0; ++i) {
    use.last = items[i].units;
    use.last_if_leader = items[i].units_with;
    needed -= items[i].units;
    ++use.domains;
  }
  use.fits = needed <= 0;
  return use;
}

/// Keeps of the items the `count` that hold the pods and the leader with the least left over, in tree order; false if
/// there are none such, or the budget ends.
/// \param steps spent so far \complexity O(items x count x states log states)
[[nodiscard]] inline bool pick_domains(const dividing& on, std::vector<fill_item>& items, std::size_t count,
                                       std::uint64_t& steps) {
  auto& picks = on.space.picks;
  auto& states = on.space.left_overs;  // [picked x 2 + leader left], each sorted by the pods left
  picks.clear();
  if (states.size() < 2 * (count + 1)) states.resize(2 * (count + 1));
  for (auto& each : states) each.clear();
  states[on.wish.leader ? 1 : 0].push_back({on.wish.pods, 0});
  std::sort(items.begin(), items.end(), [](const fill_item& a, const fill_item& b) { return a.domain < b.domain; });
  for (const fill_item& item : items)
    for (std::size_t i = count; i > 0; --i)
      for (const std::size_t leaders : {std::size_t{0}, std::size_t{1}}) {
        auto& to = states[2 * i + leaders];
        const auto add = [&](std::size_t leaders_before, pod_count pods) {
          for (const auto& before : states[2 * (i - 1) + leaders_before]) {
            if (leaders_before == 0 && before.pods <= 0) continue;
            to.push_back({before.pods - pods, static_cast<std::uint32_t>(picks.size())});
            picks.push_back({item.domain, before.last});
          }
        };
        if (item.units > 0) add(leaders, item.pods);
        if (leaders == 0 && item.leader) add(1, item.pods_with);
        steps += to.size();
        if (steps > on.wish.budget) return false;
        std::sort(to.begin(), to.end(), [](const auto& a, const auto& b) {
          return a.pods != b.pods ? a.pods < b.pods : a.last < b.last;
        });
        to.erase(std::unique(to.begin(), to.end(), [](const auto& a, const auto& b) { return a.pods == b.pods; }),
                 to.end());
      }
  const auto& ends = states[2 * count];
  auto best = std::find_if(ends.rbegin(), ends.rend(), [](const auto& each) { return each.pods <= 0; });
  if (best == ends.rend()) return false;
  std::size_t kept = 0;
  std::uint32_t at = best->last;
  for (std::size_t i = count; i > 0; --i, at = picks[at].before) {
    const auto found = std::find_if(items.begin(), items.end(),
                                    [&](const fill_item& one) { return one.domain == picks[at].domain; });
    std::swap(items[kept++], *found);
  }
  items.resize(kept);
  return true;
}

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
