// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_LIMITED_HPP
#define MUSTER_PLACEMENT_DETAIL_LIMITED_HPP

/// \file
/// Sites of sites: a domain that may take only so many pods is one site, which its nodes fill together.
///
/// A pattern of such a site is a part, of no more pods than its limit, of a sum of its nodes' patterns. There are too
/// many to list, so they are made as they are asked for; see domain_worth.hpp for how the dearest one is found, and
/// member_sums.hpp for how those that are worth enough are listed.
///
/// Limited levels nest: a member of a domain may be one itself. A domain whose members together cannot exceed its limit
/// is none.

#include <muster/core/config.hpp>
#include <muster/core/search_budget.hpp>
#include <muster/placement/detail/domain_groups.hpp>
#include <muster/placement/detail/domain_worth.hpp>
#include <muster/placement/detail/made_patterns.hpp>
#include <muster/placement/detail/member_sums.hpp>
#include <muster/placement/detail/mix.hpp>
#include <muster/placement/detail/rounding.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

/// Makes the patterns of domains; those of nodes are another source's.
class limited_domains final : public pattern_source {
 public:
  void start(mix& to, pattern_source& of_nodes) {
    to_ = &to;
    of_nodes_ = &of_nodes;
    domains_.start(to);
    worth_.start(to, domains_);
    sums_.start(to, domains_, worth_);
    made_.start(to);
    made_from_.clear();
    prices_.clear();
    parts_.clear();
  }

  [[nodiscard]] domain_groups& domains() noexcept { return domains_; }

  [[nodiscard]] dear_pattern find_dearer(std::uint32_t group, std::span<const price> prices, price above, effort how,
                                         search_budget& budget) override {
    if (!domains_.is_domain(group)) return of_nodes_->find_dearer(group, prices, above, how, budget);
    worth_.set_prices(prices);
    dear_pattern found{0, worth_.table(group, budget).back()};
    if (found.worth > above) {
      sum_.assign(prices.size(), 0);
      spread_.clear();
      worth_.compose(group, budget, spread_);
      for (std::size_t i = 0; i < spread_.size(); ++i) sum_[i % sum_.size()] += spread_[i];
      for (std::size_t c = 0; c < sum_.size(); ++c) sum_[c] = std::min(sum_[c], to_->demand[c]);
      found.pattern = keep(group, prices);
    }
    worth_.forget_domains();
    return found.worth > above ? found : dear_pattern{};
  }

  [[nodiscard]] class_count most(std::uint32_t group, std::size_t pod_class) const override {
    return domains_.is_domain(group) ? domains_.most_of_class(group, pod_class) : of_nodes_->most(group, pod_class);
  }

  [[nodiscard]] bool list(std::uint32_t group, std::span<const price> prices, price least,
                          search_budget& budget) override {
    if (!domains_.is_domain(group)) return of_nodes_->list(group, prices, least, budget);
    const count_rows* const rows = sums_.list(group, prices, least, budget);
    const std::uint32_t first = to_->patterns();
    if (rows == nullptr || first + rows->size() > most_patterns) return false;
    to_->counts.insert(to_->counts.end(), rows->counts().begin(), rows->counts().end());
    site_group& listed = to_->groups[group];
    listed = {first, to_->patterns(), listed.sites, true};
    made_from_.resize(std::min<std::size_t>(made_from_.size(), first));
    listed_under_.assign(prices.begin(), prices.end());
    return true;
  }

  /// Each member takes its part in one of the patterns, so that the sum stays near the mixture's from member to member;
  /// what then is above the limit is taken away where there is most too much.
  [[nodiscard]] std::uint32_t blend(std::uint32_t group, std::span<const pattern_share> shares,
                                    std::span<const std::int64_t> wanted, search_budget& budget) override {
    std::int64_t all = 0;
    for (const pattern_share& share : shares) all += share.weight;
    if (all <= 0 || !domains_.is_domain(group) || !fits_memory(group, shares.size()) ||
        !spread_shares(group, shares, budget))
      return dear_pattern::not_kept;
    const std::size_t classes = wanted.size(), width = nodes_ * classes;
    ahead_.assign(wanted.begin(), wanted.end());  // less what the members still to come have in the mixture
    for (std::size_t s = 0; s < shares.size(); ++s)
      for (std::size_t i = 0; i < width; ++i)
        ahead_[i % classes] -= std::int64_t{spread_[s * width + i]} * shares[s].weight * part_unit / all;
    sum_.assign(classes, 0);
    blend_.assign(width, 0);
    std::size_t first = 0;
    for (const std::uint32_t member : domains_.members(group)) {
      const std::size_t last = first + domains_.nodes(member) * classes;
      const std::size_t from = nearest_share(shares, all, first, last, classes) * width;
      for (std::size_t i = first; i < last; ++i) {
        blend_[i] = spread_[from + i];
        sum_[i % classes] += blend_[i];
      }
      first = last;
    }
    budget.spend(shares.size() * nodes_);
    cut_blend(domains_.cap(group));
    for (std::size_t c = 0; c < classes; ++c) sum_[c] = std::min(sum_[c], to_->demand[c]);
    const std::uint32_t next = to_->patterns(), pattern = made_.keep(group, sum_);
    if (pattern == next) {
      note(pattern, {none, static_cast<std::uint32_t>(parts_.size())});
      parts_.insert(parts_.end(), blend_.begin(), blend_.end());
    }
    return pattern;
  }

  /// Shares a pattern of a domain out among its nodes: the counts of each, first to last, in all as many as the pattern
  /// has or more. It holds until the next call. \pre no list was made since the pattern's
  [[nodiscard]] std::span<const class_count> split(std::uint32_t group, std::uint32_t pattern) {
    search_budget unlimited;
    spread_.clear();
    if (!split_made(group, pattern, unlimited)) sums_.split(group, to_->pattern(pattern), listed_under_, spread_);
    return spread_;
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  static constexpr std::size_t most_counts = std::size_t{1} << 22;  // of blends, and to make one
  /// How a pattern that was made is shared out: as the dearest under prices, or as its parts say, node after node.
  struct origin {
    std::uint32_t prices = none, parts = none;
  };

  void note(std::uint32_t pattern, origin from) {
    made_from_.resize(pattern);
    made_from_.push_back(from);
  }
  /// Keeps sum_ as a pattern, and under which prices it is the dearest.
  [[nodiscard]] std::uint32_t keep(std::uint32_t group, std::span<const price> prices) {
    const std::uint32_t next = to_->patterns(), pattern = made_.keep(group, sum_);
    if (pattern != next) return pattern;  // an earlier one, or none
    const std::size_t classes = prices.size();
    const bool same = !prices_.empty() &&
                      std::equal(prices.begin(), prices.end(), prices_.end() - static_cast<std::ptrdiff_t>(classes));
    if (!same) prices_.insert(prices_.end(), prices.begin(), prices.end());
    note(pattern, {static_cast<std::uint32_t>(prices_.size() - classes), none});
    return pattern;
  }

  /// Adds the counts of each node to spread_; false if it is not a pattern that was made.
  [[nodiscard]] bool split_made(std::uint32_t group, std::uint32_t pattern, search_budget& budget) {
    const origin from = pattern < made_from_.size() ? made_from_[pattern] : origin{};
    const std::size_t classes = to_->classes();
    if (from.parts != none) {
      const auto first = parts_.begin() + static_cast<std::ptrdiff_t>(from.parts);
      spread_.insert(spread_.end(), first, first + static_cast<std::ptrdiff_t>(domains_.nodes(group) * classes));
      return true;
    }
    if (from.prices == none) return false;
    worth_.set_prices(std::span{prices_}.subspan(from.prices, classes));
    worth_.compose(group, budget, spread_);
    worth_.forget_domains();
    return true;
  }

  // ---- blending

  /// Whether the counts of a domain's nodes, and of so many shares of them, are not too many to hold.
  [[nodiscard]] bool fits_memory(std::uint32_t group, std::size_t shares) const {
    const std::size_t counts = domains_.nodes(group) * to_->classes();
    return counts <= most_counts / (shares + 1) && parts_.size() <= most_counts - counts;
  }
  /// Where each share has its pods, node by node. False if it is not known of one.
  [[nodiscard]] bool spread_shares(std::uint32_t group, std::span<const pattern_share> shares, search_budget& budget) {
    nodes_ = domains_.nodes(group);
    spread_.clear();
    for (const pattern_share& share : shares)
      if (!split_made(group, share.pattern, budget)) return false;
    return true;
  }
  /// Moves on by a member, whose counts are first .. last-1 of each share, and says which share it is to follow.
  [[nodiscard]] std::size_t nearest_share(std::span<const pattern_share> shares, std::int64_t all, std::size_t first,
                                          std::size_t last, std::size_t classes) {
    const std::size_t width = nodes_ * classes;
    std::size_t best = 0;
    wide_int least = -1;
    for (std::size_t s = 0; s < shares.size(); ++s)
      for (std::size_t i = first; i < last; ++i)
        ahead_[i % classes] += std::int64_t{spread_[s * width + i]} * shares[s].weight * part_unit / all;
    for (std::size_t s = 0; s < shares.size(); ++s) {
      part_.assign(classes, 0);
      for (std::size_t i = first; i < last; ++i) part_[i % classes] += spread_[s * width + i];
      const wide_int off = distance(ahead_, part_);
      if (least >= 0 && off >= least) continue;
      least = off;
      best = s;
    }
    for (std::size_t i = first; i < last; ++i)
      ahead_[i % classes] -= std::int64_t{spread_[best * width + i]} * part_unit;
    return best;
  }
  /// Takes away what is above a limit, of the class that is furthest ahead, the last node's first.
  void cut_blend(std::size_t cap) {
    std::size_t pods = 0;
    for (const class_count count : sum_) pods += count;
    for (; pods > cap; --pods) {
      std::size_t most = sum_.size();
      for (std::size_t c = 0; c < sum_.size(); ++c)
        if (sum_[c] > 0 && (most == sum_.size() || ahead_[c] < ahead_[most])) most = c;
      std::size_t at = blend_.size() - sum_.size() + most;
      while (blend_[at] == 0) at -= sum_.size();
      --blend_[at];
      --sum_[most];
      ahead_[most] += part_unit;
    }
  }

  mix* to_ = nullptr;
  pattern_source* of_nodes_ = nullptr;
  domain_groups domains_;
  domain_worth worth_;
  member_sums sums_;
  made_patterns made_;
  std::vector<origin> made_from_;  // of each pattern that was made here
  std::vector<price> prices_, listed_under_;
  std::vector<class_count> parts_;
  std::vector<class_count> sum_;
  std::size_t nodes_ = 0;              // of the domain whose patterns are blended
  std::vector<class_count> spread_;    // share x node x class
  std::vector<class_count> blend_;     // node x class
  std::vector<class_count> part_;
  std::vector<std::int64_t> ahead_;    // the mixture has more so far, in units of 1 / part_unit pods
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
