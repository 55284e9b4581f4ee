// SPDX-License-Identifier: BSL-1.0
#include <muster/cycle/still_valid.hpp>

#include "support/catch.hpp"
#include "support/small_cluster.hpp"

#include <muster/cluster/changes.hpp>
#include <muster/cycle/schedule.hpp>

#include <array>

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
