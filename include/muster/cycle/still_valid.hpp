// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_CYCLE_STILL_VALID_HPP
#define MUSTER_CYCLE_STILL_VALID_HPP

/// \file
/// May an action be carried out although the cluster has moved on?

#include <muster/cluster/change.hpp>
#include <muster/cluster/cluster.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/cycle/plan.hpp>
#include <muster/resource/model.hpp>

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

/// Looks only at the pods and nodes of the action. Every pod still waits; the nodes are present and open, and each either
/// untouched since or still with exactly what the action takes, device by device, and a slot for each pod; what is set
/// aside there for the group is there for it. They are in one domain of the required level, where also the members are
/// that run, within the spread limits, and of one device model if the group keeps to one. An action that rests on no
/// node is always valid.
///
/// Not looked at: the host's filter, and whether enough of the group runs, if members beside these pods have ended.
///
/// \return false also if the group is gone, or its pod sets do not ask any more what the action gives them
/// \complexity O(pods + seats) while nothing was touched, else O(touched nodes x (seats + set-asides)) at worst; with a
///             required level, limits or one device model besides O(members + limits x seats log seats)
/// \exceptions none of its own
template <resource_model M>
[[nodiscard]] bool still_valid(const action<M>& what, const plan<M>& of, const snapshot<M>& view) {
  const auto seats = of.seats_of(what);
  const group_record<M>* group = view.group(what.group);
  if (group == nullptr && !seats.empty()) return false;
  for (const pod_id id : of.pods_of(what)) {
    const pod_record<M>* pod = view.pod(id);
    if (pod == nullptr || pod->phase != phase::seen) return false;
  }
  struct touched_node {
    node_id id;
    typename M::state_type left;
    pod_count slots;
  };
  std::vector<touched_node> touched;
  for (const seat<M>& one : seats) {
    const std::optional<std::uint32_t> position = view.find(one.node);
    if (!position || !view.open(*position)) return false;
    if (one.pod_set >= group->spec.pod_sets.size()) return false;
    const auto& request = group->spec.pod_sets[one.pod_set].request;
    if (!M::covers(view.now(*position), one.grant, request, one.count)) return false;
    if (view.node(*position).touched <= what.tick) continue;
    auto where = std::find_if(touched.begin(), touched.end(), [&](const auto& entry) { return entry.id == one.node; });
    if (where == touched.end()) {
      where = touched.insert(touched.end(), {one.node, view.now(*position), view.pods_left(*position)});
      view.visit_set_asides(what.group, [&](const set_aside<M>& kept, std::uint32_t there) {
        if (there != *position) return;
        M::release(where->left, kept.grant);
        ++where->slots;
      });
    }
    where->slots -= one.count;
    if (!M::may_charge(where->left, one.grant) || where->slots < 0) return false;
    M::charge(where->left, one.grant);
  }
  return seats.empty() || cycle_detail::keeps_together(view, *group, seats);
}

}  // namespace muster::inline MUSTER_ABI

#endif
