// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_SCORING_SET_SPREAD_HPP
#define MUSTER_SCORING_SET_SPREAD_HPP

/// \file
/// How near to each other, and how evenly, the pods of a finished set stand.
///
/// At a level two pods are *together* if one domain of it holds both, and *apart* otherwise; at the level of the node,
/// if they share a node. The *distance* of two pods is the number of levels, the node's counted in, at which they are
/// apart: 0 on one node, 1 on two nodes of one rack, and one more than the topology has levels where they share
/// nothing. Where levels nest this is how far up the tree the lowest domain lies that holds both. A node without the
/// label of a level is there a domain of its own.
///
/// Sets are compared by two opposites: pods that talk to each other want few domains, pods that must not fall together
/// want many. The scores are whole numbers from 0 to 100, rounded down (of more than 2^40 pairs to within 1); a set of
/// at most one pod scores 100. Pairs are counted up to 2^30 pods, and held at the end of 64 bits beyond.
///
/// It judges a set and does not look for one; a search by node scorers alone knows nothing of pairs.
/// \see Volcano, soft network topology (the tier of the lowest common hypernode); Kubernetes, PodTopologySpread (skew)

#include <muster/cluster/overlay.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/topology.hpp>
#include <muster/scoring/detail/shares.hpp>
#include <muster/scoring/seat_list.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace muster::inline MUSTER_ABI {

/// A set at one level.
struct level_spread {
  std::uint32_t domains = 0;  ///< that hold pods of the set
  pod_count fullest = 0;      ///< pods in the domain that holds most
  pod_count emptiest = 0;     ///< pods in the domain that holds least, of those that hold any
  std::int64_t together = 0;  ///< pairs of pods that are
};

struct set_spread {
  pod_count pods = 0;
  std::int64_t pairs = 0;                 ///< of pods
  std::int64_t distance = 0;              ///< of all pairs in sum
  topology_level shared = node_level;     ///< the finest level at which all are together; no_level: there is none
  std::size_t levels = 0;                 ///< of the topology
  std::array<level_spread, max_levels + 1> of_level{};  ///< coarsest first, the node's behind the topology's

  /// \pre it is a level of the topology or node_level
  [[nodiscard]] constexpr const level_spread& at(topology_level level) const noexcept {
    const std::size_t index = level == node_level ? levels : static_cast<std::size_t>(level);
    MUSTER_ASSERT(index <= levels);
    return of_level[std::min(index, levels)];
  }
};

namespace scoring_detail {
/// Counts nodes that are sorted by their key.
[[nodiscard]] inline level_spread count_level(const std::vector<keyed_node>& nodes) noexcept {
  level_spread level;
  for (std::size_t i = 0; i < nodes.size();) {
    const std::uint64_t key = nodes[i].key;
    pod_count pods = 0;
    for (; i < nodes.size() && nodes[i].key == key; ++i) pods = saturating_add(pods, nodes[i].pods);
    level.emptiest = level.domains == 0 ? pods : std::min(level.emptiest, pods);
    level.fullest = std::max(level.fullest, pods);
    level.together = saturating_add(level.together, pairs_of(pods));
    ++level.domains;
  }
  return level;
}
}  // namespace scoring_detail

/// Where the pods of a set stand. Seats without pods are left out.
/// \pre positions of the view \complexity O(levels x s log s) for s seats
/// \exceptions none; allocates in `space` only
/// \determinism a function of the view's topology and the seats, in whatever order they come
template <capacity_view View, seat_list Seats>
[[nodiscard]] set_spread spread_of(const View& view, const Seats& seats, seat_space& space) {
  auto& nodes = space.nodes;
  const auto sort = [&nodes] {
    std::sort(nodes.begin(), nodes.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
  };
  set_spread set;
  set.levels = view.base().levels().size();
  nodes.clear();
  for (const auto& seat : seats) {
    if (seat.count <= 0) continue;
    nodes.push_back({seat.position, seat.count, seat.position});
    set.pods = saturating_add(set.pods, seat.count);
  }
  set.pairs = pairs_of(set.pods);
  for (std::size_t l = set.levels + 1; l-- > 0;) {
    if (l < set.levels) {
      for (auto& one : nodes) {
        one.key = scoring_detail::domain_key(view, one.position, static_cast<topology_level>(l));
        if (one.key == scoring_detail::no_key) one.key += one.position;
      }
    }
    sort();
    set.of_level[l] = scoring_detail::count_level(nodes);
    set.distance = saturating_add(set.distance, set.pairs - set.of_level[l].together);
  }
  std::size_t finest = set.levels;
  while (finest > 0 && set.of_level[finest].domains > 1) --finest;
  if (set.of_level[finest].domains > 1) set.shared = no_level;
  else if (finest < set.levels) set.shared = static_cast<topology_level>(finest);
  return set;
}

/// Share of the pairs of pods that are together at a level. \complexity O(1)
[[nodiscard]] constexpr std::int64_t locality_score(const set_spread& set, topology_level level) noexcept {
  return set.pairs == 0 ? 100 : scoring_detail::share_of(set.at(level).together, set.pairs, 100);
}

/// How near pods are on the average: 100 where all share a node, 0 where no two share a domain. \complexity O(1)
[[nodiscard]] constexpr std::int64_t closeness_score(const set_spread& set) noexcept {
  const std::int64_t most = saturating_multiply(set.pairs, static_cast<std::int64_t>(set.levels) + 1);
  return most == 0 ? 100 : scoring_detail::share_of(most - set.distance, most, 100);
}

/// How near the two pods are that are farthest from each other: 100 where one node or a domain of the finest level
/// holds all pods, 0 where no domain does, in equal steps between. \complexity O(1)
[[nodiscard]] constexpr std::int64_t shared_level_score(const set_spread& set) noexcept {
  if (set.shared == node_level) return 100;
  if (set.shared == no_level) return 0;
  return (static_cast<std::int64_t>(set.shared) + 1) * 100 / static_cast<std::int64_t>(set.levels);
}

/// Pods in the fullest domain less pods in the emptiest, of all the `domains` that might hold some. \complexity O(1)
[[nodiscard]] constexpr pod_count skew(const set_spread& set, topology_level level, std::int64_t domains) noexcept {
  const level_spread& at = set.at(level);
  return at.fullest - (domains > static_cast<std::int64_t>(at.domains) ? 0 : at.emptiest);
}

/// How even a set is over the `domains` of a level that might hold pods (fewer than hold some are taken for these): how
/// many pods the fullest would hold at best, in % of how many it does. What it leaves of 100 is what falls at once
/// beyond need. \complexity O(1)
[[nodiscard]] constexpr std::int64_t spread_score(const set_spread& set, topology_level level,
                                                  std::int64_t domains) noexcept {
  const level_spread& at = set.at(level);
  if (at.fullest == 0) return 100;
  const std::int64_t among = std::max<std::int64_t>(domains, at.domains);
  return scoring_detail::share_of(divide_up(set.pods, among), at.fullest, 100);
}

}  // namespace muster::inline MUSTER_ABI

#endif
