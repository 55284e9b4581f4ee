// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PREEMPTION_DETAIL_PIVOT_RULES_HPP
#define MUSTER_PREEMPTION_DETAIL_PIVOT_RULES_HPP

/// \file
/// Which member of a basis leaves, and what enters.
///
/// Both ratio tests take two passes: the first finds how far a step may go if every limit is let slip by a little, the
/// second takes the largest pivot among those whose own limit lies within that. The cautious rules, for a method that
/// does not come to an end, let nothing slip and take the lowest number.

#include <muster/core/config.hpp>
#include <muster/preemption/detail/fixed_point.hpp>
#include <muster/preemption/detail/member_code.hpp>
#include <muster/preemption/detail/reduced_costs.hpp>
#include <muster/preemption/detail/working_basis.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace muster::inline MUSTER_ABI::preemption_detail {

class pivot_rules {
 public:
  static constexpr std::uint32_t no_slot = working_basis::no_slot;

  void start(int value_bits) noexcept {
    tiny_value_ = std::max<std::int64_t>((std::int64_t{1} << value_bits) >> 28, 4);
    cautious_ = false;
  }
  void be_cautious() noexcept { cautious_ = true; }

  /// The slot whose value is furthest outside its limits; no_slot if none is outside.
  [[nodiscard]] std::uint32_t leaving_slot(const working_basis& basis) {
    __extension__ using wide_count = unsigned __int128;
    // 14 bits behind the point, 36 in all: the square times a weight stays below 2^119
    const int drop = basis.value_bits() - 14;
    constexpr std::int64_t most = (std::int64_t{1} << 36) - 1;
    std::uint32_t best = no_slot;
    wide_count best_square = 0;
    const auto slots = static_cast<std::uint32_t>(basis.rows().rows());
    for (std::uint32_t s = 0; s < slots; ++s) {
      std::int64_t over = -basis.value(s);
      if (over < 0 && basis.held_at_zero(s)) over = -over;
      if (over <= tiny_value_) continue;
      if (cautious_) {
        if (best == no_slot || basis.basic(s) < basis.basic(best)) best = s;
        continue;
      }
      const auto size = static_cast<wide_count>(std::clamp<std::int64_t>(over >> drop, 1, most));
      if (best == no_slot || size * size * static_cast<wide_count>(basis.weight(best)) >
                                 best_square * static_cast<wide_count>(basis.weight(s))) {
        best = s;
        best_square = size * size;
      }
    }
    touched_ += slots;
    return best;
  }

  /// What enters for the row of the basis; none if nothing can. Wakes those that sleep where they could be first.
  [[nodiscard]] member_code entering(const working_basis& basis, reduced_costs& costs) {
    costs.find_alpha(basis);
    for (;;) {
      const candidate found = first_awake(basis, costs);
      if (!costs.asleep()) return found.member;
      if (found.member.none())
        costs.wake_all(basis);
      else if (!costs.wake(basis, ratio{found.reduced, found.alpha}))
        return found.member;
    }
  }

  /// What has the most negative reduced cost; none if none has. \pre none sleeps
  [[nodiscard]] member_code negative(const working_basis& basis, const reduced_costs& costs) {
    member_code best;
    std::int64_t least = -tiny_price;
    const auto consider = [&](member_code it, std::int64_t reduced) {
      if (reduced >= least) return;
      best = it;
      least = cautious_ ? std::numeric_limits<std::int64_t>::min() : reduced;
    };
    for (std::uint32_t v = 0; v < basis.variables(); ++v)
      if (basis.may_enter(v)) consider(member_code::variable(v), costs[v]);
    for (std::uint32_t r = 0; r < basis.rows().rows(); ++r)
      if (basis.slack_may_enter(r)) consider(member_code::slack(r), basis.slack_reduced(r));
    touched_ += basis.variables() + basis.rows().rows();
    return best;
  }

  /// The slot that keeps what enters from growing, given the column of the basis; no_slot if none does.
  [[nodiscard]] std::uint32_t blocking_slot(const working_basis& basis) {
    const auto slots = static_cast<std::uint32_t>(basis.rows().rows());
    touched_ += 2 * slots;
    const auto visit = [&](auto&& use) {  // use(slot, room, by): the value shrinks by `by`, and has room for that
      for (std::uint32_t s = 0; s < slots; ++s) {
        const std::int64_t by = basis.column()[s];
        if (by > least_pivot)
          use(s, std::max<std::int64_t>(basis.value(s), 0), by);
        else if (by < -least_pivot && basis.held_at_zero(s))
          use(s, std::int64_t{0}, -by);
      }
    };
    limit first;
    visit([&](std::uint32_t, std::int64_t room, std::int64_t by) {
      first.lower(room + (cautious_ ? 0 : tiny_value_), by);
    });
    std::uint32_t best = no_slot;
    std::int64_t most = 0;
    visit([&](std::uint32_t s, std::int64_t room, std::int64_t by) {
      if (!first.allows(room, by)) return;
      if (cautious_ ? best != no_slot && basis.basic(best) < basis.basic(s) : by <= most) return;
      best = s;
      most = by;
    });
    return best;
  }

  /// Whether row and column of the basis say the same of the pivot, but for rounding.
  [[nodiscard]] static bool agree(const working_basis& basis, const reduced_costs& costs, std::uint32_t slot,
                                  member_code enters, int sign) noexcept {
    const std::int64_t alpha = enters.is_slack() ? -basis.row()[enters.number()] : costs.alpha(enters.number());
    const std::int64_t pivot = basis.column()[slot];
    return magnitude(pivot) > least_pivot / 2 &&
           magnitude(minus(sign * alpha, pivot)) <= (magnitude(pivot) >> 10) + least_pivot / 4;
  }

  [[nodiscard]] std::uint64_t take_touched() noexcept {
    const std::uint64_t all = touched_;
    touched_ = 0;
    return all;
  }

 private:
  static constexpr std::int64_t least_pivot = factor_one >> 24;
  // A price this far below 0 is mended; the dual ratio test lets as much slip as may stand still among raised costs.
  static constexpr std::int64_t tiny_price = std::int64_t{1} << 8, near_price = std::int64_t{1} << 18;

  struct candidate {
    member_code member;
    std::int64_t alpha = 0, reduced = 0;
  };

  /// The least of some quotients of numbers that are not negative.
  class limit {
   public:
    [[nodiscard]] bool allows(std::int64_t above, std::int64_t below) const noexcept {
      return below_ == 0 || static_cast<wide_int>(above) * below_ <= static_cast<wide_int>(above_) * below;
    }
    void lower(std::int64_t above, std::int64_t below) noexcept {
      if (below_ != 0 && static_cast<wide_int>(above) * below_ >= static_cast<wide_int>(above_) * below) return;
      above_ = above;
      below_ = below;
    }

   private:
    std::int64_t above_ = 0, below_ = 0;
  };

  /// Of those awake and the slacks, the largest pivot among those whose reduced costs are nearly first to reach 0.
  [[nodiscard]] candidate first_awake(const working_basis& basis, const reduced_costs& costs) {
    candidates_.clear();
    limit first;
    const auto consider = [&](const candidate& it) {
      if (!first.allows(it.reduced, it.alpha)) return;
      candidates_.push_back(it);
      first.lower(it.reduced + (cautious_ ? 0 : near_price), it.alpha);
    };
    for (const std::uint32_t v : costs.awake())
      if (costs.alpha(v) > least_pivot && basis.may_enter(v))
        consider({member_code::variable(v), costs.alpha(v), costs[v]});
    for (const std::uint32_t r : basis.row_places())
      if (-basis.row()[r] > least_pivot && basis.slack_may_enter(r))
        consider({member_code::slack(r), -basis.row()[r], basis.slack_reduced(r)});
    touched_ += costs.awake().size() + basis.row_places().size();
    candidate best;
    for (const candidate& it : candidates_) {
      if (!first.allows(it.reduced, it.alpha)) continue;
      const bool better = !cautious_ && it.alpha != best.alpha ? it.alpha > best.alpha : it.member < best.member;
      if (better) best = it;
    }
    return best;
  }

  std::vector<candidate> candidates_;
  std::int64_t tiny_value_ = 4;
  std::uint64_t touched_ = 0;
  bool cautious_ = false;
};

}  // namespace muster::inline MUSTER_ABI::preemption_detail

#endif
