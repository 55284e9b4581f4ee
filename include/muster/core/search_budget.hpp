// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_CORE_SEARCH_BUDGET_HPP
#define MUSTER_CORE_SEARCH_BUDGET_HPP

/// \file
/// Steps a search may take, and the caller's wish to end it earlier.

#include <muster/core/config.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace muster::inline MUSTER_ABI {

/// Inside a loop the budget is asked again after so many steps.
inline constexpr std::uint32_t budget_lot = 1024;

/// Counts search steps. Out once the limit is reached or the caller said stop; it stays out.
class search_budget {
 public:
  search_budget() = default;
  explicit search_budget(std::uint64_t limit) noexcept : limit_{limit} {}
  /// \param stop a const function object () -> bool that outlives this, asked every few thousand steps
  template <class Stop>
  search_budget(std::uint64_t limit, const Stop& stop) noexcept
      : limit_{limit},
        asked_{&stop},
        ask_{[](const void* what) { return bool{(*static_cast<const Stop*>(what))()}; }} {}

  /// Spends steps; true while there are more.
  bool spend(std::uint64_t steps) {
    spent_ = steps < std::numeric_limits<std::uint64_t>::max() - spent_ ? spent_ + steps : ~std::uint64_t{0};
    if (ask_ != nullptr && spent_ >= next_ask_) {
      next_ask_ = spent_ + between_asks;
      stopped_ = stopped_ || ask_(asked_);
    }
    return !out();
  }
  [[nodiscard]] bool out() const noexcept { return stopped_ || spent_ >= limit_; }
  [[nodiscard]] bool stopped() const noexcept { return stopped_; }
  [[nodiscard]] std::uint64_t spent() const noexcept { return spent_; }
  [[nodiscard]] std::uint64_t left() const noexcept { return limit_ - std::min(limit_, spent_); }

 private:
  static constexpr std::uint64_t between_asks = 4096;

  std::uint64_t limit_ = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t spent_ = 0, next_ask_ = 0;
  const void* asked_ = nullptr;
  bool (*ask_)(const void*) = nullptr;
  bool stopped_ = false;
};

}  // namespace muster::inline MUSTER_ABI

#endif
