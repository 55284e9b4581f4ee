// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_WORKLOAD_MEMBER_HPP
#define MUSTER_WORKLOAD_MEMBER_HPP

/// \file
/// Phases of a gang's member, and how many members are in each.
///
/// The phase is a function of what is known of the pod, not of the order it was learnt in: how it ended, else that
/// it is terminating, else where it was placed. A pod whose node went away is `lost`.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace muster::inline MUSTER_ABI {

enum class phase : std::uint8_t {
  seen,         ///< known, no node: unscheduled
  assumed,      ///< given a node in memory, binding not confirmed
  bound,        ///< node confirmed
  ready,        ///< running and ready
  terminating,  ///< on its way out; holds its node until it is gone
  succeeded,    ///< ended well
  failed,       ///< ended badly
  lost,         ///< its node went away
};
inline constexpr std::size_t phase_count = 8;

[[nodiscard]] constexpr std::string_view name(phase p) noexcept {
  switch (p) {
    case phase::seen: return "seen";
    case phase::assumed: return "assumed";
    case phase::bound: return "bound";
    case phase::ready: return "ready";
    case phase::terminating: return "terminating";
    case phase::succeeded: return "succeeded";
    case phase::failed: return "failed";
    case phase::lost: return "lost";
  }
  return "?";
}

/// Assumed or assigned: it holds a place and is not on its way out.
[[nodiscard]] constexpr bool is_scheduled(phase p) noexcept {
  return p == phase::assumed || p == phase::bound || p == phase::ready;
}
/// Whether the pod is over for good (section 1.7: a group may go once all its pods are).
[[nodiscard]] constexpr bool is_terminal(phase p) noexcept {
  return p == phase::succeeded || p == phase::failed || p == phase::lost;
}

/// Members of a group, or of one of its pod sets, by phase.
struct member_counts {
  std::array<pod_count, phase_count> in{};

  [[nodiscard]] constexpr pod_count operator[](phase p) const noexcept { return in[static_cast<std::size_t>(p)]; }
  constexpr void add(phase p, pod_count n) noexcept { in[static_cast<std::size_t>(p)] += n; }

  [[nodiscard]] constexpr pod_count unscheduled() const noexcept { return (*this)[phase::seen]; }
  /// Assumed or assigned: the members that hold a place.
  [[nodiscard]] constexpr pod_count scheduled() const noexcept {
    return (*this)[phase::assumed] + (*this)[phase::bound] + (*this)[phase::ready];
  }
  [[nodiscard]] constexpr pod_count succeeded() const noexcept { return (*this)[phase::succeeded]; }
  /// Every member ever seen.
  [[nodiscard]] constexpr pod_count total() const noexcept {
    pod_count sum = 0;
    for (const pod_count n : in) sum += n;
    return sum;
  }
  bool operator==(const member_counts&) const = default;
};

}  // namespace muster::inline MUSTER_ABI

#endif
