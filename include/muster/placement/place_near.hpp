// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_PLACE_NEAR_HPP
#define MUSTER_PLACEMENT_PLACE_NEAR_HPP

/// \file
/// Places a gang pod by pod, each as near as there is room to what the gang has used before.
///
/// The rule. Pods are taken in the order of their sets. Of the nodes with room each takes the one of the highest tier
/// score (scoring/tier_score.hpp); of these the one in whose own domain most of the gang's pods are; of these the one
/// the scorer likes best; of these the first. The used domain, which members that run begin, grows after each pod.
///
/// It is a wish and no promise: a pod goes far where near is full, and the first pod looks at no domain's room, so the
/// gang may lie wider than it need. Who wants the narrowest domain asks preferred.hpp.
/// \see Volcano, network-topology-aware, soft mode

#include <muster/cluster/overlay.hpp>
#include <muster/cluster/records.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/topology.hpp>
#include <muster/placement/answer.hpp>
#include <muster/placement/options.hpp>
#include <muster/placement/place_by.hpp>
#include <muster/placement/seat_in_turn.hpp>
#include <muster/placement/seating_rule.hpp>
#include <muster/placement/workspace.hpp>
#include <muster/resource/model.hpp>
#include <muster/scoring/tier_score.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI {

/// Seats by the rule alone; of a gang it cannot seat whole, the pods before the first that finds no node.
/// \complexity O(pods x nodes x levels) \determinism a function of the question and the options
template <resource_model M, options_for<M> Options>
void seat_near(const seating_question<M>& asked, const Options& options, std::vector<seat<M>>& seats) {
  overlay<M>& on = asked.on;
  used_domain used;
  std::map<std::pair<topology_level, std::uint32_t>, pod_count> there;  // pods by own domain
  const auto own_domain = [&](std::uint32_t position) {
    const topology_level level = own_level(on, position);
    const auto domain = [&] { return on.base().domain_of(position, static_cast<std::size_t>(level)); };
    return std::pair{level, level == no_level ? position : domain()};
  };
  const auto use = [&](std::uint32_t position, pod_count pods) {
    used = grown(on, used, position);
    there[own_domain(position)] += pods;
  };
  for (const standing_pods& one : asked.running) use(one.position, one.count);
  const auto turns = turns_by_set(asked.waiting);
  const auto choose = [&](std::size_t turn) {
    std::uint32_t best = no_position;
    std::tuple<std::int64_t, pod_count, std::int64_t> highest;
    for (std::uint32_t p = 0; p < on.size(); ++p) {
      if (!takes_pod(on, asked.group, turns[turn], p, options.filter)) continue;
      const auto near = there.find(own_domain(p));
      const std::tuple score{tier_score(on, used, p), near == there.end() ? 0 : near->second,
                             score_pod(on, asked.group.pod_sets[turns[turn]].request, p, options.scorer)};
      if (best != no_position && score <= highest) continue;
      best = p;
      highest = score;
    }
    if (best != no_position) use(best, 1);
    return best;
  };
  seat_in_turn(on, asked.group, turns, choose, seats);
}

/// Places a group by the rule, and where the rule does not seat it by `place`.
/// \param view, group, space, options, return value: as of place_by
/// \complexity O(pods x nodes x levels), besides place_by's \exceptions, determinism as place_by
template <class View, class Group, resource_model M, options_for<M> Options = place_options<>>
bool place_near(View&& view, const Group& group, workspace<M>& space, const Options& options = {}) {
  const auto rule = [&options](const seating_question<M>& asked, std::vector<seat<M>>& seats) {
    seat_near(asked, options, seats);
  };
  return place_by(view, group, space, rule, options);
}

}  // namespace muster::inline MUSTER_ABI

#endif
