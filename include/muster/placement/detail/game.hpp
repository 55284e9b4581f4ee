// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_GAME_HPP
#define MUSTER_PLACEMENT_DETAIL_GAME_HPP

/// \file
/// A matrix game solved column by column, in whole numbers.
///
/// One player mixes columns, the other mixes rows; an entry is what the column's player loses. Solved by the revised
/// primal simplex method on: maximise the sum of x, subject to C x <= 1, x >= 0, with C > 0. The game's value is
/// 1 / sum x, the other player's mixture is the dual divided by its sum.
///
/// All numbers are fixed point with `fraction_bits` bits, products are taken in 128 bits: the same on every machine and
/// under every compiler flag. Rounding may make the mixtures a little worse than the best; whoever uses them checks
/// them exactly, so they need only be good.

#include <muster/core/config.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

__extension__ using wide_int = __int128;

class matrix_game {
 public:
  static constexpr int fraction_bits = 30;
  static constexpr std::int64_t one = std::int64_t{1} << fraction_bits;

  void start(std::size_t rows) {
    rows_ = rows;
    inverse_.assign(rows * rows, 0);
    level_.resize(rows);
    basis_.assign(rows, no_column);
    dual_.assign(rows, 0);
    entering_.resize(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      inverse_[i * rows + i] = one;
      level_[i] = one + static_cast<std::int64_t>(i) * 64;  // apart from each other, so that no step stands still
    }
  }

  /// Weights of the rows, not normalised; all 0 before the first column.
  [[nodiscard]] std::span<const std::int64_t> rows() const noexcept { return dual_; }

  /// Weight of the i-th column of the mixture, and its number.
  struct part {
    std::uint32_t column = 0;
    std::int64_t weight = 0;
  };
  [[nodiscard]] std::size_t parts() const noexcept { return rows_; }
  [[nodiscard]] part mixture(std::size_t i) const noexcept { return {basis_[i], level_[i]}; }
  static constexpr std::uint32_t no_column = ~std::uint32_t{0};

  /// Sum of the mixture's weights: one over the value of the game so far.
  [[nodiscard]] std::int64_t weight() const noexcept {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < rows_; ++i)
      if (basis_[i] != no_column && level_[i] > 0) sum += level_[i];
    return sum;
  }

  /// Takes a column into the mixture; false if it does not improve it (or the numbers grow too large to go on).
  /// \param column entries in fixed point, each within one .. 4 * one
  [[nodiscard]] bool enter(std::span<const std::int64_t> column, std::uint32_t number) {
    std::int64_t gain = one;
    for (std::size_t c = 0; c < rows_; ++c) gain -= product(dual_[c], column[c]);
    if (gain <= least_gain) return false;
    for (std::size_t i = 0; i < rows_; ++i) {
      wide_int sum = 0;
      for (std::size_t c = 0; c < rows_; ++c) sum += static_cast<wide_int>(inverse_[i * rows_ + c]) * column[c];
      sum >>= fraction_bits;
      if (sum > largest || sum < -largest) return false;
      entering_[i] = static_cast<std::int64_t>(sum);
    }
    return pivot(leaving(), number) && give_slack();
  }

 private:
  static constexpr std::int64_t least_gain = one >> 20, least_pivot = one >> 18;
  static constexpr wide_int largest = wide_int{1} << 61;

  [[nodiscard]] static std::int64_t product(std::int64_t a, std::int64_t b) noexcept {
    return static_cast<std::int64_t>((static_cast<wide_int>(a) * b) >> fraction_bits);
  }

  /// Where the mixture must not grow in what enters: the row that limits it most; rows_ if none does.
  [[nodiscard]] std::size_t leaving() const noexcept {
    std::size_t leaves = rows_;
    for (std::size_t i = 0; i < rows_; ++i)
      if (entering_[i] > least_pivot &&
          (leaves == rows_ ||
           static_cast<wide_int>(level_[i]) * entering_[leaves] < static_cast<wide_int>(level_[leaves]) * entering_[i]))
        leaves = i;
    return leaves;
  }

  /// A row that weighs less than nothing need not be kept to: that improves the mixture, too. False if the numbers grow
  /// too large.
  bool give_slack() {
    for (std::size_t round = 0; round < 4 * rows_; ++round) {
      const auto least = static_cast<std::size_t>(std::min_element(dual_.begin(), dual_.end()) - dual_.begin());
      if (dual_[least] >= -least_gain) return true;
      for (std::size_t i = 0; i < rows_; ++i) entering_[i] = inverse_[i * rows_ + least];
      if (!pivot(leaving(), no_column)) return false;
    }
    return true;
  }

  bool pivot(std::size_t leaves, std::uint32_t number) {
    if (leaves == rows_) return false;
    const std::int64_t by = entering_[leaves];
    const auto divided = [by](std::int64_t a) { return (static_cast<wide_int>(a) << fraction_bits) / by; };
    for (std::size_t c = 0; c < rows_; ++c) {
      const wide_int to = divided(inverse_[leaves * rows_ + c]);
      if (to > largest || to < -largest) return false;
    }
    for (std::size_t c = 0; c < rows_; ++c)
      inverse_[leaves * rows_ + c] = static_cast<std::int64_t>(divided(inverse_[leaves * rows_ + c]));
    level_[leaves] = static_cast<std::int64_t>(divided(level_[leaves]));
    basis_[leaves] = number;
    bool good = true;
    for (std::size_t i = 0; i < rows_; ++i) {
      if (i == leaves || entering_[i] == 0) continue;
      for (std::size_t c = 0; c < rows_; ++c) {
        const wide_int to = inverse_[i * rows_ + c] -
                            ((static_cast<wide_int>(entering_[i]) * inverse_[leaves * rows_ + c]) >> fraction_bits);
        good = good && to <= largest && to >= -largest;
        inverse_[i * rows_ + c] = static_cast<std::int64_t>(to);
      }
      level_[i] -= product(entering_[i], level_[leaves]);
      if (level_[i] < 0) level_[i] = 0;
    }
    for (std::size_t c = 0; c < rows_; ++c) {
      dual_[c] = 0;
      for (std::size_t i = 0; i < rows_; ++i)
        if (basis_[i] != no_column) dual_[c] += inverse_[i * rows_ + c];
    }
    return good;
  }

  std::size_t rows_ = 0;
  std::vector<std::int64_t> inverse_;  // of the basis, row after row
  std::vector<std::int64_t> level_, dual_, entering_;
  std::vector<std::uint32_t> basis_;
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
