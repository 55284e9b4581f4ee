// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_ADDITIVE_PATTERNS_HPP
#define MUSTER_PLACEMENT_DETAIL_ADDITIVE_PATTERNS_HPP

/// \file
/// The maximal patterns of a node of which amounts alone decide what it hosts.
///
/// A node is first brought to what the requests can use of it: no more than all pods together ask, and rounded down to
/// the greatest sum of requests. That changes no pattern and makes most nodes alike.
///
/// Counts are chosen class after class, the largest pods first. The last two classes are walked together: one pod more
/// of the one, as many fewer of the other as make room for it, so that no pattern costs a division or a search.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/hash.hpp>
#include <muster/core/search_budget.hpp>
#include <muster/placement/detail/mix.hpp>
#include <muster/resource/model.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

/// Whether the sums of needs decide what fits on a node of the model.
template <resource_model M>
inline constexpr bool is_additive = [] {
  if constexpr (dimensional_model<M>) {
    bool all = M::dimensions_decide && M::dimensions > 0;
    for (std::size_t d = 0; d < dimensions_of<M>; ++d) all = all && M::adds_up(d);
    return all;
  } else {
    return false;
  }
}();

template <resource_model M>
class additive_patterns {
 public:
  static constexpr std::size_t dims = dimensions_of<M>;
  /// What of a node its patterns depend on.
  using node = std::array<amount, dims>;

  void start(std::span<const typename M::request_type> requests, const mix& of) {
    needs_.resize(requests.size());
    for (std::size_t c = 0; c < requests.size(); ++c)
      for (std::size_t d = 0; d < dims; ++d) needs_[c][d] = std::max<amount>(0, M::amount_needed(requests[c], d));
    demand_ = of.demand;
    total_ = static_cast<pod_count>(of.total());
    find_units();
    order_by_size();
    counts_.assign(requests.size(), 0);
    alone_.resize(requests.size());
  }

  [[nodiscard]] node read(const typename M::state_type& left) {
    node to;
    for (std::size_t d = 0; d < dims; ++d) to[d] = useful(d, std::max<amount>(0, M::amount_left(left, d)));
    return to;
  }
  /// Good for a mixture, not by itself. \complexity no multiplication waits for another
  [[nodiscard]] static std::uint64_t hash_of(const node& of) noexcept {
    std::uint64_t sum = 0;
    for (std::size_t d = 0; d < dims; ++d) sum += static_cast<std::uint64_t>(of[d]) * mixed(d);
    return sum;
  }

  [[nodiscard]] std::span<const node> needs() const noexcept { return needs_; }
  /// What all pods together need.
  [[nodiscard]] const node& asked() const noexcept { return asked_; }

  /// The most pods of a class on a node that no other uses.
  [[nodiscard]] class_count most_alone(std::uint32_t c, const node& of, std::uint64_t may,
                                       pod_count cap) const noexcept {
    if ((may >> c & 1U) == 0) return 0;
    return static_cast<class_count>(std::max<pod_count>(0, most_of(c, of, std::min<pod_count>(cap, demand_[c]))));
  }

  /// Adds the patterns of a node, in an order that depends on them alone; false if they are too many or the budget is
  /// out. \param may bit c: class c may use the node \param cap the most pods the node may take
  [[nodiscard]] bool list(const node& of, std::uint64_t may, pod_count cap, std::vector<class_count>& to,
                          search_budget& budget) {
    to_ = &to;
    full_ = most_patterns * counts_.size();
    order_.clear();
    std::fill(counts_.begin(), counts_.end(), class_count{0});
    for (const std::uint32_t c : by_size_) {
      alone_[c] = most_alone(c, of, may, cap);
      if (alone_[c] <= 0) continue;
      if (cap >= total_ && needs_[c] == node{}) counts_[c] = static_cast<class_count>(alone_[c]);  // costs nobody else
      else order_.push_back(c);
    }
    if (order_.size() >= 2) return choose(0, cap, of, budget);
    if (order_.size() == 1)
      counts_[order_.front()] = static_cast<class_count>(std::min(cap, alone_[order_.front()]));
    write();
    return budget.spend(1) && to.size() <= full_;
  }

 private:
  static constexpr amount most_units = 4096;  // of the table of sums

  // ---- amounts the requests can use

  void find_units() {
    for (std::size_t d = 0; d < dims; ++d) {
      asked_[d] = unit_[d] = 0;
      for (std::size_t c = 0; c < needs_.size(); ++c) {
        asked_[d] = saturating_add(asked_[d], saturating_multiply(needs_[c][d], static_cast<amount>(demand_[c])));
        unit_[d] = std::gcd(unit_[d], needs_[c][d]);
      }
      sums_[d].assign(1, 0);
      in_units_[d].clear();
      for (const node& need : needs_)
        if (need[d] > 0) in_units_[d].push_back(static_cast<std::size_t>(need[d] / unit_[d]));
    }
  }
  /// The greatest sum of requests up to an amount: the table is made as far as it is asked for.
  [[nodiscard]] amount useful(std::size_t d, amount left) {
    if (unit_[d] == 0) return 0;  // nobody asks for it
    const amount units = std::min(left, asked_[d]) / unit_[d];
    if (units > most_units) return units * unit_[d];
    auto& sums = sums_[d];
    for (std::size_t u = sums.size(); u <= static_cast<std::size_t>(units); ++u) {
      const auto ends_here = [&](std::size_t need) { return need <= u && sums[u - need] == u - need; };
      const bool is_sum = std::any_of(in_units_[d].begin(), in_units_[d].end(), ends_here);
      sums.push_back(is_sum ? static_cast<std::uint16_t>(u) : sums[u - 1]);
    }
    return amount{sums[static_cast<std::size_t>(units)]} * unit_[d];
  }
  void order_by_size() {
    node most{};
    for (const node& need : needs_)
      for (std::size_t d = 0; d < dims; ++d) most[d] = std::max(most[d], need[d]);
    sizes_.assign(needs_.size(), 0);
    by_size_.resize(needs_.size());
    for (std::size_t c = 0; c < needs_.size(); ++c) {
      by_size_[c] = static_cast<std::uint32_t>(c);
      for (std::size_t d = 0; d < dims; ++d)
        if (most[d] > 0) sizes_[c] += saturating_multiply(needs_[c][d], 1024) / most[d];
    }
    std::sort(by_size_.begin(), by_size_.end(), [this](std::uint32_t a, std::uint32_t b) {
      return sizes_[a] != sizes_[b] ? sizes_[a] > sizes_[b] : a < b;
    });
  }

  // ---- the patterns of one node

  [[nodiscard]] pod_count most_of(std::uint32_t c, const node& left, pod_count limit) const noexcept {
    for (std::size_t d = 0; d < dims; ++d)
      if (const amount need = needs_[c][d]; need > 0) limit = std::min(limit, left[d] / need);
    return limit;
  }
  [[nodiscard]] static bool covers(const node& left, const node& need) noexcept {
    bool all = true;
    for (std::size_t d = 0; d < dims; ++d) all = all && need[d] <= left[d];
    return all;
  }
  static void subtract(node& from, const node& need, pod_count pods) noexcept {
    for (std::size_t d = 0; d < dims; ++d) from[d] -= need[d] * pods;
  }
  void write() {
    for (const class_count one : counts_) to_->push_back(one);
  }

  /// Counts of the classes from order_[at] on, at least two; false if out of budget or patterns.
  [[nodiscard]] bool choose(std::size_t at, pod_count room, node left, search_budget& budget) {
    if (at + 2 == order_.size()) return choose_last_two(at, room, left, budget);
    const std::uint32_t c = order_[at];
    for (pod_count taken = 0;; ++taken) {
      counts_[c] = static_cast<class_count>(taken);
      if (!choose(at + 1, room - taken, left, budget)) return false;
      if (taken == std::min(room, alone_[c]) || !covers(left, needs_[c])) return true;
      subtract(left, needs_[c], 1);
    }
  }

  [[nodiscard]] bool choose_last_two(std::size_t at, pod_count room, node left, search_budget& budget) {
    const std::uint32_t one = order_[at], other = order_[at + 1];
    const node& its_need = needs_[one];
    const pod_count most = std::min(room, alone_[one]);
    pod_count taken = 0, rest = most_of(other, left, std::min(room, alone_[other]));
    subtract(left, needs_[other], rest);
    std::uint64_t steps = 0;
    for (;;) {
      ++steps;
      const bool full = taken + rest == room;
      const bool more_fits = !full && ((taken < alone_[one] && covers(left, its_need)) || earlier_fits(at, left));
      if (!more_fits) {
        counts_[one] = static_cast<class_count>(taken);
        counts_[other] = static_cast<class_count>(rest);
        write();
      }
      if (taken == most) break;
      ++taken;
      subtract(left, its_need, 1);
      const pod_count fewer = std::max(taken + rest - room, short_of(left, other));
      if (fewer > rest) break;
      rest -= fewer;
      subtract(left, needs_[other], -fewer);
      if (steps < budget_lot) continue;
      if (!budget.spend(steps) || to_->size() > full_) return false;
      steps = 0;
    }
    return budget.spend(steps) && to_->size() <= full_;
  }
  [[nodiscard]] bool earlier_fits(std::size_t at, const node& left) const noexcept {
    while (at-- > 0)
      if (static_cast<pod_count>(counts_[order_[at]]) < alone_[order_[at]] && covers(left, needs_[order_[at]]))
        return true;
    return false;
  }
  /// How many pods of a class less would leave nothing below zero; more than there are pods if none would do.
  [[nodiscard]] pod_count short_of(const node& left, std::uint32_t c) const noexcept {
    pod_count fewer = 0;
    for (std::size_t d = 0; d < dims; ++d) {
      if (left[d] >= 0) continue;
      const amount need = needs_[c][d];
      if (need == 0) return max_pods_per_group + 1;
      fewer = std::max<pod_count>(fewer, -left[d] <= need ? 1 : (need - 1 - left[d]) / need);
    }
    return fewer;
  }

  std::vector<node> needs_;  // of each class
  std::vector<class_count> demand_;
  pod_count total_ = 0;
  node asked_{}, unit_{};
  std::array<std::vector<std::uint16_t>, dims> sums_;  // the greatest sum of requests up to an amount
  std::array<std::vector<std::size_t>, dims> in_units_;  // what the classes need of a dimension, where they do
  std::vector<amount> sizes_;
  std::vector<std::uint32_t> by_size_, order_;  // order_: the classes to choose of a node
  std::vector<pod_count> alone_;                // of each class, where only it uses the node
  std::vector<class_count> counts_;
  std::vector<class_count>* to_ = nullptr;
  std::size_t full_ = 0;
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
