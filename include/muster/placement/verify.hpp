// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_VERIFY_HPP
#define MUSTER_PLACEMENT_VERIFY_HPP

/// \file
/// Checks a placement against the rules, sharing no code with the search that found it.
///
/// The grants are taken as they are said, seat by seat, and every rule is read again from the group: open and eligible
/// nodes, room, one domain, one device model, spread limits, minima, enough, a legal size. O(seats^2) in places: this
/// is for tests, audits and doubt.

#include <muster/cluster/overlay.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/answer.hpp>
#include <muster/placement/eligibility.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/pod_group.hpp>
#include <muster/workload/validate.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace muster::inline MUSTER_ABI {

enum class proof : std::uint8_t { holds, refuted, not_checkable };

enum class refutation : std::uint8_t {
  none,
  group_fault,     ///< the group is not valid
  no_such_node,    ///< a seat names a node that is not there, not open, or has another position
  no_such_set,     ///< a seat names a pod set the group does not have, or no pods
  not_eligible,    ///< the filter keeps the pod set from the node
  no_room,         ///< a grant, or a slot for its pods, is not there, or not any more after the seats before it
  wrong_grant,     ///< a grant is not what its pods ask
  too_many_pods,   ///< more pods of a set than are pending
  domains_differ,  ///< not all in one domain of the required level
  models_differ,   ///< devices of several models, though the group keeps to one
  limit_exceeded,  ///< more pods in a domain than a spread limit allows
  minimum_missed,  ///< a pod set stays below its minimum
  not_enough,      ///< the group stays below what is enough
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
/// \complexity O(seats^2 + nodes taken x set-asides) \exceptions none of its own
template <capacity_view View, node_filter<typename View::model> Filter = everywhere, class M = typename View::model>
[[nodiscard]] verification verify(const View& view, const pod_group<M>& group,
                                  std::type_identity_t<std::span<const seat<M>>> seats, const Filter& filter = {}) {
  const auto refuted = [](refutation why, std::size_t i = 0) { return verification{proof::refuted, why, i}; };
  const auto& base = view.base();
  if (first_fault(group, base.levels()).fault != group_fault::none) return refuted(refutation::group_fault);
  std::vector<pod_count> placed(group.pod_sets.size(), 0);
  pod_count size = 0;
  std::vector<bool> done(seats.size(), false);
  for (std::size_t i = 0; i < seats.size(); ++i) {
    const seat<M>& one = seats[i];
    const auto position = base.find(one.node);
    if (!position || *position != one.position || !base.open(one.position)) return refuted(refutation::no_such_node, i);
    if (one.pod_set >= group.pod_sets.size() || one.count < 1) return refuted(refutation::no_such_set, i);
    if (filter(group, one.pod_set, base.kind(one.position)) != eligible_node)
      return refuted(refutation::not_eligible, i);
    if (one.count > group.pod_sets[one.pod_set].count - placed[one.pod_set])
      return refuted(refutation::too_many_pods, i);
    placed[one.pod_set] += one.count;
    size += one.count;
    if (done[i]) continue;
    typename M::state_type left = view.now(one.position);
    pod_count slots = view.pods_left(one.position);
    view.visit_set_asides(group.id, [&](const set_aside<M>& kept, std::uint32_t there) {
      if (there != one.position) return;
      M::release(left, kept.grant);
      ++slots;
    });
    for (std::size_t k = i; k < seats.size(); ++k) {
      if (seats[k].position != one.position) continue;
      done[k] = true;
      if (seats[k].pod_set >= group.pod_sets.size() || seats[k].count < 1) return refuted(refutation::no_such_set, k);
      const auto& request = group.pod_sets[seats[k].pod_set].request;
      if (!M::covers(left, seats[k].grant, request, seats[k].count)) return refuted(refutation::wrong_grant, k);
      if (!M::may_charge(left, seats[k].grant) || slots < seats[k].count) return refuted(refutation::no_room, k);
      M::charge(left, seats[k].grant);
      slots -= seats[k].count;
    }
  }
  const auto domain_at = [&](std::size_t i, topology_level level) {
    return level == node_level ? seats[i].position : base.domain_of(seats[i].position, static_cast<std::size_t>(level));
  };
  for (std::size_t i = 0; i < seats.size() && group.required != no_level; ++i) {
    const std::uint32_t here = domain_at(i, group.required);
    if (here == no_domain || here != domain_at(0, group.required)) return refuted(refutation::domains_differ, i);
  }
  std::optional<device_model> first_model;
  for (std::size_t i = 0; i < seats.size() && group.one_device_model; ++i) {
    if (!asks_devices<M>(group.pod_sets[seats[i].pod_set].request)) continue;
    const std::optional<device_model> here = model_of<M>(base.capacity(seats[i].position));
    if (!here || (first_model && *first_model != *here)) return refuted(refutation::models_differ, i);
    first_model = here;
  }
  for (const spread_limit& limit : group.limits) {
    for (std::size_t i = 0; i < seats.size(); ++i) {
      const std::uint32_t here = domain_at(i, limit.level);
      pod_count sum = 0;
      for (std::size_t k = 0; k < seats.size() && here != no_domain; ++k)
        if (domain_at(k, limit.level) == here) sum += seats[k].count;
      if (sum > limit.count) return refuted(refutation::limit_exceeded, i);
    }
  }
  for (std::size_t s = 0; s < group.pod_sets.size(); ++s)
    if (placed[s] < group.pod_sets[s].minimum) return refuted(refutation::minimum_missed);
  if (size < minimum_pods(group)) return refuted(refutation::not_enough);
  if (legal_size_at_most(group.sizes, size, full_size(group)) != size) return refuted(refutation::illegal_size);
  return {};
}

}  // namespace muster::inline MUSTER_ABI

#endif
