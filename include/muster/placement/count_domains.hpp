// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_COUNT_DOMAINS_HPP
#define MUSTER_PLACEMENT_COUNT_DOMAINS_HPP

/// \file
/// Counts a domain tree: how many pods of a request fit on every node now, summed up level by level.
///
/// Exact for alike pods, with or without a leader. Nothing is placed. As with largest_gang.hpp, what it says of now it
/// says of no later time, what is set aside for the group counts as taken, and spread limits, legal sizes and one
/// device model are not asked. A host that counts pod slots makes them a resource of its model.
/// \see Kueue: the count of a leaf, and its sums (a leader costs the least loss of a child that can host it)

#include <muster/cluster/overlay.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/topology.hpp>
#include <muster/placement/detail/answering.hpp>
#include <muster/placement/detail/query.hpp>
#include <muster/placement/detail/seating.hpp>
#include <muster/placement/detail/tree_layout.hpp>
#include <muster/placement/domain_tree.hpp>
#include <muster/placement/eligibility.hpp>
#include <muster/placement/workspace.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/pod_group.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace muster::inline MUSTER_ABI {

/// Fills `tree` for the pods of a group: of its one pod set, or of two of which one is a single pod, the leader of the
/// others (of two single pods the first). Only requests are looked at, not how many pods there are.
/// \param finest the level of the leaves: node_level for nodes; no_level for the cluster alone
/// \return in `tree`, with `fault`: the topology lacks the level, or merges one below another down to it; the group is
///         faulty, or its pod sets are not as above
/// \complexity O(c log c + d) for c nodes with room for a pod and d domains down to the finest level
/// \exceptions what the filter throws; allocates in `space` and `tree` only. The answer in `space` is lost
/// \determinism a function of the view and the arguments
template <capacity_view View, class M = typename View::model, node_filter<M> Filter = everywhere>
void count_domains(const View& view, const pod_group<M>& group, topology_level finest, workspace<M>& space,
                   domain_tree& tree, const Filter& filter = {});

/// The same for one of these pods, of no group.
template <capacity_view View, class M = typename View::model, node_filter<M> Filter = everywhere>
void count_domains(const View& view, const pod_set<M>& pods, topology_level finest, workspace<M>& space,
                   domain_tree& tree, const Filter& filter = {}) {
  pod_group<M> group;
  group.disruption = disruption_mode::single;
  group.pod_sets.push_back({pods.request, 1, 0});
  count_domains(view, group, finest, space, tree, filter);
}

// ---------------------------------------------------------------------------------------------------------------------

namespace placement_detail {

/// Which pod set is the leader, if any; false if it cannot be told.
template <resource_model M>
[[nodiscard]] bool tell_leader(const pod_group<M>& group, domain_tree& tree) {
  tree.with_leader = group.pod_sets.size() == 2;
  tree.pod_set = tree.leader_set = 0;
  if (!tree.with_leader) return group.pod_sets.size() == 1;
  (group.pod_sets[0].count == 1 ? tree.pod_set : tree.leader_set) = 1;
  return group.pod_sets[tree.leader_set].count == 1;
}

/// The nodes with room for a pod or the leader, by position.
template <class Query, class View>
void count_nodes(Query& q, const View& view, domain_tree& tree) {
  using M = typename View::model;
  const auto ready = prepare<M>(q.request(tree.pod_set));
  tree.nodes.clear();
  visit_candidates(view, q.request(tree.pod_set), q.eligible_runs(tree.pod_set), [&](std::uint32_t p) {
    const pod_count slots = std::min(M::count_fitting(view.now(p), ready, max_pods_per_group), view.pods_left(p));
    if (slots > 0) tree.nodes.push_back({p, false, slots, 0});
    return true;
  });
  const auto by_position = [](const domain_tree::counted_node& a, const domain_tree::counted_node& b) {
    return a.position < b.position;
  };
  std::sort(tree.nodes.begin(), tree.nodes.end(), by_position);
  if (!tree.with_leader) return;
  const auto& leader = q.request(tree.leader_set);
  const std::size_t known = tree.nodes.size();
  visit_candidates(view, leader, q.eligible_runs(tree.leader_set), [&](std::uint32_t p) {
    auto left = view.now(p);
    typename M::grant_type ignored{};
    if (view.pods_left(p) < 1 || M::allocate(left, leader, 1, ignored) != 1) return true;
    const domain_tree::counted_node alone{p, true, 0, 0};
    const auto end = tree.nodes.begin() + static_cast<std::ptrdiff_t>(known);
    const auto at = std::lower_bound(tree.nodes.begin(), end, alone, by_position);
    if (at == end || at->position != p) {
      tree.nodes.push_back(alone);
    } else {
      at->leader = true;
      at->slots_with_leader = std::min(M::count_fitting(left, ready, at->slots), view.pods_left(p) - 1);
    }
    return true;
  });
  std::sort(tree.nodes.begin(), tree.nodes.end(), by_position);
}

}  // namespace placement_detail

template <capacity_view View, class M, node_filter<M> Filter>
void count_domains(const View& view, const pod_group<M>& group, topology_level finest, workspace<M>& space,
                   domain_tree& tree, const Filter& filter) {
  const topology& levels = view.base().levels();
  tree.domains.clear();
  tree.finest = finest;
  tree.finding = {};
  tree.fault = placement_detail::level_fault(levels, finest);
  if (tree.fault == tree_fault::none && !placement_detail::take_spec(view.base(), group, space)) {
    tree.fault = tree_fault::group;
    tree.finding = space.answer.fault;
  }
  if (tree.fault == tree_fault::none && !placement_detail::tell_leader(group, tree)) tree.fault = tree_fault::pod_sets;
  if (tree.fault != tree_fault::none) return;
  tree.leaf_depth = static_cast<std::uint32_t>(placement_detail::tree_levels(levels, finest));
  if (finest == node_level) ++tree.leaf_depth;
  placement_detail::query<View> q{view, space};
  q.ask(filter);
  placement_detail::count_nodes(q, view, tree);
  placement_detail::lay_out(view.base(), tree);
  placement_detail::sum_up(tree);
}

}  // namespace muster::inline MUSTER_ABI

#endif
