// SPDX-License-Identifier: BSL-1.0
#include <muster/preemption/victim_plan.hpp>

#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"

#include <set>
#include <string_view>

namespace {

using one = muster::resource_vector<1>;
using muster::preemption_outcome;
using muster::preemption_reason;

}  // namespace

TEST_CASE("a new plan claims nothing", "[preemption]") {
  const muster::victim_plan<one> plan;
  CHECK(plan.outcome == preemption_outcome::undecided);
  CHECK(plan.reason == preemption_reason::none);
  CHECK(plan.fault == muster::cost_fault::none);
  CHECK(plan.placement == muster::refusal_reason::none);
  CHECK(plan.victims.units.empty());
  CHECK(plan.seats.empty());
  CHECK(plan.cost == muster::cost_value<1>{});
  CHECK(plan.bound == muster::cost_value<1>{});
  CHECK(plan.fewest == 0);
  CHECK_FALSE(plan.proved);
  CHECK_FALSE(plan.saturated);
  CHECK(plan.steps == 0);
}

TEST_CASE("only one outcome evicts", "[preemption]") {
  muster::victim_plan<one> plan;
  for (const auto outcome :
       {preemption_outcome::undecided, preemption_outcome::not_needed, preemption_outcome::wait,
        preemption_outcome::none, preemption_outcome::hold, preemption_outcome::invalid}) {
    plan.outcome = outcome;
    CHECK_FALSE(plan.evicts());
  }
  plan.outcome = preemption_outcome::evict;
  CHECK(plan.evicts());
}

TEST_CASE("outcomes and reasons have names of their own", "[preemption]") {
  std::set<std::string_view> outcomes, reasons;
  for (int each = 0; each <= static_cast<int>(preemption_outcome::invalid); ++each)
    outcomes.insert(name(static_cast<preemption_outcome>(each)));
  CHECK(outcomes.size() == 7);
  CHECK(outcomes.count("?") == 0);
  for (int each = 0; each <= static_cast<int>(preemption_reason::bad_cost); ++each)
    reasons.insert(name(static_cast<preemption_reason>(each)));
  CHECK(reasons.size() == 8);
  CHECK(reasons.count("?") == 0);
}

TEST_CASE("a plan counts costs of as many components as its cost object", "[preemption]") {
  muster::victim_plan<one, 3> plan;
  CHECK(plan.cost.size() == 3);
  plan.cost.part = {1, 2, 3};
  CHECK(plan.bound < plan.cost);
}

TEST_CASE("a cleared plan is a new one with the memory of the old", "[preemption]") {
  muster::victim_plan<one> plan;
  plan.outcome = preemption_outcome::evict;
  plan.cost.part = {7};
  plan.steps = 3;
  plan.proved = true;
  plan.seats.resize(5);
  plan.victims.units.resize(4);
  plan.victims.pods.resize(9);
  plan.clear();
  CHECK(plan.outcome == preemption_outcome::undecided);
  CHECK(plan.cost.part[0] == 0);
  CHECK(plan.steps == 0);
  CHECK_FALSE(plan.proved);
  CHECK(plan.seats.empty());
  CHECK(plan.victims.units.empty());
  CHECK(plan.victims.pods.empty());
  CHECK(plan.seats.capacity() >= 5);
  CHECK(plan.victims.pods.capacity() >= 9);
}
