// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_COUNTING_HPP
#define MUSTER_PLACEMENT_DETAIL_COUNTING_HPP

/// \file
/// Counts how many alike pods fit, without saying where.
///
/// From the populations of the index alone where the leading dimension decides; 64 nodes at once where the levels of
/// the others are sure to suffice; else node by node.

#include <muster/core/amount.hpp>
#include <muster/core/bits.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/detail/seating.hpp>
#include <muster/placement/detail/spread.hpp>
#include <muster/resource/model.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace muster::inline MUSTER_ABI::placement_detail {

inline constexpr pod_count countless = std::numeric_limits<pod_count>::max();

/// Whether count_sure_slots may be asked: a node takes as many pods as the scarcest of its dimensions has room for,
/// and the index knows the leading one exactly.
template <class View, class M = typename View::model>
[[nodiscard]] bool may_count_sure_slots(const View& view, const typename M::request_type& request) {
  if constexpr (!dimensional_model<M>) return false;
  else {
    if (!M::dimensions_decide || !view.base().index().leading_is_exact() || M::amount_needed(request, 0) <= 0)
      return false;
    for (std::size_t d = 0; d < dimensions_of<M>; ++d)
      if (!M::adds_up(d)) return false;
    return true;
  }
}

/// Of the dimensions but the leading one the levels from which on a node is sure to have enough for `each` pods.
template <class View, class M = typename View::model>
[[nodiscard]] auto sure_levels(const View& view, const typename M::request_type& request, pod_count each) {
  std::array<std::size_t, dimensions_of<M>> sure{};
  for (std::size_t d = 1; d < dimensions_of<M>; ++d)
    if (const amount need = M::amount_needed(request, d); need > 0)
      sure[d] = std::size_t{view.base().index().level_needed(saturating_multiply(need, each), d)} + 1;
  return sure;
}

/// Whether every node may hold more pods than its exact level of the leading dimension can stand for: how many it may
/// hold then limits no sure count.
template <class View>
[[nodiscard]] bool holds_sure_slots(const View& view) noexcept {
  return view.least_pods_left() >= static_cast<pod_count>(view.base().index().leading_level_count());
}

/// How many alike pods fit now, 64 nodes at once: where the levels of the other dimensions are sure to hold as many
/// pods as the leading one does, no node is looked at. Counted up to `limit`.
template <class View, class M = typename View::model>
[[nodiscard]] pod_count count_sure_slots(const View& view, const typename M::request_type& request,
                                         std::span<const run> runs, pod_count limit) {
  const auto& index = view.base().index();
  const auto ready = prepare<M>(request);
  const auto needed = levels_needed(view, request);
  const auto read = [&view](std::size_t i) { return view.bits(i); };
  pod_count sum = 0;
  for (std::size_t level = needed[0]; level < index.leading_level_count() && sum < limit; ++level) {
    if (view.population(level) == 0) continue;
    const pod_count each = static_cast<pod_count>(level) / M::amount_needed(request, 0);
    const auto sure = sure_levels(view, request, each);
    for (const run& r : runs)
      index.visit_words(read, level, r.first, r.last, [&](std::size_t w, std::uint64_t nodes) {
        for (std::size_t d = 1; d < dimensions_of<M>; ++d) nodes &= index.reaching(read, d, needed[d], w);
        std::uint64_t plenty = nodes;
        for (std::size_t d = 1; d < dimensions_of<M>; ++d) plenty &= index.reaching(read, d, sure[d], w);
        sum += each * count_bits(plenty);
        for (std::uint64_t rest = nodes & ~plenty; rest != 0; rest &= rest - 1)
          sum += M::count_fitting(
              view.now(static_cast<std::uint32_t>(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)))), ready,
              each);
        return sum < limit;
      });
  }
  return std::min(sum, limit);
}

/// How many alike pods fit in the runs in a tense, counted up to `limit`. Uses up `room`.
template <class View, class M = typename View::model>
[[nodiscard]] pod_count count_slots(const View& view, tense when, const typename M::request_type& request,
                                    std::span<const run> runs, spread<M>& room, pod_count limit) {
  if constexpr (dimensions_of<M> > 0)
    if (when == tense::now && room.unlimited() && may_count_sure_slots(view, request))
      return count_sure_slots(view, request, runs, limit);
  const auto ready = prepare<M>(request);
  pod_count sum = 0;
  const auto add = [&](std::uint32_t p, const typename M::state_type& left) {
    pod_count here = M::count_fitting(left, ready, limit - sum);
    if (here > 0 && !room.unlimited()) {
      here = room.room(p, here);
      room.add(p, here);
    }
    sum += here;
    return sum < limit;
  };
  if (when == tense::now) visit_candidates(view, request, runs, [&](std::uint32_t p) { return add(p, view.now(p)); });
  else visit_nodes(view, when, runs, add);
  return sum;
}

/// How many alike pods of no group fit in the runs now, with no more on a node than the pods it may still hold; counted
/// up to `limit`.
template <class View, class M = typename View::model>
[[nodiscard]] pod_count count_room(const View& view, const typename M::request_type& request, std::span<const run> runs,
                                   pod_count limit) {
  if constexpr (dimensions_of<M> > 0)
    if (may_count_sure_slots(view, request) && holds_sure_slots(view))
      return count_sure_slots(view, request, runs, limit);
  const auto ready = prepare<M>(request);
  pod_count sum = 0;
  visit_candidates(view, request, runs, [&](std::uint32_t p) {
    const pod_count most = std::min(limit - sum, view.pods_left(p));
    if (most > 0) sum += M::count_fitting(view.now(p), ready, most);
    return sum < limit;
  });
  return sum;
}

/// No more alike pods than this fit on the open nodes, read off the populations of the index; the number itself where
/// the leading dimension decides. Stops counting once `enough` is reached. \complexity O(levels)
template <class View, class M = typename View::model>
[[nodiscard]] pod_count population_bound(const View& view, const typename M::request_type& request, pod_count enough) {
  if constexpr (dimensions_of<M> == 0) {
    return countless;
  } else {
    const auto& index = view.base().index();
    const amount need = M::amount_needed(request, 0);
    if (!M::adds_up(0) || need <= 0 || !index.leading_is_exact()) return countless;
    pod_count bound = 0;
    for (std::size_t level = index.leading_level_count();
         level-- > static_cast<std::size_t>(std::min<amount>(need, 64));) {
      bound += static_cast<pod_count>(view.population(level)) * (static_cast<pod_count>(level) / need);
      if (bound >= enough) return bound;
    }
    return bound;
  }
}

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
