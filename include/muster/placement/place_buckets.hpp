// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_PLACE_BUCKETS_HPP
#define MUSTER_PLACEMENT_PLACE_BUCKETS_HPP

/// \file
/// Places a gang so that roles that want to be together share nodes, and those that want to be apart do not.
///
/// The rule. Pods are seated in the order of their buckets (role_buckets.hpp), each on the node of the highest score;
/// of equal ones on that which the scorer likes best, then the first. The score of a node is: the pods of the same
/// bucket there; less all pods of the gang there from which the role wants to be apart; plus how many of the bucket's
/// pods that still wait, this one first, the node would hold by its amounts. A pod of no bucket scores 0 everywhere.
///
/// Wishes are no limits: where a node is full a bucket is split, and pods that want to be apart may share one. Who must
/// be apart asks for a spread limit. It is greedy; what it does not seat `place` does, without a look at the wishes.
/// \see Volcano, task-topology

#include <muster/cluster/overlay.hpp>
#include <muster/cluster/records.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/answer.hpp>
#include <muster/placement/options.hpp>
#include <muster/placement/place_by.hpp>
#include <muster/placement/role_buckets.hpp>
#include <muster/placement/seat_in_turn.hpp>
#include <muster/placement/seating_rule.hpp>
#include <muster/placement/workspace.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/pod_group.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI {

/// How many pods from the front of a list a node would hold by its amounts.
/// \param roles the pod set of each \complexity O(pods that it holds x dimensions)
template <dimensional_model M>
[[nodiscard]] pod_count fitting_part(const typename M::state_type& state, const pod_group<M>& group,
                                     std::span<const std::uint32_t> roles) {
  std::array<amount, dimensions_of<M>> left{};
  for (std::size_t d = 0; d < dimensions_of<M>; ++d) left[d] = M::amount_left(state, d);
  pod_count part = 0;
  for (const std::uint32_t role : roles) {
    for (std::size_t d = 0; d < dimensions_of<M>; ++d) {
      const amount need = std::max<amount>(0, M::amount_needed(group.pod_sets[role].request, d));
      if (need > 0 && need > left[d]) return part;
      if (M::adds_up(d)) left[d] -= need;
    }
    ++part;
  }
  return part;
}

/// Seats by the rule alone; of a gang it cannot seat whole, the pods before the first that finds no node.
/// \complexity O(pods x nodes x (roles + pods of a bucket)) \determinism a function of the arguments
template <dimensional_model M, options_for<M> Options>
void seat_buckets(const seating_question<M>& asked, const role_wishes& wishes, const Options& options,
                  std::vector<seat<M>>& seats) {
  overlay<M>& on = asked.on;
  const std::size_t sets = asked.group.pod_sets.size();
  const role_table roles{sets, wishes};
  const bucket_plan plan = make_buckets(asked.group, asked.waiting, asked.running, roles);
  std::map<std::uint32_t, std::vector<pod_count>> there;                   // pods by role, on each node
  std::map<std::pair<std::uint32_t, std::uint32_t>, pod_count> of_bucket;  // pods by bucket and node
  const auto use = [&](std::uint32_t position, std::uint32_t role, std::uint32_t bucket, pod_count pods) {
    const auto at = there.try_emplace(position, sets, 0).first;
    at->second[role] += pods;
    if (bucket != no_bucket) of_bucket[{bucket, position}] += pods;
  };
  for (const standing_pods& one : asked.running) {
    if (one.pod_set >= sets) continue;
    const auto bucket = plan.of_node.find(one.position);
    const bool in_one = bucket != plan.of_node.end() && roles.has_wishes(one.pod_set);
    use(one.position, one.pod_set, in_one ? bucket->second : no_bucket, one.count);
  }
  const auto choose = [&](std::size_t turn) {
    const std::uint32_t role = plan.turns[turn], bucket = plan.bucket_of[turn];
    std::size_t end = turn;
    while (end < plan.turns.size() && plan.bucket_of[end] == bucket) ++end;
    const auto still = std::span{plan.turns}.subspan(turn, end - turn);
    const auto score = [&](std::uint32_t position) {
      if (bucket == no_bucket) return pod_count{0};
      pod_count sum = fitting_part(on.now(position), asked.group, still);
      if (const auto same = of_bucket.find({bucket, position}); same != of_bucket.end()) sum += same->second;
      if (const auto others = there.find(position); others != there.end())
        for (std::uint32_t other = 0; other < sets; ++other)
          if (roles.is_apart(role, other)) sum -= others->second[other];
      return sum;
    };
    std::uint32_t best = no_position;
    std::pair<pod_count, std::int64_t> highest;
    for (std::uint32_t p = 0; p < on.size(); ++p) {
      if (!takes_pod(on, asked.group, role, p, options.filter)) continue;
      const std::pair now{score(p), score_pod(on, asked.group.pod_sets[role].request, p, options.scorer)};
      if (best != no_position && now <= highest) continue;
      best = p;
      highest = now;
    }
    if (best != no_position) use(best, role, bucket, 1);
    return best;
  };
  seat_in_turn(on, asked.group, plan.turns, choose, seats);
}

/// Places a group by the rule, and where the rule does not seat it by `place`.
/// \param wishes roles are pod sets of the group; others are left out
/// \param view, group, space, options, return value: as of place_by
/// \complexity seat_buckets', besides place_by's \exceptions, determinism as place_by
template <class View, class Group, dimensional_model M, options_for<M> Options = place_options<>>
bool place_buckets(View&& view, const Group& group, const role_wishes& wishes, workspace<M>& space,
                   const Options& options = {}) {
  const auto rule = [&](const seating_question<M>& asked, std::vector<seat<M>>& seats) {
    seat_buckets(asked, wishes, options, seats);
  };
  return place_by(view, group, space, rule, options);
}

}  // namespace muster::inline MUSTER_ABI

#endif
