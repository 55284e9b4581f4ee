// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_WORKLOAD_POD_GROUP_HPP
#define MUSTER_WORKLOAD_POD_GROUP_HPP

/// \file
/// A gang: sets of alike pods that run together or not at all.
///
/// *Enough* means: every pod set at its minimum, and the group at max(min_count, sum of the minima) and at a legal
/// size. Members that already run or succeeded count. Source of the terms: Kubernetes 1.37 PodGroup (gang,
/// min_count, disruption mode), Volcano (minimum per role), elastic training (world size, step).

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/core/storage.hpp>
#include <muster/core/time.hpp>
#include <muster/core/topology.hpp>
#include <muster/resource/model.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace muster::inline MUSTER_ABI {

/// Alike pods: one request, one set of rules.
template <resource_model M>
struct pod_set {
  typename M::request_type request{};
  pod_count count = 0;    ///< pods declared
  pod_count minimum = 0;  ///< the group needs at least this many of them
};

/// The most pod sets of a group: more are a fault (`validate`). Exact search takes up to 64 that are unlike; of more
/// `place` says `undecided` where neither the greedy pass nor a sum decides.
inline constexpr std::size_t max_pod_sets = 4096;

/// How a group is evicted. There is no default: whoever makes a group must choose.
enum class disruption_mode : std::uint8_t {
  unstated,  ///< not chosen yet; `validate` names it
  single,    ///< pod by pod
  all,       ///< as one unit
};

enum class preemption_policy : std::uint8_t { lower_priority, never };

/// `basic`: no gang; its pods come and go one by one, and one placed pod is a success.
enum class group_policy : std::uint8_t { gang, basic };

/// The sizes at which the group may run, running members included.
struct size_rule {
  enum class shape : std::uint8_t {
    any,      ///< every size from the minimum up
    rigid,    ///< the world size (or, if that is 0, all declared pods) and nothing else
    stepped,  ///< smallest, smallest + step, ... up to largest
  };
  shape kind = shape::any;
  pod_count smallest = 0;
  pod_count largest = 0;
  pod_count step = 1;
};

/// At most `count` pods of the group in each domain of a level. Nodes without the label are not limited.
struct spread_limit {
  topology_level level = node_level;
  pod_count count = 0;
};

template <resource_model M>
struct pod_group {
  group_id id{};
  short_list<pod_set<M>, 2> pod_sets{};
  std::optional<pod_count> min_count =
      std::nullopt;  ///< default: all declared pods; 0 is legal: gate open, never broken
  group_policy policy = group_policy::gang;
  size_rule sizes{};
  pod_count world_size = 0;                      ///< ranks the job is written for; 0 = as many as run
  std::int32_t priority = 0;
  preemption_policy preemption = preemption_policy::lower_priority;
  disruption_mode disruption = disruption_mode::unstated;
  topology_level required = no_level;            ///< all pods in one domain of this level
  short_list<spread_limit, 1> limits{};           ///< levels must nest: none merged below another
  bool one_device_model = false;  ///< all pods that ask for devices on nodes of one device model; others are not bound
  scheduler_id scheduler{};
  time_point created = beginning_of_time;        ///< when the group first queued
  time_point started = end_of_time;              ///< end_of_time = not yet
  time_point checkpoint = beginning_of_time;     ///< last saved work; beginning_of_time = none known
};

/// Pods the group declares. \complexity O(s)
template <resource_model M>
[[nodiscard]] constexpr pod_count declared_pods(const pod_group<M>& group) noexcept {
  pod_count sum = 0;
  for (const pod_set<M>& set : group.pod_sets) sum = saturating_add(sum, set.count);
  return sum;
}

/// max(min_count, sum of pod set minima): what must run together. `basic` asks for one pod.
template <resource_model M>
[[nodiscard]] constexpr pod_count minimum_pods(const pod_group<M>& group) noexcept {
  if (group.policy == group_policy::basic) return 1;
  pod_count minima = 0;
  for (const pod_set<M>& set : group.pod_sets) minima = saturating_add(minima, set.minimum);
  const pod_count asked = group.min_count.value_or(declared_pods(group));
  return asked > minima ? asked : minima;
}

/// Smallest legal size that is at least `size`; nullopt if there is none. \param total all pods of the group
[[nodiscard]] constexpr std::optional<pod_count> legal_size_at_least(const size_rule& rule, pod_count size,
                                                                     pod_count total) noexcept {
  if (rule.kind == size_rule::shape::any) return size;
  if (rule.kind == size_rule::shape::rigid) return size <= total ? std::optional{total} : std::nullopt;
  if (size <= rule.smallest) return rule.smallest;
  const pod_count steps = divide_up(size - rule.smallest, rule.step);
  if (steps > (rule.largest - rule.smallest) / rule.step) return std::nullopt;
  return rule.smallest + steps * rule.step;
}

/// Largest legal size that is at most `size`; nullopt if there is none.
[[nodiscard]] constexpr std::optional<pod_count> legal_size_at_most(const size_rule& rule, pod_count size,
                                                                    pod_count total) noexcept {
  if (rule.kind == size_rule::shape::any) return size;
  if (rule.kind == size_rule::shape::rigid) return size >= total ? std::optional{total} : std::nullopt;
  if (size < rule.smallest) return std::nullopt;
  const pod_count top = size < rule.largest ? size : rule.largest;
  return rule.smallest + (top - rule.smallest) / rule.step * rule.step;
}

/// The size a rigid group has: its world size, else all pods it declares.
template <resource_model M>
[[nodiscard]] constexpr pod_count full_size(const pod_group<M>& group) noexcept {
  return group.world_size > 0 ? group.world_size : declared_pods(group);
}

[[nodiscard]] constexpr std::string_view name(disruption_mode mode) noexcept {
  switch (mode) {
    case disruption_mode::unstated: return "unstated";
    case disruption_mode::single: return "single";
    case disruption_mode::all: return "all";
  }
  return "?";
}

}  // namespace muster::inline MUSTER_ABI

#endif
