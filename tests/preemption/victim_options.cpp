// SPDX-License-Identifier: BSL-1.0
#include <muster/preemption/victim_options.hpp>

#include <muster/preemption/cheapest_victims.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/scene.hpp"

namespace {

using slots = muster::resource_vector<1>;

/// Spares the pods placed before a time.
struct run_long_enough {
  muster::time_point before;
  bool operator()(const muster::victim_unit<slots>& unit) const { return unit.started < before; }
};

}  // namespace

TEST_CASE("cost, rule and filter are the caller's, and decide together", "[preemption]") {
  muster_test::scene<slots> s;
  s.node(1, {1}, {}, 1);
  s.node(2, {1}, {}, 2);
  s.filler(11, 1, {1});
  s.filler(12, 2, {1});
  auto gang = muster_test::scene<slots>::gang(1, 1, {1});
  gang.priority = 1;
  const auto not_the_first = [](const muster::pod_group<slots>&, std::size_t, muster::kind_id kind) {
    return kind == muster::kind_id{1} ? muster::reason_code{7} : muster::eligible_node;
  };
  muster::victim_space<slots, muster::evicted_pods> space;
  muster::victim_options<muster::evicted_pods, run_long_enough, decltype(not_the_first)> options{
      {}, {muster::end_of_time}, not_the_first, 1'000'000, {}};
  const auto& plan = muster::cheapest_victims(s.view(), gang, space, options);
  REQUIRE(plan.evicts());
  CHECK(plan.cost == muster::cost_value<1>::of(1));
  CHECK(plan.victims.pods.front()->id == muster::pod_id{12});
  options.may.before = muster::beginning_of_time;
  CHECK(muster::cheapest_victims(s.view(), gang, space, options).reason == muster::preemption_reason::no_units);
}
