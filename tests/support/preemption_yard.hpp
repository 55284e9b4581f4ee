// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_SUPPORT_PREEMPTION_YARD_HPP
#define MUSTER_TESTS_SUPPORT_PREEMPTION_YARD_HPP

/// \file
/// A cluster where one question is put to both: who leaves by the cheapest set, and who by Kubernetes' rule. Every plan
/// that evicts is verified, and no question changes the cluster.

#include <muster/cluster/cluster.hpp>
#include <muster/cluster/digest.hpp>
#include <muster/placement/eligibility.hpp>
#include <muster/placement/seat_pod_by_pod.hpp>
#include <muster/preemption/cheapest_victims.hpp>
#include <muster/preemption/importance.hpp>
#include <muster/preemption/list_victim_units.hpp>
#include <muster/preemption/preempt_group.hpp>
#include <muster/preemption/preempt_options.hpp>
#include <muster/preemption/verify_victims.hpp>
#include <muster/preemption/victim_options.hpp>
#include <muster/preemption/victim_plan.hpp>
#include <muster/resource/resource_vector.hpp>
#include <muster/scoring/eviction_cost.hpp>

#include "support/catch.hpp"
#include "support/scene.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace muster_test {

using ids = std::vector<std::uint64_t>;

/// A cost object from what one pod costs. Derived: `cost_value<N> share(group, pod, now) const`.
template <class Derived, std::size_t N = 1>
struct sum_of_shares {
  static constexpr std::size_t components = N;
  static constexpr bool adds_up = true;
  template <class M>
  [[nodiscard]] muster::cost_value<N> operator()(const muster::evicted_members<M>& gone) const {
    muster::cost_value<N> sum{};
    for (const auto* pod : gone.pods) sum += static_cast<const Derived&>(*this).share(gone.group, *pod, gone.now);
    return sum;
  }
};

/// What a plan of Kubernetes' rule costs: nothing, it does not look at that.
struct no_cost : sum_of_shares<no_cost> {
  template <class M>
  [[nodiscard]] muster::cost_value<1> share(const muster::group_record<M>*, const muster::pod_record<M>&,
                                            muster::time_point) const {
    return {};
  }
};

/// Whose eviction a plan asks for, and where the gang sits then.
template <class M>
struct said {
  muster::preemption_outcome outcome{};
  ids victims;  ///< pods that are not on their way out yet, in the order of ids
  std::vector<muster::seat<M>> seats;
};

template <class M = muster::resource_vector<1>>
struct preemption_yard : scene<M> {
  using scene<M>::scene;
  using request = typename M::request_type;
  std::int64_t now = 1000;

  void place(std::uint64_t id, std::uint64_t on, std::int64_t start) {
    muster::pod_placed<M> placed;
    placed.pod = muster::pod_id{id};
    placed.node = muster::node_id{on};
    placed.at = this->time(start);
    this->say(placed);
  }
  /// A pod of no group that runs.
  void runs(std::uint64_t id, std::uint64_t on, request asked, std::int32_t priority, std::int64_t start = 0) {
    muster::pod_seen<M> seen;
    seen.pod = muster::pod_id{id};
    seen.request = asked;
    seen.priority = priority;
    this->say(seen);
    place(id, on, start);
  }
  /// A group whose pods first, first + 1, ... run on these nodes.
  void group_runs(std::uint64_t id, muster::disruption_mode mode, std::int32_t priority, std::uint64_t first,
                  std::initializer_list<std::uint64_t> on, request each = {1}) {
    auto of = this->gang(id, static_cast<muster::pod_count>(on.size()), each);
    of.disruption = mode;
    of.priority = priority;
    this->group(of);
    for (const std::uint64_t node : on) {
      this->pod(first, of);
      place(first++, node, 0);
    }
  }
  /// Capacity of a node kept for a group.
  void nominate(std::uint64_t id, std::uint64_t group, std::uint64_t node, muster::pod_count pods, request grant) {
    this->say(muster::set_aside<M>{
        muster::set_aside_id{id}, muster::group_id{group}, 0, muster::node_id{node}, pods, grant});
  }
  /// The gang that asks.
  [[nodiscard]] static muster::pod_group<M> preemptor(muster::pod_count pods, request each, std::int32_t priority,
                                                      std::uint64_t id = 1) {
    auto made = scene<M>::gang(id, pods, each);
    made.priority = priority;
    return made;
  }

  template <class Group, class Cost = muster::lost_work<>, class Filter = muster::everywhere>
  said<M> cheapest(const Group& group, const Cost& cost = {}, const Filter& filter = {}) {
    muster::victim_space<M, Cost> space;
    const auto view = this->view(now);
    const auto before = muster::digest(this->model());
    const muster::victim_options<Cost, muster::anyone, Filter> options{.cost = cost, .filter = filter};
    const auto& plan = muster::cheapest_victims(view, group, space, options);
    CHECK(muster::digest(this->model()) == before);
    CHECK(plan.proved);
    CHECK(plan.evicts() == !plan.victims.units.empty());
    if (plan.evicts()) CHECK(muster::verify_victims(view, group, plan, cost, muster::anyone{}, filter).holds());
    return tell(plan);
  }
  template <class Group, class Order = muster::more_important, class Filter = muster::everywhere>
  said<M> kubernetes(const Group& group, const Order& order = {}, const Filter& filter = {}) {
    muster::preempt_space<M> space;
    const auto view = this->view(now);
    const auto before = muster::digest(this->model());
    const muster::preempt_options<muster::seat_pod_by_pod<>, Order, muster::more_pods_seated, muster::anyone, Filter>
        options{.order = order, .filter = filter};
    auto plan = muster::preempt_group(view, group, space, options);
    CHECK(muster::digest(this->model()) == before);
    CHECK(plan.evicts() == !plan.victims.units.empty());
    // Who is leaving already may be among the victims of the rule; nobody evicts it again.
    const auto named = plan.victims;
    plan.victims = {};
    for (const auto& unit : named.units)
      if (muster::is_scheduled(named.pods_of(unit).front()->phase)) plan.victims.add(unit, named.pods_of(unit));
    if (!plan.victims.units.empty())
      CHECK(muster::verify_victims(view, group, plan, no_cost{}, muster::anyone{}, filter).holds());
    return tell(plan);
  }

 private:
  template <class Plan>
  [[nodiscard]] static said<M> tell(const Plan& plan) {
    said<M> result{plan.outcome, {}, plan.seats};
    for (const auto* pod : plan.victims.pods) result.victims.push_back(number(pod->id));
    std::sort(result.victims.begin(), result.victims.end());
    return result;
  }
};

}  // namespace muster_test

#endif
