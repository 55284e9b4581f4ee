// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_SCORING_WEIGHTED_SUM_HPP
#define MUSTER_SCORING_WEIGHTED_SUM_HPP

/// \file
/// Several node scorers as one: the weighted mean of their scores on a common scale.
///
/// A node scorer sees one node and not its rivals, so what is known for scaling its score is the *range* it states: a
/// member `range`. Each score is held within the range of its scorer and mapped to millionths of it; the mean of these
/// is again in millionths, so a sum can be part of a sum. For a scorer that states no range `ranged` does: what a node
/// may lose by `least_loss` the host knows from its value. Of a floating-point scorer the range is meant as it is after
/// score_value.
///
///     const weighted_sum score{weighted{balanced_allocation<M>{}, 1}, weighted{binpack<M>{}, 3}};
///
/// Where the rivals are known, of finished sets, the best of them is the scale: see domain_score.hpp. `fullest_first`
/// is an order and no score and cannot be part of a sum; most_allocated is the score nearest to it.

#include <muster/core/config.hpp>
#include <muster/scoring/score_value.hpp>
#include <muster/scoring/weights.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <tuple>
#include <utility>

namespace muster::inline MUSTER_ABI {

/// A score as a share of its range in millionths, rounded down; of ranges wider than 2^43 to within 1.
/// \return 0 where the range is empty, as below it \complexity O(1)
[[nodiscard]] constexpr std::int64_t normalised(std::int64_t score, score_range range) noexcept {
  if (range.least >= range.most) return 0;
  const auto zero = static_cast<std::uint64_t>(range.least);
  std::uint64_t above = static_cast<std::uint64_t>(std::clamp(score, range.least, range.most)) - zero;
  std::uint64_t width = static_cast<std::uint64_t>(range.most) - zero;
  while (width > std::uint64_t{1} << 43U) {
    above /= 2;
    width /= 2;
  }
  return static_cast<std::int64_t>(above * static_cast<std::uint64_t>(whole_share) / width);
}

/// A scorer that says within which scores it stays.
template <class S>
concept scorer_with_range = requires(const S& scorer) {
  { scorer.range } -> std::convertible_to<score_range>;
};

namespace scoring_detail {
template <class S, class Left, class Capacity, class Request>
concept scores = requires(const S& scorer, const Left& left, const Capacity& capacity, const Request& request) {
  { scorer(left, capacity, request) } -> score_number;
};
}  // namespace scoring_detail

/// A scorer with the range its caller knows. A score beyond it is taken for the nearer end.
template <class S>
struct ranged {
  S scorer;
  score_range range;

  constexpr ranged(S which, score_range within) : scorer{std::move(which)}, range{within} {}

  template <class Left, class Capacity, class Request>
    requires scoring_detail::scores<S, Left, Capacity, Request>
  [[nodiscard]] constexpr std::int64_t operator()(const Left& left, const Capacity& capacity,
                                                  const Request& request) const {
    const std::int64_t score = score_value(scorer(left, capacity, request));
    return score < range.least ? range.least : score > range.most ? range.most : score;
  }
};

template <scorer_with_range S>
struct weighted {
  S scorer;
  std::int64_t weight;

  constexpr explicit weighted(S which, std::int64_t weighs = 1) : scorer{std::move(which)}, weight{weighs} {}
};

/// The weighted mean of several scorers. Weights out of range are held at its ends, and a scorer with an empty range
/// scores 0 with its weight: `fault` names these.
template <scorer_with_range... Scorers>
class weighted_sum {
 public:
  static_assert(sizeof...(Scorers) >= 1 && sizeof...(Scorers) <= 1024, "a sum has 1 to 1024 parts");
  static constexpr score_range range = share_range;

  constexpr explicit weighted_sum(weighted<Scorers>... parts) : parts_{std::move(parts)...} {}

  /// The first thing that is wrong with weights or ranges.
  [[nodiscard]] constexpr score_fault fault() const noexcept {
    return std::apply(
        [](const weighted<Scorers>&... part) {
          const std::array<std::int64_t, sizeof...(Scorers)> weights{part.weight...};
          const score_fault found = check_weights(weights);
          if (found != score_fault::none) return found;
          const bool all_wide = ((score_range{part.scorer.range}.least < score_range{part.scorer.range}.most) && ...);
          return all_wide ? score_fault::none : score_fault::empty_range;
        },
        parts_);
  }

  /// \return 0 to whole_share; 0 where all weights are 0
  /// \complexity that of the parts of weight above 0, others are not asked \exceptions what a part throws
  template <class Left, class Capacity, class Request>
    requires(scoring_detail::scores<Scorers, Left, Capacity, Request> && ...)
  [[nodiscard]] constexpr std::int64_t operator()(const Left& left, const Capacity& capacity,
                                                  const Request& request) const {
    std::int64_t sum = 0, weight = 0;
    const auto add = [&](const auto& part) {
      const std::int64_t weighs = weight_held(part.weight);
      if (weighs == 0) return;
      sum += weighs * normalised(score_value(part.scorer(left, capacity, request)), part.scorer.range);
      weight += weighs;
    };
    std::apply([&](const weighted<Scorers>&... part) { (add(part), ...); }, parts_);
    return weight > 0 ? sum / weight : 0;
  }

 private:
  std::tuple<weighted<Scorers>...> parts_;
};

}  // namespace muster::inline MUSTER_ABI

#endif
