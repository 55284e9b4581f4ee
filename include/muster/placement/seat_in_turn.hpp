// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_SEAT_IN_TURN_HPP
#define MUSTER_PLACEMENT_SEAT_IN_TURN_HPP

/// \file
/// Seats pods one after another, each where a rule sends it, and never moves one again.
///
/// This is what the published greedy rules have in common: an order of the pods and a choice of the next one's node.
/// *First-fit* takes the first node of an order that has room, *next-fit* the first that does not stand before the node
/// of the pod before. What such a pass does not seat may still fit: ask place_by.hpp, which then asks `place`.
/// \see place_near.hpp, place_next_fit.hpp, place_fullest.hpp, place_buckets.hpp

#include <muster/cluster/overlay.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/answer.hpp>
#include <muster/placement/eligibility.hpp>
#include <muster/resource/model.hpp>
#include <muster/scoring/score_value.hpp>
#include <muster/scoring/scorer.hpp>
#include <muster/workload/pod_group.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI {

enum class fit_order : std::uint8_t { first_fit, next_fit };

/// Whether a node takes one more pod of a set: it is open, has a slot and room, and the filter allows it.
/// \pre a position of the view, a pod set of the group \complexity one question of the filter at most
template <capacity_view View, class Filter, class M = typename View::model>
  requires node_filter<Filter, M>
[[nodiscard]] bool takes_pod(const View& view, const pod_group<M>& group, std::uint32_t pod_set, std::uint32_t position,
                             const Filter& filter) {
  return view.base().open(position) && view.pods_left(position) > 0 &&
         M::fits(view.now(position), group.pod_sets[pod_set].request) && !is_outside(filter, position) &&
         filter(group, pod_set, view.base().kind(position)) == eligible_node;
}

/// What a scorer says of a pod on a node. Of fullest_first, which is an order and no function: less left of the leading
/// dimension is higher. \pre a position of the view \complexity one question of the scorer
template <capacity_view View, class Scorer, class M = typename View::model>
  requires node_scorer<Scorer, M>
[[nodiscard]] std::int64_t score_pod(const View& view, const typename M::request_type& request, std::uint32_t position,
                                     const Scorer& scorer) {
  if constexpr (!std::same_as<Scorer, fullest_first>)
    return score_value(scorer(view.now(position), view.base().capacity(position), request));
  else if constexpr (dimensional_model<M>) return -M::amount_left(view.now(position), 0);
  else return 0;
}

/// Pods in the order of their sets: so many of the first, then of the second. \complexity O(pods)
[[nodiscard]] inline std::vector<std::uint32_t> turns_by_set(std::span<const pod_count> pods) {
  std::vector<std::uint32_t> turns;
  for (std::size_t s = 0; s < pods.size(); ++s)
    turns.insert(turns.end(), static_cast<std::size_t>(pods[s]), static_cast<std::uint32_t>(s));
  return turns;
}

/// Seats pods until one has no place to go.
/// \param on what is taken stays taken: the caller's scope or savepoint gives it back
/// \param turns the pod set of each pod, in the order in which they are seated
/// \param choose (number of the turn) to a position, or no_position; it sees in `on` what was taken before
/// \param seats one for each pod that is seated, behind those that are there
/// \pre what is chosen takes the pod (takes_pod) \return how many are seated \complexity a choice a pod
/// \exceptions what `choose` throws, with `on` as it then is; allocates in `seats` and `on` only
template <resource_model M, class Choose>
  requires std::same_as<std::invoke_result_t<Choose&, std::size_t>, std::uint32_t>
std::size_t seat_in_turn(overlay<M>& on, const pod_group<M>& group, std::span<const std::uint32_t> turns,
                         Choose&& choose, std::vector<seat<M>>& seats) {
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const std::uint32_t position = choose(i);
    if (position == no_position) return i;
    seat<M> one;
    one.count = on.take(position, group.pod_sets[turns[i]].request, 1, one.grant);
    if (one.count == 0) return i;
    one.node = on.base().id(position);
    one.position = position;
    one.pod_set = turns[i];
    seats.push_back(std::move(one));
  }
  return turns.size();
}

/// Seats pods by first-fit or next-fit.
/// \param nodes positions, in the order in which they are asked
/// \return as seat_in_turn \complexity first-fit O(pods x nodes), next-fit O(pods + nodes)
/// \determinism a function of the arguments
template <resource_model M, node_filter<M> Filter>
std::size_t seat_in_order(overlay<M>& on, const pod_group<M>& group, std::span<const std::uint32_t> turns,
                          std::span<const std::uint32_t> nodes, fit_order order, const Filter& filter,
                          std::vector<seat<M>>& seats) {
  std::size_t from = 0;
  const auto choose = [&](std::size_t turn) {
    for (std::size_t n = from; n < nodes.size(); ++n) {
      if (!takes_pod(on, group, turns[turn], nodes[n], filter)) continue;
      if (order == fit_order::next_fit) from = n;
      return nodes[n];
    }
    return no_position;
  };
  return seat_in_turn(on, group, turns, choose, seats);
}

}  // namespace muster::inline MUSTER_ABI

#endif
