// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_LARGEST_GANG_HPP
#define MUSTER_PLACEMENT_LARGEST_GANG_HPP

/// \file
/// How large a gang of alike pods may be and still sit in one domain: of a level, or level by level.
///
/// Exact, and without placing anything: what a domain holds of alike pods is the sum over its nodes of how many fit.
/// One count over the open nodes of all domains of a level, as `place` makes it for alike pods (place.hpp).
///
/// What it says of now it says of no later time, and two answers do not add up: both may count the same room. Spread
/// limits, legal sizes and one device model are not asked.

#include <muster/core/config.hpp>
#include <muster/core/topology.hpp>
#include <muster/placement/detail/answering.hpp>
#include <muster/placement/detail/counting.hpp>
#include <muster/placement/detail/query.hpp>
#include <muster/placement/eligibility.hpp>
#include <muster/placement/workspace.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/pod_group.hpp>
#include <muster/workload/validate.hpp>

#include <cstddef>
#include <cstdint>

namespace muster::inline MUSTER_ABI {

struct gang_room {
  pod_count pods = 0;    ///< how many fit, at most max_pods_per_group
  domain_path domain{};  ///< where: the first such domain in label order; without a level the whole cluster
  group_fault fault = group_fault::none;  ///< what is wrong with the question; `pods` is then 0
};

/// The most pods of a request that one domain of a level has room for now.
/// \param pods one of the pods; its count and minimum are not looked at
/// \param level node_level: one node; no_level: the whole cluster
/// \return `fault`: the level is not one of the topology's, or the request is faulty
/// \complexity O(open nodes of the domains that may host the pod) \exceptions what the filter throws; allocates in
///             `space` only, whose answer is lost \determinism a function of the view and the arguments
template <capacity_view View, class M = typename View::model, node_filter<M> Filter = everywhere>
[[nodiscard]] gang_room largest_gang(const View& view, const pod_set<M>& pods, topology_level level,
                                     workspace<M>& space, const Filter& filter = {}) {
  pod_group<M> group;
  group.disruption = disruption_mode::single;
  group.pod_sets.push_back({pods.request, 1, 0});
  group.required = level;
  gang_room best;
  if (!placement_detail::take_spec(view.base(), group, space)) {
    best.fault = space.answer.fault.fault;
    return best;
  }
  placement_detail::query<View> q{view, space};
  (void)q.find_domains();
  q.ask(filter);
  for (std::uint32_t d = q.first_domain; d < q.last_domain; ++d) {
    const pod_count slots =
        placement_detail::count_room(view, q.request(0), q.runs_of(0, d), max_pods_per_group);
    if (slots > best.pods) {
      best.pods = slots;
      best.domain = q.name(d);
    }
  }
  return best;
}

/// The same for the whole cluster, for every level from the coarsest to the finest, and for one node, in this order:
/// `emit(gang_room)` takes them, levels + 2 of them, or one with the fault of the request.
/// \complexity that of largest_gang for each
template <capacity_view View, class Emit, class M = typename View::model, node_filter<M> Filter = everywhere>
void gang_profile(const View& view, const pod_set<M>& pods, workspace<M>& space, Emit&& emit,
                  const Filter& filter = {}) {
  const gang_room whole = largest_gang(view, pods, no_level, space, filter);
  emit(whole);
  if (whole.fault != group_fault::none) return;
  for (std::size_t l = 0; l < view.base().levels().size(); ++l)
    emit(largest_gang(view, pods, static_cast<topology_level>(l), space, filter));
  emit(largest_gang(view, pods, node_level, space, filter));
}

}  // namespace muster::inline MUSTER_ABI

#endif
