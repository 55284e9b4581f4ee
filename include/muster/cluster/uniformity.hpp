// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_CLUSTER_UNIFORMITY_HPP
#define MUSTER_CLUSTER_UNIFORMITY_HPP

/// \file
/// Whether the pods of a group agree with it: one scheduler, one priority, one preemption policy.
///
/// Checked over all members that are not over, running ones too; an offender makes the whole group an error, nothing of
/// it is placed. Source: Kubernetes 1.37, section 1.5 (messages M12 to M14).

#include <muster/cluster/cluster.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/workload/member.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace muster::inline MUSTER_ABI {

enum class disagreement : std::uint8_t { scheduler, priority, preemption_policy };

/// The first pod (by id) that disagrees with its group, in what, and both numbers.
struct odd_pod {
  pod_id pod{};
  disagreement in{};
  std::int64_t pods_value = 0;
  std::int64_t groups_value = 0;
};

[[nodiscard]] constexpr std::string_view name(disagreement in) noexcept {
  switch (in) {
    case disagreement::scheduler: return "scheduler";
    case disagreement::priority: return "priority";
    case disagreement::preemption_policy: return "preemption policy";
  }
  return "?";
}

/// The first disagreement, or nullopt. \complexity O(members) \determinism the pod with the smallest id is named
template <resource_model M>
[[nodiscard]] std::optional<odd_pod> find_odd_pod(const snapshot<M>& view, const group_record<M>& group) {
  std::optional<odd_pod> found;
  view.visit_members(group, [&](const pod_record<M>& pod) {
    if (is_terminal(pod.phase) || (found && found->pod < pod.id)) return;
    if (pod.scheduler != group.spec.scheduler)
      found = odd_pod{pod.id, disagreement::scheduler, number(pod.scheduler), number(group.spec.scheduler)};
    else if (pod.priority != group.spec.priority)
      found = odd_pod{pod.id, disagreement::priority, pod.priority, group.spec.priority};
    else if (pod.preemption != group.spec.preemption)
      found = odd_pod{pod.id, disagreement::preemption_policy, static_cast<int>(pod.preemption),
                      static_cast<int>(group.spec.preemption)};
  });
  return found;
}

}  // namespace muster::inline MUSTER_ABI

#endif
