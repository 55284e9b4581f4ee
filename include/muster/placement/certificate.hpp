// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_CERTIFICATE_HPP
#define MUSTER_PLACEMENT_CERTIFICATE_HPP

/// \file
/// Why a gang does not fit, domain by domain, in numbers that anybody can check.
///
/// A refusal holds for one *tense*, that is for one idea of what the nodes have. Where a level is required it lists a
/// refusal for every domain that was allowed (none, if there is no such domain); else it has one, for all nodes. Where
/// the gang keeps to one device model, each of these stands once for every model of the domain's nodes, and names it.
/// Each says that at most `held` is there and at least `asked` is needed, and `held < asked`. What is counted depends
/// on the kind:
///
/// | kind                 | held                                       | asked                       | subject   |
/// | -------------------- | ------------------------------------------ | --------------------------- | --------- |
/// | `slots`              | pods of a set, each node for itself        | the set's minimum           | pod set   |
/// | `slots`              | the same summed over all sets              | pods needed                 | all_sets  |
/// | `capacity_of_minima` | what is left of a dimension                | what the minima take of it  | dimension |
/// | `capacity`           | pods that use a dimension up, least first  | pods needed                 | dimension |
/// | `limits`             | pods that the spread limits leave room for | pods needed                 |           |
/// | `prices`             | the worth of the dearest mix on each node  | the least that enough costs |           |
/// | `exhausted`          | every choice was tried                     |                             |           |
///
/// Prices are whole numbers a pod, one a pod set: "a pod of set A counts 3, of B 2; these nodes hold at most 118 of the
/// 120 needed". That no choice is worth more than the sum over nodes of the dearest one is linear programming duality.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/core/topology.hpp>
#include <muster/resource/model.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace muster::inline MUSTER_ABI {

/// Which capacity a question is about.
enum class tense : std::uint8_t {
  now,         ///< what is left on open nodes
  later,       ///< the same once what is terminating has left
  empty_open,  ///< open nodes without pods; the group's own are then to be placed too
  empty_all,   ///< all nodes known, open, closed or lost, every device well, without pods
};

enum class proof_kind : std::uint8_t { slots, capacity_of_minima, capacity, limits, prices, exhausted };

[[nodiscard]] constexpr std::string_view name(tense when) noexcept {
  switch (when) {
    case tense::now: return "now";
    case tense::later: return "later";
    case tense::empty_open: return "without pods";
    case tense::empty_all: return "without pods, all nodes open";
  }
  return "?";
}

[[nodiscard]] constexpr std::string_view name(proof_kind kind) noexcept {
  switch (kind) {
    case proof_kind::slots: return "slots";
    case proof_kind::capacity_of_minima: return "capacity of the minima";
    case proof_kind::capacity: return "capacity";
    case proof_kind::limits: return "spread limits";
    case proof_kind::prices: return "prices";
    case proof_kind::exhausted: return "exhausted";
  }
  return "?";
}

/// What one pod is worth in a proof.
using pod_price = std::int64_t;
inline constexpr pod_price max_pod_price = pod_price{1} << 20U;
inline constexpr std::uint32_t all_sets = ~std::uint32_t{0};

/// Why one domain cannot hold enough.
struct domain_refusal {
  domain_path domain{};  ///< no_level: all nodes
  tense when = tense::now;
  proof_kind kind = proof_kind::slots;
  std::uint32_t subject = 0;                  ///< see above
  std::int64_t held = 0;                      ///< no more than this
  std::int64_t asked = 0;                     ///< no less than this
  std::uint32_t first_price = 0, prices = 0;  ///< in the certificate; one a pod set
  std::uint64_t steps = 0;
  std::optional<device_model> model{};  ///< that all devices are of; none where no node of the domain has devices
};

struct certificate {
  std::vector<domain_refusal> refusals;
  std::vector<pod_price> prices;

  [[nodiscard]] std::span<const pod_price> prices_of(const domain_refusal& one) const noexcept {
    return std::span{prices}.subspan(one.first_price, one.prices);
  }
  [[nodiscard]] bool empty() const noexcept { return refusals.empty(); }
  void clear() noexcept {
    refusals.clear();
    prices.clear();
  }
};

/// What is wrong with a certificate.
enum class certificate_fault : std::uint8_t {
  none,
  empty,            ///< it refuses nothing, and there are domains
  group_unknown,    ///< no such group
  domain_missing,   ///< an allowed domain, or a device model there, is not refused
  no_such_domain,   ///< a refusal of a domain or device model that is not there, not allowed, or refused already
  no_such_subject,  ///< a pod set or dimension that is not there, or whose needs do not add up
  wrong_prices,     ///< not one price a pod set, or one below 0 or above max_pod_price
  held_too_low,     ///< more is there than it says
  asked_too_high,   ///< less is needed than it says
  not_below,        ///< what it says is held would do
  too_dear,         ///< not checked: too many choices on the nodes
};

[[nodiscard]] constexpr std::string_view name(certificate_fault why) noexcept {
  switch (why) {
    case certificate_fault::none: return "none";
    case certificate_fault::empty: return "an empty certificate";
    case certificate_fault::group_unknown: return "group unknown";
    case certificate_fault::domain_missing: return "a domain is not refused";
    case certificate_fault::no_such_domain: return "no such domain";
    case certificate_fault::no_such_subject: return "no such pod set or dimension";
    case certificate_fault::wrong_prices: return "wrong prices";
    case certificate_fault::held_too_low: return "more is held than it says";
    case certificate_fault::asked_too_high: return "less is asked than it says";
    case certificate_fault::not_below: return "held is not below asked";
    case certificate_fault::too_dear: return "too many choices on one node";
  }
  return "?";
}

}  // namespace muster::inline MUSTER_ABI

#endif
