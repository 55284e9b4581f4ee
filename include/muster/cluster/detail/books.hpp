// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_CLUSTER_DETAIL_BOOKS_HPP
#define MUSTER_CLUSTER_DETAIL_BOOKS_HPP

/// \file
/// The data behind `cluster`, how records are found, and how what is left on a node changes with the index in step.

#include <muster/cluster/capacity_index.hpp>
#include <muster/cluster/domains.hpp>
#include <muster/cluster/records.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/core/slot_map.hpp>
#include <muster/core/slot_table.hpp>
#include <muster/core/topology.hpp>
#include <muster/resource/model.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI::cluster_detail {

template <resource_model M>
struct books {
  static constexpr std::size_t dims = dimensions_of<M>;
  using state = typename M::state_type;
  using grant_type = typename M::grant_type;
  using levels = level_vector<dims>;

  topology shape;
  std::vector<node_record> nodes;
  std::vector<pod_record<M>> pods;
  std::vector<group_record<M>> groups;
  std::map<set_aside_id, set_aside_record<M>> asides;
  std::set<std::pair<std::uint32_t, set_aside_id>> asides_on;  // by node slot: those that are not dropped
  std::set<std::pair<group_id, set_aside_id>> asides_for;      // by group: those that hold something
  slot_map<node_extras> extras;                       // of nodes
  slot_map<state> later;                              // of nodes, only where pods are leaving
  slot_table node_table, pod_table, group_table;

  std::vector<typename M::capacity_type> capacity;    // by position
  std::vector<state> now;                             // by position
  std::vector<std::uint32_t> slot_of;                 // by position
  capacity_index<dims> index;
  domain_table domains;
  std::vector<std::pair<kind_id, run>> kinds;         // runs of equal kind, by position
  time_point time = beginning_of_time;
  revision latest = never_seen;                       // the greatest revision that was taken
  std::uint32_t most_charged = 0;                     // no node ever had more charged to it
  std::vector<std::uint32_t> eased;                   // nodes that held all they may and let something go
  std::uint64_t tick = 0;                             // counts changes that took effect
  std::array<std::int32_t, dimensions_of<M> == 0 ? 1 : dimensions_of<M>> largest{};  // nodes at the top of the index
  std::int32_t too_large = 0;                         // amounts of nodes that are above it
  bool settled = false;                               // even an empty cluster has levels to be counted

  // --- finding ------------------------------------------------------------------------------------------------------

  [[nodiscard]] std::uint32_t find_node(node_id id) const noexcept {
    return node_table.find(number(id), [this](std::uint32_t s) { return number(nodes[s].id); });
  }
  [[nodiscard]] std::uint32_t find_pod(pod_id id) const noexcept {
    return pod_table.find(number(id), [this](std::uint32_t s) { return number(pods[s].id); });
  }
  [[nodiscard]] std::uint32_t find_group(group_id id) const noexcept {
    return group_table.find(number(id), [this](std::uint32_t s) { return number(groups[s].id); });
  }
  [[nodiscard]] std::uint32_t node_slot(node_id id) { return slot_for(id, find_node(id), nodes, node_table); }
  [[nodiscard]] std::uint32_t pod_slot(pod_id id) { return slot_for(id, find_pod(id), pods, pod_table); }
  [[nodiscard]] std::uint32_t group_slot(group_id id) { return slot_for(id, find_group(id), groups, group_table); }

  [[nodiscard]] node_extras& extras_of(std::uint32_t slot) {
    nodes[slot].has_extras = true;
    return extras.at(slot);
  }
  [[nodiscard]] revision gone_at(std::uint32_t slot) const noexcept {
    if (!nodes[slot].has_extras) return never_seen;
    return extras.find(slot)->gone_at;
  }

  // --- what is left -------------------------------------------------------------------------------------------------

  [[nodiscard]] levels levels_of(const state& left) const noexcept {
    levels at{};
    if constexpr (dims > 0)
      for (std::size_t d = 0; d < dims; ++d) at[d] = index.level_of(M::amount_left(left, d), d);
    return at;
  }

  /// Changes what is left on a node by `change(state&)`, keeping the index in step.
  template <class Change>
  void alter_now(std::uint32_t slot, Change&& change) {
    state& left = now[nodes[slot].position];
    if (!settled || !nodes[slot].open) {
      change(left);
      return;
    }
    const levels before = levels_of(left);
    change(left);
    index.move(nodes[slot].position, before, levels_of(left));
  }

  /// Counts a present node where it is as large as the index is made for, or no longer.
  void count_largest(std::uint32_t slot, int by) {
    if constexpr (dims > 0) {
      if (!settled || !nodes[slot].present || nodes[slot].position == no_position) return;
      const state empty = M::empty_node(capacity[nodes[slot].position]);
      for (std::size_t d = 0; d < dims; ++d) {
        const amount all = M::amount_left(empty, d);
        if (!index.covers(all, d)) too_large += by;
        else if (index.is_top(all, d)) largest[d] += by;
      }
    }
  }
  void forget_largest() noexcept {
    largest.fill(0);
    too_large = 0;
  }
  /// Counts a node; whether an index made anew would have the same levels. So nothing tells when it was made.
  [[nodiscard]] bool index_fits_with(std::uint32_t slot) {
    count_largest(slot, 1);
    return dims == 0 || (too_large == 0 && std::find(largest.begin(), largest.end(), 0) == largest.end());
  }

  void charge(std::uint32_t slot, const grant_type& grant, bool leaving) {
    node_record& node = nodes[slot];
    node.touched = tick + 1;
    if (leaving && node.leaving++ == 0) later.at(slot) = now[node.position];
    else if (!leaving && node.leaving > 0) M::charge(later.at(slot), grant);
    alter_now(slot, [&](state& left) { M::charge(left, grant); });
    ++node.charged;
    most_charged = std::max<std::uint32_t>(most_charged, node.charged);
  }

  void uncharge(std::uint32_t slot, const grant_type& grant, bool leaving) {
    node_record& node = nodes[slot];
    node.touched = tick + 1;
    if (leaving && --node.leaving == 0) later.erase(slot);
    else if (!leaving && node.leaving > 0) M::release(later.at(slot), grant);
    alter_now(slot, [&](state& left) { M::release(left, grant); });
    if (node.charged-- == max_pods_per_node) eased.push_back(slot);
  }

 private:
  template <class Id, class Records>
  [[nodiscard]] static std::uint32_t slot_for(Id id, std::uint32_t found, Records& records, slot_table& table) {
    if (found != no_slot) return found;
    const auto slot = static_cast<std::uint32_t>(records.size());
    records.emplace_back();
    records.back().id = id;
    table.insert(slot, [&records](std::uint32_t s) { return number(records[s].id); });
    return slot;
  }
};

}  // namespace muster::inline MUSTER_ABI::cluster_detail

#endif
