// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_WORKSPACE_HPP
#define MUSTER_PLACEMENT_WORKSPACE_HPP

/// \file
/// Memory a caller may keep between calls of `place`: the second call of a kind with it allocates nothing.
/// One workspace serves one thread at a time. The answer lies in it until the next call.

#include <muster/cluster/overlay.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/answer.hpp>
#include <muster/placement/detail/demand.hpp>
#include <muster/placement/detail/domain_slots.hpp>
#include <muster/placement/detail/exact_space.hpp>
#include <muster/placement/detail/model_parts.hpp>
#include <muster/placement/detail/quotas.hpp>
#include <muster/placement/detail/seating.hpp>
#include <muster/placement/detail/spread.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace muster::inline MUSTER_ABI {

template <resource_model M>
struct workspace {
  placement_answer<M> answer;

  // scratch; what lies here is nobody's
  placement_detail::demand<M> demand;
  placement_detail::spread<M> room;
  placement_detail::exact_space<M> exact;
  std::vector<placement_detail::quota> quotas;
  std::vector<reason_code> codes;               // pod set x kind
  std::vector<run> eligible;                    // runs of eligible kinds, set by set
  std::vector<std::uint32_t> eligible_offsets;
  std::vector<run> runs;                        // of one pod set in one domain
  std::vector<run> all_runs;                    // of several
  placement_detail::model_parts models;         // of each domain, if the gang keeps to one
  std::vector<seat<M>> best_seats;
  std::vector<pod_count> slots;
  placement_detail::domain_bounds bounds;       // of the slots of each domain
  std::vector<placement_detail::held_pods> pieces;  // (position, count) of one walk
  std::vector<placement_detail::candidate<M>> nodes;
  std::vector<placement_detail::listed_node> listed;
  std::vector<std::uint32_t> order;
  std::optional<overlay<M>> trial;
};

}  // namespace muster::inline MUSTER_ABI

#endif
