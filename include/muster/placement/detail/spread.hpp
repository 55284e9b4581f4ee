// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_SPREAD_HPP
#define MUSTER_PLACEMENT_DETAIL_SPREAD_HPP

/// \file
/// Counts pods of one group per domain against its spread limits.
///
/// Limited levels nest (validation sees to it), so the sets of pods that respect all limits are the independent sets
/// of a laminar matroid: adding pods in any order until none can be added reaches the same, largest number. That is
/// why one pass over the nodes is exact for alike pods.
///
/// That a node holds no more than max_pods_per_node pods is one more limit of the finest level, which every group has.
/// It is looked at only where the pods of the question could come near it on some node.

#include <muster/cluster/overlay.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/patch_map.hpp>
#include <muster/placement/certificate.hpp>
#include <muster/placement/detail/demand.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

template <resource_model M>
class spread {
 public:
  /// What a node may still hold is what it may in this view and tense, until the next call.
  template <capacity_view View>
  void look_at(const View& view, tense when) noexcept {
    on_ = nullptr;
    if constexpr (std::same_as<View, overlay<M>>) on_ = &view;
    view_ = &view.base();
    when_ = when;
    sure_ = when == tense::now || when == tense::later ? view.least_pods_left() : max_pods_per_node;
  }

  /// Starts from the pods that run already. \pre look_at was called with the view or an overlay on it
  void reset(const snapshot<M>& view, const demand<M>& of) {
    view_ = &view;
    limits_ = &of.group->limits;
    crowded_ = of.pending > sure_;
    slots_.clear();
    if (counts_.size() < limits_->size()) counts_.resize(limits_->size());
    for (auto& counts : counts_) counts.clear();
    if (limits_->empty()) return;
    for (const held_pods& held : of.held) add_to_limits(held.position, held.count);
  }
  [[nodiscard]] bool unlimited() const noexcept { return limits_->empty() && !crowded_; }

  /// How many more pods of the group the node may take, at most `wanted`.
  [[nodiscard]] pod_count room(std::uint32_t position, pod_count wanted) const noexcept {
    if (crowded_) wanted = std::min(wanted, slots_left(position));
    for (std::size_t i = 0; i < limits_->size(); ++i) {
      const std::uint32_t key = key_of((*limits_)[i], position);
      if (key == no_domain) continue;
      const pod_count* used = counts_[i].find(key);
      wanted = std::min(wanted, (*limits_)[i].count - (used != nullptr ? *used : 0));
    }
    return std::max<pod_count>(wanted, 0);
  }

  /// The same under the limits of a level and of coarser ones only: room in the whole domain of the node.
  [[nodiscard]] pod_count room_from(std::size_t level, std::uint32_t position, pod_count wanted) const noexcept {
    for (std::size_t i = 0; i < limits_->size(); ++i) {
      const spread_limit& limit = (*limits_)[i];
      if (limit.level == node_level || static_cast<std::size_t>(limit.level) > level) continue;
      const std::uint32_t key = key_of(limit, position);
      const pod_count* used = key == no_domain ? nullptr : counts_[i].find(key);
      if (key != no_domain) wanted = std::min(wanted, limit.count - (used != nullptr ? *used : 0));
    }
    return std::max<pod_count>(wanted, 0);
  }

  void add(std::uint32_t position, pod_count pods) {
    if (crowded_) slots_.at(position, slots_left(position)) -= pods;
    add_to_limits(position, pods);
  }

 private:
  void add_to_limits(std::uint32_t position, pod_count pods) {
    for (std::size_t i = 0; i < limits_->size(); ++i)
      if (const std::uint32_t key = key_of((*limits_)[i], position); key != no_domain) counts_[i].at(key, 0) += pods;
  }

  /// Pods the node may still hold, those added here taken off. A node is read before the question takes anything there.
  [[nodiscard]] pod_count slots_left(std::uint32_t position) const noexcept {
    if (const pod_count* left = slots_.find(position)) return *left;
    switch (when_) {
      case tense::now: return on_ != nullptr ? on_->pods_left(position) : view_->pods_left(position);
      case tense::later: return on_ != nullptr ? on_->pods_left_later(position) : view_->pods_left_later(position);
      case tense::empty_open:
      case tense::empty_all: break;
    }
    return max_pods_per_node;
  }

  [[nodiscard]] std::uint32_t key_of(const spread_limit& limit, std::uint32_t position) const noexcept {
    if (limit.level == node_level) return position;
    return view_->domain_of(position, static_cast<std::size_t>(limit.level));
  }

  const snapshot<M>* view_ = nullptr;
  const overlay<M>* on_ = nullptr;  ///< nullptr: the snapshot itself is asked
  tense when_ = tense::now;
  pod_count sure_ = 0;       ///< every node may hold so many more
  bool crowded_ = false;     ///< the pods of the question are more than that
  patch_map<pod_count> slots_;
  const short_list<spread_limit, 1>* limits_ = nullptr;
  std::vector<patch_map<pod_count>> counts_;
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
