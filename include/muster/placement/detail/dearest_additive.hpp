// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_DEAREST_ADDITIVE_HPP
#define MUSTER_PLACEMENT_DETAIL_DEAREST_ADDITIVE_HPP

/// \file
/// The dearest pattern of a node of which amounts alone decide what it hosts, without a list of its patterns.
///
/// A bounded knapsack of several dimensions, by branch and bound. The classes stand in the order of their price for
/// their size, and as many as fit are tried first, so that the first descent is the greedy choice. A branch is left
/// where what is worth no more than the best so far could still be added: in each dimension what is left, at the price
/// of the class that pays most for it; and of each class what the node could take of it alone.
///
/// Where the dearest of all is to be found and that takes long, what whole pods are worth is looked up, too: a table of
/// each dimension by itself says how much the classes from each one on are worth at most in an amount. Amounts are
/// counted there in equal parts, and needs and what is left are rounded down to whole ones: what fits still does, so no
/// table ever says too little.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/search_budget.hpp>
#include <muster/placement/detail/game.hpp>
#include <muster/placement/detail/mix.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

template <std::size_t Dims>
class additive_dearest {
 public:
  /// Amounts, one a dimension: what a node has left, or what a pod of a class needs.
  using node = std::array<amount, Dims>;

  /// Starts afresh for classes with these needs.
  void start(std::span<const node> needs) {
    needs_.assign(needs.begin(), needs.end());
    prices_.clear();
    largest_ = {};
    tabled_ = false;
    taken_.assign(needs.size(), 0);
    node most{};
    for (const node& need : needs_)
      for (std::size_t d = 0; d < Dims; ++d) most[d] = std::max(most[d], need[d]);
    sizes_.assign(needs_.size(), 1);
    for (std::size_t c = 0; c < needs_.size(); ++c)
      for (std::size_t d = 0; d < Dims; ++d)
        if (most[d] > 0) sizes_[c] += static_cast<amount>((static_cast<wide_int>(needs_[c][d]) << 16U) / most[d]);
  }

  /// Says that a node may be asked about.
  void expect(const node& left) noexcept {
    for (std::size_t d = 0; d < Dims; ++d)
      if (left[d] > largest_[d]) {
        largest_[d] = left[d];
        tabled_ = false;
      }
  }

  /// Finds the dearest pattern, if it is worth more than `above`: else false, and `best` is not changed. In a hurry
  /// what was found after a few steps may do. The answer does not count where the budget is out after it.
  /// \param alone of each class, the most pods the node takes where no other uses it \pre the node was expected
  [[nodiscard]] bool find(const node& left, std::span<const class_count> alone, pod_count cap,
                          std::span<const price> prices, price above, effort how, std::span<class_count> best,
                          search_budget& budget) {
    if (!std::equal(prices_.begin(), prices_.end(), prices.begin(), prices.end())) prepare(prices);
    const bool thorough = how == effort::thorough;
    if (thorough && !tabled_ && searched_ >= order_.size() * Dims * steps_a_column) fill_tables(budget);
    alone_ = alone;
    best_ = best;
    most_ = above;
    steps_ = 0;
    most_steps_ = thorough ? ~std::uint64_t{0} : 2 * prices.size();
    budget_ = &budget;
    rest_.back() = 0;
    for (std::size_t i = order_.size(); i-- > 0;)
      rest_[i] = rest_[i + 1] + prices_[order_[i]] * static_cast<price>(alone[order_[i]]);
    if (tabled_) sum_up_small(alone);
    if (order_.empty()) offer(0);
    else if (may_exceed(most_, 0, cap, left)) choose(0, cap, left, 0);
    budget.spend(steps_ % budget_lot + 1);
    if (thorough) searched_ += steps_;
    if (most_ == above) return false;
    fill_up(left, cap);
    return true;
  }

 private:
  static constexpr unsigned fraction_bits = 20;
  static constexpr std::int64_t unbounded = std::numeric_limits<std::int64_t>::max();
  static constexpr amount most_rows = 256;             // of a table
  static constexpr std::uint64_t steps_a_column = 16;  // of a search: they take as long as a column of a table

  /// Orders the classes that have a price, and says what each dimension is worth at most to those from each one on.
  void prepare(std::span<const price> prices) {
    prices_.assign(prices.begin(), prices.end());
    tabled_ = false;
    searched_ = 0;
    order_.clear();
    free_.clear();
    for (std::uint32_t c = 0; c < prices_.size(); ++c) (prices_[c] > 0 ? order_ : free_).push_back(c);
    for (std::size_t i = 1; i < order_.size(); ++i)  // by insertion: they are few
      for (std::size_t k = i; k > 0 && pays_more(order_[k], order_[k - 1]); --k) std::swap(order_[k], order_[k - 1]);
    each_.assign(order_.size() + 1, {});
    dearest_.assign(order_.size() + 1, 0);
    rest_.assign(order_.size() + 1, 0);
    for (std::size_t i = order_.size(); i-- > 0;) {
      const std::uint32_t c = order_[i];
      dearest_[i] = std::max(dearest_[i + 1], prices_[c]);
      for (std::size_t d = 0; d < Dims; ++d) {
        const amount need = needs_[c][d];
        const wide_int paid = static_cast<wide_int>(prices_[c]) << fraction_bits;
        const std::int64_t here = need == 0 ? unbounded : static_cast<std::int64_t>((paid + need - 1) / need);
        each_[i][d] = std::max(each_[i + 1][d], here);
      }
    }
  }

  [[nodiscard]] std::size_t parts_of(amount of, std::size_t d) const noexcept {
    return static_cast<std::size_t>(of >> shift_[d]);
  }

  /// A pod takes a part or more, so that what a table says is below 2^28. \complexity O(rows x classes x dimensions)
  void fill_tables(search_budget& budget) {
    const std::size_t classes = order_.size();
    small_.resize(classes);
    for (std::size_t d = 0; d < Dims; ++d) {
      for (shift_[d] = 0; largest_[d] >> shift_[d] >= most_rows;) ++shift_[d];
      const std::size_t rows = parts_of(largest_[d], d) + 1;
      if (!budget.spend(rows * classes)) return;
      auto& most = most_in_[d];
      most.assign(rows * classes, 0);
      for (std::size_t i = classes; i-- > 0;) {
        const std::size_t need = parts_of(needs_[order_[i]][d], d);
        const auto each = static_cast<std::uint32_t>(prices_[order_[i]]);
        for (std::size_t row = 0; row < rows; ++row) {
          std::uint32_t& here = most[row * classes + i];
          if (i + 1 < classes) here = most[row * classes + i + 1];
          if (need > 0 && need <= row) here = std::max(here, most[(row - need) * classes + i] + each);
        }
      }
    }
    tabled_ = true;
  }
  /// The worth of all that the node takes of classes that need no whole part of a dimension.
  void sum_up_small(std::span<const class_count> alone) noexcept {
    for (std::size_t d = 0; d < Dims; ++d) {
      price sum = 0;
      for (std::size_t i = order_.size(); i-- > 0;) {
        if (parts_of(needs_[order_[i]][d], d) == 0) sum += prices_[order_[i]] * static_cast<price>(alone[order_[i]]);
        small_[i][d] = sum;
      }
    }
  }

  /// Whether a class pays more than another for its size. Sizes are below 2^22, prices below 2^21.
  [[nodiscard]] bool pays_more(std::uint32_t a, std::uint32_t b) const noexcept {
    return sizes_[b] * prices_[a] > sizes_[a] * prices_[b];
  }

  /// Whether more than this might be added of the classes from order_[i] on: false by the first bound that says so.
  [[nodiscard]] bool may_exceed(price worth, std::size_t i, pod_count room, const node& left) const noexcept {
    if (rest_[i] <= worth || dearest_[i] * room <= worth) return false;
    if (tabled_)
      for (std::size_t d = 0; d < Dims; ++d)
        if (most_in_[d][parts_of(left[d], d) * order_.size() + i] + small_[i][d] <= worth) return false;
    for (std::size_t d = 0; d < Dims; ++d)
      if (each_[i][d] != unbounded &&
          (static_cast<wide_int>(left[d]) * each_[i][d]) >> fraction_bits <= static_cast<wide_int>(worth))
        return false;
    return true;
  }
  [[nodiscard]] pod_count most_of(std::uint32_t c, pod_count room, const node& left) const noexcept {
    pod_count most = std::min<pod_count>(room, alone_[c]);
    for (std::size_t d = 0; d < Dims; ++d)
      if (const amount need = needs_[c][d]; need > 0) most = std::min<pod_count>(most, left[d] / need);
    return most;
  }

  void choose(std::size_t i, pod_count room, const node& left, price so_far) {
    if (++steps_ % budget_lot == 0 && !budget_->spend(budget_lot)) return;
    const std::uint32_t c = order_[i];
    const price each = prices_[c];
    const pod_count most = most_of(c, room, left);
    if (i + 1 == order_.size()) {
      taken_[i] = static_cast<class_count>(most);
      offer(so_far + most * each);
      return;
    }
    node rest = left;
    for (std::size_t d = 0; d < Dims; ++d) rest[d] -= needs_[c][d] * most;
    for (pod_count pods = most; pods >= 0 && so_far + pods * each + rest_[i + 1] > most_; --pods) {
      if (may_exceed(most_ - so_far - pods * each, i + 1, room - pods, rest)) {
        taken_[i] = static_cast<class_count>(pods);
        choose(i + 1, room - pods, rest, so_far + pods * each);
        if (steps_ >= most_steps_ || budget_->out()) return;
      }
      for (std::size_t d = 0; d < Dims; ++d) rest[d] += needs_[c][d];
    }
  }
  void offer(price worth) {
    if (worth <= most_) return;
    most_ = worth;
    std::fill(best_.begin(), best_.end(), class_count{0});
    for (std::size_t i = 0; i < order_.size(); ++i) best_[order_[i]] = taken_[i];
  }
  /// Adds what fits beside the best of the classes that cost nothing: the pattern is then maximal.
  void fill_up(node left, pod_count room) {
    for (std::size_t c = 0; c < best_.size(); ++c) {
      room -= best_[c];
      for (std::size_t d = 0; d < Dims; ++d) left[d] -= needs_[c][d] * static_cast<amount>(best_[c]);
    }
    for (const std::uint32_t c : free_) {
      const pod_count more = most_of(c, room, left);
      best_[c] = static_cast<class_count>(more);
      room -= more;
      for (std::size_t d = 0; d < Dims; ++d) left[d] -= needs_[c][d] * more;
    }
  }

  std::vector<node> needs_;
  std::vector<price> prices_;                // that the following are for
  std::vector<amount> sizes_;                // of each class, in shares of the largest needs
  std::vector<std::uint32_t> order_, free_;  // classes with a price, most for its size first; those without
  std::vector<node> each_;                   // the most paid for one of a dimension by the classes from order_[i] on
  std::vector<price> dearest_, rest_;        // the dearest price of those; the worth of all that the node takes of them
  node largest_{};                           // that any node has left
  bool tabled_ = false;                      // whether the tables are of these prices, and reach so far
  std::array<unsigned, Dims> shift_{};       // a part of a dimension is this power of two
  std::array<std::vector<std::uint32_t>, Dims> most_in_;  // row: so many parts; column: the classes from order_[i] on
  std::vector<std::array<price, Dims>> small_;            // of those the ones that need less than a part
  std::vector<class_count> taken_;           // in the order of order_
  std::span<const class_count> alone_;
  std::span<class_count> best_;
  search_budget* budget_ = nullptr;
  price most_ = 0;
  std::uint64_t steps_ = 0, most_steps_ = 0;
  std::uint64_t searched_ = 0;  // steps since the prices changed, where the dearest of all was to be found
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
