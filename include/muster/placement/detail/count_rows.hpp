// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_COUNT_ROWS_HPP
#define MUSTER_PLACEMENT_DETAIL_COUNT_ROWS_HPP

/// \file
/// Vectors of counts, one after another, of which those below another are dropped.

#include <muster/core/config.hpp>
#include <muster/core/search_budget.hpp>
#include <muster/placement/detail/counts.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

class count_rows {
 public:
  void clear(std::size_t classes) noexcept {
    classes_ = classes;
    counts_.clear();
  }
  [[nodiscard]] std::size_t size() const noexcept { return classes_ == 0 ? 0 : counts_.size() / classes_; }
  [[nodiscard]] std::span<const class_count> row(std::size_t i) const noexcept {
    return std::span{counts_}.subspan(i * classes_, classes_);
  }
  [[nodiscard]] std::span<const class_count> counts() const noexcept { return counts_; }

  /// The rows of another one; both keep their memory.
  void copy(const count_rows& other) {
    classes_ = other.classes_;
    counts_ = other.counts_;
  }
  void push_back(std::span<const class_count> row) { counts_.insert(counts_.end(), row.begin(), row.end()); }
  void pop_back() { counts_.resize(counts_.size() - classes_); }
  /// Adds a + b, each count at most as in `limit`. \pre a and b are not of these rows
  void add_sum(std::span<const class_count> a, std::span<const class_count> b, std::span<const class_count> limit) {
    for (std::size_t c = 0; c < classes_; ++c)
      counts_.push_back(static_cast<class_count>(std::min<std::uint64_t>(std::uint64_t{a[c]} + b[c], limit[c])));
  }

  /// Keeps each maximal row once, in falling order. False if the budget ended before.
  /// \complexity O(rows x kept rows), a step for each 16 comparisons
  [[nodiscard]] bool keep_maximal(search_budget& budget) {
    order_.resize(size());
    std::iota(order_.begin(), order_.end(), std::uint32_t{0});
    // the larger come first, so that what is dominated stands behind what dominates it
    std::sort(order_.begin(), order_.end(), [this](std::uint32_t a, std::uint32_t b) {
      return std::ranges::lexicographical_compare(row(b), row(a));
    });
    kept_.clear();
    for (const std::uint32_t i : order_) {
      const auto one = row(i);
      if (!budget.spend(1 + kept_.size() / classes_ / 16)) return false;
      bool maximal = true;
      for (std::size_t k = 0; k < kept_.size() && maximal; k += classes_)
        maximal = !std::equal(one.begin(), one.end(), kept_.begin() + static_cast<std::ptrdiff_t>(k),
                              std::less_equal<>{});
      if (maximal) kept_.insert(kept_.end(), one.begin(), one.end());
    }
    counts_ = kept_;  // not swapped: each keeps its memory, so that the next call with the same rows needs no more
    return true;
  }

 private:
  std::size_t classes_ = 0;
  std::vector<class_count> counts_, kept_;
  std::vector<std::uint32_t> order_;
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
