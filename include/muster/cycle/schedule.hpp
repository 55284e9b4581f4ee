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
/// What was set aside for a group is free to it; what its bind uses up is taken off the overlay, and planned as an
/// `unreserve` right behind the bind (placement/set_asides.hpp).
///
/// Pods of a bound group get their places by (rank, key) within a pod set, in the order of the seats.

#include <muster/cluster/overlay.hpp>
#include <muster/core/config.hpp>
#include <muster/cycle/detail/turn.hpp>
#include <muster/cycle/plan.hpp>
#include <muster/cycle/stages.hpp>
#include <muster/placement/workspace.hpp>
#include <muster/resource/model.hpp>

#include <algorithm>
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
  std::vector<group_id> asked;
  std::vector<std::tuple<std::uint32_t, std::uint32_t, pod_id>> members;
  std::vector<std::size_t> next_member;  // of each pod set
};

/// Decides a turn.
///
/// \param queue the groups that wait, in any order; one that is named twice is judged once
/// \return in `space`: first a wait for each group that is not known, by id; then an action a group in the order
///         judged, and behind a bind the `unreserve` of what it uses up. Where a group blocks those behind it, the first
///         of them has a last action, decided by `stage::order`, that stands for all: `blocked_by` and `not_asked` of
///         the plan say from where on and how many. They stay queued. A group is judged on what the turn took before
///         it: `explain` and the certificate of `place` speak of the snapshot alone
/// \complexity O(q log q) to read and order q groups, then the sum of the placements of those judged, plus O(m) to
///         inspect the m members of each and O(m log m) to hand out those of a bound one
/// \exceptions none of its own; what a stage throws passes through, nothing is changed
/// \determinism a function of the snapshot, the set of groups and the stages, whatever the order of `queue`, if
///         stages.order leaves no two groups equal, as the default does
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

template <resource_model M, class Stages>
const plan<M>& schedule(const snapshot<M>& view, std::span<const group_id> queue, schedule_space<M>& space,
                        const Stages& stages) {
  space.plan.clear();
  if (space.on) space.on->reset(view);
  else space.on.emplace(view);
  cycle_detail::turn<M, Stages> turn{view, space, stages};
  space.asked.assign(queue.begin(), queue.end());
  std::sort(space.asked.begin(), space.asked.end());
  space.asked.erase(std::unique(space.asked.begin(), space.asked.end()), space.asked.end());
  space.queue.clear();
  for (const group_id id : space.asked) {
    if (const group_record<M>* group = view.group(id)) space.queue.push_back(group);
    else turn.add_unknown(id);
  }
  const auto before = [&](const group_record<M>* a, const group_record<M>* b) { return stages.order(*a, *b); };
  if (!std::is_sorted(space.queue.begin(), space.queue.end(), before))
    std::stable_sort(space.queue.begin(), space.queue.end(), before);
  for (std::size_t i = 0; i < space.queue.size(); ++i) {
    if (turn.judge(*space.queue[i]) || i + 1 == space.queue.size()) continue;
    turn.add_blocked(space.queue[i]->id, space.queue[i + 1]->id, space.queue.size() - i - 1);
    break;
  }
  return space.plan;
}

}  // namespace muster::inline MUSTER_ABI

#endif
