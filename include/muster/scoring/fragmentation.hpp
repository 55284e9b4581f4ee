// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_SCORING_FRAGMENTATION_HPP
#define MUSTER_SCORING_FRAGMENTATION_HPP

/// \file
/// Fragmentation of devices: how much of what is idle on a node the pods that are likely to come cannot use.
///
/// For one shape all that is left of a node's well devices is fragmented where the node does not take a pod of it, or
/// the shape asks for no device; else what is left of the devices that have too little for it. A node's fragmentation
/// is the mean over the shapes by their weights, as a rule how many pods of each came. *Fragmentation gradient descent*
/// (FGD) puts a pod where this grows least.
///
/// As published it also chooses the device for a share, and scores with `fragmentation_score`, whose rounding makes
/// many nodes equal. `least_loss` (node_value.hpp) over this value does neither: a pod gets the device that its model
/// gives.
///
/// Units: milli-devices times the sum of the weights, so that all is whole numbers. \see Weng et al., "Beware of
/// Fragmentation: Scheduling GPU-Sharing Workloads with Fragmentation Gradient Descent", USENIX ATC 2023

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/resource/model.hpp>
#include <muster/scoring/node_value.hpp>
#include <muster/scoring/pod_shape.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI {

template <model_with_shares M, shape_acceptance<M> Accepts = accepts_all>
class fragmentation {
 public:
  using model = M;

  /// \pre check_shapes(shapes) == shape_fault::none \complexity O(shapes), allocates
  explicit fragmentation(std::span<const weighted_shape<M>> shapes, Accepts accepts = {})
      : shapes_{shapes.begin(), shapes.end()}, accepts_{std::move(accepts)} {
    MUSTER_ASSERT(check_shapes(shapes) == shape_fault::none);
    for (const weighted_shape<M>& one : shapes_) weight_ += one.weight;
  }

  /// Sum of all weights.
  [[nodiscard]] std::int64_t weight() const noexcept { return weight_; }

  /// Milli-devices that are fragmented, times weight().
  /// \complexity O(shapes x devices) \exceptions what the acceptance throws; allocates nothing
  [[nodiscard]] std::int64_t of(const typename M::state_type& left, const typename M::capacity_type& capacity) const {
    const amount idle = M::milli_too_small(left, typename M::request_type{});
    if (idle == 0) return 0;
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      const weighted_shape<M>& one = shapes_[i];
      const bool takes = accepts_(capacity, i) && M::fits(left, one.request);
      sum += one.weight * (takes ? M::milli_too_small(left, one.request) : idle);
    }
    return sum;
  }
  /// The same as a value to be kept high.
  [[nodiscard]] std::int64_t value(const typename M::state_type& left,
                                   const typename M::capacity_type& capacity) const {
    return -of(left, capacity);
  }

 private:
  std::vector<weighted_shape<M>> shapes_;
  std::int64_t weight_ = 0;
  [[no_unique_address]] Accepts accepts_;
};

namespace scoring_detail {
/// 1000 ln(k / (100 - k)) for k = 51 .. 99, times 2^20, rounded up; for 100 - k it is the same, negated.
inline constexpr std::array<std::int64_t, 49> sigmoid_steps{
    41948634, 83930863, 125980442, 168131455, 210418476, 252876745, 295542354, 338452433,
    381645360, 425160982, 469040857, 513328520, 558069778, 603313034, 649109657, 695514398,
    742585856, 790387022, 838985896, 888456202, 938878223, 990339776, 1042937362, 1096777524,
    1151978480, 1208672070, 1267006132, 1327147384, 1389284992, 1453634997, 1520445870, 1590005586,
    1662650694, 1738778164, 1818861037, 1903469493, 1993299734, 2089214453, 2192300937, 2303956959,
    2426022060, 2560986485, 2712340366, 2885193893, 3087468048, 3332430974, 3644953660, 4080869361,
    4818332392};
}  // namespace scoring_detail

/// The published score of a placement: 100 / (1 + exp(-x / 1000)) rounded down, from 0 to 99, for a gain of x
/// milli-devices that are no longer fragmented. The curve's steps are a table, right to 2^-20 of a milli-device.
/// \param gain fragmentation before less after, in the unit of `fragmentation::of`
/// \param weight its weight(); where that is 0, nothing is known and every node scores 50
/// \pre weight <= 2^42 \complexity O(1)
[[nodiscard]] constexpr std::int64_t fragmentation_score(std::int64_t gain, std::int64_t weight) noexcept {
  using scoring_detail::sigmoid_steps;
  if (weight <= 0) return 50;
  constexpr unsigned bits = 20;
  const std::int64_t size = gain < 0 ? -gain : gain;
  const std::int64_t whole = std::min(size / weight, std::int64_t{1} << 40U);
  const std::int64_t scaled = (whole << bits) + ((size % weight) << bits) / weight;
  const auto passed = std::upper_bound(sigmoid_steps.begin(), sigmoid_steps.end(), scaled) - sigmoid_steps.begin();
  return gain < 0 ? 49 - passed : 50 + passed;
}

}  // namespace muster::inline MUSTER_ABI

#endif
