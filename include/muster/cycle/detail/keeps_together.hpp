// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_CYCLE_DETAIL_KEEPS_TOGETHER_HPP
#define MUSTER_CYCLE_DETAIL_KEEPS_TOGETHER_HPP

/// \file
/// Whether planned seats still are where their group lets them be, beside its members that run.

#include <muster/cluster/cluster.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/answer.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/pod_group.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI {

namespace cycle_detail {

/// Whether seats and the members that run are where the group's required level, limits and device model let them be.
/// \pre the nodes of the seats are there, and their pod sets, too
template <resource_model M>
[[nodiscard]] bool keeps_together(const snapshot<M>& view, const group_record<M>& group,
                                  std::span<const seat<M>> seats) {
  const pod_group<M>& spec = group.spec;
  if (spec.required == no_level && spec.limits.empty() && !spec.one_device_model) return true;
  struct pods_on {
    std::uint32_t position;
    pod_count pods;
    bool with_devices;
  };
  std::vector<pods_on> all;
  for (const seat<M>& one : seats)
    all.push_back({*view.find(one.node), one.count, asks_devices<M>(spec.pod_sets[one.pod_set].request)});
  view.visit_members(group, [&](const pod_record<M>& pod) {
    if (pod.charged && pod.phase != phase::terminating)
      all.push_back({view.position_of(pod), 1, asks_devices<M>(pod.request)});
  });
  const auto domain_at = [&](std::uint32_t position, topology_level level) {
    return level == node_level ? position : view.domain_of(position, static_cast<std::size_t>(level));
  };
  std::optional<device_model> model;
  for (const pods_on& one : all) {
    if (spec.required != no_level) {
      const std::uint32_t here = domain_at(one.position, spec.required);
      if (here == no_domain || here != domain_at(all.front().position, spec.required)) return false;
    }
    if (!spec.one_device_model || !one.with_devices) continue;
    const std::optional<device_model> here = model_of<M>(view.capacity(one.position));
    if (!here || (model && *model != *here)) return false;
    model = here;
  }
  std::vector<std::pair<std::uint32_t, pod_count>> domains;
  for (const spread_limit& limit : spec.limits) {
    domains.clear();
    for (const pods_on& one : all)
      if (const std::uint32_t here = domain_at(one.position, limit.level); here != no_domain)
        domains.emplace_back(here, one.pods);
    std::sort(domains.begin(), domains.end());
    pod_count sum = 0;
    for (std::size_t i = 0; i < domains.size(); ++i) {
      sum = i > 0 && domains[i].first == domains[i - 1].first ? sum + domains[i].second : domains[i].second;
      if (sum > limit.count) return false;
    }
  }
  return true;
}

}  // namespace cycle_detail

}  // namespace muster::inline MUSTER_ABI

#endif
