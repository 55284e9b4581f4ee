// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_SUBSET_SEARCH_HPP
#define MUSTER_PLACEMENT_DETAIL_SUBSET_SEARCH_HPP

/// \file
/// Looks for a set of so many units that holds the gang, by branch and bound.
///
/// Units are chosen in a given order. A branch is left where a cut refuses every set in it: what is chosen, what is
/// pinned and the most that the units still to be chosen can add are less than is asked. It is left, too, where its
/// sets have no fewer slots than the best so far. Of units that are alike those first in the order are chosen first, so
/// sets that differ in alike units alone are looked at once. A set that no cut refuses is asked; a refusal may add a
/// cut, which counts from then on.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/detail/domain_units.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

enum class set_answer : std::uint8_t { no, yes, unknown };

/// What a search came to.
struct subset_end {
  bool found = false;
  bool open = false;  ///< a set was left undecided or was not looked at: what was not found may still be there
};

/// \param Ask (std::span<const std::uint32_t> units) -> set_answer; may add cuts to the table, never units
template <class Ask>
class subset_search {
 public:
  static constexpr pod_count any_slots = std::numeric_limits<pod_count>::max();

  /// \param order units that may be chosen, alike ones side by side \param left sets that may still be looked at
  subset_search(const unit_table& table, std::span<const std::uint32_t> order, std::uint32_t& left, Ask& ask)
      : table_{table}, order_{order}, left_{left}, ask_{ask} {}

  /// Sets of `pick` units with fewer than `below` slots in sum; the one with the fewest, of equal ones the first in
  /// the order.
  /// \param any whether the first that is found will do
  subset_end run(std::size_t pick, pod_count below, bool any) {
    pick_ = pick;
    below_ = below;
    any_ = any;
    end_ = {};
    sums_.clear();
    bounds_.clear();
    chosen_.clear();
    if (pick > order_.size()) return end_;
    least_slots_.assign(order_.size() + 1, any_slots);
    for (std::size_t i = order_.size(); i-- > 0;)
      least_slots_[i] = std::min(least_slots_[i + 1], table_.units[order_[i]].slots);
    if (may_hold(0)) choose(0, 0);
    return end_;
  }
  [[nodiscard]] pod_count slots() const noexcept { return below_; }  ///< of the set found \pre found

 private:
  /// Of a cut what the units still to be chosen can add.
  struct bound {
    std::vector<std::int64_t> most_from;  // any unit from a place in the order on
    std::vector<std::int64_t> of_largest;  // so many of the largest together
  };

  [[nodiscard]] bool ended() const noexcept { return (end_.found && any_) || left_ == 0; }

  void choose(std::size_t first, pod_count slots) {
    if (chosen_.size() == pick_) {
      look(slots);
      return;
    }
    const std::size_t more = pick_ - chosen_.size() - 1;
    for (std::size_t i = first; i + more < order_.size(); ++i) {
      const domain_unit& unit = table_.units[order_[i]];
      if (i > first && table_.units[order_[i - 1]].alike == unit.alike) continue;
      if (left_ == 0) {
        end_.open = true;
        return;
      }
      --left_;
      const pod_count here = saturating_add(slots, unit.slots);
      const pod_count least =
          more == 0 ? here
                    : saturating_add(here, saturating_multiply(least_slots_[i + 1], static_cast<pod_count>(more)));
      if (least >= below_) continue;
      take(order_[i]);
      if (may_hold(i + 1)) choose(i + 1, here);
      give_back();
      if (ended()) {
        end_.open = end_.open || !(end_.found && any_);
        return;
      }
    }
  }

  void look(pod_count slots) {
    const set_answer said = ask_(std::span<const std::uint32_t>{chosen_});
    if (said == set_answer::unknown) end_.open = true;
    if (said != set_answer::yes) return;
    end_.found = true;
    below_ = slots;
  }

  void take(std::uint32_t unit) {
    chosen_.push_back(unit);
    for (std::size_t c = 0; c < sums_.size(); ++c) sums_[c] = saturating_add(sums_[c], table_.cuts[c].held[unit]);
  }
  /// Sums are made afresh: one that was held at the end of its range cannot be taken apart.
  void give_back() {
    chosen_.pop_back();
    for (std::size_t c = 0; c < sums_.size(); ++c) sums_[c] = sum_of(table_.cuts[c]);
  }
  [[nodiscard]] std::int64_t sum_of(const unit_cut& cut) const {
    std::int64_t sum = cut.pinned;
    for (const std::uint32_t u : chosen_) sum = saturating_add(sum, cut.held[u]);
    return sum;
  }

  /// Whether no cut refuses what is chosen with the best that may follow from a place in the order on.
  [[nodiscard]] bool may_hold(std::size_t next) {
    while (sums_.size() < table_.cuts.size()) add_bound(table_.cuts[sums_.size()]);
    const std::size_t more = pick_ - chosen_.size();
    for (std::size_t c = 0; c < sums_.size(); ++c) {
      const std::int64_t each = saturating_multiply(bounds_[c].most_from[next], static_cast<std::int64_t>(more));
      const std::int64_t most = std::min(each, bounds_[c].of_largest[more]);
      if (saturating_add(sums_[c], most) < table_.cuts[c].asked) return false;
    }
    return true;
  }
  void add_bound(const unit_cut& cut) {
    bound of;
    of.most_from.assign(order_.size() + 1, 0);
    std::vector<std::int64_t> held;
    for (std::size_t i = order_.size(); i-- > 0;) {
      held.push_back(cut.held[order_[i]]);
      of.most_from[i] = std::max(of.most_from[i + 1], held.back());
    }
    std::sort(held.begin(), held.end(), std::greater<>{});
    of.of_largest.assign(pick_ + 1, 0);
    for (std::size_t n = 0; n < pick_; ++n) of.of_largest[n + 1] = saturating_add(of.of_largest[n], held[n]);
    bounds_.push_back(std::move(of));
    sums_.push_back(sum_of(cut));
  }

  const unit_table& table_;
  std::span<const std::uint32_t> order_;
  std::uint32_t& left_;
  Ask& ask_;
  std::size_t pick_ = 0;
  pod_count below_ = any_slots;
  bool any_ = false;
  subset_end end_;
  std::vector<std::uint32_t> chosen_;
  std::vector<pod_count> least_slots_;
  std::vector<std::int64_t> sums_;  // of what is pinned and chosen, by each cut
  std::vector<bound> bounds_;
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
