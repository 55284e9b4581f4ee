// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PREEMPTION_DETAIL_VICTIM_PRICES_HPP
#define MUSTER_PREEMPTION_DETAIL_VICTIM_PRICES_HPP

/// \file
/// What prices say about the cost of all sets of victims.
///
/// Give every waiting pod set a price, and every unit that lives on several nodes a share of its cost for each of them.
/// A node then gains at most the best of its states: the prices of the pods it seats, less what its units cost there.
/// Enough of the gang is worth so much in prices at least; what the nodes gain covers a part of that, and the rest is
/// cost that no set of victims avoids. Whatever the prices and shares are, this holds, as long as the shares of a unit
/// add up to no more than its cost: so they may be found by any means, and a poor choice costs time alone.
///
/// Prices and shares are whole numbers, `price_scale` to a rank.

#include <muster/core/config.hpp>
#include <muster/core/search_budget.hpp>
#include <muster/preemption/detail/preemptor.hpp>
#include <muster/preemption/detail/unit_costs.hpp>
#include <muster/preemption/detail/victim_model.hpp>
#include <muster/resource/model.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace muster::inline MUSTER_ABI::preemption_detail {

/// What a branch says of a unit.
enum class choice : std::uint8_t { open, stays, leaves };

/// Above the rank of every set.
inline constexpr wide no_solution = wide{1} << 120;
/// Above every gain and loss of a node.
inline constexpr wide impossible = wide{1} << 100;
inline constexpr int price_bits = 12;
inline constexpr std::int64_t price_scale = std::int64_t{1} << price_bits;
inline constexpr std::int64_t top_price = std::int64_t{1} << 52;

template <resource_model M>
class victim_prices {
 public:
  std::vector<std::int64_t> price;  ///< of each set, 0 to top_price
  std::vector<std::int64_t> share;  ///< of each link, of each of its nodes alike, 0 to top_price; see `hold`

  /// Prices of 0, costs in equal shares. \pre the model, the gang and the ranks outlive this
  void start(const victim_model<M>& model, const preemptor<M>& gang, std::span<const std::int64_t> ranks) {
    model_ = &model;
    gang_ = &gang;
    ranks_ = ranks;
    price.assign(gang.sets.size(), 0);
    share.assign(model.links.size(), 0);
    for (const std::uint32_t unit : model.shared) {
      std::int64_t nodes = 0;
      for (const std::uint32_t l : model.links_of(unit)) nodes += model.alike[model.links[l].node];
      for (const std::uint32_t l : model.links_of(unit)) share[l] = ranks_[unit] * price_scale / nodes;
    }
    chosen_.assign(model.nodes(), no_state);
  }

  /// The rank that no set within the choices undercuts, `price_scale` to one; `chosen` says by which states of the
  /// nodes. \return no_solution: a node has no state that the choices allow
  wide evaluate(std::span<const choice> choices, search_budget& budget) {
    wide sum = gang_->template worth<wide>(price);
    for (std::uint32_t node = 0; node < model_->nodes(); ++node) {
      wide best = 0;
      std::uint32_t at = no_state;
      bool any = !has_to_leave(node, choices);
      for (std::uint32_t s = model_->first_state[node]; s < model_->first_state[node + 1]; ++s) {
        wide gain = 0;
        if (!gain_of(s, choices, gain)) continue;
        if (any && gain <= best) continue;
        best = gain;
        at = s;
        any = true;
      }
      if (!any) return no_solution;
      chosen_[node] = at;
      sum -= best * model_->alike[node];
    }
    for (const std::uint32_t unit : model_->shared)
      if (choices[unit] == choice::leaves) sum += scaled(ranks_[unit]);
    budget.spend(model_->list.states.size() + 1);
    return sum;
  }
  /// The state each node chose in the last evaluation, or none.
  [[nodiscard]] std::span<const std::uint32_t> chosen() const noexcept { return chosen_; }
  static constexpr std::uint32_t no_state = ~std::uint32_t{0};

  [[nodiscard]] static constexpr wide scaled(std::int64_t rank) noexcept { return wide{rank} * price_scale; }
  [[nodiscard]] static constexpr wide round_up(wide sum) noexcept {
    return sum <= 0 ? 0 : (sum + price_scale - 1) / price_scale;
  }

  /// Adds by how much the last evaluation rises at least if a unit stays, and if it leaves.
  void weigh(std::span<const choice> choices, search_budget& budget, std::span<wide> stays, std::span<wide> leaves) {
    for (std::uint32_t node = 0; node < model_->nodes(); ++node) weigh_node(node, choices, stays, leaves);
    budget.spend(model_->list.states.size() * 2);
    for (const std::uint32_t unit : model_->shared) leaves[unit] += scaled(ranks_[unit]);
  }

  /// Marks the states that a node may choose without raising the last evaluation by more than `room`. \return how many
  std::size_t mark_live(std::span<const choice> choices, wide room, search_budget& budget,
                        std::span<std::uint8_t> live) {
    std::size_t count = 0;
    for (std::uint32_t node = 0; node < model_->nodes(); ++node) {
      const bool must = has_to_leave(node, choices);
      const std::uint32_t first = model_->first_state[node], last = model_->first_state[node + 1];
      wide best = must ? -no_solution : 0, gain = 0;
      for (std::uint32_t s = first; s < last; ++s)
        if (gain = 0; gain_of(s, choices, gain)) best = std::max(best, gain);
      for (std::uint32_t s = first; s < last; ++s) {
        gain = 0;
        live[s] = gain_of(s, choices, gain) && best - gain <= room ? 1 : 0;
        count += live[s];
      }
    }
    budget.spend(model_->list.states.size() * 2);
    return count;
  }

  /// Takes from a unit's shares what they are above its cost: as much from each as it has, at most the same.
  void hold(std::uint32_t unit) {
    const auto links = model_->links_of(unit);
    wide over = -scaled(ranks_[unit]), nodes = 0;
    for (const std::uint32_t l : links) {
      over += wide{share[l]} * alike(l);
      nodes += alike(l);
    }
    if (over <= 0) return;
    order_.assign(links.begin(), links.end());
    std::sort(order_.begin(), order_.end(),
              [&](std::uint32_t a, std::uint32_t b) { return share[a] != share[b] ? share[a] < share[b] : a < b; });
    for (const std::uint32_t l : order_) {
      if (over <= 0) break;
      const wide each = std::min<wide>((over + nodes - 1) / nodes, share[l]);
      share[l] -= static_cast<std::int64_t>(each);
      over -= each * alike(l);
      nodes -= alike(l);
    }
  }

 private:
  [[nodiscard]] std::int64_t alike(std::uint32_t link) const noexcept { return model_->alike[model_->links[link].node]; }

  /// Of a unit on several nodes `leaves` then lacks its cost.
  void weigh_node(std::uint32_t node, std::span<const choice> choices, std::span<wide> stays, std::span<wide> leaves) {
    const state_list& list = model_->list;
    const bool must = has_to_leave(node, choices);
    here_.clear();
    wide best = must ? -no_solution : 0;
    for (std::uint32_t s = model_->first_state[node]; s < model_->first_state[node + 1]; ++s) {
      const auto& state = list.states[s];
      for (std::uint32_t e = state.first_unit; e < state.first_unit + state.units; ++e) {
        const std::uint32_t unit = list.units[e];
        if (choices[unit] != choice::open) continue;
        if (std::none_of(here_.begin(), here_.end(), [&](const weighed& w) { return w.unit == unit; }))
          here_.push_back({unit, model_->link_of[e], -no_solution, must ? -no_solution : 0});
      }
    }
    for (std::uint32_t s = model_->first_state[node]; s < model_->first_state[node + 1]; ++s) {
      wide gain = 0;
      if (!gain_of(s, choices, gain)) continue;
      best = std::max(best, gain);
      const auto units = list.units_of(list.states[s]);
      for (weighed& one : here_) {
        if (std::find(units.begin(), units.end(), one.unit) == units.end())
          one.without = std::max(one.without, gain);
        else
          one.with = std::max(one.with, gain + (one.link == no_link ? 0 : wide{share[one.link]}));
      }
    }
    const wide nodes = model_->alike[node];
    for (const weighed& one : here_) {
      const wide gone = one.link == no_link ? one.with : std::max(one.with, one.without);
      stays[one.unit] = std::min(no_solution, stays[one.unit] + nodes * std::min(impossible, best - one.without));
      leaves[one.unit] = std::min(no_solution, leaves[one.unit] + nodes * std::min(impossible, best - gone));
    }
  }
  /// What a state gains at the present prices; false: the choices forbid it. \pre must_leave_ is the node's
  bool gain_of(std::uint32_t s, std::span<const choice> choices, wide& gain) const {
    const state_list& list = model_->list;
    const auto& state = list.states[s];
    std::size_t leaving = 0;
    for (std::uint32_t e = state.first_unit; e < state.first_unit + state.units; ++e) {
      const choice said = choices[list.units[e]];
      if (said == choice::stays) return false;
      if (said == choice::leaves) leaving += model_->link_of[e] == no_link ? 1U : 0U;
      else if (model_->link_of[e] != no_link) gain -= share[model_->link_of[e]];
    }
    if (leaving < must_leave_) return false;
    const auto pods = list.pods_of(s);
    for (std::size_t k = 0; k < pods.size(); ++k) gain += wide{price[k]} * pods[k];
    gain -= scaled(state.cost);
    return true;
  }
  /// Whether units that live on the node alone have to leave it: how many stands in `must_leave_`.
  bool has_to_leave(std::uint32_t node, std::span<const choice> choices) {
    must_leave_ = 0;
    for (const std::uint32_t unit : model_->alone(node)) must_leave_ += choices[unit] == choice::leaves ? 1U : 0U;
    return must_leave_ > 0;
  }

  struct weighed {
    std::uint32_t unit = 0, link = no_link;
    wide with = 0, without = 0;  // the best state of a node that evicts it, were it paid for; and that does not
  };

  const victim_model<M>* model_ = nullptr;
  const preemptor<M>* gang_ = nullptr;
  std::span<const std::int64_t> ranks_;
  std::vector<std::uint32_t> chosen_, order_;
  std::vector<weighed> here_;
  std::size_t must_leave_ = 0;
};

}  // namespace muster::inline MUSTER_ABI::preemption_detail

#endif
