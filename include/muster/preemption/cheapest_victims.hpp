// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PREEMPTION_CHEAPEST_VICTIMS_HPP
#define MUSTER_PREEMPTION_CHEAPEST_VICTIMS_HPP

/// \file
/// The cheapest set of victims that makes a gang fit, over all sets and all placements.
///
/// Which units leave and where the gang then sits is decided at once: a placement chosen before the victims are known
/// may cost many times the optimum, or find no victims where there are some. The set returned is the cheapest by the
/// caller's cost object, and of the cheapest one with the fewest units; nobody in it could stay. Where the budget ends
/// first, it is the best set found, in which somebody perhaps could, with a bound that no set undercuts.
///
/// How. Every node has its *states* (detail/node_states.hpp): who leaves there, and what of the gang that makes room
/// for. A relaxed choice of one state a node bounds the cost of all sets; branch and bound over units closes the gap;
/// `place` alone says whether a set suffices, so every constraint of a gang counts: levels, limits, sizes, models, the
/// filter. With a required level the domains are looked through by their bounds, and a full one is as good as any.
///
/// Victims leave together with those that are on their way out already: the seats are of that time.
///
/// Limits, beside the budget; each costs time or the proof, never a wrong set. Where more than ten units live on a
/// node a bound chooses among ten of them, those that live elsewhere too and then the dearest, and takes the others for
/// gone; of each set of them it keeps at most 256 patterns. A gang of more than 32 pod sets that wait has no bound but
/// 0. A required level of single nodes asks every node by itself. The search goes as deep in calls as units are decided
/// one after another.
///
/// \see Kubernetes 1.37, section 7, for the rule that fixes the placement first (preempt_group.hpp); the bound is in
///      detail/victim_bound.hpp, with its sources

#include <muster/cluster/cluster.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/placement/eligibility.hpp>
#include <muster/placement/options.hpp>
#include <muster/preemption/detail/victim_question.hpp>
#include <muster/preemption/list_victim_units.hpp>
#include <muster/preemption/victim_options.hpp>
#include <muster/preemption/victim_plan.hpp>
#include <muster/resource/model.hpp>
#include <muster/scoring/eviction_cost.hpp>
#include <muster/workload/pod_group.hpp>

#include <concepts>

namespace muster::inline MUSTER_ABI {

/// Decides who leaves so that the group sits whole.
///
/// \param group a pod_group, or the id of one in the cluster: its unscheduled members, beside those that run
/// \return in `space`, until its next use: `not_needed` or `wait` with seats; `evict` with the victims and the seats;
///         `none`: the group may not preempt, nobody may be evicted, or proved that it does not fit with all of them
///         gone; `undecided`; `hold` and `invalid` as place() says, or for a cost object that breaks its contract
/// \complexity within the budget; to begin with O(n + p log p) for p pods that run, and the states of the nodes
/// \exceptions none of its own; what the function objects throw passes through. Allocates in `space`
/// \determinism a function of the view and the arguments; of equal sets the one found first, in the order of the units
template <resource_model M, class Group, class Cost = lost_work<>, class May = anyone, class Filter = everywhere,
          class Stop = never_stop>
  requires(std::same_as<Group, group_id> || std::same_as<Group, pod_group<M>>)
const victim_plan<M, Cost::components>& cheapest_victims(
    const snapshot<M>& view, const Group& group, victim_space<M, Cost>& space,
    const victim_options<Cost, May, Filter, Stop>& options = {});

// ---------------------------------------------------------------------------------------------------------------------

template <resource_model M, class Group, class Cost, class May, class Filter, class Stop>
  requires(std::same_as<Group, group_id> || std::same_as<Group, pod_group<M>>)
const victim_plan<M, Cost::components>& cheapest_victims(const snapshot<M>& view, const Group& group,
                                                         victim_space<M, Cost>& space,
                                                         const victim_options<Cost, May, Filter, Stop>& options) {
  preemption_detail::victim_question<M, Group, Cost, May, Filter, Stop>{view, group, space, options}.answer();
  return space.plan;
}

}  // namespace muster::inline MUSTER_ABI

#endif
