// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PREEMPTION_PREEMPT_OPTIONS_HPP
#define MUSTER_PREEMPTION_PREEMPT_OPTIONS_HPP

/// \file
/// What a caller may choose of Kubernetes' preemption, and the memory it may keep between calls.
///
/// Rule, orders and filter are function objects of the caller's: how pods are seated once everybody is out, who is
/// spared first, which domain's plan is taken. The defaults are those of the page.
/// \see Kubernetes 1.37, sections 4.2, 7.3, 7.4, 7.6 and 7.8

#include <muster/cluster/overlay.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/candidates.hpp>
#include <muster/placement/eligibility.hpp>
#include <muster/placement/seat_pod_by_pod.hpp>
#include <muster/preemption/detail/preemptor.hpp>
#include <muster/preemption/disruption_budget.hpp>
#include <muster/preemption/importance.hpp>
#include <muster/preemption/list_victim_units.hpp>
#include <muster/preemption/victim_plan.hpp>
#include <muster/preemption/victim_unit.hpp>
#include <muster/resource/model.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace muster::inline MUSTER_ABI {

/// Whether a plan of one domain is better than another's: it seats more pods.
struct more_pods_seated {
  template <class Plan>
  [[nodiscard]] bool operator()(const Plan& a, const Plan& b) const noexcept {
    const auto pods = [](const Plan& plan) {
      pod_count sum = 0;
      for (const auto& one : plan.seats) sum += one.count;
      return sum;
    };
    return pods(a) > pods(b);
  }
};

/// \param Rule a seating rule that is told the filter: `rule(question, filter, seats)`
template <class Rule = seat_pod_by_pod<>, class Order = more_important, class Better = more_pods_seated,
          class May = anyone, class Filter = everywhere>
struct preempt_options {
  Rule rule{};
  std::span<const disruption_budget> budgets{};
  Order order{};    ///< of importance
  Better better{};  ///< among the plans of several domains; of equal ones the first in label order
  May may{};        ///< whether a unit of a lower priority may be evicted at all
  Filter filter{};
  std::size_t ring_start = 0;  ///< of preempt_pod: the node tried first, counted among those that may be
};

/// Memory a caller may keep between calls. The plan lies in it until the next one.
template <resource_model M>
struct preempt_space {
  victim_plan<M> plan;

  // scratch; what lies here is nobody's
  victim_units<M> units;
  victim_plan<M> made;
  preemption_detail::preemptor<M> gang;
  candidate_list domains;
  std::vector<pod_count> waiting;
  std::vector<std::uint32_t> order, violating;  // units by importance; pods of each that break a budget
  std::vector<std::uint8_t> out;                // of the units: who is evicted on trial
  std::optional<overlay<M>> trial;
};

}  // namespace muster::inline MUSTER_ABI

#endif
