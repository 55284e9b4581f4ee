// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_DOMAIN_UNITS_HPP
#define MUSTER_PLACEMENT_DETAIL_DOMAIN_UNITS_HPP

/// \file
/// The domains that are counted when few are to be used, and what refuses sets of them without asking.
///
/// A *cut* gives every unit a number so that a set of units cannot hold the gang if its numbers sum to less than is
/// asked: slots of a class of pods, what is left of a dimension, room under the spread limits, or what the nodes are
/// worth under prices that refused another set. Each is what a unit holds for itself, and no set holds more than its
/// units do one by one. So what a cut refuses is refused by a proof.

#include <muster/cluster/cluster.hpp>
#include <muster/cluster/domains.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/topology.hpp>
#include <muster/resource/model.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

/// A domain of the level, or a node that is in none.
struct domain_unit {
  topology_level level = node_level;
  std::uint32_t number = 0;  ///< of the domain; of node_level the position
  std::uint32_t alike = 0;   ///< the first unit that holds the same as this one, in whatever company
  pod_count slots = 0;       ///< of every class of pods with nothing else around, in sum
  bool pinned = false;       ///< members that run stand there: it is used whatever is chosen
};

struct unit_cut {
  std::int64_t asked = 0;
  std::vector<std::int64_t> held;  ///< of each unit
  std::int64_t pinned = 0;         ///< of those that are used anyway
};

struct unit_table {
  std::vector<domain_unit> units;  ///< those that can hold a pod of the gang or are pinned
  std::vector<unit_cut> cuts;
  std::uint32_t pinned = 0;        ///< how many are

  static constexpr std::size_t most_cuts = 64;

  void add_cut(unit_cut cut) {
    if (cuts.size() >= most_cuts) return;
    for (std::size_t u = 0; u < units.size(); ++u)
      if (units[u].pinned) cut.pinned = saturating_add(cut.pinned, cut.held[u]);
    cuts.push_back(std::move(cut));
  }
};

/// Adds the nodes of a unit.
template <resource_model M>
void add_nodes_of(const snapshot<M>& base, const domain_unit& unit, std::vector<run>& out) {
  if (unit.level == node_level) {
    out.push_back({unit.number, unit.number + 1});
    return;
  }
  const auto runs = base.domain_runs(static_cast<std::size_t>(unit.level), unit.number);
  out.insert(out.end(), runs.begin(), runs.end());
}

/// How many of some units, the largest by each cut, are needed beside the pinned ones at least; one more than there are
/// if all of them are refused. \complexity O(cuts x units log units)
[[nodiscard]] inline std::size_t fewest_needed(const unit_table& table, std::span<const std::uint32_t> among) {
  std::size_t most = 0;
  std::vector<std::int64_t> held;
  for (const unit_cut& cut : table.cuts) {
    held.clear();
    for (const std::uint32_t u : among) held.push_back(cut.held[u]);
    std::sort(held.begin(), held.end(), std::greater<>{});
    std::size_t needed = 0;
    for (std::int64_t sum = cut.pinned; sum < cut.asked && needed <= held.size(); ++needed)
      if (needed < held.size()) sum = saturating_add(sum, held[needed]);
    most = std::max(most, needed);
  }
  return most;
}

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
