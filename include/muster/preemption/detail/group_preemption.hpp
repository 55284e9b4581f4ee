// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PREEMPTION_DETAIL_GROUP_PREEMPTION_HPP
#define MUSTER_PREEMPTION_DETAIL_GROUP_PREEMPTION_HPP

/// \file
/// Kubernetes' preemption of a group, step by step as section 7.5 has them: seats with everybody out, then reprieve.

#include <muster/cluster/cluster.hpp>
#include <muster/cluster/domains.hpp>
#include <muster/cluster/overlay.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/core/topology.hpp>
#include <muster/placement/answer.hpp>
#include <muster/placement/candidates.hpp>
#include <muster/placement/certificate.hpp>
#include <muster/placement/eligibility.hpp>
#include <muster/placement/list_candidates.hpp>
#include <muster/placement/seating_rule.hpp>
#include <muster/placement/verify.hpp>
#include <muster/preemption/class_violations.hpp>
#include <muster/preemption/detail/eviction_trials.hpp>
#include <muster/preemption/detail/preemptor.hpp>
#include <muster/preemption/list_victim_units.hpp>
#include <muster/preemption/preempt_options.hpp>
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
#include <type_traits>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI::preemption_detail {

/// One call of preempt_group.
template <resource_model M, class Group, class Options>
class group_preemption {
 public:
  group_preemption(const snapshot<M>& view, const Group& group, preempt_space<M>& space, const Options& options)
      : view_{view}, group_{group}, space_{space}, options_{options}, on_{trial(view, space)} {}

  void answer() {
    space_.plan.clear();
    space_.plan.group = id_of(group_);
    if (!known()) return;
    const auto lower = [&](const victim_unit<M>& unit) {
      return unit.priority < spec().priority && static_cast<bool>(options_.may(unit));
    };
    list_victim_units(view_, space_.units, lower, listed_pods::leaving_too);
    eviction_trials<M> out{on_, id_of(group_), space_.units, tense::now, space_.out};
    if (try_domains(out, false)) return;  // as things stand
    if (waits_for_victims()) return end(preemption_outcome::wait, preemption_reason::victims_terminating);
    if (spec().preemption == preemption_policy::never)
      return end(preemption_outcome::none, preemption_reason::policy_never, true);
    if (space_.units.units.empty()) return end(preemption_outcome::none, preemption_reason::no_units, true);
    if (!try_domains(out, true)) end(preemption_outcome::none, preemption_reason::still_too_full);
  }

 private:
  [[nodiscard]] static overlay<M>& trial(const snapshot<M>& view, preempt_space<M>& space) {
    if (space.trial) space.trial->reset(view);
    else space.trial.emplace(view);
    return *space.trial;
  }
  [[nodiscard]] const pod_group<M>& spec() const { return spec_of(view_, group_); }
  void end(preemption_outcome outcome, preemption_reason reason, bool proved = false) {
    space_.plan.outcome = outcome;
    space_.plan.reason = reason;
    space_.plan.proved = proved;
  }
  bool known() {
    if constexpr (std::same_as<Group, group_id>)
      if (view_.group(group_) == nullptr) {
        end(preemption_outcome::hold, preemption_reason::placement_refused);
        space_.plan.placement = refusal_reason::group_unknown;
        return false;
      }
    space_.gang.read(view_, group_);
    if (first_fault(spec(), view_.levels()).fault == group_fault::none) return true;
    end(preemption_outcome::invalid, preemption_reason::placement_refused);
    space_.plan.placement = refusal_reason::group_fault;
    return false;
  }
  /// Whether a pod of a lower priority is leaving a node that the gang is nominated to.
  [[nodiscard]] bool waits_for_victims() const {
    bool waits = false;
    view_.visit_set_asides(id_of(group_), [&](const set_aside<M>&, std::uint32_t position) {
      view_.visit_pods_on(position, [&](const pod_record<M>& pod) {
        const group_record<M>* of = view_.group(pod);
        const std::int32_t priority = of != nullptr ? of->spec.priority : pod.priority;
        waits = waits || (pod.phase == phase::terminating && priority < spec().priority);
      });
    });
    return waits;
  }
  /// Seats the gang in each domain, with everybody out or nobody; keeps the best plan. False: the rule finds no seats.
  bool try_domains(eviction_trials<M>& out, bool evicting) {
    const auto parent = nodes_of(view_, options_.filter);
    if (spec().required == no_level) return try_in(out, parent, evicting);
    list_candidates(view_, spec().required, parent, space_.domains);
    bool any = false;
    for (std::size_t d = 0; d < space_.domains.size(); ++d)
      any = try_in(out, space_.domains.nodes(d), evicting) || any;
    return any;
  }
  bool try_in(eviction_trials<M>& out, std::span<const run> nodes, bool evicting) {
    const inside<std::remove_cvref_t<decltype(options_.filter)>> here{nodes, options_.filter};
    out.evict_exactly([&](std::size_t) { return evicting; });
    victim_plan<M>& made = space_.made;
    made.clear();
    made.group = id_of(group_);
    made.outcome = evicting ? preemption_outcome::evict : preemption_outcome::not_needed;
    space_.waiting.assign(spec().pod_sets.size(), 0);
    for (const asked_set& set : space_.gang.sets) space_.waiting[set.pod_set] = set.waiting;
    {
      const trial_scope<M> scope{on_};
      options_.rule(seating_question<M>{on_, spec(), space_.waiting, {}}, here, made.seats);
    }
    if (!verify(on_, group_, std::span<const seat<M>>{made.seats}, options_.filter).holds()) return false;
    if (evicting) reprieve(out, made);
    if (space_.plan.outcome == made.outcome && !options_.better(made, space_.plan)) return true;
    std::swap(space_.plan, made);
    return true;
  }

  /// Puts units back as long as the seats hold, and writes down who is not put back.
  void reprieve(eviction_trials<M>& out, victim_plan<M>& made) {
    const auto& units = space_.units.units;
    rank_units();
    std::sort(made.seats.begin(), made.seats.end(), [](const seat<M>& a, const seat<M>& b) {
      return a.position != b.position ? a.position < b.position : b.pod_set > a.pod_set;
    });
    for (const std::uint32_t u : space_.order) {
      out.restore(u);
      if (!seats_hold(u, made.seats)) out.evict(u);
    }
    for (std::uint32_t u = 0; u < units.size(); ++u) {
      if (!out.is_out(u)) continue;
      made.violations += space_.violating[u];
      made.victims.add(units[u], space_.units.pods_of(units[u]));
    }
    grant_again(made.seats);
  }
  /// Whom to put back first: those whose eviction breaks a budget, then the others, each by importance.
  void rank_units() {
    const auto& units = space_.units.units;
    auto& order = space_.order;
    order.resize(units.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return static_cast<bool>(options_.order(units[a], units[b]));
    });
    space_.violating.assign(units.size(), 0);
    if (options_.budgets.empty()) return;
    space_.violating = class_violations(space_.units, order, options_.budgets);
    std::stable_partition(order.begin(), order.end(), [&](std::uint32_t u) { return space_.violating[u] > 0; });
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
  overlay<M>& on_;
};

}  // namespace muster::inline MUSTER_ABI::preemption_detail

#endif
