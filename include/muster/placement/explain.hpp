// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_EXPLAIN_HPP
#define MUSTER_PLACEMENT_EXPLAIN_HPP

/// \file
/// What would do for a gang that does not fit, rung by rung, each proved by the same search that refused it.
///
/// Every rung changes one thing alone and asks again: later, a lower min_count, more nodes of one shape, a wider level,
/// several device models, a reason code less, or how many pods sit at all. A rung says that it helps, that it does not
/// help however much of it there is, or, where the search ended, between which bounds the answer lies. New nodes are
/// empty, open and eligible, with the device model of their shape; of the domains of a required level the rung names
/// the one in which the fewest do. Under a spread limit of a wider level the new nodes of a gang of alike pods stand in
/// domains that are there (shortfall.hpp); of unlike pods it is only said how many are needed at least, wherever they
/// stand.
///
/// The ladder is muster's own. The numbers of the refusal itself are those of answer.hpp.

#include <muster/cluster/cluster.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/detail/ladder.hpp>
#include <muster/placement/options.hpp>
#include <muster/placement/rung.hpp>
#include <muster/placement/workspace.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/pod_group.hpp>

#include <span>

namespace muster::inline MUSTER_ABI {

/// Explains the refusal of a declared group of which nothing runs.
///
/// \param shapes of nodes that could be added, each asked about alone
/// \return the verdict, and the rungs if the gang was refused or the search ended; which rungs: `wait` if anything is
///         terminating, a lower min_count, one a shape, one a level coarser than the required one and one for none, one
///         for several device models if the group keeps to one, one a reason code that keeps a pod set from a node, and
///         the largest gang
/// \complexity a `place` a rung, O(log pods) of them for more nodes in each domain; each with the budget of the options
/// \exceptions as `place`; allocates \determinism as `place`
template <resource_model M, options_for<M> Options = place_options<>>
[[nodiscard]] explanation explain(const snapshot<M>& view, const pod_group<M>& group,
                                  std::span<const typename M::capacity_type> shapes, workspace<M>& space,
                                  const Options& options = {});

/// The same for a group in the cluster, beside its members that run.
template <resource_model M, options_for<M> Options = place_options<>>
[[nodiscard]] explanation explain(const snapshot<M>& view, group_id group,
                                  std::span<const typename M::capacity_type> shapes, workspace<M>& space,
                                  const Options& options = {});

// ---------------------------------------------------------------------------------------------------------------------

template <resource_model M, options_for<M> Options>
explanation explain(const snapshot<M>& view, const pod_group<M>& group,
                    std::span<const typename M::capacity_type> shapes, workspace<M>& space, const Options& options) {
  return placement_detail::ladder<M, Options>{view, group, nullptr, space, options}.climb(shapes);
}

template <resource_model M, options_for<M> Options>
explanation explain(const snapshot<M>& view, group_id group, std::span<const typename M::capacity_type> shapes,
                    workspace<M>& space, const Options& options) {
  const group_record<M>* known = view.group(group);
  if (known == nullptr) return {verdict::hold, {}};
  return placement_detail::ladder<M, Options>{view, known->spec, known, space, options}.climb(shapes);
}

}  // namespace muster::inline MUSTER_ABI

#endif
