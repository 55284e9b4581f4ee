// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_SCORING_BALANCED_ALLOCATION_HPP
#define MUSTER_SCORING_BALANCED_ALLOCATION_HPP

/// \file
/// The node whose resources are used up evenly.
///
/// 1 less the standard deviation of the allocated shares after the pod, over the resources the pod asks and the node
/// has: a node with its CPU gone and its memory idle can host nothing more. A share is at most 1. One resource alone,
/// or none, deviates by nothing.
///
/// In whole numbers: shares in millionths, rounded down; the deviation of these rounded down, too. The score is so
/// exact to within 2 millionths. Since a deviation is at most a half, no score is below 500,000; the range is
/// nevertheless the whole scale, on which Kubernetes weighs it.
///
/// Dimensions whose needs do not add up (the most left on one device) are no shares of a node and are left out.
/// Kubernetes also counts CPU and memory where a pod asks none of them. \see Kubernetes 1.37,
/// NodeResourcesBalancedAllocation

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/resource/model.hpp>
#include <muster/scoring/detail/shares.hpp>
#include <muster/scoring/score_value.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace muster::inline MUSTER_ABI {

namespace scoring_detail {
/// floor(square root of x). \pre 0 <= x < 2^62 \complexity 31 steps
[[nodiscard]] constexpr std::int64_t square_root(std::int64_t x) noexcept {
  std::int64_t root = 0;
  for (std::int64_t step = std::int64_t{1} << 30; step > 0; step /= 2)
    if (const std::int64_t next = root + step; next * next <= x) root = next;
  return root;
}
}  // namespace scoring_detail

template <dimensional_model M>
struct balanced_allocation {
  static_assert(dimensions_of<M> <= 1024, "the sum of squares would overflow");
  static constexpr score_range range = share_range;

  /// \complexity O(dimensions) \exceptions none, allocates nothing
  [[nodiscard]] std::int64_t operator()(const typename M::state_type& left, const typename M::capacity_type& capacity,
                                        const typename M::request_type& request) const {
    std::int64_t count = 0, sum = 0, squares = 0;
    scoring_detail::visit_asked<M>(left, capacity, request, [&](std::size_t d, amount all, amount rest) {
      if (all <= 0 || !M::adds_up(d)) return;
      const std::int64_t share = scoring_detail::share_of(std::clamp<amount>(all - rest, 0, all), all);
      ++count;
      sum += share;
      squares += share * share;
    });
    if (count < 2) return whole_share;
    // n^2 times the variance is n times the sum of squares less the square of the sum
    return whole_share - scoring_detail::square_root(count * squares - sum * sum) / count;
  }
};

}  // namespace muster::inline MUSTER_ABI

#endif
