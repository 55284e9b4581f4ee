// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PREEMPTION_PREEMPT_POD_HPP
#define MUSTER_PREEMPTION_PREEMPT_POD_HPP

/// \file
/// Kubernetes' preemption for a pod without a group, as it is.
///
/// *Node by node*: on each node where the pod could sit but for those who are there, every unit of a lower priority
/// with a pod on it is taken out, and the pod must fit. Then units are put back one by one, those that would break a
/// disruption budget first, then the others, each lot by importance; a unit is spared if the pod still fits. Budgets
/// are counted anew on each node, among the units that have a pod there. A group of mode `all` is one unit: it leaves
/// with all its pods, those on other nodes too, though nothing is gained from these.
///
/// *Which node*: the fewest pods whose eviction breaks a budget; the lowest of the highest priorities of victims; the
/// least sum of their priorities, each raised by 2^31 so that one more pod always costs; the fewest pods; the latest
/// start, of each node the first start among its victims of the highest priority; the first node. Victims are counted
/// as pods, each of its unit's priority, so a group weighs by its pods.
///
/// *How many nodes*: from `ring_start` on, which Kubernetes draws by lot, in the order of positions and round to the
/// beginning, until of the n nodes on which the pod fails min(n, max(100, n / 10)) have victims, and one of them breaks
/// no budget. So not every node need be looked at, and the set is neither cheapest nor smallest.
///
/// What differs from the group's rule (preempt_group.hpp): `never` goes before waiting; a pod of a lower priority that
/// leaves the nominated node is waited for only if the node is open and the filter lets the pod there still; no seat is
/// fixed before the victims are known.
///
/// What differs from Kubernetes: a node that is too small, or without the required level, counts among the n, though
/// nobody's leaving helps there. What is set aside for others holds its place whatever their priority: it is the
/// host's to drop what the pod goes before.
/// \see Kubernetes 1.37, sections 7.2 to 7.4, 7.8 and 7.9

#include <muster/cluster/cluster.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/placement/eligibility.hpp>
#include <muster/placement/seat_pod_by_pod.hpp>
#include <muster/preemption/detail/pod_preemption.hpp>
#include <muster/preemption/importance.hpp>
#include <muster/preemption/list_victim_units.hpp>
#include <muster/preemption/preempt_options.hpp>
#include <muster/preemption/victim_plan.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/pod_group.hpp>

#include <concepts>

namespace muster::inline MUSTER_ABI {

/// Decides who leaves so that one pod sits, as Kubernetes does.
/// \param group a pod_group of one pod, or the id of one in the cluster of which one pod waits
/// \param options as of preempt_group. The rule says only whether the pod fits as things stand, and where; `better` is
///        not asked
/// \return in `space`, until its next use: `not_needed` (the rule seats it as things stand, or no pod waits), `wait`
///         (for victims of an earlier preemption), `evict` with one seat, `none`, `hold` (the group is not known) or
///         `invalid` (it is faulty, or several pods wait). The plan's cost, bound and domain say nothing, and `none`
///         proves nothing but for `policy_never` and `no_units`
/// \complexity the rule's, once for each domain, O(n + p log p) for n nodes and p pods of a lower priority, and for
///         each node tried O(pods of its units x budgets), and O(members) of a group that is known
/// \exceptions what the function objects throw; allocates
/// \determinism a function of the view and the arguments: no lot is drawn here
/// \see Kubernetes 1.37, section 7.8
template <resource_model M, class Group, class Rule = seat_pod_by_pod<>, class Order = more_important,
          class Better = more_pods_seated, class May = anyone, class Filter = everywhere>
  requires(std::same_as<Group, group_id> || std::same_as<Group, pod_group<M>>)
const victim_plan<M>& preempt_pod(const snapshot<M>& view, const Group& group, preempt_space<M>& space,
                                  const preempt_options<Rule, Order, Better, May, Filter>& options = {});

// ---------------------------------------------------------------------------------------------------------------------

template <resource_model M, class Group, class Rule, class Order, class Better, class May, class Filter>
  requires(std::same_as<Group, group_id> || std::same_as<Group, pod_group<M>>)
const victim_plan<M>& preempt_pod(const snapshot<M>& view, const Group& group, preempt_space<M>& space,
                                  const preempt_options<Rule, Order, Better, May, Filter>& options) {
  preemption_detail::pod_preemption<M, Group, preempt_options<Rule, Order, Better, May, Filter>>{
      view, group, space, options}
      .answer();
  return space.plan;
}

}  // namespace muster::inline MUSTER_ABI

#endif
