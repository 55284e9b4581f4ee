// SPDX-License-Identifier: BSL-1.0
// Scenarios of Kubernetes 1.37's workload-aware scheduling, by the rows of the table they stand in. Nodes of capacity
// c, pods of size 1.
#include <muster/cycle/assume.hpp>
#include <muster/cycle/schedule.hpp>
#include <muster/quorum/progress.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/scene.hpp"

#include <initializer_list>
#include <vector>

namespace {

using slots = muster::resource_vector<1>;
using muster::action_kind;
using muster::gate_reason;
using muster::group_id;
using muster::verdict;

struct turns : muster_test::scene<slots> {
  using muster_test::scene<slots>::scene;
  std::uint64_t assumed = 1'000'000;

  /// One turn over the groups; what it binds is assumed.
  muster::plan<slots> turn(std::initializer_list<std::uint64_t> groups) {
    std::vector<group_id> queue;
    for (const std::uint64_t id : groups) queue.push_back(group_id{id});
    auto plan = muster::schedule(view(), std::span<const group_id>{queue});
    for (const auto& action : plan.actions)
      if (action.kind == action_kind::bind)
        CHECK(muster::assume(model(), plan, action, muster::revision{++assumed}) == muster::apply_result{});
    return plan;
  }
  muster::pod_count scheduled(std::uint64_t group) { return view().group(group_id{group})->members.scheduled(); }
  muster::pod_count waiting(std::uint64_t group) { return view().group(group_id{group})->members.unscheduled(); }
};

}  // namespace

TEST_CASE("row 1: a gang of three on a node of four is bound whole", "[kubernetes]") {
  turns s;
  s.node(1, {4});
  const auto gang = turns::gang(1, 3, {1}, 3);
  s.group(gang);
  s.pods(10, 3, gang);
  const auto plan = s.turn({1});
  REQUIRE(plan.actions.size() == 1);
  CHECK(plan.actions[0].kind == action_kind::bind);
  CHECK(plan.actions[0].verdict == verdict::fits);
  CHECK(plan.pods.size() == 3);
  CHECK(s.scheduled(1) == 3);
}

TEST_CASE("row 2: two of three are held at the gate until the third arrives", "[kubernetes]") {
  turns s;
  s.node(1, {4});
  const auto gang = turns::gang(1, 3, {1}, 3);
  s.group(gang);
  s.pods(10, 2, gang);
  auto plan = s.turn({1});
  CHECK(plan.actions[0].verdict == verdict::hold);
  CHECK(plan.actions[0].gate == gate_reason::members_missing);
  CHECK(plan.actions[0].decided_by == muster::stage::gate);
  CHECK(s.scheduled(1) == 0);
  s.pod(12, gang);
  s.turn({1});
  CHECK(s.scheduled(1) == 3);
}

TEST_CASE("row 3: held without a group, unschedulable beside a blocker, bound when it is gone", "[kubernetes]") {
  turns s;
  s.node(1, {4});
  const auto gang = turns::gang(1, 3, {1}, 3);
  s.pods(10, 3, gang);
  auto plan = s.turn({1});
  CHECK(plan.actions[0].verdict == verdict::hold);
  CHECK(plan.actions[0].gate == gate_reason::group_unknown);
  s.filler(90, 1, {2});
  s.group(gang);
  plan = s.turn({1});
  CHECK(plan.actions[0].kind == action_kind::wait);
  CHECK(plan.actions[0].verdict == verdict::not_now);
  CHECK(s.scheduled(1) == 0);
  CHECK(s.waiting(1) == 3);
  s.end(90);
  s.turn({1});
  CHECK(s.scheduled(1) == 3);
}

TEST_CASE("row 4: the minimum is bound, the extra pod follows when there is room", "[kubernetes]") {
  turns s;
  s.node(1, {4});
  s.filler(90, 1, {1});
  const auto gang = turns::gang(1, 4, {1}, 3);
  s.group(gang);
  s.pods(10, 4, gang);
  auto plan = s.turn({1});
  CHECK(plan.actions[0].placed == 3);
  CHECK(plan.actions[0].pending == 1);
  CHECK(s.scheduled(1) == 3);
  plan = s.turn({1});
  CHECK(plan.actions[0].kind == action_kind::wait);
  CHECK(s.scheduled(1) == 3);
  s.end(90);
  s.turn({1});
  CHECK(s.scheduled(1) == 4);
}

TEST_CASE("row 5: of two gangs with room for one, the one that came first is bound entirely", "[kubernetes]") {
  for (const std::uint64_t first : {1U, 2U}) {
    turns s;
    s.node(1, {4});
    auto a = turns::gang(1, 3, {1}, 3), b = turns::gang(2, 3, {1}, 3);
    a.created = turns::time(first == 1 ? 0 : 5);
    b.created = turns::time(first == 2 ? 0 : 5);
    s.group(a);
    s.group(b);
    for (std::uint64_t i = 0; i < 3; ++i) {
      s.pod(10 + i, a);
      s.pod(20 + i, b);
    }
    s.turn({1, 2});
    CHECK(s.scheduled(first) == 3);
    CHECK(s.scheduled(3 - first) == 0);
    CHECK(s.waiting(3 - first) == 3);
  }
}

TEST_CASE("row 6: a basic group takes what there is and the rest later", "[kubernetes]") {
  turns s;
  s.node(1, {4});
  s.filler(90, 1, {2});
  auto basic = turns::gang(1, 3, {1});
  basic.policy = muster::group_policy::basic;
  basic.disruption = muster::disruption_mode::single;
  s.group(basic);
  s.pods(10, 3, basic);
  const auto plan = s.turn({1});
  CHECK(plan.actions[0].placed == 2);
  CHECK(plan.actions[0].pending == 1);
  s.end(90);
  s.turn({1});
  CHECK(s.scheduled(1) == 3);
}

TEST_CASE("row 7: a parked gang goes when a node comes, and later members follow it", "[kubernetes]") {
  turns s;
  s.node(1, {2});
  const auto gang = turns::gang(1, 4, {2}, 2);
  s.group(gang);
  s.pods(10, 2, gang);
  CHECK(s.turn({1}).actions[0].kind == action_kind::wait);
  s.pod(12, gang);
  CHECK(s.turn({1}).actions[0].kind == action_kind::wait);
  CHECK(s.scheduled(1) == 0);
  s.node(2, {6});
  CHECK(s.turn({1}).actions[0].placed == 3);
  s.pod(13, gang);
  CHECK(s.turn({1}).actions[0].placed == 1);
  CHECK(s.scheduled(1) == 4);
}

TEST_CASE("row 14: a pod created with its node counts for the quorum", "[kubernetes]") {
  turns s;
  s.node(1, {4});
  const auto gang = turns::gang(1, 3, {1}, 3);
  s.group(gang);
  s.pods(10, 2, gang);
  CHECK_FALSE(gate(s.view(), group_id{1}).open());
  s.pod(12, gang);
  s.bind(12, 1);
  CHECK(gate(s.view(), group_id{1}).open());
  CHECK(s.turn({1}).actions[0].placed == 2);
}

TEST_CASE("row 15: pods that disagree with their group stop all of it", "[kubernetes]") {
  const auto run = [](bool offender_runs, auto&& spoil) {
    turns s;
    s.node(1, {4});
    const auto gang = turns::gang(1, 3, {1}, 3);
    s.group(gang);
    s.pods(10, 2, gang);
    muster::pod_seen<slots> odd;
    odd.pod = muster::pod_id{12};
    odd.group = gang.id;
    odd.request = {1};
    spoil(odd);
    s.say(odd);
    if (offender_runs) s.bind(12, 1);
    const auto plan = s.turn({1});
    CHECK(plan.actions[0].kind == action_kind::requeue);
    CHECK(plan.actions[0].verdict == verdict::invalid);
    CHECK(plan.actions[0].decided_by == muster::stage::inspect);
    CHECK(plan.seats.empty());
    CHECK(s.scheduled(1) == (offender_runs ? 1 : 0));
  };
  for (const bool runs : {false, true}) {
    run(runs, [](auto& pod) { pod.scheduler = muster::scheduler_id{7}; });
    run(runs, [](auto& pod) { pod.priority = 3; });
    run(runs, [](auto& pod) { pod.preemption = muster::preemption_policy::never; });
  }
  run(false, [](auto& pod) { pod.request = {2}; });
}

TEST_CASE("row 17: the progress rule stops as soon as the minimum is out of reach", "[kubernetes]") {
  using muster::check_progress;
  using muster::progress;
  // Before any pod is tried. The row says unschedulable, as the three-way rule has it; of the four ways it is the one
  // in which no pod failed that might fit after preemption.
  CHECK(check_progress({.minimum = 3, .succeeded = 0, .remaining = 2}) == progress::unresolvable);
  CHECK(check_progress({.minimum = 3, .succeeded = 2, .remaining = 1}) == progress::wait);  // success is possible
  CHECK(check_progress({.minimum = 3, .succeeded = 0, .remaining = 3, .unschedulable = 1}) == progress::wait);
  CHECK(check_progress({.minimum = 3, .succeeded = 0, .remaining = 2, .unschedulable = 2}) == progress::unschedulable);

  turns s;
  const auto gang = turns::gang(1, 4, {1}, 3);
  s.group(gang);
  s.pods(10, 4, gang);
  const auto plan = s.turn({1});
  CHECK(plan.actions[0].pending == 4);  // all of them wait with the group
  CHECK(plan.actions[0].placed == 0);
}

TEST_CASE("row 18: nothing newly placed is no success", "[kubernetes]") {
  turns s;
  s.node(1, {2});
  s.filler(90, 1, {2});
  auto basic = turns::gang(1, 3, {1});
  basic.policy = muster::group_policy::basic;
  basic.disruption = muster::disruption_mode::single;
  s.group(basic);
  s.pods(10, 3, basic);
  CHECK(s.turn({1}).actions[0].verdict == verdict::not_now);
  s.end(90);
  CHECK(s.turn({1}).actions[0].placed == 2);
  auto plan = s.turn({1});  // two run already, which is more than one; the third finds no room
  CHECK(plan.actions[0].kind == action_kind::wait);
  CHECK_FALSE(plan.actions[0].verdict == verdict::fits);
  CHECK(muster::conclude(muster::progress::success, 0) == muster::progress::unschedulable);
}

TEST_CASE("section 1.7: pods follow a group recreated under its name with another policy", "[kubernetes]") {
  turns s;
  s.node(1, {4});
  const auto gang = turns::gang(1, 3, {1}, 3);
  auto basic = gang;
  basic.policy = muster::group_policy::basic;
  basic.disruption = muster::disruption_mode::single;
  s.group(gang);
  s.pods(10, 2, gang);
  CHECK(s.turn({1}).actions[0].gate == gate_reason::members_missing);
  s.say(muster::group_gone{group_id{1}});
  CHECK(s.view().group(group_id{1}) == nullptr);  // its pods are there, but wait for a group
  CHECK(s.turn({1}).actions[0].gate == gate_reason::group_unknown);
  s.group(basic);
  auto plan = s.turn({1});
  CHECK(plan.actions[0].kind == action_kind::bind);
  CHECK(plan.actions[0].placed == 2);
  CHECK(s.scheduled(1) == 2);

  // and back: what runs counts towards the gang's minimum
  s.say(muster::group_gone{group_id{1}});
  s.pod(12, gang);
  auto four = gang;
  four.pod_sets[0].count = 4;
  four.min_count = 4;
  s.group(four);
  CHECK(s.turn({1}).actions[0].gate == gate_reason::members_missing);
  CHECK(gate(s.view(), group_id{1}).have == 3);
  s.say(muster::group_gone{group_id{1}});
  s.group(gang);
  CHECK(gate(s.view(), group_id{1}).open());
  CHECK(s.turn({1}).actions[0].placed == 1);
  CHECK(s.scheduled(1) == 3);
}
