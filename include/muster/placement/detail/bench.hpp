// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_BENCH_HPP
#define MUSTER_PLACEMENT_DETAIL_BENCH_HPP

/// \file
/// A work bench for unlike pods: the nodes of one domain laid out side by side, packed by the four greedy orders
/// (first fit in pod set order, first fit decreasing, best fit decreasing, first fit increasing) and mended by
/// ejection chains.
///
/// Size of a pod: the greatest share of any dimension of the largest node; ties by the sum of shares, then pod set
/// order. Nodes stand in the order of the host's keys. Best fit: the least sum of remaining shares after placing.
///
/// Repair: to seat one more pod, eject pods of another set from a node and seat those elsewhere, at most two deep.
/// It may fail where a placement exists; a failure here proves nothing.

#include <muster/cluster/overlay.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
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
class bench {
 public:
  using state = typename M::state_type;
  static constexpr std::size_t dims = dimensions_of<M>;

  /// One pod on the bench.
  struct sitting {
    std::uint32_t node = 0;  ///< on the bench
    std::uint32_t pod_set = 0;
    typename M::grant_type grant{};
  };

  void clear(const demand<M>& of) {
    demand_ = &of;
    nodes_.clear();
  }

  /// Lays a node out. \param may bit s: pod set s may use it
  void add_node(std::uint32_t position, node_id id, const state& left, const state& empty, std::uint64_t may) {
    nodes_.push_back({left, position, id, may});
    if constexpr (dims > 0) {
      if (nodes_.size() == 1) largest_.fill(1);
      for (std::size_t d = 0; d < dims; ++d) largest_[d] = std::max(largest_[d], M::amount_left(empty, d));
    }
  }
  [[nodiscard]] bool empty() const noexcept { return nodes_.empty(); }

  /// Puts the nodes in the order of their keys and the pod sets in the order of their sizes.
  void arrange() {
    std::sort(nodes_.begin(), nodes_.end(), [](const place& a, const place& b) { return a.id < b.id; });
    by_size_.resize(demand_->sets.size());
    std::iota(by_size_.begin(), by_size_.end(), std::uint32_t{0});
    std::sort(by_size_.begin(), by_size_.end(),
              [this](std::uint32_t a, std::uint32_t b) { return larger(a, b) || (a < b && !larger(b, a)); });
  }

  /// Packs up to `most` pods afresh; how many sit. Minima of all sets are seated before any other pod.
  pod_count pack(packing how, spread<M>& room, const snapshot<M>& view, pod_count most, std::uint64_t& steps) {
    start(room, view);
    const std::size_t sets = demand_->sets.size();
    pod_count total = 0;
    for (const bool minima : {true, false}) {
      for (std::size_t i = 0; i < sets; ++i) {
        const std::uint32_t s = how == packing::first_fit              ? static_cast<std::uint32_t>(i)
                                : how == packing::first_fit_increasing ? by_size_[sets - 1 - i]
                                                                       : by_size_[i];
        const set_demand& set = demand_->sets[s];
        const pod_count wanted = std::min(minima ? set.required : set.pending - set.required, most - total);
        total += fill(s, wanted, how == packing::best_fit_decreasing, room, steps);
      }
    }
    return total;
  }

  /// Tries to seat more pods until `wanted` sit or the budget is spent; how many sit then.
  pod_count repair(spread<M>& room, pod_count wanted, std::uint64_t budget, std::uint64_t& steps) {
    bool moved = true;
    while (moved && static_cast<pod_count>(pods_.size()) < wanted && steps < budget) {
      moved = false;
      for (const bool minima : {true, false}) {
        for (std::uint32_t s = 0; s < demand_->sets.size() && !moved; ++s) {
          const set_demand& set = demand_->sets[s];
          const pod_count goal = minima ? set.required : set.pending;
          if (seated_[s] < goal) moved = insert(s, 2, room, budget, steps);
        }
      }
    }
    return static_cast<pod_count>(pods_.size());
  }

  /// Whether every pod set has its required pods.
  [[nodiscard]] bool minima_sit() const noexcept {
    for (std::size_t s = 0; s < seated_.size(); ++s)
      if (seated_[s] < demand_->sets[s].required) return false;
    return true;
  }
  [[nodiscard]] std::span<const sitting> pods() const noexcept { return pods_; }
  [[nodiscard]] std::uint32_t position(const sitting& pod) const noexcept { return nodes_[pod.node].position; }
  [[nodiscard]] node_id id(const sitting& pod) const noexcept { return nodes_[pod.node].id; }
  [[nodiscard]] pod_count seated(std::size_t pod_set) const noexcept { return seated_[pod_set]; }

 private:
  struct place {
    state left;
    std::uint32_t position;
    node_id id;
    std::uint64_t may;
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
        sum_a += share(M::amount_needed(request(a), d), largest_[d]);
        sum_b += share(M::amount_needed(request(b), d), largest_[d]);
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

  void start(spread<M>& room, const snapshot<M>& view) {
    room.reset(view, *demand_);
    left_.clear();
    for (const place& node : nodes_) left_.push_back(node.left);
    pods_.clear();
    seated_.assign(demand_->sets.size(), 0);
    on_node_.assign(nodes_.size() * seated_.size(), 0);
    log_.clear();
  }

  [[nodiscard]] bool may(std::uint32_t node, std::uint32_t s) const noexcept {
    return (nodes_[node].may >> s & 1U) != 0;
  }

  pod_count fill(std::uint32_t s, pod_count wanted, bool best_fit, spread<M>& room, std::uint64_t& steps) {
    if (wanted <= 0) return 0;
    const auto ready = prepare<M>(request(s));
    order_.clear();
    for (std::uint32_t n = 0; n < nodes_.size(); ++n)
      if (may(n, s) && M::count_fitting(left_[n], ready, 1) == 1) order_.push_back(n);
    steps += nodes_.size();
    if constexpr (dims > 0) {
      if (best_fit) {
        keys_.resize(nodes_.size());
        for (const std::uint32_t n : order_) {
          keys_[n] = 0;
          for (std::size_t d = 0; d < dims; ++d) keys_[n] += share(M::amount_left(left_[n], d), largest_[d]);
        }
        std::sort(order_.begin(), order_.end(), [this](std::uint32_t a, std::uint32_t b) {
          return keys_[a] != keys_[b] ? keys_[a] < keys_[b] : a < b;
        });
      }
    }
    pod_count done = 0;
    for (const std::uint32_t n : order_) {
      while (done < wanted && sit(s, n, room)) ++done;
      if (done == wanted) break;
    }
    return done;
  }

  bool sit(std::uint32_t s, std::uint32_t n, spread<M>& room) {
    sitting pod{n, s, {}};
    if (!may(n, s) || room.room(nodes_[n].position, 1) == 0) return false;
    if (M::allocate(left_[n], request(s), 1, pod.grant) != 1) return false;
    if (!room.unlimited()) room.add(nodes_[n].position, 1);
    pods_.push_back(pod);
    count(pod, 1);
    log_.push_back({pods_.size() - 1, pod, true});
    return true;
  }
  void stand_up(std::size_t i, spread<M>& room) {
    const sitting pod = pods_[i];
    M::release(left_[pod.node], pod.grant);
    if (!room.unlimited()) room.add(nodes_[pod.node].position, -1);
    pods_.erase(pods_.begin() + static_cast<std::ptrdiff_t>(i));
    count(pod, -1);
    log_.push_back({i, pod, false});
  }
  void count(const sitting& pod, pod_count n) noexcept {
    seated_[pod.pod_set] += n;
    on_node_[pod.node * seated_.size() + pod.pod_set] += n;
  }
  /// Takes back every sit and stand_up since the log was `length` long, the newest first.
  void undo(std::size_t length, spread<M>& room) {
    for (; log_.size() > length; log_.pop_back()) {
      const move& last = log_.back();
      if (last.sat) {
        M::release(left_[last.pod.node], last.pod.grant);
        pods_.pop_back();
      } else {
        M::charge(left_[last.pod.node], last.pod.grant);
        pods_.insert(pods_.begin() + static_cast<std::ptrdiff_t>(last.index), last.pod);
      }
      const pod_count n = last.sat ? -1 : 1;
      if (!room.unlimited()) room.add(nodes_[last.pod.node].position, n);
      count(last.pod, n);
    }
  }

  /// Seats one pod of set s, ejecting others up to `depth` deep. On failure the bench is as it was.
  bool insert(std::uint32_t s, int depth, spread<M>& room, std::uint64_t budget, std::uint64_t& steps) {
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
      if (++steps >= budget) return false;
      if (sit(s, n, room)) return true;
    }
    if (depth == 0) return false;
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
      if (!may(n, s)) continue;
      for (std::uint32_t other = 0; other < demand_->sets.size(); ++other)
        if (other != s && on_node_[n * seated_.size() + other] > 0 && displace(s, other, n, depth, room, budget, steps))
          return true;
      if (steps >= budget) return false;
    }
    return false;
  }

  /// Seats one pod of set s on node n in place of a few of `other`, which must find seats elsewhere.
  bool displace(std::uint32_t s, std::uint32_t other, std::uint32_t n, int depth, spread<M>& room, std::uint64_t budget,
                std::uint64_t& steps) {
    const std::size_t before = log_.size();
    int ejected = 0;
    bool seated = false;
    for (std::size_t i = pods_.size(); i-- > 0 && !seated && ejected < most_ejected;) {
      if (pods_[i].node != n || pods_[i].pod_set != other) continue;
      stand_up(i, room);
      ++ejected;
      seated = sit(s, n, room);
    }
    steps += pods_.size() / 8 + 1;
    while (seated && ejected > 0 && insert(other, depth - 1, room, budget, steps)) --ejected;
    if (seated && ejected == 0) return true;
    undo(before, room);
    return false;
  }

  static constexpr int most_ejected = 4;
  struct move {
    std::size_t index;
    sitting pod;
    bool sat;
  };

  const demand<M>* demand_ = nullptr;
  std::vector<place> nodes_;
  std::vector<state> left_;
  std::vector<sitting> pods_;
  std::vector<pod_count> seated_, on_node_;  // on_node_: node x pod set
  std::vector<move> log_;
  std::vector<std::uint32_t> by_size_, order_;
  std::vector<amount> keys_;
  std::array<amount, dims == 0 ? 1 : dims> largest_{};
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
