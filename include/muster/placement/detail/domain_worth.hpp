// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_DOMAIN_WORTH_HPP
#define MUSTER_PLACEMENT_DETAIL_DOMAIN_WORTH_HPP

/// \file
/// What the sites of a group are worth by their number of pods: a short table, exact for nodes and for domains.
///
/// The table of a node is read off its patterns: so many of a pattern's dearest pods. The table of a domain is the sum
/// of its members' tables, the most of every split of every number, up to its limit.

#include <muster/core/config.hpp>
#include <muster/core/search_budget.hpp>
#include <muster/placement/detail/domain_groups.hpp>
#include <muster/placement/detail/mix.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

class domain_worth {
 public:
  /// A domain that takes more numbers than this to price is not: bounds the memory.
  static constexpr std::size_t most_numbers = std::size_t{1} << 21;

  void start(const mix& of, domain_groups& domains) {
    of_ = &of;
    domains_ = &domains;
    prices_.clear();
    forget();
  }

  /// Tables are from now on those under these prices.
  void set_prices(std::span<const price> prices) {
    const bool same = prices_.size() == prices.size() && std::equal(prices.begin(), prices.end(), prices_.begin());
    if (same && !cut_short_) return;
    prices_.assign(prices.begin(), prices.end());
    forget();
    dear_first_.clear();
    for (std::uint32_t c = 0; c < prices.size(); ++c) {
      if (prices[c] <= 0) continue;
      dear_first_.push_back(c);
      for (std::size_t i = dear_first_.size() - 1; i > 0 && prices[dear_first_[i - 1]] < prices[c]; --i)
        std::swap(dear_first_[i - 1], dear_first_[i]);
    }
  }

  /// Worth of at most 0, 1, 2 ... pods of a site of the group; more than the last number are worth no more. It is
  /// nothing where the budget is out. The span holds until another table is made.
  /// \complexity O(patterns x pods) of a node, O(members x limit x pods) of a domain
  [[nodiscard]] std::span<const price> table(std::uint32_t group, search_budget& budget) {
    make(group, budget);
    return known(group);
  }
  /// Tables of domains take most of the memory.
  void forget_domains() {
    if (worth_.size() > most_numbers) return forget();
    for (const table_of& one : made_of_domains_) at_[one.group] = none;
    made_of_domains_.clear();
    worth_of_domains_.clear();
    splits_.clear();
  }

  /// Adds the counts that each node, first to last, has in the dearest pods of a domain. Room that is left goes to pods
  /// without a price. \complexity besides that of the table O(members x classes)
  void compose(std::uint32_t group, search_budget& budget, std::vector<class_count>& to) {
    const std::span<const price> worth = table(group, budget);
    std::size_t pods = worth.size() - 1;
    while (pods > 0 && worth[pods - 1] == worth[pods]) --pods;
    std::size_t room = domains_->cap(group) - pods;
    compose_part(group, pods, room, to);
  }

  [[nodiscard]] price price_of(std::size_t c) const noexcept { return prices_[c]; }
  /// The dearest `pods` of the classes from `first` on, or all of them. \complexity O(classes)
  [[nodiscard]] price worth_of_dearest(std::span<const class_count> counts, std::size_t first,
                                       std::uint64_t pods) const noexcept {
    price sum = 0;
    for (const std::uint32_t c : dear_first_) {
      if (c < first) continue;
      const std::uint64_t here = std::min<std::uint64_t>(counts[c], pods);
      sum += prices_[c] * static_cast<price>(here);
      pods -= here;
    }
    return sum;
  }
  /// The classes with a price, dearest first.
  [[nodiscard]] std::span<const std::uint32_t> dear_first() const noexcept { return dear_first_; }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct table_of {
    std::uint32_t group;
    std::size_t first, size;  // of its numbers
    std::size_t splits;       // of a domain, the first: what each member has of each number
  };

  void forget() {
    cut_short_ = false;
    at_.clear();
    made_.clear();
    worth_.clear();
    pattern_.clear();
    made_of_domains_.clear();
    worth_of_domains_.clear();
    splits_.clear();
  }

  [[nodiscard]] std::span<const price> known(std::uint32_t group) const noexcept {
    const bool domain = domains_->is_domain(group);
    const table_of& one = (domain ? made_of_domains_ : made_)[at_[group]];
    return std::span{domain ? worth_of_domains_ : worth_}.subspan(one.first, one.size);
  }

  void make(std::uint32_t group, search_budget& budget) {
    if (at_.size() < of_->groups.size()) at_.resize(of_->groups.size(), none);
    if (at_[group] != none) return;
    if (domains_->is_domain(group)) add_up(group, budget);
    else read_off(group, budget);
  }

  void read_off(std::uint32_t group, search_budget& budget) {
    const std::size_t first = worth_.size(), size = domains_->most_pods(group) + 1;
    const site_group& list = of_->groups[group];
    worth_.resize(first + size, 0);
    pattern_.resize(first + size, list.first);
    cut_short_ = !budget.spend((list.last - list.first) * (1 + size / 16)) || cut_short_;
    for (std::uint32_t p = list.first; p < list.last && !cut_short_; ++p) {
      const auto counts = of_->pattern(p);
      std::size_t at = first;
      price sum = 0;
      for (const std::uint32_t c : dear_first_)
        for (class_count i = 0; i < counts[c]; ++i) {
          sum += prices_[c];
          if (sum <= worth_[++at]) continue;
          worth_[at] = sum;
          pattern_[at] = p;
        }
    }
    for (std::size_t at = first + 1; at < first + size; ++at) {
      if (worth_[at] >= worth_[at - 1]) continue;
      worth_[at] = worth_[at - 1];
      pattern_[at] = pattern_[at - 1];
    }
    at_[group] = static_cast<std::uint32_t>(made_.size());
    made_.push_back({group, first, size, 0});
  }

  void add_up(std::uint32_t group, search_budget& budget) {
    const auto members = domains_->members(group);
    for (const std::uint32_t member : members) make(member, budget);
    const std::size_t size = domains_->most_pods(group) + 1, splits = splits_.size();
    splits_.resize(splits + members.size() * size, 0);
    sum_.assign(1, 0);
    for (std::size_t m = 0; m < members.size(); ++m) {
      const std::span<const price> its = known(members[m]);
      next_.assign(std::min(size, sum_.size() + its.size() - 1), 0);
      // an addition and a comparison are less than a pattern
      cut_short_ = !budget.spend(1 + sum_.size() * its.size() / 8) || cut_short_;
      std::uint32_t* const split = splits_.data() + splits + m * size;
      for (std::size_t others = 0; others < sum_.size() && !cut_short_; ++others) {
        const std::size_t most = std::min(its.size(), next_.size() - others);
        for (std::size_t pods = 0; pods < most; ++pods) {
          const price worth = sum_[others] + its[pods];
          if (worth <= next_[others + pods]) continue;
          next_[others + pods] = worth;
          split[others + pods] = static_cast<std::uint32_t>(pods);
        }
      }
      sum_ = next_;
    }
    at_[group] = static_cast<std::uint32_t>(made_of_domains_.size());
    made_of_domains_.push_back({group, worth_of_domains_.size(), sum_.size(), splits});
    worth_of_domains_.insert(worth_of_domains_.end(), sum_.begin(), sum_.end());
  }

  /// `pods` with a price sit in the group, and up to `room` without.
  void compose_part(std::uint32_t group, std::size_t pods, std::size_t& room, std::vector<class_count>& to) {
    if (!domains_->is_domain(group)) return take_part(made_[at_[group]].first + pods, pods, room, to);
    const auto members = domains_->members(group);
    const table_of& one = made_of_domains_[at_[group]];
    const std::size_t stride = domains_->most_pods(group) + 1;
    const std::size_t mine = shares_.size(), before = std::min(room, domains_->cap(group) - pods);
    shares_.resize(mine + members.size());
    for (std::size_t m = members.size(); m-- > 0;) {
      shares_[mine + m] = splits_[one.splits + m * stride + pods];
      pods -= shares_[mine + m];
    }
    std::size_t left = before;
    for (std::size_t m = 0; m < members.size(); ++m) compose_part(members[m], shares_[mine + m], left, to);
    room -= before - left;
    shares_.resize(mine);
  }
  /// Of the pattern at a number of a node's table.
  void take_part(std::size_t at, std::size_t pods, std::size_t& room, std::vector<class_count>& to) const {
    const auto counts = of_->pattern(pattern_[at]);
    const std::size_t first = to.size();
    to.resize(first + counts.size(), 0);
    const auto take = [&](std::size_t c, std::size_t& left) {
      to[first + c] = static_cast<class_count>(std::min<std::size_t>(counts[c], left));
      left -= to[first + c];
    };
    for (const std::uint32_t c : dear_first_) take(c, pods);
    for (std::size_t c = 0; c < counts.size(); ++c)
      if (prices_[c] <= 0) take(c, room);
  }

  const mix* of_ = nullptr;
  domain_groups* domains_ = nullptr;
  std::vector<price> prices_;
  std::vector<std::uint32_t> dear_first_;      // classes with a price
  std::vector<std::uint32_t> at_;              // of each group, in made_ or made_of_domains_
  std::vector<table_of> made_, made_of_domains_;
  std::vector<price> worth_, worth_of_domains_;
  std::vector<std::uint32_t> pattern_;         // of each number of worth_
  std::vector<std::uint32_t> splits_;
  std::vector<price> sum_, next_;
  bool cut_short_ = false;                     // some tables are not what they should be: the budget is out
  std::vector<std::size_t> shares_;            // of the members of the domains on the way to a node
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
