// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PREEMPTION_DETAIL_BASIS_FACTORS_HPP
#define MUSTER_PREEMPTION_DETAIL_BASIS_FACTORS_HPP

/// \file
/// The basis of a linear program, factored: solves B x = a and y B = c.
///
/// Row r of the program has slot r. A basis has one column a slot: a column of the program whose pivot lies in row r,
/// or the slack of row r, which is -1 in that row and nothing elsewhere. `factor` takes the columns of the program and
/// finds their slots; every row without a pivot keeps its slack. So the work is that of the columns alone, however many
/// rows are carried along.
///
/// The factors are L U by Markowitz: the column with the fewest entries is next, its pivot lies in the row with the
/// fewest among the entries that are large enough. A step of the simplex method changes one column; it is appended as
/// one elementary matrix (product form), until the caller factors anew.
///
/// Ties: lowest number.

#include <muster/core/config.hpp>
#include <muster/preemption/detail/fixed_point.hpp>
#include <muster/preemption/detail/linear_rows.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI::preemption_detail {

class basis_factors {
 public:
  static constexpr std::uint32_t no_slot = ~std::uint32_t{0};

  struct cell {
    std::uint32_t row = 0;
    std::int64_t factor = 0;
  };

  /// Forgets all columns.
  /// \param takes_pivot by row, whether its slack is out of the basis, unless no column has its pivot there
  void start(std::span<const char> takes_pivot) {
    const std::size_t rows = takes_pivot.size();
    takes_pivot_.assign(takes_pivot.begin(), takes_pivot.end());
    if (across_.size() < rows) across_.resize(rows);
    for (std::size_t r = 0; r < rows; ++r) across_[r].clear();
    found_.assign(rows, 0);
    pivot_of_row_.assign(rows, no_slot);
    columns_ = 0;
    upper_.clear();
    lower_.clear();
    pivots_.clear();
    changes_.clear();
    changed_.clear();
    work_ = 0;
  }

  /// Adds a column; they are numbered in this order.
  void add_column(std::span<const linear_entry> entries) {
    if (inside_.size() == columns_) {
      inside_.emplace_back();
      above_.emplace_back();
    }
    const auto column = static_cast<std::uint32_t>(columns_++);
    inside_[column].clear();
    above_[column].clear();
    for (const auto& [row, coefficient] : entries) {
      const cell here{row, coefficient * factor_one};
      if (takes_pivot_[row] == 0) {
        above_[column].push_back(here);
      } else {
        inside_[column].push_back(here);
        across_[row].push_back(column);
      }
    }
  }

  /// Finds the pivots. \return the slot of each column, no_slot for one that depends on the others
  /// \complexity O(entries x log columns) where rows or columns with one entry remain, as most do here
  [[nodiscard]] std::span<const std::uint32_t> factor() {
    slot_of_.assign(columns_, no_slot);
    closed_.assign(columns_, 0);
    rows_left_.assign(takes_pivot_.size(), 0);
    single_rows_.clear();
    queue_.clear();
    for (std::uint32_t r = 0; r < takes_pivot_.size(); ++r) {
      rows_left_[r] = static_cast<std::uint32_t>(across_[r].size());
      if (rows_left_[r] == 1) single_rows_.push_back(r);
    }
    for (std::uint32_t c = 0; c < columns_; ++c) queue_.emplace_back(inside_[c].size(), c);
    std::make_heap(queue_.begin(), queue_.end(), std::greater<>{});
    for (;;) {
      if (!single_rows_.empty()) {
        const std::uint32_t row = single_rows_.back();
        single_rows_.pop_back();
        if (takes_pivot_[row] != 0 && pivot_of_row_[row] == no_slot && rows_left_[row] == 1) close_single_row(row);
        continue;
      }
      if (queue_.empty()) break;
      const auto [entries, column] = queue_.front();
      std::pop_heap(queue_.begin(), queue_.end(), std::greater<>{});
      queue_.pop_back();
      if (closed_[column] != 0 || entries != inside_[column].size()) continue;
      const std::uint32_t row = best_row(column);
      if (row == no_slot)
        drop(column);
      else
        eliminate(row, column);
    }
    return slot_of_;
  }

  /// B x = a: takes a by row, leaves x by slot.
  void solve_column(std::span<std::int64_t> x) const noexcept {
    for (const lower_part& part : lower_) {
      const std::int64_t by = x[part.row];
      if (by == 0) continue;
      for (std::uint32_t i = part.first; i < part.last; ++i)
        x[lower_cells_[i].row] = minus_product(x[lower_cells_[i].row], lower_cells_[i].factor, by);
    }
    for (std::size_t k = pivots_.size(); k-- > 0;) {
      const pivot& at = pivots_[k];
      if (x[at.row] == 0) continue;
      const std::int64_t by = x[at.row] = at.divide.times(x[at.row]);
      for (std::uint32_t i = at.first; i < at.last; ++i)
        x[upper_[i].row] = minus_product(x[upper_[i].row], upper_[i].factor, by);
    }
    for (std::size_t r = 0; r < x.size(); ++r)
      if (pivot_of_row_[r] == no_slot) x[r] = -x[r];
    for (const change& step : changes_) {
      if (x[step.slot] == 0) continue;
      const std::int64_t by = x[step.slot] = step.divide.times(x[step.slot]);
      for (std::uint32_t i = step.first; i < step.last; ++i)
        x[changed_[i].row] = minus_product(x[changed_[i].row], changed_[i].factor, by);
    }
  }

  /// y B = c: takes c by slot, leaves y by row.
  void solve_row(std::span<std::int64_t> y) const noexcept {
    for (std::size_t k = changes_.size(); k-- > 0;) {
      const change& step = changes_[k];
      product_sum sum;
      for (std::uint32_t i = step.first; i < step.last; ++i)
        if (const std::int64_t there = y[changed_[i].row]; there != 0) sum.add(changed_[i].factor, there);
      y[step.slot] = step.divide.times(minus(y[step.slot], sum.value()));
    }
    for (std::size_t r = 0; r < y.size(); ++r)
      if (pivot_of_row_[r] == no_slot) y[r] = -y[r];
    for (const pivot& at : pivots_) {
      product_sum sum;
      for (std::uint32_t i = at.first; i < at.last; ++i)
        if (const std::int64_t there = y[upper_[i].row]; there != 0) sum.add(upper_[i].factor, there);
      y[at.row] = at.divide.times(minus(y[at.row], sum.value()));
    }
    for (std::size_t k = lower_.size(); k-- > 0;) {
      const lower_part& part = lower_[k];
      product_sum sum;
      for (std::uint32_t i = part.first; i < part.last; ++i)
        if (const std::int64_t there = y[lower_cells_[i].row]; there != 0) sum.add(lower_cells_[i].factor, there);
      y[part.row] = minus(y[part.row], sum.value());
    }
  }

  /// The column of a slot becomes another one: `solved` is what solve_column leaves of that, over 2^factor_bits.
  /// \pre solved[slot] is not 0
  void change_column(std::uint32_t slot, std::span<const std::int64_t> solved) {
    const auto first = static_cast<std::uint32_t>(changed_.size());
    for (std::uint32_t i = 0; i < solved.size(); ++i)
      if (i != slot && solved[i] != 0) changed_.push_back({i, solved[i]});
    changes_.push_back({slot, first, static_cast<std::uint32_t>(changed_.size()), ratio{factor_one, solved[slot]}});
  }

  [[nodiscard]] std::size_t changes() const noexcept { return changes_.size(); }
  /// Entries of the factors, and of the changes since.
  [[nodiscard]] std::size_t entries() const noexcept {
    return upper_.size() + (lower_.empty() ? 0 : lower_.back().last) + pivots_.size();
  }
  [[nodiscard]] std::size_t changed_entries() const noexcept { return changed_.size(); }
  /// Entries touched by the last `factor`.
  [[nodiscard]] std::size_t work() const noexcept { return work_; }

 private:
  struct pivot {
    std::uint32_t row = 0, first = 0, last = 0;  // the part of its column in rows with an earlier pivot
    ratio divide;
  };
  struct lower_part {
    std::uint32_t row = 0, first = 0, last = 0;
  };
  struct change {
    std::uint32_t slot = 0, first = 0, last = 0;
    ratio divide;
  };

  static constexpr std::int64_t least_pivot = factor_one >> 16;
  static constexpr int large_enough = 3, large_enough_alone = 10;  // 2^-n of the largest in the column

  [[nodiscard]] std::int64_t largest(std::uint32_t column) const noexcept {
    std::int64_t most = 0;
    for (const cell& here : inside_[column]) most = std::max(most, magnitude(here.factor));
    return most;
  }

  /// The row of the column's pivot; no_slot if no entry is one.
  [[nodiscard]] std::uint32_t best_row(std::uint32_t column) const noexcept {
    const std::int64_t least = std::max(largest(column) >> large_enough, least_pivot);
    std::uint32_t best = no_slot;
    for (const cell& here : inside_[column])
      if (magnitude(here.factor) >= least &&
          (best == no_slot || rows_left_[here.row] < rows_left_[best] ||
           (rows_left_[here.row] == rows_left_[best] && here.row < best)))
        best = here.row;
    return best;
  }

  void close_single_row(std::uint32_t row) {
    for (const std::uint32_t column : across_[row]) {
      if (closed_[column] != 0) continue;
      for (const cell& here : inside_[column])
        if (here.row == row &&
            magnitude(here.factor) >= std::max(largest(column) >> large_enough_alone, least_pivot)) {
          eliminate(row, column);
          return;
        }
    }
  }

  void drop(std::uint32_t column) {
    closed_[column] = 1;
    leave_rows(column);
  }

  void leave_rows(std::uint32_t column) {
    for (const cell& here : inside_[column])
      if (--rows_left_[here.row] == 1) single_rows_.push_back(here.row);
  }

  void eliminate(std::uint32_t row, std::uint32_t column) {
    std::vector<cell>& own = inside_[column];
    pivot at{row, static_cast<std::uint32_t>(upper_.size()), 0, {}};
    upper_.insert(upper_.end(), above_[column].begin(), above_[column].end());
    at.last = static_cast<std::uint32_t>(upper_.size());
    for (const cell& here : own)
      if (here.row == row) at.divide = ratio{factor_one, here.factor};
    pivots_.push_back(at);
    pivot_of_row_[row] = column;
    slot_of_[column] = row;
    closed_[column] = 1;

    lower_part part{row, lower_.empty() ? 0U : lower_.back().last, 0};
    lower_cells_.resize(part.first);
    for (const cell& here : own)
      if (here.row != row && here.factor != 0) lower_cells_.push_back({here.row, at.divide.times(here.factor)});
    part.last = static_cast<std::uint32_t>(lower_cells_.size());
    if (part.last != part.first) lower_.push_back(part);
    leave_rows(column);
    for (const std::uint32_t other : across_[row])
      if (closed_[other] == 0) subtract(part, row, other);
    work_ += own.size() + above_[column].size();
  }

  /// Takes the pivot's row out of another column.
  void subtract(const lower_part& part, std::uint32_t row, std::uint32_t other) {
    std::vector<cell>& cells = inside_[other];
    std::size_t at = 0;
    while (cells[at].row != row) ++at;
    const cell top = cells[at];
    cells[at] = cells.back();
    cells.pop_back();
    work_ += cells.size();
    if (top.factor != 0) {
      above_[other].push_back(top);
      if (part.first != part.last) {
        for (std::uint32_t i = 0; i < cells.size(); ++i) found_[cells[i].row] = i + 1;
        const std::size_t before = cells.size();
        for (std::uint32_t i = part.first; i < part.last; ++i) {
          const cell& by = lower_cells_[i];
          if (found_[by.row] != 0) {
            cell& here = cells[found_[by.row] - 1];
            here.factor = minus_product(here.factor, by.factor, top.factor);
          } else {
            cells.push_back({by.row, minus_product(0, by.factor, top.factor)});
            across_[by.row].push_back(other);
            ++rows_left_[by.row];
          }
        }
        for (std::size_t i = 0; i < before; ++i) found_[cells[i].row] = 0;
        work_ += part.last - part.first;
      }
    }
    queue_.emplace_back(cells.size(), other);
    std::push_heap(queue_.begin(), queue_.end(), std::greater<>{});
  }

  std::vector<char> takes_pivot_, closed_;
  std::vector<std::vector<cell>> inside_, above_;  // by column: in rows without and with a pivot
  std::vector<std::vector<std::uint32_t>> across_;  // by row: columns with an entry there
  std::vector<std::uint32_t> rows_left_, single_rows_, found_, pivot_of_row_, slot_of_;
  std::vector<std::pair<std::size_t, std::uint32_t>> queue_;
  std::size_t columns_ = 0, work_ = 0;

  std::vector<cell> upper_, lower_cells_, changed_;
  std::vector<pivot> pivots_;
  std::vector<lower_part> lower_;
  std::vector<change> changes_;
};

}  // namespace muster::inline MUSTER_ABI::preemption_detail

#endif
