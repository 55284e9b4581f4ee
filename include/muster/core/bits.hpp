// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_CORE_BITS_HPP
#define MUSTER_CORE_BITS_HPP

/// \file
/// Sets of the numbers 0 to 63, kept as bits.

#include <muster/core/config.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace muster::inline MUSTER_ABI {

/// How many members a set has. Without the call that std::popcount is where the target has no instruction for it: sums
/// of neighbours, of pairs, of fours, and of all bytes by one multiplication (Knuth, TAOCP 4A, 7.1.3).
[[nodiscard]] constexpr std::uint32_t count_bits(std::uint64_t set) noexcept {
  set -= set >> 1U & 0x5555555555555555U;
  set = (set & 0x3333333333333333U) + (set >> 2U & 0x3333333333333333U);
  set = (set + (set >> 4U)) & 0x0f0f0f0f0f0f0f0fU;
  return static_cast<std::uint32_t>(set * 0x0101010101010101U >> 56U);
}

/// The set of 0 .. count-1, at most 64.
[[nodiscard]] constexpr std::uint64_t first_numbers(std::uint32_t count) noexcept {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

/// The least number in a set. \pre it is not empty
[[nodiscard]] constexpr std::size_t lowest_member(std::uint64_t set) noexcept {
  return static_cast<std::size_t>(std::countr_zero(set));
}

/// The `count` lowest members of a set, or all it has.
[[nodiscard]] constexpr std::uint64_t lowest_members(std::uint64_t set, std::uint32_t count) noexcept {
  std::uint64_t rest = set;
  for (; count > 0 && rest != 0; --count) rest &= rest - 1;
  return set & ~rest;
}

}  // namespace muster::inline MUSTER_ABI

#endif
