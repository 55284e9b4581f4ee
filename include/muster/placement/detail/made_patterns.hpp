// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_MADE_PATTERNS_HPP
#define MUSTER_PLACEMENT_DETAIL_MADE_PATTERNS_HPP

/// \file
/// Patterns of groups that are not listed, added to a mix one by one as they are asked for.

#include <muster/core/config.hpp>
#include <muster/placement/detail/counts.hpp>
#include <muster/placement/detail/mix.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

class made_patterns {
 public:
  void start(mix& to) {
    to_ = &to;
    last_of_.clear();
    made_.clear();
  }

  /// The number of a group's pattern with these counts: of one made before, or of a new one; dear_pattern::not_kept
  /// where the mix takes no more. \complexity O(patterns made of the group x classes)
  [[nodiscard]] std::uint32_t keep(std::uint32_t group, std::span<const class_count> counts) {
    if (last_of_.size() <= group) last_of_.resize(group + 1, none);
    for (std::uint32_t at = last_of_[group]; at != none; at = made_[at].before)
      if (std::equal(counts.begin(), counts.end(), to_->pattern(made_[at].pattern).begin())) return made_[at].pattern;
    const std::uint32_t pattern = to_->patterns();
    if (pattern >= most_patterns) return dear_pattern::not_kept;
    to_->counts.insert(to_->counts.end(), counts.begin(), counts.end());
    made_.push_back({pattern, last_of_[group]});
    last_of_[group] = static_cast<std::uint32_t>(made_.size() - 1);
    return pattern;
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct one {
    std::uint32_t pattern, before;  // before: in made_, the one of the same group
  };

  mix* to_ = nullptr;
  std::vector<std::uint32_t> last_of_;  // in made_, of each group
  std::vector<one> made_;
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
