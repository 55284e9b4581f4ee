// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_REPORTS_PREEMPTION_QUESTION_HPP
#define MUSTER_TESTS_REPORTS_PREEMPTION_QUESTION_HPP

/// \file
/// What reports about preemption have in common: who asks, who has to leave, and pods that run since a time.

#include <muster/placement/eligibility.hpp>
#include <muster/placement/seat_pod_by_pod.hpp>
#include <muster/preemption/preempt_options.hpp>
#include <muster/resource/resource_vector.hpp>
#include <muster/workload/pod_group.hpp>

#include "support/scene.hpp"

#include <cstdint>
#include <set>

namespace muster_test {

using slots = muster::resource_vector<1>;
using ids = std::set<std::uint64_t>;

[[nodiscard]] inline muster::pod_group<slots> asks(muster::pod_count pods, std::int64_t each, std::int32_t priority) {
  auto gang = scene<slots>::gang(1, pods, {each});
  gang.priority = priority;
  return gang;
}

template <class Plan>
[[nodiscard]] ids evicted(const Plan& plan) {
  ids found;
  for (const auto* pod : plan.victims.pods) found.insert(number(pod->id));
  return found;
}

/// A running pod of no group, since a time.
inline void runs(scene<slots>& on, std::uint64_t id, std::uint64_t node, std::int64_t size, std::int32_t priority,
                 std::int64_t since) {
  muster::pod_seen<slots> seen;
  seen.pod = muster::pod_id{id};
  seen.request = {size};
  seen.priority = priority;
  on.say(seen);
  muster::pod_placed<slots> placed;
  placed.pod = seen.pod;
  placed.node = muster::node_id{node};
  placed.at = scene<slots>::time(since);
  on.say(placed);
}

/// Nodes of one kind alone.
struct only_kind {
  muster::kind_id kind{};
  muster::reason_code operator()(const muster::pod_group<slots>&, std::size_t, muster::kind_id asked) const {
    return asked == kind ? muster::eligible_node : muster::reason_code{1};
  }
};
/// Kubernetes' rule on such nodes.
using kubernetes_on_kind = muster::preempt_options<muster::seat_pod_by_pod<>, muster::more_important,
                                                   muster::more_pods_seated, muster::anyone, only_kind>;

}  // namespace muster_test

#endif
