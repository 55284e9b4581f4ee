// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_SCORING_NODE_VALUE_HPP
#define MUSTER_SCORING_NODE_VALUE_HPP

/// \file
/// From the worth of a node to a scorer: a pod goes to the node that loses least by it.
///
/// A *node value* says what a node in some state is worth: `value(left, capacity)`, a number as score_value.hpp takes
/// it, from -2^62 to 2^62 and held there beyond, higher is better. It knows nothing of the pod. `least_loss` makes a
/// node scorer (scorer.hpp) of it: the value after the pod, placed as the model would, less the value before.
///
/// Limits: it sees one node and one pod; a placement of many is the sum of such steps, the best node for each pod. The
/// rule to lose least is that of fragmentation gradient descent (fragmentation.hpp).

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/resource/model.hpp>
#include <muster/scoring/score_value.hpp>

#include <algorithm>
#include <cstdint>

namespace muster::inline MUSTER_ABI {

template <class V, class M>
concept node_value = resource_model<M> && requires(const V& worth, const typename M::state_type& left,
                                                   const typename M::capacity_type& capacity) {
  { worth.value(left, capacity) } -> score_number;
};

/// Scores a node by what it gains (as a rule below 0: what it loses) by a pod; the lowest score where the pod does not
/// fit. It refers to the value, which must live as long.
template <resource_model M, node_value<M> V>
class least_loss {
 public:
  explicit least_loss(const V& worth) noexcept : worth_{&worth} {}
  explicit least_loss(const V&&) = delete;

  /// \complexity that of two values \exceptions what the value throws
  [[nodiscard]] std::int64_t operator()(const typename M::state_type& left, const typename M::capacity_type& capacity,
                                        const typename M::request_type& request) const {
    typename M::state_type after = left;
    typename M::grant_type ignored{};
    if (M::allocate(after, request, 1, ignored) != 1) return lowest_score;
    return saturating_add(worth(after, capacity), -worth(left, capacity));
  }

 private:
  [[nodiscard]] std::int64_t worth(const typename M::state_type& left,
                                   const typename M::capacity_type& capacity) const {
    constexpr std::int64_t most = std::int64_t{1} << 62;
    return std::clamp(score_value(worth_->value(left, capacity)), -most, most);
  }

  const V* worth_;
};

}  // namespace muster::inline MUSTER_ABI

#endif
