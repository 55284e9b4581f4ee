// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_CORE_AMOUNT_HPP
#define MUSTER_CORE_AMOUNT_HPP

/// \file
/// Amounts and counts, and the arithmetic that may not wrap.
///
/// An amount is a signed 64-bit integer in the smallest unit of its resource (milli-CPU, MiB, milli-GPU).
/// A single amount that enters the model lies in [0, max_amount]; a node holds at most
/// max_pods_per_node pods. Their product is at most 2^62, so no sum over one node can overflow and the
/// bookkeeping needs no check. Sums over a whole group or cluster can, and use `saturating_*`: a demand
/// that saturates still exceeds every capacity, so a comparison decided by it is right.

#include <muster/core/config.hpp>

#include <cstdint>
#include <limits>

namespace muster::inline MUSTER_ABI {

using amount = std::int64_t;
using pod_count = std::int64_t;

inline constexpr amount max_amount = amount{1} << 48;
inline constexpr pod_count max_pods_per_node = pod_count{1} << 14;
inline constexpr pod_count max_pods_per_group = pod_count{1} << 31;

[[nodiscard]] constexpr bool is_valid_amount(amount value) noexcept { return value >= 0 && value <= max_amount; }

/// a + b, held at the ends of the 64-bit range.
[[nodiscard]] constexpr amount saturating_add(amount a, amount b) noexcept {
  constexpr amount top = std::numeric_limits<amount>::max();
  constexpr amount bottom = std::numeric_limits<amount>::min();
  if (b > 0 && a > top - b) return top;
  if (b < 0 && a < bottom - b) return bottom;
  return a + b;
}

/// a * b for non-negative a and b, held at the top of the 64-bit range.
[[nodiscard]] constexpr amount saturating_multiply(amount a, amount b) noexcept {
  constexpr amount top = std::numeric_limits<amount>::max();
  if (a == 0 || b == 0) return 0;
  return a > top / b ? top : a * b;
}

/// Quotient of a non-negative `a` by a positive `b`, rounded up.
[[nodiscard]] constexpr amount divide_up(amount a, amount b) noexcept { return a / b + (a % b != 0 ? 1 : 0); }

/// Pairs of a non-negative number of things, held at the largest amount.
[[nodiscard]] constexpr amount pairs_of(amount n) noexcept {
  return n < 2 ? 0 : n % 2 == 0 ? saturating_multiply(n / 2, n - 1) : saturating_multiply(n, (n - 1) / 2);
}

/// Division by one number many times: exact quotients from one multiplication.
///
/// The reciprocal floor((2^64 - 1) / d) gives an estimate that is the quotient or one less for every
/// dividend below 2^63; one comparison corrects it. On hardware with a slow 64-bit divider this is several
/// times faster than `/`, and it is exact.
class divisor {
 public:
  constexpr divisor() noexcept = default;

  /// \pre d >= 1
  constexpr explicit divisor(amount d) noexcept
      : divisor_{static_cast<std::uint64_t>(d)}, reciprocal_{std::numeric_limits<std::uint64_t>::max() / divisor_} {}

  /// floor(x / d). \pre x >= 0
  [[nodiscard]] constexpr amount quotient(amount x) const noexcept {
    const auto u = static_cast<std::uint64_t>(x);
    std::uint64_t q = high_product(u, reciprocal_);
    if (u - q * divisor_ >= divisor_) ++q;
    return static_cast<amount>(q);
  }

  [[nodiscard]] constexpr amount value() const noexcept { return static_cast<amount>(divisor_); }

 private:
  [[nodiscard]] static constexpr std::uint64_t high_product(std::uint64_t a, std::uint64_t b) noexcept {
#if defined(__SIZEOF_INT128__)
    __extension__ using wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<wide>(a) * b) >> 64U);
#else
    const std::uint64_t a0 = a & 0xffffffffU, a1 = a >> 32U, b0 = b & 0xffffffffU, b1 = b >> 32U;
    const std::uint64_t middle = a1 * b0 + ((a0 * b0) >> 32U);
    const std::uint64_t low = a0 * b1 + (middle & 0xffffffffU);
    return a1 * b1 + (middle >> 32U) + (low >> 32U);
#endif
  }

  std::uint64_t divisor_ = 1;
  std::uint64_t reciprocal_ = std::numeric_limits<std::uint64_t>::max();
};

}  // namespace muster::inline MUSTER_ABI

#endif
