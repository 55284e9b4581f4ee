// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PREEMPTION_DETAIL_UNIT_COSTS_HPP
#define MUSTER_PREEMPTION_DETAIL_UNIT_COSTS_HPP

/// \file
/// Costs of units and of sets of them, as one number each.
///
/// A set is worth its cost, and among equal costs its number of units: both make one number, the *rank*, cost times
/// (units + 1) plus units; of a cost of several parts each is a digit. Divided by what all costs have in common a rank
/// is small, so that a bound on ranks, rounded up, closes most gaps. Where a unit's rank would leave 39 bits ranks are
/// counted in lots of a power of two, rounded down for parts of a set: bounds stay bounds, and what is chosen is still
/// compared by cost and number.

#include <muster/cluster/records.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/time.hpp>
#include <muster/preemption/victim_unit.hpp>
#include <muster/resource/model.hpp>
#include <muster/scoring/eviction_cost.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

namespace muster::inline MUSTER_ABI::preemption_detail {

__extension__ using wide = __int128;

template <resource_model M, eviction_cost<M> Cost>
class unit_costs {
 public:
  static constexpr std::size_t parts = Cost::components;
  using value = cost_value<parts>;

  /// Reads the costs of units. \return the first fault found: of each unit alone, of each group's units together
  cost_fault read(const Cost& cost, const victim_units<M>& all, time_point now) {
    cost_ = &cost;
    all_ = &all;
    now_ = now;
    const std::size_t n = all.units.size();
    shares_.assign(n, value{});
    order_.resize(n);
    std::iota(order_.begin(), order_.end(), 0U);
    // units of one group stand together; those without a group each for itself
    std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
      return key(a) != key(b) ? key(a) < key(b) : a < b;
    });
    value top{};
    for (std::size_t i = 0; i < n;) {
      pods_.clear();
      value shares{};
      std::size_t end = i;
      do {
        const victim_unit<M>& unit = all.units[order_[end]];
        value& own = shares_[order_[end]];
        for (const pod_record<M>* pod : all.pods_of(unit)) {
          own += cost.share(unit.group, *pod, now);
          pods_.push_back(pod);
        }
        shares += own;
        ++end;
      } while (end < n && key(order_[end]) == key(order_[i]) && all.units[order_[i]].group != nullptr);
      const evicted_members<M> gone{all.units[order_[i]].group, pods_, now};
      const value whole = cost(gone);
      for (std::size_t p = 0; p < parts; ++p) {
        if (whole.part[p] < 0 || shares.part[p] < 0) return cost_fault::negative;
        if (shares.part[p] > whole.part[p] || (adds_up<Cost> && shares != whole)) return cost_fault::share;
      }
      top += whole;
      i = end;
    }
    for (const value& each : shares_)
      for (const std::int64_t part : each.part)
        if (part < 0) return cost_fault::negative;
    saturated_ = top.saturated();
    return scale(top, n) ? cost_fault::none : cost_fault::too_large;
  }

  /// Whether units of unequal cost are of unequal rank. In lots they need not be, so no unit stands for another there.
  [[nodiscard]] bool tells_apart() const noexcept { return lots_ == 0; }
  [[nodiscard]] bool saturated() const noexcept { return saturated_; }
  /// The rank a unit adds to any set at least.
  [[nodiscard]] std::int64_t rank(std::size_t unit) const noexcept {
    return static_cast<std::int64_t>(exact_rank(shares_[unit], 1) >> lots_);
  }
  /// The rank of a set, in lots rounded up: a bound that reaches it leaves nothing below the set.
  [[nodiscard]] wide rank_of(const value& cost, std::size_t units) const noexcept {
    const wide exact = exact_rank(cost, units);
    return (exact + ((wide{1} << lots_) - 1)) >> lots_;
  }
  /// The least cost a set of this rank can have, by a rank rounded up.
  [[nodiscard]] value cost_at(wide rank) const noexcept {
    value found{};
    wide rest = std::max<wide>(rank, 0) << lots_;
    for (std::size_t p = 0; p < parts; ++p) {
      const wide digit = rest / weight_[p];
      found.part[p] = static_cast<std::int64_t>(
          std::min<wide>(digit * common_[p], std::numeric_limits<std::int64_t>::max()));
      rest -= digit * weight_[p];
    }
    return found;
  }
  /// The cost of the units that are marked.
  [[nodiscard]] value of(std::span<const std::uint8_t> out) {
    value sum{};
    for (std::size_t i = 0; i < order_.size();) {
      const victim_unit<M>& first = all_->units[order_[i]];
      pods_.clear();
      std::size_t end = i;
      do {
        if (out[order_[end]] != 0) {
          const auto pods = all_->pods_of(all_->units[order_[end]]);
          pods_.insert(pods_.end(), pods.begin(), pods.end());
        }
        ++end;
      } while (end < order_.size() && key(order_[end]) == key(order_[i]) && first.group != nullptr);
      if (!pods_.empty()) sum += (*cost_)(evicted_members<M>{first.group, pods_, now_});
      i = end;
    }
    return sum;
  }

 private:
  [[nodiscard]] std::uint64_t key(std::uint32_t unit) const noexcept {
    const group_record<M>* group = all_->units[unit].group;
    return group == nullptr ? 0 : static_cast<std::uint64_t>(group->id) + 1;
  }
  [[nodiscard]] wide exact_rank(const value& cost, std::size_t units) const noexcept {
    wide sum = static_cast<wide>(units);
    for (std::size_t p = 0; p < parts; ++p) sum += wide{cost.part[p] / common_[p]} * weight_[p];
    return sum;
  }
  /// Finds what the parts have in common, and what each weighs above those to its right; false: that is too much.
  [[nodiscard]] bool scale(const value& top, std::size_t units) {
    for (std::size_t p = 0; p < parts; ++p) {
      common_[p] = 0;
      for (const value& each : shares_) common_[p] = std::gcd(common_[p], each.part[p]);
      if (!adds_up<Cost> || common_[p] == 0) common_[p] = 1;
    }
    wide above = static_cast<wide>(units) + 1;
    for (std::size_t p = parts; p-- > 0;) {
      weight_[p] = above;
      const wide digits = wide{top.part[p] / common_[p]} + 1;
      if (above > (wide{1} << most_bits) / digits) return false;
      above *= digits;
    }
    wide dearest = 1;
    for (const value& each : shares_) dearest = std::max(dearest, exact_rank(each, 1));
    lots_ = 0;
    while ((dearest >> lots_) >= wide{1} << rank_bits) ++lots_;
    return true;
  }

  static constexpr unsigned most_bits = 110;  // of the rank of a set
  static constexpr unsigned rank_bits = 39;   // of the rank of a unit, in lots

  const Cost* cost_ = nullptr;
  const victim_units<M>* all_ = nullptr;
  time_point now_{};
  std::vector<value> shares_;          // of each unit, at least
  std::vector<std::uint32_t> order_;   // units, group by group
  std::vector<const pod_record<M>*> pods_;
  std::array<std::int64_t, parts> common_{};
  std::array<wide, parts> weight_{};
  unsigned lots_ = 0;
  bool saturated_ = false;
};

}  // namespace muster::inline MUSTER_ABI::preemption_detail

#endif
