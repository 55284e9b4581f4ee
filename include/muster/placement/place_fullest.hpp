// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_PLACE_FULLEST_HPP
#define MUSTER_PLACEMENT_PLACE_FULLEST_HPP

/// \file
/// Places a gang in the deepest domain that looks as if it held it, of these in the one that it fills most.
///
/// The rule. Domains of the levels from a preferred one up to the required one are asked, the deepest level first, at a
/// level the highest ratio of the gang to what is free first, equal ones in the order of their names; only those that
/// pass the test (scoring/gang_ratio.hpp). Without a required level the whole cluster comes last. Members that run pin
/// the required domain. Inside a domain pods are seated by first-fit in the order of their sets, on the nodes of those
/// sub-domains of the preferred level first that have more room for the largest pod, so that few of them are used.
///
/// The first domain in which all are seated is taken. Where the test lets none pass, or first-fit fails in those that
/// do, `place` decides, under the required level alone.
/// \see KAI scheduler, topology. What is leaving counts as free there; here a seat is for now.

#include <muster/cluster/domains.hpp>
#include <muster/cluster/overlay.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/topology.hpp>
#include <muster/placement/answer.hpp>
#include <muster/placement/candidates.hpp>
#include <muster/placement/list_candidates.hpp>
#include <muster/placement/options.hpp>
#include <muster/placement/place_by.hpp>
#include <muster/placement/seat_in_turn.hpp>
#include <muster/placement/seating_rule.hpp>
#include <muster/placement/workspace.hpp>
#include <muster/resource/model.hpp>
#include <muster/scoring/gang_ratio.hpp>
#include <muster/workload/pod_group.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI {

/// The levels from a preferred one up to the required one, deepest first. A preferred level that is no level, or wider
/// than the required one, is the required one. \pre the topology has both, or they are no_level \complexity O(levels)
[[nodiscard]] inline std::vector<topology_level> levels_between(const topology& levels, topology_level preferred,
                                                                topology_level required) {
  std::vector<topology_level> all{node_level};
  for (std::size_t l = levels.size(); l-- > 0;) all.push_back(static_cast<topology_level>(l));
  all.push_back(no_level);
  const auto last = std::find(all.begin(), all.end(), required);
  const auto first = preferred == no_level ? last : std::find(all.begin(), last, preferred);
  return {first, last == all.end() ? last : last + 1};
}

/// Nodes in the order in which the rule asks them: by how much room their domain of the preferred level has for the
/// largest pod, the most first; those of none last. \complexity O(n log n)
template <capacity_view View, class M = typename View::model>
  requires dimensional_model<M>
[[nodiscard]] std::vector<std::uint32_t> roomiest_first(const View& view, std::span<const run> nodes,
                                                        topology_level preferred,
                                                        const gang_ask<dimensions_of<M>>& asked) {
  std::vector<std::tuple<pod_count, std::uint32_t, std::uint32_t>> keys;  // room, negative; domain; position
  std::map<std::uint32_t, pod_count> room;                                // by domain
  for (const run& some : nodes)
    for (std::uint32_t p = some.first; p < some.last; ++p) {
      const std::uint32_t domain =
          preferred == no_level ? 0 : placement_detail::domain_at(view.base(), p, preferred);
      const run one{p, p + 1};
      keys.push_back({0, domain, p});
      if (domain != no_domain) room[domain] += room_for_largest(view, {&one, 1}, asked);
    }
  for (auto& [key, domain, position] : keys) key = domain == no_domain ? 1 : -room[domain];
  std::sort(keys.begin(), keys.end());
  std::vector<std::uint32_t> order;
  for (const auto& key : keys) order.push_back(std::get<2>(key));
  return order;
}

/// Seats by the rule alone: all pods that wait, or none.
/// \complexity O(domains of the levels x their nodes), and first-fit in each domain that passes
template <dimensional_model M, node_filter<M> Filter>
void seat_fullest(const seating_question<M>& asked, topology_level preferred, const Filter& filter,
                  std::vector<seat<M>>& seats) {
  overlay<M>& on = asked.on;
  const snapshot<M>& base = on.base();
  const topology_level required = asked.group.required;
  const auto all = all_nodes(base);
  std::vector<run> parent(all.begin(), all.end());
  candidate_list list;
  if (!asked.running.empty() && required != no_level) {
    std::vector<run> pinned;
    const std::uint32_t domain = placement_detail::domain_at(base, asked.running.front().position, required);
    if (domain == no_domain) return;
    placement_detail::add_domain(base, required, domain, all, pinned, list);
    parent.assign(list.nodes(0).begin(), list.nodes(0).end());
  }
  const auto need = ask_of(asked.group, asked.waiting);
  const auto turns = turns_by_set(asked.waiting);
  for (const topology_level level : levels_between(base.levels(), preferred, required)) {
    if (!list_candidates(base, level, parent, list).ok()) return;
    std::vector<std::pair<std::int64_t, std::size_t>> order;  // share, negative; candidate
    for (std::size_t i = 0; i < list.size(); ++i)
      if (const gang_ratio ratio = ratio_in(on, list.nodes(i), need); ratio.passes) order.push_back({-ratio.share, i});
    std::sort(order.begin(), order.end());
    for (const auto& [share, i] : order) {
      const trial_scope<M> scope{on};
      const auto nodes = roomiest_first(on, list.nodes(i), preferred, need);
      if (seat_in_order(on, asked.group, turns, nodes, fit_order::first_fit, filter, seats) == turns.size()) return;
      seats.clear();
    }
  }
}

/// Places a group by the rule, and where the rule does not seat it by `place`.
/// \param preferred a level of the topology, node_level, or no_level for none
/// \param view, group, space, options, return value: as of place_by
/// \pre the topology has the level \complexity seat_fullest's, besides place_by's
/// \exceptions, determinism as place_by
template <class View, class Group, dimensional_model M, options_for<M> Options = place_options<>>
bool place_fullest(View&& view, const Group& group, topology_level preferred, workspace<M>& space,
                   const Options& options = {}) {
  MUSTER_ASSERT(preferred == no_level || view.base().levels().has(preferred));
  const auto rule = [&](const seating_question<M>& asked, std::vector<seat<M>>& seats) {
    seat_fullest(asked, preferred, options.filter, seats);
  };
  return place_by(view, group, space, rule, options);
}

}  // namespace muster::inline MUSTER_ABI

#endif
