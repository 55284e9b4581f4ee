// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_SET_ASIDES_HPP
#define MUSTER_PLACEMENT_SET_ASIDES_HPP

/// \file
/// What a set-aside means to a placement: the one place where the rule stands.
///
/// - What is set aside for a group is free to it, to any of its pods, wherever it is; to everybody else it is taken.
///   `place`, `verify`, `shortfall` and `still_valid` all count it so.
/// - A placement that is taken uses up what was kept for its pods, each set-aside whole or not at all, since it is one
///   object of the host's: all of its group on the nodes where it seats pods; then those elsewhere, in the order of
///   their ids, as long as the pods it seats of a pod set are not fewer than those the set-asides of that set were for.
/// - What is not used up is kept: for pods of the group still to come, until the host drops it or its time is over.
///
/// `take_seats` takes the used ones off an overlay, `schedule` plans them as one `unreserve` behind the bind.

#include <muster/cluster/change.hpp>
#include <muster/cluster/overlay.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/core/storage.hpp>
#include <muster/placement/answer.hpp>
#include <muster/workload/pod_group.hpp>

#include <algorithm>
#include <cstdint>
#include <span>

namespace muster::inline MUSTER_ABI {

/// Gives a group what is set aside for it, on an overlay. \complexity O(log a) each, of a set-asides in all
template <resource_model M>
void give_set_asides(overlay<M>& on, group_id group) {
  on.visit_set_asides(group, [&](const set_aside<M>& kept, std::uint32_t position) { on.drop(kept, position); });
}

/// Calls `visit(set_aside, position)` for the set-asides that a placement of the group uses up: those on its nodes
/// first, each lot in the order of ids. The visit may drop them.
/// \complexity O(seats) for each set-aside of the group; no allocation up to 64 pod sets
template <class View, class Visit, class M = typename View::model>
void visit_used_set_asides(const View& view, group_id group, std::span<const seat<M>> seats, Visit&& visit) {
  if (!view.base().anything_set_aside(group)) return;
  short_list<pod_count, 64> seated;  // of each pod set, without those for which something kept was counted
  const auto left = [&](std::uint32_t pod_set) -> pod_count& {
    if (pod_set >= seated.size()) seated.resize(pod_set + 1, 0);
    return seated[pod_set];
  };
  for (const seat<M>& one : seats) left(one.pod_set) += one.count;
  const auto is_taken = [&](std::uint32_t position) {
    return std::any_of(seats.begin(), seats.end(), [&](const seat<M>& one) { return one.position == position; });
  };
  view.visit_set_asides(group, [&](const set_aside<M>& kept, std::uint32_t position) {
    if (!is_taken(position)) return;
    left(kept.pod_set) -= kept.count;
    visit(kept, position);
  });
  view.visit_set_asides(group, [&](const set_aside<M>& kept, std::uint32_t position) {
    if (left(kept.pod_set) < kept.count || is_taken(position)) return;
    left(kept.pod_set) -= kept.count;
    visit(kept, position);
  });
}

}  // namespace muster::inline MUSTER_ABI

#endif
