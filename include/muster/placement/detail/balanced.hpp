// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_BALANCED_HPP
#define MUSTER_PLACEMENT_DETAIL_BALANCED_HPP

/// \file
/// Kueue's balanced placement: near-equal shares on as few domains as may be.
///
/// For every set of siblings, the domains of the preferred level below one domain, the domains one level further down
/// (of the slices' level none) are taken largest first until they hold all slices. The *threshold* is the share that
/// each of them then gets at least: the slices by their number, or what the last of them holds if that is less. The set
/// with the largest threshold is chosen, of equal ones that with the fewest domains; what lies below the threshold is
/// left out. Of its domains, then of those below them, exactly as many as are needed are picked, with the least left
/// over. Each gets the threshold, and in order of size what it can take of the rest; below, each spreads its own.
///
/// Where no set holds all, or the pick fails or exceeds the budget, best fit decides.
/// \see Kueue: TASBalancedPlacement (alpha). Of equal picks it takes the first by an order of its own; here tree order

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/detail/best_fit.hpp>
#include <muster/placement/detail/descend.hpp>
#include <muster/placement/detail/fill_items.hpp>
#include <muster/placement/detail/pick_domains.hpp>
#include <muster/placement/detail/slice_rooms.hpp>
#include <muster/placement/division_space.hpp>
#include <muster/placement/domain_tree.hpp>

#include <algorithm>
#include <cstddef>

namespace muster::inline MUSTER_ABI::placement_detail {

/// Domains first .. last-1 of the level, which have one parent.
struct siblings {
  tree_index first = 0, last = 0;
};

class balancing {
 public:
  explicit balancing(const dividing& on) noexcept
      : on_{on},
        looks_below_{on.tree.depth(on.wish.level) <
                     (on.wish.layers.empty() ? on.tree.leaf_depth : on.tree.depth(on.wish.layers.front().level))} {}

  /// Chooses domains and what they get, into `open`; false if best fit is to decide, the rooms as before.
  [[nodiscard]] bool choose() {
    on_.space.kept_rooms = on_.space.rooms;
    for (tree_index at = 0; at < on_.tree.size(); ++at) {
      if (on_.tree[at].level != on_.wish.level) continue;
      siblings set{at, at + 1};
      while (set.last < on_.tree.size() && on_.tree[set.last].level == on_.wish.level &&
             on_.tree[set.last].parent == on_.tree[at].parent)
        ++set.last;
      consider(set);
      at = set.last - 1;
    }
    if (threshold_ > 0) {
      prune(best_, threshold_);
      if (give()) return true;
    }
    on_.space.rooms = on_.space.kept_rooms;
    return false;
  }

 private:
  using room = division_space::room;

  void list(siblings set, bool below) const {
    on_.space.items.clear();
    for (tree_index at = set.first; at < set.last; ++at) {
      if (!below) on_.space.items.push_back(on_.slices_item(at));
      for (tree_index c = on_.tree[at].first_child; below && c < on_.tree[at].last_child; ++c)
        on_.space.items.push_back(on_.slices_item(c));
    }
  }

  void consider(siblings set) {
    list(set, looks_below_);
    const greedy_use use = use_greedily(on_.space.items, on_.slices(), on_.wish.leader);
    if (!use.fits || use.domains == 0) return;
    pod_count threshold = on_.slices() / static_cast<pod_count>(use.domains);
    if (use.last_beside >= 0) threshold = std::min(threshold, use.last_beside);
    if (use.last >= 0) threshold = std::min(threshold, use.last);
    // where what is left out then lacks room, once more with a share that the last one can also take beside the leader
    const pod_count lower = on_.wish.leader && use.last >= 0 ? std::min(threshold, use.last_if_leader) : threshold;
    if (threshold <= 0 || threshold < threshold_) return;
    std::size_t domains = domains_after_pruning(set, threshold);
    if (domains == 0 && lower < threshold && lower > 0 && lower >= threshold_) {
      threshold = lower;
      domains = domains_after_pruning(set, threshold);
    }
    if (domains == 0 || (threshold == threshold_ && domains >= domains_)) return;
    threshold_ = threshold;
    domains_ = domains;
    best_ = set;
  }

  /// How many domains of the level the gang then needs; 0 if they do not hold it. Leaves the rooms as they were.
  [[nodiscard]] std::size_t domains_after_pruning(siblings set, pod_count threshold) const {
    prune(set, threshold);
    list(set, false);
    const greedy_use use = use_greedily(on_.space.items, on_.slices(), on_.wish.leader);
    for (tree_index at = set.first; at < set.last; ++at) {
      on_.space.rooms[at] = on_.space.kept_rooms[at];
      for (tree_index c = on_.tree[at].first_child; c < on_.tree[at].last_child; ++c)
        on_.space.rooms[c] = on_.space.kept_rooms[c];
    }
    return use.fits ? use.domains : 0;
  }

  /// What holds less than the threshold holds nothing; what does so beside a leader hosts none.
  void prune(siblings set, pod_count threshold) const {
    const auto prune_one = [&](tree_index at) {
      room& here = on_.space.rooms[at];
      if (here.slices < threshold) {
        here = {};
      } else if (here.slices_with < threshold) {
        here.leader = false;
        here.pods_with = here.slices_with = 0;
      }
    };
    for (tree_index at = set.first; at < set.last; ++at) {
      if (looks_below_ && !on_.tree[at].is_leaf()) {
        for (tree_index c = on_.tree[at].first_child; c < on_.tree[at].last_child; ++c) prune_one(c);
        on_.sum_room(at);
      }
      prune_one(at);
    }
  }

  /// Picks as many of the items as the gang needs.
  [[nodiscard]] bool pick() const {
    auto& items = on_.space.items;
    const greedy_use use = use_greedily(items, on_.slices(), on_.wish.leader);
    return use.fits && pick_domains(on_, items, use.domains, on_.space.answer.steps);
  }

  [[nodiscard]] bool give() const {
    auto& items = on_.space.items;
    list(best_, false);
    if (looks_below_) {
      if (!pick()) return false;
      on_.space.below.clear();
      for (const fill_item& one : items) on_.space.below.push_back(one.domain);
      items.clear();
      for (const tree_index at : on_.space.below)
        for (tree_index c = on_.tree[at].first_child; c < on_.tree[at].last_child; ++c)
          items.push_back(on_.slices_item(c));
    }
    if (!pick()) return false;
    pod_count extra = on_.slices() - threshold_ * static_cast<pod_count>(items.size());
    if (extra < 0) return false;
    sort_items(items, item_order::largest_first, on_.wish.leader);
    bool leader = on_.wish.leader;
    for (fill_item& one : items) {
      const pod_count more = std::min(extra, (leader ? one.units_with : one.units) - threshold_);
      if (more < 0 || (leader && !one.leader)) return false;
      one.taken = threshold_ + more;
      one.takes_leader = leader;
      extra -= more;
      leader = false;
    }
    if (extra > 0 || leader) return false;
    on_.space.open.clear();
    take_shares(items, on_.slice(), on_.space.open);
    return true;
  }

  const dividing& on_;
  bool looks_below_;
  siblings best_{};
  pod_count threshold_ = 0;
  std::size_t domains_ = 0;
};

inline void divide_balanced(const dividing& on) {
  balancing search{on};
  if (!search.choose()) {
    divide_by_fit(on, item_order::largest_first);
    return;
  }
  descend_inside(on, item_order::largest_first);
  conclude(on);
}

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
