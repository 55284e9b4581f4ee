// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_PLACE_HPP
#define MUSTER_PLACEMENT_PLACE_HPP

/// \file
/// Places one gang whole, or says why not.
///
/// *Enough* means every pod set at its minimum and the group at max(min_count, their sum) and at a legal size; members that run
/// or succeeded count. Seated are the set minima first, then up to enough in pod set order, then extras up to the largest
/// legal size that fits (unless `extras` is off). An earlier pod is never moved for a later one, except where only that
/// makes enough fit. At least one new pod must sit if any is pending.
///
/// For *alike* pods (one request, one set of eligible nodes, in one pod set or several) the answer is exact under every constraint: required
/// level, spread limits, legal sizes, eligibility. For *unlike* pods four greedy orders and a repair are tried; a no is given only
/// with a proof (one pod set alone, summed capacity, room under the limits, each domain by domain), else `undecided`.
///
/// Members that already run pin the required domain and count against spread limits. Capacity set aside for the group
/// is free to it and to nobody else.

#include <muster/cluster/overlay.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/answer.hpp>
#include <muster/placement/detail/alike.hpp>
#include <muster/placement/detail/query.hpp>
#include <muster/placement/detail/refuse.hpp>
#include <muster/placement/detail/unlike.hpp>
#include <muster/placement/options.hpp>
#include <muster/placement/workspace.hpp>
#include <muster/workload/validate.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace muster::inline MUSTER_ABI {

/// Decides where a group that is not in the cluster would sit: all its declared pods are pending.
///
/// \pre the snapshot is current
/// \return in `space`, until its next use: `fits` with seats; `wait`, `not_now`, `closed` or `never` with a proof; `undecided` with the
///         best found; `hold` (pods missing); `invalid` (the group's first fault)
/// \complexity alike pods: O(s k + nodes used + words skipped / 64) without a required level, O(open nodes of the domains) with
///             one. Unlike pods: that per pod set; where the first order fails O(s n) a domain, and repair within the budget
/// \exceptions none of its own; what a filter or scorer throws passes through, an overlay as before. Allocates in `space` only;
///             any number of threads may ask one snapshot, each with its own workspace
/// \determinism a function of the view and the arguments; ties end in the host's keys
/// \see Kubernetes 1.37 sections 3 and 4 (progress, extras); Volcano V5 and B142 (minimum per role)
template <resource_model M, class Options = place_options<>>
const placement_answer<M>& place(const snapshot<M>& view, const pod_group<M>& group, workspace<M>& space,
                                 const Options& options = {});

/// The same for a group in the cluster: its unscheduled members, beside those that already run.
/// \return besides: `hold` if the group is unknown; `invalid` if its running members do not share a domain of the required level
template <resource_model M, class Options = place_options<>>
const placement_answer<M>& place(const snapshot<M>& view, group_id group, workspace<M>& space, const Options& options = {});

/// The same on an overlay, which is used for trials and left as it was. Seats are not taken: see `take_seats`.
template <resource_model M, class Options = place_options<>>
const placement_answer<M>& place(overlay<M>& view, const pod_group<M>& group, workspace<M>& space,
                                 const Options& options = {});
template <resource_model M, class Options = place_options<>>
const placement_answer<M>& place(overlay<M>& view, group_id group, workspace<M>& space, const Options& options = {});

/// The same with an answer that owns its memory.
template <resource_model M, class Options = place_options<>>
[[nodiscard]] placement_answer<M> place(const snapshot<M>& view, const pod_group<M>& group, const Options& options = {}) {
  workspace<M> space;
  place(view, group, space, options);
  return std::move(space.answer);
}
template <resource_model M, class Options = place_options<>>
[[nodiscard]] placement_answer<M> place(const snapshot<M>& view, group_id group, const Options& options = {}) {
  workspace<M> space;
  place(view, group, space, options);
  return std::move(space.answer);
}

/// Takes the seats of a placement on an overlay, so that what is judged next sees them taken. \complexity O(seats)
template <resource_model M>
void take_seats(overlay<M>& on, const placement_answer<M>& answer) {
  for (const seat<M>& one : answer.seats) on.charge(one.position, one.grant);
}

// ---------------------------------------------------------------------------------------------------------------------

namespace placement_detail {

/// Answers the demand that lies in the workspace. `trials()` gives an overlay with the contents of the view.
template <class View, class Trials, class Options>
void answer_demand(const View& view, Trials&& trials, workspace<typename View::model>& space, const Options& options) {
  auto& answer = space.answer;
  auto& wanted = space.demand;
  answer.group = wanted.group->id;
  if (const refusal_reason held = wanted.conclude(options.extras, options.once_enough, answer.lack); held != refusal_reason::none) {
    answer.verdict = verdict::hold;
    answer.reason = held;
    answer.pending = wanted.pending;
    return;
  }
  answer.lack = {};
  answer.lack.needed = wanted.needed;
  query<View, Options> q{view, options, space};
  if (!q.find_domains()) {
    answer.verdict = verdict::invalid;
    answer.reason = refusal_reason::domains_differ;
    answer.pending = wanted.pending;
    return;
  }
  q.ask_filter();
  std::size_t s = 0;
  std::uint32_t domain = 0;
  const bool alike = is_alike(q, s);
  bool enough = false;
  refusal_reason reason = refusal_reason::too_few_slots;
  if (alike) {
    enough = place_alike(q, s, answer.lack.seated, domain);
    answer.lack.bound = answer.lack.seated;
  } else {
    const unlike_result found = place_unlike(q, trials());
    // they were swapped to and fro: with equal capacities the next call need not grow either
    space.best_seats.reserve(answer.seats.capacity());
    answer.seats.reserve(space.best_seats.capacity());
    enough = found.enough;
    domain = found.domain;
    reason = found.reason;
    s = found.pod_set;
    answer.lack.seated = found.seated;
    answer.lack.bound = found.bound;
    if (enough || reason == refusal_reason::search_ended) {
      answer.seats.swap(space.best_seats);
      if (enough) trim(answer.seats, found.seated, wanted.legal_part(found.seated), wanted, space.slots);
    }
  }
  for (const seat<typename View::model>& one : answer.seats) answer.placed += one.count;
  answer.pending = wanted.pending - answer.placed;
  if (enough) {
    answer.verdict = verdict::fits;
    if (!q.anywhere && answer.placed > 0) answer.domain = q.name(domain);
    return;
  }
  refuse(q, alike, s, domain, reason);
}

template <resource_model M>
void start_answer(placement_answer<M>& answer) {
  auto seats = std::move(answer.seats);
  seats.clear();
  answer = placement_answer<M>{};
  answer.seats = std::move(seats);
}

/// An overlay of the workspace that stands on the snapshot.
template <resource_model M>
[[nodiscard]] overlay<M>& trial_on(workspace<M>& space, const snapshot<M>& view) {
  if (space.trial) space.trial->reset(view);
  else space.trial.emplace(view);
  return *space.trial;
}

/// Gives the group what was set aside for it. True if anything was.
template <resource_model M>
bool give_set_asides(overlay<M>& on, group_id group) {
  bool any = false;
  on.base().visit_set_asides([&](const set_aside<M>& kept, std::uint32_t position) {
    if (kept.group != group) return;
    on.release(position, kept.grant);
    any = true;
  });
  return any;
}

template <resource_model M, class Options>
void answer_on_overlay(overlay<M>& view, workspace<M>& space, const Options& options) {
  const trial_scope<M> scope{view};
  if (view.base().anything_set_aside()) give_set_asides(view, space.demand.group->id);
  answer_demand(view, [&]() -> overlay<M>& { return view; }, space, options);
}

template <resource_model M, class Options>
void answer_on_snapshot(const snapshot<M>& view, workspace<M>& space, const Options& options) {
  if (view.anything_set_aside()) {
    answer_on_overlay(trial_on(space, view), space, options);
    return;
  }
  answer_demand(view, [&]() -> overlay<M>& { return trial_on(space, view); }, space, options);
}

/// Puts a declared group's demand into the workspace; false if the group is faulty.
template <resource_model M>
[[nodiscard]] bool take_spec(const snapshot<M>& view, const pod_group<M>& group, workspace<M>& space) {
  start_answer(space.answer);
  space.answer.fault = first_fault(group, view.levels());
  if (space.answer.fault.fault != group_fault::none) {
    space.answer.verdict = verdict::invalid;
    space.answer.reason = refusal_reason::group_fault;
    space.answer.group = group.id;
    return false;
  }
  space.demand.from_spec(group);
  return true;
}

/// Puts a known group's demand into the workspace; false if it is not known.
template <resource_model M>
[[nodiscard]] bool take_members(const snapshot<M>& view, group_id id, workspace<M>& space) {
  start_answer(space.answer);
  const group_record<M>* group = view.group(id);
  if (group == nullptr) {
    space.answer.verdict = verdict::hold;
    space.answer.reason = refusal_reason::group_unknown;
    space.answer.group = id;
    return false;
  }
  space.demand.from_members(view, *group);
  return true;
}

}  // namespace placement_detail

template <resource_model M, class Options>
const placement_answer<M>& place(const snapshot<M>& view, const pod_group<M>& group, workspace<M>& space,
                                 const Options& options) {
  if (placement_detail::take_spec(view, group, space)) placement_detail::answer_on_snapshot(view, space, options);
  return space.answer;
}

template <resource_model M, class Options>
const placement_answer<M>& place(const snapshot<M>& view, group_id group, workspace<M>& space, const Options& options) {
  if (placement_detail::take_members(view, group, space)) placement_detail::answer_on_snapshot(view, space, options);
  return space.answer;
}

template <resource_model M, class Options>
const placement_answer<M>& place(overlay<M>& view, const pod_group<M>& group, workspace<M>& space, const Options& options) {
  if (placement_detail::take_spec(view.base(), group, space)) placement_detail::answer_on_overlay(view, space, options);
  return space.answer;
}

template <resource_model M, class Options>
const placement_answer<M>& place(overlay<M>& view, group_id group, workspace<M>& space, const Options& options) {
  if (placement_detail::take_members(view.base(), group, space)) placement_detail::answer_on_overlay(view, space, options);
  return space.answer;
}

}  // namespace muster::inline MUSTER_ABI

#endif
