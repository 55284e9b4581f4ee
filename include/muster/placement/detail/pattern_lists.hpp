// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_PATTERN_LISTS_HPP
#define MUSTER_PLACEMENT_DETAIL_PATTERN_LISTS_HPP

/// \file
/// Keeps each list of patterns of a mix once.

#include <muster/core/config.hpp>
#include <muster/placement/detail/hashed_items.hpp>
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
    lists_.clear();
    known_.start();
  }

  /// The list of the patterns from counts `first` on, or an earlier one of this call that is equal, pattern by pattern.
  [[nodiscard]] std::uint32_t merge(std::size_t first) {
    const std::size_t classes = to_->classes();
    const auto from = static_cast<std::uint32_t>(first / classes), last = to_->patterns();
    const auto count = [&](std::size_t i) { return to_->counts.begin() + static_cast<std::ptrdiff_t>(i); };
    const std::uint64_t hash = hash_from(first);
    const std::uint32_t equal = known_.find(hash, [&](std::uint32_t known) {
      const site_group& group = to_->groups[lists_[known]];
      return group.last - group.first == last - from &&
             std::equal(count(group.first * classes), count(group.last * classes), count(first));
    });
    if (equal != hashed_items::none) {
      to_->counts.resize(first);
      return lists_[equal];
    }
    known_.add(hash);
    lists_.push_back(static_cast<std::uint32_t>(to_->groups.size()));
    to_->groups.push_back({from, last, 0});
    return lists_.back();
  }

 private:
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

  mix* to_ = nullptr;
  std::vector<std::uint32_t> lists_;  // that were made here: others add lists, too
  hashed_items known_;                // lists_, by their patterns
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
