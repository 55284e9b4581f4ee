// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_PLACE_HPP
#define MUSTER_PLACEMENT_PLACE_HPP

/// \file
/// Places one gang whole, or says why not.
///
/// *Enough* means every pod set at its minimum and the group at max(min_count, their sum) and at a legal size;
/// members that run or succeeded count. Seated are the set minima first, then up to enough in pod set order, then
/// extras up to the largest legal size that fits (unless `extras` is off). An earlier pod is moved for a later one
/// only where nothing else makes enough fit, or, with `largest`, to seat the most pods at a legal size. At least one
/// new pod must sit if any is pending.
///
/// The answer is exact under every constraint: required level, one device model, spread limits, legal sizes,
/// eligibility. For *alike* pods (one request, one set of eligible nodes, in one pod set or several) a count decides.
/// *Unlike* pods are seated greedily; where that fails, exact search finds a placement or a proof that there is none,
/// and only where its budget or one of the limits below ends it is the answer `undecided`. It is exact for every model
/// whose `hosts` is (resource/model.hpp).
///
/// *One device model*: the nodes on which pods of the group have devices have devices of one model. Pods that ask for
/// none may sit beside them on any node. Each domain (or the whole cluster) is tried once for every model of its nodes;
/// equally good ones in the order of their first nodes, so that the number of a model decides nothing.
///
/// Limits of exact search, so that its memory is bounded. Mixes of pods that a node hosts are made as they are asked
/// for, or all maximal ones are listed, each list once for alike nodes: at most 65,536 mixes in all. Of a domain under
/// a spread limit at most 4,096 mixes are listed, and its nodes times the pods it may take must not exceed 2^21. Search
/// keeps at most 2^20 states of what is still missing, each in 512 bits: 64 classes of alike pods with 127 each, or 32
/// with 32,767; more than 64 classes are not searched. Where one of these ends it the reason is `search_too_large`: a
/// greater budget does not help.
///
/// Members that already run pin the required domain and the device model, and count against spread limits; those that
/// are terminating do not. Capacity set aside for the group is free to it and to nobody else
/// (placement/set_asides.hpp).

#include <muster/cluster/overlay.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/answer.hpp>
#include <muster/placement/detail/answering.hpp>
#include <muster/placement/options.hpp>
#include <muster/placement/set_asides.hpp>
#include <muster/placement/workspace.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/pod_group.hpp>

#include <cstdint>
#include <span>
#include <utility>

namespace muster::inline MUSTER_ABI {

/// Decides where a group that is not in the cluster would sit: all its declared pods are pending.
///
/// \pre the snapshot is current
/// \return in `space`, until its next use: `fits` with seats; `wait`, `not_now`, `closed` or `never` with a proof;
///         `undecided` with the best found; `hold` (pods missing); `invalid` (the group's first fault)
/// \complexity alike pods: O(s k + nodes used + words skipped / 64) without a required level, O(open nodes of the
///             domains) with one. Unlike pods: that per pod set; where the greedy pass fails O(s n) a domain, and
///             search within the budget. One device model: a domain counts once a model, besides O(n) to find them. A
///             scoring function is asked once for every node that may host the pod and once a pod, O(log nodes) each.
///             Set-asides: O(log a) for each of the group's own, of a in all. A refusal counts the open nodes, 64 at
///             once where the index knows
/// \exceptions none of its own; what a filter or scorer throws passes through, an overlay as before. Allocates in
///             `space` only; any number of threads may ask one snapshot, each with its own workspace
/// \determinism a function of the view and the arguments; ties end in the host's keys
/// \see Kubernetes 1.37 (progress, extras); Volcano (minimum per role)
template <resource_model M, options_for<M> Options = place_options<>>
const placement_answer<M>& place(const snapshot<M>& view, const pod_group<M>& group, workspace<M>& space,
                                 const Options& options = {});

/// The same for a group in the cluster: its unscheduled members, beside those that already run.
/// \return besides: `hold` if the group is unknown; `invalid` if a waiting member asks something else than its pod set
///         (`members_differ`, the pod is named), or its running members do not share a domain of the required level
///         or the one device model (`domains_differ`, `models_differ`)
/// \complexity besides O(m log m) for its m members
template <resource_model M, options_for<M> Options = place_options<>>
const placement_answer<M>& place(const snapshot<M>& view, group_id group, workspace<M>& space,
                                 const Options& options = {});

/// The same on an overlay, which is used for trials and left as it was. Seats are not taken: see `take_seats`.
template <resource_model M, options_for<M> Options = place_options<>>
const placement_answer<M>& place(overlay<M>& view, const pod_group<M>& group, workspace<M>& space,
                                 const Options& options = {});
template <resource_model M, options_for<M> Options = place_options<>>
const placement_answer<M>& place(overlay<M>& view, group_id group, workspace<M>& space, const Options& options = {});

/// The same with an answer that owns its memory.
template <resource_model M, options_for<M> Options = place_options<>>
[[nodiscard]] placement_answer<M> place(const snapshot<M>& view, const pod_group<M>& group,
                                        const Options& options = {}) {
  workspace<M> space;
  place(view, group, space, options);
  return std::move(space.answer);
}
template <resource_model M, options_for<M> Options = place_options<>>
[[nodiscard]] placement_answer<M> place(const snapshot<M>& view, group_id group, const Options& options = {}) {
  workspace<M> space;
  place(view, group, space, options);
  return std::move(space.answer);
}

/// Takes the seats of a placement on an overlay, and off it what they use up of what was set aside for the group, so
/// that what is judged next sees them taken once. \see set_asides.hpp
/// \pre answer.fits(): the seats of an undecided answer are no gang; and nothing it rests on was taken since
/// \complexity O(seats), besides O(seats) for each set-aside of the group
template <resource_model M>
void take_seats(overlay<M>& on, const placement_answer<M>& answer) {
  MUSTER_ASSERT(answer.fits());
  visit_used_set_asides(on, answer.group, std::span<const seat<M>>{answer.seats},
                        [&](const set_aside<M>& kept, std::uint32_t position) { on.drop(kept, position); });
  for (const seat<M>& one : answer.seats) on.charge(one.position, one.grant, one.count);
}

// ---------------------------------------------------------------------------------------------------------------------

template <resource_model M, options_for<M> Options>
const placement_answer<M>& place(const snapshot<M>& view, const pod_group<M>& group, workspace<M>& space,
                                 const Options& options) {
  if (placement_detail::take_spec(view, group, space)) placement_detail::answer_on_snapshot(view, space, options);
  return space.answer;
}

template <resource_model M, options_for<M> Options>
const placement_answer<M>& place(const snapshot<M>& view, group_id group, workspace<M>& space, const Options& options) {
  if (placement_detail::take_members(view, group, space)) placement_detail::answer_on_snapshot(view, space, options);
  return space.answer;
}

template <resource_model M, options_for<M> Options>
const placement_answer<M>& place(overlay<M>& view, const pod_group<M>& group, workspace<M>& space,
                                 const Options& options) {
  if (placement_detail::take_spec(view.base(), group, space)) placement_detail::answer_on_overlay(view, space, options);
  return space.answer;
}

template <resource_model M, options_for<M> Options>
const placement_answer<M>& place(overlay<M>& view, group_id group, workspace<M>& space, const Options& options) {
  if (placement_detail::take_members(view.base(), group, space))
    placement_detail::answer_on_overlay(view, space, options);
  return space.answer;
}

}  // namespace muster::inline MUSTER_ABI

#endif
