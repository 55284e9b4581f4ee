// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PREEMPTION_DETAIL_DUAL_SIMPLEX_HPP
#define MUSTER_PREEMPTION_DETAIL_DUAL_SIMPLEX_HPP

/// \file
/// A linear program over covering rows, solved in whole numbers.
///
///     minimise sum c_i x_i   subject to   sum a_ri x_i >= b_r for every row r,   x >= 0,   with every c_i >= 0.
///
/// Notation: y_r is the price of row r, d_i = c_i - sum_r a_ri y_r the reduced cost of variable i, s_r the slack of row
/// r. A basis names one variable or slack a row; the others are 0.
///
/// The dual simplex method: a basis whose reduced costs and prices are not negative is kept, the row that is violated
/// most (by the square of the violation over a reference weight) leaves, and what enters is what keeps them so. All
/// slacks are such a basis, as no cost is negative. A further row brings its own slack, so a solve goes on from where
/// the last one ended, and a row whose slack is in the basis costs next to nothing.
///
/// - Costs are raised a little, each by its own small part, so that steps seldom stand still; the ratio test then takes
///   the largest pivot among those that are nearly first, raising the costs of the others where needed. At the end the
///   costs are put right and the primal method makes the few steps that this leaves. That also mends a basis whose
///   reduced costs are negative because a row was removed or a variable released.
/// - Variables with large reduced costs are left out of the steps, see reduced_costs.hpp.
/// - After many steps in one solve the lowest number is taken everywhere; after yet more the solve gives up.
///
/// The numbers are fixed point, so an answer is the same on every machine and under every compiler flag. They are
/// rounded: **nothing that this class says is a proof.** Whoever uses it recomputes from the prices, in whole numbers,
/// what they prove; a wrong answer costs that caller speed alone. No input makes it overflow, loop or fail.
///
/// Determinism: equal calls give equal answers; ties are broken by lowest number, variables before slacks.
///
/// Sources: Koberstein, "The dual simplex method, techniques for a fast and stable implementation" (2005), for the
/// ratio test, the raised costs and the weights; Forrest and Goldfarb (1992) for the reference weights.

#include <muster/core/config.hpp>
#include <muster/preemption/detail/fixed_point.hpp>
#include <muster/preemption/detail/linear_rows.hpp>
#include <muster/preemption/detail/member_code.hpp>
#include <muster/preemption/detail/pivot_rules.hpp>
#include <muster/preemption/detail/reduced_costs.hpp>
#include <muster/preemption/detail/working_basis.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace muster::inline MUSTER_ABI::preemption_detail {

/// How a solve ended.
enum class linear_end : std::uint8_t {
  optimal,
  infeasible,       ///< `price` combines the rows to one that nothing meets, see there
  out_of_steps,     ///< the prices are those of the last step: worth something, not the best
  numbers_ran_out,  ///< values and prices are 0, and the next solve starts from the slacks
};

class dual_simplex {
 public:
  /// Forgets the program; keeps the memory.
  void clear() {
    basis_.clear();
    value_.clear();
    costs_.clear();
    pivots_ = 0;
    price_bits_ = basis_.price_bits();
    value_bits_ = basis_.value_bits();
  }

  /// \return its number: 0, 1, 2 ... \pre 0 <= cost < 2^40
  std::uint32_t add_variable(std::int64_t cost) {
    basis_.add_variable(cost);
    value_.push_back(0);
    return static_cast<std::uint32_t>(value_.size() - 1);
  }

  /// sum of the terms >= bound. \return its number, which may be that of a row removed before
  /// \pre every variable at most once; |coefficient| <= 2^20, |bound| <= 2^31
  std::uint32_t add_row(std::span<const linear_term> terms, std::int64_t bound) { return basis_.add_row(terms, bound); }

  /// Takes a row out. Best while its slack is in the basis (`is_slack`): otherwise the next solve has more to mend, and
  /// `load` of a basis saved before the row was added is quicker. \pre the row is there
  void remove_row(std::uint32_t row) { basis_.remove_row(row); }

  /// \pre the row is there, |bound| <= 2^31
  void set_bound(std::uint32_t row, std::int64_t bound) { basis_.set_bound(row, bound); }

  /// Holds a variable at 0, until `release`. After that, `load` of a basis saved before spares the next solve work.
  void fix_at_zero(std::uint32_t variable) { basis_.fix(variable, true); }
  void release(std::uint32_t variable) { basis_.fix(variable, false); }

  /// A basis, to come back to. Row numbers are those of its time: rows added since keep their slack, rows removed since
  /// are left out.
  struct saved_basis {
    std::vector<std::uint32_t> variables, tight_rows;
  };
  /// \complexity O(variables + rows)
  void save(saved_basis& to) const {
    to.variables.clear();
    to.tight_rows.clear();
    for (std::uint32_t v = 0; v < basis_.variables(); ++v)
      if (basis_.has(v)) to.variables.push_back(v);
    for (std::uint32_t r = 0; r < basis_.rows().rows(); ++r)
      if (basis_.slack_may_enter(r)) to.tight_rows.push_back(r);
  }
  /// \complexity O(variables + rows), and the next solve factors, as every one does
  void load(const saved_basis& from) {
    basis_.slacks_only();
    for (const std::uint32_t v : from.variables)
      if (v < basis_.variables()) basis_.take(v);
    for (const std::uint32_t r : from.tight_rows)
      if (r < basis_.rows().rows() && basis_.rows().live(r)) basis_.leave(r);
  }

  /// Solves from the present basis. A step is eight numbers touched. Every call factors the basis first, which is among
  /// its steps: many calls of few steps each get nowhere.
  /// \complexity O(rows x rows + entries) a pivot at worst; in sparse programs near the entries of the rows that the
  ///             leaving row's inverse touches
  [[nodiscard]] linear_end solve(std::uint64_t most_steps) {
    most_steps_ = most_steps;
    steps_ = 0;
    first_pivots_ = pivots_;
    most_pivots_ = pivots_ + 20000 + 50 * basis_.rows().live_rows();
    if (most_steps == 0) return linear_end::out_of_steps;
    price_bits_ = basis_.price_bits();
    value_bits_ = basis_.value_bits();
    const linear_end end = run();
    (void)spend();
    if (end == linear_end::numbers_ran_out) basis_.forget();
    for (std::uint32_t v = 0; v < value_.size(); ++v) value_[v] = std::max<std::int64_t>(basis_.value_of(v), 0);
    return end;
  }
  /// Steps the last solve took; over its limit by at most one pivot's and one factoring's.
  [[nodiscard]] std::uint64_t steps() const noexcept { return steps_; }
  /// Since `clear`.
  [[nodiscard]] std::uint64_t pivots() const noexcept { return pivots_; }

  /// Bits behind the point of value() in the last solve: 48 less the width of the largest bound, at most 36.
  [[nodiscard]] int value_bits() const noexcept { return value_bits_; }
  /// Bits behind the point of price() in the last solve: 48 less the width of the largest cost, at most 46.
  [[nodiscard]] int price_bits() const noexcept { return price_bits_; }

  /// x as the last solve left it, not negative.
  [[nodiscard]] std::int64_t value(std::uint32_t variable) const noexcept { return value_[variable]; }
  /// y as the last solve left it, from 0 to 2^62. After `infeasible`, over 2^factor_bits: a combination of rows that
  /// has no (or, for rounding, almost no) positive coefficient of a variable that is not fixed, and a positive bound.
  [[nodiscard]] std::int64_t price(std::uint32_t row) const noexcept {
    return std::max<std::int64_t>(basis_.prices()[row], 0);
  }
  static constexpr int objective_bits = 8;
  /// Sum of price x bound over all rows, over 2^objective_bits, held at +-2^62.
  [[nodiscard]] std::int64_t objective() const noexcept {
    wide_int sum = 0;
    for (std::uint32_t r = 0; r < basis_.rows().rows(); ++r)
      if (basis_.rows().live(r)) sum += static_cast<wide_int>(price(r)) * basis_.rows().bound(r);
    return held(sum >> (price_bits_ - objective_bits));
  }
  /// Whether the slack of a row is in the basis: the row has no price.
  [[nodiscard]] bool is_slack(std::uint32_t row) const noexcept { return basis_.has_slack(row); }

 private:
  static constexpr std::uint32_t no_slot = working_basis::no_slot;
  static constexpr std::size_t few_variables = 256;  // all of them are looked at
  static constexpr int most_rounds = 6;

  [[nodiscard]] linear_end run() {
    rules_.start(value_bits_);
    basis_.true_costs();
    if (!rebuild()) return linear_end::numbers_ran_out;
    for (int round = 0; round < most_rounds; ++round) {
      if (rules_.leaving_slot(basis_) != no_slot) {
        costs_.raise(basis_);
        if (const linear_end end = dual_steps(); end != linear_end::optimal) return end;
        basis_.true_costs();
        if (!rebuild()) return linear_end::numbers_ran_out;
      }
      if (!rules_.negative(basis_, costs_).none())
        if (const linear_end end = primal_steps(); end != linear_end::optimal) return end;
      if (rules_.leaving_slot(basis_) == no_slot) return linear_end::optimal;
    }
    return linear_end::numbers_ran_out;
  }

  [[nodiscard]] bool rebuild() {
    if (!basis_.rebuild()) return false;
    costs_.find_all(basis_);
    return true;
  }

  [[nodiscard]] bool spend() {
    steps_ += (basis_.take_touched() + costs_.take_touched() + rules_.take_touched()) / 8 + 1;
    return steps_ <= most_steps_;
  }

  /// False if a solve does not come to an end. Before that the rules become such that it should.
  [[nodiscard]] bool go_on() {
    if (pivots_ + (most_pivots_ - first_pivots_) / 2 > most_pivots_) rules_.be_cautious();
    return pivots_ < most_pivots_;
  }

  /// Until no value is negative. \pre no reduced cost is
  [[nodiscard]] linear_end dual_steps() {
    for (;;) {
      if (!spend()) return linear_end::out_of_steps;
      if (!go_on()) return linear_end::numbers_ran_out;
      if (basis_.worn()) {
        if (!rebuild()) return linear_end::numbers_ran_out;
        costs_.raise_negative(basis_);
      }
      const std::uint32_t slot = rules_.leaving_slot(basis_);
      if (slot == no_slot) return linear_end::optimal;
      if (!costs_.asleep() && basis_.variables() > few_variables) costs_.let_sleep(basis_);
      const int sign = basis_.value(slot) < 0 ? -1 : 1;
      if (basis_.find_row(slot, sign)) {
        const member_code enters = rules_.entering(basis_, costs_);
        if (enters.none()) {
          if (basis_.fresh()) return refuse();
        } else if (basis_.find_column(enters) && pivot_rules::agree(basis_, costs_, slot, enters, sign)) {
          exchange(slot, enters, sign);
          costs_.raise_negative_after_step(basis_);
          continue;
        }
      }
      if (basis_.fresh() || !rebuild()) return linear_end::numbers_ran_out;
      costs_.raise_negative(basis_);
    }
  }

  /// Until no reduced cost is negative.
  [[nodiscard]] linear_end primal_steps() {
    for (;;) {
      if (!spend()) return linear_end::out_of_steps;
      if (!go_on()) return linear_end::numbers_ran_out;
      if (basis_.worn() && !rebuild()) return linear_end::numbers_ran_out;
      const member_code enters = rules_.negative(basis_, costs_);
      if (enters.none()) {
        if (basis_.fresh()) return linear_end::optimal;
      } else if (basis_.find_column(enters)) {
        const std::uint32_t slot = rules_.blocking_slot(basis_);
        if (slot != no_slot && basis_.find_row(slot, 1)) {
          costs_.find_alpha(basis_);
          if (pivot_rules::agree(basis_, costs_, slot, enters, 1)) {
            exchange(slot, enters, 1);
            continue;
          }
        }
      }
      if (basis_.fresh() || !rebuild()) return linear_end::numbers_ran_out;
    }
  }

  /// The row of the inverse says that its sum cannot be met: it becomes the prices.
  [[nodiscard]] linear_end refuse() {
    for (std::uint32_t r = 0; r < basis_.rows().rows(); ++r) basis_.set_price(r, basis_.row()[r]);
    return linear_end::infeasible;
  }

  void exchange(std::uint32_t slot, member_code enters, int sign) {
    const std::int64_t reduced = enters.is_slack() ? basis_.slack_reduced(enters.number()) : costs_[enters.number()];
    const ratio step{reduced, sign * basis_.column()[slot]};
    const member_code leaves = basis_.exchange(slot, enters, step);
    costs_.move(basis_, step, leaves, sign * factor_one);
    ++pivots_;
  }

  working_basis basis_;
  reduced_costs costs_;
  pivot_rules rules_;
  std::vector<std::int64_t> value_;
  int price_bits_ = 0, value_bits_ = 0;
  std::uint64_t most_steps_ = 0, steps_ = 0, pivots_ = 0, first_pivots_ = 0, most_pivots_ = 0;
};

}  // namespace muster::inline MUSTER_ABI::preemption_detail

#endif
