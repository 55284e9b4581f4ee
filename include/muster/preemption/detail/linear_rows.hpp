// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PREEMPTION_DETAIL_LINEAR_ROWS_HPP
#define MUSTER_PREEMPTION_DETAIL_LINEAR_ROWS_HPP

/// \file
/// The rows of a linear program, to be read row by row and column by column.

#include <muster/core/config.hpp>

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

class linear_rows {
 public:
  void clear() {
    terms_.clear();
    links_.clear();
    rows_.clear();
    heads_.clear();
    free_.clear();
    live_terms_ = live_ = 0;
  }

  void add_column() { heads_.push_back(none); }

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
    row& it = rows_[number];
    it = {static_cast<std::uint32_t>(terms_.size()), static_cast<std::uint32_t>(terms_.size() + terms.size()), bound,
          true};
    for (const linear_term& term : terms) append(number, term);
    live_terms_ += terms.size();
    ++live_;
    return number;
  }

  /// \pre the row is live
  void remove(std::uint32_t number) {
    rows_[number].live = false;
    live_terms_ -= rows_[number].last - rows_[number].first;
    --live_;
  }

  void set_bound(std::uint32_t number, std::int64_t bound) { rows_[number].bound = bound; }

  [[nodiscard]] std::size_t rows() const noexcept { return rows_.size(); }
  [[nodiscard]] std::size_t live_rows() const noexcept { return live_; }
  [[nodiscard]] std::size_t columns() const noexcept { return heads_.size(); }
  [[nodiscard]] bool live(std::uint32_t number) const noexcept { return rows_[number].live; }
  [[nodiscard]] std::int64_t bound(std::uint32_t number) const noexcept { return rows_[number].bound; }
  [[nodiscard]] std::span<const linear_term> terms(std::uint32_t number) const noexcept {
    return std::span{terms_}.subspan(rows_[number].first, rows_[number].last - rows_[number].first);
  }

  /// visit(row, coefficient) for each entry of a column in a live row.
  template <class Visit>
  void visit_column(std::uint32_t column, Visit&& visit) const {
    for (std::uint32_t i = heads_[column]; i != none; i = links_[i].next)
      if (rows_[links_[i].row].live) visit(links_[i].row, terms_[i].coefficient);
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct row {
    std::uint32_t first = 0, last = 0;
    std::int64_t bound = 0;
    bool live = false;
  };
  struct link {  // beside each term: its row, and the next term of its column
    std::uint32_t row = 0, next = none;
  };

  void append(std::uint32_t number, const linear_term& term) {
    links_.push_back({number, heads_[term.variable]});
    heads_[term.variable] = static_cast<std::uint32_t>(terms_.size());
    terms_.push_back(term);
  }

  /// Forgets the terms of removed rows; only then are their numbers free.
  void compact() {
    old_terms_.swap(terms_);
    terms_.clear();
    links_.clear();
    free_.clear();
    heads_.assign(heads_.size(), none);
    for (std::uint32_t number = 0; number < rows_.size(); ++number) {
      row& it = rows_[number];
      const std::uint32_t first = it.first, last = it.last;
      it.first = static_cast<std::uint32_t>(terms_.size());
      if (it.live)
        for (std::uint32_t i = first; i < last; ++i) append(number, old_terms_[i]);
      else
        free_.push_back(number);
      it.last = static_cast<std::uint32_t>(terms_.size());
    }
  }

  std::vector<linear_term> terms_, old_terms_;
  std::vector<link> links_;
  std::vector<row> rows_;
  std::vector<std::uint32_t> heads_, free_;
  std::size_t live_terms_ = 0, live_ = 0;
};

}  // namespace muster::inline MUSTER_ABI::preemption_detail

#endif
