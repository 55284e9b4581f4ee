// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_CYCLE_DETAIL_TURN_HPP
#define MUSTER_CYCLE_DETAIL_TURN_HPP

/// \file
/// One group after another through the stages of a turn, and what is written down about each.

#include <muster/cluster/overlay.hpp>
#include <muster/core/config.hpp>
#include <muster/cycle/plan.hpp>
#include <muster/placement/place.hpp>
#include <muster/placement/set_asides.hpp>
#include <muster/quorum/gate.hpp>
#include <muster/resource/model.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>

namespace muster::inline MUSTER_ABI {

template <resource_model M>
struct schedule_space;

namespace cycle_detail {

[[nodiscard]] constexpr refusal_reason reason_of(gate_reason shut) noexcept {
  switch (shut) {
    case gate_reason::open: return refusal_reason::none;
    case gate_reason::group_unknown: return refusal_reason::group_unknown;
    case gate_reason::members_missing: return refusal_reason::members_missing;
    case gate_reason::set_missing: return refusal_reason::set_members_missing;
    case gate_reason::pod_gated: return refusal_reason::pod_gated;
  }
  return refusal_reason::none;
}

/// One turn under way: judges groups and writes down what to do about them.
template <resource_model M, class Stages>
struct turn {
  const snapshot<M>& view;
  schedule_space<M>& space;
  const Stages& stages;

  /// Adds an action to the plan; the reference holds until the next one.
  const action<M>& add(action<M> one) {
    one.computed_from = view.latest();
    one.tick = view.tick();
    one.id = identify(one, space.plan.seats_of(one), space.plan.pods_of(one), space.plan.set_asides_of(one));
    return space.plan.actions.emplace_back(std::move(one));
  }

  void add_unknown(group_id id) {
    action<M> to;
    to.group = id;
    shut({.verdict = verdict::hold, .reason = gate_reason::group_unknown}, to);
    add(std::move(to));
  }

  /// Says once that the groups from `first` on are not asked.
  void add_blocked(group_id by, group_id first, std::size_t groups) {
    action<M> to;
    to.group = first;
    to.decided_by = stage::order;
    to.verdict = verdict::undecided;
    to.reason = refusal_reason::behind_blocked;
    add(std::move(to));
    space.plan.blocked_by = by;
    space.plan.not_asked = groups;
  }

  /// Judges one group and says what to do about it; whether the groups behind it are tried.
  bool judge(const group_record<M>& group) {
    action<M> to;
    to.group = group.id;
    gate_answer passed;
    if (!may_try(group, to, passed)) return stages.go_on(add(std::move(to)));
    const placement_answer<M>& answer = stages.place(*space.on, group.id, space.placing, passed);
    to.verdict = answer.verdict;
    to.reason = answer.reason;
    to.pending = answer.pending;
    if (answer.fits()) {
      to.placed = answer.placed;
      if (answer.placed == 0) return stages.go_on(add(std::move(to)));  // nothing is pending: nothing to do
      return bind(group, answer, std::move(to));
    }
    to.pending += answer.placed;  // of an undecided answer: the best found is not bound
    to.lack = answer.lack;
    to.odd = answer.odd;
    if (answer.verdict == verdict::invalid) to.kind = action_kind::requeue;
    stages.refused(*space.on, group, answer, space.plan);
    return stages.go_on(add(std::move(to)));
  }

 private:
  /// Asks the stages before the placement; where one says no, `to` says why.
  bool may_try(const group_record<M>& group, action<M>& to, gate_answer& gate) const {
    if (to.odd = stages.inspect(view, group); to.odd) {
      to.kind = action_kind::requeue;
      to.decided_by = stage::inspect;
      to.verdict = verdict::invalid;
      to.reason = refusal_reason::members_differ;
      return false;
    }
    gate = stages.gate(view, group.id);
    if (!gate.open()) {
      shut(gate, to);
      return false;
    }
    to.admission_code = stages.admit(*space.on, group);
    if (to.admission_code != 0) {
      to.decided_by = stage::admit;
      to.verdict = verdict::hold;
      to.reason = refusal_reason::not_admitted;
      return false;
    }
    return true;
  }

  static void shut(const gate_answer& gate, action<M>& to) {
    to.decided_by = stage::gate;
    to.verdict = verdict::hold;
    to.gate = gate.reason;
    to.reason = reason_of(gate.reason);
    to.lack.needed = gate.needed;
    to.lack.seated = gate.have;
    to.lack.pod_set = static_cast<std::uint32_t>(gate.pod_set);
  }

  /// Takes the seats on the overlay and adds the bind, and behind it an unreserve of what it uses up.
  bool bind(const group_record<M>& group, const placement_answer<M>& answer, action<M> to) {
    to.kind = action_kind::bind;
    to.domain = answer.domain;
    hand_out_pods(group, answer, to);
    action<M> back;
    back.kind = action_kind::unreserve;
    back.group = group.id;
    back.verdict = answer.verdict;
    auto& kept = space.plan.set_asides;
    back.first_set_aside = static_cast<std::uint32_t>(kept.size());
    visit_used_set_asides(*space.on, group.id, std::span<const seat<M>>{answer.seats},
                          [&](const set_aside<M>& one, std::uint32_t) { kept.push_back(one.id); });
    back.set_asides = static_cast<std::uint32_t>(kept.size()) - back.first_set_aside;
    take_seats(*space.on, answer);
    const bool go_on = stages.go_on(add(std::move(to)));
    if (back.set_asides > 0) add(std::move(back));
    return go_on;
  }

  void hand_out_pods(const group_record<M>& group, const placement_answer<M>& answer, action<M>& to) {
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
    auto& next = space.next_member;
    next.resize(group.spec.pod_sets.size());
    for (std::size_t i = members.size(); i-- > 0;)
      if (const std::uint32_t s = std::get<0>(members[i]); s < next.size()) next[s] = i;
    for (const seat<M>& one : answer.seats)
      for (pod_count n = 0; n < one.count; ++n) plan.pods.push_back(std::get<2>(members[next[one.pod_set]++]));
    to.pods = static_cast<std::uint32_t>(plan.pods.size()) - to.first_pod;
  }
};

}  // namespace cycle_detail

}  // namespace muster::inline MUSTER_ABI

#endif
