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
#include <muster/preemption/detail/basis_factors.hpp>
#include <muster/preemption/detail/fixed_point.hpp>
#include <muster/preemption/detail/linear_rows.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace muster::inline MUSTER_ABI::preemption_detail {

/// How a solve ended.
enum class linear_end : std::uint8_t {
  optimal,
  infeasible,       ///< `price` combines the rows to one that nothing meets, see there
  out_of_steps,     ///< the prices are those of the last step: worth something, not the best
  numbers_ran_out,  ///< the same; the next solve starts from the slacks
};

class dual_simplex {
 public:
  /// Forgets the program; keeps the memory.
  void clear() {
    rows_.clear();
    given_.clear();
    norm_.clear();
    fixed_.clear();
    slot_.clear();
    slack_slot_.clear();
    basic_.clear();
    weight_.clear();
    y_.clear();
    x_.clear();
    value_.clear();
    d_.clear();
    price_bits_ = most_price_bits;
    value_bits_ = most_value_bits;
    pivots_ = 0;
  }

  /// \return its number: 0, 1, 2 ... \pre 0 <= cost < 2^40
  std::uint32_t add_variable(std::int64_t cost) {
    rows_.add_column();
    given_.push_back(cost);
    norm_.push_back(0);
    fixed_.push_back(0);
    slot_.push_back(none);
    d_.push_back(0);
    price_bits_ = std::min(price_bits_, cost_width - static_cast<int>(std::bit_width(static_cast<std::uint64_t>(cost))));
    return static_cast<std::uint32_t>(given_.size() - 1);
  }

  /// sum of the terms >= bound. \return its number, which may be that of a row removed before
  /// \pre every variable at most once; |coefficient| <= 2^20, |bound| <= 2^31
  std::uint32_t add_row(std::span<const linear_term> terms, std::int64_t bound) {
    const std::uint32_t row = rows_.add(terms, bound);
    for (const linear_term& term : terms) norm_[term.variable] += magnitude(term.coefficient);
    if (row >= slack_slot_.size()) {
      slack_slot_.resize(row + 1);
      basic_.resize(row + 1);
      weight_.resize(row + 1);
      y_.resize(row + 1);
      x_.resize(row + 1);
    }
    slack_slot_[row] = row;
    basic_[row] = slack_bit | row;
    weight_[row] = weight_one;
    y_[row] = x_[row] = 0;
    keep_value_bits(bound);
    return row;
  }

  /// Takes a row out. Best while its slack is in the basis (`is_slack`): otherwise the next solve has more to mend, and
  /// `load` of a basis saved before the row was added is quicker. \pre the row is there
  void remove_row(std::uint32_t row) {
    for (const linear_term& term : rows_.terms(row)) norm_[term.variable] -= magnitude(term.coefficient);
    rows_.remove(row);
    y_[row] = 0;
  }

  /// \pre the row is there, |bound| <= 2^31
  void set_bound(std::uint32_t row, std::int64_t bound) {
    rows_.set_bound(row, bound);
    keep_value_bits(bound);
  }

  /// Holds a variable at 0, until `release`. After that, `load` of a basis saved before spares the next solve work.
  void fix_at_zero(std::uint32_t variable) { fixed_[variable] = 1; }
  void release(std::uint32_t variable) {
    fixed_[variable] = 0;
  }

  /// A basis, to come back to. Row numbers are those of its time: rows added since keep their slack, rows removed since
  /// are left out.
  struct basis {
    std::vector<std::uint32_t> variables, tight_rows;
  };
  /// \complexity O(variables + rows)
  void save(basis& to) const {
    to.variables.clear();
    to.tight_rows.clear();
    for (std::uint32_t v = 0; v < slot_.size(); ++v)
      if (slot_[v] != none) to.variables.push_back(v);
    for (std::uint32_t r = 0; r < slack_slot_.size(); ++r)
      if (rows_.live(r) && slack_slot_[r] == none) to.tight_rows.push_back(r);
  }
  /// \complexity O(variables + rows), and the next solve factors
  void load(const basis& from) {
    slacks_only();
    for (const std::uint32_t v : from.variables)
      if (v < slot_.size()) slot_[v] = 0;
    for (const std::uint32_t r : from.tight_rows)
      if (r < slack_slot_.size() && rows_.live(r)) slack_slot_[r] = none;
  }

  /// Solves from the present basis. A step is eight numbers touched.
  /// \complexity O(rows x rows + entries) a pivot at worst; in sparse programs near the entries of the rows that the
  ///             leaving row's inverse touches
  [[nodiscard]] linear_end solve(std::uint64_t most_steps) {
    most_steps_ = most_steps;
    steps_ = touched_ = 0;
    most_pivots_ = pivots_ + 20000 + 50 * rows_.live_rows();
    linear_end end = linear_end::out_of_steps;
    if (most_steps != 0) end = run();
    value_.assign(slot_.size(), 0);
    for (std::size_t v = 0; v < slot_.size(); ++v)
      if (slot_[v] != none) value_[v] = std::max<std::int64_t>(x_[slot_[v]], 0);
    if (end == linear_end::numbers_ran_out) slacks_only();
    return end;
  }
  /// Steps the last solve took; over its limit by at most one pivot's.
  [[nodiscard]] std::uint64_t steps() const noexcept { return steps_; }
  /// Since `clear`.
  [[nodiscard]] std::uint64_t pivots() const noexcept { return pivots_; }

  /// Bits behind the point of value(): fewer where a bound is large, at most 30.
  [[nodiscard]] int value_bits() const noexcept { return value_bits_; }
  /// Bits behind the point of price() and objective(): fewer where a cost is large, at most 46.
  [[nodiscard]] int price_bits() const noexcept { return price_bits_; }

  /// x as the last solve left it, not negative.
  [[nodiscard]] std::int64_t value(std::uint32_t variable) const noexcept {
    return variable < value_.size() ? value_[variable] : 0;
  }
  /// y, not negative. After `infeasible`: a combination of rows whose sum has no (or almost no) positive coefficient
  /// for a variable that is not fixed, and a positive bound.
  [[nodiscard]] std::int64_t price(std::uint32_t row) const noexcept { return std::max<std::int64_t>(y_[row], 0); }
  /// Sum of price x bound over all rows, held at +-2^62.
  [[nodiscard]] std::int64_t objective() const noexcept {
    wide_int sum = 0;
    for (std::uint32_t r = 0; r < rows_.rows(); ++r)
      if (rows_.live(r)) sum += static_cast<wide_int>(price(r)) * rows_.bound(r);
    return held(sum);
  }
  /// Whether the slack of a row is in the basis: the row has no price.
  [[nodiscard]] bool is_slack(std::uint32_t row) const noexcept { return slack_slot_[row] != none; }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0}, slack_bit = std::uint32_t{1} << 31U;
  static constexpr int cost_width = 48, most_price_bits = 46, bound_width = 48, most_value_bits = 30;
  static constexpr std::int64_t weight_one = std::int64_t{1} << 8, most_weight = std::int64_t{1} << 46;
  static constexpr std::int64_t least_alpha = factor_one >> 18;
  static constexpr std::int64_t tiny_price = std::int64_t{1} << 8, near_price = std::int64_t{1} << 18;
  static constexpr std::size_t most_changes = 64;

  void keep_value_bits(std::int64_t bound) {
    const auto size = static_cast<std::uint64_t>(magnitude(bound));
    value_bits_ = std::min(value_bits_, bound_width - static_cast<int>(std::bit_width(size)));
  }

  void slacks_only() {
    std::fill(slot_.begin(), slot_.end(), none);
    for (std::uint32_t r = 0; r < slack_slot_.size(); ++r) slack_slot_[r] = r;
    std::fill(weight_.begin(), weight_.end(), weight_one);
  }

  // ---- the course of a solve

  [[nodiscard]] linear_end run() {
    tiny_value_ = std::max<std::int64_t>(std::int64_t{1} << std::max(value_bits_ - 22, 0), 4);
    true_costs();
    if (!rebuild()) return linear_end::numbers_ran_out;
    for (int round = 0; round < 4; ++round) {
      raise_costs();
      if (const linear_end end = dual_steps(); end != linear_end::optimal) return end;
      true_costs();
      if (!rebuild()) return linear_end::numbers_ran_out;
      if (const linear_end end = primal_steps(); end != linear_end::optimal) return end;
      if (leaving_slot() == none) break;
    }
    return linear_end::optimal;
  }

  [[nodiscard]] bool spend() {
    steps_ += touched_ / 8 + 1;
    touched_ = 0;
    return steps_ <= most_steps_;
  }

  [[nodiscard]] bool cautious() const noexcept { return pivots_ + rows_.live_rows() * 25 + 10000 > most_pivots_; }

  [[nodiscard]] linear_end dual_steps() {
    bool fresh = false;
    for (;;) {
      if (!spend()) return linear_end::out_of_steps;
      if (pivots_ >= most_pivots_) return linear_end::numbers_ran_out;
      if (worn() && !rebuild()) return linear_end::numbers_ran_out;
      fresh = factors_.changes() == 0;
      const std::uint32_t leaves = leaving_slot();
      if (leaves == none) {
        if (fresh) return linear_end::optimal;
        if (!rebuild()) return linear_end::numbers_ran_out;
        continue;
      }
      const int sign = x_[leaves] < 0 ? -1 : 1;
      bool good = find_row(leaves, sign);
      if (good) {
        const std::uint32_t enters = entering();
        if (enters == none) {
          if (fresh) return refuse();
        } else {
          good = find_column(enters) && agrees(leaves, enters, sign);
          if (good) {
            exchange(leaves, enters, sign);
            keep_dual_feasible();
            continue;
          }
        }
      }
      if (fresh || !rebuild()) return linear_end::numbers_ran_out;
    }
  }

  [[nodiscard]] linear_end primal_steps() {
    for (;;) {
      if (!spend()) return linear_end::out_of_steps;
      if (pivots_ >= most_pivots_) return linear_end::numbers_ran_out;
      if (worn() && !rebuild()) return linear_end::numbers_ran_out;
      const bool fresh = factors_.changes() == 0;
      const std::uint32_t enters = negative();
      if (enters == none) {
        if (fresh) return linear_end::optimal;
        if (!rebuild()) return linear_end::numbers_ran_out;
        continue;
      }
      if (find_column(enters)) {
        const std::uint32_t leaves = blocking();
        if (leaves != none && find_row(leaves, 1) && agrees(leaves, enters, 1)) {
          exchange(leaves, enters, 1);
          continue;
        }
      }
      if (fresh || !rebuild()) return linear_end::numbers_ran_out;
    }
  }

  /// No row of the inverse says more than that its sum cannot be met: it becomes the prices.
  [[nodiscard]] linear_end refuse() {
    std::fill(y_.begin(), y_.end(), std::int64_t{0});
    for (const std::uint32_t r : row_places_) y_[r] = std::max<std::int64_t>(row_[r], 0);
    return linear_end::infeasible;
  }

  // ---- costs

  void true_costs() {
    cost_.resize(given_.size());
    for (std::size_t v = 0; v < given_.size(); ++v)
      cost_[v] = static_cast<std::int64_t>(static_cast<std::uint64_t>(given_[v]) << static_cast<unsigned>(price_bits_));
    slack_cost_.assign(rows_.rows(), 0);
  }

  /// Raises the costs outside the basis, and what is still negative there to 0.
  void raise_costs() {
    for (std::uint32_t v = 0; v < slot_.size(); ++v) {
      if (slot_[v] != none) continue;
      const std::int64_t part = 512 + static_cast<std::int64_t>((v * std::uint32_t{2654435769U}) >> 23U);
      const std::int64_t more = (((cost_[v] >> 20) + (std::int64_t{1} << (cost_width - 24))) * part) >> 10;
      cost_[v] += more;
      d_[v] += more;
    }
    keep_dual_feasible();
  }

  void keep_dual_feasible() {
    for (std::size_t v = 0; v < d_.size(); ++v)
      if (d_[v] < 0 && fixed_[v] == 0 && slot_[v] == none) {
        cost_[v] = held(static_cast<wide_int>(cost_[v]) - d_[v]);
        d_[v] = 0;
      }
    for (std::uint32_t r = 0; r < rows_.rows(); ++r)
      if (slack_slot_[r] == none && y_[r] + slack_cost_[r] < 0) slack_cost_[r] = -y_[r];
  }

  // ---- the basis

  [[nodiscard]] bool worn() const noexcept {
    return factors_.changes() >= most_changes ||
           factors_.changed_entries() > 2048 + 3 * (factors_.entries() + rows_.live_rows());
  }

  /// Factors the basis and computes values, prices and reduced costs afresh. A basis that does not factor is mended with
  /// slacks. False if the numbers are too large.
  [[nodiscard]] bool rebuild() {
    const std::size_t rows = rows_.rows();
    column_.resize(rows);
    row_.resize(rows);
    residue_.resize(rows);
    alpha_.resize(slot_.size());
    most_norm_ = 1;
    for (const std::int64_t norm : norm_) most_norm_ = std::max(most_norm_, norm);

    takes_pivot_.resize(rows);
    for (std::uint32_t r = 0; r < rows; ++r) takes_pivot_[r] = rows_.live(r) && slack_slot_[r] == none;
    factors_.start(takes_pivot_);
    order_.clear();
    for (std::uint32_t v = 0; v < slot_.size(); ++v) {
      if (slot_[v] == none) continue;
      order_.push_back(v);
      factors_.add_column([&](auto&& cell) { rows_.visit_column(v, cell); });
    }
    const auto found = factors_.factor();
    old_weight_.swap(weight_);
    weight_.assign(rows, weight_one);
    old_slack_slot_.swap(slack_slot_);
    slack_slot_.resize(rows);
    for (std::uint32_t r = 0; r < rows; ++r) {
      slack_slot_[r] = r;
      basic_[r] = slack_bit | r;
      if (old_slack_slot_[r] != none) weight_[r] = old_weight_[old_slack_slot_[r]];
    }
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const std::uint32_t v = order_[i], slot = found[i];
      if (slot != basis_factors::no_slot) {
        weight_[slot] = old_weight_[slot_[v]];
        basic_[slot] = v;
        slack_slot_[slot] = none;
      }
      slot_[v] = slot;
    }
    touched_ += factors_.work() + rows;
    return find_values() && find_prices();
  }

  [[nodiscard]] bool find_values() {
    const std::size_t rows = rows_.rows();
    for (std::uint32_t r = 0; r < rows; ++r)
      x_[r] = rows_.live(r) ? rows_.bound(r) * (std::int64_t{1} << static_cast<unsigned>(value_bits_)) : 0;
    factors_.solve_column(x_);
    for (std::uint32_t r = 0; r < rows; ++r) residue_[r] = rows_.live(r) ? rows_.bound(r) * (std::int64_t{1} << static_cast<unsigned>(value_bits_)) : 0;
    for (std::uint32_t r = 0; r < rows; ++r) {
      if (!in_range(x_[r])) return false;
      if ((basic_[r] & slack_bit) != 0) {
        residue_[r] = held(static_cast<wide_int>(residue_[r]) + x_[r]);
      } else {
        rows_.visit_column(basic_[r], [&](std::uint32_t row, std::int32_t entry) {
          residue_[row] = held(residue_[row] - static_cast<wide_int>(entry) * x_[r]);
        });
      }
    }
    factors_.solve_column(residue_);
    for (std::uint32_t r = 0; r < rows; ++r) {
      x_[r] = held(static_cast<wide_int>(x_[r]) + residue_[r]);
      if (!in_range(x_[r])) return false;
    }
    touched_ += 2 * (factors_.entries() + rows);
    return true;
  }

  [[nodiscard]] bool find_prices() {
    const std::size_t rows = rows_.rows();
    const auto cost_at = [this](std::uint32_t code) {
      return (code & slack_bit) != 0 ? slack_cost_[code & ~slack_bit] : cost_[code];
    };
    for (std::uint32_t r = 0; r < rows; ++r) y_[r] = cost_at(basic_[r]);
    factors_.solve_row(y_);
    for (std::uint32_t r = 0; r < rows; ++r) {
      wide_int left = cost_at(basic_[r]);
      if ((basic_[r] & slack_bit) != 0)
        left += y_[r];
      else
        rows_.visit_column(basic_[r], [&](std::uint32_t row, std::int32_t entry) {
          left -= static_cast<wide_int>(entry) * y_[row];
        });
      residue_[r] = held(left);
    }
    factors_.solve_row(residue_);
    std::int64_t most = 0;
    for (std::uint32_t r = 0; r < rows; ++r) {
      y_[r] = rows_.live(r) ? held(static_cast<wide_int>(y_[r]) + residue_[r]) : 0;
      most = std::max(most, magnitude(y_[r]));
    }
    touched_ += 2 * (factors_.entries() + rows);
    if (most >= number_limit / 2 / most_norm_) return false;
    std::copy(cost_.begin(), cost_.end(), d_.begin());
    for (std::uint32_t r = 0; r < rows; ++r) {
      if (y_[r] == 0) continue;
      const auto terms = rows_.terms(r);
      for (const linear_term& term : terms) d_[term.variable] -= term.coefficient * y_[r];
      touched_ += terms.size();
    }
    for (std::uint32_t r = 0; r < rows; ++r)
      if ((basic_[r] & slack_bit) == 0) d_[basic_[r]] = 0;
    touched_ += d_.size();
    return true;
  }

  // ---- a step

  /// The slot whose value is furthest outside its limits.
  [[nodiscard]] std::uint32_t leaving_slot() {
    std::uint32_t best = none;
    __extension__ using wide_count = unsigned __int128;
    wide_count best_square = 0;
    touched_ += rows_.rows();
    for (std::uint32_t s = 0; s < rows_.rows(); ++s) {
      std::int64_t over = -x_[s];
      if (over < 0 && (basic_[s] & slack_bit) == 0 && fixed_[basic_[s]] != 0) over = -over;
      if (over <= tiny_value_) continue;
      if (cautious()) {
        if (best == none || basic_[s] < basic_[best]) best = s;
        continue;
      }
      // 14 bits behind the point, 36 in all: the square times a weight stays below 2^119
      const std::int64_t size = value_bits_ > 14 ? over >> (value_bits_ - 14) : over;
      const auto held_size = static_cast<wide_count>(std::clamp<std::int64_t>(size, 1, (std::int64_t{1} << 36) - 1));
      const wide_count square = held_size * held_size;
      if (best == none || square * static_cast<wide_count>(weight_[best]) > best_square * static_cast<wide_count>(weight_[s])) {
        best = s;
        best_square = square;
      }
    }
    return best;
  }

  /// Row `slot` of the inverse and of the program, times sign. False if the numbers are too large.
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
    if (most >= number_limit / 2 / most_norm_) return false;
    std::fill(alpha_.begin(), alpha_.end(), std::int64_t{0});
    for (const std::uint32_t r : row_places_) {
      const std::int64_t by = row_[r];
      const auto terms = rows_.terms(r);
      if (!rows_.live(r)) continue;
      for (const linear_term& term : terms) alpha_[term.variable] += term.coefficient * by;
      touched_ += terms.size();
    }
    return true;
  }

  /// What enters, given the row: the largest pivot among those whose reduced costs are nearly first to reach 0.
  [[nodiscard]] std::uint32_t entering() {
    candidates_.clear();
    const std::int64_t slip = cautious() ? 0 : near_price;
    std::int64_t first = 0, first_by = 0;
    const auto consider = [&](std::uint32_t code, std::int64_t alpha, std::int64_t reduced) {
      if (first_by != 0 &&
          static_cast<wide_int>(reduced) * first_by > static_cast<wide_int>(first) * alpha)
        return;
      candidates_.push_back({code, alpha, reduced});
      if (first_by == 0 || static_cast<wide_int>(reduced + slip) * first_by < static_cast<wide_int>(first) * alpha) {
        first = reduced + slip;
        first_by = alpha;
      }
    };
    for (std::uint32_t v = 0; v < alpha_.size(); ++v)
      if (alpha_[v] > least_alpha && slot_[v] == none && fixed_[v] == 0) consider(v, alpha_[v], d_[v]);
    for (const std::uint32_t r : row_places_)
      if (-row_[r] > least_alpha && slack_slot_[r] == none && rows_.live(r))
        consider(slack_bit | r, -row_[r], y_[r] + slack_cost_[r]);
    touched_ += alpha_.size() + candidates_.size();
    std::uint32_t best = none;
    std::int64_t most = 0;
    for (const candidate& it : candidates_)
      if (it.alpha > most &&
          static_cast<wide_int>(it.reduced) * first_by <= static_cast<wide_int>(first) * it.alpha) {
        best = it.code;
        most = it.alpha;
        if (cautious()) break;
      }
    return best;
  }

  /// The nonbasic variable or slack whose reduced cost is most negative.
  [[nodiscard]] std::uint32_t negative() {
    std::uint32_t best = none;
    std::int64_t least = -tiny_price;
    touched_ += d_.size() + rows_.rows();
    for (std::uint32_t v = 0; v < d_.size(); ++v)
      if (d_[v] < least && slot_[v] == none && fixed_[v] == 0) {
        best = v;
        least = d_[v];
        if (cautious()) return best;
      }
    for (std::uint32_t r = 0; r < rows_.rows(); ++r)
      if (slack_slot_[r] == none && y_[r] < least) {
        best = slack_bit | r;
        least = y_[r];
        if (cautious()) return best;
      }
    return best;
  }

  /// Column of what enters, times the inverse. False if the numbers are too large.
  [[nodiscard]] bool find_column(std::uint32_t code) {
    std::fill(column_.begin(), column_.end(), std::int64_t{0});
    if ((code & slack_bit) != 0)
      column_[code & ~slack_bit] = -factor_one;
    else
      rows_.visit_column(code, [this](std::uint32_t row, std::int32_t entry) { column_[row] = entry * factor_one; });
    factors_.solve_column(column_);
    touched_ += factors_.entries() + factors_.changed_entries() + column_.size();
    return std::all_of(column_.begin(), column_.end(), [](std::int64_t number) { return in_range(number); });
  }

  /// Whether row and column say the same of the pivot, but for rounding.
  [[nodiscard]] bool agrees(std::uint32_t slot, std::uint32_t code, int sign) const noexcept {
    const std::int64_t by_row = sign * ((code & slack_bit) != 0 ? -row_[code & ~slack_bit] : alpha_[code]);
    const std::int64_t by_column = column_[slot];
    return magnitude(by_column) > least_alpha / 2 &&
           magnitude(by_row - by_column) <= (magnitude(by_column) >> 10) + least_alpha / 4;
  }

  /// The slot that keeps what enters from growing; the largest pivot among those nearly first.
  [[nodiscard]] std::uint32_t blocking() {
    touched_ += 2 * column_.size();
    std::int64_t first = 0, first_by = 0;
    const auto room_at = [this](std::uint32_t s, std::int64_t& by) {
      by = column_[s];
      if (by < 0 && (basic_[s] & slack_bit) == 0 && fixed_[basic_[s]] != 0) {
        by = -by;
        return std::int64_t{0};
      }
      return std::max<std::int64_t>(x_[s], 0);
    };
    const std::int64_t slip = cautious() ? 0 : tiny_value_;
    for (std::uint32_t s = 0; s < column_.size(); ++s) {
      std::int64_t by = 0;
      const std::int64_t room = room_at(s, by);
      if (by > least_alpha &&
          (first_by == 0 || static_cast<wide_int>(room + slip) * first_by < static_cast<wide_int>(first) * by)) {
        first = room + slip;
        first_by = by;
      }
    }
    std::uint32_t best = none;
    std::int64_t most = 0;
    for (std::uint32_t s = 0; s < column_.size(); ++s) {
      std::int64_t by = 0;
      const std::int64_t room = room_at(s, by);
      if (by <= least_alpha || static_cast<wide_int>(room) * first_by > static_cast<wide_int>(first) * by) continue;
      if (cautious() ? (best == none || basic_[s] < basic_[best]) : by > most) {
        best = s;
        most = by;
      }
    }
    return best;
  }

  /// `enters` takes the place of what is at a slot; row and column have been found.
  void exchange(std::uint32_t slot, std::uint32_t enters, int sign) {
    const std::uint32_t leaves = basic_[slot];
    const bool enters_slack = (enters & slack_bit) != 0, leaves_slack = (leaves & slack_bit) != 0;
    const std::uint32_t enters_row = enters & ~slack_bit, leaves_row = leaves & ~slack_bit;
    const std::int64_t reduced = enters_slack ? y_[enters_row] + slack_cost_[enters_row] : d_[enters];
    if (reduced != 0) {
      const ratio step{reduced, sign * column_[slot]};
      for (std::size_t v = 0; v < d_.size(); ++v)
        if (alpha_[v] != 0 && (slot_[v] == none || v == leaves)) d_[v] = held(static_cast<wide_int>(d_[v]) - step.times(alpha_[v]));
      for (const std::uint32_t r : row_places_) y_[r] = held(static_cast<wide_int>(y_[r]) + step.times(row_[r]));
      touched_ += d_.size();
    }
    if (!enters_slack) d_[enters] = 0;
    const ratio grows{x_[slot], column_[slot]};
    const ratio reference{factor_one, column_[slot]};
    const std::int64_t weight = weight_[slot];
    bool heavy = false;
    for (std::size_t s = 0; s < column_.size(); ++s) {
      if (column_[s] == 0 || s == slot) continue;
      x_[s] = held(static_cast<wide_int>(x_[s]) - grows.times(column_[s]));
      const std::int64_t part = std::min<std::int64_t>(magnitude(reference.times(column_[s])) >> (factor_bits - 16), std::int64_t{1} << 31);
      weight_[s] = std::max(weight_[s], held((static_cast<wide_int>(part) * part * weight) >> 32));
      heavy = heavy || weight_[s] > most_weight;
    }
    x_[slot] = grows.times(factor_one);
    const std::int64_t part = std::min<std::int64_t>(magnitude(reference.times(factor_one)) >> (factor_bits - 16), std::int64_t{1} << 31);
    weight_[slot] = std::max(weight_one, held((static_cast<wide_int>(part) * part * weight) >> 32));
    if (heavy || weight_[slot] > most_weight) std::fill(weight_.begin(), weight_.end(), weight_one);
    factors_.change_column(slot, column_);
    basic_[slot] = enters;
    (enters_slack ? slack_slot_[enters_row] : slot_[enters]) = slot;
    (leaves_slack ? slack_slot_[leaves_row] : slot_[leaves]) = none;
    ++pivots_;
    touched_ += 2 * column_.size();
  }

  struct candidate {
    std::uint32_t code = 0;
    std::int64_t alpha = 0, reduced = 0;
  };

  linear_rows rows_;
  basis_factors factors_;
  std::vector<std::int64_t> given_, norm_;  // by variable: cost; sum of |coefficient|
  std::vector<char> fixed_;
  std::vector<std::uint32_t> slot_, slack_slot_, basic_;  // basic_ by slot: a variable, or slack_bit and a row
  std::vector<std::int64_t> cost_, slack_cost_;           // as raised
  std::vector<std::int64_t> d_, y_, x_, value_, weight_;
  std::vector<std::int64_t> alpha_, row_, column_, residue_;
  std::vector<std::uint32_t> row_places_, order_;
  std::vector<std::int64_t> old_weight_;
  std::vector<std::uint32_t> old_slack_slot_;
  std::vector<char> takes_pivot_;
  std::vector<candidate> candidates_;
  std::int64_t most_norm_ = 1, tiny_value_ = 1;
  std::uint64_t most_steps_ = 0, steps_ = 0, touched_ = 0, pivots_ = 0, most_pivots_ = 0;
  int price_bits_ = most_price_bits, value_bits_ = most_value_bits;
};

}  // namespace muster::inline MUSTER_ABI::preemption_detail

#endif
