// SPDX-License-Identifier: BSL-1.0
#include <muster/cycle/assume.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/small_cluster.hpp"

#include <muster/cluster/digest.hpp>
#include <muster/cycle/schedule.hpp>
#include <muster/resource/devices.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <map>

using namespace muster;
using eight = devices<8>;

TEST_CASE("every pod of a bind gets its own devices", "[cycle]") {
  cluster<eight> model;
  std::uint64_t last = 0;
  const auto say = [&](change_content<eight> what) { apply(model, change<eight>{revision{++last}, std::move(what)}); };
  for (std::uint64_t n = 1; n <= 2; ++n) say(node_seen<eight>{{node_id{n}, {}, {8, any_model, {}}, {}}});
  pod_group<eight> gang;
  gang.id = group_id{1};
  gang.disruption = disruption_mode::all;
  gang.pod_sets.push_back({{3, 0, any_model, false}, 4, 0});
  say(group_seen<eight>{gang});
  for (std::uint64_t p = 1; p <= 4; ++p) {
    pod_seen<eight> pod;
    pod.pod = pod_id{p};
    pod.group = gang.id;
    pod.request = gang.pod_sets[0].request;
    say(pod);
  }
  const std::array queue{gang.id};
  const plan<eight> made = schedule(model.view(), std::span{queue});
  REQUIRE(made.actions.front().kind == action_kind::bind);
  CHECK(assume(model, made, made.actions.front(), revision{++last}) == apply_result{});
  const auto view = model.view();
  std::map<node_id, std::uint64_t> taken;
  for (std::uint64_t p = 1; p <= 4; ++p) {
    const pod_record<eight>* pod = view.pod(pod_id{p});
    REQUIRE(pod->charged);
    CHECK(pod->phase == phase::assumed);
    CHECK(std::popcount(pod->grant.on) == 3);
    const node_id node = view.node_of(*pod);
    CHECK((taken[node] & pod->grant.on) == 0);
    taken[node] |= pod->grant.on;
  }
  for (std::uint32_t position = 0; position < view.size(); ++position)
    CHECK(view.now(position).idle == (0xffU & ~taken[view.id(position)]));
}

namespace {

struct planned : muster_test::small_cluster {
  plan<muster_test::gpus> made;

  planned() : small_cluster{4, 4} {
    auto gang = submit(1, 2, 2);
    gang.pod_sets.push_back({{2}, 1, 1});
    say(group_seen<muster_test::gpus>{gang});
    pod_seen<muster_test::gpus> other;
    other.pod = id(1, 2);
    other.group = gang.id;
    other.pod_set = 1;
    other.request = {2};
    say(other);
    const std::array queue{gang.id};
    made = schedule(model.view(), std::span{queue});
    REQUIRE(made.actions.front().kind == action_kind::bind);
    REQUIRE(made.actions.front().placed == 3);
  }
  apply_result assumed(std::uint64_t at) { return assume(model, made, made.actions.front(), revision{at}); }
};

}  // namespace

TEST_CASE("assuming an action answers with the worst that became of its changes", "[cycle]") {
  planned now;
  SECTION("all went well") {
    CHECK(now.assumed(++now.last) == apply_result{});
    CHECK(now.assumed(now.last).outcome == apply_outcome::duplicate);
  }
  SECTION("one pod has newer news") {
    now.say(pod_placed<muster_test::gpus>{now.id(1, 1), node_id{2}, placing::bound, {}, {}});
    CHECK(now.assumed(now.last - 1).outcome == apply_outcome::stale);
  }
  SECTION("one node is not there") {
    now.say(node_gone{node_id{2}});
    CHECK(now.assumed(++now.last).outcome == apply_outcome::parked);
  }
  SECTION("no revision") {
    CHECK(now.assumed(0) == apply_result{apply_outcome::rejected, change_fault::no_revision, amount_fault::none});
  }
}

TEST_CASE("an action that does not match its group any more is rejected, and nothing changes", "[cycle]") {
  planned now;
  change_fault expected = change_fault::none;
  SECTION("the group went") {
    now.say(group_gone{group_id{1}});
    expected = change_fault::no_such_group;
  }
  SECTION("a group nobody heard of") {
    now.made.actions.front().group = group_id{77};
    expected = change_fault::no_such_group;
  }
  SECTION("a pod set less") {
    auto gang = now.model.view().group(group_id{1})->spec;
    gang.pod_sets.resize(1);
    now.say(group_seen<muster_test::gpus>{gang});
    expected = change_fault::bad_action;
  }
  SECTION("fewer pods than seats") {
    --now.made.actions.front().pods;
    expected = change_fault::bad_action;
  }
  const auto before = digest(now.model);
  const auto result = now.assumed(++now.last);
  CHECK(result.outcome == apply_outcome::rejected);
  CHECK(result.fault == expected);
  CHECK(digest(now.model) == before);
  if (expected == change_fault::bad_action) {
    const auto view = now.model.view();
    CHECK_FALSE(for_each_placed(now.made, now.made.actions.front(), *view.group(group_id{1}), revision{now.last},
                                placing::bound, {}, [](const auto&) { FAIL_CHECK("a change was emitted"); }));
  }
}

TEST_CASE("an unreserve is assumed by dropping, and says whether that was news", "[cycle]") {
  muster_test::small_cluster now{4};
  now.submit(1, 2);
  now.say(set_aside<muster_test::gpus>{set_aside_id{3}, group_id{1}, 0, node_id{1}, 2, {2}, end_of_time});
  const std::array queue{group_id{1}};
  const auto made = schedule(now.model.view(), std::span{queue});
  REQUIRE(made.actions.size() == 2);
  CHECK(assume(now.model, made, made.actions[1], revision{++now.last}) == apply_result{});
  CHECK(assume(now.model, made, made.actions[1], revision{now.last}).outcome == apply_outcome::duplicate);
  CHECK_FALSE(now.model.view().anything_set_aside());
}

TEST_CASE("a bind of which one pod is not any more what its seat was made for is rejected whole", "[cycle]") {
  planned now;
  pod_seen<muster_test::gpus> pod{.pod = now.id(1, 1), .group = group_id{1}, .request = {2}};
  SECTION("it has ended") { now.say(pod_ended{now.id(1, 1), ending::failed}); }
  SECTION("it asks more") { pod.request = {3}; }
  SECTION("it is another group's") { pod.group = group_id{2}; }
  SECTION("it is of another pod set") { pod.pod_set = 1; }
  SECTION("it has a gate") { pod.gated = true; }
  now.say(pod);
  const auto before = digest(now.model);
  CHECK(now.assumed(++now.last) == apply_result{apply_outcome::rejected, change_fault::bad_action, amount_fault::none});
  CHECK(digest(now.model) == before);
}
