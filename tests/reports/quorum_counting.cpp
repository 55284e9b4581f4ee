// SPDX-License-Identifier: BSL-1.0
// Public fault reports of the kind "quorum counting", and B11, whose policies the gate takes as an input.
#include <muster/cycle/schedule.hpp>
#include <muster/placement/place.hpp>
#include <muster/quorum/gate.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/scene.hpp"

#include <array>
#include <span>

namespace {
using slots = muster::resource_vector<1>;
using scene = muster_test::scene<slots>;
using muster::matching;
using muster::place;
using muster::verdict;
constexpr muster::group_id g{1};
}  // namespace

TEST_CASE("B01 a group's own holdings are not counted against it", "[reports]") {
  scene s;
  const auto gang = scene::gang(1, 4, {1}, 4);
  s.node(1, {4});
  s.group(gang);
  s.pods(10, 4, gang);
  s.bind(10, 1, muster::placing::assumed);
  s.bind(11, 1, muster::placing::assumed);
  const auto answer = place(s.view(), g);
  CHECK(gate(s.view(), g).open());
  CHECK(answer.verdict == verdict::fits);
  CHECK(answer.placed == 2);
}

TEST_CASE("B02 a member whose node is cleared is unscheduled, however often that is said", "[reports]") {
  scene s;
  const auto gang = scene::gang(1, 3, {1}, 3);
  for (std::uint64_t n = 1; n <= 4; ++n) s.node(n, {1});
  s.group(gang);
  s.pods(10, 3, gang);
  for (std::uint64_t i = 0; i < 3; ++i) s.bind(10 + i, 1 + i);
  const auto members = [&] { return s.view().group(g)->members; };
  CHECK(members().scheduled() == 3);
  for (int repeat = 0; repeat < 2; ++repeat) {
    s.say(muster::pod_unplaced{muster::pod_id{12}});
    CHECK(members().scheduled() == 2);
    CHECK(members().unscheduled() == 1);
    CHECK(muster::minimum_pods(s.view().group(g)->spec) - members().scheduled() == 1);
    CHECK(s.view().pod(muster::pod_id{12})->phase == muster::phase::seen);
  }
  s.bind(12, 4);
  CHECK(members().scheduled() == 3);
  CHECK(members().unscheduled() == 0);
}

TEST_CASE("B05 a group is judged by its minimum of now", "[reports]") {
  scene s;
  auto gang = scene::gang(1, 2, {1}, 2);
  s.node(1, {2});
  s.group(gang);
  s.pods(10, 2, gang);
  s.bind(10, 1);
  s.bind(11, 1);
  CHECK(place(s.view(), g).fits());  // satisfied: nothing to place
  gang.pod_sets[0].count = 3;
  gang.min_count = 3;
  s.group(gang);
  s.pod(12, gang);
  CHECK(gate(s.view(), g).needed == 3);
  const auto answer = place(s.view(), g);
  CHECK_FALSE(answer.fits());
  CHECK(answer.lack.missing() == 1);
  CHECK(answer.pending == 1);
  CHECK(s.view().group(g)->members.scheduled() == 2);
}

TEST_CASE("B08 members that succeeded are no longer demanded", "[reports]") {
  scene s;
  const auto gang = scene::gang(1, 4, {1}, 4);
  s.node(1, {3});
  s.group(gang);
  s.pods(10, 4, gang);
  s.end(10, muster::ending::succeeded);
  CHECK(gate(s.view(), g).open());
  const auto answer = place(s.view(), g);
  CHECK(answer.fits());
  CHECK(answer.placed == 3);
}

TEST_CASE("B10 a terminating pod is no surplus, and its replacement waits for its room", "[reports]") {
  scene s;
  const auto gang = scene::gang(1, 3, {1}, 3);
  s.node(1, {3});
  s.group(gang);
  s.pods(10, 4, gang);
  for (std::uint64_t p = 10; p < 13; ++p) s.bind(p, 1);
  s.leave(12);
  const auto quorum = gate(s.view(), g);
  CHECK(quorum.have == 3);
  CHECK(quorum.needed == 3);
  CHECK(place(s.view(), g).verdict == verdict::wait);
  s.end(12, muster::ending::failed);
  CHECK(place(s.view(), g).placed == 1);
}

TEST_CASE("B11 what still binds a late pod is the caller's choice", "[reports]") {
  scene s;
  const auto gang = scene::gang(1, 5, {1}, 3);
  s.node(1, {8});
  s.group(gang);
  s.pods(10, 3, gang);
  for (std::uint64_t p = 10; p < 13; ++p) s.bind(p, 1);
  s.say(muster::group_satisfied{g});
  s.end(10, muster::ending::failed);
  s.end(11, muster::ending::failed);
  s.pod(13, gang);

  const auto once = gate(s.view(), g, matching::once_satisfied);
  CHECK(once.open());
  CHECK(place(s.view(), g, muster::place_options<>{.once_enough = true}).placed == 1);
  CHECK(place(s.view(), g).verdict == verdict::hold);
  const auto both = gate(s.view(), g, matching::running_and_waiting);
  CHECK_FALSE(both.open());
  CHECK(both.have == 2);
  const auto waiting = gate(s.view(), g, matching::only_waiting);
  CHECK_FALSE(waiting.open());
  CHECK(waiting.have == 1);
}

TEST_CASE("B11 under a turn the choice is made once, in the gate", "[reports]") {
  scene s;
  auto gang = scene::gang(1, 5, {1}, 3);
  s.node(1, {8});
  s.group(gang);
  s.pods(10, 3, gang);
  for (std::uint64_t p = 10; p < 13; ++p) s.bind(p, 1);
  s.say(muster::group_satisfied{g});
  s.end(10, muster::ending::failed);
  s.end(11, muster::ending::failed);
  s.pod(13, gang);
  const std::array queue{g};
  const auto turn = [&](matching policy, muster::place_options<> options = {}) {
    muster::default_stages stages;
    stages.gate.policy = policy;
    stages.place.options = options;
    return muster::schedule(s.view(), std::span{queue}, stages).actions.front();
  };
  const auto once = turn(matching::once_satisfied);
  CHECK(once.kind == muster::action_kind::bind);
  CHECK(once.placed == 1);
  for (const auto policy : {matching::running_and_waiting, matching::only_waiting}) {
    const auto held = turn(policy);
    CHECK(held.verdict == verdict::hold);
    CHECK(held.decided_by == muster::stage::gate);
  }
  // two more pods wait, but only one of the three finds room: two run then, and three are the minimum
  s.pods(14, 2, gang);
  s.filler(90, 1, {6});
  for (const bool said : {false, true}) {  // what the options say does not count under a turn
    CHECK(turn(matching::once_satisfied, {.once_enough = said}).placed == 1);
    const auto bound_still = turn(matching::running_and_waiting, {.once_enough = said});
    CHECK(bound_still.decided_by == muster::stage::place);
    CHECK(bound_still.verdict == verdict::not_now);
    CHECK(bound_still.lack.needed == 2);
  }
}
