// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_ROLE_BUCKETS_HPP
#define MUSTER_PLACEMENT_ROLE_BUCKETS_HPP

/// \file
/// Sorts the pods of a gang into buckets, each meant for one node, by which roles want to be together and which apart.
///
/// Terms. A *role* is a pod set. Its *rank* is that of its strongest wish: apart from its own kind, together with other
/// roles, together with its own kind, apart from other roles. A role without wishes is in no bucket.
///
/// The rule. Roles come in the host's order, those it does not name last, then by rank, then as they are declared; of a
/// role the pods that run come first. A pod that runs is in the bucket of its node. One that waits goes to the bucket
/// that likes it most: the pods there that its role wants near, less those it wants apart; of equal ones to that with
/// the least *load*, which is what its waiting pods ask as shares of what all waiting pods ask, summed over the
/// dimensions. Where every bucket likes it less than 0, or there is none, it begins a new one.
///
/// Pods are then seated bucket by bucket, the one with most waiting pods first, of equal ones the older; inside a
/// bucket in the order of the roles; pods of no bucket last. Buckets look at no node: a bucket need fit nowhere.
/// \see Volcano, task-topology

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/seating_rule.hpp>
#include <muster/resource/model.hpp>
#include <muster/scoring/gang_ratio.hpp>
#include <muster/scoring/score_value.hpp>
#include <muster/workload/pod_group.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <span>
#include <tuple>
#include <vector>

namespace muster::inline MUSTER_ABI {

/// Which pod sets of a group want to share nodes and which do not. A list of one means its pods among themselves.
struct role_wishes {
  using roles = std::vector<std::uint32_t>;
  std::vector<roles> together{}, apart{};
  roles order{};  ///< roles that come first, the first of them before the others
};

/// Wishes as pairs of roles. What names no role of the group is left out.
class role_table {
 public:
  role_table(std::size_t roles, const role_wishes& wishes)
      : likes_(roles * roles, 0), rank_(roles, 0), place_(roles, wishes.order.size()) {
    for (const auto& some : wishes.together) add(some, 1, 2, 3);
    for (const auto& some : wishes.apart) add(some, -1, 4, 1);
    for (std::size_t i = wishes.order.size(); i-- > 0;)
      if (wishes.order[i] < roles) place_[wishes.order[i]] = i;
  }

  [[nodiscard]] bool has_wishes(std::uint32_t role) const noexcept { return rank_[role] > 0; }
  /// 1 together, -1 apart, 0 neither or both.
  [[nodiscard]] int likes(std::uint32_t a, std::uint32_t b) const noexcept {
    const unsigned both = likes_[a * rank_.size() + b];
    return both == 1 ? 1 : both == 2 ? -1 : 0;
  }
  [[nodiscard]] bool is_apart(std::uint32_t a, std::uint32_t b) const noexcept {
    return (likes_[a * rank_.size() + b] & 2U) != 0;
  }
  /// Roles in the order of the rule. \complexity O(r log r)
  [[nodiscard]] role_wishes::roles in_order() const {
    role_wishes::roles all(rank_.size());
    std::iota(all.begin(), all.end(), 0U);
    std::sort(all.begin(), all.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::tuple{place_[a], -rank_[a], a} < std::tuple{place_[b], -rank_[b], b};
    });
    return all;
  }

 private:
  void add(const role_wishes::roles& some, int sign, int rank_alone, int rank_with_others) {
    for (const std::uint32_t a : some) {
      if (a >= rank_.size()) continue;
      for (const std::uint32_t b : some)
        if (b < rank_.size() && (a != b || some.size() == 1))
          likes_[a * rank_.size() + b] |= static_cast<std::uint8_t>(sign > 0 ? 1 : 2);
      rank_[a] = std::max(rank_[a], some.size() == 1 ? rank_alone : rank_with_others);
    }
  }

  std::vector<std::uint8_t> likes_;  // bits: 1 together, 2 apart
  std::vector<int> rank_;
  std::vector<std::size_t> place_;   // in the host's order
};

inline constexpr std::uint32_t no_bucket = std::numeric_limits<std::uint32_t>::max();

struct role_bucket {
  std::vector<pod_count> members, waiting;  ///< by role; members: those that run, too
  std::int64_t load = 0;                    ///< of the waiting ones
};

struct bucket_plan {
  std::vector<role_bucket> buckets;
  std::vector<std::uint32_t> turns;      ///< the role of each pod that waits, in the order of seating
  std::vector<std::uint32_t> bucket_of;  ///< beside each turn
  std::map<std::uint32_t, std::uint32_t> of_node;  ///< buckets of the pods that run, by position
};

/// Sorts the pods of a group.
/// \param waiting pods of each set \param running in whatever order
/// \pre as many counts as the group has sets, and as many roles has the table
/// \complexity O(pods x buckets x roles) \exceptions none but of memory \determinism a function of the arguments
template <dimensional_model M>
[[nodiscard]] bucket_plan make_buckets(const pod_group<M>& group, std::span<const pod_count> waiting,
                                       std::span<const standing_pods> running, const role_table& roles) {
  bucket_plan plan;
  const auto order = roles.in_order();
  const auto all = ask_of(group, waiting);
  const auto load_of = [&](std::uint32_t role) {
    std::int64_t sum = 0;
    for (std::size_t d = 0; d < dimensions_of<M>; ++d)
      if (const amount need = M::amount_needed(group.pod_sets[role].request, d); need > 0 && all.sum[d] > 0)
        sum += scoring_detail::share_of(need, all.sum[d]);
    return sum;
  };
  const auto begin_bucket = [&] {
    plan.buckets.push_back({std::vector<pod_count>(waiting.size(), 0), std::vector<pod_count>(waiting.size(), 0), 0});
    return static_cast<std::uint32_t>(plan.buckets.size() - 1);
  };
  for (const std::uint32_t role : order) {
    if (!roles.has_wishes(role)) continue;
    for (const standing_pods& one : running) {
      if (one.pod_set != role) continue;
      const auto [at, is_new] = plan.of_node.try_emplace(one.position, 0U);
      if (is_new) at->second = begin_bucket();
      plan.buckets[at->second].members[role] += one.count;
    }
    const std::int64_t load = load_of(role);
    for (pod_count pod = 0; pod < waiting[role]; ++pod) {
      std::uint32_t best = no_bucket;
      std::int64_t most = 0;
      for (std::uint32_t b = 0; b < plan.buckets.size(); ++b) {
        std::int64_t liked = 0;
        for (std::uint32_t other = 0; other < waiting.size(); ++other)
          liked += roles.likes(role, other) * plan.buckets[b].members[other];
        const bool lighter = best != no_bucket && liked == most && plan.buckets[b].load < plan.buckets[best].load;
        if (best != no_bucket && liked <= most && !lighter) continue;
        best = b;
        most = liked;
      }
      if (best == no_bucket || most < 0) best = begin_bucket();
      role_bucket& bucket = plan.buckets[best];
      ++bucket.members[role];
      ++bucket.waiting[role];
      bucket.load += load;
    }
  }
  std::vector<std::tuple<pod_count, std::uint32_t>> largest_first;  // waiting, negative; number
  for (std::uint32_t b = 0; b < plan.buckets.size(); ++b) {
    const auto& pods = plan.buckets[b].waiting;
    largest_first.push_back({-std::accumulate(pods.begin(), pods.end(), pod_count{0}), b});
  }
  std::sort(largest_first.begin(), largest_first.end());
  const auto seat_next = [&](std::uint32_t role, pod_count pods, std::uint32_t bucket) {
    plan.turns.insert(plan.turns.end(), static_cast<std::size_t>(pods), role);
    plan.bucket_of.insert(plan.bucket_of.end(), static_cast<std::size_t>(pods), bucket);
  };
  for (const auto& [pods, b] : largest_first)
    for (const std::uint32_t role : order) seat_next(role, plan.buckets[b].waiting[role], b);
  for (std::uint32_t role = 0; role < waiting.size(); ++role)
    if (!roles.has_wishes(role)) seat_next(role, waiting[role], no_bucket);
  return plan;
}

}  // namespace muster::inline MUSTER_ABI

#endif
