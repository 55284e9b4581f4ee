// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PREEMPTION_DETAIL_WORKING_BASIS_HPP
#define MUSTER_PREEMPTION_DETAIL_WORKING_BASIS_HPP

/// \file
/// A linear program with a basis of it: values, prices, and one row and column of the inverse.
///
/// Every row has a slot, in which a variable or a slack is basic. Removed rows keep theirs, with a slack of value 0.
/// Values are over 2^value_bits, costs and prices over 2^price_bits, rows and columns of the inverse over
/// 2^factor_bits. Costs may be raised for a while, those of slacks too.

#include <muster/core/config.hpp>
#include <muster/preemption/detail/basis_factors.hpp>
#include <muster/preemption/detail/fixed_point.hpp>
#include <muster/preemption/detail/linear_rows.hpp>
#include <muster/preemption/detail/member_code.hpp>
#include <muster/preemption/detail/reference_weights.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace muster::inline MUSTER_ABI::preemption_detail {

class working_basis {
 public:
  static constexpr std::uint32_t no_slot = ~std::uint32_t{0};
  static constexpr int cost_width = 48;  // bits of the largest cost

  void clear() {
    rows_.clear();
    given_.clear();
    fixed_.clear();
    slot_.clear();
    slack_slot_.clear();
    basic_.clear();
    weights_.clear();
    y_.clear();
    x_.clear();
    price_bits_ = most_price_bits;
    value_bits_ = most_value_bits;
  }

  void add_variable(std::int64_t cost) {
    rows_.add_column();
    given_.push_back(cost);
    fixed_.push_back(0);
    slot_.push_back(no_slot);
    price_bits_ = std::min(price_bits_, cost_width - width(cost));
  }

  std::uint32_t add_row(std::span<const linear_term> terms, std::int64_t bound) {
    const std::uint32_t row = rows_.add(terms, bound);
    if (row == slack_slot_.size()) {
      slack_slot_.emplace_back();
      basic_.emplace_back();
      weights_.add_slot();
      y_.emplace_back();
      x_.emplace_back();
    }
    slack_slot_[row] = row;
    basic_[row] = member_code::slack(row);
    y_[row] = x_[row] = 0;
    keep_value_bits(bound);
    return row;
  }

  void remove_row(std::uint32_t row) {
    rows_.remove(row);
    y_[row] = 0;
  }
  void set_bound(std::uint32_t row, std::int64_t bound) {
    rows_.set_bound(row, bound);
    keep_value_bits(bound);
  }
  void fix(std::uint32_t variable, bool at_zero) { fixed_[variable] = at_zero ? 1 : 0; }

  [[nodiscard]] const linear_rows& rows() const noexcept { return rows_; }
  [[nodiscard]] std::size_t variables() const noexcept { return slot_.size(); }
  [[nodiscard]] int price_bits() const noexcept { return price_bits_; }
  [[nodiscard]] int value_bits() const noexcept { return value_bits_; }

  // ---- what is in the basis

  void slacks_only() {
    std::fill(slot_.begin(), slot_.end(), no_slot);
    for (std::uint32_t r = 0; r < slack_slot_.size(); ++r) slack_slot_[r] = r;
    weights_.reset();
  }
  /// The same, and no values and prices.
  void forget() {
    slacks_only();
    std::fill(x_.begin(), x_.end(), std::int64_t{0});
    std::fill(y_.begin(), y_.end(), std::int64_t{0});
  }
  /// Takes a variable in or a row's slack out, without a slot: for `rebuild` to find.
  void take(std::uint32_t variable) noexcept { slot_[variable] = 0; }
  void leave(std::uint32_t row) noexcept { slack_slot_[row] = no_slot; }

  [[nodiscard]] bool has(std::uint32_t variable) const noexcept { return slot_[variable] != no_slot; }
  [[nodiscard]] bool has_slack(std::uint32_t row) const noexcept { return slack_slot_[row] != no_slot; }
  /// Outside the basis and free to enter.
  [[nodiscard]] bool may_enter(std::uint32_t variable) const noexcept {
    return !has(variable) && fixed_[variable] == 0;
  }
  [[nodiscard]] bool slack_may_enter(std::uint32_t row) const noexcept { return !has_slack(row) && rows_.live(row); }

  [[nodiscard]] member_code basic(std::uint32_t slot) const noexcept { return basic_[slot]; }
  /// Whether what is there may not be above 0.
  [[nodiscard]] bool held_at_zero(std::uint32_t slot) const noexcept {
    return some_held_ && !basic_[slot].is_slack() && fixed_[basic_[slot].number()] != 0;
  }

  // ---- costs

  void true_costs() {
    cost_.resize(given_.size());
    for (std::size_t v = 0; v < given_.size(); ++v) cost_[v] = given_[v] * (std::int64_t{1} << price_bits_);
    slack_cost_.assign(rows_.rows(), 0);
  }
  [[nodiscard]] std::int64_t cost(std::uint32_t variable) const noexcept { return cost_[variable]; }
  void raise_cost(std::uint32_t variable, std::int64_t by) noexcept {
    cost_[variable] = plus(cost_[variable], by);
  }
  [[nodiscard]] std::int64_t slack_reduced(std::uint32_t row) const noexcept { return y_[row] + slack_cost_[row]; }
  /// So that the slack's reduced cost is 0. \pre its row has a negative one
  void raise_slack_cost(std::uint32_t row) noexcept { slack_cost_[row] = -y_[row]; }

  // ---- numbers

  [[nodiscard]] std::int64_t value(std::uint32_t slot) const noexcept { return x_[slot]; }
  [[nodiscard]] std::int64_t value_of(std::uint32_t variable) const noexcept {
    return has(variable) ? x_[slot_[variable]] : 0;
  }
  [[nodiscard]] std::span<const std::int64_t> prices() const noexcept { return y_; }
  void set_price(std::uint32_t row, std::int64_t price) noexcept { y_[row] = price; }
  /// Of the slot's row of the inverse.
  [[nodiscard]] std::int64_t weight(std::uint32_t slot) const noexcept { return weights_[slot]; }

  /// Whether it is time to factor anew.
  [[nodiscard]] bool worn() const noexcept {
    return factors_.changes() >= most_changes ||
           factors_.changed_entries() > 2048 + 3 * (factors_.entries() + rows_.live_rows());
  }
  /// Whether no step was made since the basis was factored.
  [[nodiscard]] bool fresh() const noexcept { return factors_.changes() == 0; }

  /// Factors the basis and computes values and prices. A basis that does not factor is mended with slacks. False if the
  /// numbers are too large.
  [[nodiscard]] bool rebuild() {
    const std::size_t rows = rows_.rows();
    column_.resize(rows);
    row_.resize(rows);
    residue_.resize(rows);
    rows_.index_columns();
    most_norm_ = 1;
    for (std::uint32_t v = 0; v < slot_.size(); ++v) most_norm_ = std::max(most_norm_, rows_.norm(v));

    takes_pivot_.resize(rows);
    for (std::uint32_t r = 0; r < rows; ++r) takes_pivot_[r] = slack_may_enter(r) ? 1 : 0;
    factors_.start(takes_pivot_);
    order_.clear();
    for (std::uint32_t v = 0; v < slot_.size(); ++v)
      if (has(v)) {
        order_.push_back(v);
        factors_.add_column(rows_.column(v));
      }
    const auto found = factors_.factor();
    some_held_ = false;  // what is fixed does not enter
    weights_.start_move();
    for (std::uint32_t r = 0; r < rows; ++r) {
      if (has_slack(r)) weights_.move(slack_slot_[r], r);
      slack_slot_[r] = r;
      basic_[r] = member_code::slack(r);
    }
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const std::uint32_t v = order_[i], slot = found[i];
      if (slot != no_slot) {
        some_held_ = some_held_ || fixed_[v] != 0;
        weights_.move(slot_[v], slot);
        basic_[slot] = member_code::variable(v);
        slack_slot_[slot] = no_slot;
      }
      slot_[v] = slot;
    }
    touched_ += factors_.work() + rows + slot_.size() / 8;
    return find_values() && find_prices();
  }

  /// Row `slot` of the inverse, times sign: `row()`, not 0 at `row_places()` only. False if the numbers are too large.
  [[nodiscard]] bool find_row(std::uint32_t slot, int sign) {
    std::fill(row_.begin(), row_.end(), std::int64_t{0});
    row_[slot] = sign * factor_one;
    factors_.solve_row(row_);
    touched_ += factors_.entries() + factors_.changed_entries() + row_.size();
    row_places_.clear();
    std::int64_t most = 0;
    for (std::uint32_t r = 0; r < row_.size(); ++r)
      if (row_[r] != 0) {
        row_places_.push_back(r);
        most = std::max(most, magnitude(row_[r]));
      }
    row_is_large_ = most >= number_limit / 2 / most_norm_;
    return in_range(most);
  }
  [[nodiscard]] std::span<const std::int64_t> row() const noexcept { return row_; }
  [[nodiscard]] std::span<const std::uint32_t> row_places() const noexcept { return row_places_; }

  /// Column of what would enter, times the inverse: `column()`. False if the numbers are too large.
  [[nodiscard]] bool find_column(member_code enters) {
    std::fill(column_.begin(), column_.end(), std::int64_t{0});
    if (enters.is_slack())
      column_[enters.number()] = -factor_one;
    else
      for (const auto& [row, coefficient] : rows_.column(enters.number())) column_[row] = coefficient * factor_one;
    factors_.solve_column(column_);
    touched_ += factors_.entries() + factors_.changed_entries() + column_.size();
    return std::all_of(column_.begin(), column_.end(), [](std::int64_t number) { return in_range(number); });
  }
  [[nodiscard]] std::span<const std::int64_t> column() const noexcept { return column_; }

  /// Whether the sum of a column times the row, or times the prices, might overflow unless it is taken so.
  [[nodiscard]] bool row_is_large() const noexcept { return row_is_large_; }
  [[nodiscard]] bool prices_are_large() const noexcept { return prices_are_large_; }
  /// Sum of a variable's column times the row, or times the prices.
  [[nodiscard]] std::int64_t times_row(std::uint32_t variable) const noexcept {
    return rows_.product(variable, row_, row_is_large_);
  }
  [[nodiscard]] std::int64_t times_prices(std::uint32_t variable) const noexcept {
    return rows_.product(variable, y_, prices_are_large_);
  }

  /// `enters` takes the place of what is at a slot, its reduced cost being step times the pivot of the row.
  /// \pre row and column have been found \return what leaves
  member_code exchange(std::uint32_t slot, member_code enters, const ratio& step) {
    for (const std::uint32_t r : row_places_) y_[r] = plus(y_[r], step.times(row_[r]));
    const ratio grows{x_[slot], column_[slot]};
    for (std::size_t s = 0; s < column_.size(); ++s)
      if (column_[s] != 0 && s != slot) x_[s] = minus(x_[s], grows.times(column_[s]));
    x_[slot] = grows.times(factor_one);
    weights_.step(slot, column_);
    factors_.change_column(slot, column_);
    const member_code leaves = basic_[slot];
    basic_[slot] = enters;
    place_of(enters) = slot;
    place_of(leaves) = no_slot;
    touched_ += 2 * column_.size();
    return leaves;
  }

  /// Numbers touched since the last call.
  [[nodiscard]] std::uint64_t take_touched() noexcept {
    const std::uint64_t all = touched_;
    touched_ = 0;
    return all;
  }

 private:
  static constexpr int most_price_bits = 46, bound_width = 48, most_value_bits = 36;
  static constexpr std::size_t most_changes = 48;

  [[nodiscard]] static int width(std::int64_t number) noexcept {
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(magnitude(number))));
  }
  void keep_value_bits(std::int64_t bound) { value_bits_ = std::min(value_bits_, bound_width - width(bound)); }

  [[nodiscard]] std::uint32_t& place_of(member_code member) noexcept {
    return member.is_slack() ? slack_slot_[member.number()] : slot_[member.number()];
  }
  [[nodiscard]] std::int64_t cost_of(member_code member) const noexcept {
    return member.is_slack() ? slack_cost_[member.number()] : cost_[member.number()];
  }
  [[nodiscard]] std::int64_t scaled_bound(std::uint32_t row) const noexcept {
    return rows_.live(row) ? rows_.bound(row) * (std::int64_t{1} << value_bits_) : 0;
  }

  /// Solved twice: the second time for what rounding left.
  [[nodiscard]] bool find_values() {
    const auto rows = static_cast<std::uint32_t>(rows_.rows());
    for (std::uint32_t r = 0; r < rows; ++r) x_[r] = scaled_bound(r);
    factors_.solve_column(x_);
    for (std::uint32_t r = 0; r < rows; ++r) residue_[r] = scaled_bound(r);
    for (std::uint32_t s = 0; s < rows; ++s) {
      if (!in_range(x_[s])) return false;
      if (basic_[s].is_slack())
        residue_[s] = plus(residue_[s], x_[s]);
      else if (x_[s] != 0)
        for (const auto& [row, coefficient] : rows_.column(basic_[s].number()))
          residue_[row] = held(residue_[row] - static_cast<wide_int>(coefficient) * x_[s]);
    }
    factors_.solve_column(residue_);
    touched_ += 2 * (factors_.entries() + rows);
    bool good = true;
    for (std::uint32_t s = 0; s < rows; ++s) {
      x_[s] = plus(x_[s], residue_[s]);
      good = good && in_range(x_[s]);
    }
    return good;
  }

  [[nodiscard]] bool find_prices() {
    const auto rows = static_cast<std::uint32_t>(rows_.rows());
    for (std::uint32_t s = 0; s < rows; ++s) y_[s] = cost_of(basic_[s]);
    factors_.solve_row(y_);
    for (std::uint32_t s = 0; s < rows; ++s) {
      wide_int left = cost_of(basic_[s]);
      if (basic_[s].is_slack())
        left += y_[s];
      else
        for (const auto& [row, coefficient] : rows_.column(basic_[s].number()))
          left -= static_cast<wide_int>(coefficient) * y_[row];
      residue_[s] = held(left);
    }
    factors_.solve_row(residue_);
    touched_ += 2 * (factors_.entries() + rows);
    std::int64_t most = 0;
    for (std::uint32_t r = 0; r < rows; ++r) {
      y_[r] = rows_.live(r) ? plus(y_[r], residue_[r]) : 0;
      most = std::max(most, magnitude(y_[r]));
    }
    prices_are_large_ = most >= number_limit / 2 / most_norm_;
    return in_range(most);
  }

  linear_rows rows_;
  basis_factors factors_;
  reference_weights weights_;
  std::vector<std::int64_t> given_;  // costs
  std::vector<char> fixed_;
  std::vector<std::uint32_t> slot_, slack_slot_;  // of variables and slacks, no_slot outside the basis
  std::vector<member_code> basic_;
  std::vector<std::int64_t> cost_, slack_cost_;  // as raised
  std::vector<std::int64_t> y_, x_;
  std::vector<std::int64_t> row_, column_, residue_;
  std::vector<std::uint32_t> row_places_, order_;
  std::vector<char> takes_pivot_;
  std::int64_t most_norm_ = 1;
  bool row_is_large_ = false, prices_are_large_ = false;
  bool some_held_ = false;  // whether a fixed variable is in the basis
  std::uint64_t touched_ = 0;
  int price_bits_ = most_price_bits, value_bits_ = most_value_bits;
};

}  // namespace muster::inline MUSTER_ABI::preemption_detail

#endif
