// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PREEMPTION_PREEMPT_GROUP_HPP
#define MUSTER_PREEMPTION_PREEMPT_GROUP_HPP

/// \file
/// Kubernetes' workload-aware preemption, as it is.
///
/// *Feasibility first*: everybody of a lower priority is taken out, and the gang is seated by the scheduler's own rule;
/// these seats are then fixed. *Reprieve*: units are put back one by one, those that would break a disruption budget
/// first, then the others, each lot by importance; a unit is spared if every seat still fits with it back, whole. Who
/// is not spared is a victim. The seats are chosen before the victims are known and the cost of a victim is not looked
/// at, so the set is neither cheapest nor smallest: cheapest_victims.hpp finds that. This is for hosts that must decide
/// as Kubernetes does, and to compare.
///
/// A pod that is on its way out still takes its place, and counts among the units: it may be spared in the trial or be
/// a victim, and is then not evicted again.
///
/// *Waiting*: while a pod of a lower priority is on its way out on a node where something is set aside for the gang
/// (its nomination), nobody else is evicted. *Level*: where one is required each domain is tried alone, and of those
/// where the rule seats enough the best by `better` is taken: as the page has it the one with most pods seated, whoever
/// leaves.
///
/// What is not here: partial success (4.4), groups of groups.
/// \see Kubernetes 1.37, sections 7.1 to 7.7; preempt_pod.hpp, for a pod without a group

#include <muster/cluster/cluster.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/placement/eligibility.hpp>
#include <muster/placement/seat_pod_by_pod.hpp>
#include <muster/preemption/detail/group_preemption.hpp>
#include <muster/preemption/importance.hpp>
#include <muster/preemption/list_victim_units.hpp>
#include <muster/preemption/preempt_options.hpp>
#include <muster/preemption/victim_plan.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/pod_group.hpp>

#include <concepts>

namespace muster::inline MUSTER_ABI {

/// Decides who leaves so that the group sits whole, as Kubernetes does.
/// \param group a pod_group, or the id of one in the cluster: its unscheduled members, beside those that run
/// \return in `space`, until its next use: `not_needed` (the rule seats it as things stand), `wait` (for victims of an
///         earlier preemption), `evict`, `none`, `hold` (the group is not known) or `invalid` (it is faulty). The
///         plan's cost, bound and domain say nothing, and `none` proves nothing but for `policy_never` and `no_units`
/// \complexity the rule's, twice for each domain, and O(units x seats) a domain
/// \exceptions what the function objects throw; allocates \determinism a function of the view and the arguments
/// \see Kubernetes 1.37, section 7.5
template <resource_model M, class Group, class Rule = seat_pod_by_pod<>, class Order = more_important,
          class Better = more_pods_seated, class May = anyone, class Filter = everywhere>
  requires(std::same_as<Group, group_id> || std::same_as<Group, pod_group<M>>)
const victim_plan<M>& preempt_group(const snapshot<M>& view, const Group& group, preempt_space<M>& space,
                                    const preempt_options<Rule, Order, Better, May, Filter>& options = {});

// ---------------------------------------------------------------------------------------------------------------------

template <resource_model M, class Group, class Rule, class Order, class Better, class May, class Filter>
  requires(std::same_as<Group, group_id> || std::same_as<Group, pod_group<M>>)
const victim_plan<M>& preempt_group(const snapshot<M>& view, const Group& group, preempt_space<M>& space,
                                    const preempt_options<Rule, Order, Better, May, Filter>& options) {
  preemption_detail::group_preemption<M, Group, preempt_options<Rule, Order, Better, May, Filter>>{
      view, group, space, options}
      .answer();
  return space.plan;
}

}  // namespace muster::inline MUSTER_ABI

#endif
