// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_OPTIONS_HPP
#define MUSTER_PLACEMENT_OPTIONS_HPP

/// \file
/// What a caller may choose when it asks for a placement.
///
/// Filter and scorer are function objects of the caller's (eligibility.hpp, scoring/scorer.hpp). The filter is asked
/// once for every pod set and kind of node, and decides what is possible; the scorer only which of the possible places
/// is taken: it never turns a yes into a no. The budget bounds the search of unlike pods, not the greedy pass, the sums
/// or a count of alike pods: 0 leaves these alone. It is counted in steps, so that the answer is the same everywhere;
/// `stop` may end a search earlier, and the answer then says so.
/// \see Kubernetes 1.37 (filter and score plugins; extras beyond the minimum)

#include <muster/core/config.hpp>
#include <muster/placement/eligibility.hpp>
#include <muster/scoring/scorer.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace muster::inline MUSTER_ABI {

/// No wish to end a search before its budget.
struct never_stop {
  [[nodiscard]] constexpr bool operator()() const noexcept { return false; }
};

template <class Filter = everywhere, class Scorer = fullest_first, class Stop = never_stop>
struct place_options {
  Filter filter{};
  Scorer scorer{};
  bool extras = true;              ///< place pods beyond the minimum, up to the largest legal size that fits
  /// A group that once ran at its minimum is not held to it again: what matching::once_satisfied is to the gate. Under
  /// schedule() the gate's answer stands in for it.
  bool once_enough = false;
  bool largest = false;              ///< seat the most pods at a legal size, moving earlier ones where that helps
  std::uint64_t budget = 4'000'000;  ///< search steps for gangs of unlike pods (a pattern looked at is a step)
  /// Go on where the last call with this workspace ended undecided: bounds and prices it proved still hold. Only with
  /// the same view, group, filter and options but for `budget` and `stop`; where the numbers of the question differ
  /// the search starts afresh.
  bool resume = false;
  Stop stop{};                       ///< asked every few thousand steps whether to end the search now
  /// A refusal does not look for a tense in which the gang would fit: it is then always `not_now`, and says that the
  /// rest is unknown. For callers that ask many such questions and read only whether it fits.
  bool only_now = false;
};

/// place_options, or a type with the same members, whose filter and scorer are for the model.
template <class O, class M>
concept options_for =
    node_filter<decltype(O::filter), M> && node_scorer<std::remove_cvref_t<decltype(O::scorer)>, M> &&
    requires(const O& options) {
      { options.extras } -> std::convertible_to<bool>;
      { options.once_enough } -> std::convertible_to<bool>;
      { options.largest } -> std::convertible_to<bool>;
      { options.budget } -> std::convertible_to<std::uint64_t>;
      { options.resume } -> std::convertible_to<bool>;
      { options.only_now } -> std::convertible_to<bool>;
      { options.stop() } -> std::convertible_to<bool>;
    };

}  // namespace muster::inline MUSTER_ABI

#endif
