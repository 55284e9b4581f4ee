// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_QUORUM_PROGRESS_HPP
#define MUSTER_QUORUM_PROGRESS_HPP

/// \file
/// Can an attempt still reach the minimum? The progress rule in its four-way form.
///
/// With M the minimum (1 for basic), S the successes so far, R the children not yet tried, U those that failed but
/// might fit after preemption, and the rest failed for good:
///
///     success        S >= M
///     wait           S <  M <= S + R
///     unschedulable  S + R < M <= S + R + U        preemption may help
///     unresolvable   S + R + U < M                 nothing will help: skip preemption
///
/// Checked before the first child and after each. A pod's failure always counts in U; only composites report
/// failures for good. It is for a host that tries pod by pod or child by child; `place` decides a group at once.
/// Source: Kubernetes 1.37 section 3 with the refinement of KEP-6012.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>

#include <cstdint>
#include <string_view>

namespace muster::inline MUSTER_ABI {

enum class progress : std::uint8_t { success, wait, unschedulable, unresolvable };

struct progress_counts {
  pod_count minimum = 0;        ///< M
  pod_count succeeded = 0;      ///< S
  pod_count remaining = 0;      ///< R
  pod_count unschedulable = 0;  ///< U
};

/// \complexity O(1), no allocation, no exceptions. Sums are held at the ends of the range.
[[nodiscard]] constexpr progress check_progress(const progress_counts& of) noexcept {
  if (of.succeeded >= of.minimum) return progress::success;
  const pod_count reachable = saturating_add(of.succeeded, of.remaining);
  if (reachable >= of.minimum) return progress::wait;
  return saturating_add(reachable, of.unschedulable) >= of.minimum ? progress::unschedulable : progress::unresolvable;
}

/// The rule for a whole attempt: a root that succeeds with nothing newly placed is unschedulable, and a wait that is
/// left after the last child is too.
[[nodiscard]] constexpr progress conclude(progress last, pod_count newly_placed) noexcept {
  if (last == progress::wait) return progress::unschedulable;
  return last == progress::success && newly_placed == 0 ? progress::unschedulable : last;
}

[[nodiscard]] constexpr std::string_view name(progress p) noexcept {
  switch (p) {
    case progress::success: return "success";
    case progress::wait: return "wait";
    case progress::unschedulable: return "unschedulable";
    case progress::unresolvable: return "unresolvable";
  }
  return "?";
}

}  // namespace muster::inline MUSTER_ABI

#endif
