// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PREEMPTION_CLASS_VIOLATIONS_HPP
#define MUSTER_PREEMPTION_CLASS_VIOLATIONS_HPP

/// \file
/// Which units would break a disruption budget (disruption_budget.hpp has the rule).

#include <muster/core/config.hpp>
#include <muster/preemption/disruption_budget.hpp>
#include <muster/preemption/victim_unit.hpp>
#include <muster/resource/model.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace muster::inline MUSTER_ABI {

/// Pods of each unit that violate a budget, if units are classed in this order.
/// \param order indices of `of.units`, the most important first
/// \return for each unit; 0 for one that is not in the order
/// \complexity O(pods x budgets x log covered pods) \determinism a function of the arguments
/// \see Kubernetes 1.37, section 7.4
template <resource_model M>
[[nodiscard]] std::vector<std::uint32_t> class_violations(const victim_units<M>& of,
                                                          std::span<const std::uint32_t> order,
                                                          std::span<const disruption_budget> budgets) {
  std::vector<std::uint32_t> violating(of.units.size(), 0);
  if (budgets.empty()) return violating;
  std::vector<std::int64_t> left;
  for (const disruption_budget& budget : budgets) left.push_back(budget.allowed);
  for (const std::uint32_t u : order)
    for (const pod_record<M>* pod : of.pods_of(of.units[u]))
      for (std::size_t b = 0; b < budgets.size(); ++b) {
        if (!budgets[b].counts(pod->id) || --left[b] >= 0) continue;
        ++violating[u];
        break;
      }
  return violating;
}

}  // namespace muster::inline MUSTER_ABI

#endif
