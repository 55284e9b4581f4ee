// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_QUORUM_GATE_HPP
#define MUSTER_QUORUM_GATE_HPP

/// \file
/// May the group be tried at all? The gate counts members, not capacity.
///
/// Rule (Kubernetes 1.37, section 2, flat form): a gang passes iff its unscheduled, assumed and assigned members
/// reach its minimum; pods created with a node count like any other. A basic group passes with one. Members that
/// succeeded count towards the minimum (the rest of a gang may go on), failed, lost and terminating ones do not. One
/// member with a scheduling gate holds the whole group, basic or gang.
///
/// Schedulers disagree on what still binds a pod that comes after its gang once ran; here it is an input (`matching`).
/// It binds the placement as well: the answer says whether the group is freed from its minimum, and a turn passes that
/// on. Who calls `place` without a turn says it himself (`place_options::once_enough`).

#include <muster/cluster/cluster.hpp>
#include <muster/cluster/overlay.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/verdict.hpp>
#include <muster/workload/member.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace muster::inline MUSTER_ABI {

/// Which members count towards the minimum. \see koordinator GangMatchPolicy
enum class matching : std::uint8_t {
  running_and_waiting,  ///< unscheduled, assumed and assigned ones, and those that succeeded (Kubernetes)
  only_waiting,         ///< those not yet scheduled, and those that succeeded; not those that run
  once_satisfied,       ///< as the first, and a group that once ran at its minimum is free for ever
};

enum class gate_reason : std::uint8_t {
  open,
  group_unknown,    ///< pods name a group nobody declared
  members_missing,  ///< fewer members than the minimum (M2)
  set_missing,      ///< fewer members of one pod set than its minimum
  pod_gated,        ///< a member has a scheduling gate
};

struct gate_answer {
  muster::verdict verdict = verdict::fits;  ///< fits = open, hold = shut
  gate_reason reason = gate_reason::open;
  pod_count have = 0;       ///< members that count
  pod_count needed = 0;     ///< the minimum
  std::size_t pod_set = 0;  ///< with set_missing: which one; `have` and `needed` are its own then
  bool freed = false;       ///< once_satisfied: it ran at its minimum, a placement is not to hold it to that either

  [[nodiscard]] constexpr bool open() const noexcept { return reason == gate_reason::open; }
  [[nodiscard]] constexpr pod_count missing() const noexcept { return needed > have ? needed - have : 0; }
};

[[nodiscard]] constexpr std::string_view name(gate_reason reason) noexcept {
  switch (reason) {
    case gate_reason::open: return "open";
    case gate_reason::group_unknown: return "group unknown";
    case gate_reason::members_missing: return "members missing";
    case gate_reason::set_missing: return "members of a pod set missing";
    case gate_reason::pod_gated: return "a pod is gated";
  }
  return "?";
}

namespace quorum_detail {
[[nodiscard]] constexpr pod_count counted(const member_counts& in, matching policy) noexcept {
  const pod_count waiting = in.unscheduled() + in.succeeded();
  return policy == matching::only_waiting ? waiting : waiting + in.scheduled();
}
}  // namespace quorum_detail

/// Decides whether a group has the members it needs to be tried.
///
/// \return open, or the reason with its numbers; a group that is not known is held, not failed
/// \complexity O(s); no allocation, no exceptions \determinism a function of the members' counts
/// \see Kubernetes 1.37 section 2; B08, B10, B11, B13 of the reports
template <resource_model M>
[[nodiscard]] gate_answer gate(const snapshot<M>& view, group_id id, matching policy = matching::running_and_waiting) {
  const group_record<M>* group = view.group(id);
  if (group == nullptr) return {verdict::hold, gate_reason::group_unknown, 0, 0, 0};
  const pod_count needed = minimum_pods(group->spec);
  const pod_count have = quorum_detail::counted(group->members, policy);
  if (group->gated > 0) return {verdict::hold, gate_reason::pod_gated, have, needed, 0};
  if (policy == matching::once_satisfied && group->once_satisfied())
    return {verdict::fits, gate_reason::open, have, needed, 0, true};
  if (have < needed) return {verdict::hold, gate_reason::members_missing, have, needed, 0};
  for (std::size_t s = 0; s < group->spec.pod_sets.size(); ++s) {
    const pod_count minimum = group->spec.pod_sets[s].minimum;
    const pod_count here = s < group->by_set.size() ? quorum_detail::counted(group->by_set[s], policy) : 0;
    if (here < minimum) return {verdict::hold, gate_reason::set_missing, here, minimum, s};
  }
  return {verdict::fits, gate_reason::open, have, needed, 0};
}

/// The same on an overlay: the members are those of its snapshot.
template <capacity_view View>
[[nodiscard]] gate_answer gate(const View& view, group_id id, matching policy = matching::running_and_waiting) {
  return gate(view.base(), id, policy);
}

}  // namespace muster::inline MUSTER_ABI

#endif
