// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_CLUSTER_CHANGE_HPP
#define MUSTER_CLUSTER_CHANGE_HPP

/// \file
/// Everything a watch can say about a cluster, as one value type.
///
/// The model is a set of *registers*: each fact about an object (what a node is, whether it is closed, where a pod
/// is placed, how it ended) is one register that keeps the value with the greatest revision. The state is a function
/// of the registers alone, so changes may come late, twice or in any order: the same set gives the same state.
/// Revisions are the host's (a resource version, a log position) and order changes of the whole cluster; two
/// different contents under one revision are settled by a fixed hash, so even that does not depend on order.
///
/// `apply` answers
///
/// | outcome | meaning |
/// | --- | --- |
/// | `applied` | taken over |
/// | `duplicate` | known already, word for word |
/// | `stale` | something newer is known; the state is as before |
/// | `parked` | kept, and takes effect when what it names is seen: a pod, a node, a device of the node, a slot on it |
/// | `rejected` | bad input; the fault is named and nothing changed |

#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/core/time.hpp>
#include <muster/node/node.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/pod_group.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

namespace muster::inline MUSTER_ABI {

/// A node was added, resized or relabelled.
template <resource_model M>
struct node_seen {
  node_spec<M> node;
};
/// A node went: its capacity at once, its pods become lost members.
struct node_gone {
  node_id node{};
};
/// A node takes no new pods within [from, until).
struct node_closed {
  node_id node{};
  time_point from = beginning_of_time;
  time_point until = end_of_time;
};
struct node_opened {
  node_id node{};
};
/// One device of a node fell sick or is well again.
struct device_health {
  node_id node{};
  std::uint32_t device = 0;
  bool healthy = false;
};

/// A pod exists. Its request is charged wherever it is placed.
template <resource_model M>
struct pod_seen {
  pod_id pod{};
  group_id group = no_group;
  std::uint32_t pod_set = 0;
  typename M::request_type request{};
  std::int32_t priority = 0;
  preemption_policy preemption = preemption_policy::lower_priority;
  scheduler_id scheduler{};
  std::uint32_t rank = 0;
  bool gated = false;  ///< has a scheduling gate: keeps its whole group out of the queue
  time_point at = beginning_of_time;
};

enum class placing : std::uint8_t { assumed, bound, ready };

/// A pod has a node: in memory only, confirmed, or confirmed and ready.
template <resource_model M>
struct pod_placed {
  pod_id pod{};
  node_id node{};
  placing how = placing::bound;
  std::optional<typename M::grant_type> grant =
      std::nullopt;  ///< what it was given; derived in pod order where the host does not know
  time_point at = beginning_of_time;
};
/// A pod has no node: its binding failed or was taken back.
struct pod_unplaced {
  pod_id pod{};
  time_point at = beginning_of_time;
};
/// A pod is on its way out and leaves its node by `until`, as far as is known.
struct pod_terminating {
  pod_id pod{};
  time_point until = end_of_time;
  time_point at = beginning_of_time;
};

enum class ending : std::uint8_t { succeeded, failed, lost };

struct pod_ended {
  pod_id pod{};
  ending how = ending::succeeded;
  time_point at = beginning_of_time;
};

/// A group was made or changed. What may not change is asked of validate_update (workload/validate.hpp) before.
template <resource_model M>
struct group_seen {
  pod_group<M> group;
};
struct group_gone {
  group_id group{};
};
/// The group once ran at its minimum. Never taken back (Kubernetes: InitiallyScheduled stays True).
struct group_satisfied {
  group_id group{};
  time_point at = beginning_of_time;
};

/// Capacity kept on a node for one group until a time: a reservation, or a nomination while victims leave.
template <resource_model M>
struct set_aside {
  set_aside_id id{};
  group_id group{};
  std::uint32_t pod_set = 0;
  node_id node{};
  pod_count count = 0;
  typename M::grant_type grant{};  ///< covers `count` pods
  time_point until = end_of_time;
};
struct set_aside_dropped {
  set_aside_id id{};
};

template <resource_model M>
using change_content = std::variant<node_seen<M>, node_gone, node_closed, node_opened, device_health, pod_seen<M>,
                                    pod_placed<M>, pod_unplaced, pod_terminating, pod_ended, group_seen<M>, group_gone,
                                    group_satisfied, set_aside<M>, set_aside_dropped>;

template <resource_model M>
struct change {
  revision at{};
  change_content<M> what;
};

enum class apply_outcome : std::uint8_t { applied, duplicate, stale, parked, rejected };

/// Why a change was rejected.
enum class change_fault : std::uint8_t {
  none,
  no_revision,         ///< revision 0 means "never"
  reserved_id,         ///< an id that stands for "none"
  bad_capacity,        ///< see the amount fault
  bad_request,         ///< see the amount fault
  bad_grant,           ///< see the amount fault
  bad_group,           ///< see `validate` for all faults of the group
  too_many_labels,     ///< more labels than the topology has levels
  too_many_pod_sets,   ///< a pod set index no group can have
  ends_before_start,   ///< a window whose end is not after its start
  no_devices,          ///< device health in a model without devices, or a device number it has no room for
  too_many_pods,       ///< count outside 1 .. max_pods_per_node
  no_such_group,       ///< an action about a group that is not known, or is gone (`assume`)
  bad_action,          ///< an action that names pod sets its group does not have, or not as many pods as it seats
};

struct apply_result {
  apply_outcome outcome = apply_outcome::applied;
  change_fault fault = change_fault::none;
  amount_fault amounts = amount_fault::none;
  friend bool operator==(const apply_result&, const apply_result&) = default;
};

[[nodiscard]] constexpr std::string_view name(apply_outcome outcome) noexcept {
  switch (outcome) {
    case apply_outcome::applied: return "applied";
    case apply_outcome::duplicate: return "duplicate";
    case apply_outcome::stale: return "stale";
    case apply_outcome::parked: return "parked";
    case apply_outcome::rejected: return "rejected";
  }
  return "?";
}

[[nodiscard]] constexpr std::string_view name(change_fault fault) noexcept {
  switch (fault) {
    case change_fault::none: return "none";
    case change_fault::no_revision: return "revision 0 means never";
    case change_fault::reserved_id: return "the id is reserved";
    case change_fault::bad_capacity: return "bad capacity";
    case change_fault::bad_request: return "bad request";
    case change_fault::bad_grant: return "bad grant";
    case change_fault::bad_group: return "bad pod group";
    case change_fault::too_many_labels: return "more labels than topology levels";
    case change_fault::too_many_pod_sets: return "pod set index too large";
    case change_fault::ends_before_start: return "ends before it starts";
    case change_fault::no_devices: return "no such device";
    case change_fault::too_many_pods: return "pod count out of range";
    case change_fault::no_such_group: return "no such group";
    case change_fault::bad_action: return "the action does not match its group";
  }
  return "?";
}

}  // namespace muster::inline MUSTER_ABI

#endif
