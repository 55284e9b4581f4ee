// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_SCORING_DOMAIN_SCORE_HPP
#define MUSTER_SCORING_DOMAIN_SCORE_HPP

/// \file
/// How Kubernetes compares placements of one group: by how many of its pods sit, and by how full the nodes then are.
///
/// A *placement candidate* is a set of nodes, as a rule one domain of a level, and the pods that were placed there.
/// Each score is a whole number from 0 to 100; a candidate's total is the sum of weight times score, by default both
/// with weight 1. Only candidates that are feasible are scored, and one alone is taken without. Kubernetes draws one of
/// equal totals; a host that wants equal input to give equal output takes the first in label order.
///
/// Not taken over: that CPU and memory of pods without requests count as 100 milli and 200 MB.
/// \see Kubernetes 1.37: PodGroupPodsCount, NodeResourcesFit for placements; the design's number of placements to try

#include <muster/cluster/domains.hpp>
#include <muster/cluster/overlay.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/resource/model.hpp>
#include <muster/scoring/detail/shares.hpp>
#include <muster/scoring/weights.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace muster::inline MUSTER_ABI {

/// Score of a candidate with `pods` members, scheduled before and newly placed, of the whole subtree where groups nest;
/// the best candidate has `most`.
/// \return nothing where no candidate has any: there is nothing to compare
/// \pre 0 <= pods <= most <= 2^56 \complexity O(1)
[[nodiscard]] constexpr std::optional<std::int64_t> pods_count_score(pod_count pods, pod_count most) noexcept {
  if (most <= 0) return std::nullopt;
  return pods * 100 / most;
}

/// What pods ask of the nodes of a candidate, and what those nodes have, dimension by dimension. Dimensions whose needs
/// do not add up on a node (the most left on one device) have 0 of both, and are so left out of a score.
template <std::size_t Dimensions>
struct domain_use {
  std::array<amount, Dimensions> asked{}, capacity{};

  /// Adds pods that are not in the view that `use_of` was asked with: an overlay that took their seats has them.
  /// \param needs of one pod, `M::amount_needed` by dimension. A share of a device needs no idle one and adds nothing,
  ///        but once it runs its device is not idle and counts as asked: where shares matter take seats on an overlay
  constexpr void add(const std::array<amount, Dimensions>& needs, pod_count pods) noexcept {
    for (std::size_t d = 0; d < Dimensions; ++d)
      asked[d] = saturating_add(asked[d], saturating_multiply(std::max<amount>(0, needs[d]), pods));
  }
};

/// What is asked of some nodes now, and what they have but for sick devices, whether they are open or not and also
/// where nothing runs. What is set aside counts as asked.
/// \complexity O(nodes) \exceptions none, allocates nothing \determinism a function of the view
template <capacity_view View, class M = typename View::model>
  requires dimensional_model<M>
[[nodiscard]] domain_use<dimensions_of<M>> use_of(const View& view, std::span<const run> nodes) {
  domain_use<dimensions_of<M>> sum;
  for (const run& some : nodes)
    for (std::uint32_t p = some.first; p < some.last; ++p) {
      const typename M::state_type empty = view.base().empty(p);
      for (std::size_t d = 0; d < dimensions_of<M>; ++d) {
        if (!M::adds_up(d)) continue;
        const amount all = M::amount_left(empty, d);
        sum.capacity[d] = saturating_add(sum.capacity[d], all);
        sum.asked[d] = saturating_add(sum.asked[d], all - M::amount_left(view.now(p), d));
      }
    }
  return sum;
}

/// Weighted mean over the dimensions of what is asked in % of what is there, at most 100 each, all rounded down (of
/// amounts from 2^56 on to within 1).
/// \param weights out of range are held at its ends (weights.hpp). A dimension that the nodes have nothing of is left
///        out, as is one of weight 0: give 0 to resources other than CPU and memory that no pod of the group asks
/// \return 0 where every dimension is left out \complexity O(dimensions)
template <std::size_t Dimensions>
[[nodiscard]] constexpr std::int64_t resource_fit_score(const domain_use<Dimensions>& use,
                                                        const std::array<std::int64_t, Dimensions>& weights) noexcept {
  std::int64_t sum = 0, weight = 0;
  for (std::size_t d = 0; d < Dimensions; ++d) {
    amount all = use.capacity[d];
    const std::int64_t weighs = weight_held(weights[d]);
    if (all <= 0 || weighs == 0) continue;
    amount asked = std::clamp<amount>(use.asked[d], 0, all);
    while (all >= amount{1} << 56) {  // so that a hundred times as much is no overflow
      asked /= 2;
      all /= 2;
    }
    sum += weighs * (asked * 100 / all);
    weight += weighs;
  }
  return weight > 0 ? sum / weight : 0;
}

/// Weighted mean over the dimensions of what is asked as a share of what is there, each and all rounded down; 0 where
/// one that has a weight is overfull. Beside resource_fit_score: overfull is not just full, and what the nodes have
/// none of counts as 0 with its weight.
/// \param use with the pods added \param weights out of range are held at its ends (weights.hpp). One of 0 leaves a
///        dimension out: give it to what no pod asks
/// \param whole of a full domain: in % or, where domains nearly alike are told apart, in millionths
/// \return 0 to `whole`; 0 where every dimension is left out \pre 0 < whole <= whole_share \complexity O(dimensions)
/// \see Volcano, the score of a hypernode in network-topology-aware scheduling
template <std::size_t Dimensions>
[[nodiscard]] constexpr std::int64_t domain_binpack_score(const domain_use<Dimensions>& use,
                                                          std::array<std::int64_t, Dimensions> weights,
                                                          std::int64_t whole = 100) noexcept {
  for (std::int64_t& one : weights) one = weight_held(one);
  return scoring_detail::binpack_share(use.asked, use.capacity, weights, whole);
}

/// A candidate's total: the sum of weight times score. Weights out of range are held at its ends (weights.hpp), and so
/// is the sum; a score below 0 counts as 0. \pre as many weights as scores \complexity O(scores)
[[nodiscard]] constexpr std::int64_t total_score(std::span<const std::int64_t> scores,
                                                 std::span<const std::int64_t> weights) noexcept {
  MUSTER_ASSERT(scores.size() == weights.size());
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < scores.size() && i < weights.size(); ++i)
    sum = saturating_add(sum, saturating_multiply(weight_held(weights[i]), std::max<std::int64_t>(0, scores[i])));
  return sum;
}

/// After how many feasible candidates to stop looking, where a score compares them; without a score the first is taken.
/// This is what Kubernetes' design says; 1.37 itself tries all (percent = 100). So that no candidate is always passed
/// over, the caller shuffles them by a seed of its own.
/// \param candidates how many there are \param nodes of all candidates in sum, once for each that holds them
/// \param percent the user's own share of the candidates, if above 0; else max(5, 100 - 9 nodes / 500)
/// \return at least 1, at most max(1, candidates) \complexity O(1)
[[nodiscard]] constexpr std::int64_t candidates_to_find(std::int64_t candidates, std::int64_t nodes,
                                                        std::int64_t percent = 0) noexcept {
  const std::int64_t adaptive = 100 - saturating_multiply(std::max<std::int64_t>(0, nodes), 9) / 500;
  const std::int64_t share = percent > 0 ? percent : std::max<std::int64_t>(5, adaptive);
  if (share >= 100) return std::max<std::int64_t>(1, candidates);
  return std::max<std::int64_t>(1, saturating_multiply(std::max<std::int64_t>(0, candidates), share) / 100);
}

}  // namespace muster::inline MUSTER_ABI

#endif
