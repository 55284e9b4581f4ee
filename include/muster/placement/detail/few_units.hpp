// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_FEW_UNITS_HPP
#define MUSTER_PLACEMENT_DETAIL_FEW_UNITS_HPP

/// \file
/// The domains a gang may be put on, level by level, and the scopes within which sets of them are looked for.
///
/// A *scope* is a domain of a coarser level, or all nodes; the scopes of one level are a *rung*. Members that run must
/// all stand in it. A domain that lies in several scopes (merged names) counts in each with its nodes there.

#include <muster/cluster/domains.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/topology.hpp>
#include <muster/placement/detail/alike_units.hpp>
#include <muster/placement/detail/domain_units.hpp>
#include <muster/placement/detail/measure_units.hpp>
#include <muster/placement/detail/query.hpp>
#include <muster/placement/detail/set_asks.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <tuple>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

template <class Asks>
class few_units {
 public:
  few_units(Asks& asks, topology_level level) : asks_{asks}, wish_{level} {}

  /// Reads where members run. \pre an answer was just given that fits
  void take_held() {
    held_.clear();
    for (const held_pods& held : asks_.space().demand.held) held_.push_back(held.position);
    required_ = asks_.space().demand.group->required;
  }
  [[nodiscard]] std::span<const std::uint32_t> held() const noexcept { return held_; }
  [[nodiscard]] const unit_table& table() const noexcept { return table_; }

  /// From the narrowest level to the wish's.
  [[nodiscard]] std::vector<topology_level> single_levels() const {
    std::vector<topology_level> found{node_level};
    if (wish_ == node_level) return found;
    for (std::size_t l = asks_.view().base().levels().size(); l-- > static_cast<std::size_t>(wish_);)
      found.push_back(static_cast<topology_level>(l));
    return found;
  }
  /// Levels of the scopes, from narrow to wide: up to the required one where that is coarser, else to all nodes.
  [[nodiscard]] std::vector<topology_level> rungs() const {
    const topology& levels = asks_.view().base().levels();
    std::vector<topology_level> found;
    for (std::size_t l = wish_ == node_level ? levels.size() : static_cast<std::size_t>(wish_); l-- > 0;) {
      found.push_back(static_cast<topology_level>(l));
      if (required_ == found.back() && levels.nests_in_coarser(wish_)) return found;
    }
    found.push_back(no_level);
    return found;
  }

  /// Measures the domains of a level; of the wish's also the nodes in none.
  void measure(topology_level level) {
    table_ = {};
    const auto& base = asks_.view().base();
    unit_of_.assign(base.size(), no_unit);
    asks_.with_question([&](auto& q) {
      unit_gauge gauge{q};
      alike_units alike{q.view, *q.wanted().group, level};
      const auto add = [&](topology_level of, std::uint32_t number) {
        domain_unit unit{of, number, 0, 0, false};
        runs_.clear();
        add_nodes_of(base, unit, runs_);
        unit.pinned = std::any_of(runs_.begin(), runs_.end(), [this](const run& one) {
          const auto at = std::lower_bound(held_.begin(), held_.end(), one.first);
          return at != held_.end() && *at < one.last;
        });
        const auto index = static_cast<std::uint32_t>(table_.units.size());
        if (!gauge.measure(unit, table_)) return;
        alike.add(q.space.listed, table_);
        for (const run& one : runs_)
          for (std::uint32_t p = one.first; p < one.last; ++p) unit_of_[p] = index;
      };
      if (level != node_level)
        for (std::uint32_t d = 0; d < base.domains(static_cast<std::size_t>(level)); ++d) add(level, d);
      for (std::uint32_t p = 0; p < base.size(); ++p)
        if (level == node_level || (level == wish_ && base.domain_of(p, static_cast<std::size_t>(level)) == no_domain))
          add(node_level, p);
    });
  }
  /// Whether every member that runs stands in a unit.
  [[nodiscard]] bool hold_members() const {
    return std::all_of(held_.begin(), held_.end(), [this](std::uint32_t p) { return unit_of_[p] != no_unit; });
  }
  /// What refused a set refuses others too.
  void learn(const refusing_prices& from) {
    const refusing_prices kept = from;
    asks_.with_question([&](auto& q) { add_price_cut(q, kept.prices, kept.asked, asks_.budget(), table_); });
  }

  /// Calls with every scope of a rung that holds all members that run: its nodes.
  template <class Visit>
  void visit_scopes(topology_level rung, Visit&& visit) const {
    const auto& base = asks_.view().base();
    if (rung == no_level) {
      const run all{0, base.size()};
      visit(std::span<const run>{&all, 1});
      return;
    }
    const auto level = static_cast<std::size_t>(rung);
    for (std::uint32_t d = 0; d < base.domains(level); ++d) {
      const std::span<const run> nodes = base.domain_runs(level, d);
      if (std::all_of(held_.begin(), held_.end(), [&](std::uint32_t p) { return hold(nodes, p); })) visit(nodes);
    }
  }
  /// The units of a scope that are free to choose, those with the fewest slots first; alike ones side by side.
  [[nodiscard]] std::vector<std::uint32_t> free_units(std::span<const run> scope) const {
    std::vector<bool> in(table_.units.size(), false);
    for (const run& one : scope)
      for (std::uint32_t p = one.first; p < one.last; ++p)
        if (unit_of_[p] != no_unit) in[unit_of_[p]] = true;
    std::vector<std::uint32_t> found;
    for (std::uint32_t u = 0; u < in.size(); ++u)
      if (in[u] && !table_.units[u].pinned) found.push_back(u);
    const auto key = [this](std::uint32_t u) { return std::tuple{table_.units[u].slots, table_.units[u].alike, u}; };
    std::sort(found.begin(), found.end(), [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
    return found;
  }
  /// Nodes of the scope in some units and in those that are pinned.
  [[nodiscard]] std::vector<run> nodes_of(std::span<const run> scope, std::span<const std::uint32_t> units) const {
    const auto& base = asks_.view().base();
    std::vector<run> all, inside;
    for (const std::uint32_t u : units) add_nodes_of(base, table_.units[u], all);
    for (const domain_unit& unit : table_.units)
      if (unit.pinned) add_nodes_of(base, unit, all);
    join_runs(all);
    add_common(std::span<const run>{all}, scope, inside);
    return inside;
  }
  /// Of some units those that seats are in.
  template <class Seats>
  [[nodiscard]] std::vector<std::uint32_t> used_of(std::span<const std::uint32_t> units, const Seats& seats) const {
    std::vector<bool> used(table_.units.size(), false);
    for (const auto& seat : seats)
      if (unit_of_[seat.position] != no_unit) used[unit_of_[seat.position]] = true;
    std::vector<std::uint32_t> found;
    std::copy_if(units.begin(), units.end(), std::back_inserter(found), [&](std::uint32_t u) { return used[u]; });
    return found;
  }

 private:
  static constexpr std::uint32_t no_unit = ~std::uint32_t{0};

  Asks& asks_;
  topology_level wish_;
  topology_level required_ = no_level;
  std::vector<std::uint32_t> held_;  // positions of members that run, ascending
  unit_table table_;
  std::vector<std::uint32_t> unit_of_;  // of each node
  std::vector<run> runs_;
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
