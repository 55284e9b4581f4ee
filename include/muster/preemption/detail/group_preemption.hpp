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
#include <muster/placement/answer.hpp>
#include <muster/placement/certificate.hpp>
#include <muster/preemption/detail/eviction_trials.hpp>
#include <muster/preemption/detail/preemption_call.hpp>
#include <muster/preemption/detail/preemptor.hpp>
#include <muster/preemption/preempt_options.hpp>
#include <muster/preemption/victim_plan.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/pod_group.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI::preemption_detail {

/// One call of preempt_group.
template <resource_model M, class Group, class Options>
class group_preemption : preemption_call<M, Group, Options> {
  using call = preemption_call<M, Group, Options>;
  using call::end, call::on_, call::options_, call::space_, call::spec, call::view_;

 public:
  group_preemption(const snapshot<M>& view, const Group& group, preempt_space<M>& space, const Options& options)
      : call{view, group, space, options} {}

  void answer() {
    if (!this->known()) return;
    this->list_lower_units();
    eviction_trials<M> out{on_, space_.plan.group, space_.units, tense::now, space_.out};
    if (try_everywhere(out, false)) return;  // as things stand
    if (this->waits_for_victims([](std::uint32_t) { return true; }))
      return end(preemption_outcome::wait, preemption_reason::victims_terminating);
    if (spec().preemption == preemption_policy::never)
      return end(preemption_outcome::none, preemption_reason::policy_never, true);
    if (space_.units.units.empty()) return end(preemption_outcome::none, preemption_reason::no_units, true);
    if (!try_everywhere(out, true)) end(preemption_outcome::none, preemption_reason::still_too_full);
  }

 private:
  /// Seats the gang in each domain, with everybody out or nobody; keeps the best plan. False: the rule finds no seats.
  bool try_everywhere(eviction_trials<M>& out, bool evicting) {
    return this->try_domains([&](std::span<const run> nodes) { return try_in(out, nodes, evicting); });
  }
  bool try_in(eviction_trials<M>& out, std::span<const run> nodes, bool evicting) {
    out.evict_exactly([&](std::size_t) { return evicting; });
    victim_plan<M>& made = space_.made;
    made.clear();
    made.group = space_.plan.group;
    made.outcome = evicting ? preemption_outcome::evict : preemption_outcome::not_needed;
    if (!this->seat_by_rule(nodes, made.seats)) return false;
    if (evicting) reprieve(out, made);
    if (space_.plan.outcome == made.outcome && !options_.better(made, space_.plan)) return true;
    std::swap(space_.plan, made);
    return true;
  }

  /// Puts units back as long as the seats hold, and writes down who is not put back.
  void reprieve(eviction_trials<M>& out, victim_plan<M>& made) {
    const auto& units = space_.units.units;
    auto& order = space_.order;
    order.resize(units.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), this->by_importance(space_.units));
    this->put_violating_first(space_.units, order);
    std::sort(made.seats.begin(), made.seats.end(), [](const seat<M>& a, const seat<M>& b) {
      return a.position != b.position ? a.position < b.position : b.pod_set > a.pod_set;
    });
    for (const std::uint32_t u : order) {
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
};

}  // namespace muster::inline MUSTER_ABI::preemption_detail

#endif
