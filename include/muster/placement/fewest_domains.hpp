// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_FEWEST_DOMAINS_HPP
#define MUSTER_PLACEMENT_FEWEST_DOMAINS_HPP

/// \file
/// A gang on the fewest domains of a level, or as near together as it can stand: the wish and what came of it.
///
/// A domain is *used* if a pod that is placed or a member that runs stands in it. A node without the label of the level
/// is a domain of its own, as in scoring/set_spread.hpp. Pods are as far apart as the narrowest domain is wide that
/// holds all of them, those that run too: a node, a domain of the finest level, and so on up to no domain at all.
/// \see place_on_fewest.hpp, which decides; division.hpp for the same wishes of alike pods over counts alone

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/core/topology.hpp>
#include <muster/core/verdict.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

namespace muster::inline MUSTER_ABI {

/// What goes before what. In both, last, the free domains chosen have the fewest slots in sum: least is left unused.
enum class fewest_rule : std::uint8_t {
  fewest_domains,  ///< as few domains as can be; of these those that a narrower domain holds
  nearest,         ///< within the narrowest domain that holds the gang; there as few domains as can be
};

[[nodiscard]] constexpr std::string_view name(fewest_rule rule) noexcept {
  switch (rule) {
    case fewest_rule::fewest_domains: return "fewest domains";
    case fewest_rule::nearest: return "nearest";
  }
  return "?";
}

struct fewest_wish {
  topology_level level = node_level;  ///< whose domains are to be few
  fewest_rule rule = fewest_rule::fewest_domains;
  std::uint32_t most_asks = 256;      ///< sets of domains the gang is asked for; besides the first and the last ask
  std::uint32_t most_sets = 1U << 20U;  ///< sets looked at, most of which need not be asked
};

/// What is wrong with the question. Nothing is placed then.
enum class fewest_fault : std::uint8_t {
  none,
  unknown_level,  ///< the topology has no such level
  node_gone,      ///< a member runs on a node that is not there: nobody can tell which domain it uses
};

[[nodiscard]] constexpr std::string_view name(fewest_fault fault) noexcept {
  switch (fault) {
    case fewest_fault::none: return "none";
    case fewest_fault::unknown_level: return "no such level";
    case fewest_fault::node_gone: return "a member runs on a node that is not there";
  }
  return "?";
}

struct fewest_answer {
  fewest_fault fault = fewest_fault::none;
  std::optional<pod_id> pod{};            ///< with node_gone: the member, the one with the least id
  muster::verdict verdict = verdict::invalid;  ///< of the gang on all nodes, as place() says it
  std::vector<domain_path> domains;       ///< used ones, in the order of their names, then nodes without the label
  std::uint32_t least = 0;                ///< proved: no placement that the rule compares uses fewer. Of `nearest`
                                          ///< those that stand in one domain of the level `shared`
  topology_level shared = no_level;       ///< the narrowest level one domain of which holds all; no_level: none does
  bool best = false;                      ///< proved: nothing is better by the whole rule, slots and all
  std::uint32_t asks = 0;                 ///< sets of domains asked for
  std::uint64_t steps = 0;                ///< search steps of all asks but the last

  [[nodiscard]] bool fits() const noexcept { return verdict == verdict::fits; }
  /// Whether no placement that the rule compares uses fewer domains.
  [[nodiscard]] bool proved() const noexcept { return fits() && domains.size() == least; }
};

}  // namespace muster::inline MUSTER_ABI

#endif
