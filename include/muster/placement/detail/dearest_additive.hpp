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

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/detail/budget.hpp>
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
    taken_.assign(needs.size(), 0);
    node most{};
    for (const node& need : needs_)
      for (std::size_t d = 0; d < Dims; ++d) most[d] = std::max(most[d], need[d]);
    sizes_.assign(needs_.size(), 1);
    for (std::size_t c = 0; c < needs_.size(); ++c)
      for (std::size_t d = 0; d < Dims; ++d)
        if (most[d] > 0) sizes_[c] += static_cast<amount>((static_cast<wide_int>(needs_[c][d]) << 16U) / most[d]);
  }

  /// Finds the dearest pattern, if it is worth more than `above`: else false, and `best` is not changed. In a hurry
  /// what was found after a few steps may do. The answer does not count where the budget is out after it.
  /// \param alone of each class, the most pods the node takes where no other uses it
  [[nodiscard]] bool find(const node& left, std::span<const class_count> alone, pod_count cap,
                          std::span<const price> prices, price above, effort how, std::span<class_count> best,
                          search_budget& budget) {
    if (!std::equal(prices_.begin(), prices_.end(), prices.begin(), prices.end())) prepare(prices);
    alone_ = alone;
    best_ = best;
    most_ = above;
    steps_ = 0;
    most_steps_ = how == effort::thorough ? ~std::uint64_t{0} : 2 * prices.size();
    budget_ = &budget;
    rest_.back() = 0;
    for (std::size_t i = order_.size(); i-- > 0;)
      rest_[i] = rest_[i + 1] + prices_[order_[i]] * static_cast<price>(alone[order_[i]]);
    if (order_.empty()) offer(0);
    else if (could_reach(0, cap, left) > most_) choose(0, cap, left, 0);
    budget.spend(steps_ % budget_lot + 1);
    if (most_ == above) return false;
    fill_up(left, cap);
    return true;
  }

 private:
  static constexpr unsigned fraction_bits = 20;
  static constexpr std::int64_t unbounded = std::numeric_limits<std::int64_t>::max();

  /// Orders the classes that have a price, and says what each dimension is worth at most to those from each one on.
  void prepare(std::span<const price> prices) {
    prices_.assign(prices.begin(), prices.end());
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

  /// Whether a class pays more than another for its size. Sizes are below 2^22, prices below 2^21.
  [[nodiscard]] bool pays_more(std::uint32_t a, std::uint32_t b) const noexcept {
    return sizes_[b] * prices_[a] > sizes_[a] * prices_[b];
  }

  /// No more than this can be added of the classes from order_[i] on.
  [[nodiscard]] price could_reach(std::size_t i, pod_count room, const node& left) const noexcept {
    price most = std::min(rest_[i], saturating_multiply(dearest_[i], room));
    for (std::size_t d = 0; d < Dims; ++d)
      if (each_[i][d] != unbounded)
        most = static_cast<price>(
            std::min<wide_int>(most, (static_cast<wide_int>(left[d]) * each_[i][d]) >> fraction_bits));
    return most;
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
      if (so_far + pods * each + could_reach(i + 1, room - pods, rest) > most_) {
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
  std::vector<class_count> taken_;           // in the order of order_
  std::span<const class_count> alone_;
  std::span<class_count> best_;
  search_budget* budget_ = nullptr;
  price most_ = 0;
  std::uint64_t steps_ = 0, most_steps_ = 0;
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
