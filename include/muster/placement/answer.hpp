// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_ANSWER_HPP
#define MUSTER_PLACEMENT_ANSWER_HPP

/// \file
/// What `place` answers: a placement, or a refusal with its reason and numbers.

#include <muster/cluster/cluster.hpp>
#include <muster/cluster/uniformity.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/core/storage.hpp>
#include <muster/core/verdict.hpp>
#include <muster/core/topology.hpp>
#include <muster/placement/certificate.hpp>
#include <muster/quorum/gate.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/validate.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace muster::inline MUSTER_ABI {

/// The host's reason why a pod set may not use a kind of node; 0 is "it may".
enum class reason_code : std::uint32_t {};
inline constexpr reason_code eligible_node{0};

/// Why a gang is not placed.
enum class refusal_reason : std::uint8_t {
  none,
  group_unknown,        ///< hold: no such group
  members_missing,      ///< hold: fewer pods than the group needs
  set_members_missing,  ///< hold: fewer pods of one pod set than its minimum
  pod_gated,            ///< hold: a member has a scheduling gate (a turn's gate says so, not `place`)
  not_admitted,         ///< hold: the turn's admission says no, with the host's code
  behind_blocked,       ///< undecided: not asked, since a group before it blocks the order of the turn
  no_legal_size,        ///< hold: no legal size within the pods there are
  group_fault,          ///< invalid: see `fault`
  members_differ,       ///< invalid: a member disagrees with its group or pod set: see `odd`
  domains_differ,       ///< invalid: running members are in several domains of the required level, in none, or on a
                        ///< node that is not there
  models_differ,        ///< invalid: running members of a gang of one device model are on several, or on none
  too_few_slots,        ///< the nodes hold fewer pods than needed at once
  set_too_few_slots,    ///< one pod set alone finds fewer slots than it needs
  too_little_capacity,  ///< the summed capacity is below the demand
  no_combination,       ///< the nodes hold enough of each pod set alone, but not together
  search_ended,         ///< undecided: budget or `stop` ended the search; it can be resumed
  search_too_large,     ///< undecided: more patterns, states or ways to use a node's devices than are tried or kept;
                        ///< a greater budget does not help
};

[[nodiscard]] constexpr std::string_view name(refusal_reason reason) noexcept {
  switch (reason) {
    case refusal_reason::none: return "none";
    case refusal_reason::group_unknown: return name(gate_reason::group_unknown);
    case refusal_reason::members_missing: return name(gate_reason::members_missing);
    case refusal_reason::set_members_missing: return name(gate_reason::set_missing);
    case refusal_reason::pod_gated: return name(gate_reason::pod_gated);
    case refusal_reason::not_admitted: return "not admitted";
    case refusal_reason::behind_blocked: return "behind a group that blocks the order";
    case refusal_reason::no_legal_size: return "no legal size within the pods there are";
    case refusal_reason::group_fault: return "faulty group";
    case refusal_reason::members_differ: return "a pod disagrees with its group";
    case refusal_reason::domains_differ: return "running members do not share a domain of the required level";
    case refusal_reason::models_differ: return "running members do not share a device model";
    case refusal_reason::too_few_slots: return "too few slots";
    case refusal_reason::set_too_few_slots: return "too few slots for a pod set";
    case refusal_reason::too_little_capacity: return "too little capacity in sum";
    case refusal_reason::no_combination: return "no combination of nodes holds the mix";
    case refusal_reason::search_ended: return "search ended without a proof";
    case refusal_reason::search_too_large: return "search too large";
  }
  return "?";
}

/// Whether it is no refusal: a placement may exist.
[[nodiscard]] constexpr bool leaves_open(refusal_reason reason) noexcept {
  return reason == refusal_reason::search_ended || reason == refusal_reason::search_too_large;
}

/// `count` pods of one pod set on one node, and what they were given together.
template <resource_model M>
struct seat {
  node_id node{};
  typename M::grant_type grant{};
  pod_count count = 0;
  std::uint32_t position = 0;  ///< of the node in the snapshot that was asked
  std::uint32_t pod_set = 0;
};

/// Whether a refused gang would fit in another tense.
enum class empty_fit : std::uint8_t { unknown, yes, no };

/// The numbers of a refusal. All counts are pods still to be placed; `pod_set` is the one that is shortest of slots.
template <resource_model M>
struct shortage {
  pod_count needed = 0;          ///< pods that must sit for the group to have enough
  pod_count seated = 0;          ///< the most that were found to sit at once
  pod_count bound = 0;           ///< of a gang that was asked: no more than this many of those asked for can sit
  std::uint32_t pod_set = 0;
  std::uint32_t open_nodes = 0;  ///< open nodes looked at (of the best domain, where one is required)
  std::uint32_t shut_nodes = 0;  ///< nodes closed or lost, in the whole cluster
  std::array<std::uint32_t, dimensions_of<M> == 0 ? 1 : dimensions_of<M>>
      short_nodes{};             ///< eligible open nodes with too little of a dimension for one pod
  std::uint32_t full_nodes = 0;  ///< eligible open nodes that cannot take one pod
  struct excluded_nodes {
    reason_code reason{};
    std::uint32_t nodes = 0;
  };
  short_list<excluded_nodes, 4> excluded{};  ///< open nodes the host's filter keeps out, by reason
  std::uint32_t domains = 0;     ///< domains of the required level that were tried, each once for every device model
                                 ///< if the gang keeps to one; 0 where neither is required
  domain_path best_domain{};     ///< where most pods sat
  std::optional<device_model> best_model{};  ///< and on which device model, if the gang keeps to one
  empty_fit once_left = empty_fit::unknown;     ///< once what is terminating has left; no, if nothing is
  empty_fit without_pods = empty_fit::unknown;  ///< on the same open nodes without their pods and without what is set
                                                ///< aside there

  [[nodiscard]] pod_count missing() const noexcept { return needed > seated ? needed - seated : 0; }
};

/// The answer to "can this gang sit?". Inside a workspace it is valid until the workspace is used again; copy it to
/// keep it.
template <resource_model M>
struct placement_answer {
  muster::verdict verdict = verdict::undecided;
  refusal_reason reason = refusal_reason::none;
  group_finding fault{};            ///< with `invalid`: what is wrong with the group
  std::optional<odd_pod> odd{};     ///< with `members_differ`: the waiting pod that asks something else than its set
  group_id group{};
  pod_count placed = 0;             ///< pods in `seats`
  pod_count pending = 0;            ///< pods of the group that are known, unplaced, and not in `seats`
  std::vector<seat<M>> seats;       ///< with `fits` the placement, with `undecided` the best found; else empty
  domain_path domain{};             ///< with `fits`, where a level is required: the chosen domain
  std::optional<device_model> model{};  ///< with `fits`, if the gang keeps to one device model: the chosen one
  shortage<M> lack{};               ///< why not, unless it fits
  certificate proof;                ///< with a proved no: for every tense that was refused
  std::uint64_t steps = 0;          ///< search steps spent
  bool stopped = false;             ///< the caller's `stop` ended the search

  [[nodiscard]] bool fits() const noexcept { return verdict == verdict::fits; }
};

}  // namespace muster::inline MUSTER_ABI

#endif
