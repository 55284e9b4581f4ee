// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_NEAR_LISTS_HPP
#define MUSTER_PLACEMENT_DETAIL_NEAR_LISTS_HPP

/// \file
/// Lists of the patterns that a few sites may need, for as long as these sites are searched.
///
/// What sites hold at most under prices, less what is asked of them, is what they can spare. A pattern that loses more
/// than that against the dearest one of its site is in no choice that meets the demand, and need not be listed.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/search_budget.hpp>
#include <muster/placement/detail/mix.hpp>
#include <muster/placement/detail/prices.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

class near_lists {
 public:
  /// Lists the sites that are not listed. False if they cannot meet the demand, if their patterns are too many, or the
  /// budget is out.
  [[nodiscard]] bool list(mix& of, std::span<const site_part> sites, std::span<const class_count> demand,
                          const allowance& may, std::span<const price> prices, search_budget& budget) {
    spare_ = dearest_missing(demand, may, prices) - worth(demand, prices);
    supply_ = 0;
    most_.clear();
    for (const site_part& part : sites) {
      const site_group& group = of.groups[part.group];
      const dear_pattern best =
          group.listed ? dearest_pattern(of, group, prices)
                       : of.source->find_dearer(part.group, prices, -1, effort::thorough, budget);
      most_.push_back(best.worth);
      supply_ = saturating_add(supply_, saturating_multiply(best.worth, part.sites));
    }
    groups_.clear();
    first_ = of.patterns();
    spare_ = saturating_add(spare_, supply_);
    if (budget.out() || spare_ < 0) return false;
    for (std::size_t j = 0; j < sites.size(); ++j) {
      site_group& group = of.groups[sites[j].group];
      if (group.listed) continue;
      if (!of.source->list(sites[j].group, prices, most_[j] - spare_, budget)) return false;
      groups_.push_back(sites[j].group);
      std::uint32_t kept = group.first;
      for (std::uint32_t p = group.first; p < group.last; ++p)
        if (worth(of.pattern(p), prices) + spare_ >= most_[j]) of.copy(p, kept++);
      group.last = kept;
      of.counts.resize(kept * of.classes());
    }
    return true;
  }

  /// What the sites can spare, and what they hold at most. If they cannot even meet the demand, that proves it.
  [[nodiscard]] price spare() const noexcept { return spare_; }
  [[nodiscard]] price supply() const noexcept { return supply_; }

  /// Takes the lists away again. What is chosen of them is kept, under new numbers.
  void take_away(mix& of, std::vector<pattern_choice>& choice) {
    for (const std::uint32_t group : groups_) of.groups[group] = {0, 0, of.groups[group].sites, false};
    groups_.clear();
    std::sort(choice.begin(), choice.end(),
              [](const pattern_choice& a, const pattern_choice& b) { return a.pattern < b.pattern; });
    std::uint32_t kept = first_;
    for (pattern_choice& one : choice) {
      if (one.pattern < first_) continue;
      of.copy(one.pattern, kept);
      one.pattern = kept++;
    }
    of.counts.resize(kept * of.classes());
  }

 private:
  std::vector<price> most_;            // of each site
  std::vector<std::uint32_t> groups_;  // that were listed here
  std::uint32_t first_ = 0;            // of their patterns
  price spare_ = 0, supply_ = 0;
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
