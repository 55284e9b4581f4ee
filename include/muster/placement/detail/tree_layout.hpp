// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_TREE_LAYOUT_HPP
#define MUSTER_PLACEMENT_DETAIL_TREE_LAYOUT_HPP

/// \file
/// Puts the domains of a snapshot and counted nodes into the order of a domain tree, and sums them up.
///
/// A draft lists the root, then level by level all domains, then the nodes that are leaves. Sorted by parent, each
/// domain's children stand in a row; walked from the root by depth they are the tree.

#include <muster/cluster/cluster.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/topology.hpp>
#include <muster/placement/domain_tree.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace muster::inline MUSTER_ABI::placement_detail {

/// Labelled levels down to the finest asked for.
[[nodiscard]] inline std::size_t tree_levels(const topology& levels, topology_level finest) noexcept {
  if (finest == no_level) return 0;
  return finest == node_level ? levels.size() : static_cast<std::size_t>(finest) + 1;
}

[[nodiscard]] inline tree_fault level_fault(const topology& levels, topology_level finest) noexcept {
  if (finest != no_level && !levels.has(finest)) return tree_fault::unknown_level;
  for (std::size_t l = 1; l < tree_levels(levels, finest); ++l)
    if (!levels.nests_in_coarser(static_cast<topology_level>(l))) return tree_fault::levels_cross;
  return tree_fault::none;
}

/// Takes what a child has room for into its parent, whose children come one after the other.
/// \param loss the least a leader cost a child so far
inline void add_child(tree_domain& to, const tree_domain& child, pod_count& loss) noexcept {
  to.slots = saturating_add(to.slots, child.slots);
  if (!child.leader) return;
  loss = to.leader ? std::min(loss, child.slots - child.slots_with_leader) : child.slots - child.slots_with_leader;
  to.leader = true;
}

/// The draft: root, domains, nodes. The nodes of leaves that are no nodes are summed up already.
template <resource_model M>
void draft_domains(const snapshot<M>& view, domain_tree& tree) {
  const std::size_t levels = tree_levels(view.levels(), tree.finest);
  std::array<tree_index, max_levels + 1> first{};  // place in the draft of each level's first domain
  tree.draft.assign(1, tree_domain{});
  // the finest of some coarser levels that a node is in
  const auto place_of = [&](std::uint32_t position, std::size_t coarser_than) {
    for (std::size_t l = coarser_than; l-- > 0;)
      if (const std::uint32_t d = view.domain_of(position, l); d != no_domain) return first[l] + d;
    return tree_index{0};
  };
  for (std::size_t l = 0; l < levels; ++l) {
    first[l] = static_cast<tree_index>(tree.draft.size());
    for (std::uint32_t d = 0; d < view.domains(l); ++d) {
      tree_domain one;
      one.level = static_cast<topology_level>(l);
      one.number = d;
      one.parent = place_of(view.domain_runs(l, d).front().first, l);
      tree.draft.push_back(one);
    }
  }
  for (const domain_tree::counted_node& node : tree.nodes) {
    const tree_index in = place_of(node.position, levels);
    tree_domain one;
    one.level = node_level;
    one.number = node.position;
    one.parent = in;
    one.leader = node.leader;
    one.slots = node.slots;
    one.slots_with_leader = node.slots_with_leader;
    if (tree.finest == node_level || tree.draft[in].level != tree.finest) {
      tree.draft.push_back(one);
      continue;
    }
    pod_count loss = tree.draft[in].slots - tree.draft[in].slots_with_leader;
    add_child(tree.draft[in], one, loss);
    if (tree.draft[in].leader) tree.draft[in].slots_with_leader = tree.draft[in].slots - loss;
  }
}

template <resource_model M>
void lay_out(const snapshot<M>& view, domain_tree& tree) {
  draft_domains(view, tree);
  const auto& draft = tree.draft;
  tree.offsets.assign(draft.size() + 1, 0);
  for (std::size_t i = 1; i < draft.size(); ++i) ++tree.offsets[draft[i].parent + 1];
  for (std::size_t i = 0; i < draft.size(); ++i) tree.offsets[i + 1] += tree.offsets[i];
  tree.by_parent.resize(draft.size());
  for (tree_index i = 1; i < draft.size(); ++i) tree.by_parent[tree.offsets[draft[i].parent]++] = i;
  // an offset is now the end of its children, and the one before it their beginning
  auto& out = tree.domains;
  out.push_back(draft[0]);
  out.back().first_child = 0;  // the place in the draft, until its children are taken
  for (tree_index at = 0; at < out.size(); ++at) {
    const tree_index in_draft = out[at].first_child;
    out[at].first_child = static_cast<tree_index>(out.size());
    for (tree_index i = in_draft == 0 ? 0 : tree.offsets[in_draft - 1]; i < tree.offsets[in_draft]; ++i) {
      out.push_back(draft[tree.by_parent[i]]);
      out.back().parent = at;
      out.back().first_child = tree.by_parent[i];
    }
    out[at].last_child = static_cast<tree_index>(out.size());
  }
}

/// Sums from the leaves to the root.
inline void sum_up(domain_tree& tree) noexcept {
  for (tree_index at = tree.size(); at-- > 0;) {
    tree_domain& to = tree.domains[at];
    pod_count loss = 0;
    for (tree_index c = to.first_child; c < to.last_child; ++c) add_child(to, tree.domains[c], loss);
    if (!to.is_leaf() && to.leader) to.slots_with_leader = to.slots - loss;
  }
}

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
