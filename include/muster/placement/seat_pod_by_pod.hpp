// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_SEAT_POD_BY_POD_HPP
#define MUSTER_PLACEMENT_SEAT_POD_BY_POD_HPP

/// \file
/// A scheduler's pass over the pods of a group: each pod, in the order of the sets, on the node that scores highest of
/// those that take it. A pod that finds none is passed over, and those alike with it; the next set is tried.
///
/// Where Kubernetes draws lots among equal nodes the first position is taken.
/// \see Kubernetes 1.37, section 4.2

#include <muster/cluster/records.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/answer.hpp>
#include <muster/placement/eligibility.hpp>
#include <muster/placement/seat_in_turn.hpp>
#include <muster/placement/seating_rule.hpp>
#include <muster/resource/model.hpp>
#include <muster/scoring/scorer.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace muster::inline MUSTER_ABI {

/// Kubernetes' default of the resources: least_allocated of whatever model is asked.
struct emptiest_first {};

/// A seating rule that is told the filter. \complexity O(pods seated x nodes)
template <class Scorer = emptiest_first>
struct seat_pod_by_pod {
  Scorer scorer{};

  template <resource_model M, class Filter>
    requires node_filter<Filter, M>
  void operator()(const seating_question<M>& of, const Filter& filter, std::vector<seat<M>>& seats) const {
    for (std::uint32_t set = 0; set < of.waiting.size(); ++set) {
      const auto choose = [&](std::size_t) { return best_node(of, set, filter); };
      for (pod_count left = of.waiting[set]; left > 0; --left)  // where one finds none, no other of its set does
        if (seat_in_turn(of.on, of.group, std::span<const std::uint32_t>{&set, 1}, choose, seats) == 0) break;
    }
  }

 private:
  template <resource_model M, class Filter>
  [[nodiscard]] std::uint32_t best_node(const seating_question<M>& of, std::uint32_t set, const Filter& filter) const {
    std::uint32_t best = no_position;
    std::int64_t most = 0;
    for (std::uint32_t p = 0; p < of.on.size(); ++p) {
      if (!takes_pod(of.on, of.group, set, p, filter)) continue;
      const auto& request = of.group.pod_sets[set].request;
      std::int64_t score = 0;
      if constexpr (std::same_as<Scorer, emptiest_first>) score = score_pod(of.on, request, p, least_allocated<M>{});
      else score = score_pod(of.on, request, p, scorer);
      if (best != no_position && score <= most) continue;
      best = p;
      most = score;
    }
    return best;
  }
};

}  // namespace muster::inline MUSTER_ABI

#endif
