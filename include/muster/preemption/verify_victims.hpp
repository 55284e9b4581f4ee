// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PREEMPTION_VERIFY_VICTIMS_HPP
#define MUSTER_PREEMPTION_VERIFY_VICTIMS_HPP

/// \file
/// Checks a plan of victims against the rules, sharing no code with the search that made it.
///
/// Every unit is read again from the cluster: its pods run, it is whole, its priority is below the group's, the
/// caller's rule lets it go, and it costs what the plan says. Then the seats are verified on the cluster without the
/// victims and without those that are on their way out. That no cheaper set exists is not checked here: the bound of a
/// plan is a claim about all sets.
/// \see cheapest_victims.hpp, victim_plan.hpp; placement/verify.hpp for the seats

#include <muster/cluster/cluster.hpp>
#include <muster/cluster/overlay.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/core/time.hpp>
#include <muster/placement/answer.hpp>
#include <muster/placement/eligibility.hpp>
#include <muster/placement/verify.hpp>
#include <muster/preemption/list_victim_units.hpp>
#include <muster/preemption/victim_plan.hpp>
#include <muster/resource/model.hpp>
#include <muster/scoring/eviction_cost.hpp>
#include <muster/workload/member.hpp>
#include <muster/workload/pod_group.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <vector>

namespace muster::inline MUSTER_ABI {

enum class victim_refutation : std::uint8_t {
  none,
  group_unknown,   ///< no such group
  no_plan,         ///< the plan evicts nobody
  not_running,     ///< a pod of a unit holds no place, is on its way out, or is not there
  evicted_twice,   ///< a pod stands in two units
  not_whole,       ///< a unit of a group of mode `all` lacks pods that run, or a unit mixes groups
  not_lower,       ///< a unit's priority is not below the group's, or not the one the plan says
  protected_unit,  ///< the caller's rule keeps the unit
  wrong_cost,      ///< the victims do not cost what the plan says, or less than its bound
  seats,           ///< the seats do not hold with the victims out: see `placement`
};

[[nodiscard]] constexpr std::string_view name(victim_refutation why) noexcept {
  switch (why) {
    case victim_refutation::none: return "none";
    case victim_refutation::group_unknown: return "group unknown";
    case victim_refutation::no_plan: return "nobody is evicted";
    case victim_refutation::not_running: return "a victim does not run";
    case victim_refutation::evicted_twice: return "a victim is evicted twice";
    case victim_refutation::not_whole: return "a unit is not whole";
    case victim_refutation::not_lower: return "a victim's priority is not lower";
    case victim_refutation::protected_unit: return "a victim is protected";
    case victim_refutation::wrong_cost: return "wrong cost";
    case victim_refutation::seats: return "the seats do not hold";
  }
  return "?";
}

struct victim_check {
  proof result = proof::holds;
  victim_refutation why = victim_refutation::none;
  std::size_t unit = 0;      ///< the unit that is wrong, where it is one
  verification placement{};  ///< with `seats`
  [[nodiscard]] bool holds() const noexcept { return result == proof::holds; }
};

/// Whether a plan that evicts is right but for the claim that nothing is cheaper.
/// \pre the records in the plan are the snapshot's
/// \return the first thing that is wrong, units before seats
/// \complexity O(pods of the victims and their groups + nodes) beside verifying the seats and asking the cost
/// \exceptions none of its own, but of memory \determinism a function of the arguments
template <resource_model M, class Group, eviction_cost<M> Cost = lost_work<>, class May = anyone,
          node_filter<M> Filter = everywhere>
  requires(std::same_as<Group, group_id> || std::same_as<Group, pod_group<M>>)
[[nodiscard]] victim_check verify_victims(const snapshot<M>& view, const Group& group,
                                          const victim_plan<M, Cost::components>& plan, const Cost& cost = {},
                                          const May& may = {}, const Filter& filter = {}) {
  const auto refuted = [](victim_refutation why, std::size_t unit = 0) {
    return victim_check{proof::refuted, why, unit, {}};
  };
  const pod_group<M>* asks = nullptr;
  if constexpr (std::same_as<Group, group_id>) {
    const group_record<M>* known = view.group(group);
    if (known == nullptr) return refuted(victim_refutation::group_unknown);
    asks = &known->spec;
  } else {
    asks = &group;
  }
  if (!plan.evicts() || plan.victims.units.empty()) return refuted(victim_refutation::no_plan);

  std::set<pod_id> seen;
  std::map<const group_record<M>*, std::vector<const pod_record<M>*>> by_group;
  std::vector<const pod_record<M>*> alone;
  for (std::size_t u = 0; u < plan.victims.units.size(); ++u) {
    const victim_unit<M>& unit = plan.victims.units[u];
    const auto pods = plan.victims.pods_of(unit);
    if (pods.empty()) return refuted(victim_refutation::not_whole, u);
    const group_record<M>* of = view.group(*pods.front());
    for (const pod_record<M>* pod : pods) {
      if (view.pod(pod->id) != pod || !pod->charged || !is_scheduled(pod->phase))
        return refuted(victim_refutation::not_running, u);
      if (!seen.insert(pod->id).second) return refuted(victim_refutation::evicted_twice, u);
      if (view.group(*pod) != of) return refuted(victim_refutation::not_whole, u);
      (of == nullptr ? alone : by_group[of]).push_back(pod);
    }
    const bool together = of != nullptr && of->spec.disruption == disruption_mode::all;
    std::size_t run = 0;
    if (together)
      view.visit_members(*of, [&](const pod_record<M>& pod) {
        if (pod.charged && is_scheduled(pod.phase)) ++run;
      });
    if (together ? run != pods.size() : pods.size() != 1) return refuted(victim_refutation::not_whole, u);
    const std::int32_t priority = of != nullptr ? of->spec.priority : pods.front()->priority;
    if (priority != unit.priority || priority >= asks->priority) return refuted(victim_refutation::not_lower, u);
    if (!may(unit)) return refuted(victim_refutation::protected_unit, u);
  }

  cost_value<Cost::components> sum{};
  for (const auto& [of, pods] : by_group) sum += cost(evicted_members<M>{of, pods, view.time()});
  for (const pod_record<M>*& pod : alone) sum += cost(evicted_members<M>{nullptr, {&pod, 1}, view.time()});
  if (sum != plan.cost || plan.bound > plan.cost) return refuted(victim_refutation::wrong_cost);

  overlay<M> then{view};
  for (std::uint32_t node = 0; node < view.size(); ++node)
    view.visit_pods_on(node, [&](const pod_record<M>& pod) {
      if (pod.phase == phase::terminating || seen.count(pod.id) != 0) then.vacate(pod);
    });
  victim_check made;
  made.placement = verify(then, group, std::span<const seat<M>>{plan.seats}, filter);
  if (made.placement.holds()) return made;
  made.result = proof::refuted;
  made.why = victim_refutation::seats;
  return made;
}

}  // namespace muster::inline MUSTER_ABI

#endif
