// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_LAY_RANKS_HPP
#define MUSTER_PLACEMENT_LAY_RANKS_HPP

/// \file
/// Numbers the pods of a division along the tree, so that neighbours in rank are near.
///
/// Every domain's pods are numbered in a row. So of every level two neighbours in rank are in different domains as
/// seldom as can be, once less than there are domains in use, and slices are runs of ranks that begin at a multiple of
/// their size. With the leader as rank 0 its leaf comes first, then what shares its next domain up, and so on; the
/// workers' ranks then begin at 1.
/// \see Kueue: rank-ordered assignment of pods to domains

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/division.hpp>
#include <muster/placement/domain_tree.hpp>

#include <concepts>

namespace muster::inline MUSTER_ABI {

/// Calls `emit(domain, first rank, pods)` for runs of ranks in ascending order; a ranked leader is a run of one.
/// \param answer of `divide` on this tree, with a division
/// \complexity O(shares x levels squared) \exceptions what `emit` throws; allocates nothing
template <std::invocable<tree_index, pod_count, pod_count> Emit>
void lay_ranks(const domain_tree& tree, const division& answer, leader_rank leader, Emit&& emit) {
  pod_count next = 0;
  const auto give = [&](const domain_share& share) {
    if (share.pods > 0) emit(share.domain, next, share.pods);
    next += share.pods;
  };
  const domain_share* led = nullptr;
  for (const domain_share& share : answer.shares)
    if (share.leader && leader == leader_rank::zero) led = &share;
  if (led == nullptr) {
    for (const domain_share& share : answer.shares) give(share);
    return;
  }
  emit(led->domain, next++, pod_count{1});
  give(*led);
  const auto is_within = [&tree](tree_index at, tree_index domain) {
    while (at != no_tree_index && at != domain) at = tree[at].parent;
    return at == domain;
  };
  // what shares the leader's domain and was not numbered with the one below it, from the leaf up
  for (tree_index below = led->domain, at = tree[below].parent; at != no_tree_index; below = at, at = tree[at].parent)
    for (const domain_share& share : answer.shares)
      if (is_within(share.domain, at) && !is_within(share.domain, below)) give(share);
}

}  // namespace muster::inline MUSTER_ABI

#endif
