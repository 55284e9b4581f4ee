// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PREEMPTION_DETAIL_MEMBER_CODE_HPP
#define MUSTER_PREEMPTION_DETAIL_MEMBER_CODE_HPP

/// \file
/// Names what is in a basis.

#include <muster/core/config.hpp>

#include <compare>
#include <cstdint>

namespace muster::inline MUSTER_ABI::preemption_detail {

/// What is in a basis: a variable, or the slack of a row. Variables come before slacks.
class member_code {
 public:
  member_code() = default;
  [[nodiscard]] static constexpr member_code variable(std::uint32_t number) noexcept { return member_code{number}; }
  [[nodiscard]] static constexpr member_code slack(std::uint32_t row) noexcept { return member_code{slack_bit | row}; }

  [[nodiscard]] constexpr bool is_slack() const noexcept { return (code_ & slack_bit) != 0; }
  /// Of the variable, or the slack's row.
  [[nodiscard]] constexpr std::uint32_t number() const noexcept { return code_ & ~slack_bit; }
  [[nodiscard]] constexpr bool none() const noexcept { return code_ == ~std::uint32_t{0}; }
  friend constexpr bool operator==(member_code, member_code) = default;
  friend constexpr auto operator<=>(member_code, member_code) = default;

 private:
  static constexpr std::uint32_t slack_bit = std::uint32_t{1} << 31U;
  explicit constexpr member_code(std::uint32_t code) noexcept : code_{code} {}
  std::uint32_t code_ = ~std::uint32_t{0};
};

}  // namespace muster::inline MUSTER_ABI::preemption_detail

#endif
