// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_GAINS_HPP
#define MUSTER_PLACEMENT_DETAIL_GAINS_HPP

/// \file
/// What a domain holds of alike pods under nested spread limits, and what it gains by more nodes.
///
/// Limited levels nest, so their domains are a tree, and what a domain holds is the least of its limit and the sum of
/// its parts. By every further node it gains no more than by the one before: first whole nodes, then ever less, where a
/// limit leaves a node partly empty, then nothing. The gains of disjoint domains, taken greatest first, are those of
/// both together. So a list of gains, merged and cut at every limit on the way up, is exact; where it ends below what
/// is missing, no number of nodes helps.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/storage.hpp>
#include <muster/core/topology.hpp>
#include <muster/workload/pod_group.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

inline constexpr pod_count any_number = std::numeric_limits<pod_count>::max();

/// Pods a domain holds as it is, and by how many more each further node raises them: `whole` nodes by `each`, then by
/// those of `parts`.
struct gains {
  pod_count holds = 0;
  pod_count whole = 0;  ///< any_number: no end
  std::vector<pod_count> parts{};

  void add(const gains& other) {
    holds = saturating_add(holds, other.holds);
    whole = saturating_add(whole, other.whole);
    parts.insert(parts.end(), other.parts.begin(), other.parts.end());
  }

  /// Holds at most `limit`.
  void cut(pod_count limit, pod_count each) {
    pod_count room = limit - holds;
    if (room < 0) holds = limit;
    room = std::max<pod_count>(0, room);
    std::sort(parts.begin(), parts.end(), std::greater<>{});
    if (room / each < whole) {
      whole = room / each;
      parts.assign(room % each > 0 ? 1 : 0, room % each);
      return;
    }
    room -= whole * each;
    std::size_t kept = 0;
    for (; kept < parts.size() && room > 0; ++kept) room -= parts[kept] = std::min(parts[kept], room);
    parts.resize(kept);
  }

  /// Nodes until `needed` pods are held.
  [[nodiscard]] std::optional<pod_count> nodes_for(pod_count needed, pod_count each) {
    pod_count missing = needed - holds;
    if (missing <= 0) return 0;
    pod_count nodes = std::min(whole, divide_up(missing, each));
    missing -= nodes * each;
    std::sort(parts.begin(), parts.end(), std::greater<>{});
    for (const pod_count part : parts) {
      if (missing <= 0) break;
      missing -= part;
      ++nodes;
    }
    return missing <= 0 ? std::optional{nodes} : std::nullopt;
  }
};

/// Spread limits by level, finest first, the tightest of each.
[[nodiscard]] inline short_list<spread_limit, 1> walls_of(const short_list<spread_limit, 1>& limits) {
  short_list<spread_limit, 1> walls;
  for (const spread_limit& limit : limits)
    if (limit.level != node_level) walls.push_back(limit);
  std::sort(walls.begin(), walls.end(), [](const spread_limit& a, const spread_limit& b) {
    return a.level != b.level ? a.level > b.level : a.count < b.count;
  });
  walls.erase(std::unique(walls.begin(), walls.end(), [](const auto& a, const auto& b) { return a.level == b.level; }),
              walls.end());
  return walls;
}

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
