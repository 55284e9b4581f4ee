// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PREEMPTION_DETAIL_VICTIM_SEARCH_HPP
#define MUSTER_PREEMPTION_DETAIL_VICTIM_SEARCH_HPP

/// \file
/// Branch and bound over the units: each leaves or stays.
///
/// A branch is cut where its bound reaches the best set found, or where the gang would not fit even with everybody gone
/// whose lot is still open. A set counts as found once `place` says that the gang fits without it; so whatever bounds
/// leave out (levels, limits, models, sizes) is decided there. Sets are made from the relaxed solution of a bound: its
/// units, most used first, until the gang fits, and then without each that can stay after all.
///
/// What is left open when the budget ends is bounded by the least bound among the branches not looked at.

#include <muster/core/config.hpp>
#include <muster/core/search_budget.hpp>
#include <muster/preemption/detail/eviction_trials.hpp>
#include <muster/preemption/detail/unit_costs.hpp>
#include <muster/preemption/detail/victim_bound.hpp>
#include <muster/preemption/detail/victim_model.hpp>
#include <muster/preemption/detail/victim_prices.hpp>
#include <muster/resource/model.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace muster::inline MUSTER_ABI::preemption_detail {

/// What a question about the gang answered.
enum class fit : std::uint8_t { no, yes, unknown };

/// The best set so far, over all domains.
template <std::size_t N>
struct best_set {
  bool found = false;
  cost_value<N> cost{};
  std::size_t count = 0;
  wide rank = no_solution;
  std::vector<std::uint8_t> out;  ///< of each unit

  void clear() noexcept { found = false, rank = no_solution; }
};

/// Memory of a search, for one after another.
struct search_memory {
  std::vector<choice> choices;
  std::vector<std::uint32_t> order, trail;
};

/// \param Asks () -> fit: whether the gang fits with the units out that are out, where this search looks
template <resource_model M, class Costs, class Asks>
class victim_search {
 public:
  victim_search(const victim_model<M>& model, victim_bound<M>& bound, Costs& costs, std::span<const std::int64_t> ranks,
                eviction_trials<M>& trials, const Asks& asks, best_set<Costs::parts>& best, search_budget& budget,
                search_memory& memory)
      : bound_{bound}, costs_{costs}, ranks_{ranks}, trials_{trials}, asks_{asks}, best_{best}, budget_{budget},
        choices_{memory.choices}, order_{memory.order}, trail_{memory.trail} {
    trail_.clear();
    choices_.assign(model.matters.size(), choice::open);
    for (std::size_t u = 0; u < choices_.size(); ++u)
      if (model.matters[u] == 0) choices_[u] = choice::stays;
  }

  /// One set, if it is better than the best, and the first bound.
  wide sketch() {
    const wide bound = bound_.bound(choices_, best_.rank, budget_);
    if (bound < best_.rank) round();
    return bound;
  }
  /// Looks for sets better than the best. \return no set here is worth less than this, or than the best
  wide run() {
    left_open_ = no_solution;
    visit(0);
    return left_open_;
  }

 private:
  [[nodiscard]] std::int64_t rank(std::size_t unit) const noexcept { return ranks_[unit]; }
  void visit(std::size_t depth) {
    const std::size_t cast = trail_.size();
    const wide bound = tighten(depth);
    if (bound < best_.rank) {
      if (budget_.out()) left_open_ = std::min(left_open_, bound);
      else branch(depth, bound);
    }
    for (; trail_.size() > cast; trail_.pop_back()) choices_[trail_.back()] = choice::open;
  }
  /// The bound, and the lots cast that it casts.
  wide tighten(std::size_t depth) {
    wide bound = 0;
    for (;;) {
      const std::size_t cast = trail_.size();
      bound = std::max(bound, bound_.bound(choices_, best_.rank, budget_));
      if (bound >= best_.rank) return bound;
      if (depth % 5 == 0 && (!budget_.out() || !best_.found)) round();
      if (bound >= best_.rank || budget_.out()) return bound;
      bound_.decide_units(choices_, best_.rank, budget_, [&](std::uint32_t unit, choice lot) {
        trail_.push_back(unit);
        choices_[unit] = lot;
      });
      if (depth == 0)
        bound_.drop_states(choices_, best_.rank, budget_, [&](std::uint32_t unit) {
          trail_.push_back(unit);
          choices_[unit] = choice::stays;
        });
      if (bound_.settled() || trail_.size() == cast) return bound;
    }
  }
  void branch(std::size_t depth, wide bound) {
    const std::size_t unit = pick();
    if (unit == choices_.size()) {
      decide(bound);
      return;
    }
    const bool leaves_first = bound_.usage(unit) * 2 >= full_usage;
    for (const bool leaves : {leaves_first, !leaves_first}) {
      choices_[unit] = leaves ? choice::leaves : choice::stays;
      if (bound >= best_.rank) break;
      if (leaves || may_fit()) visit(depth + 1);
    }
    choices_[unit] = choice::open;
  }
  /// Whether everybody whose lot is open, gone with those that leave, is enough.
  bool may_fit() {
    trials_.evict_exactly([&](std::size_t u) { return choices_[u] != choice::stays; });
    return asks_() != fit::no;
  }
  /// Every lot is cast.
  void decide(wide bound) {
    trials_.evict_exactly([&](std::size_t u) { return choices_[u] == choice::leaves; });
    switch (asks_()) {
      case fit::yes: keep(); break;
      case fit::unknown: left_open_ = std::min(left_open_, bound); break;
      case fit::no: break;
    }
  }
  /// A set made of the relaxed solution, if there is one.
  void round() {
    order_.clear();
    for (std::uint32_t u = 0; u < choices_.size(); ++u)
      if (choices_[u] == choice::open) order_.push_back(u);
    std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
      const std::int64_t of_a = bound_.usage(a), of_b = bound_.usage(b);
      if (of_a != of_b) return of_a > of_b;
      return rank(a) != rank(b) ? rank(a) < rank(b) : a < b;
    });
    std::size_t used = 0;
    while (used < order_.size() && bound_.usage(order_[used]) > 0) ++used;
    trials_.evict_exactly([&](std::size_t u) { return choices_[u] == choice::leaves; });
    for (std::size_t i = 0; i < used; ++i) trials_.evict(order_[i]);
    fit said = asks_();
    for (std::size_t more = std::max<std::size_t>(1, used / 4); said != fit::yes && used < order_.size(); more *= 2) {
      for (std::size_t n = 0; n < more && used < order_.size(); ++n) trials_.evict(order_[used++]);
      said = asks_();
    }
    if (said != fit::yes) return;
    thin(used);
    keep();
  }
  /// Puts back whom the gang does not need gone: the least used first, the dearest of equally used.
  void thin(std::size_t used) {
    const auto end = order_.begin() + static_cast<std::ptrdiff_t>(used);
    std::sort(order_.begin(), end, [&](std::uint32_t a, std::uint32_t b) {
      const bool whole_a = bound_.usage(a) >= full_usage, whole_b = bound_.usage(b) >= full_usage;
      if (whole_a != whole_b) return whole_b;
      return rank(a) != rank(b) ? rank(a) > rank(b) : a < b;
    });
    // several at once while that goes well
    for (std::size_t i = 0, some = 1; i < used && !budget_.out();) {
      some = std::min(some, used - i);
      for (std::size_t n = i; n < i + some; ++n) trials_.restore(order_[n]);
      if (asks_() == fit::yes) {
        i += some;
        some *= 2;
        continue;
      }
      for (std::size_t n = i; n < i + some; ++n) trials_.evict(order_[n]);
      if (some == 1) ++i;
      some = some / 4 + (some < 4 ? 1 : 0);
    }
    for (std::uint32_t u = 0; u < choices_.size() && !budget_.out(); ++u) {
      if (choices_[u] != choice::leaves) continue;
      trials_.restore(u);
      if (asks_() != fit::yes) trials_.evict(u);
    }
  }
  /// Keeps the units that are out, if they are the best set so far.
  void keep() {
    const auto& out = trials_.out();
    const auto cost = costs_.of(out);
    const auto count = static_cast<std::size_t>(std::count(out.begin(), out.end(), 1));
    if (best_.found && (cost > best_.cost || (cost == best_.cost && count >= best_.count))) return;
    best_.found = true;
    best_.cost = cost;
    best_.count = count;
    best_.rank = costs_.rank_of(cost, count);
    best_.out = out;
  }
  /// The open unit whose lot decides most: its either lot raises the bound, or it is dear and half used.
  [[nodiscard]] std::size_t pick() const {
    std::size_t best = choices_.size();
    wide most = -1;
    for (std::size_t u = 0; u < choices_.size(); ++u) {
      if (choices_[u] != choice::open) continue;
      const std::int64_t used = std::clamp<std::int64_t>(bound_.usage(u), 0, full_usage);
      const wide half = victim_prices<M>::scaled(rank(u)) * std::min(used, full_usage - used);
      const wide weight = bound_.stake(u) * full_usage + half + used;
      if (weight <= most) continue;
      most = weight;
      best = u;
    }
    return best;
  }

  victim_bound<M>& bound_;
  Costs& costs_;
  std::span<const std::int64_t> ranks_;  // of the units
  eviction_trials<M>& trials_;
  const Asks& asks_;
  best_set<Costs::parts>& best_;
  search_budget& budget_;
  std::vector<choice>& choices_;
  std::vector<std::uint32_t>&order_, &trail_;
  wide left_open_ = no_solution;
};

}  // namespace muster::inline MUSTER_ABI::preemption_detail

#endif
