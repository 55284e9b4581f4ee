// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PREEMPTION_DISRUPTION_BUDGET_HPP
#define MUSTER_PREEMPTION_DISRUPTION_BUDGET_HPP

/// \file
/// Disruption budgets: how many pods of a set may be evicted, and which units would break one.
///
/// Which pods a budget covers is the host's to say (namespaces, selectors). Units are classed in the order of
/// importance with a working copy of what budgets allow: every pod of a unit takes one from each budget that covers it
/// and does not list it as disrupted already; the first budget that thereby falls below zero makes the pod violating,
/// and later budgets of this pod are not looked at. A unit violates if one of its pods does.
///
/// What a unit took is not given back when it is spared later, and important units take first: so the *less* important
/// ones tend to be classed as violating, and are then the first to be spared. That is Kubernetes' rule, kept as it is.
/// \see Kubernetes 1.37, section 7.4

#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace muster::inline MUSTER_ABI {

struct disruption_budget {
  std::int64_t allowed = 0;
  std::vector<pod_id> covers{};     ///< ascending
  std::vector<pod_id> disrupted{};  ///< ascending: pods that neither take from it nor violate it

  /// Whether evicting the pod takes from it. \complexity O(log pods)
  [[nodiscard]] bool counts(pod_id pod) const noexcept {
    return std::binary_search(covers.begin(), covers.end(), pod) &&
           !std::binary_search(disrupted.begin(), disrupted.end(), pod);
  }
};

}  // namespace muster::inline MUSTER_ABI

#endif
