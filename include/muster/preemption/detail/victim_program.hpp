// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PREEMPTION_DETAIL_VICTIM_PROGRAM_HPP
#define MUSTER_PREEMPTION_DETAIL_VICTIM_PROGRAM_HPP

/// \file
/// The choice of victims as a linear program: whose prices bound best, and whose values say where to branch.
///
///     minimise  the ranks of units evicted + the cost of states chosen, such that
///       demand   of every pod set the states seat what waits, less a shortage
///       short    no set lacks more than it may, nor all together
///       one      a node has one state at most, nodes alike as many as they are
///       link     a state that evicts a unit of several nodes: the unit is evicted
///       out      a unit of one node that has to leave: a state that evicts it
///
/// Its dual is what victim_bound.hpp looks for: the price of a demand row is that of a pod, of a link row the share of
/// a unit's cost there. Nothing here is proof; the bound is counted anew from the prices.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/preemption/detail/dual_simplex.hpp>
#include <muster/preemption/detail/preemptor.hpp>
#include <muster/preemption/detail/victim_model.hpp>
#include <muster/preemption/detail/victim_prices.hpp>
#include <muster/resource/model.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace muster::inline MUSTER_ABI::preemption_detail {

class victim_program {
 public:
  /// \pre the model outlives this
  template <resource_model M>
  void start(const victim_model<M>& model, const preemptor<M>& gang, std::span<const std::int64_t> ranks) {
    simplex_.clear();
    list_ = &model.list;
    for (const auto& state : list_->states) (void)simplex_.add_variable(std::min(state.cost, most_cost));
    unit_variable_.assign(ranks.size(), none);
    for (const std::uint32_t unit : model.shared) unit_variable_[unit] = simplex_.add_variable(ranks[unit]);
    index_states(ranks.size());
    ask(gang);
    for (std::uint32_t node = 0; node < model.nodes(); ++node) {
      terms_.clear();
      for (std::uint32_t s = model.first_state[node]; s < model.first_state[node + 1]; ++s) terms_.push_back({s, -1});
      if (!terms_.empty()) (void)simplex_.add_row(terms_, -factor(model.alike[node]));
    }
    link_row_.resize(model.links.size());
    for (std::uint32_t l = 0; l < model.links.size(); ++l) {
      const auto [unit, node] = model.links[l];
      terms_.assign(1, {unit_variable_[unit], factor(model.alike[node])});
      for (const std::uint32_t s : states_of(unit))
        if (s >= model.first_state[node] && s < model.first_state[node + 1]) terms_.push_back({s, -1});
      link_row_[l] = simplex_.add_row(terms_, 0);
    }
    out_row_.assign(ranks.size(), none);
    told_.assign(ranks.size(), choice::open);
    forbidden_.assign(list_->states.size(), 0);
  }

  /// Holds the units to what is said of them.
  template <resource_model M>
  void tell(const victim_model<M>& model, std::span<const choice> choices) {
    for (std::uint32_t unit = 0; unit < told_.size(); ++unit) {
      const choice was = told_[unit], is = choices[unit];
      if (was == is) continue;
      told_[unit] = is;
      if (was == choice::stays || is == choice::stays)
        for (const std::uint32_t s : states_of(unit)) forbid(s, is == choice::stays);
      if (was != choice::leaves && is != choice::leaves) continue;
      const bool leaves = is == choice::leaves;
      if (unit_variable_[unit] == none && !states_of(unit).empty()) hold_out(unit, leaves);
      for (const std::uint32_t l : model.links_of(unit))
        simplex_.set_bound(link_row_[l], leaves ? -factor(model.alike[model.links[l].node]) : 0);
    }
  }
  linear_end solve(std::uint64_t most_steps) { return simplex_.solve(most_steps); }
  [[nodiscard]] std::uint64_t steps() const noexcept { return simplex_.steps(); }
  [[nodiscard]] std::uint64_t pivots() const noexcept { return simplex_.pivots(); }

  /// Of a pod of the gang's k-th set, and of a link, over 2^bits.
  [[nodiscard]] std::int64_t price(std::size_t k, int bits) const { return scaled(simplex_.price(demand_row_[k]), bits); }
  [[nodiscard]] std::int64_t share(std::size_t link, int bits) const {
    return scaled(simplex_.price(link_row_[link]), bits);
  }
  /// How much a unit is evicted, over 2^bits.
  [[nodiscard]] std::int64_t usage(std::uint32_t unit, int bits) const {
    std::int64_t sum = 0;
    if (unit_variable_[unit] != none) {
      sum = simplex_.value(unit_variable_[unit]);
    } else {
      for (const std::uint32_t s : states_of(unit)) sum += simplex_.value(s);
    }
    return sum >> (simplex_.value_bits() - bits);
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  static constexpr std::int64_t most_cost = (std::int64_t{1} << 40) - 1;

  // What the program can hold; beyond it its prices are worth less, no more.
  [[nodiscard]] static std::int32_t factor(std::int32_t number) { return std::min(number, std::int32_t{1} << 20); }
  [[nodiscard]] static std::int64_t bound(std::int64_t pods) { return std::min(pods, std::int64_t{1} << 31); }
  [[nodiscard]] std::int64_t scaled(std::int64_t price, int bits) const {
    const int shift = simplex_.price_bits() - bits;
    return shift >= 0 ? price >> shift : price << -shift;
  }
  [[nodiscard]] std::span<const std::uint32_t> states_of(std::uint32_t unit) const noexcept {
    return std::span{states_}.subspan(states_of_[unit], states_of_[unit + 1] - states_of_[unit]);
  }
  /// A row comes with the first unit that has to leave, as few do.
  void hold_out(std::uint32_t unit, bool leaves) {
    if (out_row_[unit] != none) {
      simplex_.set_bound(out_row_[unit], leaves ? 1 : 0);
    } else if (leaves) {
      terms_.clear();
      for (const std::uint32_t s : states_of(unit)) terms_.push_back({s, 1});
      out_row_[unit] = simplex_.add_row(terms_, 1);
    }
  }
  void forbid(std::uint32_t state, bool so) {
    if (so) {
      if (++forbidden_[state] == 1) simplex_.fix_at_zero(state);
    } else if (--forbidden_[state] == 0) {
      simplex_.release(state);
    }
  }
  template <resource_model M>
  void ask(const preemptor<M>& gang) {
    demand_row_.clear();
    all_short_.clear();
    const bool elastic = gang.needed < gang.waiting;
    for (std::size_t k = 0; k < gang.sets.size(); ++k) {
      const asked_set& set = gang.sets[k];
      terms_.clear();
      for (std::uint32_t s = 0; s < list_->states.size(); ++s)
        if (const std::int32_t pods = list_->pods_of(s)[k]; pods > 0) terms_.push_back({s, factor(pods)});
      if (elastic && set.required < set.waiting) {
        const std::uint32_t shortage = simplex_.add_variable(0);
        terms_.push_back({shortage, 1});
        all_short_.push_back({shortage, -1});
      }
      demand_row_.push_back(simplex_.add_row(terms_, bound(set.waiting)));
    }
    for (std::size_t k = 0, e = 0; k < gang.sets.size() && elastic; ++k) {
      if (gang.sets[k].required >= gang.sets[k].waiting) continue;
      terms_.assign(1, all_short_[e++]);
      (void)simplex_.add_row(terms_, -bound(gang.sets[k].waiting - gang.sets[k].required));
    }
    if (elastic) (void)simplex_.add_row(all_short_, -bound(gang.waiting - gang.needed));
  }
  void index_states(std::size_t units) {
    states_of_.assign(units + 1, 0);
    for (const std::uint32_t unit : list_->units) ++states_of_[unit + 1];
    for (std::size_t u = 0; u < units; ++u) states_of_[u + 1] += states_of_[u];
    states_.resize(list_->units.size());
    next_ = states_of_;
    for (std::uint32_t s = 0; s < list_->states.size(); ++s)
      for (const std::uint32_t unit : list_->units_of(list_->states[s])) states_[next_[unit]++] = s;
  }

  dual_simplex simplex_;
  const state_list* list_ = nullptr;
  std::vector<std::uint32_t> unit_variable_, out_row_;  // of each unit
  std::vector<std::uint32_t> demand_row_, link_row_;
  std::vector<std::uint32_t> states_of_, states_, next_;  // those that evict a unit, unit by unit
  std::vector<std::uint32_t> forbidden_;                  // of each state: by how many units that stay
  std::vector<choice> told_;
  std::vector<linear_term> terms_, all_short_;
};

}  // namespace muster::inline MUSTER_ABI::preemption_detail

#endif
