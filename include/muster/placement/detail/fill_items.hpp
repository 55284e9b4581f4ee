// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_FILL_ITEMS_HPP
#define MUSTER_PLACEMENT_DETAIL_FILL_ITEMS_HPP

/// \file
/// Spreads a number of slices over some domains: largest first and the last one the smallest that suffices, or the
/// smallest ones first.
///
/// Order: slices (most first, or fewest first), then the fewest pods, then tree order. A leader goes to the first
/// domain in order that can host it and leaves room enough in all of them together; among domains that were not chosen
/// yet (`fresh`) those that can host it come first and are compared by what they hold beside it.
/// \see Kueue: best fit and least free capacity

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/division_space.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

using fill_item = division_space::item;

/// Whether there is still to choose which domains are used, or they lie within those that were chosen.
enum class item_choice : bool { fresh, chosen };
enum class item_order : std::uint8_t { largest_first, least_first, along_tree };

/// What could not be spread.
struct unfilled {
  pod_count units = 0;
  bool leader = false;
  [[nodiscard]] bool none() const noexcept { return units == 0 && !leader; }
};

/// The order of domains; `beside_leader` as ones that may host it.
struct item_before {
  item_order order;
  bool beside_leader;

  [[nodiscard]] bool operator()(const fill_item& a, const fill_item& b) const noexcept {
    if (order == item_order::along_tree) return a.domain < b.domain;
    if (beside_leader && a.leader != b.leader) return a.leader;
    const pod_count units_a = beside_leader ? a.units_with : a.units, units_b = beside_leader ? b.units_with : b.units;
    if (units_a != units_b) return order == item_order::largest_first ? units_a > units_b : units_a < units_b;
    const pod_count pods_a = beside_leader ? a.pods_with : a.pods, pods_b = beside_leader ? b.pods_with : b.pods;
    return pods_a != pods_b ? pods_a < pods_b : a.domain < b.domain;
  }
};

inline void sort_items(std::vector<fill_item>& items, item_order order, bool beside_leader = false,
                       std::size_t from = 0) {
  std::sort(items.begin() + static_cast<std::ptrdiff_t>(from), items.end(), item_before{order, beside_leader});
}

/// The first of the smallest that hold `needed`, with the leader if it is asked for; `end` if none does.
[[nodiscard]] inline std::size_t smallest_that_holds(const std::vector<fill_item>& items, std::size_t from,
                                                     pod_count needed, bool leader) noexcept {
  std::size_t best = items.size();
  const auto room = [leader](const fill_item& one) { return leader ? one.units_with : one.units; };
  for (std::size_t i = from; i < items.size(); ++i)
    if ((!leader || items[i].leader) && room(items[i]) >= needed &&
        (best == items.size() || room(items[i]) < room(items[best])))
      best = i;
  return best;
}

/// Puts the domain that gets the leader in front, and says what could not be spread then.
[[nodiscard]] inline unfilled bring_leader_to_front(std::vector<fill_item>& items, pod_count needed) {
  pod_count all = 0;
  for (const fill_item& one : items) all = saturating_add(all, one.units);
  unfilled left{std::max<pod_count>(0, needed - all), true};
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!items[i].leader) continue;
    const pod_count beside = all - (items[i].units - items[i].units_with);
    left.units = left.leader ? std::max<pod_count>(0, needed - beside) : std::min(left.units, needed - beside);
    left.leader = false;
    if (beside < needed) continue;
    std::rotate(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(i),
                items.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    return {};
  }
  return left;
}

/// Spreads `needed` units and the leader over the items; each then says what it takes.
/// \complexity O(items log items)
[[nodiscard]] inline unfilled fill_items(std::vector<fill_item>& items, pod_count needed, bool leader, item_order order,
                                         item_choice choice) {
  sort_items(items, order, leader && choice == item_choice::fresh);
  std::size_t next = 0;
  if (leader) {
    if (const unfilled left = bring_leader_to_front(items, needed); !left.none()) return left;
    if (order == item_order::largest_first && items[0].units_with >= needed)
      std::swap(items[0], items[smallest_that_holds(items, 0, needed, true)]);
    items[0].takes_leader = true;
    items[0].taken = std::min(needed, items[0].units_with);
    needed -= items[0].taken;
    next = 1;
    if (choice == item_choice::fresh) sort_items(items, order, false, next);
  }
  for (; needed > 0 && next < items.size(); ++next) {
    if (order == item_order::largest_first && items[next].units >= needed)
      std::swap(items[next], items[smallest_that_holds(items, next, needed, false)]);
    items[next].taken = std::min(needed, items[next].units);
    needed -= items[next].taken;
  }
  return {needed, false};
}

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
