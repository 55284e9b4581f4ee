// SPDX-License-Identifier: BSL-1.0
#include <muster/preemption/cheapest_victims.hpp>

#include <muster/cluster/digest.hpp>
#include <muster/preemption/verify_victims.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/scene.hpp"

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <vector>

namespace {

using gpus = muster::resource_vector<1>;
using muster::preemption_outcome;
using muster::preemption_reason;
using muster::disruption_mode;

struct yard : muster_test::scene<gpus> {
  using muster_test::scene<gpus>::scene;
  muster::victim_space<gpus> space;

  /// A group that runs: pods first, first + 1, ... of `each`, one on each of the nodes.
  void runs(std::uint64_t id, std::int32_t priority, disruption_mode mode, muster::amount each,
            std::initializer_list<std::uint64_t> nodes, std::int64_t checkpoint = 0) {
    auto group = gang(id, static_cast<muster::pod_count>(nodes.size()), {each});
    group.priority = priority;
    group.disruption = mode;
    group.started = time(0);
    group.checkpoint = time(checkpoint);
    this->group(group);
    std::uint64_t pod = id * 100;
    for (const std::uint64_t node : nodes) {
      this->pod(pod, group);
      bind(pod++, node);
    }
  }
  /// What `pods` pods of `each` of priority 100 would evict at time 1000.
  const muster::victim_plan<gpus>& ask(muster::pod_count pods, muster::amount each) {
    auto group = gang(1, pods, {each});
    group.priority = 100;
    return ask(group);
  }
  const muster::victim_plan<gpus>& ask(const muster::pod_group<gpus>& group) {
    const auto view = this->view(1000);
    const auto before = muster::digest(model());
    const auto& plan = muster::cheapest_victims(view, group, space);
    CHECK(muster::digest(model()) == before);
    if (plan.evicts()) CHECK(muster::verify_victims(view, group, plan).holds());
    return plan;
  }
  [[nodiscard]] std::vector<std::uint64_t> groups() const {
    std::vector<std::uint64_t> found;
    for (const auto& unit : space.plan.victims.units)
      found.push_back(unit.group == nullptr ? 0 : number(unit.group->id));
    return found;
  }
};

using ids = std::vector<std::uint64_t>;

/// A cost below 0.
struct negative {
  static constexpr std::size_t components = 1;
  muster::cost_value<1> operator()(const muster::evicted_members<gpus>&) const {
    return muster::cost_value<1>::of(-1);
  }
  muster::cost_value<1> share(const muster::group_record<gpus>*, const muster::pod_record<gpus>&,
                              muster::time_point) const {
    return {};
  }
};

}  // namespace

TEST_CASE("a gang that fits evicts nobody", "[preemption]") {
  yard s;
  s.node(1, {4});
  s.runs(2, 0, disruption_mode::all, 2, {1});
  const auto& plan = s.ask(2, 1);
  CHECK(plan.outcome == preemption_outcome::not_needed);
  CHECK(plan.victims.units.empty());
  CHECK(muster_test::on(plan, 1) == 2);
}

TEST_CASE("what is on its way out is waited for, not evicted again", "[preemption]") {
  yard s;
  s.node(1, {4});
  s.runs(2, 0, disruption_mode::all, 4, {1});
  s.leave(200);
  const auto& plan = s.ask(1, 4);
  CHECK(plan.outcome == preemption_outcome::wait);
  CHECK(plan.victims.units.empty());
  CHECK(muster_test::on(plan, 1) == 1);
}

TEST_CASE("of two gangs the one whose work is worth less leaves, whatever their size", "[preemption]") {
  yard s;
  s.node(1, {4});
  s.node(2, {4});
  s.runs(2, 0, disruption_mode::all, 4, {1}, 0);      // 4 x 1000
  s.runs(3, 0, disruption_mode::all, 2, {2, 2}, 900);  // 4 x 100
  const auto& plan = s.ask(1, 4);
  REQUIRE(plan.evicts());
  CHECK(s.groups() == ids{3});
  CHECK(plan.cost == muster::cost_value<1>::of(400));
  CHECK(plan.bound == plan.cost);
  CHECK(plan.proved);
  CHECK(plan.fewest == 1);
  CHECK(muster_test::on(plan, 2) == 1);
}

TEST_CASE("a whole gang loses all its work for one of its pods", "[preemption]") {
  yard s;
  for (const std::uint64_t node : {1U, 2U, 3U}) s.node(node, {2});
  s.runs(2, 0, disruption_mode::all, 2, {1, 2}, 500);  // 2 x 2 x 500 for either node
  s.runs(3, 0, disruption_mode::all, 2, {3}, 400);     // 2 x 600
  CHECK(s.ask(1, 2).cost == muster::cost_value<1>::of(1200));
  CHECK(s.groups() == ids{3});
  CHECK(s.ask(2, 2).cost == muster::cost_value<1>::of(2000));
  CHECK(s.groups() == ids{2});
}

TEST_CASE("row 66, better: the second pod goes where one victim is enough", "[preemption]") {
  yard s;
  for (const std::uint64_t node : {1U, 2U, 3U}) s.node(node, {2});
  s.runs(2, 0, disruption_mode::single, 1, {1, 1, 2});
  const auto& plan = s.ask(2, 2);
  REQUIRE(plan.evicts());
  CHECK(plan.victims.units.size() == 1);
  CHECK(plan.victims.pods.front()->id == muster::pod_id{202});
  CHECK(muster_test::on(plan, 2) == 1);
  CHECK(muster_test::on(plan, 3) == 1);
}

TEST_CASE("row 65: a whole gang leaves with all three pods either way", "[preemption]") {
  yard s;
  for (const std::uint64_t node : {1U, 2U, 3U}) s.node(node, {2});
  s.runs(2, 0, disruption_mode::all, 1, {1, 1, 2});
  const auto& plan = s.ask(2, 2);
  REQUIRE(plan.evicts());
  CHECK(plan.victims.units.size() == 1);
  CHECK(plan.victims.pods.size() == 3);
}

TEST_CASE("a full rack is a candidate of a gang that must sit in one", "[preemption]") {
  yard s{muster::nested_levels(1)};
  s.node(1, {4}, {1});
  s.node(2, {4}, {1});
  s.node(3, {4}, {2});
  s.node(4, {4}, {2});
  s.runs(2, 0, disruption_mode::all, 4, {1, 2}, 990);  // the full rack: 8 x 10
  s.runs(3, 0, disruption_mode::all, 4, {3}, 0);       // half of the other: 4 x 1000
  auto group = yard::gang(1, 2, {4});
  group.priority = 100;
  group.required = muster::topology_level{0};
  const auto& plan = s.ask(group);
  REQUIRE(plan.evicts());
  CHECK(s.groups() == ids{2});
  CHECK(plan.cost == muster::cost_value<1>::of(80));
  CHECK(plan.proved);
}

TEST_CASE("why nobody is evicted", "[preemption]") {
  yard s;
  s.node(1, {4});
  s.runs(2, 100, disruption_mode::all, 2, {1});
  s.runs(3, 50, disruption_mode::all, 1, {1});
  SECTION("equal priority stays, and without it there is not enough") {
    CHECK(s.ask(1, 4).outcome == preemption_outcome::none);
    CHECK(s.space.plan.reason == preemption_reason::still_too_full);
    CHECK(s.space.plan.proved);
  }
  SECTION("the group may not preempt") {
    auto group = yard::gang(1, 1, {2});
    group.priority = 100;
    group.preemption = muster::preemption_policy::never;
    CHECK(s.ask(group).outcome == preemption_outcome::none);
    CHECK(s.space.plan.reason == preemption_reason::policy_never);
  }
  SECTION("the caller's rule keeps everybody") {
    auto group = yard::gang(1, 1, {2});
    group.priority = 100;
    const auto nobody = [](const muster::victim_unit<gpus>&) { return false; };
    const muster::victim_options<muster::lost_work<>, decltype(nobody)> options{{}, nobody, {}, 1000, {}};
    CHECK(muster::cheapest_victims(s.view(1000), group, s.space, options).reason == preemption_reason::no_units);
  }
  SECTION("the group is faulty, or not known") {
    auto group = yard::gang(1, 1, {-2});
    group.priority = 100;
    CHECK(s.ask(group).outcome == preemption_outcome::invalid);
    CHECK(s.space.plan.reason == preemption_reason::placement_refused);
    CHECK(s.space.plan.placement == muster::refusal_reason::group_fault);
    CHECK(muster::cheapest_victims(s.view(), muster::group_id{77}, s.space).outcome == preemption_outcome::hold);
    CHECK(s.space.plan.placement == muster::refusal_reason::group_unknown);
  }
  CHECK(s.space.plan.victims.units.empty());
}

TEST_CASE("a cost object that breaks its contract is named, and nobody is evicted", "[preemption]") {
  yard s;
  s.node(1, {4});
  s.runs(2, 0, disruption_mode::all, 4, {1});
  auto group = yard::gang(1, 1, {4});
  group.priority = 100;
  muster::victim_space<gpus, negative> space;
  const auto& plan = muster::cheapest_victims(s.view(), group, space, muster::victim_options<negative>{});
  CHECK(plan.outcome == preemption_outcome::invalid);
  CHECK(plan.fault == muster::cost_fault::negative);
  CHECK(plan.victims.units.empty());
}

TEST_CASE("costs at the top of their range are said to be, and do not wrap", "[preemption]") {
  yard s;
  s.node(1, {muster::max_amount});
  s.node(2, {muster::max_amount});
  s.runs(2, 0, disruption_mode::all, muster::max_amount, {1}, 999);
  auto group = yard::gang(3, 1, {muster::max_amount});
  group.started = muster::beginning_of_time;
  s.group(group);
  s.pod(300, group);
  s.bind(300, 2);
  const auto& plan = s.ask(1, muster::max_amount);
  REQUIRE(plan.evicts());
  CHECK(plan.saturated);
  CHECK(s.groups() == ids{2});
  CHECK(plan.cost == muster::cost_value<1>::of(muster::max_amount));
  CHECK_FALSE(plan.cost.saturated());
}

TEST_CASE("without a budget nothing is claimed", "[preemption]") {
  yard s;
  for (std::uint64_t node = 1; node <= 6; ++node) {
    s.node(node, {4});
    s.runs(node + 1, 0, disruption_mode::all, 2, {node, node == 6 ? 1 : node + 1}, 100 * static_cast<int>(node));
  }
  auto group = yard::gang(1, 3, {4});
  group.priority = 100;
  const auto view = s.view(1000);
  const auto best = muster::cheapest_victims(view, group, s.space).cost;
  REQUIRE(s.space.plan.proved);
  for (const std::uint64_t budget : {0U, 1U, 10U, 100U, 1000U}) {
    muster::victim_options<> options;
    options.budget = budget;
    const auto& plan = muster::cheapest_victims(view, group, s.space, options);
    CHECK((plan.evicts() || plan.outcome == preemption_outcome::undecided));
    CHECK(plan.bound <= best);
    if (!plan.evicts()) continue;
    CHECK(plan.cost >= best);
    CHECK(plan.proved == (plan.bound == plan.cost && plan.fewest > 0));
    CHECK(muster::verify_victims(view, group, plan).holds());
  }
}

TEST_CASE("stop ends a search", "[preemption]") {
  yard s;
  for (std::uint64_t node = 1; node <= 12; ++node) {
    s.node(node, {4});
    s.runs(node + 1, 0, disruption_mode::all, 2, {node, node == 12 ? 1 : node + 1}, 37 * static_cast<int>(node));
  }
  auto group = yard::gang(1, 5, {4});
  group.priority = 100;
  const auto stop = [] { return true; };
  const muster::victim_options<muster::lost_work<>, muster::anyone, muster::everywhere, decltype(stop)> options{
      {}, {}, {}, 25'000'000, stop};
  const auto& plan = muster::cheapest_victims(s.view(1000), group, s.space, options);
  CHECK(plan.steps < 20'000);
  if (plan.evicts()) CHECK(muster::verify_victims(s.view(1000), group, plan).holds());
}
