// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_DEMAND_HPP
#define MUSTER_PLACEMENT_DETAIL_DEMAND_HPP

/// \file
/// What a group asks of one placement: pods still to seat, how many are enough, and where its running members stand.

#include <muster/cluster/cluster.hpp>
#include <muster/cluster/uniformity.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/answer.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/member.hpp>
#include <muster/workload/pod_group.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

/// One pod set's part.
struct set_demand {
  pod_count pending = 0;   ///< known and unplaced
  pod_count have = 0;      ///< scheduled or succeeded
  pod_count required = 0;  ///< of the pending ones, needed for the set's minimum
};

/// Pods of the group that hold a place.
struct held_pods {
  std::uint32_t position = 0;
  pod_count count = 0;
  std::uint32_t pod_set = 0;
};

template <resource_model M>
struct demand {
  const pod_group<M>* group = nullptr;
  std::vector<set_demand> sets;
  std::vector<held_pods> held;
  pod_count have = 0;     ///< scheduled or succeeded, all sets
  pod_count pending = 0;
  pod_count needed = 0;   ///< new pods for enough, at a legal size; at least 1 if anything is pending
  pod_count most = 0;     ///< new pods at the largest legal size
  pod_count full = 0;     ///< the size a rigid group has
  bool satisfied = false; ///< once ran at its minimum
  bool bound = true;      ///< held to its minima
  bool adrift = false;            ///< a member runs on a node that is not there, in nobody knows which domain
  bool held_differ = false;       ///< a running member holds something else than its set asks
  std::optional<device_model> model;  ///< that running members with devices pin, if the group keeps to one
  bool models_differ = false;     ///< it does, but they are on several, or on none
  std::optional<odd_pod> odd;     ///< the waiting member with the smallest id that asks something else than its set

  /// The whole declared group, nothing placed yet.
  void from_spec(const pod_group<M>& spec) {
    start(spec);
    for (const pod_set<M>& set : spec.pod_sets) sets.push_back({set.count, 0, 0});
  }

  /// A group in the cluster: its unscheduled members, beside those that run.
  void from_members(const snapshot<M>& view, const group_record<M>& record) {
    start(record.spec);
    satisfied = record.once_satisfied();
    for (std::size_t s = 0; s < record.spec.pod_sets.size(); ++s) {
      const member_counts in = s < record.by_set.size() ? record.by_set[s] : member_counts{};
      sets.push_back({in.unscheduled(), in.scheduled() + in.succeeded(), 0});
    }
    view.visit_members(record, [&](const pod_record<M>& pod) {
      if (asks_otherwise(pod, record.spec) && (!odd || pod.id < odd->pod)) odd = odd_request(pod, record.spec);
      adrift = adrift || (is_scheduled(pod.phase) && !view.find(view.node_of(pod)));
      if (!pod.charged || pod.phase == phase::terminating) return;
      held.push_back({view.position_of(pod), 1, pod.pod_set});
      held_differ = held_differ || (sets.size() > pod.pod_set &&
                                    !(pod.request == record.spec.pod_sets[pod.pod_set].request));
      if (record.spec.one_device_model && asks_devices<M>(pod.request))
        pin(model_of<M>(view.capacity(held.back().position)));
    });
    std::sort(held.begin(), held.end(), [](const held_pods& a, const held_pods& b) { return a.position < b.position; });
  }

  /// Works out how many are enough. `none` if that can be asked, else why the group is held.
  [[nodiscard]] refusal_reason conclude(bool extras, bool once_enough, shortage<M>& lack) {
    bound = !(once_enough && satisfied);
    pod_count required = 0;
    for (std::size_t s = 0; s < sets.size(); ++s) {
      set_demand& set = sets[s];
      set.required = required_of(s);
      required += set.required;
      have += set.have;
      pending += set.pending;
    }
    for (std::size_t s = 0; s < sets.size(); ++s) {
      if (sets[s].required <= sets[s].pending) continue;
      lack.pod_set = static_cast<std::uint32_t>(s);
      lack.needed = sets[s].required;
      lack.seated = sets[s].pending;
      return refusal_reason::set_members_missing;
    }
    full = full_size(*group);
    pod_count least = std::max(bound ? minimum_pods(*group) : 0, have + required);
    if (pending > 0 && least <= have) least = have + 1;
    if (group->policy == group_policy::basic && pending == 0) least = have;
    lack.needed = std::max<pod_count>(0, least - have);
    lack.seated = pending;
    if (least > have + pending) return refusal_reason::members_missing;
    const std::optional<pod_count> smallest = legal_size_at_least(group->sizes, least, full);
    if (!smallest || *smallest > have + pending)
      return pending == 0 ? refusal_reason::none : refusal_reason::no_legal_size;
    needed = lack.needed = std::max<pod_count>(0, *smallest - have);
    most = extras ? legal_size_at_most(group->sizes, have + pending, full).value_or(*smallest) - have : needed;
    most = std::max(most, needed);
    return refusal_reason::none;
  }

  /// Whether the group keeps to one device model, and asks for devices at all.
  [[nodiscard]] bool keeps_to_one_model() const noexcept {
    return group->one_device_model && std::any_of(group->pod_sets.begin(), group->pod_sets.end(), [](const auto& set) {
             return asks_devices<M>(set.request);
           });
  }

  /// Pods of a set still needed for its minimum.
  [[nodiscard]] pod_count required_of(std::size_t s) const noexcept {
    return bound ? std::max<pod_count>(0, group->pod_sets[s].minimum - sets[s].have) : 0;
  }

  /// Pods of all sets still needed for their minima.
  [[nodiscard]] pod_count required_pods() const noexcept {
    pod_count sum = 0;
    for (const set_demand& set : sets) sum += set.required;
    return sum;
  }

  /// The largest number of new pods at a legal size, given that `seated` can sit.
  [[nodiscard]] pod_count legal_part(pod_count seated) const noexcept {
    const pod_count size = legal_size_at_most(group->sizes, have + std::min(seated, most), full).value_or(have);
    return std::max<pod_count>(0, size - have);
  }

 private:
  void pin(std::optional<device_model> here) noexcept {
    models_differ = models_differ || !here || (model && *model != *here);
    model = here;
  }
  void start(const pod_group<M>& spec) {
    group = &spec;
    sets.clear();
    held.clear();
    have = pending = needed = most = full = 0;
    satisfied = adrift = held_differ = models_differ = false;
    bound = true;
    model.reset();
    odd.reset();
  }
};

/// Pods that count towards what is needed: of a set's minimum only its own, beyond the minima any.
template <resource_model M>
[[nodiscard]] pod_count count_useful(const std::vector<seat<M>>& seats, const demand<M>& of,
                                     std::vector<pod_count>& placed) {
  placed.assign(of.sets.size(), 0);
  for (const seat<M>& one : seats) placed[one.pod_set] += one.count;
  pod_count minima = 0, beyond = 0;
  for (std::size_t s = 0; s < placed.size(); ++s) {
    minima += std::min(placed[s], of.sets[s].required);
    beyond += std::max<pod_count>(0, placed[s] - of.sets[s].required);
  }
  const pod_count required = of.required_pods();
  return minima == required ? minima + beyond : minima + std::min(beyond, std::max<pod_count>(0, of.needed - required));
}

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
