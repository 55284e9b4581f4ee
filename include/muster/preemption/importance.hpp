// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PREEMPTION_IMPORTANCE_HPP
#define MUSTER_PREEMPTION_IMPORTANCE_HPP

/// \file
/// Which of two victim units is the more important one.
///
/// By priority, the higher; by rank of the kind, a composite before a group before a pod, where a pod of a group counts
/// as a group; by pods, the more; by start, the earlier, and one that has not started is newest; at last by the id of
/// the first pod, the smaller. No two units are equal, so the order is total whatever the cluster was built from.
/// \see Kubernetes 1.37, section 7.3

#include <muster/core/config.hpp>
#include <muster/preemption/victim_unit.hpp>
#include <muster/resource/model.hpp>

#include <concepts>

namespace muster::inline MUSTER_ABI {

/// An order of units: whether the first stands before the second. A strict weak order.
template <class O, class M>
concept unit_order = resource_model<M> && requires(const O& before, const victim_unit<M>& a, const victim_unit<M>& b) {
  { before(a, b) } -> std::convertible_to<bool>;
};

struct more_important {
  template <resource_model M>
  [[nodiscard]] constexpr bool operator()(const victim_unit<M>& a, const victim_unit<M>& b) const noexcept {
    if (a.priority != b.priority) return a.priority > b.priority;
    if (rank_of(a.kind) != rank_of(b.kind)) return rank_of(a.kind) > rank_of(b.kind);
    if (a.pods != b.pods) return a.pods > b.pods;
    if (a.started != b.started) return a.started < b.started;
    return a.first < b.first;
  }
};

}  // namespace muster::inline MUSTER_ABI

#endif
