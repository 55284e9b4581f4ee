// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PREEMPTION_DETAIL_PREEMPTION_CALL_HPP
#define MUSTER_PREEMPTION_DETAIL_PREEMPTION_CALL_HPP

/// \file
/// What Kubernetes' preemption of a group and that of a single pod have in common: who asks, who may be evicted, what
/// is waited for, what the rule seats and in which order units are spared.

#include <muster/cluster/cluster.hpp>
#include <muster/cluster/domains.hpp>
#include <muster/cluster/overlay.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/core/topology.hpp>
#include <muster/placement/answer.hpp>
#include <muster/placement/candidates.hpp>
#include <muster/placement/eligibility.hpp>
#include <muster/placement/list_candidates.hpp>
#include <muster/placement/seating_rule.hpp>
#include <muster/placement/verify.hpp>
#include <muster/preemption/class_violations.hpp>
#include <muster/preemption/detail/preemptor.hpp>
#include <muster/preemption/list_victim_units.hpp>
#include <muster/preemption/preempt_options.hpp>
#include <muster/preemption/victim_plan.hpp>
#include <muster/preemption/victim_unit.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/member.hpp>
#include <muster/workload/pod_group.hpp>
#include <muster/workload/validate.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace muster::inline MUSTER_ABI::preemption_detail {

/// The base of one call of preempt_group or preempt_pod.
template <resource_model M, class Group, class Options>
class preemption_call {
 protected:
  preemption_call(const snapshot<M>& view, const Group& group, preempt_space<M>& space, const Options& options)
      : view_{view}, group_{group}, space_{space}, options_{options}, on_{trial(view, space)} {}

  [[nodiscard]] const pod_group<M>& spec() const { return spec_of(view_, group_); }
  void end(preemption_outcome outcome, preemption_reason reason, bool proved = false) {
    space_.plan.outcome = outcome;
    space_.plan.reason = reason;
    space_.plan.proved = proved;
  }
  void refuse(preemption_outcome outcome, refusal_reason why) {
    end(outcome, preemption_reason::placement_refused);
    space_.plan.placement = why;
  }

  /// Empties the plan and reads the group. False: it is not known, or faulty, and the plan says so.
  bool known() {
    space_.plan.clear();
    space_.plan.group = id_of(group_);
    if constexpr (std::same_as<Group, group_id>)
      if (view_.group(group_) == nullptr) {
        refuse(preemption_outcome::hold, refusal_reason::group_unknown);
        return false;
      }
    space_.gang.read(view_, group_);
    if (first_fault(spec(), view_.levels()).fault == group_fault::none) return true;
    refuse(preemption_outcome::invalid, refusal_reason::group_fault);
    return false;
  }

  /// Units of a lower priority that may be evicted, those on their way out among them.
  void list_lower_units() {
    const auto lower = [&](const victim_unit<M>& unit) {
      return unit.priority < spec().priority && static_cast<bool>(options_.may(unit));
    };
    list_victim_units(view_, space_.units, lower, listed_pods::leaving_too);
  }

  /// Whether a pod of a lower priority is leaving a node that the gang is nominated to and that `counts`.
  template <class Counts>
  [[nodiscard]] bool waits_for_victims(const Counts& counts) const {
    bool waits = false;
    view_.visit_set_asides(id_of(group_), [&](const set_aside<M>&, std::uint32_t position) {
      if (!counts(position)) return;
      view_.visit_pods_on(position, [&](const pod_record<M>& pod) {
        const group_record<M>* of = view_.group(pod);
        const std::int32_t priority = of != nullptr ? of->spec.priority : pod.priority;
        waits = waits || (pod.phase == phase::terminating && priority < spec().priority);
      });
    });
    return waits;
  }

  /// Calls `try_in(nodes)` for each domain in which the gang is to be tried by itself: all nodes, if it asks for none.
  /// \return whether one of the calls says yes; all are made
  template <class TryIn>
  bool try_domains(const TryIn& try_in) {
    const auto parent = nodes_of(view_, options_.filter);
    if (spec().required == no_level) return try_in(std::span<const run>{parent});
    list_candidates(view_, spec().required, parent, space_.domains);
    bool any = false;
    for (std::size_t d = 0; d < space_.domains.size(); ++d) any = try_in(space_.domains.nodes(d)) || any;
    return any;
  }
  /// The rule's seats among these nodes, on the overlay as it is. False: they are not enough, or wrong.
  bool seat_by_rule(std::span<const run> nodes, std::vector<seat<M>>& seats) {
    const inside<std::remove_cvref_t<decltype(options_.filter)>> here{nodes, options_.filter};
    space_.waiting.assign(spec().pod_sets.size(), 0);
    for (const asked_set& set : space_.gang.sets) space_.waiting[set.pod_set] = set.waiting;
    {
      const trial_scope<M> scope{on_};
      options_.rule(seating_question<M>{on_, spec(), space_.waiting, {}}, here, seats);
    }
    return verify(on_, group_, std::span<const seat<M>>{seats}, options_.filter).holds();
  }

  [[nodiscard]] auto by_importance(const victim_units<M>& of) const {
    return [&](std::uint32_t a, std::uint32_t b) {
      return static_cast<bool>(options_.order(of.units[a], of.units[b]));
    };
  }
  /// Counts of each unit the pods that would break a budget, and puts those with some before the others.
  /// \param order by importance
  void put_violating_first(const victim_units<M>& of, std::vector<std::uint32_t>& order) {
    space_.violating.assign(of.units.size(), 0);
    if (options_.budgets.empty()) return;
    space_.violating = class_violations(of, order, options_.budgets);
    std::stable_partition(order.begin(), order.end(), [&](std::uint32_t u) { return space_.violating[u] > 0; });
  }

  const snapshot<M>& view_;
  const Group& group_;
  preempt_space<M>& space_;
  const Options& options_;
  overlay<M>& on_;

 private:
  [[nodiscard]] static overlay<M>& trial(const snapshot<M>& view, preempt_space<M>& space) {
    if (space.trial) space.trial->reset(view);
    else space.trial.emplace(view);
    return *space.trial;
  }
};

}  // namespace muster::inline MUSTER_ABI::preemption_detail

#endif
