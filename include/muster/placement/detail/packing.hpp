// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_PACKING_HPP
#define MUSTER_PLACEMENT_DETAIL_PACKING_HPP

/// \file
/// The four greedy orders for unlike pods: first fit in pod set order, first fit decreasing, best fit decreasing, first
/// fit increasing. What exact search cannot decide within its budget gets at least the best of them.
///
/// Size of a pod: the greatest share of any dimension of the largest node; ties by the sum of shares, then pod set
/// order. Nodes stand in the order of the host's keys. Best fit: the least sum of remaining shares. Minima of all
/// sets are seated before any other pod.

#include <muster/cluster/overlay.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/search_budget.hpp>
#include <muster/placement/answer.hpp>
#include <muster/placement/detail/demand.hpp>
#include <muster/placement/detail/seating.hpp>
#include <muster/placement/detail/spread.hpp>
#include <muster/resource/model.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

enum class packing : std::uint8_t { first_fit, first_fit_decreasing, best_fit_decreasing, first_fit_increasing };
inline constexpr std::array all_packings{packing::first_fit, packing::first_fit_decreasing,
                                         packing::best_fit_decreasing, packing::first_fit_increasing};

template <resource_model M>
class packer {
 public:
  using state = typename M::state_type;
  static constexpr std::size_t dims = dimensions_of<M>;

  /// Lays the open nodes of a domain out as they are now.
  template <class Query>
  void lay_out(Query& q, std::uint32_t domain) {
    demand_ = &q.wanted();
    q.space.room.look_at(q.view, tense::now);
    largest_.fill(1);
    list_nodes_of_pending(q, domain, tense::now);
    nodes_.clear();
    for (const listed_node& one : q.space.listed)
      nodes_.push_back({q.view.now(one.position), one.position, q.view.base().id(one.position)});
    std::sort(nodes_.begin(), nodes_.end(), [](const place& a, const place& b) { return a.id < b.id; });
    if constexpr (dims > 0)
      for (const place& node : nodes_) {
        const state empty = q.view.base().empty(node.position);
        for (std::size_t d = 0; d < dims; ++d) largest_[d] = std::max(largest_[d], M::amount_left(empty, d));
      }
    by_size_.resize(demand_->sets.size());
    std::iota(by_size_.begin(), by_size_.end(), std::uint32_t{0});
    std::sort(by_size_.begin(), by_size_.end(),
              [this](std::uint32_t a, std::uint32_t b) { return larger(a, b) || (a < b && !larger(b, a)); });
  }

  /// Packs up to `most` pods afresh into `seats`. \pre the domain was laid out last \complexity O(s n log n)
  template <class Query>
  void pack(packing how, Query& q, std::uint32_t domain, pod_count most, std::vector<seat<M>>& seats,
            search_budget& budget) {
    q.space.room.reset(q.view.base(), *demand_);
    left_.clear();
    for (const place& node : nodes_) left_.push_back(node.left);
    seats.clear();
    const std::size_t sets = demand_->sets.size();
    pod_count total = 0;
    for (const bool minima : {true, false})
      for (std::size_t i = 0; i < sets; ++i) {
        const std::uint32_t s = how == packing::first_fit              ? static_cast<std::uint32_t>(i)
                                : how == packing::first_fit_increasing ? by_size_[sets - 1 - i]
                                                                       : by_size_[i];
        const set_demand& set = demand_->sets[s];
        const pod_count wanted = std::min(minima ? set.required : set.pending - set.required, most - total);
        if (wanted > 0 && budget.spend(nodes_.size()))
          total += fill(s, q.runs_of(s, domain), wanted, how == packing::best_fit_decreasing, q.space.room, seats);
      }
  }

 private:
  struct place {
    state left;
    std::uint32_t position;
    node_id id;
  };

  [[nodiscard]] const typename M::request_type& request(std::uint32_t s) const noexcept {
    return demand_->group->pod_sets[s].request;
  }
  /// amount / whole in units of 2^-14. Amounts are at most 2^48.
  [[nodiscard]] static amount share(amount part, amount whole) noexcept { return (part << 14) / whole; }

  [[nodiscard]] bool larger(std::uint32_t a, std::uint32_t b) const noexcept {
    if constexpr (dims > 0) {
      // the greater of two maxima of fractions, exactly: compare every fraction of one with the maximum of the other
      std::size_t da = 0, db = 0;
      for (std::size_t d = 1; d < dims; ++d) {
        if (less_share(a, da, a, d)) da = d;
        if (less_share(b, db, b, d)) db = d;
      }
      if (less_share(b, db, a, da)) return true;
      if (less_share(a, da, b, db)) return false;
      amount sum_a = 0, sum_b = 0;
      for (std::size_t d = 0; d < dims; ++d) {
        sum_a = saturating_add(sum_a, share(M::amount_needed(request(a), d), largest_[d]));
        sum_b = saturating_add(sum_b, share(M::amount_needed(request(b), d), largest_[d]));
      }
      return sum_a > sum_b;
    } else {
      return false;
    }
  }
  /// Whether set a's share of dimension da is below set b's share of db.
  [[nodiscard]] bool less_share(std::uint32_t a, std::size_t da, std::uint32_t b, std::size_t db) const noexcept {
    return less_fraction(M::amount_needed(request(a), da), largest_[da], M::amount_needed(request(b), db),
                         largest_[db]);
  }
  /// a / b < c / d for non-negative a, c and positive b, d, without products (continued fractions).
  [[nodiscard]] static bool less_fraction(amount a, amount b, amount c, amount d) noexcept {
    bool flipped = false;
    for (;;) {
      const amount p = a / b, q = c / d;
      if (p != q) return (p < q) != flipped;
      a -= p * b;
      c -= q * d;
      if (a == 0 || c == 0) return flipped ? (c == 0 && a != 0) : (a == 0 && c != 0);
      std::swap(a, b);
      std::swap(c, d);
      flipped = !flipped;
    }
  }

  pod_count fill(std::uint32_t s, std::span<const run> allowed, pod_count wanted, bool best_fit, spread<M>& room,
                 std::vector<seat<M>>& seats) {
    const auto ready = prepare<M>(request(s));
    const auto may = [allowed](std::uint32_t p) {
      const auto behind = std::upper_bound(allowed.begin(), allowed.end(), p,
                                           [](std::uint32_t position, const run& one) { return position < one.last; });
      return behind != allowed.end() && behind->first <= p;
    };
    order_.clear();
    for (std::uint32_t n = 0; n < nodes_.size(); ++n)
      if (may(nodes_[n].position) && M::count_fitting(left_[n], ready, 1) == 1) order_.push_back(n);
    if constexpr (dims > 0) {
      if (best_fit) {
        keys_.resize(nodes_.size());
        for (const std::uint32_t n : order_) {
          keys_[n] = 0;
          for (std::size_t d = 0; d < dims; ++d)
            keys_[n] += share(std::max<amount>(0, M::amount_left(left_[n], d)), largest_[d]);
        }
        std::sort(order_.begin(), order_.end(), [this](std::uint32_t a, std::uint32_t b) {
          return keys_[a] != keys_[b] ? keys_[a] < keys_[b] : a < b;
        });
      }
    }
    pod_count done = 0;
    for (const std::uint32_t n : order_) {
      pod_count here = room.room(nodes_[n].position, std::min(wanted - done, max_pods_per_node));
      while (here > 0) {
        seat<M> one;
        one.count = M::allocate(left_[n], request(s), here, one.grant);
        if (one.count <= 0) break;
        one.node = nodes_[n].id;
        one.position = nodes_[n].position;
        one.pod_set = s;
        seats.push_back(one);
        if (!room.unlimited()) room.add(one.position, one.count);
        here -= one.count;
        done += one.count;
      }
      if (done == wanted) break;
    }
    return done;
  }

  const demand<M>* demand_ = nullptr;
  std::vector<place> nodes_;
  std::vector<state> left_;
  std::vector<std::uint32_t> by_size_, order_;
  std::vector<amount> keys_;
  std::array<amount, dims == 0 ? 1 : dims> largest_{};
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
