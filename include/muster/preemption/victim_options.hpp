// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PREEMPTION_VICTIM_OPTIONS_HPP
#define MUSTER_PREEMPTION_VICTIM_OPTIONS_HPP

/// \file
/// What a caller may choose when it asks for the cheapest victims, and the memory it may keep between calls.
///
/// Cost, rule and filter are function objects of the caller's. The cost decides which set is best
/// (scoring/eviction_cost.hpp), `may` who can be in it, beside having a lower priority: a minimum run time, protected
/// groups. The budget is counted in steps, so that the answer is the same everywhere: a state of a node that is looked
/// at, a pod that is evicted or put back in a trial, a step of `place`.
/// \see placement/options.hpp

#include <muster/cluster/overlay.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/candidates.hpp>
#include <muster/placement/eligibility.hpp>
#include <muster/placement/options.hpp>
#include <muster/placement/workspace.hpp>
#include <muster/preemption/detail/preemptor.hpp>
#include <muster/preemption/detail/unit_costs.hpp>
#include <muster/preemption/detail/victim_bound.hpp>
#include <muster/preemption/detail/victim_model.hpp>
#include <muster/preemption/detail/victim_search.hpp>
#include <muster/preemption/list_victim_units.hpp>
#include <muster/preemption/victim_plan.hpp>
#include <muster/preemption/victim_unit.hpp>
#include <muster/resource/model.hpp>
#include <muster/scoring/eviction_cost.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI {

template <class Cost = lost_work<>, class May = anyone, class Filter = everywhere, class Stop = never_stop>
struct victim_options {
  Cost cost{};
  May may{};        ///< whether a unit of a lower priority may be evicted at all
  Filter filter{};  ///< of nodes, as for place()
  std::uint64_t budget = 25'000'000;  ///< search steps; 2,000,000 for interactive use
  Stop stop{};      ///< asked every few thousand steps whether to end the search now
};

/// Memory a caller may keep between calls. The plan lies in it until the next one.
template <resource_model M, eviction_cost<M> Cost = lost_work<>>
struct victim_space {
  victim_plan<M, Cost::components> plan;

  // scratch; what lies here is nobody's
  workspace<M> placing;
  victim_units<M> units;
  preemption_detail::preemptor<M> gang;
  preemption_detail::victim_model<M> model;
  preemption_detail::victim_bound<M> bound;
  preemption_detail::unit_costs<M, Cost> costs;
  std::vector<std::int64_t> ranks;  // of the units
  preemption_detail::search_memory search;
  preemption_detail::best_set<Cost::components> best;
  candidate_list domains;
  std::vector<std::pair<preemption_detail::wide, std::size_t>> domain_bounds;
  std::vector<std::uint8_t> out;  // of the units: who is evicted on trial
  std::optional<overlay<M>> trial;
};

}  // namespace muster::inline MUSTER_ABI

#endif
