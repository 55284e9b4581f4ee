// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PREEMPTION_LIST_VICTIM_UNITS_HPP
#define MUSTER_PREEMPTION_LIST_VICTIM_UNITS_HPP

/// \file
/// Lists what could be evicted.

#include <muster/cluster/cluster.hpp>
#include <muster/cluster/records.hpp>
#include <muster/core/config.hpp>
#include <muster/preemption/victim_unit.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/member.hpp>
#include <muster/workload/pod_group.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace muster::inline MUSTER_ABI {

/// No unit is protected.
struct anyone {
  template <class Unit>
  [[nodiscard]] constexpr bool operator()(const Unit&) const noexcept {
    return true;
  }
};

/// Which pods are listed.
enum class listed_pods : std::uint8_t { staying, leaving_too };

/// Lists the units of pods that hold a place and, unless asked otherwise, are not on their way out: those `may` says
/// yes to (priority, minimum run time, protected groups: the caller's rule). A pod of a node that went holds nothing
/// and is in none.
///
/// \pre `may(unit)` does not depend on the order in which it is asked
/// \return in `found`, replacing what it held
/// \complexity O(n + g + p log p) for g groups and p pods that run, `may` once a unit
/// \exceptions what `may` throws; allocates in `found` only
/// \determinism units and their pods in the order of pod ids
/// \see Kubernetes 1.37, section 7.2
template <resource_model M, class May = anyone>
void list_victim_units(const snapshot<M>& view, victim_units<M>& found, const May& may = {},
                       listed_pods which = listed_pods::staying) {
  found.clear();
  const auto holds = [which](const pod_record<M>& pod) {
    return pod.charged && (is_scheduled(pod.phase) || which == listed_pods::leaving_too);
  };
  const auto by_id = [](const auto* a, const auto* b) { return a->id < b->id; };
  const auto add = [&](victim_unit<M> unit, std::size_t first) {
    const std::span pods = std::span{found.pods}.subspan(first);
    unit.first = pods.front()->id;
    unit.first_pod = static_cast<std::uint32_t>(first);
    unit.pods = static_cast<std::uint32_t>(pods.size());
    for (const pod_record<M>* pod : pods)
      if (pod->phase != phase::assumed) unit.started = std::min(unit.started, pod->placed);
    if (may(std::as_const(unit)))
      found.units.push_back(unit);
    else
      found.pods.resize(first);
  };

  view.visit_groups([&](const group_record<M>& group) {
    if (group.spec.disruption != disruption_mode::all) return;
    const std::size_t first = found.pods.size();
    view.visit_members(group, [&](const pod_record<M>& pod) {
      if (holds(pod)) found.pods.push_back(&pod);
    });
    if (found.pods.size() == first) return;
    std::sort(found.pods.begin() + static_cast<std::ptrdiff_t>(first), found.pods.end(), by_id);
    victim_unit<M> unit;
    unit.kind = unit_kind::group;
    unit.group = &group;
    unit.priority = group.spec.priority;
    add(unit, first);
  });
  for (std::uint32_t node = 0; node < view.size(); ++node)
    view.visit_pods_on(node, [&](const pod_record<M>& pod) {
      victim_unit<M> unit;
      unit.group = view.group(pod);
      if (!holds(pod) || (unit.group != nullptr && unit.group->spec.disruption == disruption_mode::all)) return;
      unit.kind = unit.group == nullptr ? unit_kind::pod : unit_kind::member;
      unit.priority = unit.group == nullptr ? pod.priority : unit.group->spec.priority;
      found.pods.push_back(&pod);
      add(unit, found.pods.size() - 1);
    });
  std::sort(found.units.begin(), found.units.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
}

}  // namespace muster::inline MUSTER_ABI

#endif
