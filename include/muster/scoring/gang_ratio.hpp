// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_SCORING_GANG_RATIO_HPP
#define MUSTER_SCORING_GANG_RATIO_HPP

/// \file
/// How much of what is free on some nodes a gang asks, and whether they look as if they held it.
///
/// The *ratio* of a gang and some nodes is the most, over the dimensions, of what its pods ask in sum by what the open
/// nodes have left in sum. The *test*: where all pods ask the same kinds of resources the nodes must hold as many pods
/// as there are of the *largest*, which asks in each dimension what the pod asks that asks most of it; where they do
/// not, the ratio must be at most one.
///
/// The test is a guess, both ways. The largest pod may be larger than any: two nodes of 8 hold two pods of 8, so the
/// gang of 8, 1 and 1 fails, though it fits. And a sum does not know nodes: what passes need not fit. It orders domains
/// and saves trials; what fits is for `place` to say. Needs that do not add up on a node count for the largest pod
/// only.
/// \see KAI scheduler, topology

#include <muster/cluster/domains.hpp>
#include <muster/cluster/overlay.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/resource/model.hpp>
#include <muster/scoring/detail/shares.hpp>
#include <muster/scoring/score_value.hpp>
#include <muster/workload/pod_group.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace muster::inline MUSTER_ABI {

/// What pods of a gang ask, dimension by dimension.
template <std::size_t Dimensions>
struct gang_ask {
  std::array<amount, Dimensions> sum{}, largest{};
  pod_count pods = 0;
  bool one_kind = true;  ///< all ask of the same dimensions
};

/// \param pods of each pod set \pre as many as the group has sets \complexity O(dimensions x s)
/// \exceptions none, allocates nothing
template <dimensional_model M>
[[nodiscard]] gang_ask<dimensions_of<M>> ask_of(const pod_group<M>& group, std::span<const pod_count> pods) {
  gang_ask<dimensions_of<M>> all;
  const pod_set<M>* first = nullptr;
  for (std::size_t s = 0; s < pods.size(); ++s) {
    if (pods[s] <= 0) continue;
    const pod_set<M>& set = group.pod_sets[s];
    if (first == nullptr) first = &set;
    all.pods = saturating_add(all.pods, pods[s]);
    for (std::size_t d = 0; d < dimensions_of<M>; ++d) {
      const amount need = std::max<amount>(0, M::amount_needed(set.request, d));
      if (M::adds_up(d)) all.sum[d] = saturating_add(all.sum[d], saturating_multiply(need, pods[s]));
      all.largest[d] = std::max(all.largest[d], need);
      all.one_kind = all.one_kind && (need > 0) == (M::amount_needed(first->request, d) > 0);
    }
  }
  return all;
}

/// How many of the largest pod the open ones of some nodes hold. \complexity O(nodes x dimensions)
template <capacity_view View, class M = typename View::model>
  requires dimensional_model<M>
[[nodiscard]] pod_count room_for_largest(const View& view, std::span<const run> nodes,
                                         const gang_ask<dimensions_of<M>>& asked) {
  pod_count room = 0;
  for (const run& some : nodes)
    for (std::uint32_t p = some.first; p < some.last; ++p) {
      if (!view.base().open(p)) continue;
      pod_count here = std::max<pod_count>(0, view.pods_left(p));
      for (std::size_t d = 0; d < dimensions_of<M>; ++d) {
        const amount left = std::max<amount>(0, M::amount_left(view.now(p), d));
        if (asked.largest[d] == 0) continue;
        if (M::adds_up(d)) here = std::min(here, left / asked.largest[d]);
        else if (left < asked.largest[d]) here = 0;
      }
      room = saturating_add(room, here);
    }
  return room;
}

struct gang_ratio {
  std::int64_t share = 0;  ///< the ratio in millionths, rounded down; highest_score where something asked is not there
  bool passes = true;      ///< the test
};

/// \complexity O(nodes x dimensions) \exceptions none, allocates nothing \determinism a function of the view's amounts
template <capacity_view View, class M = typename View::model>
  requires dimensional_model<M>
[[nodiscard]] gang_ratio ratio_in(const View& view, std::span<const run> nodes,
                                  const gang_ask<dimensions_of<M>>& asked) {
  std::array<amount, dimensions_of<M>> free{};
  for (const run& some : nodes)
    for (std::uint32_t p = some.first; p < some.last; ++p)
      for (std::size_t d = 0; d < dimensions_of<M> && view.base().open(p); ++d)
        free[d] = saturating_add(free[d], std::max<amount>(0, M::amount_left(view.now(p), d)));
  gang_ratio found;
  for (std::size_t d = 0; d < dimensions_of<M>; ++d) {
    if (asked.sum[d] == 0) continue;
    found.passes = found.passes && asked.sum[d] <= free[d];
    found.share =
        std::max(found.share, free[d] == 0 ? highest_score : scoring_detail::share_of(asked.sum[d], free[d]));
  }
  if (asked.one_kind) found.passes = room_for_largest(view, nodes, asked) >= asked.pods;
  return found;
}

}  // namespace muster::inline MUSTER_ABI

#endif
