// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_ELIGIBILITY_HPP
#define MUSTER_PLACEMENT_ELIGIBILITY_HPP

/// \file
/// Who may use which nodes: the host's static filter, asked once per (pod set x node kind).
///
/// A filter is a const function object (group, pod set index, kind) to a reason code, 0 for "may". It covers what is
/// static: taints, labels, affinity, OS, driver, dedication. What is countable is a dimension of the resource model;
/// that is what keeps answers exact. The filter must answer alike for alike arguments during one call.

#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/placement/answer.hpp>
#include <muster/workload/pod_group.hpp>

#include <concepts>
#include <cstddef>

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

}  // namespace muster::inline MUSTER_ABI

#endif
