// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_SCORING_SCORE_VALUE_HPP
#define MUSTER_SCORING_SCORE_VALUE_HPP

/// \file
/// What a score may be, and the one whole number it is taken for. Higher is better.
///
/// Whole numbers are taken as they are; what 64 bits with a sign do not hold is held at their ends. Floating-point
/// numbers are taken in *millionths*, rounded toward 0, so that a share of 0.5 is what the scorers of this library call
/// 500,000; beyond the ends (about nine million million) they are held there, infinities too. NaN is the lowest score
/// there is, the same as minus infinity: a scorer that does not know never wins against one that does, and never turns
/// a yes into a no. Numbers nearer to each other than a millionth may become equal; a scorer to which that matters
/// multiplies first.
///
/// Sums of scores are held at the ends as well. A sum that was held is no longer exact, and then depends on the order
/// in which it was made, which the decisions fix.
///
/// The bits of a number are read, nothing is computed with it: the rule is the same under every rounding mode and
/// floating-point option of the compiler. A host that compiles its scorer as if there were no NaN (-ffast-math) must
/// not compute one; one that it was given is still recognised here. Numbers of other layouts (long ones of 80 or 128
/// bits) are refused by the concept: the host rounds them itself.

#include <muster/core/config.hpp>

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace muster::inline MUSTER_ABI {

/// Scores from `least` to `most`.
struct score_range {
  std::int64_t least = 0, most = 0;
  friend constexpr bool operator==(const score_range&, const score_range&) = default;
};
/// The common scale: a share in millionths.
inline constexpr std::int64_t whole_share = 1'000'000;
inline constexpr score_range share_range{0, whole_share};

inline constexpr std::int64_t lowest_score = std::numeric_limits<std::int64_t>::min();
inline constexpr std::int64_t highest_score = std::numeric_limits<std::int64_t>::max();

namespace scoring_detail {
/// A number of 32 or 64 bits laid out as IEC 60559 says. `is_iec559` does not tell: -ffast-math makes it false.
template <class T>
concept binary_number =
    std::floating_point<T> && std::numeric_limits<T>::radix == 2 &&
    std::numeric_limits<T>::digits == (sizeof(T) == 4 ? 24 : sizeof(T) == 8 ? 53 : 0);

/// m / 2^s in millionths, rounded down and held at the highest score. \pre m < 2^53
[[nodiscard]] constexpr std::int64_t in_millionths(std::uint64_t m, int s) noexcept {
  constexpr std::uint64_t million = 1'000'000, top = static_cast<std::uint64_t>(highest_score);
  if (s >= 20) {
    const std::uint64_t low = m % (1U << 20U);
    const std::uint64_t scaled = (m >> 20U) * million + (low * million >> 20U);  // of m / 2^20: below 2^53
    return s < 20 + 64 ? static_cast<std::int64_t>(scaled >> static_cast<unsigned>(s - 20)) : 0;
  }
  if (static_cast<int>(std::bit_width(m)) - s > 44) return highest_score;  // 2^44 million are above 2^63
  const unsigned up = s < 0 ? static_cast<unsigned>(-s) : 0, down = s > 0 ? static_cast<unsigned>(s) : 0;
  const std::uint64_t rest = m % (std::uint64_t{1} << down);
  const std::uint64_t all = (m >> down << up) * million + (rest * million >> down);
  return static_cast<std::int64_t>(all < top ? all : top);
}
}  // namespace scoring_detail

/// What a scorer may return: a whole number, a floating-point number of 32 or 64 bits, or a type of the host's own that
/// becomes a 64-bit integer without loss.
template <class T>
concept score_number =
    std::integral<std::remove_cvref_t<T>> || scoring_detail::binary_number<std::remove_cvref_t<T>> ||
    (!std::is_arithmetic_v<std::remove_cvref_t<T>> && requires(const std::remove_cvref_t<T>& x) { std::int64_t{x}; });

/// A score as every decision of this library takes it. \complexity O(1) \exceptions what the conversion of the host's
/// own type throws; none of numbers \determinism a function of the bits
template <score_number T>
[[nodiscard]] constexpr std::int64_t score_value(const T& x) noexcept(std::is_arithmetic_v<T>) {
  using limits = std::numeric_limits<T>;
  if constexpr (std::integral<T>) {
    if constexpr (limits::digits > 63) {
      if (x > static_cast<T>(highest_score)) return highest_score;
      if constexpr (limits::is_signed)
        if (x < static_cast<T>(lowest_score)) return lowest_score;
    }
    return static_cast<std::int64_t>(x);
  } else if constexpr (scoring_detail::binary_number<T>) {
    using word = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    constexpr int fraction = limits::digits - 1, exponents = static_cast<int>(8 * sizeof(T)) - 1 - fraction;
    constexpr std::uint64_t largest = (std::uint64_t{1} << static_cast<unsigned>(exponents)) - 1;
    const std::uint64_t bits = std::bit_cast<word>(x), hidden = std::uint64_t{1} << static_cast<unsigned>(fraction);
    const bool below = (bits >> static_cast<unsigned>(fraction + exponents)) != 0;
    const std::uint64_t exponent = bits >> static_cast<unsigned>(fraction) & largest, part = bits % hidden;
    if (exponent == largest) return below || part != 0 ? lowest_score : highest_score;
    const int shift = static_cast<int>(largest / 2) + fraction - static_cast<int>(exponent == 0 ? 1 : exponent);
    const std::int64_t size = scoring_detail::in_millionths(exponent == 0 ? part : hidden + part, shift);
    if (below && size == highest_score) return lowest_score;
    return below ? -size : size;
  } else {
    return std::int64_t{x};
  }
}

}  // namespace muster::inline MUSTER_ABI

#endif
