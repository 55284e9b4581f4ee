// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_CYCLE_PLAN_HPP
#define MUSTER_CYCLE_PLAN_HPP

/// \file
/// Decisions as data: what the host is to do, why, and what it rests on.
///
/// The library executes nothing. The host takes the actions in order, checks `still_valid` before each it did not
/// take at once, does it, and reports the outcome as a change (a bind as pod_placed or pod_unplaced, an eviction as
/// pod_terminating, a reservation as set_aside, giving it back as set_aside_dropped). A bind that uses up what was set
/// aside for its group is followed at once by the `unreserve` of that; in this order nobody else takes the room
/// between. The set of kinds is open: a host ignores kinds it does not know and the group stays queued.
///
/// An action's id is a hash of what it says and of the greatest revision it was computed from (`identify`): the same
/// for equal clusters, however their changes came, so that a plan made again is known again.
///
/// \complexity `identify` O(seats + pods) of the action; memory of a plan: that of its actions, seats and pods
/// \see Kubernetes 1.37 section 4 for the turn these stages follow

#include <muster/cluster/cluster.hpp>
#include <muster/cluster/uniformity.hpp>
#include <muster/core/config.hpp>
#include <muster/core/hash.hpp>
#include <muster/core/ids.hpp>
#include <muster/core/time.hpp>
#include <muster/core/verdict.hpp>
#include <muster/placement/answer.hpp>
#include <muster/quorum/gate.hpp>
#include <muster/resource/model.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace muster::inline MUSTER_ABI {

enum class action_id : std::uint64_t {};

enum class action_kind : std::uint8_t {
  bind,       ///< give every pod its node: the whole gang or nothing
  evict,      ///< take these pods off
  nominate,   ///< keep places for a group while victims leave
  reserve,    ///< set capacity aside for a group
  unreserve,  ///< give it back
  allow,      ///< let pods that wait at a permit barrier go
  wait,       ///< nothing to do until something changes
  wake,       ///< try the group again now
  requeue,    ///< put the group back: it cannot be tried as it is
};

[[nodiscard]] constexpr std::string_view name(action_kind kind) noexcept {
  switch (kind) {
    case action_kind::bind: return "bind";
    case action_kind::evict: return "evict";
    case action_kind::nominate: return "nominate";
    case action_kind::reserve: return "reserve";
    case action_kind::unreserve: return "unreserve";
    case action_kind::allow: return "allow";
    case action_kind::wait: return "wait";
    case action_kind::wake: return "wake";
    case action_kind::requeue: return "requeue";
  }
  return "?";
}

/// Which stage of a turn decided.
enum class stage : std::uint8_t {
  order,    ///< a group before this one blocks those behind it: it was not asked
  inspect,  ///< a pod disagrees with its group
  gate,     ///< members are missing, or gated
  admit,    ///< the host's admission said no
  place,    ///< what `place` answered
};

[[nodiscard]] constexpr std::string_view name(stage by) noexcept {
  switch (by) {
    case stage::order: return "order";
    case stage::inspect: return "inspect";
    case stage::gate: return "gate";
    case stage::admit: return "admit";
    case stage::place: return "place";
  }
  return "?";
}

template <resource_model M>
struct action {
  action_id id{};                      ///< a hash of what is to be done: equal input gives equal ids
  action_kind kind = action_kind::wait;
  stage decided_by = stage::place;
  group_id group{};
  muster::verdict verdict = verdict::undecided;
  refusal_reason reason = refusal_reason::none;
  gate_reason gate = gate_reason::open;
  std::optional<odd_pod> odd{};        ///< with `members_differ`: which pod disagrees with its group, and in what
  std::uint32_t admission_code = 0;    ///< the admission stage's reason, the host's number
  pod_count placed = 0;                ///< pods bound
  pod_count pending = 0;               ///< pods of the group left for later
  shortage<M> lack{};                  ///< why not, with numbers; of a shut gate the pods needed and there, and the set
  domain_path domain{};
  revision computed_from{};            ///< the greatest revision the model had taken
  std::uint64_t tick = 0;              ///< the cluster's tick then: what `still_valid` compares the nodes with
  std::uint32_t first_seat = 0, seats = 0;  ///< in the plan; their nodes are what the action rests on
  std::uint32_t first_pod = 0, pods = 0;    ///< in the plan, seat after seat
  std::uint32_t first_set_aside = 0, set_asides = 0;  ///< in the plan: what an `unreserve` gives back
};

template <resource_model M>
struct plan {
  std::vector<action<M>> actions;
  std::vector<seat<M>> seats;
  std::vector<pod_id> pods;
  std::vector<set_aside_id> set_asides;
  group_id blocked_by = no_group;      ///< the group that blocks those behind it; no_group if all were asked
  std::size_t not_asked = 0;           ///< groups behind it: the first has the plan's last action, the others none

  [[nodiscard]] std::span<const seat<M>> seats_of(const action<M>& of) const noexcept {
    return std::span{seats}.subspan(of.first_seat, of.seats);
  }
  /// Pods of the action in the order of its seats: the first seat's `count` pods, then the next seat's.
  [[nodiscard]] std::span<const pod_id> pods_of(const action<M>& of) const noexcept {
    return std::span{pods}.subspan(of.first_pod, of.pods);
  }
  /// What an `unreserve` gives back.
  [[nodiscard]] std::span<const set_aside_id> set_asides_of(const action<M>& of) const noexcept {
    return std::span{set_asides}.subspan(of.first_set_aside, of.set_asides);
  }
  /// The first action about a group, or nullptr.
  [[nodiscard]] const action<M>* about(group_id group) const noexcept {
    for (const action<M>& one : actions)
      if (one.group == group) return &one;
    return nullptr;
  }
  void clear() noexcept {
    actions.clear();
    seats.clear();
    pods.clear();
    set_asides.clear();
    blocked_by = no_group;
    not_asked = 0;
  }
};

/// The id of an action: what is done about which group, its pods, seats and set-asides, and from which revision. Not by
/// the tick: that counts how the changes came, in order or twice, and no decision depends on it.
template <resource_model M>
[[nodiscard]] action_id identify(const action<M>& of, std::span<const seat<M>> seats, std::span<const pod_id> pods,
                                 std::span<const set_aside_id> set_asides) {
  hasher hash;
  hash.add(static_cast<int>(of.kind))
      .add(number(of.group))
      .add(static_cast<int>(of.verdict))
      .add(static_cast<int>(of.reason))
      .add(number(of.computed_from));
  for (const seat<M>& one : seats) {
    hash.add(number(one.node)).add(one.pod_set).add(one.count);
    M::add_to_hash(hash, one.grant);
  }
  for (const pod_id one : pods) hash.add(number(one));
  for (const set_aside_id one : set_asides) hash.add(number(one));
  return action_id{hash.value()};
}

}  // namespace muster::inline MUSTER_ABI

#endif
