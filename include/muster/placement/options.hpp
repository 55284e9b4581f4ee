// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_OPTIONS_HPP
#define MUSTER_PLACEMENT_OPTIONS_HPP

/// \file
/// What a caller may choose when it asks for a placement.

#include <muster/core/config.hpp>
#include <muster/placement/eligibility.hpp>
#include <muster/scoring/scorer.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace muster::inline MUSTER_ABI {

template <class Filter = everywhere, class Scorer = fullest_first>
struct place_options {
  Filter filter{};
  Scorer scorer{};
  bool extras = true;              ///< place pods beyond the minimum, up to the largest legal size that fits
  bool once_enough =
      false;  ///< a group that once ran at its minimum is not held to it again: with matching::once_satisfied
  std::uint64_t budget = 200'000; ///< search steps for gangs of unlike pods (one node looked at for one pod is a step)
};

/// place_options, or a type with the same members, whose filter and scorer are for the model.
template <class O, class M>
concept options_for =
    node_filter<decltype(O::filter), M> && node_scorer<std::remove_cvref_t<decltype(O::scorer)>, M> &&
    requires(const O& options) {
      { options.extras } -> std::convertible_to<bool>;
      { options.once_enough } -> std::convertible_to<bool>;
      { options.budget } -> std::convertible_to<std::uint64_t>;
    };

}  // namespace muster::inline MUSTER_ABI

#endif
