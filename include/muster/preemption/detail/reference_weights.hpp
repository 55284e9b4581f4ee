// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PREEMPTION_DETAIL_REFERENCE_WEIGHTS_HPP
#define MUSTER_PREEMPTION_DETAIL_REFERENCE_WEIGHTS_HPP

/// \file
/// How large the rows of a basis' inverse are, about.
///
/// The square of a row's size over what it was when all weights were last set to 1, kept up in passing; the exact one
/// would take one more solve a step. What is violated by little in a row of small size may be further from being met
/// than what is violated by much in one of large size.

#include <muster/core/config.hpp>
#include <muster/preemption/detail/fixed_point.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace muster::inline MUSTER_ABI::preemption_detail {

class reference_weights {
 public:
  static constexpr std::int64_t one = std::int64_t{1} << 8;

  void clear() { weight_.clear(); }
  void add_slot() { weight_.push_back(one); }
  void reset() { std::fill(weight_.begin(), weight_.end(), one); }

  [[nodiscard]] std::int64_t operator[](std::uint32_t slot) const noexcept { return weight_[slot]; }

  /// All slots move: every one is 1 until it is given the weight of an old one.
  void start_move() {
    old_.swap(weight_);
    weight_.assign(old_.size(), one);
  }
  void move(std::uint32_t from, std::uint32_t to) noexcept { weight_[to] = old_[from]; }

  /// After a step: `column` is that of what entered times the inverse. \pre column[slot] is not 0
  void step(std::uint32_t slot, std::span<const std::int64_t> column) {
    const ratio divide{factor_one, column[slot]};
    const std::int64_t weight = weight_[slot];
    std::int64_t heaviest = 0;
    for (std::uint32_t s = 0; s < column.size(); ++s) {
      if (column[s] == 0 || s == slot) continue;
      weight_[s] = std::max(weight_[s], weighed(divide.times(column[s]), weight));
      heaviest = std::max(heaviest, weight_[s]);
    }
    weight_[slot] = std::max(one, weighed(divide.times(factor_one), weight));
    if (std::max(heaviest, weight_[slot]) > most) reset();
  }

 private:
  static constexpr std::int64_t most = std::int64_t{1} << 46;

  /// weight times the square of a factor
  [[nodiscard]] static std::int64_t weighed(std::int64_t factor, std::int64_t weight) noexcept {
    const std::int64_t part = std::min(magnitude(factor) >> (factor_bits - 16), std::int64_t{1} << 31);
    return held((static_cast<wide_int>(part * part) * weight) >> 32);
  }

  std::vector<std::int64_t> weight_, old_;
};

}  // namespace muster::inline MUSTER_ABI::preemption_detail

#endif
