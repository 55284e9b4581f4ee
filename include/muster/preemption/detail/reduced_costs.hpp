// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PREEMPTION_DETAIL_REDUCED_COSTS_HPP
#define MUSTER_PREEMPTION_DETAIL_REDUCED_COSTS_HPP

/// \file
/// Reduced costs of the variables outside a basis, of which most sleep.
///
/// A variable whose reduced cost is large cannot be the first to reach 0 for a while. While no price has moved further
/// than `reach` from where it was when they were told to sleep, a variable whose reduced cost then exceeded reach times
/// the sum of its coefficients' sizes still has a positive one. So a step looks only at those awake. A step that moves
/// a price beyond the reach wakes those of that row first, or all if the row is a long one. Which of them sleep changes
/// the work and not what enters.

#include <muster/core/config.hpp>
#include <muster/preemption/detail/fixed_point.hpp>
#include <muster/preemption/detail/working_basis.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace muster::inline MUSTER_ABI::preemption_detail {

class reduced_costs {
 public:
  void clear() {
    d_.clear();
    awake_.clear();
    reach_ = everywhere;
    target_ = steps_ = 0;
  }

  /// Computes all of them afresh; none sleeps.
  void find_all(const working_basis& basis) {
    const std::size_t variables = basis.variables();
    if (target_ == 0 || !asleep() || steps_ >= many_steps) target_ = std::max(variables / 16, least_awake);
    d_.resize(variables);
    alpha_.resize(variables);
    const std::span<const std::int64_t> prices = basis.prices();
    for (std::uint32_t v = 0; v < variables; ++v)
      d_[v] = basis.prices_are_large() ? minus(basis.cost(v), basis.times_prices(v)) : basis.cost(v);
    for (std::uint32_t r = 0; r < prices.size() && !basis.prices_are_large(); ++r) {
      if (prices[r] == 0 || !basis.rows().live(r)) continue;
      const auto terms = basis.rows().terms(r);
      for (const linear_term& term : terms) d_[term.variable] -= term.coefficient * prices[r];
      touched_ += terms.size();
    }
    touched_ += variables;
    all_awake(basis);
  }

  [[nodiscard]] std::int64_t operator[](std::uint32_t variable) const noexcept { return d_[variable]; }
  /// Coefficient of a variable that is awake in the basis' row.
  [[nodiscard]] std::int64_t alpha(std::uint32_t variable) const noexcept { return alpha_[variable]; }
  /// All that may enter and some in the basis, but for those asleep.
  [[nodiscard]] std::span<const std::uint32_t> awake() const noexcept { return awake_; }
  [[nodiscard]] bool asleep() const noexcept { return reach_ != everywhere; }

  /// Lets those with the largest reduced costs sleep. \pre none sleeps, no reduced cost is negative
  void let_sleep(const working_basis& basis) {
    steps_ = 0;
    if (target_ * 2 > awake_.size()) return;
    keys_.clear();
    for (const std::uint32_t v : awake_)
      if (basis.may_enter(v)) keys_.push_back(key(basis, v));
    touched_ += awake_.size() + keys_.size();
    if (target_ >= keys_.size()) return;
    const auto cut = keys_.begin() + static_cast<std::ptrdiff_t>(target_);
    std::nth_element(keys_.begin(), cut, keys_.end());
    if (*cut <= rounding) return;
    reach_ = *cut - rounding;
    std::erase_if(awake_, [&](std::uint32_t v) { return !basis.may_enter(v) || key(basis, v) >= *cut; });
    is_awake_.assign(d_.size(), 0);
    for (const std::uint32_t v : awake_) is_awake_[v] = 1;
    origin_.assign(basis.prices().begin(), basis.prices().end());
    out_of_reach_.assign(origin_.size(), 0);
  }

  /// Wakes those that might be negative after a step. \return whether there may be some
  bool wake(const working_basis& basis, const ratio& step) {
    const auto prices = basis.prices();
    const auto row = basis.row();
    const std::size_t before = awake_.size(), long_row = std::max(d_.size() / 32, least_awake);
    bool any = false;
    for (const std::uint32_t r : basis.row_places()) {
      const std::int64_t moved = minus(plus(prices[r], step.times(row[r])), origin_[r]);
      if ((moved <= reach_ && moved >= -reach_) || out_of_reach_[r] != 0) continue;
      const auto terms = basis.rows().terms(r);
      if (terms.size() > long_row || before > d_.size() / 4) {
        wake_all(basis);
        return true;
      }
      any = true;
      out_of_reach_[r] = 1;
      for (const linear_term& term : terms) wake_one(basis, term.variable);
      touched_ += terms.size();
    }
    for (std::size_t i = before; i < awake_.size(); ++i) find_alpha(basis, awake_[i]);
    return any;
  }

  /// \pre some sleep, and `alpha` is asked for
  void wake_all(const working_basis& basis) {
    if (steps_ < few_steps) target_ *= 2;
    for (std::uint32_t v = 0; v < d_.size(); ++v) wake_one(basis, v);
    reach_ = everywhere;
    find_alpha(basis);
  }

  /// `alpha`, for the row of the basis.
  void find_alpha(const working_basis& basis) {
    const auto row = basis.row();
    if (asleep() || basis.row_is_large()) {
      for (const std::uint32_t v : awake_) find_alpha(basis, v);
      return;
    }
    std::fill(alpha_.begin(), alpha_.end(), std::int64_t{0});
    for (const std::uint32_t r : basis.row_places()) {
      if (!basis.rows().live(r)) continue;
      const auto terms = basis.rows().terms(r);
      for (const linear_term& term : terms) alpha_[term.variable] += term.coefficient * row[r];
      touched_ += terms.size();
    }
  }

  /// After `leaves` has left: reduced costs change by step times alpha, that of what leaves by its own.
  void move(const working_basis& basis, const ratio& step, member_code leaves, std::int64_t its_alpha) {
    ++steps_;
    for (const std::uint32_t v : awake_)
      if (alpha_[v] != 0) d_[v] = minus(d_[v], step.times(alpha_[v]));
    touched_ += awake_.size();
    if (leaves.is_slack()) return;
    const std::uint32_t v = leaves.number();
    d_[v] = -step.times(its_alpha);
    if (is_awake_[v] == 0 && basis.may_enter(v)) {
      is_awake_[v] = 1;
      awake_.push_back(v);
    }
  }

  /// Raises costs, each by a small part of its own, and then those that still have a negative reduced cost.
  void raise(working_basis& basis) {
    for (const std::uint32_t v : awake_) {
      if (basis.has(v)) continue;
      const auto part = 512 + static_cast<std::int64_t>((v * std::uint32_t{2654435769U}) >> 23U);  // of 1024
      const std::int64_t more = (((basis.cost(v) >> 20) + least_raise) * part) >> 10;
      basis.raise_cost(v, more);
      d_[v] += more;
    }
    raise_negative(basis);
  }

  /// Raises the costs of those that have a negative reduced cost, slacks too.
  void raise_negative(working_basis& basis) {
    raise_negative_variables(basis);
    for (std::uint32_t r = 0; r < basis.rows().rows(); ++r) raise_negative_slack(basis, r);
  }
  /// The same, after a step from where none was negative.
  void raise_negative_after_step(working_basis& basis) {
    raise_negative_variables(basis);
    for (const std::uint32_t r : basis.row_places()) raise_negative_slack(basis, r);
  }

  [[nodiscard]] std::uint64_t take_touched() noexcept {
    const std::uint64_t all = touched_;
    touched_ = 0;
    return all;
  }

 private:
  static constexpr std::int64_t everywhere = std::numeric_limits<std::int64_t>::max();
  static constexpr std::int64_t rounding = 1 << 10;  // more than steps between two rebuilds add up to
  static constexpr std::int64_t least_raise = std::int64_t{1} << (working_basis::cost_width - 24);
  static constexpr std::size_t least_awake = 64, few_steps = 4, many_steps = 24;

  void raise_negative_variables(working_basis& basis) {
    for (const std::uint32_t v : awake_)
      if (d_[v] < 0 && basis.may_enter(v)) {
        basis.raise_cost(v, -d_[v]);
        d_[v] = 0;
      }
  }
  static void raise_negative_slack(working_basis& basis, std::uint32_t row) {
    if (basis.slack_reduced(row) < 0 && basis.slack_may_enter(row)) basis.raise_slack_cost(row);
  }

  /// At most the reduced cost over the sum of the coefficients' sizes, at least a quarter of that.
  [[nodiscard]] std::int64_t key(const working_basis& basis, std::uint32_t v) const noexcept {
    return d_[v] >> std::bit_width(static_cast<std::uint64_t>(basis.rows().norm(v)));
  }

  void wake_one(const working_basis& basis, std::uint32_t v) {
    if (is_awake_[v] != 0 || !basis.may_enter(v)) return;
    is_awake_[v] = 1;
    awake_.push_back(v);
    d_[v] = minus(basis.cost(v), basis.times_prices(v));
    touched_ += basis.rows().column(v).size();
  }

  void find_alpha(const working_basis& basis, std::uint32_t v) {
    alpha_[v] = basis.times_row(v);
    touched_ += basis.rows().column(v).size();
  }

  void all_awake(const working_basis& basis) {
    reach_ = everywhere;
    awake_.clear();
    is_awake_.assign(d_.size(), 0);
    for (std::uint32_t v = 0; v < d_.size(); ++v)
      if (basis.may_enter(v)) {
        awake_.push_back(v);
        is_awake_[v] = 1;
      }
  }

  std::vector<std::int64_t> d_, alpha_, keys_, origin_;
  std::vector<std::uint32_t> awake_;
  std::vector<char> is_awake_, out_of_reach_;
  std::int64_t reach_ = everywhere;
  std::size_t target_ = 0, steps_ = 0;
  std::uint64_t touched_ = 0;
};

}  // namespace muster::inline MUSTER_ABI::preemption_detail

#endif
