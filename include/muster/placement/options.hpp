// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_OPTIONS_HPP
#define MUSTER_PLACEMENT_OPTIONS_HPP

/// \file
/// What a caller may choose when it asks for a placement.

#include <muster/core/config.hpp>
#include <muster/placement/eligibility.hpp>
#include <muster/scoring/scorer.hpp>

#include <cstdint>

namespace muster::inline MUSTER_ABI {

template <class Filter = everywhere, class Scorer = fullest_first>
struct place_options {
  Filter filter{};
  Scorer scorer{};
  bool extras = true;              ///< place pods beyond the minimum, up to the largest legal size that fits
  /// A group that once ran at its minimum is not held to it again: what matching::once_satisfied is to the gate. Under
  /// schedule() the gate's answer stands in for it.
  bool once_enough = false;
  std::uint64_t budget = 200'000; ///< search steps for gangs of unlike pods (one node looked at for one pod is a step)
};

}  // namespace muster::inline MUSTER_ABI

#endif
