// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PREEMPTION_DETAIL_LINEAR_ROWS_HPP
#define MUSTER_PREEMPTION_DETAIL_LINEAR_ROWS_HPP

/// \file
/// The rows of a linear program, to be read row by row and column by column.

#include <muster/core/config.hpp>
#include <muster/preemption/detail/fixed_point.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace muster::inline MUSTER_ABI::preemption_detail {

/// A variable of a row and what it is multiplied by.
struct linear_term {
  std::uint32_t variable = 0;
  std::int32_t coefficient = 0;
};

/// An entry of a column.
struct linear_entry {
  std::uint32_t row = 0;
  std::int32_t coefficient = 0;
};

class linear_rows {
 public:
  void clear() {
    terms_.clear();
    rows_.clear();
    free_.clear();
    norm_.clear();
    live_terms_ = live_ = 0;
    indexed_ = false;
  }

  void add_column() {
    norm_.push_back(0);
    indexed_ = false;
  }

  /// \return its number, which may be that of a removed row
  std::uint32_t add(std::span<const linear_term> terms, std::int64_t bound) {
    if (terms_.size() > 1024 + 2 * live_terms_) compact();
    auto number = static_cast<std::uint32_t>(rows_.size());
    if (free_.empty()) {
      rows_.emplace_back();
    } else {
      number = free_.back();
      free_.pop_back();
    }
    rows_[number] = {static_cast<std::uint32_t>(terms_.size()),
                     static_cast<std::uint32_t>(terms_.size() + terms.size()), bound, true};
    terms_.insert(terms_.end(), terms.begin(), terms.end());
    for (const linear_term& term : terms) norm_[term.variable] += size(term);
    live_terms_ += terms.size();
    ++live_;
    indexed_ = false;
    return number;
  }

  /// \pre the row is live
  void remove(std::uint32_t number) {
    for (const linear_term& term : terms(number)) norm_[term.variable] -= size(term);
    rows_[number].live = false;
    live_terms_ -= rows_[number].last - rows_[number].first;
    --live_;
    free_.push_back(number);
    indexed_ = false;
  }

  void set_bound(std::uint32_t number, std::int64_t bound) { rows_[number].bound = bound; }

  [[nodiscard]] std::size_t rows() const noexcept { return rows_.size(); }
  [[nodiscard]] std::size_t live_rows() const noexcept { return live_; }
  [[nodiscard]] bool live(std::uint32_t number) const noexcept { return rows_[number].live; }
  [[nodiscard]] std::int64_t bound(std::uint32_t number) const noexcept { return rows_[number].bound; }
  [[nodiscard]] std::span<const linear_term> terms(std::uint32_t number) const noexcept {
    return std::span{terms_}.subspan(rows_[number].first, rows_[number].last - rows_[number].first);
  }

  /// Sum of the sizes of a column's coefficients.
  [[nodiscard]] std::int64_t norm(std::uint32_t column) const noexcept { return norm_[column]; }

  /// Makes `column` say what the rows say now. \complexity O(columns + terms) after a change of rows, else O(1)
  void index_columns() {
    if (indexed_) return;
    first_.assign(norm_.size() + 1, 0);
    for (const row& it : rows_)
      if (it.live)
        for (std::uint32_t i = it.first; i < it.last; ++i) ++first_[terms_[i].variable];
    std::uint32_t sum = 0;
    for (std::uint32_t& at : first_) at = sum += at;  // ends, for now
    entries_.resize(sum);
    for (std::uint32_t number = static_cast<std::uint32_t>(rows_.size()); number-- > 0;)
      if (rows_[number].live)
        for (const linear_term& term : terms(number)) entries_[--first_[term.variable]] = {number, term.coefficient};
    indexed_ = true;
  }
  /// By row number. \pre index_columns() was called since the last change
  [[nodiscard]] std::span<const linear_entry> column(std::uint32_t number) const noexcept {
    return std::span{entries_}.subspan(first_[number], first_[number + 1] - first_[number]);
  }

  /// Sum of a column's coefficients, each times its row's number; held if the sum may be large.
  [[nodiscard]] std::int64_t product(std::uint32_t number, std::span<const std::int64_t> by,
                                     bool large) const noexcept {
    if (large) {
      wide_int sum = 0;
      for (const linear_entry& it : column(number)) sum += static_cast<wide_int>(it.coefficient) * by[it.row];
      return held(sum);
    }
    std::int64_t sum = 0;
    for (const linear_entry& it : column(number)) sum += it.coefficient * by[it.row];
    return sum;
  }

 private:
  struct row {
    std::uint32_t first = 0, last = 0;
    std::int64_t bound = 0;
    bool live = false;
  };

  [[nodiscard]] static std::int64_t size(const linear_term& term) noexcept {
    return term.coefficient < 0 ? -std::int64_t{term.coefficient} : term.coefficient;
  }

  /// Forgets the terms of removed rows.
  void compact() {
    old_terms_.swap(terms_);
    terms_.clear();
    for (row& it : rows_) {
      const auto first = static_cast<std::uint32_t>(terms_.size());
      if (it.live) terms_.insert(terms_.end(), old_terms_.begin() + it.first, old_terms_.begin() + it.last);
      it.first = first;
      it.last = static_cast<std::uint32_t>(terms_.size());
    }
  }

  std::vector<linear_term> terms_, old_terms_;
  std::vector<row> rows_;
  std::vector<std::uint32_t> free_, first_;
  std::vector<linear_entry> entries_;
  std::vector<std::int64_t> norm_;
  std::size_t live_terms_ = 0, live_ = 0;
  bool indexed_ = false;
};

}  // namespace muster::inline MUSTER_ABI::preemption_detail

#endif
