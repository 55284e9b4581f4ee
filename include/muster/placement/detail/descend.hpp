// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_DESCEND_HPP
#define MUSTER_PLACEMENT_DETAIL_DESCEND_HPP

/// \file
/// From chosen domains down to the leaves, and from the shares of leaves to the answer.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/detail/fill_items.hpp>
#include <muster/placement/detail/slice_rooms.hpp>
#include <muster/placement/division.hpp>
#include <muster/placement/division_space.hpp>
#include <muster/placement/domain_tree.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

/// What the items took, as shares in pods of `each` a unit.
inline void take_shares(const std::vector<fill_item>& items, pod_count each, std::vector<domain_share>& to) {
  for (const fill_item& one : items)
    if (one.taken > 0 || one.takes_leader) to.push_back({one.domain, one.taken * each, one.takes_leader});
}

/// Level by level spreads all slices anew over the children of the domains that got some, all of them together, down
/// to the level of the first layer. A domain without children stays among those that may take some.
/// \pre `open` holds what was chosen, slices that add up to the wish \complexity O(d log d)
inline void descend_together(const dividing& on, item_order order) {
  std::vector<domain_share>& open = on.space.open;
  std::vector<fill_item>& items = on.space.items;
  for (std::uint32_t depth = 0; depth < on.tree.leaf_depth; ++depth) {
    if (!on.above_slices(depth)) return;
    items.clear();
    bool expanded = false;
    for (const domain_share& share : open) {
      const tree_domain& here = on.tree[share.domain];
      if (on.tree.depth(share.domain) == depth && !here.is_leaf()) {
        expanded = true;
        for (tree_index c = here.first_child; c < here.last_child; ++c) items.push_back(on.slices_item(c));
      } else {
        items.push_back(on.slices_item(share.domain));
      }
    }
    if (!expanded) continue;
    const unfilled left = fill_items(items, on.slices(), on.wish.leader, order, item_choice::chosen);
    MUSTER_ASSERT(left.none());
    static_cast<void>(left);
    open.clear();
    take_shares(items, on.slice(), open);
  }
}

/// Spreads what each domain got over its own children, and so on to the leaves, in whole parts of slices.
/// \pre `open` holds what was chosen \complexity O(d log d)
inline void descend_inside(const dividing& on, item_order order) {
  std::vector<domain_share>& open = on.space.open;
  std::vector<fill_item>& items = on.space.items;
  on.space.done.clear();
  while (!open.empty()) {
    const domain_share share = open.back();
    open.pop_back();
    const tree_domain& here = on.tree[share.domain];
    if (here.is_leaf()) {
      on.space.done.push_back(share);
      continue;
    }
    const std::uint32_t depth = on.tree.depth(share.domain);
    const bool whole = on.above_slices(depth);
    const pod_count each = whole ? on.slice() : on.handed_out(depth);
    items.clear();
    for (tree_index c = here.first_child; c < here.last_child; ++c)
      items.push_back(whole ? on.slices_item(c) : on.parts_item(c, each));
    const unfilled left = fill_items(items, share.pods / each, share.leader, order, item_choice::chosen);
    MUSTER_ASSERT(left.none());
    static_cast<void>(left);
    take_shares(items, each, open);
  }
}

/// Pods of every domain, the leader too, from the shares of leaves. \complexity O(d)
inline void add_up_shares(const dividing& on, const std::vector<domain_share>& shares) {
  auto& taken = on.space.taken;
  taken.assign(on.tree.size(), 0);
  for (const domain_share& share : shares) taken[share.domain] = share.pods + (share.leader ? 1 : 0);
  for (tree_index at = on.tree.size(); at-- > 1;) taken[on.tree[at].parent] += taken[at];
}

/// Sum over all pairs of pods of the height of their lowest common domain. \pre add_up_shares
[[nodiscard]] inline std::int64_t distance_of(const dividing& on) noexcept {
  const auto& taken = on.space.taken;
  std::int64_t sum = 0;
  for (tree_index at = 0; at < on.tree.size(); ++at) {
    std::int64_t apart = taken[at] > 1 && !on.tree[at].is_leaf() ? pairs_of(taken[at]) : 0;
    if (apart == 0) continue;
    for (tree_index c = on.tree[at].first_child; c < on.tree[at].last_child; ++c) apart -= pairs_of(taken[c]);
    sum = saturating_add(sum, saturating_multiply(apart, on.tree.height(at)));
  }
  return sum;
}

/// Appends shares in the order of leaves along the tree: each domain's in a row. \complexity O(d)
inline void order_along_tree(const dividing& on, const std::vector<domain_share>& shares,
                             std::vector<domain_share>& to) {
  constexpr std::uint32_t none = ~std::uint32_t{0};
  auto& first = on.space.below;  // leaves below a domain, then how many leaves stand before it
  first.assign(on.tree.size(), 0);
  for (tree_index at = on.tree.size(); at-- > 0;) {
    if (on.tree[at].is_leaf()) first[at] = 1;
    if (at > 0) first[on.tree[at].parent] += first[at];
  }
  first[0] = 0;
  for (tree_index at = 0; at < on.tree.size(); ++at) {
    tree_index before = first[at];
    for (tree_index c = on.tree[at].first_child; c < on.tree[at].last_child; ++c)
      before += std::exchange(first[c], before);
  }
  auto& share_of = on.space.share_of;  // by the leaf's place along the tree
  share_of.assign(on.tree.size(), none);
  for (std::uint32_t i = 0; i < shares.size(); ++i) share_of[first[shares[i].domain]] = i;
  for (const std::uint32_t i : share_of)
    if (i != none) to.push_back(shares[i]);
}

/// Fills the answer from the shares in `done`.
inline void conclude(const dividing& on) {
  division& answer = on.space.answer;
  order_along_tree(on, on.space.done, answer.shares);
  add_up_shares(on, answer.shares);
  answer.distance = distance_of(on);
  answer.domains = 0;
  const auto& taken = on.space.taken;
  for (tree_index at = 0; at < on.tree.size(); ++at) {
    if (taken[at] == 0) continue;
    if (taken[at] == taken[0]) answer.shared = at;  // each such one lies within the one before
    if (on.tree.cuts(at, on.wish.level)) ++answer.domains;
  }
}

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
