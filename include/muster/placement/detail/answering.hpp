// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_ANSWERING_HPP
#define MUSTER_PLACEMENT_DETAIL_ANSWERING_HPP

/// \file
/// From a question to an answer: reads the demand, picks the way for alike or unlike pods, and fills in the refusal.

#include <muster/cluster/overlay.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/answer.hpp>
#include <muster/placement/detail/alike.hpp>
#include <muster/placement/detail/query.hpp>
#include <muster/placement/detail/refuse.hpp>
#include <muster/placement/detail/unlike.hpp>
#include <muster/placement/options.hpp>
#include <muster/placement/set_asides.hpp>
#include <muster/placement/workspace.hpp>
#include <muster/workload/validate.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace muster::inline MUSTER_ABI::placement_detail {

/// Answers the demand that lies in the workspace. `trials()` gives an overlay with the contents of the view.
template <class View, class Trials, class Options>
void answer_demand(const View& view, Trials&& trials, workspace<typename View::model>& space, const Options& options) {
  auto& answer = space.answer;
  auto& wanted = space.demand;
  answer.group = wanted.group->id;
  if (const refusal_reason held = wanted.conclude(options.extras, options.once_enough, answer.lack);
      held != refusal_reason::none) {
    answer.verdict = verdict::hold;
    answer.reason = held;
    answer.pending = wanted.pending;
    return;
  }
  answer.lack = {};
  answer.lack.needed = wanted.needed;
  query<View> q{view, space, options.largest, options.resume};
  search_budget budget{options.budget, options.stop};
  if (const refusal_reason differ = q.find_domains(); differ != refusal_reason::none) {
    answer.verdict = verdict::invalid;
    answer.reason = differ;
    answer.pending = wanted.pending;
    return;
  }
  if (wanted.most == 0) {  // nothing is pending, or the group has no pods at all
    answer.verdict = verdict::fits;
    answer.pending = wanted.pending;
    return;
  }
  q.ask(options.filter);
  std::size_t s = 0;
  std::uint32_t domain = 0;
  const bool alike = is_alike(q, s);
  bool enough = false;
  refusal_reason reason = refusal_reason::too_few_slots;
  if (alike) {
    enough = place_alike(q, options.scorer, trials, s, answer.lack.seated, domain);
    answer.lack.bound = answer.lack.seated;
  } else {
    const unlike_result found = place_unlike(q, options.scorer, trials(), budget);
    if (q.last_domain != q.first_domain + 1 || leaves_open(found.reason)) {
      // seats were swapped more than once: with equal capacities the next call need not grow either
      space.best_seats.reserve(answer.seats.capacity());
      answer.seats.reserve(space.best_seats.capacity());
    }
    enough = found.enough;
    domain = found.domain;
    reason = found.reason;
    s = found.pod_set;
    answer.lack.seated = found.seated;
    answer.lack.bound = found.bound;
    answer.seats.swap(space.best_seats);  // as the greedy pass did, so that each has its memory again in the next call
    if (enough) trim(answer.seats, found.seated, wanted.legal_part(found.seated), wanted, space.slots);
    else if (!leaves_open(reason)) answer.seats.clear();
  }
  for (const seat<typename View::model>& one : answer.seats) answer.placed += one.count;
  answer.pending = wanted.pending - answer.placed;
  answer.steps = budget.spent();
  answer.stopped = budget.stopped();
  if (enough) {
    answer.verdict = verdict::fits;
    if (!q.anywhere && answer.placed > 0) {
      answer.domain = q.name(domain);
      answer.model = q.model_in(domain);
    }
    return;
  }
  if (options.only_now) refuse_now(q, alike, reason);
  else refuse(q, alike, s, domain, reason, budget);
  answer.steps = budget.spent();
  answer.stopped = budget.stopped();
}

template <resource_model M>
void start_answer(placement_answer<M>& answer) {
  auto seats = std::move(answer.seats);
  auto proof = std::move(answer.proof);
  seats.clear();
  proof.clear();
  answer = placement_answer<M>{};
  answer.seats = std::move(seats);
  answer.proof = std::move(proof);
}

/// An overlay of the workspace that stands on the snapshot.
template <resource_model M>
[[nodiscard]] overlay<M>& trial_on(workspace<M>& space, const snapshot<M>& view) {
  if (space.trial) space.trial->reset(view);
  else space.trial.emplace(view);
  return *space.trial;
}

template <resource_model M, class Options>
void answer_on_overlay(overlay<M>& view, workspace<M>& space, const Options& options) {
  const trial_scope<M> scope{view};
  give_set_asides(view, space.demand.group->id);
  answer_demand(view, [&]() -> overlay<M>& { return view; }, space, options);
}

template <resource_model M, class Options>
void answer_on_snapshot(const snapshot<M>& view, workspace<M>& space, const Options& options) {
  if (view.anything_set_aside(space.demand.group->id)) {
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

/// Puts the demand of a group in the cluster into the workspace; false if one of its waiting members asks something
/// else than its set: it would be seated as what it is not.
template <resource_model M>
[[nodiscard]] bool take_record(const snapshot<M>& view, const group_record<M>& group, workspace<M>& space) {
  start_answer(space.answer);
  space.demand.from_members(view, group);
  if (!space.demand.odd) return true;
  space.answer.verdict = verdict::invalid;
  space.answer.reason = refusal_reason::members_differ;
  space.answer.odd = space.demand.odd;
  space.answer.group = group.id;
  for (const set_demand& set : space.demand.sets) space.answer.pending += set.pending;
  return false;
}

/// The same of a group by its id; false, too, if it is not known.
template <resource_model M>
[[nodiscard]] bool take_members(const snapshot<M>& view, group_id id, workspace<M>& space) {
  if (const group_record<M>* group = view.group(id)) return take_record(view, *group, space);
  start_answer(space.answer);
  space.answer.verdict = verdict::hold;
  space.answer.reason = refusal_reason::group_unknown;
  space.answer.group = id;
  return false;
}

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
