// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_COMPOUND_HPP
#define MUSTER_PLACEMENT_DETAIL_COMPOUND_HPP

/// \file
/// Sites of sites: a domain that may take only so many pods is one site, whose patterns are the sums of its members'
/// patterns, cut to that many pods.
///
/// Limited levels nest, so compounds are made from the finest level up, and a compound is a member of the next. A
/// domain whose members together cannot exceed its limit needs none.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/detail/budget.hpp>
#include <muster/placement/detail/mix.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

/// Adds the pattern lists of compounds to a mix.
class compound_lists {
 public:
  /// A compound of more patterns than this is not made: the search is then not exact.
  static constexpr std::size_t most_rows = 4096;

  void start(mix& to) {
    to_ = &to;
    known_.clear();
  }

  /// The most pods a site of the list takes.
  [[nodiscard]] std::uint64_t most_pods(std::uint32_t list) const {
    std::uint64_t most = 0;
    for (std::uint32_t p = to_->groups[list].first; p < to_->groups[list].last; ++p) {
      const auto counts = to_->pattern(p);
      most = std::max(most, std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
    }
    return most;
  }

  /// The list of a domain with these members; nullopt if it has too many patterns or the budget is out.
  /// \param members lists of the members, in any order
  [[nodiscard]] std::optional<std::uint32_t> list_of(std::vector<std::uint32_t> members, pod_count cap,
                                                     search_budget& budget) {
    std::sort(members.begin(), members.end());
    members.push_back(static_cast<std::uint32_t>(cap));
    if (const auto known = known_.find(members); known != known_.end()) return known->second;
    rows made(1, row(to_->classes(), 0));
    for (std::size_t i = 0; i + 1 < members.size(); ++i)
      if (!add(made, members[i], cap, budget)) return std::nullopt;
    if (!cut(made, cap, budget)) return std::nullopt;
    const auto first = to_->patterns();
    for (const row& one : made) to_->counts.insert(to_->counts.end(), one.begin(), one.end());
    const auto list = static_cast<std::uint32_t>(to_->groups.size());
    to_->groups.push_back({first, to_->patterns(), 0});
    known_.emplace(std::move(members), list);
    return list;
  }

 private:
  using row = std::vector<class_count>;
  using rows = std::vector<row>;

  /// Adds a member: every sum of one of ours and one of its patterns.
  [[nodiscard]] bool add(rows& made, std::uint32_t list, pod_count cap, search_budget& budget) const {
    const site_group& member = to_->groups[list];
    rows sums;
    for (const row& one : made) {
      if (!budget.spend(member.last - member.first)) return false;
      for (std::uint32_t p = member.first; p < member.last; ++p) {
        const auto counts = to_->pattern(p);
        row sum(one.size());
        for (std::size_t c = 0; c < sum.size(); ++c)
          sum[c] = static_cast<class_count>(std::min<std::uint64_t>(
              {std::uint64_t{one[c]} + counts[c], to_->demand[c], static_cast<std::uint64_t>(cap)}));
        sums.push_back(std::move(sum));
      }
    }
    keep_maximal(sums, budget);
    made.swap(sums);
    return made.size() <= most_rows && !budget.out();
  }

  static void keep_maximal(rows& of, search_budget& budget) {
    // the larger come first, so that what is dominated stands behind what dominates it
    std::sort(of.begin(), of.end(), std::greater<>{});
    of.erase(std::unique(of.begin(), of.end()), of.end());
    std::size_t kept = 0;
    for (std::size_t i = 0; i < of.size(); ++i) {
      bool maximal = budget.spend(1);
      for (std::size_t k = 0; k < kept && maximal; ++k)
        maximal = !std::equal(of[i].begin(), of[i].end(), of[k].begin(), std::less_equal<>{});
      if (maximal && kept++ != i) of[kept - 1].swap(of[i]);
    }
    of.resize(kept);
  }

  /// Every vector of `cap` pods below one of more.
  [[nodiscard]] static bool cut(rows& made, pod_count cap, search_budget& budget) {
    rows within;
    const auto limit = static_cast<std::uint64_t>(cap);
    for (const row& one : made) {
      if (std::accumulate(one.begin(), one.end(), std::uint64_t{0}) <= limit) {
        within.push_back(one);
        continue;
      }
      row part(one.size(), 0);
      if (!spread(one, 0, limit, part, within, budget)) return false;
    }
    keep_maximal(within, budget);
    made.swap(within);
    return made.size() <= most_rows && !budget.out();
  }
  [[nodiscard]] static bool spread(const row& below, std::size_t c, std::uint64_t left, row& part, rows& to,
                                   search_budget& budget) {
    if (c + 1 == below.size()) {
      if (left > below[c]) return true;  // the others left too much: such a vector is not one of `cap` pods
      part[c] = static_cast<class_count>(left);
      to.push_back(part);
      return budget.spend(1) && to.size() <= 16 * most_rows;
    }
    for (std::uint64_t here = std::min<std::uint64_t>(below[c], left) + 1; here-- > 0;) {
      part[c] = static_cast<class_count>(here);
      if (!spread(below, c + 1, left - here, part, to, budget)) return false;
    }
    return true;
  }

  mix* to_ = nullptr;
  std::map<std::vector<std::uint32_t>, std::uint32_t> known_;
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
