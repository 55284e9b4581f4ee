// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_CORE_BITS_HPP
#define MUSTER_CORE_BITS_HPP

/// \file
/// Counts the members of a set kept as bits, without the call that std::popcount is where the target has no instruction
/// for it.

#include <muster/core/config.hpp>

#include <cstdint>

namespace muster::inline MUSTER_ABI {

/// Sums of neighbours, of pairs, of fours, and of all bytes by one multiplication (Knuth, TAOCP 4A, 7.1.3).
[[nodiscard]] constexpr std::uint32_t count_bits(std::uint64_t set) noexcept {
  set -= set >> 1U & 0x5555555555555555U;
  set = (set & 0x3333333333333333U) + (set >> 2U & 0x3333333333333333U);
  set = (set + (set >> 4U)) & 0x0f0f0f0f0f0f0f0fU;
  return static_cast<std::uint32_t>(set * 0x0101010101010101U >> 56U);
}

}  // namespace muster::inline MUSTER_ABI

#endif
