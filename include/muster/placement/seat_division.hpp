// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_SEAT_DIVISION_HPP
#define MUSTER_PLACEMENT_SEAT_DIVISION_HPP

/// \file
/// Makes seats of a division over nodes: the grants on each, as `place` would hand them out.
///
/// Seats come in the order of the shares, which is the order along the tree, so that pods numbered in the order of the
/// seats lie along it, too. On the leader's node the leader's seat is the first: it was counted before the others.
/// \see divide.hpp; verify.hpp checks the seats as those of any placement

#include <muster/cluster/overlay.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/topology.hpp>
#include <muster/placement/answer.hpp>
#include <muster/placement/division.hpp>
#include <muster/placement/domain_tree.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/pod_group.hpp>

#include <cstdint>
#include <vector>

namespace muster::inline MUSTER_ABI {

/// \param group that the tree was counted for \param answer of `divide` on this tree
/// \pre the tree's leaves are nodes, and nothing was taken from the view since it was counted; the group has the pod
///      sets the tree names
/// \return whether all of the division was seated; if not, the precondition is broken or there is no division, and
///         `seats` is empty
/// \complexity O(shares) grants \exceptions none of its own; allocates in `seats` only
/// \determinism a function of the arguments
template <capacity_view View, class M = typename View::model>
[[nodiscard]] bool seat_division(const View& view, const pod_group<M>& group, const domain_tree& tree,
                                 const division& answer, std::vector<seat<M>>& seats) {
  seats.clear();
  bool all = answer.fits();
  for (const domain_share& share : answer.shares) {
    const tree_domain& leaf = tree[share.domain];
    if (leaf.level != node_level) all = false;
    if (!all) break;
    typename M::state_type left = view.now(leaf.number);
    const auto take = [&](std::uint32_t set, pod_count pods) {
      if (pods == 0) return;
      seat<M> one;
      one.node = view.base().id(leaf.number);
      one.position = leaf.number;
      one.pod_set = set;
      one.count = pods;
      all = all && M::allocate(left, group.pod_sets[set].request, pods, one.grant) == pods;
      seats.push_back(one);
    };
    take(tree.leader_set, share.leader ? 1 : 0);
    take(tree.pod_set, share.pods);
  }
  if (!all) seats.clear();
  return all;
}

}  // namespace muster::inline MUSTER_ABI

#endif
