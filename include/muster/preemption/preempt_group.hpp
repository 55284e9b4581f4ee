// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PREEMPTION_PREEMPT_GROUP_HPP
#define MUSTER_PREEMPTION_PREEMPT_GROUP_HPP

/// \file
/// Kubernetes' workload-aware preemption, as it is.
///
/// *Feasibility first*: everybody of a lower priority is taken out, and the gang is seated by the scheduler's own rule;
/// these seats are then fixed. *Reprieve*: units are put back one by one, those that would break a disruption budget
/// first, then the others, each lot by importance; a unit is spared if every seat still fits with it back, whole. Who
/// is not spared is a victim. The seats are chosen before the victims are known and the cost of a victim is not looked
/// at, so the set is neither cheapest nor smallest: cheapest_victims.hpp finds that. This is for hosts that must decide
/// as Kubernetes does, and to compare.
///
/// A pod that is on its way out still takes its place, and counts among the units: it may be spared in the trial or be
/// a victim, and is then not evicted again.
///
/// *Waiting*: while a pod of a lower priority is on its way out on a node where something is set aside for the gang
/// (its nomination), nobody else is evicted. *Level*: where one is required each domain is tried alone, and of those
/// where the rule seats enough the best by `better` is taken: as the page has it the one with most pods seated, whoever
/// leaves.
///
/// What is not here: the preemptor that is a single pod (7.8), partial success (4.4), groups of groups.
/// \see Kubernetes 1.37, sections 7.1 to 7.7

#include <muster/cluster/cluster.hpp>
#include <muster/cluster/domains.hpp>
#include <muster/cluster/overlay.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/core/topology.hpp>
#include <muster/placement/answer.hpp>
#include <muster/placement/eligibility.hpp>
#include <muster/placement/seat_in_turn.hpp>
#include <muster/placement/seating_rule.hpp>
#include <muster/placement/verify.hpp>
#include <muster/placement/workspace.hpp>
#include <muster/preemption/class_violations.hpp>
#include <muster/preemption/detail/eviction_trials.hpp>
#include <muster/preemption/detail/preemptor.hpp>
#include <muster/preemption/disruption_budget.hpp>
#include <muster/preemption/importance.hpp>
#include <muster/preemption/list_victim_units.hpp>
#include <muster/preemption/seat_pod_by_pod.hpp>
#include <muster/preemption/victim_plan.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/pod_group.hpp>
#include <muster/workload/validate.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI {

/// Whether a plan of one domain is better than another's: it seats more pods.
struct more_pods_seated {
  template <class Plan>
  [[nodiscard]] bool operator()(const Plan& a, const Plan& b) const noexcept {
    const auto pods = [](const Plan& plan) {
      pod_count sum = 0;
      for (const auto& one : plan.seats) sum += one.count;
      return sum;
    };
    return pods(a) > pods(b);
  }
};

/// \param Rule a seating rule that is told the filter: `rule(question, filter, seats)`
template <class Rule = seat_pod_by_pod<>, class Order = more_important, class Better = more_pods_seated,
          class May = anyone, class Filter = everywhere>
struct preempt_options {
  Rule rule{};
  std::span<const disruption_budget> budgets{};
  Order order{};    ///< of importance
  Better better{};  ///< among the plans of several domains; of equal ones the first in label order
  May may{};        ///< whether a unit of a lower priority may be evicted at all
  Filter filter{};
};

/// Memory a caller may keep between calls. The plan lies in it until the next one.
template <resource_model M>
struct preempt_space {
  victim_plan<M> plan;

  // scratch; what lies here is nobody's
  victim_units<M> units;
  workspace<M> placing;
  preemption_detail::preemptor<M> gang;
};

/// Decides who leaves so that the group sits whole, as Kubernetes does.
/// \param group a pod_group, or the id of one in the cluster: its unscheduled members, beside those that run
/// \return in `space`, until its next use: `not_needed` (the rule seats it as things stand), `wait` (for victims of an
///         earlier preemption), `evict`, `none`, `hold` (the group is not known) or `invalid` (it is faulty). The
///         plan's cost, bound and domain say nothing, and `none` proves nothing but for `policy_never` and `no_units`
/// \complexity the rule's, twice for each domain, and O(units x seats) a domain
/// \exceptions what the function objects throw; allocates \determinism a function of the view and the arguments
/// \see Kubernetes 1.37, section 7.5
template <resource_model M, class Group, class Rule = seat_pod_by_pod<>, class Order = more_important,
          class Better = more_pods_seated, class May = anyone, class Filter = everywhere>
  requires(std::same_as<Group, group_id> || std::same_as<Group, pod_group<M>>)
const victim_plan<M>& preempt_group(const snapshot<M>& view, const Group& group, preempt_space<M>& space,
                                    const preempt_options<Rule, Order, Better, May, Filter>& options = {});

// ---------------------------------------------------------------------------------------------------------------------

namespace preemption_detail {

/// One call of preempt_group.
template <resource_model M, class Group, class Options>
class group_preemption {
 public:
  group_preemption(const snapshot<M>& view, const Group& group, preempt_space<M>& space, const Options& options)
      : view_{view}, group_{group}, space_{space}, options_{options}, on_{view} {}

  void answer() {
    space_.plan = {};
    space_.plan.group = id();
    if (!known()) return;
    const auto lower = [&](const victim_unit<M>& unit) {
      return unit.priority < spec().priority && static_cast<bool>(options_.may(unit));
    };
    list_victim_units(view_, space_.units, lower, listed_pods::leaving_too);
    trials out{on_, group_, id(), space_.units, space_.placing, false};
    if (try_domains(out, false)) return;  // as things stand
    if (waits_for_victims()) return end(preemption_outcome::wait, preemption_reason::victims_terminating);
    if (spec().preemption == preemption_policy::never)
      return end(preemption_outcome::none, preemption_reason::policy_never, true);
    if (space_.units.units.empty()) return end(preemption_outcome::none, preemption_reason::no_units, true);
    if (!try_domains(out, true)) end(preemption_outcome::none, preemption_reason::still_too_full);
  }

 private:
  using trials = eviction_trials<M, Group>;

  [[nodiscard]] group_id id() const noexcept {
    if constexpr (std::same_as<Group, group_id>) return group_;
    else return group_.id;
  }
  [[nodiscard]] const pod_group<M>& spec() const {
    if constexpr (std::same_as<Group, group_id>) return view_.group(group_)->spec;
    else return group_;
  }
  void end(preemption_outcome outcome, preemption_reason reason, bool proved = false) {
    space_.plan.outcome = outcome;
    space_.plan.reason = reason;
    space_.plan.proved = proved;
  }
  bool known() {
    if constexpr (std::same_as<Group, group_id>) {
      if (view_.group(group_) == nullptr) {
        end(preemption_outcome::hold, preemption_reason::placement_refused);
        space_.plan.placement = refusal_reason::group_unknown;
        return false;
      }
      space_.gang.read(*view_.group(group_));
    } else {
      space_.gang.read(group_);
    }
    if (first_fault(spec(), view_.levels()).fault == group_fault::none) return true;
    end(preemption_outcome::invalid, preemption_reason::placement_refused);
    space_.plan.placement = refusal_reason::group_fault;
    return false;
  }
  /// Whether a pod of a lower priority is leaving a node that the gang is nominated to.
  [[nodiscard]] bool waits_for_victims() const {
    bool waits = false;
    view_.visit_set_asides(id(), [&](const set_aside<M>&, std::uint32_t position) {
      view_.visit_pods_on(position, [&](const pod_record<M>& pod) {
        const group_record<M>* of = view_.group(pod);
        const std::int32_t priority = of != nullptr ? of->spec.priority : pod.priority;
        waits = waits || (pod.phase == phase::terminating && priority < spec().priority);
      });
    });
    return waits;
  }
  /// Seats the gang in each domain, with everybody out or nobody; keeps the best plan. False: the rule finds no seats.
  bool try_domains(trials& out, bool evicting) {
    const topology_level level = spec().required;
    if (level == no_level) return try_in(out, {{0, view_.size()}}, evicting);
    const std::uint32_t count =
        level == node_level ? view_.size() : static_cast<std::uint32_t>(view_.domains(static_cast<std::size_t>(level)));
    bool any = false;
    for (std::uint32_t d = 0; d < count; ++d) {
      std::vector<run> nodes{{d, d + 1}};
      if (level != node_level) {
        const auto runs = view_.domain_runs(static_cast<std::size_t>(level), d);
        nodes.assign(runs.begin(), runs.end());
      }
      any = try_in(out, std::move(nodes), evicting) || any;
    }
    return any;
  }
  bool try_in(trials& out, std::vector<run> nodes, bool evicting) {
    if constexpr (confining_filter<decltype(options_.filter)>) {
      std::vector<run> common;
      add_common(options_.filter.nodes(), std::span<const run>{nodes}, common);
      nodes.swap(common);
    }
    const inside<std::remove_cvref_t<decltype(options_.filter)>> here{nodes, options_.filter};
    out.evict_exactly([&](std::size_t) { return evicting; });
    victim_plan<M> made;
    made.group = id();
    made.outcome = evicting ? preemption_outcome::evict : preemption_outcome::not_needed;
    waiting_.assign(spec().pod_sets.size(), 0);
    for (const asked_set& set : space_.gang.sets) waiting_[set.pod_set] = set.waiting;
    {
      const trial_scope<M> scope{on_};
      options_.rule(seating_question<M>{on_, spec(), waiting_, {}}, here, made.seats);
    }
    if (!verify(on_, group_, std::span<const seat<M>>{made.seats}, options_.filter).holds()) return false;
    if (evicting) reprieve(out, made);
    if (space_.plan.outcome == made.outcome && !options_.better(made, space_.plan)) return true;
    space_.plan = std::move(made);
    return true;
  }

  /// Puts units back as long as the seats hold, and writes down who is not put back.
  void reprieve(trials& out, victim_plan<M>& made) {
    const auto& units = space_.units.units;
    order_.resize(units.size());
    std::iota(order_.begin(), order_.end(), 0U);
    const auto by_importance = [&](std::uint32_t a, std::uint32_t b) {
      return static_cast<bool>(options_.order(units[a], units[b]));
    };
    std::sort(order_.begin(), order_.end(), by_importance);
    const auto violating = class_violations(space_.units, order_, options_.budgets);
    std::stable_partition(order_.begin(), order_.end(), [&](std::uint32_t u) { return violating[u] > 0; });
    std::stable_sort(made.seats.begin(), made.seats.end(),
                     [](const seat<M>& a, const seat<M>& b) { return a.position < b.position; });
    for (const std::uint32_t u : order_) {
      out.restore(u);
      if (!seats_hold(u, made.seats)) out.evict(u);
    }
    for (std::uint32_t u = 0; u < units.size(); ++u) {
      if (!out.is_out(u)) continue;
      made.violations += violating[u];
      made.victims.add(units[u], space_.units.pods_of(units[u]));
    }
    grant_again(made.seats);
  }
  /// Whether the seats fit on the nodes of a unit that was put back.
  [[nodiscard]] bool seats_hold(std::uint32_t unit, std::span<const seat<M>> seats) const {
    for (const pod_record<M>* pod : space_.units.pods_of(space_.units.units[unit]))
      if (!seats_hold_on(view_.position_of(*pod), seats)) return false;
    return true;
  }
  [[nodiscard]] bool seats_hold_on(std::uint32_t position, std::span<const seat<M>> seats) const {
    auto at = std::lower_bound(seats.begin(), seats.end(), position,
                               [](const seat<M>& one, std::uint32_t p) { return one.position < p; });
    typename M::state_type left = on_.now(position);
    pod_count slots = on_.pods_left(position);
    for (; at != seats.end() && at->position == position; ++at) {
      typename M::grant_type grant{};
      slots -= at->count;
      if (slots < 0 || M::allocate(left, spec().pod_sets[at->pod_set].request, at->count, grant) < at->count)
        return false;
    }
    return true;
  }
  /// The grants of the seats, with the spared units back.
  void grant_again(std::vector<seat<M>>& seats) {
    const trial_scope<M> scope{on_};
    for (seat<M>& one : seats)
      (void)on_.take(one.position, spec().pod_sets[one.pod_set].request, one.count, one.grant);
  }

  const snapshot<M>& view_;
  const Group& group_;
  preempt_space<M>& space_;
  const Options& options_;
  overlay<M> on_;
  std::vector<pod_count> waiting_;
  std::vector<std::uint32_t> order_;
};

}  // namespace preemption_detail

template <resource_model M, class Group, class Rule, class Order, class Better, class May, class Filter>
  requires(std::same_as<Group, group_id> || std::same_as<Group, pod_group<M>>)
const victim_plan<M>& preempt_group(const snapshot<M>& view, const Group& group, preempt_space<M>& space,
                                    const preempt_options<Rule, Order, Better, May, Filter>& options) {
  using call =
      preemption_detail::group_preemption<M, Group, preempt_options<Rule, Order, Better, May, Filter>>;
  call{view, group, space, options}.answer();
  return space.plan;
}

}  // namespace muster::inline MUSTER_ABI

#endif
