// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PREEMPTION_DETAIL_FIXED_POINT_HPP
#define MUSTER_PREEMPTION_DETAIL_FIXED_POINT_HPP

/// \file
/// Fixed-point numbers of the linear program.
///
/// A number is a 64-bit integer over a power of two that its owner states. Factors (what numbers are multiplied by) are
/// over 2^factor_bits. Products are taken in 128 bits, rounded to the nearest and held at +-number_limit, so nothing
/// overflows; a number at the limit is not to be trusted, see `in_range`.

#include <muster/core/config.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace muster::inline MUSTER_ABI::preemption_detail {

__extension__ using wide_int = __int128;

inline constexpr int factor_bits = 36;
inline constexpr std::int64_t factor_one = std::int64_t{1} << factor_bits;
inline constexpr std::int64_t number_limit = (std::int64_t{1} << 62) - 1;  // two of them add up without overflow

[[nodiscard]] constexpr std::int64_t held(wide_int number) noexcept {
  if (number > number_limit) return number_limit;
  return number < -number_limit ? -number_limit : static_cast<std::int64_t>(number);
}

/// Whether sums and differences of such numbers still say something.
[[nodiscard]] constexpr bool in_range(std::int64_t number) noexcept {
  return number < number_limit / 2 && number > -(number_limit / 2);
}

/// |number| of one within +-number_limit.
[[nodiscard]] constexpr std::int64_t magnitude(std::int64_t number) noexcept { return number < 0 ? -number : number; }

/// The sum of two numbers within +-number_limit, held there.
[[nodiscard]] constexpr std::int64_t plus(std::int64_t a, std::int64_t b) noexcept {
  const std::int64_t sum = a + b;
  if (sum > number_limit) return number_limit;
  return sum < -number_limit ? -number_limit : sum;
}
[[nodiscard]] constexpr std::int64_t minus(std::int64_t a, std::int64_t b) noexcept { return plus(a, -b); }

/// number - factor * times. \pre all within +-number_limit
[[nodiscard]] constexpr std::int64_t minus_product(std::int64_t number, std::int64_t factor,
                                                   std::int64_t times) noexcept {
  constexpr wide_int half = wide_int{1} << (factor_bits - 1);
  const wide_int product = static_cast<wide_int>(factor) * times + half;
  constexpr std::int64_t small = std::int64_t{1} << (factor_bits - 3);  // of the upper half: the result is below 2^61
  if (const auto upper = static_cast<std::int64_t>(product >> 64); upper < small && upper > -small)
    return minus(number, static_cast<std::int64_t>(product >> factor_bits));
  return held(number - (product >> factor_bits));
}

/// A sum of products of factors and numbers, rounded once. Thousands of terms of any size do not overflow it, as every
/// product is taken without its lowest 16 bits.
class product_sum {
 public:
  constexpr void add(std::int64_t factor, std::int64_t times) noexcept {
    sum_ += (static_cast<wide_int>(factor) * times) >> dropped;
  }
  [[nodiscard]] constexpr std::int64_t value() const noexcept {
    return held((sum_ + (wide_int{1} << (factor_bits - dropped - 1))) >> (factor_bits - dropped));
  }

 private:
  static constexpr int dropped = 16;
  wide_int sum_ = 0;
};

/// A quotient that many numbers are multiplied by: 62 significant bits whatever its size.
class ratio {
 public:
  ratio() = default;

  /// \pre both within +-number_limit, `below` not 0
  ratio(std::int64_t above, std::int64_t below) noexcept {
    const bool negative = (above < 0) != (below < 0);
    const auto a = static_cast<std::uint64_t>(magnitude(above)), b = static_cast<std::uint64_t>(magnitude(below));
    if (a == 0) return;
    // a / b lies in (2^(width a - width b - 1), 2^(width a - width b + 1))
    const int up = 61 + static_cast<int>(std::bit_width(b)) - static_cast<int>(std::bit_width(a));
    __extension__ using wide_count = unsigned __int128;
    const wide_count quotient = up >= 0 ? (static_cast<wide_count>(a) << up) / b
                                        : static_cast<wide_count>(a >> -up) / b;
    mantissa_ = static_cast<std::int64_t>(quotient);
    if (negative) mantissa_ = -mantissa_;
    down_ = up;
    small_ = up < 2 ? 0 : std::int64_t{1} << std::min(up - 1, 62);
  }

  /// The product with a number, over the number's own power of two. \pre number within +-number_limit
  [[nodiscard]] std::int64_t times(std::int64_t number) const noexcept {
    const wide_int product = static_cast<wide_int>(mantissa_) * number;
    if (number < small_ && number > -small_)  // the result is below 2^62
      return static_cast<std::int64_t>((product + (wide_int{1} << (down_ - 1))) >> down_);
    if (down_ <= 0) return held_shifted(product, -down_);
    return held((product + (wide_int{1} << (down_ - 1))) >> down_);
  }

 private:
  [[nodiscard]] static std::int64_t held_shifted(wide_int product, int up) noexcept {
    if (product == 0) return 0;
    const bool negative = product < 0;
    if (up > 62 || (negative ? -product : product) > (wide_int{number_limit} >> up))
      return negative ? -number_limit : number_limit;
    return static_cast<std::int64_t>(product * (wide_int{1} << up));
  }

  std::int64_t mantissa_ = 0;
  std::int64_t small_ = 0;
  int down_ = 1;
};

}  // namespace muster::inline MUSTER_ABI::preemption_detail

#endif
