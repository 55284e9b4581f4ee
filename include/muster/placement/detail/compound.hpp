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
#include <muster/core/hash.hpp>
#include <muster/placement/detail/budget.hpp>
#include <muster/placement/detail/count_rows.hpp>
#include <muster/placement/detail/mix.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

/// Adds the pattern lists of compounds to a mix, and says which member gives what.
class compound_lists {
 public:
  /// A compound of more patterns than this is not made: the search is then not exact.
  static constexpr std::size_t most_rows = 4096;

  void start(mix& to) {
    to_ = &to;
    known_.clear();
    keys_.clear();
    most_pods_.clear();
    drop_prefixes();
  }

  /// The most pods a site of the list takes. \complexity O(patterns x classes) the first time
  [[nodiscard]] std::uint64_t most_pods(std::uint32_t list) {
    if (most_pods_.size() <= list) most_pods_.resize(to_->groups.size(), not_counted);
    std::uint64_t& most = most_pods_[list];
    if (most != not_counted) return most;
    most = 0;
    for (std::uint32_t p = to_->groups[list].first; p < to_->groups[list].last; ++p) {
      const auto counts = to_->pattern(p);
      most = std::max(most, std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
    }
    return most;
  }

  /// The list of a domain with these members; nullopt if it has too many patterns or the budget is out.
  /// \param members lists of the members, in order
  [[nodiscard]] std::optional<std::uint32_t> list_of(std::span<const std::uint32_t> members, pod_count cap,
                                                     search_budget& budget) {
    hasher hash;
    hash.add(cap);
    for (const std::uint32_t member : members) hash.add(member);
    for (const entry& one : known_)
      if (one.hash == hash.value() && one.cap == cap &&
          std::ranges::equal(std::span{keys_}.subspan(one.first, one.size), members))
        return one.list;
    start_sums(cap);
    for (const std::uint32_t member : members)
      if (!add(member, most_sums, budget) || made_.size() > most_rows) return std::nullopt;
    if (!cut(cap, budget) || made_.size() > most_rows || to_->patterns() + made_.size() > most_patterns)
      return std::nullopt;
    const auto first = to_->patterns();
    to_->counts.insert(to_->counts.end(), made_.counts().begin(), made_.counts().end());
    const auto list = static_cast<std::uint32_t>(to_->groups.size());
    to_->groups.push_back({first, to_->patterns(), 0});
    known_.push_back({hash.value(), cap, keys_.size(), members.size(), list});
    keys_.insert(keys_.end(), members.begin(), members.end());
    return list;
  }

  /// Shares counts that a pattern of the list covers out among its members: emit(member, counts), the last ones first;
  /// a member that is not named gives nothing. \pre the list is of list_of
  template <class Emit>
  void split(std::uint32_t list, std::span<const class_count> counts, Emit&& emit) {
    const prefix& of = prefix_of(list);
    const auto members = std::span{keys_}.subspan(of.members, of.size);
    limit_.assign(counts.begin(), counts.end());
    for (std::size_t m = members.size(); m-- > 0;) {
      const std::size_t first = starts_[of.first + m], end = starts_[of.first + m + 1];
      const std::span before{before_.data() + first, end - first};
      if (!covers_rest(before)) give(members[m], before, [&](std::span<const class_count> part) { emit(m, part); });
    }
  }

 private:
  static constexpr std::size_t most_sums = 16 * most_rows;  // held at once

  struct entry {
    std::uint64_t hash;
    pod_count cap;
    std::size_t first, size;  // of the members in keys_
    std::uint32_t list;
  };

  /// The sums of all members before each one of a list: what to split its counts by.
  struct prefix {
    std::uint32_t list;
    std::size_t members, size;  // in keys_
    std::size_t first;          // in starts_, of one a member and the end
  };
  static constexpr std::size_t most_kept = std::size_t{1} << 22;  // counts of all prefixes, before they are dropped
  static constexpr std::uint64_t not_counted = ~std::uint64_t{0};

  void drop_prefixes() noexcept {
    prefixes_.clear();
    before_.clear();
    starts_.clear();
  }

  /// Made once a list: to make it takes what the list took.
  [[nodiscard]] const prefix& prefix_of(std::uint32_t list) {
    for (const prefix& one : prefixes_)
      if (one.list == list) return one;
    const auto of = std::find_if(known_.begin(), known_.end(), [list](const entry& one) { return one.list == list; });
    MUSTER_ASSERT(of != known_.end());
    if (before_.size() > most_kept) drop_prefixes();
    prefixes_.push_back({list, of->first, of->size, starts_.size()});
    search_budget unlimited;
    start_sums(of->cap);
    for (std::size_t m = 0; m < of->size; ++m) {
      starts_.push_back(before_.size());
      before_.insert(before_.end(), made_.counts().begin(), made_.counts().end());
      if (m + 1 == of->size) break;
      [[maybe_unused]] const bool added =
          add(keys_[of->first + m], std::numeric_limits<std::size_t>::max(), unlimited);
      MUSTER_ASSERT(added);
    }
    starts_.push_back(before_.size());
    return prefixes_.back();
  }

  /// One sum, of no members; no sum will be of more pods of a class than are asked, or than `cap`.
  void start_sums(pod_count cap) {
    limit_.assign(to_->demand.begin(), to_->demand.end());
    for (class_count& most : limit_)
      most = static_cast<class_count>(std::min(std::uint64_t{most}, static_cast<std::uint64_t>(cap)));
    part_.assign(limit_.size(), 0);
    made_.clear(limit_.size());
    made_.push_back(part_);
  }

  /// Adds a member: every sum of one of ours and one of its patterns, within the limit. False if of some of them more
  /// than half of `most` are maximal.
  [[nodiscard]] bool add(std::uint32_t list, std::size_t most, search_budget& budget) {
    const site_group& member = to_->groups[list];
    sums_.clear(limit_.size());
    std::size_t full = most_sums;
    for (std::size_t i = 0; i < made_.size(); ++i) {
      if (!budget.spend(member.last - member.first)) return false;
      for (std::uint32_t p = member.first; p < member.last; ++p) {
        sums_.add_sum(made_.row(i), to_->pattern(p), limit_);
        if (sums_.size() < full) continue;
        if (!sums_.keep_maximal(budget) || sums_.size() > most / 2) return false;
        full = std::max(most_sums, 2 * sums_.size());
      }
    }
    if (!sums_.keep_maximal(budget)) return false;
    made_.swap(sums_);
    return true;
  }

  /// Every vector of `cap` pods below one of more. False if there are too many.
  [[nodiscard]] bool cut(pod_count cap, search_budget& budget) {
    const auto limit = static_cast<std::uint64_t>(cap);
    sums_.clear(limit_.size());
    part_.assign(limit_.size(), 0);
    for (std::size_t i = 0; i < made_.size(); ++i) {
      const auto one = made_.row(i);
      if (std::accumulate(one.begin(), one.end(), std::uint64_t{0}) <= limit)
        sums_.push_back(one);
      else if (!cut_row(one, 0, limit, budget))
        return false;
    }
    if (!sums_.keep_maximal(budget)) return false;
    made_.swap(sums_);
    return true;
  }
  [[nodiscard]] bool cut_row(std::span<const class_count> below, std::size_t c, std::uint64_t left,
                             search_budget& budget) {
    if (c + 1 == below.size()) {
      if (left > below[c]) return budget.spend(1);  // the others left too much: not one of `cap` pods
      part_[c] = static_cast<class_count>(left);
      sums_.push_back(part_);
      return budget.spend(1) && sums_.size() <= most_sums;
    }
    for (std::uint64_t here = std::min<std::uint64_t>(below[c], left) + 1; here-- > 0;) {
      part_[c] = static_cast<class_count>(here);
      if (!cut_row(below, c + 1, left - here, budget)) return false;
    }
    return true;
  }

  /// Whether one of the rows covers limit_.
  [[nodiscard]] bool covers_rest(std::span<const class_count> rows) const noexcept {
    const std::size_t classes = limit_.size();
    for (std::size_t i = 0; i < rows.size(); i += classes)
      if (std::equal(limit_.begin(), limit_.end(), rows.begin() + static_cast<std::ptrdiff_t>(i), std::less_equal<>{}))
        return true;
    return false;
  }

  /// What a member gives of limit_ so that one of the rows before it covers the rest, which limit_ then is.
  template <class Emit>
  void give(std::uint32_t list, std::span<const class_count> before, Emit&& emit) {
    const std::size_t classes = limit_.size();
    const site_group& member = to_->groups[list];
    for (std::size_t i = 0; i < before.size(); i += classes)
      for (std::uint32_t p = member.first; p < member.last; ++p) {
        const auto pattern = to_->pattern(p);
        bool covers = true;
        for (std::size_t c = 0; c < classes; ++c)
          covers = covers && std::uint64_t{before[i + c]} + pattern[c] >= limit_[c];
        if (!covers) continue;
        part_.assign(pattern.begin(), pattern.end());
        for (std::size_t c = 0; c < classes; ++c) {
          part_[c] = limit_[c] - std::min(limit_[c], before[i + c]);
          limit_[c] -= part_[c];
        }
        emit(std::span<const class_count>{part_});
        return;
      }
    MUSTER_ASSERT(false);  // some sum of the two made the row that covers limit_
  }

  mix* to_ = nullptr;
  std::vector<entry> known_;
  std::vector<std::uint32_t> keys_;
  count_rows made_, sums_;
  std::vector<class_count> limit_, part_;
  std::vector<class_count> before_;  // rows of the prefixes
  std::vector<std::size_t> starts_;  // in before_, of what is before each member
  std::vector<prefix> prefixes_;
  std::vector<std::uint64_t> most_pods_;  // of each list
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
