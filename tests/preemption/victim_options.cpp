// SPDX-License-Identifier: BSL-1.0
#include <muster/preemption/victim_options.hpp>

#include <muster/preemption/cheapest_victims.hpp>
#include <muster/preemption/verify_victims.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/allocation.hpp"
#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/scene.hpp"

#include <cstddef>
#include <cstdint>

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

TEST_CASE("a kept space allocates nothing the second time", "[preemption][memory]") {
  muster_test::scene<slots> s{muster::nested_levels(1)};
  std::uint64_t pod = 100;
  for (std::uint64_t n = 1; n <= 40; ++n) s.node(n, {8}, {(n + 9) / 10});
  for (std::uint64_t g = 1; g <= 40; ++g) {  // of four pods of 2, each on a node of its own, and what stands alone
    const auto gang = s.gang(g, 4, {2});
    s.group(gang);
    for (std::uint64_t p = 0; p < 4; ++p, ++pod) {
      s.pod(pod, gang);
      s.bind(pod, 1 + (g * 7 + p * 11) % 40);
    }
    s.filler(pod++, 1 + (g * 13) % 40, {1});
  }
  auto gang = s.gang(1000, 3, {7});
  gang.priority = 1;
  gang.pod_sets.push_back({{3}, 4, 0});
  const auto view = s.view(1000);
  for (const muster::topology_level level : {muster::no_level, muster::topology_level{0}}) {
    gang.required = level;
    muster::victim_space<slots, muster::evicted_pods> space;
    const muster::victim_options<muster::evicted_pods> options{};
    const auto first = muster::cheapest_victims(view, gang, space, options);
    REQUIRE(first.evicts());
    REQUIRE(first.proved);
    CHECK(muster::verify_victims(view, gang, first, muster::evicted_pods{}).holds());
    const muster_test::allocation_watch watch;
    (void)muster::cheapest_victims(view, gang, space, options);
    const auto calls = watch.calls();
    CHECK(calls == 0);
    CHECK(space.plan.cost == first.cost);
    CHECK(space.plan.seats.size() == first.seats.size());
    CHECK(space.plan.victims.pods == first.victims.pods);
  }
}
