// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_PATTERNS_HPP
#define MUSTER_PLACEMENT_DETAIL_PATTERNS_HPP

/// \file
/// Which counts of each class of pods a node can host at once: its maximal patterns.
///
/// Nodes that are alike for the question are asked once. Where amounts alone decide, they are first brought to what
/// the requests can use of them: no more than all pods together ask, and rounded down to the greatest sum of requests.
/// That changes no pattern and makes most nodes alike. Nodes whose patterns come out equal are one list.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/hash.hpp>
#include <muster/placement/detail/budget.hpp>
#include <muster/placement/detail/mix.hpp>
#include <muster/placement/detail/pattern_lists.hpp>
#include <muster/resource/model.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

template <resource_model M>
class pattern_builder {
 public:
  using request = typename M::request_type;
  using state = typename M::state_type;
  static constexpr std::size_t dims = dimensions_of<M>;

  /// Starts afresh for these classes. The mix gets the lists, one group a list, with no sites yet.
  void start(std::span<const request> requests, mix& to) {
    requests_ = requests;
    to_ = &to;
    nodes_.clear();
    incomplete_ = false;
    table_.assign(64, none);
    lists_.start(to);
    if constexpr (additive) {
      order_by_size();
      find_useful_amounts();
    }
  }

  /// The list of a node; nullopt if there are too many patterns or the budget is out.
  /// \param may bit c: class c may use the node \param cap the most pods the node may take
  [[nodiscard]] std::optional<std::uint32_t> list_of(const state& left, std::uint64_t may, pod_count cap,
                                                     search_budget& budget) {
    node_key key{left, {}, may, cap};
    if constexpr (additive)
      for (std::size_t d = 0; d < dims; ++d) key.useful[d] = useful(d, M::amount_left(left, d));
    const std::uint64_t hash = hash_of(key);
    std::size_t at = hash & (table_.size() - 1);
    while (table_[at] != none) {
      const node_key& known = nodes_[table_[at]].key;
      if (nodes_[table_[at]].hash == hash && same(known, key)) return nodes_[table_[at]].list;
      at = (at + 1) & (table_.size() - 1);
    }
    const std::optional<std::uint32_t> list = enumerate(key, budget);
    if (!list) return list;
    table_[at] = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back({key, hash, *list});
    if (nodes_.size() * 2 > table_.size()) grow();
    return list;
  }

  /// Whether a node's answer was ever not known: then patterns may be missing, and a no proves nothing.
  [[nodiscard]] bool incomplete() const noexcept { return incomplete_; }

 private:
  static constexpr bool additive = [] {
    if constexpr (!dimensional_model<M>)
      return false;
    else {
      bool all = M::dimensions_decide;
      for (std::size_t d = 0; d < dims; ++d) all = all && M::adds_up(d);
      return all;
    }
  }();
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  static constexpr amount most_units = 4096;  // of the table of sums

  struct node_key {
    state left;
    std::array<amount, dims == 0 ? 1 : dims> useful;
    std::uint64_t may;
    pod_count cap;
  };
  struct known_node {
    node_key key;
    std::uint64_t hash;
    std::uint32_t list;
  };

  [[nodiscard]] static bool same(const node_key& a, const node_key& b) noexcept {
    if (a.may != b.may || a.cap != b.cap) return false;
    if constexpr (additive)
      return a.useful == b.useful;
    else
      return a.left == b.left;
  }
  [[nodiscard]] static std::uint64_t hash_of(const node_key& key) noexcept {
    hasher hash;
    hash.add(key.may).add(key.cap);
    if constexpr (additive) {
      for (const amount a : key.useful) hash.add(a);
    } else if constexpr (dims > 0) {
      for (std::size_t d = 0; d < dims; ++d) hash.add(M::amount_left(key.left, d));
    }
    return hash.value();
  }
  void grow() {
    table_.assign(table_.size() * 4, none);
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      std::size_t at = nodes_[i].hash & (table_.size() - 1);
      while (table_[at] != none) at = (at + 1) & (table_.size() - 1);
      table_[at] = i;
    }
  }

  // ---- amounts the requests can use

  void find_useful_amounts() {
    for (std::size_t d = 0; d < dims; ++d) {
      amount all = 0, unit = 0;
      for (std::size_t c = 0; c < requests_.size(); ++c) {
        all = saturating_add(all, saturating_multiply(needs_[c][d], static_cast<amount>(to_->demand[c])));
        unit = std::gcd(unit, needs_[c][d]);
      }
      asked_[d] = all;
      unit_[d] = unit;
      sums_[d].assign(1, 0);
    }
  }
  /// The greatest sum of requests up to an amount: the table is made as far as it is asked for.
  [[nodiscard]] amount useful(std::size_t d, amount left) {
    if (unit_[d] == 0) return left < 0 ? -1 : 0;  // nobody asks for it
    if (left < 0) return -1;
    const amount units = std::min(left, asked_[d]) / unit_[d];
    if (units > most_units) return units * unit_[d];
    auto& sums = sums_[d];
    for (std::size_t u = sums.size(); u <= static_cast<std::size_t>(units); ++u) {
      std::uint16_t sum = sums[u - 1];
      for (std::size_t c = 0; c < requests_.size() && sum != u; ++c) {
        const amount need = needs_[c][d] / unit_[d];
        if (need <= 0 || need > static_cast<amount>(u)) continue;
        const std::size_t rest = u - static_cast<std::size_t>(need);
        if (sums[rest] == rest) sum = static_cast<std::uint16_t>(u);
      }
      sums.push_back(sum);
    }
    return amount{sums[static_cast<std::size_t>(units)]} * unit_[d];
  }

  /// What every class needs, and all classes, the largest first: enumerated in one order, equal lists come out alike.
  void order_by_size() {
    const std::size_t classes = requests_.size();
    needs_.assign(classes, {});
    std::array<amount, dims == 0 ? 1 : dims> most{};
    for (std::size_t c = 0; c < classes; ++c)
      for (std::size_t d = 0; d < dims; ++d) {
        needs_[c][d] = std::max<amount>(0, M::amount_needed(requests_[c], d));
        most[d] = std::max(most[d], needs_[c][d]);
      }
    sizes_.assign(classes, 0);
    by_size_.resize(classes);
    for (std::size_t c = 0; c < classes; ++c) {
      by_size_[c] = static_cast<std::uint32_t>(c);
      for (std::size_t d = 0; d < dims; ++d)
        if (most[d] > 0) sizes_[c] += saturating_multiply(needs_[c][d], 1024) / most[d];
    }
    std::sort(by_size_.begin(), by_size_.end(), [this](std::uint32_t a, std::uint32_t b) {
      return sizes_[a] != sizes_[b] ? sizes_[a] > sizes_[b] : a < b;
    });
  }

  // ---- the patterns of one node

  [[nodiscard]] std::optional<std::uint32_t> enumerate(const node_key& key, search_budget& budget) {
    const std::size_t classes = requests_.size();
    counts_.assign(classes, 0);
    order_.resize(classes);
    alone_.resize(classes);
    for (std::size_t c = 0; c < classes; ++c) {
      order_[c] = static_cast<std::uint32_t>(c);
      const pod_count limit = std::min<pod_count>(key.cap, to_->demand[c]);
      alone_[c] = (key.may >> c & 1U) == 0 || limit <= 0 ? 0 : M::count_fitting(key.left, requests_[c], limit);
    }
    if constexpr (additive) {  // classes the node cannot take are left out: the last one takes what is left
      order_.clear();
      for (const std::uint32_t c : by_size_)
        if (alone_[c] > 0) order_.push_back(c);
    } else {  // the class of which most fit comes last
      std::sort(order_.begin(), order_.end(), [this](std::uint32_t a, std::uint32_t b) {
        return alone_[a] != alone_[b] ? alone_[a] < alone_[b] : a < b;
      });
    }
    const std::size_t first = to_->counts.size();
    bool good = true;
    if constexpr (additive) {
      amounts_ = key.useful;
      // amounts nobody asks for do not matter, others are as in the key
      good = choose(0, key.cap, budget);
    } else {
      state_ = key.left;
      good = choose(0, key.cap, budget);
    }
    if (!good || to_->counts.size() / classes > most_patterns) {
      to_->counts.resize(first);
      return std::nullopt;
    }
    if constexpr (!additive) lists_.sort(first);
    return lists_.merge(first);
  }

  /// Counts of the classes from order_[at] on; false if out of budget or patterns.
  [[nodiscard]] bool choose(std::size_t at, pod_count room, search_budget& budget) {
    if (at == order_.size()) {
      const bool maximal = is_maximal(room);
      if (!budget.spend(1 + std::exchange(steps_, 0)) || to_->counts.size() / counts_.size() > most_patterns)
        return false;
      if (!maximal) return true;
      to_->counts.insert(to_->counts.end(), counts_.begin(), counts_.end());
      return true;
    }
    const std::uint32_t c = order_[at];
    const pod_count most = std::min(room, alone_[c]);
    if (at + 1 == order_.size() || takes_nothing(c, room)) {
      const pod_count taken = take_most(c, most);
      const bool good = choose(at + 1, room - taken, budget);
      take(c, -taken);
      return good;
    }
    pod_count taken = 0;
    bool good = true;
    for (;;) {
      good = choose(at + 1, room - taken, budget);
      if (!good || taken == most || !take(c, 1)) break;
      ++taken;
    }
    take(c, -taken);
    return good;
  }

  /// Whether the class uses nothing that others could: then as many as there are.
  [[nodiscard]] bool takes_nothing(std::uint32_t c, pod_count room) const noexcept {
    if constexpr (additive) {
      for (std::size_t d = 0; d < dims; ++d)
        if (needs_[c][d] > 0) return false;
      return room >= static_cast<pod_count>(std::accumulate(to_->demand.begin(), to_->demand.end(), std::uint64_t{0}));
    } else {
      return false;
    }
  }
  [[nodiscard]] pod_count most_of(std::uint32_t c, pod_count limit) const noexcept {
    if constexpr (additive)
      for (std::size_t d = 0; d < dims; ++d)
        if (const amount need = needs_[c][d]; need > 0)
          limit = std::min(limit, std::max<amount>(0, amounts_[d]) / need);
    return limit;
  }
  /// Adds as many pods of a class as fit, at most `most`: one more would not. Tries all of them, then bisects.
  [[nodiscard]] pod_count take_most(std::uint32_t c, pod_count most) {
    pod_count low = 0, tried = additive ? most_of(c, most) : most;
    for (pod_count high = most; low < high; tried = low + (high - low + 1) / 2) {
      if (take(c, tried - low)) low = tried;
      else high = tried - 1;
      if (additive) break;
    }
    return low;
  }
  /// Adds pods of a class (or takes them away); false, with nothing changed, if they do not fit.
  bool take(std::uint32_t c, pod_count pods) {
    if (pods == 0) return true;
    if constexpr (additive) {
      if (pods == 1 ? !one_fits(c) : pods > 0 && most_of(c, pods) < pods) return false;
      for (std::size_t d = 0; d < dims; ++d) amounts_[d] -= needs_[c][d] * pods;
      counts_[c] = static_cast<class_count>(static_cast<pod_count>(counts_[c]) + pods);
      return true;
    } else {
      counts_[c] = static_cast<class_count>(static_cast<pod_count>(counts_[c]) + pods);
      if (pods < 0 || hosted()) return true;
      counts_[c] = static_cast<class_count>(static_cast<pod_count>(counts_[c]) - pods);
      return false;
    }
  }
  [[nodiscard]] bool hosted() {
    wide_counts_.assign(counts_.begin(), counts_.end());
    const hosting answer =
        muster::hosts<M>(state_, requests_, std::span<const pod_count>{wide_counts_}, ignore_grants{}, steps_);
    incomplete_ = incomplete_ || answer == hosting::unknown;
    return answer == hosting::yes;
  }
  [[nodiscard]] bool one_fits(std::uint32_t c) const noexcept {
    bool fits = true;
    for (std::size_t d = 0; d < dims; ++d) fits = fits && (needs_[c][d] == 0 || needs_[c][d] <= amounts_[d]);
    return fits;
  }
  [[nodiscard]] bool is_maximal(pod_count room) {
    if (room <= 0) return true;
    if constexpr (additive) {
      return std::none_of(order_.begin(), order_.end(), [this](std::uint32_t c) {
        return static_cast<pod_count>(counts_[c]) < alone_[c] && one_fits(c);
      });
    } else {
      for (const std::uint32_t c : order_) {
        if (static_cast<pod_count>(counts_[c]) >= alone_[c]) continue;
        if (!take(c, 1)) continue;
        take(c, -1);
        return false;
      }
      return true;
    }
  }

  std::span<const request> requests_;
  mix* to_ = nullptr;
  std::vector<known_node> nodes_;
  std::vector<std::uint32_t> table_;
  std::array<std::vector<std::uint16_t>, dims == 0 ? 1 : dims> sums_;  // the greatest sum of requests up to an amount
  std::array<amount, dims == 0 ? 1 : dims> asked_{}, unit_{}, amounts_{};
  state state_{};
  pattern_lists lists_;
  std::vector<class_count> counts_;
  std::vector<pod_count> alone_, wide_counts_;
  std::vector<std::uint32_t> order_, by_size_;
  std::vector<std::array<amount, dims == 0 ? 1 : dims>> needs_;  // of each class
  std::vector<amount> sizes_;
  std::uint64_t steps_ = 0;  // that the model took and the budget does not know of yet
  bool incomplete_ = false;
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
