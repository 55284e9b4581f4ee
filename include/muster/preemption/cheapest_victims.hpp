// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PREEMPTION_CHEAPEST_VICTIMS_HPP
#define MUSTER_PREEMPTION_CHEAPEST_VICTIMS_HPP

/// \file
/// The cheapest set of victims that makes a gang fit, over all sets and all placements.
///
/// Which units leave and where the gang then sits is decided at once: a placement chosen before the victims are known
/// may cost many times the optimum, or find no victims where there are some. The set returned is the cheapest by the
/// caller's cost object, and of the cheapest one with the fewest units; nobody in it could stay. Where the budget ends
/// first, it is the best set found, in which somebody perhaps could, with a bound that no set undercuts.
///
/// How. Every node has its *states* (detail/node_states.hpp): who leaves there, and what of the gang that makes room
/// for. A relaxed choice of one state a node bounds the cost of all sets; branch and bound over units closes the gap;
/// `place` alone says whether a set suffices, so every constraint of a gang counts: levels, limits, sizes, models, the
/// filter. With a required level the domains are looked through by their bounds, and a full one is as good as any.
///
/// Victims leave together with those that are on their way out already: the seats are of that time.
///
/// \see Kubernetes 1.37, section 7, for the rule that fixes the placement first (preempt_group.hpp)

#include <muster/cluster/cluster.hpp>
#include <muster/cluster/domains.hpp>
#include <muster/cluster/overlay.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/core/search_budget.hpp>
#include <muster/core/topology.hpp>
#include <muster/placement/eligibility.hpp>
#include <muster/placement/options.hpp>
#include <muster/placement/workspace.hpp>
#include <muster/preemption/detail/eviction_trials.hpp>
#include <muster/preemption/detail/preemptor.hpp>
#include <muster/preemption/detail/unit_costs.hpp>
#include <muster/preemption/detail/victim_bound.hpp>
#include <muster/preemption/detail/victim_model.hpp>
#include <muster/preemption/detail/victim_search.hpp>
#include <muster/preemption/list_victim_units.hpp>
#include <muster/preemption/victim_plan.hpp>
#include <muster/resource/model.hpp>
#include <muster/scoring/eviction_cost.hpp>
#include <muster/workload/pod_group.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI {

template <class Cost = lost_work<>, class May = anyone, class Filter = everywhere, class Stop = never_stop>
struct victim_options {
  Cost cost{};
  May may{};        ///< whether a unit of a lower priority may be evicted at all
  Filter filter{};  ///< of nodes, as for place()
  std::uint64_t budget = 25'000'000;  ///< search steps; 2,000,000 for interactive use
  Stop stop{};      ///< asked every few thousand steps whether to end the search now
};

/// Memory a caller may keep between calls. The plan lies in it until the next one.
template <resource_model M, eviction_cost<M> Cost = lost_work<>>
struct victim_space {
  victim_plan<M, Cost::components> plan;

  // scratch; what lies here is nobody's
  workspace<M> placing;
  victim_units<M> units;
  preemption_detail::preemptor<M> gang;
  preemption_detail::victim_model<M> model;
  preemption_detail::victim_bound<M> bound;
  preemption_detail::unit_costs<M, Cost> costs;
  std::vector<std::int64_t> ranks;
  std::optional<overlay<M>> trial;
};

/// Decides who leaves so that the group sits whole.
///
/// \param group a pod_group, or the id of one in the cluster: its unscheduled members, beside those that run
/// \return in `space`, until its next use: `not_needed` or `wait` with seats; `evict` with the victims and the seats;
///         `none`: the group may not preempt, nobody may be evicted, or proved that it does not fit with all of them
///         gone; `undecided`; `hold` and `invalid` as place() says, or for a cost object that breaks its contract
/// \complexity within the budget; to begin with O(n + p log p) for p pods that run, and the states of the nodes
/// \exceptions none of its own; what the function objects throw passes through. Allocates in `space`
/// \determinism a function of the view and the arguments; of equal sets the one found first, in the order of the units
template <resource_model M, class Group, class Cost = lost_work<>, class May = anyone, class Filter = everywhere,
          class Stop = never_stop>
  requires(std::same_as<Group, group_id> || std::same_as<Group, pod_group<M>>)
const victim_plan<M, Cost::components>& cheapest_victims(
    const snapshot<M>& view, const Group& group, victim_space<M, Cost>& space,
    const victim_options<Cost, May, Filter, Stop>& options = {});

// ---------------------------------------------------------------------------------------------------------------------

namespace preemption_detail {

/// One call of cheapest_victims.
template <resource_model M, class Group, class Cost, class May, class Filter, class Stop>
class victim_question {
 public:
  victim_question(const snapshot<M>& view, const Group& group, victim_space<M, Cost>& space,
                  const victim_options<Cost, May, Filter, Stop>& options)
      : view_{view}, group_{group}, space_{space}, options_{options}, plan_{space.plan},
        budget_{options.budget, options.stop} {}

  void answer() {
    plan_ = {};
    plan_.group = id();
    if (space_.trial) space_.trial->reset(view_);
    else space_.trial.emplace(view_);
    if (place(*space_.trial, group_, space_.placing, how()).fits()) return sits(preemption_outcome::not_needed);
    if (!sound()) return;
    read_gang();
    list_units();
    trials on{*space_.trial, group_, id(), space_.units, space_.placing, true};
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
    const auto everybody = [](std::size_t) { return true; };
    on.evict_exactly(everybody);
    const fit with_all_gone = ask(on, how());
    if (with_all_gone == fit::no) return none(preemption_reason::still_too_full);
    search(on);
    finish(on);
  }

 private:
  using trials = eviction_trials<M, Group>;
  static constexpr std::uint64_t steps_of_a_question = 32;  // besides those that place() counts

  [[nodiscard]] const pod_group<M>& spec() const {
    if constexpr (std::same_as<Group, group_id>) return view_.group(group_)->spec;
    else return group_;
  }
  [[nodiscard]] group_id id() const noexcept {
    if constexpr (std::same_as<Group, group_id>) return group_;
    else return group_.id;
  }
  [[nodiscard]] place_options<Filter, fullest_first, never_stop> how() const {
    place_options<Filter, fullest_first, never_stop> made;
    made.filter = options_.filter;
    made.extras = false;
    made.only_now = true;
    made.budget = steps_left();
    return made;
  }
  [[nodiscard]] std::uint64_t steps_left() const noexcept {
    return options_.budget - std::min(options_.budget, budget_.spent());
  }
  template <class How>
  fit ask(trials& on, const How& options) {
    const fit said = on.ask(options);
    budget_.spend(on.answer().steps + on.take_moved() + steps_of_a_question);
    return said;
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
  void read_gang() {
    if constexpr (std::same_as<Group, group_id>) space_.gang.read(*view_.group(group_));
    else space_.gang.read(group_);
  }
  void list_units() {
    list_victim_units(view_, space_.units, [&](const victim_unit<M>& unit) {
      if (unit.priority >= spec().priority) return false;
      if (unit.group != nullptr && unit.group->id == id()) return false;
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

  void search(trials& on) {
    space_.ranks.clear();
    for (std::size_t u = 0; u < space_.units.units.size(); ++u) space_.ranks.push_back(space_.costs.rank(u));
    space_.model.index(view_, space_.units);
    const topology_level level = spec().required;
    if (level == no_level) {
      search_in(on, {{0, view_.size()}}, true);
      return;
    }
    // Domains by their bounds: once the best set is cheaper than the next bound, it is the best of all.
    const std::uint32_t count =
        level == node_level ? view_.size() : static_cast<std::uint32_t>(view_.domains(static_cast<std::size_t>(level)));
    std::vector<std::pair<wide, std::uint32_t>> by_bound;
    for (std::uint32_t d = 0; d < count; ++d) {
      if (budget_.out()) {
        left_open_ = 0;  // nothing is known of those that come
        break;
      }
      const wide bound = search_in(on, runs_of(level, d), false);
      if (bound < no_solution) by_bound.push_back({bound, d});
    }
    std::sort(by_bound.begin(), by_bound.end());
    for (const auto& [bound, d] : by_bound) {
      if (bound >= best_.rank) break;
      if (budget_.out()) {
        left_open_ = std::min(left_open_, bound);
        continue;
      }
      search_in(on, runs_of(level, d), true);
    }
  }
  [[nodiscard]] std::vector<run> runs_of(topology_level level, std::uint32_t domain) const {
    if (level == node_level) return {{domain, domain + 1}};
    const auto runs = view_.domain_runs(static_cast<std::size_t>(level), domain);
    return {runs.begin(), runs.end()};
  }
  /// \return the bound of a domain; where all of it is searched, of what was left open
  wide search_in(trials& on, std::vector<run> nodes, bool whole) {
    if constexpr (confining_filter<Filter>) {
      std::vector<run> common;
      add_common(options_.filter.nodes(), std::span<const run>{nodes}, common);
      nodes.swap(common);
    }
    const auto plain = how();
    place_options<inside<Filter>, fullest_first, never_stop> here;
    here.filter = {nodes, plain.filter};
    here.extras = false;
    here.only_now = true;
    const auto asks = [&] {
      here.budget = steps_left();
      return ask(on, here);
    };
    on.evict_exactly([](std::size_t) { return false; });
    if (!whole) {
      space_.model.visit_units(nodes, [&](std::size_t u) { on.evict(u); });
      if (asks() == fit::no) return no_solution;
      on.evict_exactly([](std::size_t) { return false; });
    }
    budget_.spend(space_.model.build(on.view(), nodes, space_.gang, options_.filter,
                                     [&](std::size_t u) { return space_.ranks[u]; },
                                     adds_up<Cost> && space_.costs.tells_apart(), steps_left() / 2));
    space_.bound.start(space_.model, space_.gang, space_.ranks);
    victim_search look{space_.model, space_.bound, space_.costs, on, asks, best_, budget_};
    if (!whole) return look.sketch();
    left_open_ = std::min(left_open_, look.run());
    return left_open_;
  }

  /// Writes the best set down.
  void finish(trials& on) {
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
    (void)on.ask(with_extras);
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
  best_set<Cost::components> best_;
  wide left_open_ = no_solution;
};

}  // namespace preemption_detail

template <resource_model M, class Group, class Cost, class May, class Filter, class Stop>
  requires(std::same_as<Group, group_id> || std::same_as<Group, pod_group<M>>)
const victim_plan<M, Cost::components>& cheapest_victims(const snapshot<M>& view, const Group& group,
                                                         victim_space<M, Cost>& space,
                                                         const victim_options<Cost, May, Filter, Stop>& options) {
  preemption_detail::victim_question<M, Group, Cost, May, Filter, Stop>{view, group, space, options}.answer();
  return space.plan;
}

}  // namespace muster::inline MUSTER_ABI

#endif
