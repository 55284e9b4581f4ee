// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_SCORING_WEIGHTS_HPP
#define MUSTER_SCORING_WEIGHTS_HPP

/// \file
/// Weights of scores, and what is wrong with them.
///
/// A weight is a whole number from 0 to `max_score_weight`. One of 0 counts nothing; where all are 0 every candidate
/// scores 0, and the order of the candidates decides. A weight out of range is a fault that `check_weights` names; a
/// host that does not ask gets it held at the nearer end, so that no sum overflows.

#include <muster/core/config.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>

namespace muster::inline MUSTER_ABI {

inline constexpr std::int64_t max_score_weight = std::int64_t{1} << 30;

enum class score_fault : std::uint8_t {
  none,
  negative_weight,
  weight_too_large,  ///< above max_score_weight
  no_weight,         ///< there are weights, and all are 0
  empty_range,       ///< a scorer's highest score is not above its lowest
};

[[nodiscard]] constexpr std::string_view name(score_fault fault) noexcept {
  switch (fault) {
    case score_fault::none: return "none";
    case score_fault::negative_weight: return "a weight is below 0";
    case score_fault::weight_too_large: return "a weight is above the largest allowed";
    case score_fault::no_weight: return "all weights are 0";
    case score_fault::empty_range: return "a scorer's range is empty";
  }
  return "?";
}

/// The first thing that is wrong with some weights. No weights at all are none. \complexity O(weights)
[[nodiscard]] constexpr score_fault check_weights(std::span<const std::int64_t> weights) noexcept {
  bool any = weights.empty();
  for (const std::int64_t one : weights) {
    if (one < 0) return score_fault::negative_weight;
    if (one > max_score_weight) return score_fault::weight_too_large;
    any = any || one > 0;
  }
  return any ? score_fault::none : score_fault::no_weight;
}

/// A weight as it counts: held within its range.
[[nodiscard]] constexpr std::int64_t weight_held(std::int64_t weight) noexcept {
  return std::clamp<std::int64_t>(weight, 0, max_score_weight);
}

}  // namespace muster::inline MUSTER_ABI

#endif
