// SPDX-License-Identifier: BSL-1.0
// Preemption by Kubernetes 1.37's rule, by the rows of the table it stands in. Pods of size 1 unless said; LP, MP and
// HP are priorities 10, 50 and 100. Where the cheapest victims are others, they are asked for, too. Where the preemptor
// is one pod the rule for single pods must say the same: it spares by the same steps, and no row but 64 leaves it a
// choice.
#include <muster/preemption/cheapest_victims.hpp>
#include <muster/preemption/preempt_group.hpp>
#include <muster/preemption/preempt_pod.hpp>
#include <muster/preemption/verify_victims.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/scene.hpp"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace {

using slots = muster::resource_vector<1>;
using muster::disruption_mode;
using muster::pod_id;
using muster::preemption_outcome;
using muster::preemption_reason;
using ids = std::vector<std::uint64_t>;

constexpr std::int32_t low = 10, middle = 50, high = 100;

struct yard : muster_test::scene<slots> {
  std::vector<muster::disruption_budget> budgets;
  muster::preempt_space<slots> space, pod_space;

  void nodes(std::initializer_list<muster::amount> capacities) {
    std::uint64_t id = 0;
    for (const muster::amount each : capacities) node(++id, {each});
  }
  /// A pod without a group that runs.
  void runs(std::uint64_t id, std::uint64_t on, std::int32_t priority, muster::amount size = 1) {
    filler(id, on, {size}, priority);
  }
  void place(std::uint64_t id, std::uint64_t on, std::int64_t at = 0) {
    muster::pod_placed<slots> placed;
    placed.pod = pod_id{id};
    placed.node = muster::node_id{on};
    placed.at = time(at);
    say(placed);
  }
  /// A group whose pods first, first + 1, ... run on these nodes.
  void group_runs(std::uint64_t id, disruption_mode mode, std::int32_t priority, std::uint64_t first,
                  std::initializer_list<std::uint64_t> on) {
    auto of = gang(id, static_cast<muster::pod_count>(on.size()), {1});
    of.disruption = mode;
    of.priority = priority;
    group(of);
    for (const std::uint64_t node : on) {
      pod(first, of);
      place(first++, node);
    }
  }
  void protect(std::initializer_list<std::uint64_t> pods, std::int64_t allowed = 0) {
    muster::disruption_budget budget{allowed, {}, {}};
    for (const std::uint64_t id : pods) budget.covers.push_back(pod_id{id});
    budgets.push_back(budget);
  }
  [[nodiscard]] static muster::pod_group<slots> preemptor(muster::pod_count pods, muster::amount size = 1) {
    auto made = gang(1, pods, {size});
    made.priority = high;
    return made;
  }
  ids victims(const muster::pod_group<slots>& group) {
    muster::preempt_options<> options;
    options.budgets = budgets;
    auto found = victims(group, options);
    if (muster::declared_pods(group) == 1) {
      CHECK(pod_victims(group) == found);
      CHECK(pod_space.plan.outcome == space.plan.outcome);
      CHECK(pod_space.plan.reason == space.plan.reason);
      CHECK(pod_space.plan.violations == space.plan.violations);
    }
    return found;
  }
  /// Of a pod without a group, in `pod_space`.
  ids pod_victims(const muster::pod_group<slots>& pod) {
    muster::preempt_options<> options;
    options.budgets = budgets;
    const auto view = this->view(1000);
    return checked(view, pod, muster::preempt_pod(view, pod, pod_space, options));
  }
  template <class Options>
  ids victims(const muster::pod_group<slots>& group, const Options& options) {
    const auto view = this->view(1000);
    return checked(view, group, muster::preempt_group(view, group, space, options));
  }
  static ids checked(const muster::snapshot<slots>& view, const muster::pod_group<slots>& group,
                     const muster::victim_plan<slots>& plan) {
    ids found;
    for (const auto* pod : plan.victims.pods) found.push_back(number(pod->id));
    std::sort(found.begin(), found.end());
    CHECK(plan.evicts() == !found.empty());
    if (plan.evicts()) {
      muster::overlay<slots> without{view};
      for (const auto* pod : plan.victims.pods) without.vacate(*pod);
      CHECK(muster::verify(without, group, plan.seats).holds());
    }
    return found;
  }
};

/// Seats the pods on these nodes, in their order.
struct on_nodes {
  std::vector<std::uint64_t> ids;
  template <class Question, class Filter, class Seats>
  void operator()(const Question& of, const Filter& filter, Seats& seats) const {
    const auto turns = muster::turns_by_set(of.waiting);
    (void)muster::seat_in_turn(
        of.on, of.group, std::span<const std::uint32_t>{turns},
        [&](std::size_t turn) {
          const std::uint32_t p = *of.on.base().find(muster::node_id{ids[turn]});
          return muster::takes_pod(of.on, of.group, turns[turn], p, filter) ? p : muster::no_position;
        },
        seats);
  }
};

}  // namespace

TEST_CASE("row 41: three pods leave for a gang of three", "[kubernetes]") {
  yard s;
  s.nodes({3});
  for (const std::uint64_t pod : {11U, 12U, 13U}) s.runs(pod, 1, low);
  auto gang = yard::preemptor(3);
  SECTION("a gang") {}
  SECTION("basic, which is never of mode all") {
    gang.policy = muster::group_policy::basic;
    gang.disruption = disruption_mode::single;
  }
  CHECK(s.victims(gang) == ids{11, 12, 13});
  CHECK(muster_test::on(s.space.plan, 1) == 3);
}

TEST_CASE("row 42: who is not in the way of the seats is spared", "[kubernetes]") {
  yard s;
  s.nodes({2, 2});
  s.runs(11, 1, low, 2);
  s.runs(12, 2, low, 1);
  using packing = muster::seat_pod_by_pod<muster::most_allocated<slots>>;
  CHECK(s.victims(yard::preemptor(3), muster::preempt_options<packing>{}) == ids{11});
  CHECK(muster_test::on(s.space.plan, 1) == 2);
}

TEST_CASE("row 43: the pod without a budget leaves", "[kubernetes]") {
  yard s;
  s.nodes({6});
  for (const std::uint64_t pod : {11U, 12U, 13U}) s.runs(pod, 1, low, 2);
  s.protect({11, 12});
  CHECK(s.victims(yard::preemptor(2)) == ids{13});
  CHECK(s.space.plan.violations == 0);
}

TEST_CASE("row 44: a budget goes before priority", "[kubernetes]") {
  yard s;
  s.nodes({2});
  s.runs(11, 1, low);
  s.runs(12, 1, middle);
  s.protect({11});
  CHECK(s.victims(yard::preemptor(1)) == ids{12});
  CHECK(s.space.plan.violations == 0);
}

TEST_CASE("row 45: where both are protected the lower priority leaves, and breaks its budget", "[kubernetes]") {
  yard s;
  s.nodes({2});
  s.runs(11, 1, low);
  s.runs(12, 1, middle);
  s.protect({11, 12});
  CHECK(s.victims(yard::preemptor(1)) == ids{11});
  CHECK(s.space.plan.violations == 1);
}

TEST_CASE("row 46: nobody leaves in vain", "[kubernetes]") {
  yard s;
  s.nodes({3});
  s.runs(11, 1, 500);
  s.runs(12, 1, low);
  s.runs(13, 1, low);
  CHECK(s.victims(yard::preemptor(3)).empty());
  CHECK(s.space.plan.outcome == preemption_outcome::none);
  CHECK(s.space.plan.reason == preemption_reason::still_too_full);
}

TEST_CASE("row 47: the two lowest leave", "[kubernetes]") {
  yard s;
  s.nodes({3});
  s.runs(11, 1, middle);
  s.runs(12, 1, low);
  s.runs(13, 1, low);
  CHECK(s.victims(yard::preemptor(2)) == ids{12, 13});
}

TEST_CASE("row 48: a group of mode all leaves whole, of mode single one pod does", "[kubernetes]") {
  yard s;
  s.nodes({3});
  SECTION("all") {
    s.group_runs(2, disruption_mode::all, low, 20, {1, 1, 1});
    CHECK(s.victims(yard::preemptor(1)) == ids{20, 21, 22});
    CHECK(s.space.plan.victims.units.size() == 1);
  }
  SECTION("single, below its minimum") {
    s.group_runs(2, disruption_mode::single, low, 20, {1, 1, 1});
    CHECK(s.victims(yard::preemptor(1)).size() == 1);
  }
}

TEST_CASE("row 49: the pods elsewhere leave, too", "[kubernetes]") {
  yard s;
  s.nodes({1, 1});
  s.group_runs(2, disruption_mode::all, low, 20, {1, 2});
  CHECK(s.victims(yard::preemptor(1)) == ids{20, 21});
}

TEST_CASE("rows 50 and 51: a group is more important than a pod of its priority", "[kubernetes]") {
  yard s;
  s.nodes({3});
  s.group_runs(2, disruption_mode::all, low, 20, {1, 1});
  SECTION("row 50: the pod leaves") {
    s.runs(11, 1, low);
    CHECK(s.victims(yard::preemptor(1)) == ids{11});
  }
  SECTION("row 50: unless its priority is higher") {
    s.runs(11, 1, middle);
    CHECK(s.victims(yard::preemptor(1)) == ids{20, 21});
  }
  SECTION("row 51: a pod of the group is protected") {
    s.runs(11, 1, low);
    s.protect({20});
    CHECK(s.victims(yard::preemptor(1)) == ids{11});
  }
}

TEST_CASE("row 52: equal or higher priorities are no victims", "[kubernetes]") {
  yard s;
  s.nodes({1});
  const std::int32_t priority = GENERATE(high, high + 1);
  s.runs(11, 1, priority);
  CHECK(s.victims(yard::preemptor(1)).empty());
  CHECK(s.space.plan.reason == preemption_reason::no_units);
}

TEST_CASE("row 53: the group's priority counts, not its pods'", "[kubernetes]") {
  const bool group_is_lower = GENERATE(true, false);
  yard s;
  s.nodes({1});
  auto of = yard::gang(2, 1, {1});
  of.priority = group_is_lower ? middle : high;
  s.group(of);
  muster::pod_seen<slots> seen;
  seen.pod = pod_id{20};
  seen.group = of.id;
  seen.request = {1};
  seen.priority = group_is_lower ? high : low;
  s.say(seen);
  s.place(20, 1);
  CHECK(s.victims(yard::preemptor(1)) == (group_is_lower ? ids{20} : ids{}));
}

TEST_CASE("row 54: all of a cluster leaves", "[kubernetes]") {
  yard s;
  s.nodes({1, 1, 1});
  s.group_runs(2, disruption_mode::all, middle, 20, {1, 2});
  s.runs(11, 3, low);
  CHECK(s.victims(yard::preemptor(3)) == ids{11, 20, 21});
}

TEST_CASE("row 55: as many pods as find a node, though fewer were enough", "[kubernetes]") {
  yard s;
  s.nodes({1, 1, 1, 1});
  s.runs(11, 1, low);
  s.runs(12, 2, low);
  s.runs(13, 3, 200);
  s.runs(14, 4, 200);
  auto gang = yard::preemptor(3);
  gang.min_count = 1;
  CHECK(s.victims(gang) == ids{11, 12});
  CHECK(s.space.plan.seats.size() == 2);
}

TEST_CASE("row 56: the pod that started last leaves, of equal ones the larger id", "[kubernetes]") {
  yard s;
  s.nodes({2});
  auto of = yard::gang(2, 2, {1});
  of.priority = low;
  of.disruption = disruption_mode::single;
  s.group(of);
  s.pods(20, 2, of);
  SECTION("the later one") {
    s.place(20, 1, 1);
    s.place(21, 1, 0);
    CHECK(s.victims(yard::preemptor(1)) == ids{20});
  }
  SECTION("equal") {
    s.place(20, 1, 1);
    s.place(21, 1, 1);
    CHECK(s.victims(yard::preemptor(1)) == ids{21});
  }
}

TEST_CASE("row 57: seats that leave one node in conflict have one victim", "[kubernetes]") {
  yard s;
  s.nodes({2, 1, 2, 2, 2});
  s.runs(11, 1, low);
  s.runs(12, 2, low);
  s.runs(13, 3, low);
  s.runs(14, 4, middle);
  s.runs(15, 5, high);
  CHECK(s.victims(yard::preemptor(3), muster::preempt_options<on_nodes>{{{1, 2, 4}}}) == ids{12});
}

TEST_CASE("row 58: a group that may not preempt evicts nobody", "[kubernetes]") {
  yard s;
  s.nodes({1});
  s.runs(11, 1, low);
  auto gang = yard::preemptor(1);
  gang.preemption = muster::preemption_policy::never;
  CHECK(s.victims(gang).empty());
  CHECK(s.space.plan.reason == preemption_reason::policy_never);
}

TEST_CASE("row 59: what is leaving a nominated node is waited for", "[kubernetes]") {
  yard s;
  s.nodes({1, 1});
  const auto nominate = [&](std::uint64_t node) {
    s.say(muster::set_aside<slots>{muster::set_aside_id{1}, muster::group_id{1}, 0, muster::node_id{node}, 1, {1}});
  };
  s.runs(12, 2, low);
  SECTION("a pod of a lower priority on the node") {
    s.runs(11, 1, low);
    s.leave(11);
    nominate(1);
    CHECK(s.victims(yard::preemptor(1)).empty());
    CHECK(s.space.plan.outcome == preemption_outcome::wait);
    CHECK(s.space.plan.reason == preemption_reason::victims_terminating);
  }
  SECTION("on another node only") {
    s.runs(11, 1, high);
    s.leave(12);
    nominate(1);
    CHECK(s.victims(yard::preemptor(1)) == ids{12});
  }
  SECTION("of a group of a higher priority: the others are the victims") {
    s.group_runs(2, disruption_mode::all, 200, 20, {1});
    s.leave(20);
    nominate(1);
    CHECK(s.victims(yard::preemptor(1)) == ids{12});
  }
}

TEST_CASE("row 61: the very lowest leave", "[kubernetes]") {
  yard s;
  s.nodes({4});
  s.runs(11, 1, 1);
  s.runs(12, 1, 1);
  s.runs(13, 1, low);
  s.runs(14, 1, low);
  auto gang = yard::preemptor(2);
  gang.priority = middle;
  CHECK(s.victims(gang) == ids{11, 12});
}

TEST_CASE("row 62: what frees first is taken, and nobody else is evicted", "[kubernetes]") {
  yard s;
  s.nodes({1, 1, 1});
  s.runs(11, 1, low);
  s.runs(12, 2, high);
  s.runs(13, 3, low);
  const auto gang = yard::preemptor(1);
  CHECK(s.victims(gang) == ids{11});
  s.leave(11);
  s.say(muster::set_aside<slots>{muster::set_aside_id{1}, gang.id, 0, muster::node_id{1}, 1, {1}});
  CHECK(s.victims(gang).empty());
  CHECK(s.space.plan.outcome == preemption_outcome::wait);
  s.end(12);
  CHECK(s.victims(gang).empty());
  CHECK(s.space.plan.outcome == preemption_outcome::not_needed);
  CHECK(muster_test::on(s.space.plan, 2) == 1);
  CHECK(muster_test::on(s.pod_space.plan, 2) == 1);
}

// Partial success is the host's: it asks for all who wait first, then for what is enough.
TEST_CASE("row 63: of a gang that runs, the new pods wait for victims together, or one sits now", "[kubernetes]") {
  yard s;
  s.nodes({3, 1});
  auto gang = yard::preemptor(4);
  const auto ask = [&](muster::pod_count enough) -> const muster::victim_plan<slots>& {
    gang.min_count = enough;
    s.group(gang);
    return muster::preempt_group(s.view(1000), gang.id, s.space);
  };
  s.group(gang);
  s.pods(31, 4, gang);
  s.place(31, 1);
  s.place(32, 1);
  SECTION("a victim elsewhere: both wait, and both sit when it has left") {
    s.runs(11, 2, low);
    REQUIRE(ask(4).evicts());
    CHECK(s.space.plan.victims.pods.front()->id == pod_id{11});
    CHECK(s.space.plan.seats.size() == 2);
    s.leave(11);
    s.say(muster::set_aside<slots>{muster::set_aside_id{1}, gang.id, 0, muster::node_id{1}, 1, {1}});
    s.say(muster::set_aside<slots>{muster::set_aside_id{2}, gang.id, 0, muster::node_id{2}, 1, {1}});
    CHECK(ask(4).outcome == preemption_outcome::wait);
    s.end(11);
    CHECK(ask(4).outcome == preemption_outcome::not_needed);
    CHECK(s.space.plan.seats.size() == 2);
  }
  SECTION("no possible victim: the one that fits sits now") {
    s.runs(11, 2, high);
    CHECK(ask(4).reason == preemption_reason::no_units);
    CHECK(ask(2).outcome == preemption_outcome::not_needed);
    CHECK(s.space.plan.seats.size() == 1);
  }
  SECTION("basic: the one sits at once") {
    s.runs(11, 2, low);
    gang.policy = muster::group_policy::basic;
    gang.disruption = disruption_mode::single;
    CHECK(ask(2).outcome == preemption_outcome::not_needed);
    CHECK(s.space.plan.seats.size() == 1);
  }
}

TEST_CASE("row 64: a group weighs by its pods, but a budget weighs more", "[kubernetes]") {
  yard s;
  s.nodes({1, 1, 2});
  s.group_runs(2, disruption_mode::all, low, 20, {1, 3, 3});
  s.runs(11, 2, low);
  const auto pod = yard::preemptor(1);
  SECTION("one plain pod is fewer") {
    CHECK(s.pod_victims(pod) == ids{11});
    CHECK(muster_test::on(s.pod_space.plan, 2) == 1);
  }
  SECTION("unless it violates a budget: then all three of the group leave") {
    s.protect({11});
    CHECK(s.pod_victims(pod) == ids{20, 21, 22});
    CHECK(muster_test::on(s.pod_space.plan, 1) == 1);
    CHECK(s.pod_space.plan.violations == 0);
  }
}

TEST_CASE("rows 65 and 66: seats are fixed before the victims are known", "[kubernetes]") {
  yard s;
  s.nodes({2, 2, 2});
  const auto mode = GENERATE(disruption_mode::all, disruption_mode::single);
  s.group_runs(2, mode, low, 20, {1, 1, 2});
  const bool whole = mode == disruption_mode::all;
  const auto gang = yard::preemptor(2, 2);
  CHECK(s.victims(gang, muster::preempt_options<on_nodes>{{{3, 1}}}).size() == (whole ? 3 : 2));
  CHECK(s.victims(gang, muster::preempt_options<on_nodes>{{{3, 2}}}).size() == (whole ? 3 : 1));
  muster::victim_space<slots, muster::evicted_pods> cheapest;
  const muster::victim_options<muster::evicted_pods> by_pods{};
  CHECK(muster::cheapest_victims(s.view(1000), gang, cheapest, by_pods).victims.pods.size() == (whole ? 3U : 1U));
}

TEST_CASE("row 69: the more important one takes the allowance, and is the one evicted", "[kubernetes]") {
  yard s;
  s.nodes({2});
  s.runs(11, 1, middle);
  s.runs(12, 1, low);
  s.protect({11, 12}, 1);
  CHECK(s.victims(yard::preemptor(1)) == ids{11});
  CHECK(s.space.plan.violations == 0);
}
