// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PREEMPTION_DETAIL_VICTIM_QUESTION_HPP
#define MUSTER_PREEMPTION_DETAIL_VICTIM_QUESTION_HPP

/// \file
/// From a question for the cheapest victims to a plan: what needs no search, the domains by their bounds, the best set.

#include <muster/cluster/cluster.hpp>
#include <muster/cluster/domains.hpp>
#include <muster/cluster/overlay.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/core/search_budget.hpp>
#include <muster/core/topology.hpp>
#include <muster/core/verdict.hpp>
#include <muster/placement/candidates.hpp>
#include <muster/placement/certificate.hpp>
#include <muster/placement/eligibility.hpp>
#include <muster/placement/list_candidates.hpp>
#include <muster/placement/options.hpp>
#include <muster/placement/place.hpp>
#include <muster/preemption/detail/eviction_trials.hpp>
#include <muster/preemption/detail/preemptor.hpp>
#include <muster/preemption/detail/unit_costs.hpp>
#include <muster/preemption/detail/victim_search.hpp>
#include <muster/preemption/list_victim_units.hpp>
#include <muster/preemption/victim_options.hpp>
#include <muster/preemption/victim_plan.hpp>
#include <muster/resource/model.hpp>
#include <muster/scoring/eviction_cost.hpp>
#include <muster/workload/pod_group.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI::preemption_detail {

/// One call of cheapest_victims.
template <resource_model M, class Group, class Cost, class May, class Filter, class Stop>
class victim_question {
 public:
  victim_question(const snapshot<M>& view, const Group& group, victim_space<M, Cost>& space,
                  const victim_options<Cost, May, Filter, Stop>& options)
      : view_{view}, group_{group}, space_{space}, options_{options}, plan_{space.plan},
        budget_{options.budget, options.stop}, best_{space.best} {}

  void answer() {
    plan_.clear();
    best_.clear();
    plan_.group = id_of(group_);
    if (space_.trial) space_.trial->reset(view_);
    else space_.trial.emplace(view_);
    if (place(*space_.trial, group_, space_.placing, how()).fits()) return sits(preemption_outcome::not_needed);
    if (!sound()) return;
    space_.gang.read(view_, group_);
    list_units();
    eviction_trials<M> on{*space_.trial, id_of(group_), space_.units, tense::later, space_.out};
    const fit once_left = ask(on, how());
    if (once_left == fit::yes) return sits(preemption_outcome::wait);
    if (spec().preemption == preemption_policy::never) return none(preemption_reason::policy_never);
    if (space_.units.units.empty()) return once_left == fit::no ? none(preemption_reason::no_units) : give_up();
    if (const cost_fault fault = space_.costs.read(options_.cost, space_.units, view_.time());
        fault != cost_fault::none) {
      plan_.outcome = preemption_outcome::invalid;
      plan_.reason = preemption_reason::bad_cost;
      plan_.fault = fault;
      return;
    }
    plan_.saturated = space_.costs.saturated();
    on.evict_exactly([](std::size_t) { return true; });
    if (ask(on, how()) == fit::no) return none(preemption_reason::still_too_full);
    search(on);
    finish(on);
  }

 private:
  static constexpr std::uint64_t steps_of_a_question = 32;  // besides those that place() counts

  [[nodiscard]] const pod_group<M>& spec() const { return spec_of(view_, group_); }
  [[nodiscard]] place_options<Filter, fullest_first, never_stop> how() const {
    return {.filter = options_.filter, .extras = false, .budget = budget_.left(), .only_now = true};
  }
  /// Whether the gang fits with those out that are out; the answer stays in the workspace.
  template <class How>
  fit ask(eviction_trials<M>& on, const How& options) {
    const verdict said = place(*space_.trial, group_, space_.placing, options).verdict;
    budget_.spend(space_.placing.answer.steps + on.take_moved() + steps_of_a_question);
    return said == verdict::fits ? fit::yes : said == verdict::undecided ? fit::unknown : fit::no;
  }

  /// Whether place() took the question for one.
  bool sound() {
    const auto& answer = space_.placing.answer;
    if (answer.verdict != verdict::hold && answer.verdict != verdict::invalid) return true;
    plan_.outcome = answer.verdict == verdict::hold ? preemption_outcome::hold : preemption_outcome::invalid;
    plan_.reason = preemption_reason::placement_refused;
    plan_.placement = answer.reason;
    return false;
  }
  void list_units() {
    list_victim_units(view_, space_.units, [&](const victim_unit<M>& unit) {
      if (unit.priority >= spec().priority) return false;
      if (unit.group != nullptr && unit.group->id == id_of(group_)) return false;
      return static_cast<bool>(options_.may(unit));
    });
  }
  void none(preemption_reason why) {
    plan_.outcome = preemption_outcome::none;
    plan_.reason = why;
    plan_.proved = true;
    plan_.steps = budget_.spent();
  }
  /// Whether it fits with nobody evicted is not known, and there is nobody to evict.
  void give_up() {
    plan_.reason = preemption_reason::search_ended;
    plan_.steps = budget_.spent();
  }
  /// The seats of the last answer, without victims.
  void sits(preemption_outcome outcome) {
    plan_.outcome = outcome;
    plan_.proved = true;
    take_seats_of_answer();
    plan_.steps = budget_.spent();
  }
  void take_seats_of_answer() {
    plan_.seats.assign(space_.placing.answer.seats.begin(), space_.placing.answer.seats.end());
    plan_.domain = space_.placing.answer.domain;
  }

  void search(eviction_trials<M>& on) {
    space_.ranks.clear();
    for (std::size_t u = 0; u < space_.units.units.size(); ++u) space_.ranks.push_back(space_.costs.rank(u));
    space_.model.index(view_, space_.units);
    const auto parent = nodes_of(view_, options_.filter);
    if (spec().required == no_level) {
      search_in(on, parent, true);
      return;
    }
    // Domains by their bounds: once the best set is cheaper than the next bound, it is the best of all.
    candidate_list& domains = space_.domains;
    list_candidates(view_, spec().required, parent, domains);
    auto& by_bound = space_.domain_bounds;
    by_bound.clear();
    for (std::size_t d = 0; d < domains.size(); ++d) {
      if (budget_.out()) {
        left_open_ = 0;  // nothing is known of those that come
        break;
      }
      const wide bound = search_in(on, domains.nodes(d), false);
      if (bound < no_solution) by_bound.push_back({bound, d});
    }
    std::sort(by_bound.begin(), by_bound.end());
    for (const auto& [bound, d] : by_bound) {
      if (bound >= best_.rank) break;
      if (budget_.out()) {
        left_open_ = std::min(left_open_, bound);
        continue;
      }
      search_in(on, domains.nodes(d), true);
    }
  }
  /// \return the bound of a domain; where all of it is searched, of what was left open
  wide search_in(eviction_trials<M>& on, std::span<const run> nodes, bool whole) {
    place_options<inside<Filter>, fullest_first, never_stop> here{
        .filter = {nodes, options_.filter}, .extras = false, .only_now = true};
    const auto asks = [&] {
      here.budget = budget_.left();
      return ask(on, here);
    };
    on.evict_exactly([](std::size_t) { return false; });
    if (!whole) {
      space_.model.visit_units(nodes, [&](std::size_t u) { on.evict(u); });
      if (asks() == fit::no) return no_solution;
      on.evict_exactly([](std::size_t) { return false; });
    }
    budget_.spend(space_.model.build(on.view(), nodes, space_.gang, options_.filter,
                                     space_.ranks, adds_up<Cost> && space_.costs.tells_apart(), budget_.left() / 2));
    space_.bound.start(space_.model, space_.gang, space_.ranks);
    victim_search look{space_.model, space_.bound, space_.costs, space_.ranks, on, asks, best_, budget_,
                       space_.search};
    if (!whole) return look.sketch();
    left_open_ = std::min(left_open_, look.run());
    return left_open_;
  }

  /// Writes the best set down.
  void finish(eviction_trials<M>& on) {
    plan_.steps = budget_.spent();
    plan_.bound = space_.costs.cost_at(std::min(left_open_, best_.rank));
    if (!best_.found) {
      plan_.reason = preemption_reason::search_ended;
      return;
    }
    plan_.outcome = preemption_outcome::evict;
    plan_.cost = best_.cost;
    plan_.proved = left_open_ >= best_.rank;
    if (plan_.proved) {
      plan_.bound = best_.cost;
      if (!best_.cost.saturated()) plan_.fewest = best_.count;
    } else if (plan_.bound > plan_.cost) {
      plan_.bound = plan_.cost;
    }
    on.evict_exactly([&](std::size_t u) { return best_.out[u] != 0; });
    auto with_extras = how();
    with_extras.extras = true;
    with_extras.budget = options_.budget;
    (void)place(*space_.trial, group_, space_.placing, with_extras);
    take_seats_of_answer();
    for (std::size_t u = 0; u < best_.out.size(); ++u) {
      if (best_.out[u] == 0) continue;
      plan_.victims.add(space_.units.units[u], space_.units.pods_of(space_.units.units[u]));
    }
  }

  const snapshot<M>& view_;
  const Group& group_;
  victim_space<M, Cost>& space_;
  const victim_options<Cost, May, Filter, Stop>& options_;
  victim_plan<M, Cost::components>& plan_;
  search_budget budget_;
  best_set<Cost::components>& best_;
  wide left_open_ = no_solution;
};

}  // namespace muster::inline MUSTER_ABI::preemption_detail

#endif
