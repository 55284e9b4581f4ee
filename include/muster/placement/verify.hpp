// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_VERIFY_HPP
#define MUSTER_PLACEMENT_VERIFY_HPP

/// \file
/// Checks a placement against the rules, sharing no code with the search that found it.
///
/// The grants are taken as they are said, seat by seat, and every rule is read again from the group: open and eligible
/// nodes, room, one domain, one device model, spread limits, minima, enough, a legal size. Members that run stay: they
/// count, and pin the domain and the device model.
/// \see place.hpp, whose rules these are; verify_certificate.hpp for refusals

#include <muster/cluster/cluster.hpp>
#include <muster/cluster/overlay.hpp>
#include <muster/cluster/uniformity.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/core/topology.hpp>
#include <muster/placement/answer.hpp>
#include <muster/placement/eligibility.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/member.hpp>
#include <muster/workload/pod_group.hpp>
#include <muster/workload/validate.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace muster::inline MUSTER_ABI {

enum class proof : std::uint8_t { holds, refuted, not_checkable };

enum class refutation : std::uint8_t {
  none,
  group_unknown,   ///< no such group
  group_fault,     ///< the group is not valid, or a waiting member asks something else than its pod set
  no_such_node,    ///< a seat names a node that is not there, not open, or has another position
  no_such_set,     ///< a seat names a pod set the group does not have, or no pods
  not_eligible,    ///< the filter keeps the pod set from the node
  no_room,         ///< a grant, or a slot for its pods, is not there, or not any more after the seats before it
  wrong_grant,     ///< a grant is not what its pods ask
  too_many_pods,   ///< more pods of a set than are pending
  domains_differ,  ///< not all, running members too, in one domain of the required level that is known
  models_differ,   ///< devices of several models, running members' too, though the group keeps to one
  limit_exceeded,  ///< more pods in a domain than a spread limit allows
  minimum_missed,  ///< a pod set stays below its minimum
  not_enough,      ///< the group stays below what is enough, or nothing is placed of pods that wait
  illegal_size,    ///< the size is not a legal one
};

struct verification {
  proof result = proof::holds;
  refutation why = refutation::none;
  std::size_t seat = 0;  ///< the seat that is wrong, where it is one
  [[nodiscard]] bool holds() const noexcept { return result == proof::holds; }
};

[[nodiscard]] constexpr std::string_view name(refutation why) noexcept {
  switch (why) {
    case refutation::none: return "none";
    case refutation::group_unknown: return "group unknown";
    case refutation::group_fault: return "faulty group";
    case refutation::no_such_node: return "no such open node";
    case refutation::no_such_set: return "no such pod set";
    case refutation::not_eligible: return "not eligible";
    case refutation::no_room: return "no room";
    case refutation::wrong_grant: return "wrong grant";
    case refutation::too_many_pods: return "more pods than pending";
    case refutation::domains_differ: return "several domains";
    case refutation::models_differ: return "several device models";
    case refutation::limit_exceeded: return "spread limit exceeded";
    case refutation::minimum_missed: return "pod set below its minimum";
    case refutation::not_enough: return "not enough pods";
    case refutation::illegal_size: return "illegal size";
  }
  return "?";
}

/// Whether the seats are a legal placement of a declared group of which nothing runs, on what is left in the view and
/// what is set aside there for the group. Seats and group may come from anywhere: what is wrong with them is an answer.
/// \return the first seat that is wrong, where it is one
/// \complexity O((seats + set-asides of the group) log of them + seats x limits), and what the filter takes
/// \exceptions none of its own, but of memory; what the filter throws passes through
/// \determinism a function of the arguments
template <capacity_view View, node_filter<typename View::model> Filter = everywhere, class M = typename View::model>
[[nodiscard]] verification verify(const View& view, const pod_group<M>& group,
                                  std::type_identity_t<std::span<const seat<M>>> seats, const Filter& filter = {});

/// The same of a group in the cluster: of its members that wait, beside those that run.
/// \param once_enough as in place_options: a group that once ran at its minimum is not held to it again
/// \return besides: `group_unknown`. Without seats running members may be anywhere: nothing is placed beside them
/// \complexity besides O(members)
template <capacity_view View, node_filter<typename View::model> Filter = everywhere, class M = typename View::model>
[[nodiscard]] verification verify(const View& view, group_id group,
                                  std::type_identity_t<std::span<const seat<M>>> seats, const Filter& filter = {},
                                  bool once_enough = false);

// ---------------------------------------------------------------------------------------------------------------------

namespace placement_detail {

/// What of a group is there already.
struct members_there {
  std::vector<pod_count> pending, have;           // set by set; scheduled or succeeded
  std::vector<std::uint32_t> held, with_devices;  // positions of those that run; of those among them with devices
  bool adrift = false;                            // one runs on a node that is not there
  bool bound = true;                              // to its minima
};

/// Every seat by itself and after those before it: the node, the filter, the number of pods, the grant. \param placed
/// pods of each set
template <class View, class Filter, class M>
[[nodiscard]] verification verify_seats(const View& view, const pod_group<M>& group, const members_there& there,
                                        std::span<const seat<M>> seats, const Filter& filter,
                                        std::vector<pod_count>& placed) {
  struct room {
    typename M::state_type left;
    pod_count slots;
  };
  std::map<std::uint32_t, room> nodes;
  std::multimap<std::uint32_t, typename M::grant_type> kept;
  view.visit_set_asides(group.id, [&](const set_aside<M>& aside, std::uint32_t p) { kept.emplace(p, aside.grant); });
  const auto& base = view.base();
  for (std::size_t i = 0; i < seats.size(); ++i) {
    const seat<M>& one = seats[i];
    const auto refuted = [i](refutation why) { return verification{proof::refuted, why, i}; };
    const auto position = base.find(one.node);
    if (!position || *position != one.position || !base.open(one.position)) return refuted(refutation::no_such_node);
    if (one.pod_set >= group.pod_sets.size() || one.count < 1) return refuted(refutation::no_such_set);
    if (is_outside(filter, one.position) || filter(group, one.pod_set, base.kind(one.position)) != eligible_node)
      return refuted(refutation::not_eligible);
    if (one.count > there.pending[one.pod_set] - placed[one.pod_set]) return refuted(refutation::too_many_pods);
    placed[one.pod_set] += one.count;
    const auto [at, is_new] =
        nodes.try_emplace(one.position, room{view.now(one.position), view.pods_left(one.position)});
    auto& [left, slots] = at->second;
    if (is_new) {
      const auto [first, last] = kept.equal_range(one.position);
      for (auto aside = first; aside != last; ++aside) M::release(left, aside->second), ++slots;
    }
    if (!M::covers(left, one.grant, group.pod_sets[one.pod_set].request, one.count))
      return refuted(refutation::wrong_grant);
    if (!M::may_charge(left, one.grant) || slots < one.count) return refuted(refutation::no_room);
    M::charge(left, one.grant);
    slots -= one.count;
  }
  return {};
}

/// All seats and running members together: one domain, one device model, spread limits. \pre the seats hold one by one
template <class M>
[[nodiscard]] verification verify_together(const snapshot<M>& base, const pod_group<M>& group,
                                           const members_there& there, std::span<const seat<M>> seats) {
  const auto domain_of = [&](std::uint32_t p, topology_level level) {
    return level == node_level ? p : base.domain_of(p, static_cast<std::size_t>(level));
  };
  std::optional<std::uint32_t> domain;
  std::optional<device_model> model;
  const auto shares_domain = [&](std::uint32_t p) {
    const std::uint32_t here = domain_of(p, group.required);
    if (!domain) domain = here;
    return here != no_domain && here == *domain;
  };
  const auto shares_model = [&](std::uint32_t p) {
    const std::optional<device_model> here = model_of<M>(base.capacity(p));
    if (!model) model = here;
    return here && here == model;
  };
  const auto refuted = [](refutation why, std::size_t i) { return verification{proof::refuted, why, i}; };
  if (seats.empty()) return {};
  if (group.required != no_level && there.adrift) return refuted(refutation::domains_differ, 0);
  for (const std::uint32_t p : there.held)
    if (group.required != no_level && !shares_domain(p)) return refuted(refutation::domains_differ, 0);
  for (const std::uint32_t p : there.with_devices)
    if (group.one_device_model && !shares_model(p)) return refuted(refutation::models_differ, 0);
  for (std::size_t i = 0; i < seats.size(); ++i)
    if (group.required != no_level && !shares_domain(seats[i].position)) return refuted(refutation::domains_differ, i);
  for (std::size_t i = 0; i < seats.size(); ++i)
    if (group.one_device_model && asks_devices<M>(group.pod_sets[seats[i].pod_set].request) &&
        !shares_model(seats[i].position))
      return refuted(refutation::models_differ, i);
  for (const spread_limit& limit : group.limits) {
    std::map<std::uint32_t, pod_count> pods;  // by domain
    for (const std::uint32_t p : there.held) ++pods[domain_of(p, limit.level)];
    for (std::size_t i = 0; i < seats.size(); ++i)
      if (const std::uint32_t here = domain_of(seats[i].position, limit.level); here != no_domain)
        if ((pods[here] += seats[i].count) > limit.count) return refuted(refutation::limit_exceeded, i);
  }
  return {};
}

template <class View, class Filter, class M>
[[nodiscard]] verification verify_beside(const View& view, const pod_group<M>& group, const members_there& there,
                                         std::span<const seat<M>> seats, const Filter& filter) {
  const auto refuted = [](refutation why) { return verification{proof::refuted, why, 0}; };
  std::vector<pod_count> placed(group.pod_sets.size(), 0);
  if (const auto said = verify_seats(view, group, there, seats, filter, placed); !said.holds()) return said;
  if (const auto said = verify_together<M>(view.base(), group, there, seats); !said.holds()) return said;
  pod_count size = 0;
  bool waits = false;
  for (std::size_t s = 0; s < placed.size(); ++s) {
    if (there.bound && placed[s] + there.have[s] < group.pod_sets[s].minimum)
      return refuted(refutation::minimum_missed);
    size += placed[s] + there.have[s];
    waits = waits || there.pending[s] > 0;
  }
  const bool asks_one = group.policy == group_policy::basic && !waits;  // a pod that is not there is not missed
  if (there.bound && !asks_one && size < minimum_pods(group)) return refuted(refutation::not_enough);
  if (!waits) return {};  // nothing can be placed: the size is as it is
  if (seats.empty()) return refuted(refutation::not_enough);
  if (legal_size_at_most(group.sizes, size, full_size(group)) != size) return refuted(refutation::illegal_size);
  return {};
}

}  // namespace placement_detail

template <capacity_view View, node_filter<typename View::model> Filter, class M>
verification verify(const View& view, const pod_group<M>& group,
                    std::type_identity_t<std::span<const seat<M>>> seats, const Filter& filter) {
  if (first_fault(group, view.base().levels()).fault != group_fault::none)
    return {proof::refuted, refutation::group_fault, 0};
  placement_detail::members_there nobody;
  for (const pod_set<M>& set : group.pod_sets) nobody.pending.push_back(set.count);
  nobody.have.assign(group.pod_sets.size(), 0);
  return placement_detail::verify_beside<View, Filter, M>(view, group, nobody, seats, filter);
}

template <capacity_view View, node_filter<typename View::model> Filter, class M>
verification verify(const View& view, group_id id, std::type_identity_t<std::span<const seat<M>>> seats,
                    const Filter& filter, bool once_enough) {
  const snapshot<M>& base = view.base();
  const group_record<M>* known = base.group(id);
  if (known == nullptr) return {proof::refuted, refutation::group_unknown, 0};
  const pod_group<M>& group = known->spec;
  bool fault = first_fault(group, base.levels()).fault != group_fault::none;
  placement_detail::members_there there;
  for (std::size_t s = 0; s < group.pod_sets.size(); ++s) {
    const member_counts in = s < known->by_set.size() ? known->by_set[s] : member_counts{};
    there.pending.push_back(in.unscheduled());
    there.have.push_back(in.scheduled() + in.succeeded());
  }
  base.visit_members(*known, [&](const pod_record<M>& pod) {
    fault = fault || asks_otherwise(pod, group);
    there.adrift = there.adrift || (is_scheduled(pod.phase) && !base.find(base.node_of(pod)));
    if (!pod.charged || pod.phase == phase::terminating) return;
    there.held.push_back(base.position_of(pod));
    if (asks_devices<M>(pod.request)) there.with_devices.push_back(base.position_of(pod));
  });
  if (fault) return {proof::refuted, refutation::group_fault, 0};
  there.bound = !(once_enough && known->once_satisfied());
  return placement_detail::verify_beside<View, Filter, M>(view, group, there, seats, filter);
}

}  // namespace muster::inline MUSTER_ABI

#endif
