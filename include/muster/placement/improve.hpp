// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_IMPROVE_HPP
#define MUSTER_PLACEMENT_IMPROVE_HPP

/// \file
/// Improves a finished placement by an objective, within a budget, and says how good any could be.
///
/// `place` finds a feasible placement, by scores of one pod on one node; this goes on from there by what the whole set
/// is worth (improvement.hpp). The pods that sit go on sitting, as many of each pod set; only where they sit may
/// change. So minima, sizes and what is enough stay as they are, and a placement never becomes a refusal. All else that
/// `place` keeps to is kept to: filter, room, required domain, one device model, spread limits; pods that run stay.
///
/// The search. A node hosts *mixes* of pods (detail/node_mixes.hpp). Local search exchanges mixes of two nodes as long
/// as the whole gains (detail/exchanges.hpp), from the placement given and from one seated pod by pod in each domain
/// and device model that might do; it may use half of the budget. Then, of a sum over nodes, prices bound what each
/// domain can give (detail/sum_bound.hpp), and what they leave open is searched whole, branch by branch
/// (detail/best_arrangement.hpp), until the budget ends it. A judgement of the whole set has no prices: its bound is
/// the one it states, and is proved only where everything could be tried.
///
/// What is compared are placements in which the model chooses the devices of each mix on a node, or the node keeps what
/// the placement given has there: `bound` speaks of these. Of a model whose grants follow from the requests that is
/// every placement. No bound is made where a node hosts more than 4,096 mixes, where the model does not know what it
/// hosts, or of more than 2^18 pods. At most 64 pod sets may be placed; of more only the score is told.
///
/// Cost. Laying out is O(n log n) for n open nodes. A sweep of local search looks at O(u (u + c) s m) mixes, for u
/// nodes used, c cells of alike nodes, s pod sets and m pods of one on a node; each costs a lookup, and the first time,
/// for alike nodes together, `hosts` and a node value. A judgement of the whole set is asked anew for each of them, at
/// O(seats) besides. An example: 44 pods of three pod sets on 1,250 half used nodes of 8 GPUs, by a slot_potential of 8
/// shapes: 470,000 steps, some 30 ms, most of them for a bound within 4 % of what is reached; on 12,500 nodes,
/// where more nodes are alike to those that are best, what `place` found is proved best in 450,000. Where the bound
/// leaves a gap and a domain has at most 1,024 nodes, the search of branches takes all of the budget that is left.

#include <muster/cluster/overlay.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/placement/detail/answering.hpp>
#include <muster/placement/detail/improving.hpp>
#include <muster/placement/improvement.hpp>
#include <muster/placement/options.hpp>
#include <muster/placement/set_asides.hpp>
#include <muster/placement/verify.hpp>
#include <muster/placement/workspace.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/pod_group.hpp>

namespace muster::inline MUSTER_ABI {

/// Improves the placement in `space.answer` of a group that is not in the cluster.
/// \pre the snapshot is current. The answer is checked by `verify`: one that is none is a fault, no broken precondition
/// \param options of which the filter, `once_enough` and `stop` count; the budget is that of `effort`
/// \return scores, bound and whether it is proved; `no_placement` or `refuted` with what is wrong, and then nothing is
///         changed. In `space.answer` the best placement found: seats, domain and device model; the one that was given,
///         untouched, unless another scores strictly more
/// \complexity see above; at most `effort.budget` steps and what one node or judgement takes
/// \exceptions none of its own; what filter, objective or `stop` throw passes through, the answer and an overlay as
///             before. Allocates O(n + mixes); any number of threads may ask one snapshot, each with its own workspace
/// \determinism a function of the view and the arguments, unless `stop` ends it; of equal exchanges the first is taken,
///              nodes in the order of their kinds of states, then by position
/// \see place.hpp; verify.hpp
template <resource_model M, placement_objective<M> Objective, options_for<M> Options = place_options<>>
improvement improve(const snapshot<M>& view, const pod_group<M>& group, workspace<M>& space,
                    const Objective& objective, const Options& options = {}, const improve_effort& effort = {});

/// The same for a group in the cluster, beside its members that run.
template <resource_model M, placement_objective<M> Objective, options_for<M> Options = place_options<>>
improvement improve(const snapshot<M>& view, group_id group, workspace<M>& space, const Objective& objective,
                    const Options& options = {}, const improve_effort& effort = {});

/// The same on an overlay on which the seats are not taken; it is used for trials and left as it was.
template <resource_model M, placement_objective<M> Objective, options_for<M> Options = place_options<>>
improvement improve(overlay<M>& view, const pod_group<M>& group, workspace<M>& space, const Objective& objective,
                    const Options& options = {}, const improve_effort& effort = {});
template <resource_model M, placement_objective<M> Objective, options_for<M> Options = place_options<>>
improvement improve(overlay<M>& view, group_id group, workspace<M>& space, const Objective& objective,
                    const Options& options = {}, const improve_effort& effort = {});

// ---------------------------------------------------------------------------------------------------------------------

namespace placement_detail {

/// \param found what `verify` says \param take puts the group's demand into the workspace; false if it is faulty
template <resource_model M, class Objective, class Options, class Take>
improvement improve_on(overlay<M>& on, const verification& found, const Take& take, workspace<M>& space,
                       const Objective& objective, const Options& options, const improve_effort& effort) {
  improvement made;
  if (!space.answer.fits()) {
    made.fault = improve_fault::no_placement;
    return made;
  }
  if (!found.holds()) {
    made.fault = improve_fault::refuted;
    made.wrong = found;
    return made;
  }
  kept_answer<M> kept{space};
  if (!take()) return made;  // verify has looked at all that could be wrong
  const trial_scope<M> scope{on};
  give_set_asides(on, space.demand.group->id);
  (void)space.demand.conclude(options.extras, options.once_enough, space.answer.lack);
  query<overlay<M>> q{on, space};
  (void)q.find_domains();
  q.ask(options.filter);
  search_budget budget{effort.budget, options.stop};
  improving<M, Objective>{q, on, kept.get(), objective, budget, effort}.run(made);
  made.proved = made.bound && *made.bound == made.after;
  made.steps = budget.spent();
  made.stopped = budget.stopped();
  return made;
}

}  // namespace placement_detail

template <resource_model M, placement_objective<M> Objective, options_for<M> Options>
improvement improve(overlay<M>& view, const pod_group<M>& group, workspace<M>& space, const Objective& objective,
                    const Options& options, const improve_effort& effort) {
  const auto take = [&] { return placement_detail::take_spec(view.base(), group, space); };
  return placement_detail::improve_on(view, verify(view, group, space.answer.seats, options.filter), take, space,
                                      objective, options, effort);
}

template <resource_model M, placement_objective<M> Objective, options_for<M> Options>
improvement improve(overlay<M>& view, group_id group, workspace<M>& space, const Objective& objective,
                    const Options& options, const improve_effort& effort) {
  const auto take = [&] { return placement_detail::take_members(view.base(), group, space); };
  return placement_detail::improve_on(view,
                                      verify(view, group, space.answer.seats, options.filter, options.once_enough),
                                      take, space, objective, options, effort);
}

template <resource_model M, placement_objective<M> Objective, options_for<M> Options>
improvement improve(const snapshot<M>& view, const pod_group<M>& group, workspace<M>& space,
                    const Objective& objective, const Options& options, const improve_effort& effort) {
  return improve(placement_detail::trial_on(space, view), group, space, objective, options, effort);
}

template <resource_model M, placement_objective<M> Objective, options_for<M> Options>
improvement improve(const snapshot<M>& view, group_id group, workspace<M>& space, const Objective& objective,
                    const Options& options, const improve_effort& effort) {
  return improve(placement_detail::trial_on(space, view), group, space, objective, options, effort);
}

}  // namespace muster::inline MUSTER_ABI

#endif
