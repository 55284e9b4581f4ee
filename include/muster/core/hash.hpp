// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_CORE_HASH_HPP
#define MUSTER_CORE_HASH_HPP

/// \file
/// A fixed 64-bit mixing function, the same on every platform and in every run.
/// Source: the finaliser of Steele, Lea and Flood's SplitMix64 (2014).

#include <muster/core/config.hpp>

#include <cstdint>

namespace muster::inline MUSTER_ABI {

[[nodiscard]] constexpr std::uint64_t mixed(std::uint64_t x) noexcept {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

/// Folds values into one hash; the order of `add` matters.
class hasher {
 public:
  template <class T>
  constexpr hasher& add(T value) noexcept {
    state_ = mixed(state_ ^ static_cast<std::uint64_t>(value));
    return *this;
  }
  [[nodiscard]] constexpr std::uint64_t value() const noexcept { return state_; }

 private:
  std::uint64_t state_ = 0x6d75737465720001U;
};

}  // namespace muster::inline MUSTER_ABI

#endif
