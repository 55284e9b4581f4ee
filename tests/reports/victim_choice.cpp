// SPDX-License-Identifier: BSL-1.0
// Public fault reports of the kind "victim choice", asked of both rules: the cheapest set, and Kubernetes' own.
// B40 and B49 need shares of queues, B46 a place for who is evicted: neither is there yet.
#include <muster/preemption/cheapest_victims.hpp>
#include <muster/preemption/preempt_group.hpp>
#include <muster/preemption/verify_victims.hpp>
#include <muster/resource/resource_vector.hpp>

#include "reports/preemption_question.hpp"
#include "support/catch.hpp"
#include "support/scene.hpp"

#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace {

using muster::preemption_outcome;
using muster_test::asks;
using muster_test::evicted;
using muster_test::ids;
using muster_test::slots;

class yard : public muster_test::scene<slots> {
 public:
  void runs(std::uint64_t id, std::uint64_t node, std::int64_t size, std::int32_t priority, std::int64_t since) {
    muster_test::runs(*this, id, node, size, priority, since);
  }
  /// A gang that runs, a pod of it on each node named.
  void gang_runs(muster::pod_group<slots> of, std::uint64_t first, const std::vector<std::uint64_t>& nodes) {
    group(of);
    for (const std::uint64_t node : nodes) {
      pod(first, of);
      bind(first++, node);
    }
  }
};

/// The cheapest victims by a cost; whoever they are, the plan must hold.
template <class Cost>
ids cheapest(yard& on, const muster::pod_group<slots>& gang, const Cost& cost, std::int64_t at = 100) {
  muster::victim_space<slots, Cost> space;
  const auto view = on.view(at);
  const auto& plan = muster::cheapest_victims(view, gang, space, muster::victim_options<Cost>{cost});
  REQUIRE(plan.evicts());
  CHECK(plan.proved);
  CHECK(muster::verify_victims(view, gang, plan, cost).holds());
  return evicted(plan);
}
ids kubernetes(yard& on, const muster::pod_group<slots>& gang, std::int64_t at = 100) {
  muster::preempt_space<slots> space;
  const auto view = on.view(at);
  const auto& plan = muster::preempt_group(view, gang, space);
  REQUIRE(plan.evicts());
  return evicted(plan);
}

/// Pods, and ten times as many that are bound to the node they run on.
struct movable_first {
  static constexpr std::size_t components = 1;
  static constexpr bool adds_up = true;
  ids bound;

  muster::cost_value<1> operator()(const muster::evicted_members<slots>& gone) const {
    muster::cost_value<1> sum{};
    for (const auto* pod : gone.pods) sum += share(gone.group, *pod, gone.now);
    return sum;
  }
  muster::cost_value<1> share(const muster::group_record<slots>*, const muster::pod_record<slots>& pod,
                              muster::time_point) const {
    return muster::cost_value<1>::of(bound.contains(number(pod.id)) ? 10 : 1);
  }
};

}  // namespace

TEST_CASE("B37 no more of a surplus goes than is needed", "[reports]") {
  for (const std::int64_t idle : {0, 1}) {
    yard s;
    s.node(1, {8 + idle});
    auto surplus = yard::gang(2, 8, {1}, 3);
    surplus.disruption = muster::disruption_mode::single;
    s.gang_runs(surplus, 10, std::vector<std::uint64_t>(8, 1));
    const auto entitled = asks(2, 1, 9);
    const auto needed = static_cast<std::size_t>(2 - idle);
    CHECK(cheapest(s, entitled, muster::evicted_pods{}).size() == needed);
    CHECK(kubernetes(s, entitled).size() == needed);
  }
}

TEST_CASE("B38 one victim serves two pods of a gang", "[reports]") {
  yard s;
  s.node(1, {8});
  s.runs(10, 1, 8, 1, 0);
  const auto gang = asks(2, 2, 10);
  CHECK(cheapest(s, gang, muster::evicted_pods{}) == ids{10});
  CHECK(kubernetes(s, gang) == ids{10});
}

TEST_CASE("B41 a pod of a group has the group's priority", "[reports]") {
  yard s;
  s.node(1, {1});
  s.node(2, {1});
  auto high = yard::gang(2, 1, {1});
  high.priority = 1000;
  high.disruption = muster::disruption_mode::single;
  s.group(high);
  muster::pod_seen<slots> seen;
  seen.pod = muster::pod_id{10};
  seen.group = high.id;
  seen.request = {1};
  seen.priority = 1;
  s.say(seen);
  s.bind(10, 1);
  s.runs(11, 2, 1, 10, 0);
  CHECK(cheapest(s, asks(1, 1, 100), muster::evicted_pods{}) == ids{11});
  CHECK(kubernetes(s, asks(1, 1, 100)) == ids{11});
}

TEST_CASE("B43 without a start time the same victim is chosen whatever the order and the clock", "[reports]") {
  std::set<ids> cheapest_seen, kubernetes_seen;
  for (std::int64_t run = 0; run < 50; ++run) {
    yard s;
    std::vector<std::uint64_t> order{1, 2};
    if (run % 2 == 1) std::swap(order[0], order[1]);
    for (const std::uint64_t n : order) s.node(n, {1});
    if (run % 3 == 1) std::swap(order[0], order[1]);
    for (const std::uint64_t n : order) {
      auto lone = yard::gang(10 + n, 1, {1});  // of a group that never said when it started
      lone.started = muster::end_of_time;
      s.gang_runs(lone, 100 + n, {n});
    }
    cheapest_seen.insert(cheapest(s, asks(1, 1, 9), muster::lost_work<>{}, run * 1000));
    kubernetes_seen.insert(kubernetes(s, asks(1, 1, 9), run * 1000));
  }
  CHECK(cheapest_seen.size() == 1);
  CHECK(kubernetes_seen.size() == 1);
}

TEST_CASE("B44 between equals who could run elsewhere goes, by the caller's cost", "[reports]") {
  yard s;
  s.node(1, {4}, {}, 1);
  s.node(2, {2}, {}, 2);
  s.runs(10, 1, 2, 0, 2);  // may run on node 1 alone
  s.runs(11, 1, 2, 0, 1);
  const muster_test::only_kind only_node_1{muster::kind_id{1}};
  const auto gang = asks(1, 2, 9);
  const auto choose = [&]<class Cost>(const Cost& cost) {
    const muster::victim_options<Cost, muster::anyone, muster_test::only_kind> options{
        .cost = cost, .filter = only_node_1};
    muster::victim_space<slots, Cost> space;
    return evicted(muster::cheapest_victims(s.view(3), gang, space, options));
  };
  CHECK(choose(movable_first{{10}}) == ids{11});
  CHECK(choose(muster::lost_work<>{}) == ids{10});  // the newest has least to lose
  const muster_test::kubernetes_on_kind options{.filter = only_node_1};
  muster::preempt_space<slots> space;
  CHECK(evicted(muster::preempt_group(s.view(3), gang, space, options)) == ids{10});
}

TEST_CASE("B47 the rest of an evicted gang leaves with it, and its place is there for the next", "[reports]") {
  yard s;
  for (const std::uint64_t n : {1U, 2U, 3U}) s.node(n, {1});
  auto gang = yard::gang(2, 2, {1});
  gang.priority = 1;
  s.gang_runs(gang, 10, {1, 2});
  s.runs(12, 3, 1, 2, 0);
  const auto first = asks(1, 1, 10);
  CHECK(kubernetes(s, first) == ids{10, 11});
  for (const std::uint64_t pod : {10U, 11U}) s.end(pod);
  s.runs(20, 1, 1, 10, 0);
  muster::preempt_space<slots> space;
  CHECK(muster::preempt_group(s.view(), first, space).outcome == preemption_outcome::not_needed);
  muster::victim_space<slots> other;
  const auto& plan = muster::cheapest_victims(s.view(), first, other);
  CHECK(plan.outcome == preemption_outcome::not_needed);
  CHECK(muster_test::on(plan, 2) == 1);
}

TEST_CASE("B50 what is on its way out is counted first", "[reports]") {
  for (const muster::pod_count needs : {2, 4}) {
    yard s;
    s.node(1, {6});
    s.runs(10, 1, 2, 1, 1);
    s.runs(11, 1, 2, 1, 2);
    s.runs(12, 1, 2, 1, 3);
    s.leave(10);
    const auto gang = asks(1, needs, 9);
    muster::victim_space<slots> space;
    const auto& plan = muster::cheapest_victims(s.view(100), gang, space);
    if (needs == 2) {
      CHECK(plan.outcome == preemption_outcome::wait);
      CHECK(plan.victims.pods.empty());
    } else {
      CHECK(evicted(plan) == ids{12});
      CHECK(muster::verify_victims(s.view(100), gang, plan).holds());
    }
  }
}
