// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_CLUSTER_UNIFORMITY_HPP
#define MUSTER_CLUSTER_UNIFORMITY_HPP

/// \file
/// Whether the pods of a group agree with it: one scheduler, one priority, one preemption policy, and the request of
/// their pod set.
///
/// Checked over all members that are not over, running ones too; an offender makes the whole group an error, nothing of
/// it is placed. Source: Kubernetes 1.37, section 1.5 (messages M12 to M14). Requests are compared only while a pod
/// waits: a placement seats it with its set's request and the model charges its own. One that runs holds what it
/// was given, and what is left on its node knows that already.
///
/// Two of the page's rules are the host's: whether it has a profile for the scheduler the pods name, and, where it has
/// the group-level preemption policy switched off, to say of each group the policy its pods agree on (`never` if any
/// says so).

#include <muster/cluster/cluster.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/member.hpp>
#include <muster/workload/pod_group.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace muster::inline MUSTER_ABI {

enum class disagreement : std::uint8_t { scheduler, priority, preemption_policy, request };

/// The first pod (by id) that disagrees with its group, in what, and both numbers. Those of requests are the amounts of
/// the first dimension they differ in, and equal if they differ in none that the model shows.
struct odd_pod {
  pod_id pod{};
  disagreement in{};
  std::uint32_t dimension = 0;
  std::int64_t pods_value = 0;
  std::int64_t groups_value = 0;
};

[[nodiscard]] constexpr std::string_view name(disagreement in) noexcept {
  switch (in) {
    case disagreement::scheduler: return "scheduler";
    case disagreement::priority: return "priority";
    case disagreement::preemption_policy: return "preemption policy";
    case disagreement::request: return "request";
  }
  return "?";
}

/// Whether a pod that waits asks something else than its pod set. One of a set its group does not have is no part of
/// what is placed.
template <resource_model M>
[[nodiscard]] bool asks_otherwise(const pod_record<M>& pod, const pod_group<M>& group) {
  return pod.phase == phase::seen && group.pod_sets.size() > pod.pod_set &&
         !(pod.request == group.pod_sets[pod.pod_set].request);
}

/// That pod, in numbers. \pre asks_otherwise(pod, group)
template <resource_model M>
[[nodiscard]] odd_pod odd_request(const pod_record<M>& pod, const pod_group<M>& group) {
  odd_pod odd{pod.id, disagreement::request, 0, 0, 0};
  if constexpr (dimensional_model<M>) {
    for (std::size_t d = 0; d < dimensions_of<M> && odd.pods_value == odd.groups_value; ++d) {
      odd.dimension = static_cast<std::uint32_t>(d);
      odd.pods_value = M::amount_needed(pod.request, d);
      odd.groups_value = M::amount_needed(group.pod_sets[pod.pod_set].request, d);
    }
  }
  return odd;
}

/// The first disagreement, or nullopt. \complexity O(members) \determinism the pod with the smallest id is named
template <resource_model M>
[[nodiscard]] std::optional<odd_pod> find_odd_pod(const snapshot<M>& view, const group_record<M>& group) {
  std::optional<odd_pod> found;
  view.visit_members(group, [&](const pod_record<M>& pod) {
    if (is_terminal(pod.phase) || (found && found->pod < pod.id)) return;
    if (pod.scheduler != group.spec.scheduler)
      found = odd_pod{pod.id, disagreement::scheduler, 0, number(pod.scheduler), number(group.spec.scheduler)};
    else if (pod.priority != group.spec.priority)
      found = odd_pod{pod.id, disagreement::priority, 0, pod.priority, group.spec.priority};
    else if (pod.preemption != group.spec.preemption)
      found = odd_pod{pod.id, disagreement::preemption_policy, 0, static_cast<int>(pod.preemption),
                      static_cast<int>(group.spec.preemption)};
    else if (asks_otherwise(pod, group.spec)) found = odd_request(pod, group.spec);
  });
  return found;
}

}  // namespace muster::inline MUSTER_ABI

#endif
