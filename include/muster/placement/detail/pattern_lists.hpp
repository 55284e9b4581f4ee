// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_PATTERN_LISTS_HPP
#define MUSTER_PLACEMENT_DETAIL_PATTERN_LISTS_HPP

/// \file
/// Keeps each list of patterns of a mix once.

#include <muster/core/config.hpp>
#include <muster/placement/detail/mix.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

class pattern_lists {
 public:
  void start(mix& to) noexcept {
    to_ = &to;
    hashes_.clear();
  }

  /// Brings the patterns from `first` on, counted in counts, into one order.
  void sort(std::size_t first) {
    const std::size_t classes = to_->classes();
    const auto width = static_cast<std::ptrdiff_t>(classes);
    const auto row = [&](std::uint32_t p) { return to_->counts.begin() + static_cast<std::ptrdiff_t>(p * classes); };
    const auto from = static_cast<std::uint32_t>(first / classes);
    rows_.resize(to_->patterns() - from);
    std::iota(rows_.begin(), rows_.end(), from);
    std::sort(rows_.begin(), rows_.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::lexicographical_compare(row(a), row(a) + width, row(b), row(b) + width);
    });
    sorted_.clear();
    for (const std::uint32_t p : rows_) sorted_.insert(sorted_.end(), row(p), row(p) + width);
    std::copy(sorted_.begin(), sorted_.end(), row(from));
  }

  /// The list of the patterns from `first` on, or an earlier one that is equal, pattern by pattern.
  [[nodiscard]] std::uint32_t merge(std::size_t first) {
    const std::size_t classes = to_->classes();
    const auto from = static_cast<std::uint32_t>(first / classes), last = to_->patterns();
    const auto at = [&](std::size_t i) { return to_->counts.begin() + static_cast<std::ptrdiff_t>(i); };
    std::uint64_t hash = 1;  // a cheap one: equal hashes are looked at again
    for (std::size_t i = first; i < to_->counts.size(); ++i) hash = hash * 0x9e3779b97f4a7c15U + to_->counts[i];
    hashes_.resize(to_->groups.size(), 0);  // others may have added lists
    for (std::uint32_t g = 0; g < to_->groups.size(); ++g) {
      const site_group& known = to_->groups[g];
      if (hashes_[g] != hash || known.last - known.first != last - from) continue;
      if (!std::equal(at(known.first * classes), at(known.last * classes), at(first))) continue;
      to_->counts.resize(first);
      return g;
    }
    hashes_.push_back(hash);
    to_->groups.push_back({from, last, 0});
    return static_cast<std::uint32_t>(to_->groups.size() - 1);
  }

 private:
  mix* to_ = nullptr;
  std::vector<std::uint64_t> hashes_;  // of each list
  std::vector<std::uint32_t> rows_;
  std::vector<class_count> sorted_;
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
