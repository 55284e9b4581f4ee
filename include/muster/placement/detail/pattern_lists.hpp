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
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

class pattern_lists {
 public:
  void start(mix& to) {
    to_ = &to;
    hashes_.clear();
    lists_.clear();
    table_.assign(64, none);
  }

  /// The list of the patterns from counts `first` on, or an earlier one of this call that is equal, pattern by pattern.
  [[nodiscard]] std::uint32_t merge(std::size_t first) {
    const std::size_t classes = to_->classes();
    const auto from = static_cast<std::uint32_t>(first / classes), last = to_->patterns();
    const auto count = [&](std::size_t i) { return to_->counts.begin() + static_cast<std::ptrdiff_t>(i); };
    const std::uint64_t hash = hash_from(first);
    std::size_t at = hash & (table_.size() - 1);
    for (; table_[at] != none; at = (at + 1) & (table_.size() - 1)) {
      const std::uint32_t list = lists_[table_[at]];
      const site_group& group = to_->groups[list];
      if (hashes_[table_[at]] != hash || group.last - group.first != last - from) continue;
      if (!std::equal(count(group.first * classes), count(group.last * classes), count(first))) continue;
      to_->counts.resize(first);
      return list;
    }
    const auto list = static_cast<std::uint32_t>(to_->groups.size());
    to_->groups.push_back({from, last, 0});
    table_[at] = static_cast<std::uint32_t>(lists_.size());
    lists_.push_back(list);
    hashes_.push_back(hash);
    if (lists_.size() * 2 > table_.size()) grow();
    return list;
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  /// A cheap one, in two chains that do not wait for each other: equal hashes are looked at again.
  [[nodiscard]] std::uint64_t hash_from(std::size_t i) const noexcept {
    const auto& counts = to_->counts;
    std::uint64_t even = 1, odd = 2;
    for (; i + 3 < counts.size(); i += 4) {
      even = (even ^ (counts[i] | std::uint64_t{counts[i + 1]} << 32U)) * 0x9e3779b97f4a7c15U;
      odd = (odd ^ (counts[i + 2] | std::uint64_t{counts[i + 3]} << 32U)) * 0xbf58476d1ce4e5b9U;
    }
    for (; i < counts.size(); ++i) even = (even ^ counts[i]) * 0x9e3779b97f4a7c15U;
    even ^= odd >> 7U;
    return even ^ even >> 32U;
  }
  void grow() {
    table_.assign(table_.size() * 4, none);
    for (std::uint32_t i = 0; i < lists_.size(); ++i) {
      std::size_t at = hashes_[i] & (table_.size() - 1);
      while (table_[at] != none) at = (at + 1) & (table_.size() - 1);
      table_[at] = i;
    }
  }

  mix* to_ = nullptr;
  std::vector<std::uint32_t> lists_;   // that were made here: others add lists, too
  std::vector<std::uint64_t> hashes_;  // of each
  std::vector<std::uint32_t> table_;   // of lists_, by hash
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
