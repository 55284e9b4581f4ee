// SPDX-License-Identifier: BSL-1.0
#include <muster/preemption/verify_victims.hpp>

#include <muster/preemption/cheapest_victims.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/scene.hpp"

#include <cstdint>
#include <utility>

namespace {

using gpus = muster::resource_vector<1>;
using muster::victim_refutation;

/// Two nodes of 4: a gang of two pods of 2 in mode `all` on node 1, single pods of 2 of another on node 2.
struct yard : muster_test::scene<gpus> {
  muster::pod_group<gpus> asks = gang(1, 2, {4});
  muster::victim_space<gpus> space;
  muster::victim_plan<gpus> plan;

  yard() {
    node(1, {4});
    node(2, {4});
    auto whole = gang(2, 2, {2});
    whole.started = whole.checkpoint = time(0);
    auto single = whole;
    single.id = muster::group_id{3};
    single.disruption = muster::disruption_mode::single;
    group(whole);
    group(single);
    for (std::uint64_t i = 0; i < 2; ++i) {
      pod(20 + i, whole);
      bind(20 + i, 1);
      pod(30 + i, single);
      bind(30 + i, 2);
    }
    asks.priority = 10;
    plan = muster::cheapest_victims(view(100), asks, space);
    REQUIRE(plan.evicts());
    REQUIRE(plan.victims.units.size() == 3);
    REQUIRE(check().holds());
  }
  muster::victim_check check() { return muster::verify_victims(view(100), asks, plan); }
  void refuted(victim_refutation why) {
    const auto said = check();
    CHECK(said.result == muster::proof::refuted);
    CHECK(said.why == why);
  }
};

}  // namespace

TEST_CASE("every way in which a plan is wrong is named", "[preemption]") {
  yard s;
  auto& units = s.plan.victims.units;
  auto& pods = s.plan.victims.pods;
  SECTION("nobody leaves") {
    s.plan.outcome = muster::preemption_outcome::none;
    s.refuted(victim_refutation::no_plan);
  }
  SECTION("a unit without pods") {
    units[1].pods = 0;
    s.refuted(victim_refutation::not_whole);
  }
  SECTION("half a gang") {
    units[0].pods = 1;
    s.refuted(victim_refutation::not_whole);
  }
  SECTION("two single pods as one unit") {
    units[1].pods = 2;
    units.pop_back();
    s.refuted(victim_refutation::not_whole);
  }
  SECTION("a unit of pods of two groups") {
    std::swap(pods[1], pods[2]);
    s.refuted(victim_refutation::not_whole);
  }
  SECTION("a pod twice") {
    units[2].first_pod = units[1].first_pod;
    s.refuted(victim_refutation::evicted_twice);
  }
  SECTION("a victim fewer: it costs less, and the seats have no room") {
    units.pop_back();
    s.refuted(victim_refutation::wrong_cost);
    s.plan.bound = {};
    s.plan.cost = muster::cost_value<1>::of(600);  // three pods of 2, since 100
    s.refuted(victim_refutation::seats);
    CHECK(s.check().placement.why == muster::refutation::no_room);
  }
  SECTION("another cost, or a bound above it") {
    s.plan.cost += muster::cost_value<1>::of(1);
    s.refuted(victim_refutation::wrong_cost);
    s.plan.cost = s.space.plan.cost;
    s.plan.bound += muster::cost_value<1>::of(1);
    s.refuted(victim_refutation::wrong_cost);
  }
  SECTION("a priority that is not lower, or not so low") {
    units[2].priority = -5;
    s.refuted(victim_refutation::not_lower);
    units[2].priority = 0;
    s.asks.priority = 0;
    s.refuted(victim_refutation::not_lower);
  }
  SECTION("a protected unit") {
    const auto not_whole_groups = [](const muster::victim_unit<gpus>& unit) {
      return unit.kind != muster::unit_kind::group;
    };
    const auto said =
        muster::verify_victims(s.view(100), s.asks, s.plan, muster::lost_work<>{}, not_whole_groups);
    CHECK(said.why == victim_refutation::protected_unit);
    CHECK(said.unit == 0);
  }
  SECTION("a victim that is on its way out by now") {
    s.leave(30);
    s.refuted(victim_refutation::not_running);
  }
  SECTION("a seat too many") {
    s.plan.seats.push_back(s.plan.seats.front());
    s.refuted(victim_refutation::seats);
  }
  SECTION("a group that is not known") {
    CHECK(muster::verify_victims(s.view(100), muster::group_id{99}, s.plan).why == victim_refutation::group_unknown);
  }
}
