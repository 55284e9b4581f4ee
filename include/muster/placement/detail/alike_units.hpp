// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_ALIKE_UNITS_HPP
#define MUSTER_PLACEMENT_DETAIL_ALIKE_UNITS_HPP

/// \file
/// Which units hold the same, so that of several sets that differ in them alone one need be tried.

#include <muster/cluster/cluster.hpp>
#include <muster/core/config.hpp>
#include <muster/core/topology.hpp>
#include <muster/placement/detail/domain_units.hpp>
#include <muster/placement/detail/seating.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/pod_group.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

/// Finds units with the same nodes, node for node: the same left, room for as many pods, open to the same pod sets, of
/// one device model; and in the same domains of every coarser level that is limited or required. Nothing of the group
/// runs on free units, so a limit of the node or of the unit itself is the same in all.
template <class View>
class alike_units {
  using M = typename View::model;

 public:
  /// \param level of the units
  alike_units(const View& view, const pod_group<M>& group, topology_level level) : view_{view} {
    const topology& levels = view.base().levels();
    may_ = levels.nests_in_coarser(level) && group.pod_sets.size() <= 64;  // those that a listed node tells apart
    const auto note = [&](topology_level bound) {
      may_ = may_ && (level == node_level || bound <= level);  // within a unit its parts would have to be compared
      bound_.push_back(bound);
    };
    for (const spread_limit& limit : group.limits)
      if (limit.level != node_level) note(limit.level);
    if (group.required == node_level) may_ = false;
    else if (group.required != no_level) note(group.required);
    level_ = level;
  }

  /// \param nodes of the last unit of the table that pods may use
  void add(std::span<const listed_node> nodes, unit_table& table) {
    domain_unit& unit = table.units.back();
    if (!may_ || unit.pinned || nodes.empty()) return;
    std::vector<std::pair<std::vector<std::int64_t>, std::uint32_t>> keyed;
    for (const listed_node& node : nodes) keyed.push_back({key_of(node), node.position});
    std::sort(keyed.begin(), keyed.end());
    std::vector<std::int64_t> key;
    for (const topology_level bound : bound_) {
      const std::uint32_t around = view_.base().domain_of(nodes.front().position, static_cast<std::size_t>(bound));
      key.push_back(bound == level_ && around != no_domain ? -1 : static_cast<std::int64_t>(around));
    }
    std::vector<std::uint32_t> positions;
    for (const auto& [of_node, position] : keyed) {
      key.insert(key.end(), of_node.begin(), of_node.end());
      positions.push_back(position);
    }
    auto& known = units_[std::move(key)];
    for (const auto& [number, others] : known) {
      const bool same = std::equal(positions.begin(), positions.end(), others.begin(), others.end(),
                                   [this](std::uint32_t a, std::uint32_t b) { return view_.now(a) == view_.now(b); });
      if (!same) continue;
      unit.alike = number;
      return;
    }
    known.push_back({unit.alike, std::move(positions)});
  }

 private:
  [[nodiscard]] std::vector<std::int64_t> key_of(const listed_node& node) const {
    std::vector<std::int64_t> key{static_cast<std::int64_t>(node.may), view_.pods_left(node.position)};
    const auto model = model_of<M>(view_.base().capacity(node.position));
    key.push_back(model ? static_cast<std::int64_t>(*model) : -1);
    if constexpr (dimensions_of<M> > 0)
      for (std::size_t d = 0; d < dimensions_of<M>; ++d) key.push_back(M::amount_left(view_.now(node.position), d));
    return key;
  }

  const View& view_;
  topology_level level_ = node_level;
  bool may_ = true;
  std::vector<topology_level> bound_;  // levels that tell units apart
  std::map<std::vector<std::int64_t>, std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>>> units_;
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
