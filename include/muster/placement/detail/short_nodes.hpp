// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_SHORT_NODES_HPP
#define MUSTER_PLACEMENT_DETAIL_SHORT_NODES_HPP

/// \file
/// How many open nodes have too little of a dimension for one pod, and how many have no room for it.
///
/// A node whose level of a dimension is below the one the pod needs is short of it, one whose level is above is not;
/// so 64 nodes are counted at once, and only those at the very level are looked at. A node that holds all the pods it
/// may has no room, whatever else is left.

#include <muster/core/bits.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/answer.hpp>
#include <muster/placement/detail/counting.hpp>
#include <muster/placement/detail/query.hpp>
#include <muster/placement/detail/seating.hpp>
#include <muster/resource/model.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace muster::inline MUSTER_ABI::placement_detail {

/// Open nodes of the runs: in all, with too little of a dimension, and without room for one pod.
/// \complexity O(levels) where the leading dimension alone decides; else O(levels x words), and the nodes at a
///         needed level
template <class Query>
void count_short_nodes(Query& q, std::size_t s, std::uint32_t domain, shortage<typename Query::model>& lack) {
  using M = typename Query::model;
  const auto runs = q.runs_of(s, domain);
  const auto& request = q.request(s);
  const auto& view = q.view;
  const auto& index = view.base().index();
  const bool crowded = view.least_pods_left() <= 0;  // some node may hold all it may
  if constexpr (dimensions_of<M> > 0) {
    const bool whole = runs.size() == 1 && runs[0].first == 0 && runs[0].last == view.size();
    bool others = false;
    for (std::size_t d = 1; d < dimensions_of<M>; ++d) others = others || M::amount_needed(request, d) > 0;
    if (whole && !crowded && !others && index.leading_is_exact() && leading_decides<M>(request)) {
      const amount need = M::amount_needed(request, 0);
      for (std::size_t level = 0; level < index.leading_level_count(); ++level) {
        lack.open_nodes += view.population(level);
        if (static_cast<amount>(level) < need) lack.short_nodes[0] += view.population(level);
      }
      lack.full_nodes = lack.short_nodes[0];
      return;
    }
  }
  const auto ready = prepare<M>(request);
  const auto needed = levels_needed(view, request);
  const auto read = [&view](std::size_t i) { return view.bits(i); };
  const auto for_each = [](std::size_t w, std::uint64_t nodes, const auto& visit) {
    for (; nodes != 0; nodes &= nodes - 1)
      visit(static_cast<std::uint32_t>(w * 64 + static_cast<std::size_t>(std::countr_zero(nodes))), nodes & -nodes);
  };
  const auto count_word = [&](std::size_t level, std::size_t w, std::uint64_t nodes) {
    const auto all = count_bits(nodes);
    const auto count = [&](std::uint64_t some) {
      return some == 0 ? 0 : some == nodes ? all : count_bits(some);
    };
    lack.open_nodes += all;
    std::uint64_t full = 0;
    if constexpr (dimensions_of<M> > 0) {
      for (std::size_t d = 0; d < dimensions_of<M>; ++d) {
        const amount need = M::amount_needed(request, d);
        if (need <= 0) continue;
        std::uint64_t below = 0, at = 0;
        if (d == 0) {
          if (level < needed[0]) below = nodes;
          else if (level == needed[0] && !index.leading_is_exact()) at = nodes;
        } else {
          const std::uint64_t reach = nodes & index.reaching(read, d, needed[d], w);
          below = nodes & ~reach;
          at = reach & ~index.reaching(read, d, std::size_t{needed[d]} + 1, w);
        }
        for_each(w, at, [&](std::uint32_t p, std::uint64_t bit) {
          if (M::amount_left(view.now(p), d) < need) below |= bit;
        });
        lack.short_nodes[d] += count(below);
        full |= below;
      }
    }
    bool decided = !crowded;
    if constexpr (dimensional_model<M>) decided = decided && M::dimensions_decide;
    else decided = false;
    if (!decided)
      for_each(w, nodes & ~full, [&](std::uint32_t p, std::uint64_t bit) {
        if (M::count_fitting(view.now(p), ready, 1) == 0 || view.pods_left(p) <= 0) full |= bit;
      });
    lack.full_nodes += count(full);
    return true;
  };
  for (std::size_t level = 0; level < index.leading_level_count(); ++level) {
    if (view.population(level) == 0) continue;
    for (const run& r : runs)
      index.visit_words(read, level, r.first, r.last,
                        [&](std::size_t w, std::uint64_t nodes) { return count_word(level, w, nodes); });
  }
}

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
