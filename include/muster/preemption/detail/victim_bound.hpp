// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PREEMPTION_DETAIL_VICTIM_BOUND_HPP
#define MUSTER_PREEMPTION_DETAIL_VICTIM_BOUND_HPP

/// \file
/// A bound on the cost of all sets of victims within what a branch says, and a relaxed solution to branch on.
///
/// Prices prove a bound whatever they are (victim_prices.hpp). The best ones are those of a linear program
/// (victim_program.hpp), solved anew from where it stood at every bound; it is left out where those of the last bound
/// are enough, and what it says is rounded and counted again. Where units tie very many nodes together, or steps run
/// out, prices are moved along what was missing or too much in the last answer of the nodes (a subgradient), as far as
/// the gap to the best set known suggests: that casts most lots, and what is left is a smaller program.
///
/// \see M. Held, R. M. Karp: The traveling-salesman problem and minimum spanning trees, 1971; B. T. Polyak:
///      Minimization of unsmooth functionals, 1969 (the length of a step)

#include <muster/core/config.hpp>
#include <muster/core/search_budget.hpp>
#include <muster/preemption/detail/dual_simplex.hpp>
#include <muster/preemption/detail/preemptor.hpp>
#include <muster/preemption/detail/unit_costs.hpp>
#include <muster/preemption/detail/victim_model.hpp>
#include <muster/preemption/detail/victim_prices.hpp>
#include <muster/preemption/detail/victim_program.hpp>
#include <muster/resource/model.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI::preemption_detail {

/// How much a relaxed solution evicts a unit: 0 to this.
inline constexpr int usage_bits = 16;
inline constexpr std::int64_t full_usage = std::int64_t{1} << usage_bits;

template <resource_model M>
class victim_bound {
 public:
  /// \pre the model, the gang and the ranks outlive this
  void start(victim_model<M>& model, const preemptor<M>& gang, std::span<const std::int64_t> ranks) {
    model_ = &model;
    gang_ = &gang;
    ranks_ = ranks;
    prices_.start(model, gang, ranks);
    best_price_ = prices_.price;
    best_share_ = prices_.share;
    price_way_.assign(best_price_.size(), 0);
    share_way_.assign(best_share_.size(), 0);
    usage_.assign(ranks.size(), 0);
    mean_.assign(model.links.size() + ranks.size(), 0);
    best_sum_ = 0;
    fresh_ = true;
    climbed_ = programmed_ = false;
  }

  /// A rank that no set within the choices undercuts. \param upto it need not be more than this
  wide bound(std::span<const choice> choices, wide upto, search_budget& budget) {
    wide best = 0;
    if (!fresh_) {
      best = try_best(choices, budget);
      if (best >= upto || budget.out()) return best;
    }
    fresh_ = false;
    if (!climbed_ && model_->links.size() > many_links) {
      settled_ = false;
      return std::max(best, climb(choices, upto, budget));
    }
    if (!std::exchange(programmed_, true)) program_.start(*model_, *gang_, ranks_);
    program_.tell(*model_, choices);
    const linear_end end = solve(budget);
    settled_ = end == linear_end::optimal || end == linear_end::infeasible;
    if (end == linear_end::infeasible) return best;  // who branches finds out what cannot be
    if (end != linear_end::numbers_ran_out) best = std::max(best, try_program(choices, budget));
    if (end != linear_end::optimal) return best < upto ? std::max(best, climb(choices, upto, budget)) : best;
    for (std::uint32_t u = 0; u < usage_.size(); ++u) usage_[u] = std::min(program_.usage(u, usage_bits), full_usage);
    return best;
  }

  /// Casts the lot of open units whose other lot would bring the last bound up to `upto`. \param visit (unit, choice)
  template <class Visit>
  void decide_units(std::span<const choice> choices, wide upto, search_budget& budget, const Visit& visit) {
    recall_best();
    stays_.assign(ranks_.size(), 0);
    leaves_.assign(ranks_.size(), 0);
    const wide now = prices_.evaluate(choices, budget);
    if (now >= no_solution) return;
    prices_.weigh(choices, budget, stays_, leaves_);
    // what is above it rounds up to `upto`
    const wide goal = upto >= no_solution ? impossible / 2 : (upto - 1) * price_scale;
    for (std::uint32_t unit = 0; unit < ranks_.size(); ++unit) {
      if (choices[unit] != choice::open || model_->in_states[unit] == 0) continue;
      if (now + stays_[unit] > goal) visit(unit, choice::leaves);
      else if (now + leaves_[unit] > goal) visit(unit, choice::stays);
    }
  }

  /// Forgets states that are in no set below `upto` within the choices, if they are most of all. For good: the choices
  /// and `upto` must hold for all that is asked from now on. \param visit units that no state evicts any more
  /// \pre decide_units was asked since the last bound
  template <class Visit>
  void drop_states(std::span<const choice> choices, wide upto, search_budget& budget, const Visit& visit) {
    const std::size_t states = model_->list.states.size();
    if (upto >= no_solution) return;
    const wide now = prices_.evaluate(choices, budget);
    if (now >= no_solution) return;
    live_.resize(states);
    if (prices_.mark_live(choices, (upto - 1) * price_scale - now, budget, live_) > states / 2) return;
    seen_.assign(ranks_.size(), 0);
    for (const std::uint32_t unit : model_->list.units) seen_[unit] = 1;
    model_->keep_states(live_);
    for (const std::uint32_t unit : model_->list.units) seen_[unit] = 0;
    for (std::uint32_t unit = 0; unit < seen_.size(); ++unit)
      if (seen_[unit] != 0 && choices[unit] == choice::open && model_->in_states[unit] != 0) visit(unit);
    programmed_ = false;
  }

  /// Whether the last bound is the best there is. If not, more lots cast may bring a better one.
  [[nodiscard]] bool settled() const noexcept { return settled_; }
  /// By how much the last bound rises whatever the lot of a unit is, scaled. \pre decide_units was asked since
  [[nodiscard]] wide stake(std::size_t unit) const noexcept {
    return std::max<wide>(0, std::min({stays_[unit], leaves_[unit], wide{1} << 80}));
  }
  /// How much the relaxed solution of the last bound evicts a unit.
  [[nodiscard]] std::int64_t usage(std::size_t unit) const noexcept { return usage_[unit]; }

 private:
  static constexpr std::uint64_t between_asks = std::uint64_t{1} << 19;  // a solve that goes on begins with some work
  static constexpr std::size_t many_links = 1'000;       // of more a first program takes longer than moving prices
  static constexpr std::size_t many_states = 2'000'000;  // to look at in all rounds
  static constexpr std::size_t least_rounds = 30, most_rounds = 200;
  static constexpr std::int64_t full_pace = 64;
  static constexpr std::int64_t kept = 12;    // sixteenths of a direction that the next one keeps
  static constexpr std::int64_t weight = 16;  // of the mean of answers: the last one counts a sixteenth
  static constexpr std::int64_t most_missing = std::int64_t{1} << 32;
  static constexpr wide widest_gap = wide{1} << 76;

  void recall_best() {
    prices_.price = best_price_;
    prices_.share = best_share_;
  }
  void keep_best(wide sum) {
    best_sum_ = sum;
    best_price_ = prices_.price;
    best_share_ = prices_.share;
  }
  [[nodiscard]] static wide rank_of(wide sum) noexcept {
    return sum >= no_solution ? no_solution : victim_prices<M>::round_up(sum);
  }
  wide try_best(std::span<const choice> choices, search_budget& budget) {
    recall_best();
    best_sum_ = prices_.evaluate(choices, budget);
    return rank_of(best_sum_);
  }
  wide try_program(std::span<const choice> choices, search_budget& budget) {
    for (std::size_t k = 0; k < prices_.price.size(); ++k)
      prices_.price[k] = std::min(program_.price(k, price_bits), top_price);
    for (std::size_t l = 0; l < prices_.share.size(); ++l)
      prices_.share[l] = std::min(program_.share(l, price_bits), top_price);
    for (const std::uint32_t unit : model_->shared) prices_.hold(unit);
    const wide sum = prices_.evaluate(choices, budget);
    if (sum > best_sum_) keep_best(sum);
    return rank_of(sum);
  }
  linear_end solve(search_budget& budget) {
    const std::uint64_t most = budget.spent() + budget.left() / 2;
    if (budget.out() || budget.spent() >= most) return linear_end::numbers_ran_out;
    linear_end end{};
    do {
      end = program_.solve(std::min(between_asks, most - budget.spent()));
      budget.spend(program_.steps());
    } while (end == linear_end::out_of_steps && !budget.out() && budget.spent() < most);
    return end;
  }

  /// Moves the best prices for some rounds. \return the best rank they prove on the way
  wide climb(std::span<const choice> choices, wide upto, search_budget& budget) {
    climbed_ = true;
    recall_best();
    wide best = 0;
    std::int64_t pace = full_pace;
    std::size_t poor = 0;
    const std::size_t most = std::clamp(many_states / (model_->list.states.size() + 1), least_rounds, most_rounds);
    for (std::size_t rounds = 0; rounds < most && pace > 0; ++rounds) {
      const wide sum = prices_.evaluate(choices, budget);
      if (sum >= no_solution) return no_solution;
      count_usage();
      best = std::max(best, rank_of(sum));
      if (sum > best_sum_) {
        keep_best(sum);
        poor = 0;
      } else if (++poor >= 12) {
        pace = pace * 2 / 3;
        poor = 0;
        recall_best();
      }
      if (best >= upto || budget.out() || !step(sum, upto, pace, choices)) break;
    }
    read_usage();
    return best;
  }
  /// A running mean of what the nodes choose, of every link and every unit that lives alone: what it tends to is the
  /// relaxed solution.
  void count_usage() {
    for (std::int64_t& each : mean_) each -= each / weight;
    for (const std::uint32_t s : prices_.chosen()) {
      if (s == prices_.no_state) continue;
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
  bool step(wide sum, wide upto, std::int64_t pace, std::span<const choice> choices) {
    const wide length = find_way(choices);
    if (length == 0) return false;
    const wide target = upto < no_solution ? upto * price_scale : sum + sum / 8;
    const wide gap = std::clamp<wide>(target - sum, price_scale, widest_gap);
    const auto move = [&](std::int64_t& each, std::int64_t along) {
      each = static_cast<std::int64_t>(
          std::clamp<wide>(wide{each} + gap * along * 16 * pace / (full_pace * length), 0, wide{top_price}));
    };
    for (std::size_t k = 0; k < price_way_.size(); ++k) move(prices_.price[k], price_way_[k]);
    touched_.clear();
    for (std::size_t l = 0; l < share_way_.size(); ++l) {
      if (share_way_[l] == 0) continue;
      move(prices_.share[l], share_way_[l]);
      touched_.push_back(model_->links[l].unit);
    }
    std::sort(touched_.begin(), touched_.end());
    touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
    for (const std::uint32_t unit : touched_) prices_.hold(unit);
    return true;
  }
  /// Where to move: along what the nodes' answer lacks, and a part of the way before, as answers jump to and fro.
  /// \return the square of its length
  wide find_way(std::span<const choice> choices) {
    const state_list& list = model_->list;
    missing_.assign(price_way_.size(), 0);
    gang_->add_cheapest(prices_.price, missing_);
    for (std::int64_t& each : share_way_) each = each * kept / 16;
    for (std::uint32_t node = 0; node < model_->nodes(); ++node) {
      const std::uint32_t s = prices_.chosen()[node];
      if (s == prices_.no_state) continue;
      const auto pods = list.pods_of(s);
      for (std::size_t k = 0; k < pods.size(); ++k) missing_[k] -= std::int64_t{pods[k]} * model_->alike[node];
      const auto& state = list.states[s];
      for (std::uint32_t e = state.first_unit; e < state.first_unit + state.units; ++e)
        if (model_->link_of[e] != no_link && choices[list.units[e]] == choice::open)
          share_way_[model_->link_of[e]] += 16;
    }
    wide length = 0;
    for (std::size_t k = 0; k < price_way_.size(); ++k) {
      price_way_[k] = price_way_[k] * kept / 16 + std::clamp(missing_[k], -most_missing, most_missing) * 16;
      length += wide{price_way_[k]} * price_way_[k];
    }
    for (const std::int64_t each : share_way_) length += wide{each} * each;
    return length;
  }

  victim_model<M>* model_ = nullptr;
  const preemptor<M>* gang_ = nullptr;
  std::span<const std::int64_t> ranks_;
  victim_prices<M> prices_;
  victim_program program_;
  std::vector<std::int64_t> best_price_, best_share_;
  wide best_sum_ = 0;                                // what the best prices prove, scaled
  std::vector<std::int64_t> usage_;                  // of each unit
  std::vector<std::int64_t> price_way_, share_way_;  // the direction of the last step
  std::vector<std::int64_t> mean_;                   // of each link, and behind them of each unit
  std::vector<std::int64_t> missing_;                // pods of each set in the last answer
  std::vector<std::uint32_t> touched_;
  std::vector<std::uint8_t> live_, seen_;            // of each state, of each unit
  std::vector<wide> stays_, leaves_;
  bool fresh_ = true;
  bool settled_ = false;
  bool climbed_ = false;
  bool programmed_ = false;
};

}  // namespace muster::inline MUSTER_ABI::preemption_detail

#endif
