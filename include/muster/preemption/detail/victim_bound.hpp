// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PREEMPTION_DETAIL_VICTIM_BOUND_HPP
#define MUSTER_PREEMPTION_DETAIL_VICTIM_BOUND_HPP

/// \file
/// A bound on the cost of all sets of victims, by prices.
///
/// Give every waiting pod set a price, and every unit that lives on several nodes a share of its cost for each of them.
/// A node then gains at most the best of its states: the prices of the pods it seats, less what its units cost there.
/// Enough of the gang is worth so much in prices at least; what the nodes gain covers a part of that, and the rest is
/// cost that no set of victims avoids. Whatever the prices and shares are, the bound holds, as long as the shares of a
/// unit add up to no more than its cost: so they may be found by any means, in integers, and a poor choice costs time
/// alone. Here each step moves them along what was missing or too much in the last answer of the nodes (a subgradient),
/// as far as the gap to the best set known suggests.
///
/// \see M. Held, R. M. Karp: The traveling-salesman problem and minimum spanning trees, 1971; B. T. Polyak:
///      Minimization of unsmooth functionals, 1969 (the length of a step)

#include <muster/core/amount.hpp>
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
/// How much a relaxed solution evicts a unit: 0 to this.
inline constexpr std::int64_t full_usage = 1 << 16;

template <resource_model M>
class victim_bound {
 public:
  /// \pre the model, the gang and the ranks outlive this
  void start(const victim_model<M>& model, const preemptor<M>& gang, std::span<const std::int64_t> ranks) {
    model_ = &model;
    gang_ = &gang;
    ranks_ = ranks;
    price_.assign(gang.sets.size(), 0);
    share_.assign(model.links.size(), 0);
    links_of_.assign(ranks.size() + 1, 0);
    for (const unit_link& one : model.links) ++links_of_[one.unit + 1];
    for (std::size_t u = 0; u < ranks.size(); ++u) links_of_[u + 1] += links_of_[u];
    by_unit_.resize(model.links.size());
    next_ = links_of_;
    for (std::uint32_t l = 0; l < model.links.size(); ++l) by_unit_[next_[model.links[l].unit]++] = l;
    for (const std::uint32_t unit : model.shared) {
      const auto links = links_of(unit);
      for (const std::uint32_t l : links)
        share_[l] = ranks_[unit] * scale / static_cast<std::int64_t>(links.size());
    }
    best_price_ = price_;
    best_share_ = share_;
    price_way_.assign(price_.size(), 0);
    share_way_.assign(share_.size(), 0);
    usage_.assign(ranks.size(), 0);
    mean_.assign(model.links.size() + ranks.size(), 0);
    chosen_.assign(model.nodes(), nobody);
    fresh_ = true;
  }

  /// A rank that no set within the choices undercuts. \param upto it need not be more than this
  wide bound(std::span<const choice> choices, wide upto, search_budget& budget) {
    price_ = best_price_;
    share_ = best_share_;
    wide best = 0;
    for (const std::uint32_t unit : model_->shared)
      if (choices[unit] == choice::leaves) best += ranks_[unit];
    std::int64_t pace = full_pace;
    std::size_t poor = 0, rounds = 0;
    const std::size_t most = fresh_ ? first_rounds : later_rounds;
    fresh_ = false;
    while (rounds < most && pace > 0) {
      const wide now = evaluate(choices, budget);
      if (now >= no_solution) return no_solution;
      ++rounds;
      count_usage();
      const wide rounded = round_up(now);
      if (now > best_here_ || rounds == 1) {
        best_here_ = now;
        best_price_ = price_;
        best_share_ = share_;
        poor = 0;
      } else if (++poor >= 12) {
        pace = pace * 2 / 3;
        poor = 0;
        price_ = best_price_;
        share_ = best_share_;
      }
      best = std::max(best, rounded);
      if (best >= upto || budget.out()) break;
      if (!step(now, upto, pace, choices)) break;
    }
    read_usage();
    return best;
  }

  /// Casts the lot of open units whose other lot would bring the last bound up to `upto`. \param visit (unit, choice)
  template <class Visit>
  void decide_units(std::span<const choice> choices, wide upto, search_budget& budget, const Visit& visit) {
    price_ = best_price_;
    share_ = best_share_;
    stays_.assign(ranks_.size(), 0);
    leaves_.assign(ranks_.size(), 0);
    const wide now = evaluate(choices, budget);
    if (now >= no_solution) return;
    for (std::uint32_t node = 0; node < model_->nodes(); ++node) weigh_node(node, choices);
    budget.spend(model_->list.states.size() * 2);
    const wide goal = upto >= no_solution ? no_solution : (upto - 1) * scale;  // what is above it rounds up to `upto`
    for (const std::uint32_t unit : model_->shared) leaves_[unit] += wide{ranks_[unit]} * scale;
    for (std::uint32_t unit = 0; unit < ranks_.size(); ++unit) {
      if (choices[unit] != choice::open || model_->in_states[unit] == 0) continue;
      if (now + stays_[unit] > goal) visit(unit, choice::leaves);
      else if (now + leaves_[unit] > goal) visit(unit, choice::stays);
    }
  }

  /// By how much the last bound rises whatever the lot of a unit is, scaled. \pre decide_units was asked since
  [[nodiscard]] wide stake(std::size_t unit) const noexcept {
    return std::max<wide>(0, std::min({stays_[unit], leaves_[unit], wide{1} << 80}));
  }
  [[nodiscard]] static constexpr wide scaled(std::int64_t rank) noexcept { return wide{rank} * scale; }

  /// How much the relaxed solution of the last bound evicts a unit.
  [[nodiscard]] std::int64_t usage(std::size_t unit) const noexcept { return usage_[unit]; }

 private:
  static constexpr std::int64_t scale = std::int64_t{1} << 12;  // of prices and shares to a rank
  static constexpr std::int64_t full_pace = 64;
  static constexpr std::size_t first_rounds = 400, later_rounds = 20;
  static constexpr std::int64_t kept = 12;    // sixteenths of a direction that the next one keeps
  static constexpr std::int64_t weight = 16;  // of the mean of answers: the last one counts a sixteenth
  static constexpr std::uint32_t nobody = ~std::uint32_t{0};
  static constexpr std::int64_t top_price = std::int64_t{1} << 52;

  [[nodiscard]] static wide round_up(wide scaled) noexcept {
    return scaled <= 0 ? 0 : (scaled + scale - 1) / scale;
  }
  [[nodiscard]] std::span<const std::uint32_t> links_of(std::uint32_t unit) const noexcept {
    return std::span{by_unit_}.subspan(links_of_[unit], links_of_[unit + 1] - links_of_[unit]);
  }
  /// The bound of the present prices, scaled; and the state each node chooses.
  wide evaluate(std::span<const choice> choices, search_budget& budget) {
    const state_list& list = model_->list;
    wide sum = gang_->template worth<wide>(price_);
    for (std::uint32_t node = 0; node < model_->nodes(); ++node) {
      wide best = 0;
      std::uint32_t at = nobody;
      const bool must = has_to_leave(node, choices);
      bool any = !must;
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
      sum -= best;
    }
    for (const std::uint32_t unit : model_->shared)
      if (choices[unit] == choice::leaves) sum += wide{ranks_[unit]} * scale;
    budget.spend(list.states.size() + 1);
    return sum;
  }
  /// Adds to `stays_` and `leaves_` of the units of a node by how much the bound rises here if they do; of a unit on
  /// several nodes `leaves_` lacks its cost.
  void weigh_node(std::uint32_t node, std::span<const choice> choices) {
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
      const auto& state = list.states[s];
      for (weighed& one : here_) {
        const auto units = list.units_of(state);
        if (std::find(units.begin(), units.end(), one.unit) == units.end())
          one.without = std::max(one.without, gain);
        else
          one.with = std::max(one.with, gain + (one.link == no_link ? 0 : wide{share_[one.link]}));
      }
    }
    for (const weighed& one : here_) {
      stays_[one.unit] = std::min(no_solution, stays_[one.unit] + (best - one.without));
      leaves_[one.unit] += best - (one.link == no_link ? one.with : std::max(one.with, one.without));
      leaves_[one.unit] = std::min(no_solution, leaves_[one.unit]);
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
      else if (model_->link_of[e] != no_link) gain -= share_[model_->link_of[e]];
    }
    if (leaving < must_leave_) return false;
    const auto pods = list.pods_of(s);
    for (std::size_t k = 0; k < pods.size(); ++k) gain += wide{price_[k]} * pods[k];
    gain -= wide{state.cost} * scale;
    return true;
  }
  /// Whether units that live on the node alone have to leave it: how many stands in `must_leave_`.
  bool has_to_leave(std::uint32_t node, std::span<const choice> choices) {
    must_leave_ = 0;
    for (const std::uint32_t unit : model_->alone(node)) must_leave_ += choices[unit] == choice::leaves ? 1U : 0U;
    return must_leave_ > 0;
  }
  /// A running mean of what the nodes choose, of every link and every unit that lives alone: what it tends to is the
  /// relaxed solution.
  void count_usage() {
    for (std::int64_t& each : mean_) each -= each / weight;
    for (const std::uint32_t s : chosen_) {
      if (s == nobody) continue;
      const auto& state = model_->list.states[s];
      for (std::uint32_t e = state.first_unit; e < state.first_unit + state.units; ++e)
        mean_[model_->link_of[e] != no_link ? model_->link_of[e] : model_->links.size() + model_->list.units[e]] +=
            full_usage / weight;
    }
  }
  void read_usage() {
    for (std::size_t u = 0; u < usage_.size(); ++u) usage_[u] = mean_[model_->links.size() + u];
    for (std::size_t l = 0; l < model_->links.size(); ++l) {
      std::int64_t& used = usage_[model_->links[l].unit];
      used = std::max(used, mean_[l]);
    }
  }
  /// Moves prices and shares. False: there is nowhere to go.
  bool step(wide now, wide upto, std::int64_t pace, std::span<const choice> choices) {
    const state_list& list = model_->list;
    missing_.assign(price_.size(), 0);
    gang_->add_cheapest(price_, missing_);
    for (const std::uint32_t s : chosen_) {
      if (s == nobody) continue;
      const auto pods = list.pods_of(s);
      for (std::size_t k = 0; k < pods.size(); ++k) missing_[k] -= pods[k];
    }
    // The direction keeps a part of the one before: answers of the nodes jump to and fro.
    wide length = 0;
    for (std::size_t k = 0; k < price_.size(); ++k) {
      price_way_[k] = price_way_[k] * kept / 16 + missing_[k] * 16;
      length += wide{price_way_[k]} * price_way_[k];
    }
    for (std::int64_t& each : share_way_) each = each * kept / 16;
    for (const std::uint32_t s : chosen_) {
      if (s == nobody) continue;
      const auto& state = list.states[s];
      for (std::uint32_t e = state.first_unit; e < state.first_unit + state.units; ++e)
        if (model_->link_of[e] != no_link && choices[list.units[e]] == choice::open)
          share_way_[model_->link_of[e]] += 16;
    }
    for (const std::int64_t each : share_way_) length += wide{each} * each;
    if (length == 0) return false;
    const wide target = upto >= no_solution ? now + now / 8 + scale : upto * scale;
    const wide gap = std::max<wide>(target - now, scale);
    const auto move = [&](std::int64_t along) { return gap * along * 16 * pace / (full_pace * length); };
    for (std::size_t k = 0; k < price_.size(); ++k)
      price_[k] = static_cast<std::int64_t>(
          std::clamp<wide>(wide{price_[k]} + move(price_way_[k]), 0, wide{top_price}));
    touched_.clear();
    for (std::size_t l = 0; l < share_.size(); ++l) {
      if (share_way_[l] == 0) continue;
      share_[l] = static_cast<std::int64_t>(
          std::clamp<wide>(wide{share_[l]} + move(share_way_[l]), 0, wide{top_price}));
      touched_.push_back(model_->links[l].unit);
    }
    std::sort(touched_.begin(), touched_.end());
    touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
    for (const std::uint32_t unit : touched_) hold(unit);
    return true;
  }
  /// Takes from a unit's shares what they are above its cost: as much from each as it has, at most the same.
  void hold(std::uint32_t unit) {
    const auto links = links_of(unit);
    wide sum = 0;
    for (const std::uint32_t l : links) sum += share_[l];
    wide over = sum - wide{ranks_[unit]} * scale;
    order_.assign(links.begin(), links.end());
    std::sort(order_.begin(), order_.end(),
              [&](std::uint32_t a, std::uint32_t b) { return share_[a] != share_[b] ? share_[a] < share_[b] : a < b; });
    for (std::size_t i = 0; i < order_.size() && over > 0; ++i) {
      const wide rest = static_cast<wide>(order_.size() - i);
      const wide each = std::min<wide>((over + rest - 1) / rest, share_[order_[i]]);
      share_[order_[i]] -= static_cast<std::int64_t>(each);
      over -= each;
    }
  }

  const victim_model<M>* model_ = nullptr;
  const preemptor<M>* gang_ = nullptr;
  std::span<const std::int64_t> ranks_;
  std::vector<std::int64_t> price_, best_price_;  // of each set
  std::vector<std::int64_t> share_, best_share_;  // of each link
  std::vector<std::uint32_t> links_of_, by_unit_, next_;
  std::vector<std::int64_t> price_way_, share_way_;  // the direction of the last step
  std::vector<std::int64_t> usage_;                  // of each unit
  std::vector<std::int64_t> mean_;                   // of each link, and behind them of each unit
  std::vector<std::int64_t> missing_;                // pods of each set in the last answer
  std::vector<std::uint32_t> chosen_, touched_, order_;
  struct weighed {
    std::uint32_t unit = 0, link = no_link;
    wide with = 0, without = 0;  // the best state of a node that evicts it, were it paid for; and that does not
  };
  std::vector<weighed> here_;
  std::vector<wide> stays_, leaves_;
  std::size_t must_leave_ = 0;
  wide best_here_ = 0;
  bool fresh_ = true;
};

}  // namespace muster::inline MUSTER_ABI::preemption_detail

#endif
