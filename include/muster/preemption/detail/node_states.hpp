// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PREEMPTION_DETAIL_NODE_STATES_HPP
#define MUSTER_PREEMPTION_DETAIL_NODE_STATES_HPP

/// \file
/// What a node can give the gang, and whose eviction it takes.
///
/// A *state* of a node is a set of units that are evicted there and a pattern, the pods of each set that then sit on
/// it. Listed are those worth having: no pod more fits with these units out, none of the units could stay, and no other
/// state of the node gives as much for less. The empty state, nobody evicted and nobody seated, is left out.
///
/// A list may promise more than there is, never less: where a node has too many residents to try all their sets, the
/// cheapest are taken for gone at no cost; where it has too many patterns, it is given the most pods of each set at
/// once. Once the steps that lists may take are spent, both are so of every further node.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/resource/model.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace muster::inline MUSTER_ABI::preemption_detail {

/// A unit with pods on a node.
template <resource_model M>
struct resident {
  std::uint32_t unit = 0;
  std::int64_t cost = 0;   ///< of evicting it, if it lives here alone; else 0: the unit is paid for elsewhere
  bool local = false;      ///< it lives here alone
  std::uint32_t alike = no_resident;  ///< of local ones that free the same at the same cost: the one before
  std::span<const typename M::grant_type* const> grants{};

  static constexpr std::uint32_t no_resident = ~std::uint32_t{0};
};

/// The states of nodes, each with its pattern and units.
struct state_list {
  struct state {
    std::uint32_t first_unit = 0, units = 0;  ///< of `units`
    std::int64_t cost = 0;                    ///< of the units that live there alone
  };
  std::size_t sets = 0;
  std::vector<state> states;
  std::vector<std::int32_t> pods;  ///< of each state, a count for each set
  std::vector<std::uint32_t> units;

  void clear(std::size_t set_count) {
    sets = set_count;
    states.clear();
    pods.clear();
    units.clear();
  }
  [[nodiscard]] std::span<const std::int32_t> pods_of(std::size_t index) const noexcept {
    return std::span{pods}.subspan(index * sets, sets);
  }
  [[nodiscard]] std::span<const std::uint32_t> units_of(const state& one) const noexcept {
    return std::span{units}.subspan(one.first_unit, one.units);
  }

  /// Of the states from `first` on.
  [[nodiscard]] std::uint64_t hash(std::size_t first) const noexcept {
    std::uint64_t mixed = 0;
    const auto mix = [&](std::uint64_t word) { mixed = std::rotl((mixed ^ word) * 0x9e3779b97f4a7c15U, 29); };
    for (std::size_t s = first; s < states.size(); ++s) {
      for (const std::int32_t count : pods_of(s)) mix(static_cast<std::uint64_t>(count));
      for (const std::uint32_t unit : units_of(states[s])) mix(unit);
    }
    return mixed;
  }
  /// Whether the states from `first` on are those from `from` to `to`, in the same order.
  [[nodiscard]] bool repeats(std::size_t first, std::size_t from, std::size_t to) const {
    const auto equal = [](auto x, auto y) { return std::equal(x.begin(), x.end(), y.begin(), y.end()); };
    if (states.size() - first != to - from) return false;
    for (std::size_t s = 0; s < to - from; ++s) {
      const state &a = states[first + s], &b = states[from + s];
      if (a.cost != b.cost || !equal(units_of(a), units_of(b)) ||
          !equal(pods_of(first + s), pods_of(from + s)))
        return false;
    }
    return true;
  }
  /// Takes the states from `first` on out.
  void cut(std::size_t first) {
    units.resize(states[first].first_unit);
    pods.resize(first * sets);
    states.resize(first);
  }
};

/// Lists the states of one node after another.
template <resource_model M>
class state_lister {
 public:
  /// \param requests of the sets that wait \param waiting pods of each \param most pods of the gang on one node
  /// \param additive whether the cost of units is the sum of their costs: else no unit stands for another
  /// \param steps that all lists together may take \pre what the spans name outlives the lists
  void start(std::span<const typename M::request_type> requests, std::span<const pod_count> waiting, pod_count most,
             bool additive, std::uint64_t steps) {
    requests_ = requests;
    waiting_ = waiting;
    most_ = most;
    additive_ = additive;
    most_steps_ = steps;
    steps_ = 0;
    dropped_.clear();
    counts_.assign(requests.size(), 0);
  }

  /// Steps spent: patterns looked at.
  [[nodiscard]] std::uint64_t steps() const noexcept { return steps_; }
  /// Units that were taken for gone at no cost, on some node.
  [[nodiscard]] std::span<const std::uint32_t> dropped() const noexcept { return dropped_; }

  /// Adds the states of the next node.
  /// \param left what is left on it while all its residents stay \param may for each set, whether it may use the node
  /// \param residents reordered
  void list(const typename M::state_type& left, std::span<const std::uint8_t> may,
            std::vector<resident<M>>& residents, state_list& to) {
    may_ = may;
    typename M::state_type start = left;
    keep_few(residents, start);
    const std::size_t masks = std::size_t{1} << residents.size();
    lists_.resize(masks + 1);
    patterns_.clear();
    found_.clear();
    for (std::size_t mask = 0; mask < masks; ++mask) {
      lists_[mask] = patterns_.size();
      if (breaks_order(residents, mask)) continue;
      typename M::state_type with = start;
      std::int64_t cost = 0;
      for (std::size_t r = 0; r < residents.size(); ++r) {
        if ((mask >> r & 1U) == 0) continue;
        for (const auto* grant : residents[r].grants) M::release(with, *grant);
        cost = saturating_add(cost, residents[r].cost);
      }
      add_patterns(with);
      lists_[mask + 1] = patterns_.size();
      for (std::size_t p = lists_[mask]; p < patterns_.size(); p += sets())
        if (!seats_nobody(p) && nobody_may_stay(residents, mask, p)) found_.push_back({mask, p, cost});
    }
    lists_[masks] = patterns_.size();
    write(residents, to);
  }

 private:
  static constexpr std::size_t most_residents = 10;
  static constexpr std::size_t most_patterns = 256;  // of one set of units
  static constexpr std::size_t most_ways = 8192;     // to find them

  struct found_state {
    std::size_t mask = 0, pattern = 0;
    std::int64_t cost = 0;
  };

  [[nodiscard]] std::size_t sets() const noexcept { return requests_.size(); }

  /// Takes for gone what is over the most that are tried: those whose units are the cheapest.
  void keep_few(std::vector<resident<M>>& residents, typename M::state_type& left) {
    const std::size_t most = steps_ < most_steps_ ? most_residents : 0;
    if (residents.size() > most) {
      std::sort(residents.begin(), residents.end(), [](const resident<M>& a, const resident<M>& b) {
        if (a.local != b.local) return !a.local;
        return a.cost != b.cost ? a.cost > b.cost : a.unit < b.unit;
      });
      for (std::size_t r = most; r < residents.size(); ++r) {
        for (const auto* grant : residents[r].grants) M::release(left, *grant);
        dropped_.push_back(residents[r].unit);
      }
      residents.resize(most);
    }
    for (std::size_t r = 0; r < residents.size(); ++r) {
      residents[r].alike = resident<M>::no_resident;
      if (!additive_) continue;
      for (std::size_t before = r; before-- > 0;)
        if (are_alike(residents[before], residents[r])) {
          residents[r].alike = static_cast<std::uint32_t>(before);
          break;
        }
    }
  }
  [[nodiscard]] static bool are_alike(const resident<M>& a, const resident<M>& b) {
    if constexpr (!M::grant_follows_from_request) return false;
    else
      return a.local && b.local && a.cost == b.cost && a.grants.size() == 1 && b.grants.size() == 1 &&
             *a.grants[0] == *b.grants[0];
  }
  /// Of residents that are alike the first go first.
  [[nodiscard]] static bool breaks_order(const std::vector<resident<M>>& residents, std::size_t mask) noexcept {
    for (std::size_t r = 0; r < residents.size(); ++r)
      if ((mask >> r & 1U) != 0 && residents[r].alike != resident<M>::no_resident &&
          (mask >> residents[r].alike & 1U) == 0)
        return true;
    return false;
  }

  void add_patterns(const typename M::state_type& state) {
    const std::size_t first = patterns_.size();
    std::fill(counts_.begin(), counts_.end(), 0);
    ways_ = 0;
    if (steps_ >= most_steps_ || !extend(state, 0, most_, first)) {
      patterns_.resize(first);
      for (std::size_t k = 0; k < sets(); ++k) counts_[k] = room(state, k, most_);
      patterns_.insert(patterns_.end(), counts_.begin(), counts_.end());
    }
  }
  [[nodiscard]] pod_count room(const typename M::state_type& state, std::size_t k, pod_count most) {
    ++steps_;
    const pod_count limit = std::min(most, waiting_[k]);
    return may_[k] == 0 || limit <= 0 ? 0 : M::count_fitting(state, requests_[k], limit);
  }
  /// Whether the pods chosen so far fit on the node together.
  [[nodiscard]] bool hosted(const typename M::state_type& state) {
    return hosts<M>(state, requests_, std::span<const pod_count>{counts_}, ignore_grants{}, steps_) != hosting::no;
  }
  /// Every way to go on from set k; false: there are too many.
  [[nodiscard]] bool extend(const typename M::state_type& left, std::size_t k, pod_count most, std::size_t first) {
    for (pod_count count = room(left, k, most); count >= 0; --count) {
      counts_[k] = count;
      const bool last = k + 1 == sets();
      if constexpr (M::grant_follows_from_request) {
        if (last) {
          if (!add_if_new(first)) return false;
          break;
        }
        typename M::state_type rest = left;
        typename M::grant_type grant{};
        if (count > 0) (void)M::allocate(rest, requests_[k], count, grant);
        if (!extend(rest, k + 1, most - count, first)) return false;
      } else {
        if (count > 0 && !hosted(left)) continue;
        if (last) {
          if (!add_if_new(first)) return false;
          break;
        }
        if (!extend(left, k + 1, most - count, first)) return false;
      }
    }
    counts_[k] = 0;
    return true;
  }
  /// Unless another pattern holds as many of each set; false: there are too many.
  [[nodiscard]] bool add_if_new(std::size_t first) {
    steps_ += (patterns_.size() - first) / sets();
    if (++ways_ > most_ways) return false;
    for (std::size_t p = first; p < patterns_.size(); p += sets())
      if (std::equal(counts_.begin(), counts_.end(), patterns_.begin() + static_cast<std::ptrdiff_t>(p),
                     [](pod_count mine, pod_count other) { return mine <= other; }))
        return true;
    patterns_.insert(patterns_.end(), counts_.begin(), counts_.end());
    return (patterns_.size() - first) / sets() <= most_patterns;
  }
  [[nodiscard]] bool seats_nobody(std::size_t pattern) const noexcept {
    for (std::size_t k = 0; k < sets(); ++k)
      if (patterns_[pattern + k] > 0) return false;
    return true;
  }
  [[nodiscard]] bool holds(std::size_t larger, std::size_t pattern) const noexcept {
    for (std::size_t k = 0; k < sets(); ++k)
      if (patterns_[larger + k] < patterns_[pattern + k]) return false;
    return true;
  }
  /// Whether the pattern needs every one of the units to be out.
  [[nodiscard]] bool nobody_may_stay(const std::vector<resident<M>>& residents, std::size_t mask, std::size_t pattern) {
    for (std::size_t r = 0; r < residents.size(); ++r) {
      if ((mask >> r & 1U) == 0) continue;
      const std::size_t without = mask & ~(std::size_t{1} << r);
      for (std::size_t p = lists_[without]; p < lists_[without + 1]; p += sets())
        if (holds(p, pattern)) return false;
    }
    return true;
  }
  /// Whether state a gives all that b gives, for no more of anything.
  [[nodiscard]] bool beats(const std::vector<resident<M>>& residents, const found_state& a,
                           const found_state& b) const noexcept {
    if (a.cost > b.cost || !holds(a.pattern, b.pattern)) return false;
    for (std::size_t r = 0; r < residents.size(); ++r)
      if ((a.mask >> r & 1U) != 0 && (b.mask >> r & 1U) == 0 && !(additive_ && residents[r].local)) return false;
    return true;
  }
  void write(const std::vector<resident<M>>& residents, state_list& to) {
    for (std::size_t i = 0; i < found_.size(); ++i) {
      bool beaten = false;
      for (std::size_t o = 0; o < found_.size() && !beaten; ++o)
        beaten = o != i && beats(residents, found_[o], found_[i]) && (o < i || !beats(residents, found_[i], found_[o]));
      if (beaten) continue;
      state_list::state made;
      made.cost = found_[i].cost;
      made.first_unit = static_cast<std::uint32_t>(to.units.size());
      for (std::size_t r = 0; r < residents.size(); ++r)
        if ((found_[i].mask >> r & 1U) != 0) to.units.push_back(residents[r].unit);
      made.units = static_cast<std::uint32_t>(to.units.size()) - made.first_unit;
      to.states.push_back(made);
      for (std::size_t k = 0; k < sets(); ++k)
        to.pods.push_back(static_cast<std::int32_t>(patterns_[found_[i].pattern + k]));
    }
  }

  std::span<const typename M::request_type> requests_;
  std::span<const pod_count> waiting_;
  pod_count most_ = 0;
  bool additive_ = false;
  std::uint64_t most_steps_ = 0, steps_ = 0;
  std::size_t ways_ = 0;
  std::vector<std::uint32_t> dropped_;
  std::span<const std::uint8_t> may_;
  std::vector<pod_count> counts_;
  std::vector<pod_count> patterns_;    // `sets()` numbers each
  std::vector<std::size_t> lists_;     // where those of a mask begin
  std::vector<found_state> found_;
};

}  // namespace muster::inline MUSTER_ABI::preemption_detail

#endif
