// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PREEMPTION_VICTIM_UNIT_HPP
#define MUSTER_PREEMPTION_VICTIM_UNIT_HPP

/// \file
/// Victim units: what is evicted as a whole or not at all.
///
/// Of the groups a pod stands under, the highest whose disruption mode is `all` is one unit, with all its pods wherever
/// they run; a pod under no such group is a unit by itself. A unit's priority is its root group's, or the pod's own
/// where it names no group that is known: what a grouped pod says of its own priority counts for nothing. It began when
/// the first of its pods was placed; if none is confirmed on its node yet, it counts as newest.
///
/// A unit whose pods are all on their way out is no unit: nobody evicts it again, and what it holds comes back without
/// a cost. Of one that leaves in part, the pods that stay are the unit.
///
/// Today a group has no parent, so the highest group is the pod's own. Groups of groups change `list_victim_units`
/// alone: `kind` and `group` then name the ancestor.
///
/// \see Kubernetes 1.37, section 7.2

#include <muster/cluster/records.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/core/time.hpp>
#include <muster/resource/model.hpp>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace muster::inline MUSTER_ABI {

/// What a unit is, least important first.
enum class unit_kind : std::uint8_t {
  pod = 1,    ///< a pod of no known group
  member,     ///< a pod of a group of mode `single`; of the same rank as a whole group
  group,      ///< all pods of a group of mode `all`
  composite,  ///< all pods below a composite of mode `all`
};

[[nodiscard]] constexpr std::string_view name(unit_kind kind) noexcept {
  switch (kind) {
    case unit_kind::pod: return "pod";
    case unit_kind::member: return "member of a group";
    case unit_kind::group: return "group";
    case unit_kind::composite: return "composite group";
  }
  return "?";
}

/// Kubernetes' rank of a kind: composite 3, group 2 (a pod of a group too), plain pod 1.
[[nodiscard]] constexpr int rank_of(unit_kind kind) noexcept {
  return kind == unit_kind::composite ? 3 : kind == unit_kind::pod ? 1 : 2;
}

template <resource_model M>
struct victim_unit {
  const group_record<M>* group = nullptr;  ///< the group evicted, or the one whose member it is; null: none is known
  pod_id first{};                          ///< its pod with the smallest id: no two units share it
  std::uint32_t first_pod = 0, pods = 0;   ///< of `victim_units::pods`
  std::int32_t priority = 0;
  time_point started = end_of_time;        ///< when the first of its pods was placed and confirmed
  unit_kind kind = unit_kind::pod;
};

/// The units of a cluster at one moment. Records are the snapshot's: valid as long as it is.
template <resource_model M>
struct victim_units {
  std::vector<victim_unit<M>> units;       ///< in the order of their first pods' ids
  std::vector<const pod_record<M>*> pods;  ///< of each unit together, in the order of ids

  void clear() noexcept {
    units.clear();
    pods.clear();
  }
  /// Adds a unit with these pods, behind those that are there.
  void add(victim_unit<M> unit, std::span<const pod_record<M>* const> its_pods) {
    unit.first_pod = static_cast<std::uint32_t>(pods.size());
    unit.pods = static_cast<std::uint32_t>(its_pods.size());
    pods.insert(pods.end(), its_pods.begin(), its_pods.end());
    units.push_back(unit);
  }
  [[nodiscard]] std::span<const pod_record<M>* const> pods_of(const victim_unit<M>& unit) const noexcept {
    return std::span{pods}.subspan(unit.first_pod, unit.pods);
  }
};

}  // namespace muster::inline MUSTER_ABI

#endif
