// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_CLUSTER_APPLY_HPP
#define MUSTER_CLUSTER_APPLY_HPP

/// \file
/// The one door into the model.
///
/// Every change writes one register and then brings what depends on it in line. A register takes a value iff its
/// revision is greater, or equal with a greater content hash; so the result is a maximum, and the order and repetition
/// of changes do not matter. Deaths are registers of their own: what was said of a node before it went (closed, a
/// sick device, a pod placed there) does not hold for the node that comes back under the same id.

#include <muster/cluster/change.hpp>
#include <muster/cluster/cluster.hpp>
#include <muster/cluster/detail/applier.hpp>
#include <muster/core/config.hpp>

#include <variant>

namespace muster::inline MUSTER_ABI {

/// Takes one change into the model.
///
/// \return `applied`, `duplicate`, `stale`, `parked` or `rejected` with the fault; after `rejected` nothing changed
/// \complexity O(1) expected for pods and groups; O(p) for a node with p pods, and O(log a) for each of its set-asides,
///             of a in all. Where the model derives grants, O(p log p) for any change of what the node holds. A node
///             that is new, relabelled or larger than any before makes the next `view` settle in O(n log n)
/// \exceptions none of its own; allocates when something is seen for the first time
/// \determinism any order and repetition of a set of changes gives the same `digest` and the same decisions. One
///              exception: a pod or set-aside beyond max_pods_per_node on one node is parked, and which one depends
///              on the order. It is charged when something leaves the node: pods first, the smaller id first
/// \pre no snapshot is in use
template <resource_model M>
apply_result apply(cluster<M>& model, const change<M>& what);

/// The host's own node type, as a node_seen. \see node_traits
template <resource_model M, node_like<M> N>
apply_result apply_node(cluster<M>& model, revision at, const N& node) {
  return apply(model, change<M>{at, node_seen<M>{read_node<M>(node, model.levels().size())}});
}

// ---------------------------------------------------------------------------------------------------------------------

template <resource_model M>
apply_result apply(cluster<M>& model, const change<M>& what) {
  if (what.at == never_seen) return cluster_detail::refuse(change_fault::no_revision);
  const apply_result result = std::visit(cluster_detail::applier<M>{model.books(), what.at}, what.what);
  model.books().charge_parked();
  if (result.outcome != apply_outcome::rejected && what.at > model.books().latest) model.books().latest = what.at;
  return result;
}

}  // namespace muster::inline MUSTER_ABI

#endif
