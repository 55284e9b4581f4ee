// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_CYCLE_SCHEDULE_HPP
#define MUSTER_CYCLE_SCHEDULE_HPP

/// \file
/// One whole turn over a queue of groups: order, inspect, gate, admit, place, plan.
///
/// The groups are judged one after another on one overlay, so each sees what the earlier ones of the turn took; a group
/// is planned whole or not at all. The snapshot is not changed: the plan is a proposal, and what the host makes of
/// it comes back through `apply`.
///
/// Pods of a bound group get their places by (rank, key) within a pod set, in the order of the seats.

#include <muster/cluster/overlay.hpp>
#include <muster/core/config.hpp>
#include <muster/cycle/plan.hpp>
#include <muster/cycle/stages.hpp>
#include <muster/placement/workspace.hpp>
#include <muster/resource/model.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI {

/// Memory to keep between turns. The plan lies in it until the next turn.
template <resource_model M>
struct schedule_space {
  muster::plan<M> plan;
  workspace<M> placing;

  // scratch
  std::optional<overlay<M>> on;
  std::vector<const group_record<M>*> queue;
  std::vector<std::tuple<std::uint32_t, std::uint32_t, pod_id>> members;
};

/// Decides a turn.
///
/// \param queue the groups that wait, in any order, each once; one that is not known is planned as a wait
/// \return in `space`: an action a group in the order judged; groups behind a blocking one are planned as waits for
///         order
/// \complexity O(q log q) to order q groups, then the sum of their placements, plus O(m) to inspect the m members of
///         each group that is judged and O(m log m) to hand out those of a bound one
/// \exceptions none of its own; what a stage throws passes through, nothing is changed
/// \determinism a function of the snapshot, the set of groups and the stages; the order of `queue` does not matter
///         to the default order
/// \see Kubernetes 1.37 section 4
template <resource_model M, class Stages = default_stages>
const plan<M>& schedule(const snapshot<M>& view, std::span<const group_id> queue, schedule_space<M>& space,
                        const Stages& stages = {});

/// The same with a plan that owns its memory.
template <resource_model M, class Stages = default_stages>
[[nodiscard]] plan<M> schedule(const snapshot<M>& view, std::span<const group_id> queue, const Stages& stages = {}) {
  schedule_space<M> space;
  schedule(view, queue, space, stages);
  return std::move(space.plan);
}

// ---------------------------------------------------------------------------------------------------------------------

namespace cycle_detail {

template <resource_model M>
void hand_out_pods(const snapshot<M>& view, const group_record<M>& group, const placement_answer<M>& answer,
                   schedule_space<M>& space, action<M>& to) {
  auto& plan = space.plan;
  to.first_seat = static_cast<std::uint32_t>(plan.seats.size());
  to.seats = static_cast<std::uint32_t>(answer.seats.size());
  plan.seats.insert(plan.seats.end(), answer.seats.begin(), answer.seats.end());
  to.first_pod = static_cast<std::uint32_t>(plan.pods.size());
  auto& members = space.members;
  members.clear();
  view.visit_members(group, [&](const pod_record<M>& pod) {
    if (pod.phase == phase::seen) members.emplace_back(pod.pod_set, pod.rank, pod.id);
  });
  std::sort(members.begin(), members.end());
  std::array<std::size_t, max_pod_sets> next{};
  for (std::size_t i = members.size(); i-- > 0;) next[std::get<0>(members[i])] = i;
  for (const seat<M>& one : answer.seats)
    for (pod_count n = 0; n < one.count; ++n) plan.pods.push_back(std::get<2>(members[next[one.pod_set]++]));
  to.pods = static_cast<std::uint32_t>(plan.pods.size()) - to.first_pod;
}

/// Judges one group and says what to do about it.
template <resource_model M, class Stages>
action<M> judge(const snapshot<M>& view, const group_record<M>& group, schedule_space<M>& space, const Stages& stages) {
  action<M> to;
  to.group = group.id;
  if (stages.inspect(view, group)) {
    to.kind = action_kind::requeue;
    to.decided_by = stage::inspect;
    to.verdict = verdict::invalid;
    return to;
  }
  const gate_answer gate = stages.gate(view, group.id);
  if (!gate.open()) {
    to.decided_by = stage::gate;
    to.verdict = verdict::hold;
    to.gate = gate.reason;
    to.reason = refusal_reason::members_missing;
    to.lack.needed = gate.needed;
    to.lack.seated = gate.have;
    return to;
  }
  to.admission_code = stages.admit(*space.on, group);
  if (to.admission_code != 0) {
    to.decided_by = stage::admit;
    to.verdict = verdict::not_now;
    return to;
  }
  const placement_answer<M>& answer = stages.place(*space.on, group.id, space.placing);
  to.verdict = answer.verdict;
  to.reason = answer.reason;
  to.placed = answer.placed;
  to.pending = answer.pending;
  if (answer.fits()) {
    if (answer.placed == 0) return to;  // nothing is pending: nothing to do
    to.kind = action_kind::bind;
    to.domain = answer.domain;
    hand_out_pods(view, group, answer, space, to);
    take_seats(*space.on, answer);
    return to;
  }
  to.lack = answer.lack;
  if (answer.verdict == verdict::invalid) to.kind = action_kind::requeue;
  stages.refused(*space.on, group, answer, space.plan);
  return to;
}

}  // namespace cycle_detail

template <resource_model M, class Stages>
const plan<M>& schedule(const snapshot<M>& view, std::span<const group_id> queue, schedule_space<M>& space,
                        const Stages& stages) {
  space.plan.clear();
  if (space.on) space.on->reset(view);
  else space.on.emplace(view);
  const auto add = [&](action<M> one) {
    one.computed_from = view.latest();
    one.tick = view.tick();
    one.id = identify(one, space.plan.seats_of(one));
    space.plan.actions.push_back(std::move(one));
  };
  space.queue.clear();
  for (const group_id id : queue) {
    if (const group_record<M>* group = view.group(id)) {
      space.queue.push_back(group);
      continue;
    }
    action<M> unknown;
    unknown.group = id;
    unknown.decided_by = stage::gate;
    unknown.verdict = verdict::hold;
    unknown.reason = refusal_reason::group_unknown;
    unknown.gate = gate_reason::group_unknown;
    add(unknown);
  }
  std::stable_sort(space.queue.begin(), space.queue.end(),
                   [&](const group_record<M>* a, const group_record<M>* b) { return stages.order(*a, *b); });
  bool blocked = false;
  for (const group_record<M>* group : space.queue) {
    if (blocked) {
      action<M> behind;
      behind.group = group->id;
      behind.decided_by = stage::admit;
      behind.verdict = verdict::not_now;
      add(behind);
      continue;
    }
    add(cycle_detail::judge(view, *group, space, stages));
    blocked = !stages.go_on(space.plan.actions.back());
  }
  return space.plan;
}

}  // namespace muster::inline MUSTER_ABI

#endif
