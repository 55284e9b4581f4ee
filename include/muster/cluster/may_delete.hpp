// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_CLUSTER_MAY_DELETE_HPP
#define MUSTER_CLUSTER_MAY_DELETE_HPP

/// \file
/// Deletion protection of a group. Source: Kubernetes 1.37, section 1.7.

#include <muster/cluster/cluster.hpp>
#include <muster/core/config.hpp>
#include <muster/workload/member.hpp>

namespace muster::inline MUSTER_ABI {

/// Whether the group may finally go: every pod that names it is over (succeeded, failed or lost). A group nobody
/// names may.
/// \complexity O(1)
template <resource_model M>
[[nodiscard]] bool may_delete(const snapshot<M>& view, group_id group) noexcept {
  const group_record<M>* record = view.named_group(group);
  if (record == nullptr) return true;
  const member_counts& in = record->members;
  return in.total() == in[phase::succeeded] + in[phase::failed] + in[phase::lost];
}

}  // namespace muster::inline MUSTER_ABI

#endif
