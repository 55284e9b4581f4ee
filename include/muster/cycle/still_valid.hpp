// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_CYCLE_STILL_VALID_HPP
#define MUSTER_CYCLE_STILL_VALID_HPP

/// \file
/// May an action be carried out although the cluster has moved on?

#include <muster/cluster/change.hpp>
#include <muster/cluster/cluster.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/cycle/detail/keeps_together.hpp>
#include <muster/cycle/detail/seated_pods.hpp>
#include <muster/cycle/plan.hpp>
#include <muster/resource/model.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace muster::inline MUSTER_ABI {

/// Looks only at the pods and nodes of the action. Every pod still waits, without a gate, is of the group and of its
/// seat's pod set, and asks what that set asks. The nodes are present and open, and each is either untouched since or
/// still has exactly what the action takes, device by device, and a slot for each pod; what is set aside there for the
/// group is there for it. They are in one domain of the required level, where also the members are that run, within the
/// spread limits, and of one device model if the group keeps to one. An action that rests on no node is always valid.
///
/// Not looked at: the host's filter, what `inspect` asks of members beside their requests, and whether enough of the
/// group runs, if members beside these pods have ended.
///
/// \return false also if the group is gone, or its pod sets do not ask any more what the action gives them
/// \complexity O(pods + seats) while nothing was touched, else O(touched nodes x (seats + set-asides)) at worst; with a
///             required level, limits or one device model besides O(members + limits x seats log seats)
/// \exceptions none of its own
template <resource_model M>
[[nodiscard]] bool still_valid(const action<M>& what, const plan<M>& of, const snapshot<M>& view) {
  const auto seats = of.seats_of(what);
  if (seats.empty()) return true;
  const group_record<M>* group = view.group(what.group);
  if (group == nullptr) return false;
  const auto waits = [&](pod_id id, const seat<M>& on, pod_count) {
    const pod_record<M>* pod = view.pod(id);
    return pod != nullptr && pod->phase == phase::seen && view.group_of(*pod) == what.group &&
           cycle_detail::may_sit(*pod, group->spec, on.pod_set);
  };
  if (!cycle_detail::seats_match(of, what, group->spec) || !cycle_detail::visit_seated(of, what, waits)) return false;
  struct touched_node {
    node_id id;
    typename M::state_type left;
    pod_count slots;
  };
  std::vector<touched_node> touched;
  for (const seat<M>& one : seats) {
    const std::optional<std::uint32_t> position = view.find(one.node);
    if (!position || !view.open(*position)) return false;
    const auto& request = group->spec.pod_sets[one.pod_set].request;
    if (!M::covers(view.now(*position), one.grant, request, one.count)) return false;
    if (view.node(*position).touched <= what.tick) continue;
    auto where = std::find_if(touched.begin(), touched.end(), [&](const auto& entry) { return entry.id == one.node; });
    if (where == touched.end()) {
      where = touched.insert(touched.end(), {one.node, view.now(*position), view.pods_left(*position)});
      view.visit_set_asides(what.group, [&](const set_aside<M>& kept, std::uint32_t there) {
        if (there != *position) return;
        M::release(where->left, kept.grant);
        ++where->slots;
      });
    }
    where->slots -= one.count;
    if (!M::may_charge(where->left, one.grant) || where->slots < 0) return false;
    M::charge(where->left, one.grant);
  }
  return cycle_detail::keeps_together(view, *group, seats);
}

}  // namespace muster::inline MUSTER_ABI

#endif
