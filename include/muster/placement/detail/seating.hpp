// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_SEATING_HPP
#define MUSTER_PLACEMENT_DETAIL_SEATING_HPP

/// \file
/// Seats alike pods: which nodes, in which order, how many on each.
///
/// The nodes come from the capacity index, so nodes that cannot host the pod are never looked at. In the order of the
/// index (fullest first) a node is filled before the next one is touched: after a pod it is the fullest that fits
/// still. Any other scorer is asked again for a node after each pod on it.

#include <muster/cluster/overlay.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/certificate.hpp>
#include <muster/placement/detail/spread.hpp>
#include <muster/resource/model.hpp>
#include <muster/scoring/score_value.hpp>
#include <muster/scoring/scorer.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

/// The levels of the index a request needs.
template <class View>
[[nodiscard]] auto levels_needed(const View& view, const typename View::model::request_type& request) {
  using M = typename View::model;
  level_vector<dimensions_of<M>> needed{};
  if constexpr (dimensions_of<M> > 0)
    for (std::size_t d = 0; d < dimensions_of<M>; ++d)
      needed[d] = view.base().index().level_needed(M::amount_needed(request, d), d);
  return needed;
}

/// Open nodes in the runs that may have room for the request, fullest first, until `visit` returns false.
template <class View, class Visit>
void visit_candidates(const View& view, const typename View::model::request_type& request, std::span<const run> runs,
                      Visit&& visit) {
  const auto& index = view.base().index();
  const auto needed = levels_needed(view, request);
  for (const std::uint8_t level : needed)
    if (level == 255) return;
  const auto read = [&view](std::size_t i) { return view.bits(i); };
  for (std::size_t level = needed[0]; level < index.leading_level_count(); ++level) {
    if (view.population(level) == 0) continue;
    for (const run& r : runs)
      if (!index.visit_level(read, level, needed, r.first, r.last,
                             [&](std::size_t p) { return visit(static_cast<std::uint32_t>(p)); }))
        return;
  }
}

/// Nodes in the runs that exist in a tense, with what they have left in it, until `visit` returns false.
template <class View, class Visit>
void visit_nodes(const View& view, tense when, std::span<const run> runs, Visit&& visit) {
  const auto& base = view.base();
  if (when == tense::empty_all) {
    for (const run& r : runs)
      for (std::uint32_t p = r.first; p < r.last; ++p)
        if (!visit(p, base.empty(p, true))) return;
    return;
  }
  const auto& index = base.index();
  const auto read = [&base](std::size_t i) { return base.bits(i); };
  for (std::size_t level = 0; level < index.leading_level_count(); ++level)
    for (const run& r : runs)
      if (!index.visit_level(read, level, {}, r.first, r.last, [&](std::size_t i) {
            const auto p = static_cast<std::uint32_t>(i);
            if (when == tense::now) return visit(p, view.now(p));
            if (when == tense::later) return visit(p, view.later(p));
            return visit(p, base.empty(p));
          }))
        return;
}

/// A node, and bit i set: the i-th of some pod sets may use it, or all of them may.
struct listed_node {
  std::uint32_t position = 0;
  std::uint64_t may = 0;
};

/// A node that may take pods, as a scorer sees it.
template <resource_model M>
struct candidate {
  std::int64_t score = 0;
  typename M::state_type left{};
  pod_count taken = 0;
  std::uint32_t position = 0;
  std::uint32_t turn = 0;  ///< which node it was in the order in which they got their first pod
};

/// How many pods were seated, and what a scoring function gave for them in sum.
struct seated_pods {
  pod_count pods = 0;
  std::int64_t score = 0;
};

/// Seats up to `limit` alike pods, fullest node first; `emit(position, count)` takes them, each node once. Uses up
/// `room`.
template <class View, class Emit, class M = typename View::model>
seated_pods seat_pods(const View& view, fullest_first, const typename M::request_type& request,
                      std::span<const run> runs, spread<M>& room, std::vector<candidate<M>>&, pod_count limit,
                      Emit&& emit) {
  if (limit <= 0) return {};
  const auto ready = prepare<M>(request);
  const bool free_spread = room.unlimited();
  pod_count left = limit;
  visit_candidates(view, request, runs, [&](std::uint32_t p) {
    pod_count here = M::count_fitting(view.now(p), ready, left);
    if (here > 0 && !free_spread) {
      here = room.room(p, here);
      room.add(p, here);
    }
    if (here > 0) emit(p, here);
    left -= here;
    return left > 0;
  });
  return {limit - left, 0};
}

/// The same by a scoring function: the best node for every single pod. Nodes are emitted in the order of their first
/// pods.
template <class View, class Scorer, class Emit, class M = typename View::model>
  requires scoring_function<Scorer, M>
seated_pods seat_pods(const View& view, const Scorer& scorer, const typename M::request_type& request,
                      std::span<const run> runs, spread<M>& room, std::vector<candidate<M>>& nodes, pod_count limit,
                      Emit&& emit) {
  const auto worse = [](const candidate<M>& a, const candidate<M>& b) {
    return a.score != b.score ? a.score < b.score : a.position > b.position;
  };
  const auto& base = view.base();
  nodes.clear();
  visit_candidates(view, request, runs, [&](std::uint32_t p) {
    if (M::fits(view.now(p), request))
      nodes.push_back({score_value(scorer(view.now(p), base.capacity(p), request)), view.now(p), 0, p, 0});
    return true;
  });
  // a heap, and behind it the nodes that are full
  auto end = nodes.end();
  std::make_heap(nodes.begin(), end, worse);
  seated_pods seated;
  std::uint32_t turns = 0;
  while (seated.pods < limit && end != nodes.begin()) {
    std::pop_heap(nodes.begin(), end, worse);
    candidate<M>& best = *--end;
    typename M::grant_type ignored{};
    if (room.room(best.position, 1) == 0 || M::allocate(best.left, request, 1, ignored) != 1) continue;
    if (!room.unlimited()) room.add(best.position, 1);
    if (best.taken++ == 0) best.turn = turns++;
    ++seated.pods;
    seated.score = saturating_add(seated.score, best.score);
    if (!M::fits(best.left, request)) continue;
    best.score = score_value(scorer(best.left, base.capacity(best.position), request));
    std::push_heap(nodes.begin(), ++end, worse);
  }
  std::sort(nodes.begin(), nodes.end(), [](const candidate<M>& a, const candidate<M>& b) {
    return (a.taken > 0) != (b.taken > 0) ? a.taken > 0 : a.turn < b.turn;
  });
  for (const candidate<M>& node : nodes) {
    if (node.taken == 0) break;
    emit(node.position, node.taken);
  }
  return seated;
}

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
