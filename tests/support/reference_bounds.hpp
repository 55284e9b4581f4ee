// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_SUPPORT_REFERENCE_BOUNDS_HPP
#define MUSTER_TESTS_SUPPORT_REFERENCE_BOUNDS_HPP

// Simple proofs that a gang does not fit. Both are upper bounds on the pods that
// can be placed, taken domain by domain of the required level:
//
//   summed_bound  per resource, all free amounts added up hold no more pods than
//                 this, the smallest requests first; and so for the pods that
//                 the per-node limit leaves room for
//   single_bound  every class alone: the places it finds on each node, added up
//
// A gang that needs more than a bound allows is proved not to fit.

#include "reference.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace reference {

[[nodiscard]] inline count summed_bound(const instance& of, const std::vector<std::size_t>& nodes) {
  count all = 0;
  for (const auto& each : of.classes) {
    all += each.pods;
  }
  if (all == 0) {
    return 0;
  }
  count bound = all;
  const auto resources = of.classes.front().request.size();
  for (std::size_t r = 0; r < resources; ++r) {
    count free = 0;
    for (const auto at : nodes) {
      if (of.nodes[at].open) {
        free += std::max<count>(of.nodes[at].free[r], 0);
      }
    }
    std::vector<std::pair<count, count>> asked;  // request, pods
    for (const auto& each : of.classes) {
      asked.emplace_back(each.request[r], each.pods);
    }
    std::sort(asked.begin(), asked.end());
    count placed = 0;
    for (const auto& [request, pods] : asked) {
      const count more = request == 0 ? pods : std::min(pods, free / request);
      placed += more;
      free -= more * request;
    }
    bound = std::min(bound, placed);
  }
  const count per_node = limit_at(of, of.levels);
  const auto open = std::count_if(nodes.begin(), nodes.end(), [&](std::size_t at) { return of.nodes[at].open; });
  if (per_node <= all) {
    bound = std::min(bound, per_node * static_cast<count>(open));
  }
  return bound;
}

[[nodiscard]] inline count single_bound(const instance& of, const std::vector<std::size_t>& nodes, std::size_t which) {
  const count per_node = limit_at(of, of.levels);
  count places = 0;
  for (const auto at : nodes) {
    places += std::min(per_node, fitting(of, which, at));
  }
  return std::min(places, of.classes[which].pods);
}

// Whether the simple proofs say no: in every domain, by one of the two.
[[nodiscard]] inline bool plainly_impossible(const instance& of) {
  const count least = least_size(of);
  if (least == 0) {
    return false;
  }
  for (const auto& nodes : arenas(of)) {
    count places = 0;
    bool below_minimum = false;
    for (std::size_t which = 0; which < of.classes.size(); ++which) {
      const count bound = single_bound(of, nodes, which);
      places += bound;
      below_minimum = below_minimum || bound < of.classes[which].minimum;
    }
    if (!below_minimum && places >= least && summed_bound(of, nodes) >= least) {
      return false;
    }
  }
  return true;
}

}  // namespace reference

#endif
