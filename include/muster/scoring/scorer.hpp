// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_SCORING_SCORER_HPP
#define MUSTER_SCORING_SCORER_HPP

/// \file
/// Which of the nodes that can host a pod is best.
///
/// A *node scorer* is a stateless or const function object: (what is left before the pod, the node's capacity, the
/// request) to a 64-bit score, higher is better. It never decides whether a pod fits. Equal scores fall to the node
/// that stands first in the order (kind, topology path, host's key). Where a gang needs one domain and several seat as
/// many of its pods, it goes to the one whose pods score highest in sum.
///
/// `fullest_first` is the default and no function: it is the order of the capacity index itself, so a gang is placed
/// without looking at the nodes it does not use. The fullest node is the one with the least left of the leading
/// dimension, in steps of one 64th of the largest node, exact where that holds at most 63 units. The fullest domain is
/// the one with the fewest slots for the gang's pods, each pod set for itself.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/resource/model.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace muster::inline MUSTER_ABI {

struct fullest_first {};

template <class S, class M>
concept scoring_function =
    resource_model<M> && requires(const S& scorer, const typename M::state_type& left,
                                  const typename M::capacity_type& capacity, const typename M::request_type& request) {
      { scorer(left, capacity, request) } -> std::convertible_to<std::int64_t>;
    };

template <class S, class M>
concept node_scorer = std::same_as<S, fullest_first> || scoring_function<S, M>;

namespace scoring_detail {
/// Mean over the dimensions the pod asks of used or unused / capacity after placing, in millionths.
template <dimensional_model M, bool Used>
[[nodiscard]] std::int64_t mean_share(const typename M::state_type& left, const typename M::capacity_type& capacity,
                                      const typename M::request_type& request) {
  const typename M::state_type empty = M::empty_node(capacity);
  std::int64_t sum = 0, asked = 0;
  for (std::size_t d = 0; d < dimensions_of<M>; ++d) {
    const amount all = M::amount_left(empty, d), need = M::amount_needed(request, d);
    if (need <= 0 || all <= 0) continue;
    const amount rest = M::amount_left(left, d) - need;
    const amount part = Used ? all - rest : rest;
    // all <= 2^48: dividing both by a power of two keeps the product below 2^63
    amount a = part, b = all;
    while (b > (amount{1} << 40)) {
      a /= 2;
      b /= 2;
    }
    sum += a * 1'000'000 / b;
    ++asked;
  }
  return asked == 0 ? 0 : sum / asked;
}
}  // namespace scoring_detail

/// The node that is fullest after the pod, averaged over the resources the pod asks. \see Kubernetes
/// NodeResourcesFit, MostAllocated
template <dimensional_model M>
struct most_allocated {
  [[nodiscard]] std::int64_t operator()(const typename M::state_type& left, const typename M::capacity_type& capacity,
                                        const typename M::request_type& request) const {
    return scoring_detail::mean_share<M, true>(left, capacity, request);
  }
};

/// The node that is emptiest after the pod. \see Kubernetes NodeResourcesFit, LeastAllocated
template <dimensional_model M>
struct least_allocated {
  [[nodiscard]] std::int64_t operator()(const typename M::state_type& left, const typename M::capacity_type& capacity,
                                        const typename M::request_type& request) const {
    return scoring_detail::mean_share<M, false>(left, capacity, request);
  }
};

}  // namespace muster::inline MUSTER_ABI

#endif
