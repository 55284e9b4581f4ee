// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_MEMBER_SUMS_HPP
#define MUSTER_PLACEMENT_DETAIL_MEMBER_SUMS_HPP

/// \file
/// Sums of the patterns of a domain's members: its own patterns, listed, and how one of them is shared out.
///
/// Members are added one by one, and of the sums only the maximal ones are kept; the limit cuts them at the end. Where
/// only patterns of some worth are asked for, a sum is dropped as soon as no number of its dearest pods, with the worth
/// of the members still to come at the rest of the limit, is worth as much.

#include <muster/core/config.hpp>
#include <muster/core/search_budget.hpp>
#include <muster/core/topology.hpp>
#include <muster/placement/detail/count_rows.hpp>
#include <muster/placement/detail/domain_groups.hpp>
#include <muster/placement/detail/domain_worth.hpp>
#include <muster/placement/detail/mix.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

class member_sums {
 public:
  /// A domain of more patterns than this is not listed.
  static constexpr std::size_t most_rows = 4096;

  void start(const mix& of, domain_groups& domains, domain_worth& worth) {
    of_ = &of;
    domains_ = &domains;
    worth_ = &worth;
  }

  /// The maximal patterns of a domain that are worth `least` or more under prices; nullptr if they are too many or the
  /// budget is out. They are there until the next call.
  [[nodiscard]] const count_rows* list(std::uint32_t group, std::span<const price> prices, price least,
                                       search_budget& budget) {
    worth_->set_prices(prices);
    least_ = least;
    bound_rest(group, domains_->cap(group), budget);
    levels_[0].bounded = true;
    const bool all = add_up(group, levels_.data(), budget) && levels_[0].made.size() <= most_rows;
    worth_->forget_domains();
    return all ? &levels_[0].made : nullptr;
  }

  /// Shares a pattern that was listed under these prices out among the nodes of its domain: the counts of each, first
  /// to last.
  void split(std::uint32_t group, std::span<const class_count> pattern, std::span<const price> prices,
             std::vector<class_count>& to) {
    worth_->set_prices(prices);
    least_ = worth(pattern, prices);
    std::size_t behind = domains_->nodes(group);
    to.assign(behind * pattern.size(), 0);
    levels_[0].bounded = true;
    split_level(group, pattern, levels_.data(), behind, to);
    worth_->forget_domains();
  }

 private:
  static constexpr std::size_t most_sums = 16 * most_rows;  // held at once

  /// Of a domain within others: the sums so far.
  struct level {
    count_rows made, sums;
    std::vector<class_count> limit, part;
    bool bounded = false;  // by what is asked of the outermost
    bool splits = false;   // a pattern, which is the limit
    // the sums before each member
    std::vector<class_count> before;
    std::vector<std::size_t> starts;
    std::vector<std::uint64_t> most_behind;  // class by class, of each member and those after it
  };

  // ---- what members still to come can add

  /// rest_[m]: the worth by number of pods of all members from m on.
  void bound_rest(std::uint32_t group, std::size_t pods, search_budget& budget) {
    const auto members = domains_->members(group);
    pods_ = pods;
    rest_.assign((members.size() + 1) * (pods + 1), 0);
    for (std::size_t m = members.size(); m-- > 0;) {
      const std::span<const price> its = worth_->table(members[m], budget);
      if (!budget.spend((pods + 1) * its.size() / 8)) return;
      const price* const behind = rest_.data() + (m + 1) * (pods + 1);
      price* const here = rest_.data() + m * (pods + 1);
      for (std::size_t n = 0; n <= pods; ++n)
        for (std::size_t k = 0; k < its.size() && k <= n; ++k) here[n] = std::max(here[n], its[k] + behind[n - k]);
    }
  }
  /// Whether some of a sum's pods and members from m on can be worth enough.
  [[nodiscard]] bool can_reach(std::span<const class_count> sum, std::size_t m) const {
    const price* const rest = rest_.data() + m * (pods_ + 1);
    if (rest[pods_] >= least_) return true;
    std::size_t pods = 0;
    price so_far = 0;
    for (const std::uint32_t c : worth_->dear_first())
      for (class_count i = 0; i < sum[c] && pods < pods_; ++i) {
        so_far += worth_->price_of(c);
        if (so_far + rest[pods_ - ++pods] >= least_) return true;
      }
    return false;
  }

  // ---- sums

  [[nodiscard]] bool add_up(std::uint32_t group, level* at, search_budget& budget) {
    const auto cap = static_cast<class_count>(domains_->cap(group));
    at->limit.assign(of_->demand.begin(), of_->demand.end());
    for (class_count& most : at->limit) most = std::min(most, cap);
    at->splits = false;
    start_sums(*at);
    const auto members = domains_->members(group);
    for (std::size_t m = 0; m < members.size(); ++m)
      if (!add_member(members[m], m, at, budget)) return false;
    return cut(*at, cap, budget);
  }

  void start_sums(level& at) {
    at.part.assign(of_->classes(), 0);
    at.made.clear(of_->classes());
    at.made.push_back(at.part);
  }

  /// Every sum of one of ours and one of the patterns of member m, within the limit, if it can still become what is
  /// asked. False if there are too many.
  [[nodiscard]] bool add_member(std::uint32_t member, std::size_t m, level* at, search_budget& budget) {
    if (domains_->is_domain(member) && !add_up_inner(member, at + 1, budget)) return false;
    count_rows &made = at->made, &sums = at->sums;
    sums.clear(of_->classes());
    const std::span patterns = patterns_of(member, at);
    const std::size_t classes = of_->classes();
    std::size_t full = most_sums;
    for (std::size_t i = 0; i < made.size(); ++i)
      for (std::size_t p = 0; p < patterns.size(); p += classes) {
        if (!budget.spend(1 + (at->bounded ? pods_ / 16 : 0))) return false;
        sums.add_sum(made.row(i), patterns.subspan(p, classes), at->limit);
        if (!can_become(sums.row(sums.size() - 1), m + 1, *at)) sums.pop_back();
        if (sums.size() < full) continue;
        // a pattern that is split was a sum of no more
        if (!sums.keep_maximal(budget) || (!at->splits && sums.size() > most_sums / 2)) return false;
        full = std::max(most_sums, 2 * sums.size());
      }
    if (!sums.keep_maximal(budget)) return false;
    made.copy(sums);
    return true;
  }
  [[nodiscard]] bool add_up_inner(std::uint32_t group, level* at, search_budget& budget) {
    at->bounded = false;
    return add_up(group, at, budget);
  }
  /// Whether a sum of the members before m can still be worth enough, or cover what is split.
  [[nodiscard]] bool can_become(std::span<const class_count> sum, std::size_t m, const level& at) const {
    if (at.splits)
      for (std::size_t c = 0; c < sum.size(); ++c)
        if (sum[c] + at.most_behind[m * sum.size() + c] < at.limit[c]) return false;
    return !at.bounded || can_reach(sum, m);
  }
  /// The patterns of a member, one after another. \pre those of a domain were added up on the next level
  [[nodiscard]] std::span<const class_count> patterns_of(std::uint32_t member, const level* at) const {
    if (domains_->is_domain(member)) return (at + 1)->made.counts();
    const site_group& node = of_->groups[member];
    return std::span{of_->counts}.subspan(node.first * of_->classes(), (node.last - node.first) * of_->classes());
  }

  /// Every vector of `cap` pods below one of more. False if there are too many.
  [[nodiscard]] bool cut(level& at, std::uint64_t cap, search_budget& budget) {
    at.sums.clear(of_->classes());
    at.part.assign(of_->classes(), 0);
    for (std::size_t i = 0; i < at.made.size(); ++i) {
      const auto one = at.made.row(i);
      if (pods_in(one) <= cap) at.sums.push_back(one);
      else if (!cut_row(at, one, 0, cap, 0, budget)) return false;
    }
    if (!at.sums.keep_maximal(budget)) return false;
    at.made.copy(at.sums);
    return true;
  }
  [[nodiscard]] bool cut_row(level& at, std::span<const class_count> below, std::size_t c, std::uint64_t left,
                             price so_far, search_budget& budget) {
    if (!budget.spend(1)) return false;
    if (at.bounded && so_far + worth_->worth_of_dearest(below, c, left) < least_) return true;
    if (c + 1 == below.size()) {
      if (left > below[c]) return true;  // the others left too much: not one of `cap` pods
      at.part[c] = static_cast<class_count>(left);
      at.sums.push_back(at.part);
      return at.sums.size() <= most_sums;
    }
    for (std::uint64_t here = std::min<std::uint64_t>(below[c], left) + 1; here-- > 0;) {
      at.part[c] = static_cast<class_count>(here);
      if (!cut_row(at, below, c + 1, left - here, so_far + worth_->price_of(c) * static_cast<price>(here), budget))
        return false;
    }
    return true;
  }

  // ---- sharing out

  /// \param behind nodes before the end of the group; then before its first
  void split_level(std::uint32_t group, std::span<const class_count> counts, level* at, std::size_t& behind,
                   std::vector<class_count>& to) {
    search_budget unlimited;
    const auto members = domains_->members(group);
    const std::size_t classes = counts.size();
    at->limit.assign(counts.begin(), counts.end());
    if (at->bounded) bound_rest(group, pods_in(counts), unlimited);
    count_rest(members, classes, *at);
    at->splits = true;
    start_sums(*at);
    at->before.clear();
    at->starts.clear();
    for (std::size_t m = 0; m < members.size(); ++m) {
      at->starts.push_back(at->before.size());
      at->before.insert(at->before.end(), at->made.counts().begin(), at->made.counts().end());
      if (m + 1 == members.size()) break;
      [[maybe_unused]] const bool added = add_member(members[m], m, at, unlimited);
      MUSTER_ASSERT(added);
    }
    at->starts.push_back(at->before.size());
    for (std::size_t m = members.size(); m-- > 0;) {
      const std::span before{at->before.data() + at->starts[m], at->starts[m + 1] - at->starts[m]};
      const bool gives = give(members[m], before, at);
      if (!domains_->is_domain(members[m])) {
        --behind;
        if (gives) std::copy_n(at->part.begin(), classes, to.begin() + static_cast<std::ptrdiff_t>(behind * classes));
      } else if (gives) {
        (at + 1)->bounded = false;
        split_level(members[m], at->part, at + 1, behind, to);
      } else {
        behind -= domains_->nodes(members[m]);
      }
    }
  }

  /// most_behind[m]: the most pods of each class on all members from m on.
  void count_rest(std::span<const std::uint32_t> members, std::size_t classes, level& at) const {
    at.most_behind.assign((members.size() + 1) * classes, 0);
    for (std::size_t m = members.size(); m-- > 0;)
      for (std::size_t c = 0; c < classes; ++c)
        at.most_behind[m * classes + c] =
            at.most_behind[(m + 1) * classes + c] + domains_->most_of_class(members[m], c);
  }

  /// What a member gives of the limit, in `part`, so that one of the rows before it covers the rest, which the limit
  /// then is. False if one covers all.
  [[nodiscard]] bool give(std::uint32_t member, std::span<const class_count> before, level* at) {
    auto& limit = at->limit;
    const std::size_t classes = limit.size();
    for (std::size_t i = 0; i < before.size(); i += classes)
      if (covers(before.subspan(i, classes), {}, limit)) return false;
    if (domains_->is_domain(member)) {
      search_budget unlimited;
      [[maybe_unused]] const bool all = add_up_inner(member, at + 1, unlimited);
      MUSTER_ASSERT(all);
    }
    const std::span patterns = patterns_of(member, at);
    for (std::size_t p = 0; p < patterns.size(); p += classes)
      for (std::size_t i = 0; i < before.size(); i += classes) {
        const auto row = before.subspan(i, classes);
        if (!covers(row, patterns.subspan(p, classes), limit)) continue;
        for (std::size_t c = 0; c < classes; ++c) {
          at->part[c] = limit[c] - std::min(limit[c], row[c]);
          limit[c] -= at->part[c];
        }
        return true;
      }
    MUSTER_ASSERT(false);  // some sum of the two made the row that covers the limit
    return false;
  }
  /// Whether two together, the second of which may be none, are no less than all of it.
  [[nodiscard]] static bool covers(std::span<const class_count> a, std::span<const class_count> b,
                                   std::span<const class_count> all) noexcept {
    for (std::size_t c = 0; c < all.size(); ++c)
      if (std::uint64_t{a[c]} + (b.empty() ? 0 : b[c]) < all[c]) return false;
    return true;
  }
  [[nodiscard]] static std::size_t pods_in(std::span<const class_count> counts) noexcept {
    std::size_t pods = 0;
    for (const class_count count : counts) pods += count;
    return pods;
  }

  const mix* of_ = nullptr;
  domain_groups* domains_ = nullptr;
  domain_worth* worth_ = nullptr;
  price least_ = 0;
  std::size_t pods_ = 0;
  std::vector<price> rest_;  // member x number of pods
  std::array<level, max_levels + 1> levels_;
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
