// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_CLUSTER_DETAIL_OUTCOMES_HPP
#define MUSTER_CLUSTER_DETAIL_OUTCOMES_HPP

/// \file
/// The answers of `apply`, and which of two values a register keeps.

#include <muster/cluster/change.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/resource/model.hpp>

#include <cstdint>

namespace muster::inline MUSTER_ABI::cluster_detail {

inline constexpr apply_result is_applied{apply_outcome::applied};
inline constexpr apply_result is_duplicate{apply_outcome::duplicate};
inline constexpr apply_result is_stale{apply_outcome::stale};
inline constexpr apply_result is_parked{apply_outcome::parked};

[[nodiscard]] constexpr apply_result refuse(change_fault fault, amount_fault amounts = amount_fault::none) noexcept {
  return {apply_outcome::rejected, fault, amounts};
}

/// Whether a register (revision `known`) takes a value of revision `offered`; contents are hashed only on a tie.
template <class Known, class Offered>
[[nodiscard]] apply_outcome compare(revision known, revision offered, Known&& known_content,
                                    Offered&& offered_content) {
  if (offered > known) return apply_outcome::applied;
  if (offered < known) return apply_outcome::stale;
  const std::uint64_t before = known_content(), after = offered_content();
  return after == before ? apply_outcome::duplicate : after > before ? apply_outcome::applied : apply_outcome::stale;
}
/// The same for registers without content.
[[nodiscard]] constexpr apply_outcome compare(revision known, revision offered) noexcept {
  return offered > known ? apply_outcome::applied : offered == known ? apply_outcome::duplicate : apply_outcome::stale;
}

}  // namespace muster::inline MUSTER_ABI::cluster_detail

#endif
