// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_CORE_VERDICT_HPP
#define MUSTER_CORE_VERDICT_HPP

/// \file
/// The answers a question about a gang can have. A no is never a guess.

#include <muster/core/config.hpp>

#include <cstdint>
#include <string_view>

namespace muster::inline MUSTER_ABI {

enum class verdict : std::uint8_t {
  fits,       ///< a placement is attached
  hold,       ///< may not be tried: members are missing, or the host does not admit it
  wait,       ///< fits once what is leaving has left
  not_now,    ///< does not fit beside what runs; whether it fits on the same open nodes without pods is said
  closed,     ///< would fit only if closed, lost or sick nodes came back
  never,      ///< proved not to fit on all these nodes, empty and open
  undecided,  ///< not known: the search ended without a proof (best placement and bound attached), or nobody asked
  invalid,    ///< bad input; the object and the fault are named, nothing changed
};

[[nodiscard]] constexpr std::string_view name(verdict v) noexcept {
  switch (v) {
    case verdict::fits: return "fits";
    case verdict::hold: return "hold";
    case verdict::wait: return "wait";
    case verdict::not_now: return "not now";
    case verdict::closed: return "closed";
    case verdict::never: return "never";
    case verdict::undecided: return "undecided";
    case verdict::invalid: return "invalid";
  }
  return "?";
}

/// True for the verdicts that refuse with a proof: wait, not_now, closed, never.
[[nodiscard]] constexpr bool is_proved_no(verdict v) noexcept {
  return v == verdict::wait || v == verdict::not_now || v == verdict::closed || v == verdict::never;
}

}  // namespace muster::inline MUSTER_ABI

#endif
