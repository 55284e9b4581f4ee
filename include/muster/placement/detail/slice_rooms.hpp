// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_SLICE_ROOMS_HPP
#define MUSTER_PLACEMENT_DETAIL_SLICE_ROOMS_HPP

/// \file
/// What every domain of a tree has room for under the slice layers of a wish.
///
/// Pods are summed up from the leaves. Below the level of the first layer a child gives only whole multiples of what
/// its parent hands out (the size of the next layer below the parent, or 1). At that level the pods become slices,
/// above it slices are summed up. A leader costs a domain the least that it costs one of its children that can host it.
/// \see Kueue, the counts of domains

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/division.hpp>
#include <muster/placement/division_space.hpp>
#include <muster/placement/domain_tree.hpp>

#include <algorithm>
#include <cstdint>

namespace muster::inline MUSTER_ABI::placement_detail {

/// One question to `divide`, and its memory.
struct dividing {
  using room = division_space::room;
  using item = division_space::item;

  const domain_tree& tree;
  const division_wish& wish;
  division_space& space;

  [[nodiscard]] pod_count slice() const noexcept { return wish.layers.empty() ? 1 : wish.layers.front().pods; }
  [[nodiscard]] pod_count slices() const noexcept { return wish.pods / slice(); }
  /// Pods that a domain of this depth is filled with at once, and that one of this depth hands out at once.
  [[nodiscard]] pod_count unit(std::uint32_t depth) const noexcept {
    for (const slice_layer& layer : wish.layers)
      if (tree.depth(layer.level) >= depth) return layer.pods;
    return 1;
  }
  [[nodiscard]] pod_count handed_out(std::uint32_t depth) const noexcept { return unit(depth + 1); }
  /// Whether a domain of this depth hands out slices, not parts of one.
  [[nodiscard]] bool above_slices(std::uint32_t depth) const noexcept {
    return wish.layers.empty() || depth < tree.depth(wish.layers.front().level);
  }
  /// Whether all of `pods` in whole slices fit in a domain, with the leader if there is one.
  [[nodiscard]] bool holds_all(tree_index at) const noexcept {
    const room& here = space.rooms[at];
    if (wish.leader && !here.leader) return false;
    if (wish.layers.empty() || tree.depth(at) <= tree.depth(wish.layers.front().level))
      return (wish.leader ? here.slices_with : here.slices) >= slices();
    return (wish.leader ? here.pods_with : here.pods) >= wish.pods;
  }

  /// Whether a domain is in no domain of a layer that its parent is coarser than.
  [[nodiscard]] bool skips_layer(tree_index at) const noexcept {
    const tree_domain& here = tree[at];
    if (here.parent == no_tree_index) return false;
    return std::any_of(wish.layers.begin(), wish.layers.end(), [&](const slice_layer& layer) {
      const std::uint32_t depth = tree.depth(layer.level);
      return tree.depth(here.parent) < depth && tree.depth(at) >= depth && here.level != layer.level;
    });
  }

  void count_slices(room& here, tree_index at) const noexcept {
    if (!wish.layers.empty() && tree[at].level != wish.layers.front().level) return;
    here.slices = here.pods / slice();
    here.slices_with = here.pods_with / slice();
  }

  /// Sums up the children of a domain. \complexity O(children)
  void sum_room(tree_index at) const noexcept {
    const bool whole = above_slices(tree.depth(at));
    const pod_count each = whole ? 1 : handed_out(tree.depth(at));
    room sum;
    pod_count pods_lost = 0, slices_lost = 0;
    for (tree_index c = tree[at].first_child; c < tree[at].last_child; ++c) {
      const room& child = space.rooms[c];
      const pod_count pods = child.pods / each * each;
      sum.pods = saturating_add(sum.pods, pods);
      sum.slices = saturating_add(sum.slices, child.slices);
      if (!child.leader) continue;
      const pod_count lost = pods - child.pods_with / each * each, lost_slices = child.slices - child.slices_with;
      pods_lost = sum.leader ? std::min(pods_lost, lost) : lost;
      slices_lost = sum.leader ? std::min(slices_lost, lost_slices) : lost_slices;
      sum.leader = true;
    }
    if (sum.leader) {
      sum.pods_with = sum.pods - pods_lost;
      sum.slices_with = sum.slices - slices_lost;
    }
    if (!whole || wish.layers.empty()) count_slices(sum, at);
    space.rooms[at] = sum;
  }

  /// The rooms of all domains. \complexity O(d x layers)
  void find_rooms() const {
    auto& rooms = space.rooms;
    rooms.assign(tree.size(), room{});
    constexpr pod_count barred = -1;  // of the pods: in no domain of some layer, or below one that is in none
    constexpr pod_count outside = -2;  // not within the domain asked for
    for (tree_index at = 0; at < tree.size(); ++at) {
      const tree_index parent = tree[at].parent;
      const pod_count above = parent == no_tree_index ? outside : rooms[parent].pods;
      rooms[at].pods = at == wish.within ? 0 : above;
      if (rooms[at].pods != outside && skips_layer(at)) rooms[at].pods = barred;
    }
    for (tree_index at = tree.size(); at-- > 0;) {
      if (!tree[at].is_leaf()) {
        sum_room(at);
        continue;
      }
      room& here = rooms[at];
      const pod_count mark = here.pods;
      here = {};
      here.leader = mark != outside && wish.leader && tree[at].leader;
      if (mark >= 0) {
        here.pods = tree[at].slots;
        if (here.leader) here.pods_with = tree[at].slots_with_leader;
      }
      count_slices(here, at);
    }
  }

  /// A domain as one that may take slices, or parts of `each` pods.
  [[nodiscard]] item slices_item(tree_index at) const noexcept {
    const room& here = space.rooms[at];
    return {at, here.slices, here.slices_with, here.pods, here.pods_with, here.leader, 0, false};
  }
  [[nodiscard]] item parts_item(tree_index at, pod_count each) const noexcept {
    const room& here = space.rooms[at];
    return {at, here.pods / each, here.pods_with / each, here.pods, here.pods_with, here.leader, 0, false};
  }
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
