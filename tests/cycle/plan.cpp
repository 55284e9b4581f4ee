// SPDX-License-Identifier: BSL-1.0
#include <muster/cycle/plan.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/scene.hpp"

#include <cstdint>
#include <span>
#include <vector>

using namespace muster;
using gpus = resource_vector<1>;

TEST_CASE("an action's id depends on what it says", "[cycle]") {
  action<gpus> one;
  one.kind = action_kind::bind;
  one.group = group_id{3};
  std::vector<seat<gpus>> seats{{node_id{1}, {2}, 2, 0, 0}};
  std::vector<pod_id> pods{pod_id{1}, pod_id{2}};
  std::vector<set_aside_id> given;
  const action_id id = identify<gpus>(one, seats, pods, given);
  CHECK(identify<gpus>(one, seats, pods, given) == id);
  SECTION("its kind") { one.kind = action_kind::nominate; }
  SECTION("its group") { one.group = group_id{4}; }
  SECTION("its node") { seats[0].node = node_id{2}; }
  SECTION("its count") { seats[0].count = 1; }
  SECTION("its grant") { seats[0].grant = {3}; }
  SECTION("what it gives back") { given.push_back(set_aside_id{4}); }
  SECTION("its pods") { pods[1] = pod_id{3}; }
  SECTION("its reason") { one.reason = refusal_reason::too_few_slots; }
  SECTION("its revision") { one.computed_from = revision{9}; }
  CHECK(identify<gpus>(one, seats, pods, given) != id);
}

TEST_CASE("an action's id does not depend on how the changes came", "[cycle]") {
  const auto bind_after = [](std::vector<std::uint64_t> order) {
    std::vector<change<gpus>> changes{
        {revision{1}, node_seen<gpus>{{.id = node_id{1}, .capacity = {2}}}},
        {revision{2}, node_seen<gpus>{{.id = node_id{1}, .capacity = {3}}}},
        {revision{3}, group_seen<gpus>{muster_test::scene<gpus>::gang(1, 1, {2})}},
        {revision{4}, pod_seen<gpus>{.pod = pod_id{1}, .group = group_id{1}, .request = {2}}},
    };
    cluster<gpus> told;
    for (const std::uint64_t i : order) apply(told, changes[i]);
    const std::vector<group_id> queue{group_id{1}};
    return schedule(told.view(), std::span{queue}).actions.at(0);
  };
  const action<gpus> in_order = bind_after({0, 1, 2, 3}), backwards = bind_after({3, 2, 1, 0, 1});
  CHECK(in_order.kind == action_kind::bind);
  CHECK(in_order.tick != backwards.tick);  // an older node is no news after a newer one
  CHECK(in_order.id == backwards.id);
}

TEST_CASE("a plan hands out the parts of each action", "[cycle]") {
  plan<gpus> made;
  made.seats = {{node_id{1}, {2}, 2, 0, 0}, {node_id{2}, {1}, 1, 1, 0}};
  made.pods = {pod_id{1}, pod_id{2}, pod_id{3}};
  action<gpus> second;
  second.group = group_id{8};
  second.first_seat = 1;
  second.seats = 1;
  second.first_pod = 2;
  second.pods = 1;
  made.actions = {action<gpus>{}, second};
  CHECK(made.seats_of(made.actions[1]).front().node == node_id{2});
  CHECK(made.pods_of(made.actions[1]).front() == pod_id{3});
  CHECK(made.about(group_id{8}) == &made.actions[1]);
  CHECK(made.about(group_id{9}) == nullptr);
  for (const action_kind kind : {action_kind::bind, action_kind::evict, action_kind::nominate, action_kind::reserve,
                                 action_kind::unreserve, action_kind::allow, action_kind::wait, action_kind::wake,
                                 action_kind::requeue})
    CHECK(name(kind) != "?");
  for (const stage by : {stage::order, stage::inspect, stage::gate, stage::admit, stage::place}) CHECK(name(by) != "?");
}
