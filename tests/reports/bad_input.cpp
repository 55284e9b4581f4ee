// SPDX-License-Identifier: BSL-1.0
// Public fault reports of the kind "bad input/arithmetic", as far as what exists can answer them.
//
// Not here, because the room they ask about does not exist yet:
// - B131 (loops in a tree of queues): admission
// - B109, B110 (weights ten million to one, weights 0): fair share in admission
// - B128, second half (a queue's cap), B130, first half (a queue's guarantee): quota in admission
// Of B79 (backfill) it is asked here that a time not given is no time limit of 0; of B133 what becomes of the share,
// which is the host's to work out.
#include <muster/placement/place.hpp>
#include <muster/quorum/gate.hpp>
#include <muster/resource/devices.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/scene.hpp"

#include <cstdint>
#include <limits>

namespace {
using gpu_memory = muster::resource_vector<2>;  // GPUs, memory in thousandths of a GiB
using scene = muster_test::scene<gpu_memory>;
using muster::group_fault;
using muster::place;
using muster::verdict;
constexpr muster::group_id g{1};
}  // namespace

TEST_CASE("B13 a minimum of 0 opens the gate and places what fits", "[reports]") {
  scene s;
  const auto gang = scene::gang(1, 2, {0, 1}, 0);
  s.node(1, {0, 1});
  s.group(gang);
  s.pods(10, 2, gang);
  CHECK(gate(s.view(), g).open());
  const auto answer = place(s.view(), g);
  CHECK(answer.fits());
  CHECK(answer.placed == 1);
  CHECK(answer.pending == 1);
}

TEST_CASE("B13 a group without pods has nothing to do", "[reports]") {
  scene s;
  const auto none = scene::gang(1, 0, {0, 1}, 0);
  s.group(none);
  for (int nodes = 0; nodes < 2; ++nodes) {
    CHECK(gate(s.view(), g).open());
    for (const auto& answer : {place(s.view(), g), place(s.view(), none)}) {
      CHECK(answer.fits());
      CHECK(answer.placed == 0);
      CHECK(answer.pending == 0);
    }
    s.node(1, {1, 1});
  }
}

TEST_CASE("B13 a negative minimum is bad input", "[reports]") {
  scene s;
  s.node(1, {0, 1});
  const auto bad = scene::gang(1, 2, {0, 1}, -1);
  CHECK(s.say(muster::group_seen<gpu_memory>{bad}).fault == muster::change_fault::bad_group);
  CHECK(s.view().group(g) == nullptr);
  const auto answer = place(s.view(), bad);
  CHECK(answer.verdict == verdict::invalid);
  CHECK(answer.fault.fault == group_fault::min_count_negative);
  CHECK(answer.fault.number == -1);
}

TEST_CASE("B79 a time that is not given is unbounded, not 0", "[reports]") {
  scene s;
  for (std::uint64_t n = 1; n <= 4; ++n) s.node(n, {1, 1});
  for (std::uint64_t n = 1; n <= 3; ++n) s.filler(90 + n, n, {1, 1});  // J1
  const auto head = scene::gang(2, 4, {1, 1});                         // J2, for which the fourth node is kept
  s.group(head);
  s.pods(20, 4, head);
  muster::set_aside<gpu_memory> kept{muster::set_aside_id{1}, head.id, 0, muster::node_id{4}, 1, {1, 1}};
  s.say(kept);
  const auto behind = scene::gang(3, 1, {1, 1});
  constexpr std::int64_t long_after = std::int64_t{1} << 50;
  for (const std::int64_t at : {std::int64_t{0}, std::int64_t{80}, long_after})
    CHECK(place(s.view(at), behind).verdict == verdict::not_now);
  kept.until = scene::time(80);
  s.say(kept);
  CHECK(place(s.view(79), behind).verdict == verdict::not_now);
  CHECK(place(s.view(80), behind).fits());

  s.say(muster::node_closed{muster::node_id{4}, muster::beginning_of_time});
  for (const std::int64_t at : {std::int64_t{80}, long_after}) CHECK_FALSE(place(s.view(at), behind).fits());
}

TEST_CASE("B127 a request of 0 of a resource no node has does not matter", "[reports]") {
  scene s;
  s.node(1, {0, 36'000});
  CHECK(place(s.view(), scene::gang(1, 1, {0, 200})).fits());
  CHECK(place(s.view(), scene::gang(1, 1, {1, 200})).verdict == verdict::never);
}

TEST_CASE("B128 thousandths are counted as thousandths", "[reports]") {
  scene s;
  s.node(1, {0, 2'000});
  const auto first = scene::gang(1, 4, {0, 500});
  const auto view = s.view();
  muster::overlay<gpu_memory> on{view};
  muster::workspace<gpu_memory> space;
  REQUIRE(place(on, first, space).placed == 4);
  muster::take_seats(on, space.answer);
  CHECK(on.now(0)[1] == 0);
  auto second = first;
  second.id = muster::group_id{2};
  CHECK(place(on, second, space).verdict == verdict::not_now);
}

TEST_CASE("B130 no nodes: an answer, and another one once there are nodes", "[reports]") {
  scene s;
  const auto gang = scene::gang(1, 4, {0, 15});
  const auto none = place(s.view(), gang);
  CHECK(none.verdict == verdict::never);
  CHECK(none.lack.needed == 4);
  CHECK(none.lack.seated == 0);
  CHECK(none.lack.open_nodes == 0);
  s.node(1, {0, 60});
  CHECK(place(s.view(), gang).placed == 4);
}

TEST_CASE("B133 a node without devices has no part in what a share costs", "[reports]") {
  using gpus = muster::devices<4>;
  muster_test::scene<gpus> s;
  s.node(1, {.count = 1, .model = muster::device_model{1}, .link_group = {}});
  s.node(2, {.count = 1, .model = muster::device_model{2}, .link_group = {}});
  s.node(3, {});
  const auto pod = muster_test::scene<gpus>::gang(1, 1, {.share = 100});  // 4,090 of 40,900
  const auto view = s.view();
  muster::overlay<gpus> trial{view};
  muster::workspace<gpus> space;
  const auto& answer = place(trial, pod, space);
  REQUIRE(answer.fits());
  CHECK(answer.seats[0].grant.milli == 100);
  CHECK(answer.seats[0].node != muster::node_id{3});
  muster::take_seats(trial, answer);
  CHECK(trial.now(*view.find(answer.seats[0].node)).left[0] == 900);
  CHECK(place(view, muster_test::scene<gpus>::gang(1, 20, {.share = 100})).fits());
  CHECK(place(view, muster_test::scene<gpus>::gang(1, 21, {.share = 100})).verdict == verdict::never);
}

TEST_CASE("bad input: amounts that are negative or absurd are named and change nothing", "[reports]") {
  scene s;
  s.node(1, {1, 1});
  constexpr auto huge = std::numeric_limits<muster::amount>::max();
  for (const scene::request each : {scene::request{-1, 0}, scene::request{0, huge},
                                    scene::request{std::numeric_limits<muster::amount>::min(), 0}}) {
    const auto answer = place(s.view(), scene::gang(1, 2, each));
    CHECK(answer.verdict == verdict::invalid);
    CHECK(answer.fault.fault == group_fault::pod_set_request);
    CHECK(answer.seats.empty());
  }
  CHECK(place(s.view(), scene::gang(1, 1, {muster::max_amount, 0})).verdict == verdict::never);
  CHECK(place(s.view(), scene::gang(1, muster::max_pods_per_group, {muster::max_amount, muster::max_amount})).verdict ==
        verdict::never);
  CHECK(place(s.view(), scene::gang(1, huge, {1, 1})).fault.fault == group_fault::pod_set_count);
}

TEST_CASE("bad input: contradictory constraints are named", "[reports]") {
  scene s{muster::nested_levels(1)};
  s.node(1, {8, 8}, {1});
  const auto ask = [&](auto&& change) {
    auto gang = scene::gang(1, 4, {1, 1});
    change(gang);
    const auto answer = place(s.view(), gang);
    CHECK(answer.verdict == verdict::invalid);
    CHECK(answer.reason == muster::refusal_reason::group_fault);
    return answer.fault.fault;
  };
  using muster::topology_level;
  CHECK(ask([](auto& of) { of.min_count = 5; }) == group_fault::min_count_above_total);
  CHECK(ask([](auto& of) { of.disruption = muster::disruption_mode::unstated; }) == group_fault::disruption_unstated);
  CHECK(ask([](auto& of) { of.required = topology_level{1}; }) == group_fault::unknown_level);
  CHECK(ask([](auto& of) { of.limits.push_back({topology_level{7}, 1}); }) == group_fault::unknown_level);
  CHECK(ask([](auto& of) { of.limits.push_back({muster::node_level, 0}); }) == group_fault::limit_below_minimum);
  CHECK(ask([](auto& of) { of.limits.push_back({muster::node_level, -2}); }) == group_fault::limit_negative);
  CHECK(ask([](auto& of) { of.pod_sets[0].minimum = 5; }) == group_fault::pod_set_minimum);
  CHECK(ask([](auto& of) { of.pod_sets[0].count = -1; }) == group_fault::pod_set_count);
  CHECK(ask([](auto& of) { of.sizes = {muster::size_rule::shape::stepped, 1, 2, 0}; }) == group_fault::size_rule_empty);
  CHECK(ask([](auto& of) { of.sizes = {muster::size_rule::shape::stepped, 1, 3, 1}; }) ==
        group_fault::size_rule_unreachable);
  CHECK(ask([](auto& of) { of.id = muster::no_group; }) == group_fault::reserved_id);
}
