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
#include <muster/cycle/detail/seated_pods.hpp>
#include <muster/cycle/plan.hpp>
#include <muster/resource/model.hpp>

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
[[nodiscard]] bool for_each_placed(const plan<M>& of, const action<M>& bind, const group_record<M>& group, revision at,
                                   placing how, time_point when, Emit&& emit) {
  if (!cycle_detail::seats_match(of, bind, group.spec)) return false;
  return cycle_detail::visit_seated(of, bind, [&](pod_id pod, const seat<M>& on, pod_count i) {
    pod_placed<M> placed{pod, on.node, how, {}, when};
    if constexpr (!M::grant_follows_from_request)
      placed.grant = M::part(on.grant, group.spec.pod_sets[on.pod_set].request, i);
    emit(change<M>{at, placed});
    return true;
  });
}

/// Of a bind, applies them with `placing::assumed`: the model has the whole gang placed, the host may bind at leisure.
/// Of an unreserve, drops the set-asides. Of any other action, nothing.
///
/// A bind may be `parked` although all is well: where a node has no slot for its pods before a set-aside goes that the
/// unreserve behind it names. Assume that too, and they are charged.
///
/// \param at the revision of the changes: above what was last heard of these pods, and below that of the confirmation
///        to come, which else is `stale`
/// \return the worst that became of its changes, in the order of the outcomes, and of equal ones the first: anything
///         but `applied` or `duplicate` means that the model does not hold what the plan says. `rejected` with
///         `no_such_group` or `bad_action` (also if one of the pods has ended, or is not any more what its seat was made
///         for: of the group and pod set, with the set's request, and without a gate): nothing changed
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
  const group_record<M>& group = model.books().groups[slot];
  const auto& pods = std::as_const(model).books().pods;
  const auto may_sit = [&](pod_id id, const seat<M>& on, pod_count) {
    const std::uint32_t p = model.books().find_pod(id);
    if (p == no_slot || pods[p].spec_at == never_seen) return true;  // its place is kept until it is heard of
    return pods[p].group == slot && cycle_detail::may_sit(pods[p], group.spec, on.pod_set);
  };
  if (!cycle_detail::seats_match(of, what, group.spec) || !cycle_detail::visit_seated(of, what, may_sit))
    return {apply_outcome::rejected, change_fault::bad_action, amount_fault::none};
  (void)for_each_placed(of, what, group, at, placing::assumed, when, take);
  return worst;
}

}  // namespace muster::inline MUSTER_ABI

#endif
