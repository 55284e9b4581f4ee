// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_RUNG_HPP
#define MUSTER_PLACEMENT_RUNG_HPP

/// \file
/// What would do: the rungs of the ladder that `explain` climbs for a refused gang.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/topology.hpp>
#include <muster/core/verdict.hpp>
#include <muster/placement/answer.hpp>
#include <muster/placement/certificate.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace muster::inline MUSTER_ABI {

enum class rung_kind : std::uint8_t {
  wait_for_leaving,  ///< the pods that are terminating have left; `proved` of them
  lower_min_count,   ///< the group's min_count is this, running members included; minima and legal sizes stay
  more_nodes,        ///< so many more nodes of one shape, empty, open and eligible for all pod sets; see explain.hpp
  wider_level,       ///< the required level is this coarser one, or none
  several_models,    ///< devices of several models will do
  drop_reason,       ///< the filter no longer gives this reason code
  largest_gang,      ///< the most pods of the group that sit at once, minima and sizes forgotten
};

/// How sure a rung is.
enum class rung_answer : std::uint8_t {
  helps,    ///< proved: with it the gang fits
  no_help,  ///< proved: with it, however much of it, the gang does not fit
  bounded,  ///< the search ended: the answer lies between `bound` and `proved`
};

struct rung {
  rung_kind kind = rung_kind::lower_min_count;
  rung_answer answer = rung_answer::no_help;
  pod_count proved = 0;             ///< so many nodes or pods would do; 0 if none are known to
  pod_count bound = 0;              ///< proved: fewer nodes, or more pods, do not; equal to `proved` if exact
  std::uint32_t shape = 0;          ///< more_nodes: which of the shapes asked about
  domain_path domain{};             ///< more_nodes: where they help most
  topology_level level = no_level;  ///< wider_level
  reason_code reason{};             ///< drop_reason
};

struct explanation {
  muster::verdict verdict = verdict::undecided;  ///< of the gang as it is
  std::vector<rung> rungs;                       ///< in the order of rung_kind; none if it fits, is held or invalid
};

[[nodiscard]] constexpr std::string_view name(rung_kind kind) noexcept {
  switch (kind) {
    case rung_kind::wait_for_leaving: return "wait for what is leaving";
    case rung_kind::lower_min_count: return "lower min_count";
    case rung_kind::more_nodes: return "more nodes";
    case rung_kind::wider_level: return "a wider level";
    case rung_kind::several_models: return "several device models";
    case rung_kind::drop_reason: return "a reason code less";
    case rung_kind::largest_gang: return "the largest gang";
  }
  return "?";
}

[[nodiscard]] constexpr std::string_view name(rung_answer answer) noexcept {
  switch (answer) {
    case rung_answer::helps: return "helps";
    case rung_answer::no_help: return "does not help";
    case rung_answer::bounded: return "bounded";
  }
  return "?";
}

}  // namespace muster::inline MUSTER_ABI

#endif
