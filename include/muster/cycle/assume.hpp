// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_CYCLE_ASSUME_HPP
#define MUSTER_CYCLE_ASSUME_HPP

/// \file
/// Takes an action into the model before the host's deed is confirmed: a bind, and the unreserve behind it.

#include <muster/cluster/apply.hpp>
#include <muster/core/config.hpp>
#include <muster/core/time.hpp>
#include <muster/cycle/plan.hpp>
#include <muster/resource/model.hpp>

#include <cstddef>

namespace muster::inline MUSTER_ABI {

/// The changes that say the pods of a bind action have their nodes, each pod with its own part of the grant.
///
/// \param emit called with each change<M>, pod by pod; all carry revision `at`
/// \complexity O(pods of the action)
template <resource_model M, class Emit>
void for_each_placed(const plan<M>& of, const action<M>& bind, const group_record<M>& group, revision at, placing how,
                     time_point when, Emit&& emit) {
  const auto pods = of.pods_of(bind);
  std::size_t next = 0;
  for (const seat<M>& one : of.seats_of(bind)) {
    const auto& request = group.spec.pod_sets[one.pod_set].request;
    for (pod_count i = 0; i < one.count; ++i) {
      pod_placed<M> placed{pods[next++], one.node, how, {}, when};
      if constexpr (!M::grant_follows_from_request) placed.grant = M::part(one.grant, request, i);
      emit(change<M>{at, placed});
    }
  }
}

/// Of a bind, applies them with `placing::assumed`: the model has the whole gang placed, the host may bind at leisure.
/// Of an unreserve, drops the set-asides. Of any other action, nothing.
/// \complexity O(pods of the action)
template <resource_model M>
void assume(cluster<M>& model, const plan<M>& of, const action<M>& bind, revision at,
            time_point when = beginning_of_time) {
  if (bind.kind == action_kind::unreserve)
    for (const set_aside_id id : of.set_asides_of(bind)) apply(model, change<M>{at, set_aside_dropped{id}});
  if (bind.kind != action_kind::bind) return;
  const std::uint32_t slot = model.books().find_group(bind.group);
  MUSTER_ASSERT(slot != no_slot);
  for_each_placed(of, bind, model.books().groups[slot], at, placing::assumed, when,
                  [&](const change<M>& placed) { apply(model, placed); });
}

}  // namespace muster::inline MUSTER_ABI

#endif
