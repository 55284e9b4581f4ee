// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_DOMAIN_GROUPS_HPP
#define MUSTER_PLACEMENT_DETAIL_DOMAIN_GROUPS_HPP

/// \file
/// Domains that may take only so many pods, as groups of a mix: which groups are their members.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/hash.hpp>
#include <muster/placement/detail/hashed_items.hpp>
#include <muster/placement/detail/mix.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

class domain_groups {
 public:
  void start(mix& to) {
    to_ = &to;
    domains_.clear();
    members_.clear();
    known_.start();
    domain_of_.clear();
    most_pods_.clear();
  }

  /// The group of a domain of these members, in this order, and limit: an earlier one, or a new one that is not listed.
  /// \pre members are listed, or domains themselves
  [[nodiscard]] std::uint32_t group_of(std::span<const std::uint32_t> members, pod_count cap) {
    hasher hash;
    hash.add(cap);
    for (const std::uint32_t member : members) hash.add(member);
    const std::uint32_t equal = known_.find(hash.value(), [&](std::uint32_t known) {
      const auto its = members_in(domains_[known]);
      return domains_[known].cap == cap && its.size() == members.size() &&
             std::equal(members.begin(), members.end(), its.begin());
    });
    if (equal != hashed_items::none) return domains_[equal].group;
    known_.add(hash.value());
    const auto group = static_cast<std::uint32_t>(to_->groups.size());
    domain_of_.resize(group + 1, none);
    domain_of_[group] = static_cast<std::uint32_t>(domains_.size());
    domains_.push_back({members_.size(), members.size(), cap, group});
    members_.insert(members_.end(), members.begin(), members.end());
    to_->groups.push_back({0, 0, 0, false});
    to_->has_domains = true;
    return group;
  }

  [[nodiscard]] bool is_domain(std::uint32_t group) const noexcept {
    return group < domain_of_.size() && domain_of_[group] != none;
  }
  /// \pre it is a domain
  [[nodiscard]] std::span<const std::uint32_t> members(std::uint32_t group) const noexcept {
    return members_in(domains_[domain_of_[group]]);
  }
  /// \pre it is a domain
  [[nodiscard]] std::size_t cap(std::uint32_t group) const noexcept {
    return static_cast<std::size_t>(domains_[domain_of_[group]].cap);
  }

  /// The most pods that a site of any group takes. \complexity O(patterns x classes), or O(members), the first time
  [[nodiscard]] std::size_t most_pods(std::uint32_t group) {
    if (most_pods_.size() <= group) most_pods_.resize(to_->groups.size(), not_counted);
    if (most_pods_[group] != not_counted) return most_pods_[group];
    std::size_t most = 0;
    if (is_domain(group)) {
      for (const std::uint32_t member : members(group)) most += most_pods(member);
      most = std::min(most, cap(group));
    } else {
      for (std::uint32_t p = to_->groups[group].first; p < to_->groups[group].last; ++p) {
        std::size_t pods = 0;
        for (const class_count count : to_->pattern(p)) pods += count;
        most = std::max(most, pods);
      }
    }
    return most_pods_[group] = most;
  }

  /// What it takes to price a site of any group, in numbers: of the tables of all that is in it, and of all its counts.
  [[nodiscard]] std::size_t numbers(std::uint32_t group) {
    const std::size_t table = most_pods(group) + 1;
    if (!is_domain(group)) return table + to_->classes();
    std::size_t all = table * members(group).size();
    for (const std::uint32_t member : members(group)) all += numbers(member);
    return all;
  }
  /// How many nodes are in a site of any group.
  [[nodiscard]] std::size_t nodes(std::uint32_t group) const {
    if (!is_domain(group)) return 1;
    std::size_t all = 0;
    for (const std::uint32_t member : members(group)) all += nodes(member);
    return all;
  }
  /// The most pods of a class that a site of any group takes. \complexity O(patterns), of a domain of all its members
  [[nodiscard]] class_count most_of_class(std::uint32_t group, std::size_t c) const {
    std::uint64_t most = 0;
    if (is_domain(group)) {
      for (const std::uint32_t member : members(group)) most += most_of_class(member, c);
      most = std::min<std::uint64_t>({most, cap(group), to_->demand[c]});
    } else {
      for (std::uint32_t p = to_->groups[group].first; p < to_->groups[group].last; ++p)
        most = std::max<std::uint64_t>(most, to_->pattern(p)[c]);
    }
    return static_cast<class_count>(most);
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  static constexpr std::size_t not_counted = ~std::size_t{0};
  struct domain {
    std::size_t first, size;  // of its members
    pod_count cap;
    std::uint32_t group;
  };

  [[nodiscard]] std::span<const std::uint32_t> members_in(const domain& one) const noexcept {
    return std::span{members_}.subspan(one.first, one.size);
  }

  mix* to_ = nullptr;
  std::vector<domain> domains_;
  std::vector<std::uint32_t> members_;
  hashed_items known_;                    // domains_, by members and limit
  std::vector<std::uint32_t> domain_of_;  // in domains_, of each group
  std::vector<std::size_t> most_pods_;    // of each group
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
