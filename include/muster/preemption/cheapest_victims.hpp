// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PREEMPTION_CHEAPEST_VICTIMS_HPP
#define MUSTER_PREEMPTION_CHEAPEST_VICTIMS_HPP

#include <muster/cluster/cluster.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/placement/eligibility.hpp>
#include <muster/placement/options.hpp>
#include <muster/placement/workspace.hpp>
#include <muster/preemption/list_victim_units.hpp>
#include <muster/preemption/victim_plan.hpp>
#include <muster/scoring/eviction_cost.hpp>
#include <muster/workload/pod_group.hpp>

namespace muster::inline MUSTER_ABI {

template <class Cost = lost_work<>, class May = anyone, class Filter = everywhere, class Stop = never_stop>
struct victim_options {
  Cost cost{};
  May may{};        ///< whether a unit of lower priority may be evicted at all
  Filter filter{};  ///< of nodes, as for place()
  std::uint64_t budget = 25'000'000;
  Stop stop{};
};

template <resource_model M, std::size_t N = 1>
struct victim_space {
  victim_plan<M, N> plan;
  workspace<M> placing;
  victim_units<M> units;
};

template <resource_model M, class Options = victim_options<>>
const victim_plan<M, decltype(Options::cost)::components>& cheapest_victims(
    const snapshot<M>& view, const pod_group<M>& group, victim_space<M, decltype(Options::cost)::components>& space,
    const Options& options = {});
template <resource_model M, class Options = victim_options<>>
const victim_plan<M, decltype(Options::cost)::components>& cheapest_victims(
    const snapshot<M>& view, group_id group, victim_space<M, decltype(Options::cost)::components>& space,
    const Options& options = {});

}  // namespace muster::inline MUSTER_ABI

#endif
