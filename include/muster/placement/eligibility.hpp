// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_ELIGIBILITY_HPP
#define MUSTER_PLACEMENT_ELIGIBILITY_HPP

/// \file
/// Who may use which nodes: the host's static filter, asked once per (pod set x node kind).
///
/// A filter is a const function object (group, pod set index, kind) to a reason code, 0 for "may". It covers what is
/// static: taints, labels, affinity, OS, driver, dedication. What is countable is a dimension of the resource model;
/// that is what keeps answers exact. The filter must answer alike for alike arguments during one call.
///
/// A filter may also keep to nodes of its own choice, `inside`: that is how a gang is tried on one of several placement
/// candidates (placement/candidates.hpp). It goes wherever a filter goes, so what is refused there is proved there, and
/// `verify` and `explain` speak of those nodes alone.

#include <muster/cluster/domains.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/placement/answer.hpp>
#include <muster/workload/pod_group.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

namespace muster::inline MUSTER_ABI {

template <class F, class M>
concept node_filter = requires(const F& filter, const pod_group<M>& group, std::size_t pod_set, kind_id kind) {
  { filter(group, pod_set, kind) } -> std::convertible_to<reason_code>;
};

/// Every pod may use every node.
struct everywhere {
  template <class M>
  [[nodiscard]] constexpr reason_code operator()(const pod_group<M>&, std::size_t, kind_id) const noexcept {
    return eligible_node;
  }
};

/// Whether a filter may keep a pod set from a node: every one but `everywhere`, which need not be asked.
template <class F>
inline constexpr bool may_exclude = !std::same_as<F, everywhere>;

/// Keeps every pod set to some nodes, and among those to what another filter allows.
template <class Filter = everywhere>
struct inside {
  std::span<const run> where;  ///< positions of the view that is asked, ascending, no two runs overlap
  Filter filter{};

  template <class M>
    requires node_filter<Filter, M>
  [[nodiscard]] reason_code operator()(const pod_group<M>& group, std::size_t pod_set, kind_id kind) const {
    return filter(group, pod_set, kind);
  }
  [[nodiscard]] std::span<const run> nodes() const noexcept { return where; }
};

/// A filter that keeps to `nodes()`: as `inside` does, or a host's own.
template <class F>
concept confining_filter = requires(const F& filter) {
  { filter.nodes() } -> std::convertible_to<std::span<const run>>;
};

/// Whether a filter keeps to nodes among which a position is not. \complexity O(log runs)
template <class F>
[[nodiscard]] constexpr bool is_outside(const F& filter, std::uint32_t position) {
  if constexpr (!confining_filter<F>) return false;
  else return !hold(filter.nodes(), position);
}

}  // namespace muster::inline MUSTER_ABI

#endif
