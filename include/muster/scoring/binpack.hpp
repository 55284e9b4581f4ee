// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_SCORING_BINPACK_HPP
#define MUSTER_SCORING_BINPACK_HPP

/// \file
/// The node that is fullest after the pod, each resource by a weight of its own.
///
/// The weighted mean of (used + asked) / capacity over the resources that the pod asks and that have a weight; 0 where
/// one of them would be overfull. A resource the node has none of counts as 0 with its weight; one without weight, or
/// not asked, is left out. In millionths, each share and the mean rounded down.
/// \see Volcano, plugin binpack. The plugin's own weight is that of a composition (weighted_sum.hpp).

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/resource/model.hpp>
#include <muster/scoring/detail/shares.hpp>
#include <muster/scoring/score_value.hpp>
#include <muster/scoring/weights.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace muster::inline MUSTER_ABI {

template <dimensional_model M>
class binpack {
 public:
  using weight_list = std::array<std::int64_t, dimensions_of<M>>;
  static constexpr score_range range = share_range;

  /// Every dimension that adds up weighs 1, the others 0.
  constexpr binpack() noexcept {
    for (std::size_t d = 0; d < dimensions_of<M>; ++d) weights_[d] = M::adds_up(d) ? 1 : 0;
  }
  /// Weights out of range are held at its ends: see check_weights.
  constexpr explicit binpack(const weight_list& weights) noexcept {
    for (std::size_t d = 0; d < dimensions_of<M>; ++d) weights_[d] = weight_held(weights[d]);
  }

  /// \complexity O(dimensions) \exceptions none, allocates nothing
  [[nodiscard]] std::int64_t operator()(const typename M::state_type& left, const typename M::capacity_type& capacity,
                                        const typename M::request_type& request) const {
    std::array<amount, dimensions_of<M>> used{}, has{};
    weight_list weights{};
    scoring_detail::visit_asked<M>(left, capacity, request, [&](std::size_t d, amount all, amount rest) {
      used[d] = all - rest;
      has[d] = all;
      weights[d] = weights_[d];
    });
    return scoring_detail::binpack_share(used, has, weights, whole_share);
  }

 private:
  weight_list weights_{};
};

}  // namespace muster::inline MUSTER_ABI

#endif
