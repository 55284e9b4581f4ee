// SPDX-License-Identifier: BSL-1.0
// Placing pods whose grants do not follow from their requests: whole devices and shares of one.
#include <muster/placement/place.hpp>
#include <muster/placement/verify.hpp>
#include <muster/resource/devices.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/scene.hpp"

#include <cstdint>
#include <map>
#include <span>

namespace {
using gpus = muster::devices<4>;
using scene = muster_test::scene<gpus>;
using muster::place;
using muster::verdict;

/// Likes the node with an even number of idle devices: leaves a node and comes back to it.
struct even_first {
  std::int64_t operator()(const gpus::state_type& left, const gpus::capacity_type&, const gpus::request_type&) const {
    return gpus::amount_left(left, 0) % 2 == 0 ? 1 : 0;
  }
};
using by_evenness = muster::place_options<muster::everywhere, even_first>;

bool holds(scene& s, const muster::pod_group<gpus>& group, const muster::placement_answer<gpus>& answer) {
  return muster::verify(s.view(), group, std::span<const muster::seat<gpus>>{answer.seats}).holds();
}
}  // namespace

TEST_CASE("no device is given twice when a scorer comes back to a node", "[placement]") {
  scene s;
  s.node(1, {.count = 4});
  s.node(2, {.count = 4});
  for (const gpus::request_type each : {gpus::request_type{.whole = 1}, gpus::request_type{.share = 1000}}) {
    auto gang = scene::gang(1, 4, each);
    gang.pod_sets.push_back({each, 4, 0});
    const auto answer = place(s.view(), gang, by_evenness{});
    REQUIRE(answer.placed == 8);
    CHECK(holds(s, gang, answer));
    std::map<muster::node_id, std::uint64_t> given;
    for (const auto& seat : answer.seats) {
      CHECK((given[seat.node] & seat.grant.on) == 0);
      given[seat.node] |= seat.grant.on;
    }
  }
}

TEST_CASE("an attempt with more pods does not replace one with all minima", "[placement]") {
  scene s;
  s.node(5983, {.count = 3});
  s.node(5966, {.count = 2});
  auto gang = scene::gang(1, 2, {.share = 1000}, 0);
  gang.pod_sets[0].minimum = 1;
  gang.pod_sets.push_back({{.whole = 2}, 2, 2});
  gang.limits.push_back({muster::node_level, 3});
  const auto answer = place(s.view(), gang);
  REQUIRE(answer.fits());
  CHECK(answer.placed == 3);
  CHECK(holds(s, gang, answer));
}

TEST_CASE("a sick device takes no pod, and its return is what a closed gang waits for", "[placement]") {
  scene s;
  s.node(1, {.count = 4});
  s.say(muster::device_health{muster::node_id{1}, 2, false});
  const auto three = place(s.view(), scene::gang(1, 3, {.whole = 1}));
  REQUIRE(three.placed == 3);
  for (const auto& seat : three.seats) CHECK((seat.grant.on & 0b0100U) == 0);
  CHECK(place(s.view(), scene::gang(1, 4, {.whole = 1})).verdict == verdict::closed);
  s.say(muster::device_health{muster::node_id{1}, 2, true});
  CHECK(place(s.view(), scene::gang(1, 4, {.whole = 1})).fits());
}

TEST_CASE("shares lie beside each other on one device, whole devices do not", "[placement]") {
  scene s;
  s.node(1, {.count = 2});
  CHECK(place(s.view(), scene::gang(1, 6, {.share = 300})).fits());
  CHECK(place(s.view(), scene::gang(1, 7, {.share = 300})).verdict == verdict::never);
  auto mixed = scene::gang(1, 3, {.share = 300});
  mixed.pod_sets.push_back({{.whole = 1}, 1, 0});
  CHECK(place(s.view(), mixed).fits());
  mixed.pod_sets[1].count = 2;
  CHECK_FALSE(place(s.view(), mixed).fits());
}
