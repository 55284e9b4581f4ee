// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_CYCLE_DETAIL_SEATED_PODS_HPP
#define MUSTER_CYCLE_DETAIL_SEATED_PODS_HPP

/// \file
/// Which pod of an action has which seat, and whether it still is the pod that the seat was made for.

#include <muster/cluster/change.hpp>
#include <muster/cluster/cluster.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/cycle/plan.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/pod_group.hpp>

#include <cstddef>
#include <cstdint>

namespace muster::inline MUSTER_ABI::cycle_detail {

/// Whether the action has as many pods as its seats hold, and the group every pod set they name.
template <resource_model M>
[[nodiscard]] bool seats_match(const plan<M>& of, const action<M>& what, const pod_group<M>& group) {
  auto unseated = static_cast<pod_count>(of.pods_of(what).size());
  for (const seat<M>& one : of.seats_of(what)) {
    if (one.pod_set >= group.pod_sets.size() || one.count < 0 || one.count > unseated) return false;
    unseated -= one.count;
  }
  return unseated == 0;
}

/// Calls `visit(pod id, seat, i)`: the pod is the i-th on that seat. Ends early, with false, where the visit says false.
/// \pre seats_match
template <resource_model M, class Visit>
bool visit_seated(const plan<M>& of, const action<M>& what, Visit&& visit) {
  const auto pods = of.pods_of(what);
  std::size_t next = 0;
  for (const seat<M>& one : of.seats_of(what))
    for (pod_count i = 0; i < one.count; ++i)
      if (!visit(pods[next++], one, i)) return false;
  return true;
}

/// Whether a member has not ended, is of the seat's pod set, asks what that set asks, and is not held back by a gate.
template <resource_model M>
[[nodiscard]] bool may_sit(const pod_record<M>& member, const pod_group<M>& group, std::uint32_t pod_set) {
  return !is_terminal(member.phase) && !member.gated && member.pod_set == pod_set &&
         member.request == group.pod_sets[pod_set].request;
}

}  // namespace muster::inline MUSTER_ABI::cycle_detail

#endif
