// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PREEMPTION_VICTIM_PLAN_HPP
#define MUSTER_PREEMPTION_VICTIM_PLAN_HPP

/// \file
/// What preemption decides: these units leave, and then the whole gang sits here. Or why nobody is to leave.
///
/// A plan that does not make the gang fit does not exist: with any outcome but `evict` the list of victims is empty.
/// The seats are of the world once the victims, and whoever else is on the way out, have left; until then they are to
/// be set aside for the gang.

#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/core/topology.hpp>
#include <muster/placement/answer.hpp>
#include <muster/preemption/victim_unit.hpp>
#include <muster/resource/model.hpp>
#include <muster/scoring/eviction_cost.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI {

enum class preemption_outcome : std::uint8_t {
  undecided,   ///< the budget ran out before any set was found or refused
  not_needed,  ///< the gang fits as things stand
  wait,        ///< it fits once those on their way out have left
  evict,       ///< it fits once the victims have left
  none,        ///< proved: no set of units makes it fit
  hold,        ///< members are missing, as `place` says
  invalid,     ///< bad input: see `placement`, or `fault`
};

/// Why there is no plan.
enum class preemption_reason : std::uint8_t {
  none,
  policy_never,        ///< the group may not preempt
  no_units,            ///< nobody of a lower priority runs, or nobody who may be evicted
  still_too_full,      ///< it does not fit even with all of them gone
  victims_terminating, ///< what an earlier preemption evicted is still leaving
  placement_refused,   ///< hold or invalid: what `place` says of the group
  search_ended,        ///< undecided: the budget or `stop` ended the search
  bad_cost,            ///< invalid: the cost object breaks its contract, see `fault`
};

[[nodiscard]] constexpr std::string_view name(preemption_outcome outcome) noexcept {
  switch (outcome) {
    case preemption_outcome::undecided: return "undecided";
    case preemption_outcome::not_needed: return "not needed";
    case preemption_outcome::wait: return "wait";
    case preemption_outcome::evict: return "evict";
    case preemption_outcome::none: return "no set of victims";
    case preemption_outcome::hold: return "hold";
    case preemption_outcome::invalid: return "invalid";
  }
  return "?";
}

[[nodiscard]] constexpr std::string_view name(preemption_reason reason) noexcept {
  switch (reason) {
    case preemption_reason::none: return "none";
    case preemption_reason::policy_never: return "the group may not preempt";
    case preemption_reason::no_units: return "nobody of a lower priority may be evicted";
    case preemption_reason::still_too_full: return "does not fit even with all of them gone";
    case preemption_reason::victims_terminating: return "victims of an earlier preemption are still leaving";
    case preemption_reason::placement_refused: return "the group cannot be placed as it is";
    case preemption_reason::search_ended: return "search ended without a proof";
    case preemption_reason::bad_cost: return "the cost object breaks its contract";
  }
  return "?";
}

template <resource_model M, std::size_t N = 1>
struct victim_plan {
  preemption_outcome outcome = preemption_outcome::undecided;
  preemption_reason reason = preemption_reason::none;
  cost_fault fault = cost_fault::none;                        ///< with `bad_cost`
  refusal_reason placement = refusal_reason::none;            ///< with `placement_refused`: what is wrong
  group_id group{};
  victim_units<M> victims;     ///< in the order of their first pods' ids; empty unless `evict`
  std::vector<seat<M>> seats;  ///< where the gang sits then; also with `not_needed` and `wait`
  domain_path domain{};        ///< the domain it sits in, where a level is required
  cost_value<N> cost{};        ///< of the victims
  cost_value<N> bound{};       ///< no set that makes the gang fit costs less; with `none` it means nothing
  std::size_t fewest = 0;      ///< no set of this cost has fewer units; 0: not proved, as of costs at the top
  bool proved = false;         ///< of `evict`: no set that makes the gang fit costs less; else that the outcome is so
  std::int64_t violations = 0; ///< pods whose eviction breaks a disruption budget, where these were asked for
  bool saturated = false;      ///< a cost was held at the top of its range
  std::uint64_t steps = 0;     ///< spent in search

  /// As if new, with the memory it had.
  void clear() {
    victim_plan fresh;
    fresh.victims = std::move(victims);
    fresh.seats = std::move(seats);
    fresh.victims.clear();
    fresh.seats.clear();
    *this = std::move(fresh);
  }
  [[nodiscard]] bool evicts() const noexcept { return outcome == preemption_outcome::evict; }
};

}  // namespace muster::inline MUSTER_ABI

#endif
