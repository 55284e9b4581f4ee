// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_SCORING_SCORER_HPP
#define MUSTER_SCORING_SCORER_HPP

/// \file
/// Which of the nodes that can host a pod is best.
///
/// A *node scorer* is a stateless or const function object: (what is left before the pod, the node's capacity, the
/// request) to a score, higher is better: a whole or a floating-point number, taken for a 64-bit integer as
/// score_value.hpp says, where NaN is the lowest. It is asked only of nodes that host the pod, and never decides
/// whether it fits. Equal scores fall to the node that stands first in the order (kind, topology path, host's key).
/// Where a gang needs one domain and several seat as many of its pods, it goes to the one whose pods score highest in
/// sum.
///
/// A scorer may state the `range` of its scores; then it can be weighed against others (weighted_sum.hpp).
///
/// `fullest_first` is the default and no function: it is the order of the capacity index itself, so a gang is placed
/// without looking at the nodes it does not use. The fullest node is the one with the least left of the leading
/// dimension, in steps of one 64th of the largest node, exact where that holds at most 63 units. The fullest domain is
/// the one with the fewest slots for the gang's pods, each pod set for itself.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/resource/model.hpp>
#include <muster/scoring/detail/shares.hpp>
#include <muster/scoring/score_value.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace muster::inline MUSTER_ABI {

struct fullest_first {};

template <class S, class M>
concept scoring_function =
    resource_model<M> && requires(const S& scorer, const typename M::state_type& left,
                                  const typename M::capacity_type& capacity, const typename M::request_type& request) {
      { scorer(left, capacity, request) } -> score_number;
    };

template <class S, class M>
concept node_scorer = std::same_as<S, fullest_first> || scoring_function<S, M>;

namespace scoring_detail {
/// Mean over the dimensions the pod asks of used or unused / capacity after placing, in millionths.
template <dimensional_model M, bool Used>
[[nodiscard]] std::int64_t mean_share(const typename M::state_type& left, const typename M::capacity_type& capacity,
                                      const typename M::request_type& request) {
  std::int64_t sum = 0, asked = 0;
  visit_asked<M>(left, capacity, request, [&](std::size_t, amount all, amount rest) {
    if (all <= 0) return;
    sum += share_of(Used ? all - rest : rest, all);
    ++asked;
  });
  return asked == 0 ? 0 : sum / asked;
}
}  // namespace scoring_detail

/// The node that is fullest after the pod, averaged over the resources the pod asks. \see Kubernetes
/// NodeResourcesFit, MostAllocated
template <dimensional_model M>
struct most_allocated {
  static constexpr score_range range = share_range;  ///< of a node that hosts the pod

  [[nodiscard]] std::int64_t operator()(const typename M::state_type& left, const typename M::capacity_type& capacity,
                                        const typename M::request_type& request) const {
    return scoring_detail::mean_share<M, true>(left, capacity, request);
  }
};

/// The node that is emptiest after the pod. \see Kubernetes NodeResourcesFit, LeastAllocated
template <dimensional_model M>
struct least_allocated {
  static constexpr score_range range = share_range;  ///< of a node that hosts the pod

  [[nodiscard]] std::int64_t operator()(const typename M::state_type& left, const typename M::capacity_type& capacity,
                                        const typename M::request_type& request) const {
    return scoring_detail::mean_share<M, false>(left, capacity, request);
  }
};

}  // namespace muster::inline MUSTER_ABI

#endif
