// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PREEMPTION_LIST_VICTIM_UNITS_HPP
#define MUSTER_PREEMPTION_LIST_VICTIM_UNITS_HPP

/// \file
/// Lists what could be evicted.

#include <muster/cluster/cluster.hpp>
#include <muster/cluster/records.hpp>
#include <muster/core/config.hpp>
#include <muster/core/time.hpp>
#include <muster/preemption/victim_unit.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/member.hpp>
#include <muster/workload/pod_group.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace muster::inline MUSTER_ABI {

/// No unit is protected.
struct anyone {
  template <class Unit>
  [[nodiscard]] constexpr bool operator()(const Unit&) const noexcept {
    return true;
  }
};

/// Lists the units of pods that hold a place and are not on their way out: those `may` says yes to (priority, minimum
/// run time, protected groups: the caller's rule). A pod of a node that went holds nothing and is in none.
///
/// \pre `may(unit)` does not depend on the order in which it is asked; its `first_pod` is not yet set
/// \return in `found`, replacing what it held
/// \complexity O(n + p log p) for p pods that run, `may` once a unit
/// \exceptions what `may` throws; allocates in `found` only
/// \determinism units and their pods in the order of pod ids
/// \see Kubernetes 1.37, section 7.2
template <resource_model M, class May = anyone>
void list_victim_units(const snapshot<M>& view, victim_units<M>& found, const May& may = {}) {
  auto& pods = found.pods;
  auto& units = found.units;
  pods.clear();
  units.clear();
  for (std::uint32_t node = 0; node < view.size(); ++node)
    view.visit_pods_on(node, [&](const pod_record<M>& pod) {
      if (is_scheduled(pod.phase)) pods.push_back(&pod);
    });

  const auto whole = [&](const pod_record<M>& pod) -> const group_record<M>* {
    const group_record<M>* group = view.group(view.group_of(pod));
    return group != nullptr && group->spec.disruption == disruption_mode::all ? group : nullptr;
  };
  // Pods of one whole group together, by the smallest id of each; first by group and id, then by unit.
  std::sort(pods.begin(), pods.end(), [&](const pod_record<M>* a, const pod_record<M>* b) {
    const group_record<M>*const of_a = whole(*a), *const of_b = whole(*b);
    const bool both = of_a != nullptr && of_a == of_b;
    if (both || of_a == of_b) return a->id < b->id;
    if (of_a == nullptr || of_b == nullptr) return of_a == nullptr;
    return of_a->id < of_b->id;
  });
  for (std::size_t i = 0; i < pods.size();) {
    const pod_record<M>& pod = *pods[i];
    victim_unit<M> unit;
    unit.group = view.group(view.group_of(pod));
    unit.first = pod.id;
    unit.first_pod = static_cast<std::uint32_t>(i);
    unit.priority = unit.group != nullptr ? unit.group->spec.priority : pod.priority;
    const group_record<M>* together = whole(pod);
    unit.kind = unit.group == nullptr ? unit_kind::pod : together == nullptr ? unit_kind::member : unit_kind::group;
    do {
      if (pods[i]->phase != phase::assumed) unit.started = std::min(unit.started, pods[i]->placed);
      ++unit.pods;
      ++i;
    } while (together != nullptr && i < pods.size() && whole(*pods[i]) == together);
    if (may(std::as_const(unit))) units.push_back(unit);
  }
  std::sort(units.begin(), units.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
}

}  // namespace muster::inline MUSTER_ABI

#endif
