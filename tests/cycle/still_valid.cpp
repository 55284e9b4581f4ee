// SPDX-License-Identifier: BSL-1.0
#include <muster/cycle/still_valid.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/small_cluster.hpp"

#include <muster/cluster/changes.hpp>
#include <muster/cycle/schedule.hpp>
#include <muster/resource/devices.hpp>

#include <array>
#include <cstdint>
#include <utility>

using namespace muster;
using muster_test::gpus;
using muster_test::small_cluster;

TEST_CASE("an action is valid as long as the nodes it rests on have its room", "[cycle]") {
  small_cluster now{2, 2, 8};
  now.submit(1, 4);
  const std::array queue{group_id{1}};
  const plan<gpus> made = schedule(now.model.view(), std::span{queue});
  const action<gpus>& bind = made.actions.front();
  REQUIRE(bind.kind == action_kind::bind);
  REQUIRE(made.seats_of(bind).size() == 2);  // the two small nodes, fullest first
  CHECK(still_valid(bind, made, now.model.view()));

  SECTION("a change elsewhere does not matter") {
    now.block(1, 3, 8);
    CHECK(still_valid(bind, made, now.model.view()));
  }
  SECTION("a change that leaves the room does not matter") {
    now.say(node_seen<gpus>{{node_id{1}, {}, {5}, {}}});
    CHECK(still_valid(bind, made, now.model.view()));
  }
  SECTION("a pod in the way does") {
    now.block(1, 2);
    CHECK_FALSE(still_valid(bind, made, now.model.view()));
  }
  SECTION("a closed node does") {
    now.say(node_closed{node_id{2}});
    CHECK_FALSE(still_valid(bind, made, now.model.view()));
  }
  SECTION("the group's end does, though no node changed") {
    now.say(group_gone{group_id{1}});
    CHECK_FALSE(still_valid(bind, made, now.model.view()));
  }
  SECTION("a pod that is not any more what its seat was made for does") {
    pod_seen<gpus> pod{.pod = now.id(1, 3), .group = group_id{1}, .request = {1}};
    SECTION("it asks more") { pod.request = {2}; }
    SECTION("it is another group's") { pod.group = group_id{2}; }
    SECTION("it is of another pod set") { pod.pod_set = 1; }
    SECTION("it has a gate") { pod.gated = true; }
    now.say(pod);
    CHECK_FALSE(still_valid(bind, made, now.model.view()));
  }
  SECTION("a pod in the way does, also after the model forgot") {
    now.block(1, 2);
    forget(now.model, revision{now.last});
    CHECK_FALSE(still_valid(bind, made, now.model.view()));
  }
  SECTION("a lost node does") {
    now.say(node_gone{node_id{1}});
    CHECK_FALSE(still_valid(bind, made, now.model.view()));
  }
}

TEST_CASE("an action needs the very devices it says, and no others", "[cycle]") {
  using four = devices<4>;
  cluster<four> model;
  std::uint64_t last = 0;
  const auto say = [&](change_content<four> what) { apply(model, change<four>{revision{++last}, std::move(what)}); };
  const auto place_pod = [&](std::uint64_t id, four::grant_type grant) {
    say(pod_seen<four>{.pod = pod_id{id}, .request = {.share = grant.milli}});
    say(pod_placed<four>{.pod = pod_id{id}, .node = node_id{1}, .grant = grant});
  };
  say(node_seen<four>{{node_id{1}, {}, {.count = 4}, {}}});
  pod_group<four> gang;
  gang.id = group_id{1};
  gang.disruption = disruption_mode::all;
  gang.pod_sets = {{{.share = 600}, 1, 0}, {{.share = 300}, 1, 0}, {{.share = 400}, 1, 0}, {{.whole = 1}, 1, 0}};
  say(group_seen<four>{gang});
  plan<four> made;
  for (std::uint32_t p = 0; p < 4; ++p) {
    say(pod_seen<four>{.pod = pod_id{p + 1}, .group = gang.id, .pod_set = p, .request = gang.pod_sets[p].request});
    made.pods.push_back(pod_id{p + 1});
  }
  made.seats = {{node_id{1}, {0b0001, 600}, 1, 0, 0},
                {node_id{1}, {0b0010, 300}, 1, 0, 1},
                {node_id{1}, {0b0001, 400}, 1, 0, 2},
                {node_id{1}, {0b0100, 1000}, 1, 0, 3}};
  action<four> bind;
  bind.kind = action_kind::bind;
  bind.group = gang.id;
  bind.seats = bind.pods = 4;
  bind.tick = model.view().tick();

  place_pod(90, {0b1000, 900});  // on a device the action does not take
  CHECK(still_valid(bind, made, model.view()));
  place_pod(91, {0b0010, 700});  // beside the share of 300
  CHECK(still_valid(bind, made, model.view()));
  SECTION("a share too much") {
    place_pod(92, {0b0010, 1});
    CHECK_FALSE(still_valid(bind, made, model.view()));
  }
  SECTION("a device that fell sick") {
    say(device_health{node_id{1}, 2, false});
    CHECK_FALSE(still_valid(bind, made, model.view()));
  }
  SECTION("a group that asks something else now") {
    gang.pod_sets[1].request.share = 200;
    say(group_seen<four>{gang});
    CHECK_FALSE(still_valid(bind, made, model.view()));
  }
  SECTION("a device said twice") {
    made.seats[3].grant = {0b0001, 1000};
    CHECK_FALSE(still_valid(bind, made, model.view()));
  }
}

TEST_CASE("an action of a gang on one device model needs it still to be one", "[cycle]") {
  using four = devices<4>;
  cluster<four> model;
  std::uint64_t last = 0;
  const auto say = [&](change_content<four> what) { apply(model, change<four>{revision{++last}, std::move(what)}); };
  const auto box = [](std::uint32_t make) { return four::capacity_type{.count = 2, .model = device_model{make}}; };
  for (const std::uint64_t n : {1U, 2U}) say(node_seen<four>{{node_id{n}, {}, box(7), {}}});
  say(node_seen<four>{{node_id{3}, {}, box(8), {}}});
  pod_group<four> gang;
  gang.id = group_id{1};
  gang.disruption = disruption_mode::all;
  gang.pod_sets = {{{.whole = 1}, 4, 0}};
  gang.one_device_model = true;
  say(group_seen<four>{gang});
  for (std::uint64_t p = 1; p <= 4; ++p)
    say(pod_seen<four>{.pod = pod_id{p}, .group = gang.id, .request = {.whole = 1}});
  const std::array queue{gang.id};
  const plan<four> made = schedule(model.view(), std::span{queue});
  const action<four>& bind = made.actions.front();
  REQUIRE(bind.kind == action_kind::bind);
  for (const auto& seat : made.seats_of(bind)) CHECK(seat.node != node_id{3});
  CHECK(still_valid(bind, made, model.view()));
  SECTION("another model on one of the nodes") {
    say(node_seen<four>{{node_id{2}, {}, box(8), {}}});
    CHECK_FALSE(still_valid(bind, made, model.view()));
  }
  SECTION("another model on both") {
    for (const std::uint64_t n : {1U, 2U}) say(node_seen<four>{{node_id{n}, {}, box(9), {}}});
    CHECK(still_valid(bind, made, model.view()));
  }
}

TEST_CASE("what is set aside for the group is room to its action, until it is dropped and taken", "[cycle]") {
  small_cluster now{4};
  now.submit(1, 3);
  now.say(set_aside<gpus>{set_aside_id{1}, group_id{1}, 0, node_id{1}, 3, {3}, end_of_time});
  const std::array queue{group_id{1}};
  const plan<gpus> made = schedule(now.model.view(), std::span{queue});
  const action<gpus>& bind = made.actions.front();
  REQUIRE(bind.kind == action_kind::bind);
  now.block(1, 1);  // beside what is kept
  CHECK(still_valid(bind, made, now.model.view()));
  SECTION("dropped") {
    now.say(set_aside_dropped{set_aside_id{1}});
    CHECK(still_valid(bind, made, now.model.view()));
    now.block(2, 1);
    CHECK_FALSE(still_valid(bind, made, now.model.view()));
  }
  SECTION("kept for another group") {
    now.say(set_aside<gpus>{set_aside_id{1}, group_id{2}, 0, node_id{1}, 3, {3}, end_of_time});
    CHECK_FALSE(still_valid(bind, made, now.model.view()));
  }
}

TEST_CASE("an action is no longer valid once a pod, a level or a limit says otherwise", "[cycle]") {
  small_cluster now({}, 1);
  const auto rack = [&](std::uint64_t node, std::uint64_t label, amount gpus_there = 2) {
    now.say(node_seen<gpus>{{node_id{node}, {}, {gpus_there}, {label_id{label}}}});
  };
  rack(1, 1);
  rack(2, 1);
  auto gang = now.submit(1, 4);
  gang.required = topology_level{0};
  gang.limits.push_back({node_level, 2});
  now.say(group_seen<gpus>{gang});
  const std::array queue{group_id{1}};
  const auto made = schedule(now.model.view(), std::span{queue});
  const auto& bind = made.actions.front();
  REQUIRE(bind.kind == action_kind::bind);
  REQUIRE(still_valid(bind, made, now.model.view()));
  SECTION("a pod ended") { now.say(pod_ended{small_cluster::id(1, 2), ending::failed}); }
  SECTION("a pod has a node by now") {
    now.say(pod_placed<gpus>{small_cluster::id(1, 2), node_id{1}, placing::bound, {}, {}});
  }
  SECTION("a node is in another rack") { rack(2, 7); }
  SECTION("a node is in no rack") { now.say(node_seen<gpus>{{node_id{2}, {}, {2}, {}}}); }
  SECTION("a member more of the group runs there") {
    rack(1, 1, 9);
    auto more = gang;
    more.pod_sets[0].count = 5;
    now.say(group_seen<gpus>{more});
    now.add_pod(1, 4);
    now.say(pod_placed<gpus>{small_cluster::id(1, 4), node_id{1}, placing::bound, {}, {}});
  }
  CHECK_FALSE(still_valid(bind, made, now.model.view()));
}
