// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_LIST_CANDIDATES_HPP
#define MUSTER_PLACEMENT_LIST_CANDIDATES_HPP

/// \file
/// Makes the list of node sets that a gang may be placed on, of which one is then chosen.
///
/// Rules. A level gives one candidate for each of its domains that has nodes in the parent, with those nodes; nodes
/// without the label are in none. `no_level` gives the parent itself, unconstrained. Members that run *pin*: only their
/// domain is a candidate, with its nodes in the parent, so none if the parent has none of its nodes. They must share a
/// domain; a member on a node that is not there or has no label is a fault, for nobody can tell where it belongs.
/// Members that are terminating, lost or ended do not pin.
///
/// Several lists *combine* to what their candidates have in common, pair by pair, in the order of the first and then
/// the second; pairs without common nodes are none. An unconstrained list leaves the other as it is.
///
/// An empty list is not a fault: there is then no placement to try, and a gang that waits for one is refused.
/// \see Kubernetes 1.37: generation of placements, of one level and of several plugins

#include <muster/cluster/cluster.hpp>
#include <muster/cluster/domains.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/core/storage.hpp>
#include <muster/core/topology.hpp>
#include <muster/placement/candidates.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/member.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI {

/// The candidates of a level inside a parent, for a group of which nothing runs.
/// \param parent ascending runs of positions of the view
/// \return `unknown_level` \complexity O(nodes of the level's runs and of the parent's), of node_level O(nodes of the
///         parent) \exceptions none but of memory \determinism a function of the view and the arguments
template <resource_model M>
candidate_finding list_candidates(const snapshot<M>& view, topology_level level, std::span<const run> parent,
                                  candidate_list& out);

/// The same for a group in the cluster, whose members that run pin it.
/// \return besides: `unknown_group`, `node_gone`, `node_without_domain`, `domains_differ`, with the member
/// \complexity besides O(members)
template <resource_model M>
candidate_finding list_candidates(const snapshot<M>& view, topology_level level, std::span<const run> parent,
                                  group_id group, candidate_list& out);

/// The whole cluster, as a parent.
template <resource_model M>
[[nodiscard]] std::array<run, 1> all_nodes(const snapshot<M>& view) noexcept {
  return {run{0, view.size()}};
}

/// What the candidates of two lists have in common. \pre `out` is neither of them \complexity O(pairs x their runs)
inline void combine_candidates(const candidate_list& a, const candidate_list& b, candidate_list& out);

// ---------------------------------------------------------------------------------------------------------------------

namespace placement_detail {

/// The domain of a position at a level, node_level included.
template <resource_model M>
[[nodiscard]] std::uint32_t domain_at(const snapshot<M>& view, std::uint32_t position, topology_level level) {
  return level == node_level ? position : view.domain_of(position, static_cast<std::size_t>(level));
}

/// A node by itself. \pre it is in the parent
template <resource_model M>
void add_node(const snapshot<M>& view, std::uint32_t position, candidate_list& out) {
  const run one{position, position + 1};
  domain_path path{node_level, {}};
  path.path.push_back(static_cast<label_id>(number(view.id(position))));
  out.add({&path, 1}, {&one, 1});
}

/// A domain of a level, with its nodes in the parent.
template <resource_model M, class Runs>
void add_domain(const snapshot<M>& view, topology_level level, std::uint32_t domain, std::span<const run> parent,
                Runs& nodes, candidate_list& out) {
  if (level == node_level) {
    if (hold(parent, domain)) add_node(view, domain, out);
    return;
  }
  nodes.clear();
  const auto l = static_cast<std::size_t>(level);
  add_common(view.domain_runs(l, domain), parent, nodes);
  const domain_path path = view.domain_name(l, domain);
  out.add({&path, 1}, std::span<const run>{nodes.data(), nodes.size()});
}

}  // namespace placement_detail

template <resource_model M>
candidate_finding list_candidates(const snapshot<M>& view, topology_level level, std::span<const run> parent,
                                  candidate_list& out) {
  out.clear();
  if (level == no_level) {
    out.add({}, parent);
    return {};
  }
  if (!view.levels().has(level)) return {candidate_fault::unknown_level, {}};
  out.constrained = true;
  short_list<run, 16> nodes;
  if (level != node_level) {
    const auto domains = static_cast<std::uint32_t>(view.domains(static_cast<std::size_t>(level)));
    for (std::uint32_t d = 0; d < domains; ++d) placement_detail::add_domain(view, level, d, parent, nodes, out);
    return {};
  }
  for (const run& some : parent)
    for (std::uint32_t p = some.first; p < some.last; ++p) placement_detail::add_node(view, p, out);
  return {};
}

template <resource_model M>
candidate_finding list_candidates(const snapshot<M>& view, topology_level level, std::span<const run> parent,
                                  group_id group, candidate_list& out) {
  const group_record<M>* known = view.group(group);
  out.clear();
  if (known == nullptr) return {candidate_fault::unknown_group, {}};
  if (level == no_level || !view.levels().has(level)) return list_candidates(view, level, parent, out);
  std::vector<std::pair<pod_id, std::uint32_t>> running;  // and where, in the order of ids
  view.visit_members(*known, [&](const pod_record<M>& pod) {
    if (is_scheduled(pod.phase)) running.push_back({pod.id, view.find(view.node_of(pod)).value_or(no_position)});
  });
  std::sort(running.begin(), running.end());
  std::uint32_t pinned = no_domain;
  for (const auto& [pod, position] : running) {
    if (position == no_position) return {candidate_fault::node_gone, pod};
    const std::uint32_t domain = placement_detail::domain_at(view, position, level);
    if (domain == no_domain) return {candidate_fault::node_without_domain, pod};
    if (pinned != no_domain && pinned != domain) return {candidate_fault::domains_differ, pod};
    pinned = domain;
  }
  if (pinned == no_domain) return list_candidates(view, level, parent, out);
  out.constrained = out.pinned = true;
  short_list<run, 16> nodes;
  placement_detail::add_domain(view, level, pinned, parent, nodes, out);
  return {};
}

inline void combine_candidates(const candidate_list& a, const candidate_list& b, candidate_list& out) {
  if (!a.constrained || !b.constrained) {
    out = a.constrained ? a : b;
    return;
  }
  out.clear();
  out.constrained = true;
  out.pinned = a.pinned || b.pinned;
  std::vector<run> nodes;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) {
      nodes.clear();
      add_common(a.nodes(i), b.nodes(j), nodes);
      out.add(a.name(i), nodes, b.name(j));
    }
}

}  // namespace muster::inline MUSTER_ABI

#endif
