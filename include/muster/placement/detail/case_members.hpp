// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_CASE_MEMBERS_HPP
#define MUSTER_PLACEMENT_DETAIL_CASE_MEMBERS_HPP

/// \file
/// The members of a group as a case file groups them: runs of alike pods, and pods that stand apart.

#include <muster/cluster/cluster.hpp>
#include <muster/cluster/uniformity.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/placement/case_columns.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/member.hpp>
#include <muster/workload/pod_group.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI::case_parts {

/// Pods of one class on one node, by id; those that leave stand first.
template <resource_model M>
struct held_run {
  std::vector<const pod_record<M>*> leaving{}, staying{};
  std::uint32_t position = 0;

  void add(const pod_record<M>& pod) { (pod.phase == phase::terminating ? leaving : staying).push_back(&pod); }
};

/// Whether a pod asks what its class asks, and holds what it asks.
template <resource_model M>
[[nodiscard]] bool is_of_its_class(const pod_record<M>& pod, const pod_group<M>& group,
                                   const typename M::capacity_type& capacity) {
  return group.pod_sets.size() > pod.pod_set && group.pod_sets[pod.pod_set].request == pod.request &&
         case_columns<M>::is_usual(capacity, pod.request, pod.grant);
}

/// Members of one pod set that do not stand apart.
struct set_members {
  pod_count running = 0;    ///< those that leave too
  pod_count succeeded = 0;  ///< or scheduled to a node that is not there: counted, and nothing held
  pod_count waiting = 0;

  [[nodiscard]] pod_count known() const noexcept { return running + succeeded + waiting; }
};

/// All that bears on placing the rest of a group. A member stands apart, as a class of its own, if it holds a place or
/// waits and is not as its pod set asks. Those that failed, or wait for a set the group does not have, bear on nothing.
template <resource_model M>
struct group_members {
  std::vector<set_members> sets;
  std::vector<const pod_record<M>*> apart;                            ///< by id
  std::map<std::pair<std::size_t, std::uint64_t>, held_run<M>> runs;  ///< (class, node); classes apart come last

  group_members(const snapshot<M>& view, const group_record<M>& group) : sets(group.spec.pod_sets.size()) {
    std::vector<const pod_record<M>*> pods;
    view.visit_members(group, [&](const pod_record<M>& pod) { pods.push_back(&pod); });
    std::sort(pods.begin(), pods.end(), [](const auto* a, const auto* b) { return a->id < b->id; });
    for (const pod_record<M>* pod : pods) add(view, group.spec, *pod);
  }

 private:
  void add(const snapshot<M>& view, const pod_group<M>& spec, const pod_record<M>& pod) {
    if (pod.charged) {
      const std::uint32_t position = view.position_of(pod);
      std::size_t in_class = pod.pod_set;
      if (is_of_its_class(pod, spec, view.capacity(position))) {
        ++sets[in_class].running;
      } else {
        in_class = sets.size() + apart.size();
        apart.push_back(&pod);
      }
      held_run<M>& run = runs[{in_class, number(view.id(position))}];
      run.position = position;
      run.add(pod);
    } else if (asks_otherwise(pod, spec)) {
      apart.push_back(&pod);
    } else if (sets.size() > pod.pod_set) {
      set_members& of = sets[pod.pod_set];
      switch (pod.phase) {
        case phase::seen: ++of.waiting; break;
        case phase::assumed:
        case phase::bound:
        case phase::ready:
        case phase::succeeded: ++of.succeeded; break;
        case phase::terminating:
        case phase::failed:
        case phase::lost: break;
      }
    }
  }
};

}  // namespace muster::inline MUSTER_ABI::case_parts

#endif
