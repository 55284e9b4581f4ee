// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_SEATING_RULE_HPP
#define MUSTER_PLACEMENT_SEATING_RULE_HPP

/// \file
/// What a seating rule is: a const function object that proposes seats for the pods of a group that wait.
///
/// It is asked with an overlay on which what is set aside for the group is free already, and puts its seats into a
/// list. It may take them from the overlay as it goes; that is given back. It may seat fewer than wait, and need not
/// know of levels, limits, models or sizes: what it proposes is verified (place_by.hpp).
/// \see seat_in_turn.hpp, for writing one

#include <muster/cluster/overlay.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/answer.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/pod_group.hpp>

#include <concepts>
#include <cstdint>
#include <span>
#include <vector>

namespace muster::inline MUSTER_ABI {

/// Pods of a group that run, on one node.
struct standing_pods {
  std::uint32_t position = 0;
  pod_count count = 0;
  std::uint32_t pod_set = 0;
};

template <resource_model M>
struct seating_question {
  overlay<M>& on;
  const pod_group<M>& group;
  std::span<const pod_count> waiting;      ///< pods to seat, of each pod set
  std::span<const standing_pods> running;  ///< in the order of positions; what is terminating is not among them
};

/// The list is empty when the rule is asked.
template <class R, class M>
concept seating_rule = resource_model<M> && std::invocable<const R&, const seating_question<M>&, std::vector<seat<M>>&>;

}  // namespace muster::inline MUSTER_ABI

#endif
