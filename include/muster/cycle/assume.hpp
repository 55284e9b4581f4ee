// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_CYCLE_ASSUME_HPP
#define MUSTER_CYCLE_ASSUME_HPP

/// \file
/// Takes an action into the model before the host's deed is confirmed: a bind, and the unreserve behind it.

#include <muster/cluster/apply.hpp>
#include <muster/cluster/change.hpp>
#include <muster/cluster/cluster.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/core/time.hpp>
#include <muster/cycle/plan.hpp>
#include <muster/resource/model.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace muster::inline MUSTER_ABI {

/// The changes that say the pods of a bind action have their nodes, each pod with its own part of the grant.
///
/// \param emit called with each change<M>, pod by pod; all carry revision `at`
/// \return false, and nothing is emitted, if the action names pod sets that the group does not have (it may have
///         changed since), or not as many pods as its seats hold
/// \complexity O(pods of the action)
template <resource_model M, class Emit>
[[nodiscard]] bool for_each_placed(const plan<M>& of, const action<M>& bind, const group_record<M>& group, revision at, placing how,
                     time_point when, Emit&& emit) {
  const auto pods = of.pods_of(bind);
  auto unseated = static_cast<pod_count>(pods.size());
  for (const seat<M>& one : of.seats_of(bind)) {
    if (one.pod_set >= group.spec.pod_sets.size() || one.count < 0 || one.count > unseated) return false;
    unseated -= one.count;
  }
  if (unseated != 0) return false;
  std::size_t next = 0;
  for (const seat<M>& one : of.seats_of(bind)) {
    const auto& request = group.spec.pod_sets[one.pod_set].request;
    for (pod_count i = 0; i < one.count; ++i) {
      pod_placed<M> placed{pods[next++], one.node, how, {}, when};
      if constexpr (!M::grant_follows_from_request) placed.grant = M::part(one.grant, request, i);
      emit(change<M>{at, placed});
    }
  }
  return true;
}

/// Of a bind, applies them with `placing::assumed`: the model has the whole gang placed, the host may bind at leisure.
/// Of an unreserve, drops the set-asides. Of any other action, nothing.
///
/// \param at the revision of the changes: above what was last heard of these pods, and below that of the confirmation
///        to come, which else is `stale`
/// \return the worst that became of its changes, in the order of the outcomes, and of equal ones the first: anything
///         but `applied` or `duplicate` means that the model does not hold what the plan says. `rejected` with
///         `no_such_group` or `bad_action` (also if one of the pods has ended): nothing changed
/// \complexity O(pods of the action)
template <resource_model M>
[[nodiscard]] apply_result assume(cluster<M>& model, const plan<M>& of, const action<M>& what, revision at,
                                  time_point when = beginning_of_time) {
  apply_result worst;
  const auto take = [&](const change<M>& one) {
    const apply_result result = apply(model, one);
    if (result.outcome > worst.outcome) worst = result;
  };
  if (what.kind == action_kind::unreserve)
    for (const set_aside_id id : of.set_asides_of(what)) take({at, set_aside_dropped{id}});
  if (what.kind != action_kind::bind) return worst;
  const std::uint32_t slot = model.books().find_group(what.group);
  if (slot == no_slot || !model.books().groups[slot].present())
    return {apply_outcome::rejected, change_fault::no_such_group, amount_fault::none};
  const auto& pods = std::as_const(model).books().pods;
  for (const pod_id id : of.pods_of(what))
    if (const std::uint32_t p = model.books().find_pod(id); p != no_slot && is_terminal(pods[p].phase))
      return {apply_outcome::rejected, change_fault::bad_action, amount_fault::none};
  if (!for_each_placed(of, what, model.books().groups[slot], at, placing::assumed, when, take))
    return {apply_outcome::rejected, change_fault::bad_action, amount_fault::none};
  return worst;
}

}  // namespace muster::inline MUSTER_ABI

#endif
