// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_SCORING_TIER_SCORE_HPP
#define MUSTER_SCORING_TIER_SCORE_HPP

/// \file
/// How near a node is to what a job has used so far.
///
/// Terms. The levels of the topology are *tiers*: the finest is the lowest, 1, and the coarsest the highest. A node's
/// *own* domain is that of the finest level of which it has the label. The *used domain* is the lowest domain that
/// holds every node of the job so far: the own domain of the first one, and with every further node the lowest domain
/// that holds both.
///
/// The score of a node is (highest tier - tier of the lowest domain that holds it and the used domain) / (highest tier
/// - lowest tier): whole where its own domain is the used one, 0 where no domain holds both or nothing is used yet. It
/// knows of no room and no gang: placing by it one pod after another is greedy (placement/place_near.hpp).
///
/// Levels should nest; across a merged one the first node speaks for the used domain.
/// \see Volcano, network-topology-aware, soft mode

#include <muster/cluster/cluster.hpp>
#include <muster/cluster/domains.hpp>
#include <muster/cluster/records.hpp>
#include <muster/core/config.hpp>
#include <muster/core/topology.hpp>
#include <muster/scoring/score_value.hpp>

#include <cstddef>
#include <cstdint>

namespace muster::inline MUSTER_ABI {

/// The lowest domain that holds all that is used.
struct used_domain {
  std::uint32_t node = no_position;  ///< the position of one of its nodes; no_position: nothing is used yet
  topology_level level = no_level;   ///< no_level: no domain holds all

  [[nodiscard]] constexpr bool empty() const noexcept { return node == no_position; }
  friend bool operator==(const used_domain&, const used_domain&) = default;
};

/// The finest level, not finer than `from`, of which two nodes share a domain; no_level if there is none.
/// \pre positions of the view \complexity O(levels) \exceptions none, allocates nothing
template <class View>
[[nodiscard]] topology_level shared_level(const View& view, std::uint32_t a, std::uint32_t b, topology_level from) {
  if (from == no_level) return no_level;
  for (std::size_t l = static_cast<std::size_t>(from) + 1; l-- > 0;) {
    const std::uint32_t here = view.base().domain_of(a, l);
    if (here != no_domain && here == view.base().domain_of(b, l)) return static_cast<topology_level>(l);
  }
  return no_level;
}

/// The level of a node's own domain; no_level if it has no label. \complexity O(levels)
template <class View>
[[nodiscard]] topology_level own_level(const View& view, std::uint32_t position) {
  const std::size_t levels = view.base().levels().size();
  if (levels == 0) return no_level;
  return shared_level(view, position, position, static_cast<topology_level>(levels - 1));
}

/// The used domain once a node is used, too. \complexity O(levels) \exceptions none, allocates nothing
template <class View>
[[nodiscard]] used_domain grown(const View& view, const used_domain& used, std::uint32_t position) {
  if (used.empty()) return {position, own_level(view, position)};
  return {used.node, shared_level(view, used.node, position, used.level)};
}

/// The score of a node beside what is used, from 0 to `whole_share`, rounded down.
/// \pre a position of the view \complexity O(levels) \exceptions none, allocates nothing
/// \determinism a function of the view's topology and the arguments
template <class View>
[[nodiscard]] std::int64_t tier_score(const View& view, const used_domain& used, std::uint32_t position) {
  if (used.empty()) return 0;
  const topology_level both = shared_level(view, used.node, position, used.level);
  if (both == no_level) return 0;
  if (both == used.level && both == own_level(view, position)) return whole_share;
  const auto tiers_between = static_cast<std::int64_t>(view.base().levels().size()) - 1;
  return tiers_between == 0 ? whole_share : static_cast<std::int64_t>(both) * whole_share / tiers_between;
}

}  // namespace muster::inline MUSTER_ABI

#endif
