// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_WORKLOAD_VALIDATE_HPP
#define MUSTER_WORKLOAD_VALIDATE_HPP

/// \file
/// What is wrong with a pod group, all of it at once.
///
/// Rules: Kubernetes 1.37 sections 1.2 (fields, defaults, mutability) and 1.5 (uniformity of a group's pods; that
/// part needs the cluster and lives in cluster/uniformity.hpp). Names are ids here; templates and claims are the
/// host's. Beyond Kubernetes: min_count may be 0, the disruption mode has no default, sizes and limits must not
/// contradict each other.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/core/topology.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/pod_group.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace muster::inline MUSTER_ABI {

enum class group_fault : std::uint8_t {
  none,
  reserved_id,             ///< the id that stands for "no group"
  too_many_pod_sets,       ///< more than max_pod_sets
  pod_set_count,           ///< a pod set declares fewer than 0 or more than max_pods_per_group pods
  pod_set_minimum,         ///< a pod set's minimum is negative or above its count
  pod_set_request,         ///< a request the model refuses
  too_many_pods,           ///< more than max_pods_per_group in all
  min_count_negative,
  min_count_above_total,   ///< min_count above the declared pods
  disruption_unstated,     ///< the caller must choose
  basic_evicted_as_unit,   ///< a basic group cannot be evicted as one unit
  priority_reserved,       ///< above what a user may ask
  size_rule_empty,         ///< step below 1, smallest below 0, or largest below smallest
  size_rule_unreachable,   ///< no legal size between the minimum and the declared pods
  world_size,              ///< negative, or above what a gang may have, where rigid above the declared pods
  unknown_level,           ///< a required or limited level the topology does not have
  limit_negative,
  limit_below_minimum,     ///< at most 0 per domain although pods are demanded
  limits_cross,            ///< limited levels that do not nest: a merged one below another
  device_models_untold,    ///< one device model asked for, of a resource model that does not tell them
  policy_changed,          ///< update: gang and basic never turn into each other
  immutable_changed,       ///< update: priority, preemption, disruption mode, topology, limits, one device model stay
};

struct group_finding {
  group_fault fault = group_fault::none;
  std::size_t pod_set = 0;  ///< which pod set or limit, where it is one
  amount number = 0;        ///< the offending number, where it is one
  friend bool operator==(const group_finding&, const group_finding&) = default;
};

inline constexpr std::int32_t max_user_priority = 1'000'000'000;

[[nodiscard]] constexpr std::string_view name(group_fault fault) noexcept {
  switch (fault) {
    case group_fault::none: return "none";
    case group_fault::reserved_id: return "the group's id is reserved";
    case group_fault::too_many_pod_sets: return "too many pod sets";
    case group_fault::pod_set_count: return "pod set count out of range";
    case group_fault::pod_set_minimum: return "pod set minimum negative or above its count";
    case group_fault::pod_set_request: return "pod set request refused by the resource model";
    case group_fault::too_many_pods: return "too many pods";
    case group_fault::min_count_negative: return "min_count is negative";
    case group_fault::min_count_above_total: return "min_count is above the declared pods";
    case group_fault::disruption_unstated: return "the disruption mode is not stated";
    case group_fault::basic_evicted_as_unit: return "a basic group cannot be evicted as one unit";
    case group_fault::priority_reserved: return "priority is above what users may ask";
    case group_fault::size_rule_empty: return "the size rule allows no size";
    case group_fault::size_rule_unreachable: return "no legal size between the minimum and the declared pods";
    case group_fault::world_size: return "world size out of range";
    case group_fault::unknown_level: return "the topology has no such level";
    case group_fault::limit_negative: return "a spread limit is negative";
    case group_fault::limit_below_minimum: return "a spread limit of 0 although pods are demanded";
    case group_fault::limits_cross: return "spread limits on levels that do not nest";
    case group_fault::device_models_untold: return "the resource model does not tell device models";
    case group_fault::policy_changed: return "the policy cannot change";
    case group_fault::immutable_changed: return "an immutable field changed";
  }
  return "?";
}

/// Writes every fault of `group` and returns the end of what was written. Nothing written means valid.
///
/// \complexity O(s x limits)   \exceptions none of its own; no allocation   \determinism fixed order
/// \see Kubernetes 1.37 PodGroup validation (section 1.2)
template <resource_model M, std::output_iterator<group_finding> Out>
Out validate(const pod_group<M>& group, const topology& levels, Out out);

/// The first fault, or `none`.
template <resource_model M>
[[nodiscard]] group_finding first_fault(const pod_group<M>& group, const topology& levels);

/// Faults of replacing `before` by `after` under one id: what may never change did. min_count, sizes, pod sets and
/// times may. For the host to ask before it tells the model: `apply` takes a group as it is said to be.
template <resource_model M, std::output_iterator<group_finding> Out>
Out validate_update(const pod_group<M>& before, const pod_group<M>& after, Out out);

// ---------------------------------------------------------------------------------------------------------------------

template <resource_model M, std::output_iterator<group_finding> Out>
Out validate(const pod_group<M>& group, const topology& levels, Out out) {
  const auto report = [&out](group_fault fault, std::size_t index = 0, amount number = 0) {
    *out++ = group_finding{fault, index, number};
  };
  if (group.id == no_group) report(group_fault::reserved_id);
  if (group.pod_sets.size() > max_pod_sets)
    report(group_fault::too_many_pod_sets, 0, static_cast<amount>(group.pod_sets.size()));
  for (std::size_t s = 0; s < group.pod_sets.size(); ++s) {
    const pod_set<M>& set = group.pod_sets[s];
    if (set.count < 0 || set.count > max_pods_per_group) report(group_fault::pod_set_count, s, set.count);
    if (set.minimum < 0 || set.minimum > set.count) report(group_fault::pod_set_minimum, s, set.minimum);
    if (const amount_fault fault = M::check_request(set.request); fault != amount_fault::none)
      report(group_fault::pod_set_request, s, static_cast<amount>(fault));
  }
  const pod_count total = declared_pods(group);
  if (total > max_pods_per_group) report(group_fault::too_many_pods, 0, total);
  if (group.min_count && *group.min_count < 0) report(group_fault::min_count_negative, 0, *group.min_count);
  if (group.min_count && *group.min_count > total) report(group_fault::min_count_above_total, 0, *group.min_count);
  if (group.disruption == disruption_mode::unstated) report(group_fault::disruption_unstated);
  if (group.policy == group_policy::basic && group.disruption == disruption_mode::all)
    report(group_fault::basic_evicted_as_unit);
  if (group.priority > max_user_priority) report(group_fault::priority_reserved, 0, group.priority);
  const bool rigid = group.sizes.kind == size_rule::shape::rigid;
  const pod_count largest_world = rigid ? total : max_pods_per_group;
  if (group.world_size < 0 || group.world_size > largest_world) report(group_fault::world_size, 0, group.world_size);
  if (group.sizes.kind == size_rule::shape::stepped &&
      (group.sizes.step < 1 || group.sizes.smallest < 0 || group.sizes.largest < group.sizes.smallest)) {
    report(group_fault::size_rule_empty, 0, group.sizes.step);
  } else if (group.sizes.kind != size_rule::shape::any) {
    const auto legal = legal_size_at_least(group.sizes, minimum_pods(group), full_size(group));
    if (!legal || *legal > total) report(group_fault::size_rule_unreachable, 0, minimum_pods(group));
  }
  if (group.required != no_level && !levels.has(group.required))
    report(group_fault::unknown_level, 0, static_cast<amount>(group.required));
  topology_level coarsest = node_level;
  for (std::size_t i = 0; i < group.limits.size(); ++i) {
    const spread_limit& limit = group.limits[i];
    if (!levels.has(limit.level)) {
      report(group_fault::unknown_level, i, static_cast<amount>(limit.level));
      continue;
    }
    if (limit.level < coarsest) coarsest = limit.level;
    if (limit.count < 0) report(group_fault::limit_negative, i, limit.count);
    if (limit.count == 0 && minimum_pods(group) > 0) report(group_fault::limit_below_minimum, i, limit.count);
  }
  for (std::size_t i = 0; i < group.limits.size(); ++i) {
    const topology_level level = group.limits[i].level;
    if (levels.has(level) && level > coarsest && !levels.nests_in_coarser(level)) report(group_fault::limits_cross, i);
  }
  // no pod could be bound by it: the gang would be spread over models without a word
  if (group.one_device_model && !model_with_makes<M>) report(group_fault::device_models_untold);
  return out;
}

namespace workload_detail {
/// An output iterator that keeps the first thing written to it.
struct keep_first {
  using difference_type = std::ptrdiff_t;
  group_finding* kept;
  keep_first& operator*() noexcept { return *this; }
  keep_first& operator++() noexcept { return *this; }
  keep_first operator++(int) noexcept { return *this; }
  keep_first& operator=(const group_finding& finding) noexcept {
    if (kept->fault == group_fault::none) *kept = finding;
    return *this;
  }
};
}  // namespace workload_detail

template <resource_model M>
group_finding first_fault(const pod_group<M>& group, const topology& levels) {
  group_finding first;
  validate(group, levels, workload_detail::keep_first{&first});
  return first;
}

template <resource_model M, std::output_iterator<group_finding> Out>
Out validate_update(const pod_group<M>& before, const pod_group<M>& after, Out out) {
  if (before.policy != after.policy) *out++ = group_finding{group_fault::policy_changed};
  bool same_limits = before.limits.size() == after.limits.size();
  for (std::size_t i = 0; same_limits && i < before.limits.size(); ++i)
    same_limits = before.limits[i].level == after.limits[i].level && before.limits[i].count == after.limits[i].count;
  if (before.priority != after.priority || before.preemption != after.preemption ||
      before.disruption != after.disruption || before.required != after.required || !same_limits ||
      before.one_device_model != after.one_device_model)
    *out++ = group_finding{group_fault::immutable_changed};
  return out;
}

}  // namespace muster::inline MUSTER_ABI

#endif
