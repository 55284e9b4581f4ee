// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_SCORING_DETAIL_SHARES_HPP
#define MUSTER_SCORING_DETAIL_SHARES_HPP

/// \file
/// What the scorers that go by shares of a node have in common.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/resource/model.hpp>
#include <muster/scoring/score_value.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace muster::inline MUSTER_ABI::scoring_detail {

/// `part` of `all` on a scale up to `whole`, rounded toward 0; of amounts above 2^40 to within 1. A part is taken for
/// at most 2^42, which matters only of one that is several times all there is.
/// \pre all > 0, 0 < whole <= whole_share
[[nodiscard]] constexpr std::int64_t share_of(amount part, amount all, std::int64_t whole = whole_share) noexcept {
  while (all > amount{1} << 40) {  // so that the product stays below 2^63
    part /= 2;
    all /= 2;
  }
  return std::clamp(part, -(amount{1} << 42), amount{1} << 42) * whole / all;
}

/// Calls visit(dimension, what the node has when empty, what would be left after the pod) for what the pod asks.
template <dimensional_model M, class Visit>
void visit_asked(const typename M::state_type& left, const typename M::capacity_type& capacity,
                 const typename M::request_type& request, Visit&& visit) {
  const typename M::state_type empty = M::empty_node(capacity);
  for (std::size_t d = 0; d < dimensions_of<M>; ++d)
    if (const amount need = M::amount_needed(request, d); need > 0)
      visit(d, M::amount_left(empty, d), M::amount_left(left, d) - need);
}

/// Weighted mean of asked / capacity, each and all rounded down; 0 where something of weight is overfull. What there is
/// none of counts as 0 with its weight. \pre weights from 0 to 2^30
template <std::size_t Dimensions>
[[nodiscard]] constexpr std::int64_t binpack_share(const std::array<amount, Dimensions>& asked,
                                                   const std::array<amount, Dimensions>& capacity,
                                                   const std::array<std::int64_t, Dimensions>& weights,
                                                   std::int64_t whole) noexcept {
  std::int64_t sum = 0, weight = 0;
  for (std::size_t d = 0; d < Dimensions; ++d) {
    if (weights[d] == 0) continue;
    weight += weights[d];
    if (capacity[d] <= 0) continue;
    if (asked[d] > capacity[d]) return 0;
    sum += weights[d] * share_of(std::max<amount>(0, asked[d]), capacity[d], whole);
  }
  return weight > 0 ? sum / weight : 0;
}

}  // namespace muster::inline MUSTER_ABI::scoring_detail

#endif
