// SPDX-License-Identifier: BSL-1.0
#include <muster/cycle/schedule.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/small_cluster.hpp"

#include <muster/cycle/assume.hpp>
#include <muster/cycle/still_valid.hpp>

#include <array>
#include <set>
#include <vector>

using namespace muster;
using muster_test::gpus;
using muster_test::small_cluster;

TEST_CASE("a turn binds whole gangs and leaves the others with nothing", "[cycle]") {
  small_cluster now{4, 4};
  now.submit(1, 6);
  now.submit(2, 4);
  now.submit(3, 2);
  const std::array queue{group_id{3}, group_id{2}, group_id{1}};
  const auto view = now.model.view();
  const plan<gpus> made = schedule(view, std::span{queue});
  REQUIRE(made.actions.size() == 3);
  // equal priority and age: the smaller key first
  CHECK(made.actions[0].group == group_id{1});
  CHECK(made.actions[0].kind == action_kind::bind);
  CHECK(made.actions[0].placed == 6);
  CHECK(made.actions[1].group == group_id{2});
  CHECK(made.actions[1].kind == action_kind::wait);
  CHECK(made.actions[1].verdict == verdict::not_now);
  CHECK(made.actions[1].lack.needed == 4);
  CHECK(made.actions[1].lack.seated == 2);
  CHECK(made.seats_of(made.actions[1]).empty());
  CHECK(made.actions[2].kind == action_kind::bind);  // best effort: the small one behind fits beside
  CHECK(made.actions[2].placed == 2);
  for (const auto& one : made.actions) CHECK(one.computed_from == view.latest());
}

TEST_CASE("strict order: a gang that does not fit blocks those behind it, one that lacks members does not", "[cycle]") {
  small_cluster now{4, 4};
  auto short_of_members = now.submit(1, 3);
  short_of_members.pod_sets[0].count = 5;
  now.say(group_seen<gpus>{short_of_members});
  now.submit(2, 6);
  now.submit(3, 4);
  now.submit(4, 1);
  const std::array queue{group_id{1}, group_id{2}, group_id{3}, group_id{4}};
  const plan<gpus> made = schedule(now.model.view(), std::span{queue}, strict_stages{});
  REQUIRE(made.actions.size() == 4);
  CHECK(made.actions[0].decided_by == stage::gate);
  CHECK(made.actions[0].gate == gate_reason::members_missing);
  CHECK(made.actions[1].kind == action_kind::bind);
  CHECK(made.actions[2].decided_by == stage::place);
  CHECK(made.actions[2].kind == action_kind::wait);
  CHECK(made.actions[3].decided_by == stage::order);  // behind the blocked one
  CHECK(made.actions[3].kind == action_kind::wait);
  CHECK(made.actions[3].verdict == verdict::undecided);  // it was never asked: no proof of anything
  CHECK(made.actions[3].reason == refusal_reason::behind_blocked);
  CHECK(made.blocked_by == group_id{3});
  CHECK(made.not_asked == 1);
}

TEST_CASE("a blocked order is said once, for the first group behind and all after it", "[cycle]") {
  small_cluster now{1};
  now.block(7'000'000, 1);
  std::vector<group_id> queue;
  for (std::uint64_t g = 1; g <= 200; ++g) {
    now.submit(g, 1);
    queue.push_back(group_id{201 - g});
  }
  const plan<gpus> made = schedule(now.model.view(), std::span<const group_id>{queue}, strict_stages{});
  REQUIRE(made.actions.size() == 2);
  CHECK(made.actions[0].group == group_id{1});
  CHECK(made.actions[0].verdict == verdict::not_now);
  CHECK(made.actions[1].group == group_id{2});
  CHECK(made.actions[1].decided_by == stage::order);
  CHECK(made.blocked_by == group_id{1});
  CHECK(made.not_asked == queue.size() - 1);
  CHECK(made.about(group_id{150}) == nullptr);
  const plan<gpus> free = schedule(now.model.view(), std::span<const group_id>{queue});
  CHECK(free.actions.size() == queue.size());
  CHECK(free.blocked_by == no_group);
  CHECK(free.not_asked == 0);
  // the last in the queue blocks nobody
  const std::array last{group_id{1}};
  const plan<gpus> alone = schedule(now.model.view(), std::span{last}, strict_stages{});
  CHECK(alone.blocked_by == no_group);
  CHECK(alone.actions.size() == 1);
}

TEST_CASE("what the gate says is what the action says", "[cycle]") {
  small_cluster now{4};
  const auto told = [&](std::uint64_t group) {
    const std::array queue{group_id{group}};
    return schedule(now.model.view(), std::span{queue}).actions.front();
  };
  auto gang = now.submit(1, 3);
  gang.pod_sets[0].count = 4;
  now.say(group_seen<gpus>{gang});
  auto one = told(1);
  CHECK(one.verdict == verdict::hold);
  CHECK(one.gate == gate_reason::members_missing);
  CHECK(one.reason == refusal_reason::members_missing);
  CHECK(one.lack.needed == 4);
  CHECK(one.lack.seated == 3);

  gang.min_count = 2;
  gang.pod_sets.push_back({{1}, 2, 1});
  now.say(group_seen<gpus>{gang});
  one = told(1);
  CHECK(one.gate == gate_reason::set_missing);
  CHECK(one.reason == refusal_reason::set_members_missing);
  CHECK(one.lack.pod_set == 1);
  CHECK(one.lack.needed == 1);
  CHECK(one.lack.seated == 0);

  pod_seen<gpus> gated;
  gated.pod = small_cluster::id(1, 9);
  gated.group = group_id{1};
  gated.pod_set = 1;
  gated.request = {1};
  gated.gated = true;
  now.say(gated);
  one = told(1);
  CHECK(one.gate == gate_reason::pod_gated);
  CHECK(one.reason == refusal_reason::pod_gated);
  CHECK(one.verdict == verdict::hold);

  one = told(5);
  CHECK(one.gate == gate_reason::group_unknown);
  CHECK(one.reason == refusal_reason::group_unknown);
}

TEST_CASE("priority goes before age, age before key", "[cycle]") {
  small_cluster now{2};
  now.submit(1, 2);
  now.submit(2, 2, 1, 7);
  auto old = now.submit(3, 2);
  old.created = time_point{duration{-5}};
  auto young = now.submit(4, 2);
  young.created = time_point{duration{5}};
  now.say(group_seen<gpus>{old});
  now.say(group_seen<gpus>{young});
  auto first = now.model.view().group(group_id{1})->spec;
  first.created = time_point{duration{0}};
  now.say(group_seen<gpus>{first});
  const std::array queue{group_id{1}, group_id{2}, group_id{3}, group_id{4}};
  const plan<gpus> made = schedule(now.model.view(), std::span{queue});
  std::vector<std::uint64_t> order;
  for (const auto& one : made.actions) order.push_back(number(one.group));
  CHECK(order == std::vector<std::uint64_t>{2, 3, 1, 4});
}

TEST_CASE("the plan names every pod once, by rank and then key, and does not depend on the order of the queue", "[cycle]") {
  small_cluster now{2, 2, 2};
  now.submit(1, 4);
  const std::array queue{group_id{1}, group_id{9}};
  const std::array reversed{group_id{9}, group_id{1}};
  const plan<gpus> made = schedule(now.model.view(), std::span{queue});
  const plan<gpus> again = schedule(now.model.view(), std::span{reversed});
  const action<gpus>* bind = made.about(group_id{1});
  REQUIRE(bind != nullptr);
  const auto pods = made.pods_of(*bind);
  CHECK(std::vector<pod_id>(pods.begin(), pods.end()) ==
        std::vector<pod_id>{small_cluster::id(1, 0), small_cluster::id(1, 1), small_cluster::id(1, 2), small_cluster::id(1, 3)});
  CHECK(made.about(group_id{9})->gate == gate_reason::group_unknown);
  CHECK(again.about(group_id{1})->id == bind->id);
}

TEST_CASE("an assumed plan is in the model whole", "[cycle]") {
  small_cluster now{2, 2};
  now.submit(1, 3);
  const std::array queue{group_id{1}};
  const plan<gpus> made = schedule(now.model.view(), std::span{queue});
  CHECK(assume(now.model, made, made.actions.front(), revision{++now.last}) == apply_result{});
  const auto view = now.model.view();
  CHECK(view.group(group_id{1})->members.scheduled() == 3);
  CHECK(view.now(0)[0] + view.now(1)[0] == 1);
  // a second turn finds nothing to do and takes nothing
  const plan<gpus> next = schedule(view, std::span{queue});
  CHECK(next.actions.front().kind == action_kind::wait);
  CHECK(next.actions.front().verdict == verdict::fits);
  CHECK(next.seats.empty());
}

TEST_CASE("a bind gives back what was kept for its group, in the turn and in the plan", "[cycle]") {
  small_cluster now{4, 1};
  now.submit(1, 3);
  now.submit(2, 2);
  now.say(set_aside<gpus>{set_aside_id{7}, group_id{1}, 0, node_id{1}, 3, {3}, end_of_time});
  now.say(set_aside<gpus>{set_aside_id{8}, group_id{3}, 0, node_id{2}, 1, {1}, end_of_time});
  const std::array queue{group_id{1}, group_id{2}};
  auto made = schedule(now.model.view(), std::span{queue});
  REQUIRE(made.actions.size() == 3);  // 8 is another group's: one slot is left for group 2
  CHECK(made.actions[0].kind == action_kind::bind);
  CHECK(made.actions[1].kind == action_kind::unreserve);
  CHECK(made.actions[1].group == group_id{1});
  CHECK(made.seats_of(made.actions[1]).empty());
  const auto ids = made.set_asides_of(made.actions[1]);
  CHECK(std::vector<set_aside_id>(ids.begin(), ids.end()) == std::vector{set_aside_id{7}});
  CHECK(made.set_asides_of(made.actions[0]).empty());
  CHECK(made.actions[2].verdict == verdict::not_now);
  CHECK(made.actions[2].lack.seated == 1);

  now.say(set_aside_dropped{set_aside_id{8}});
  made = schedule(now.model.view(), std::span{queue});
  REQUIRE(made.actions.size() == 3);
  CHECK(made.actions[2].kind == action_kind::bind);
  for (const auto& one : made.actions)
    CHECK(assume(now.model, made, one, revision{++now.last}) == apply_result{});
  const auto view = now.model.view();
  CHECK(view.now(0)[0] == 0);
  CHECK(view.now(1)[0] == 0);
  CHECK_FALSE(view.anything_set_aside());
}

TEST_CASE("strict order: a bound group whose set-asides go back blocks nobody", "[cycle]") {
  small_cluster now{4};
  now.submit(1, 2);
  now.submit(2, 2);
  now.say(set_aside<gpus>{set_aside_id{7}, group_id{1}, 0, node_id{1}, 2, {2}, end_of_time});
  const std::array queue{group_id{1}, group_id{2}};
  const plan<gpus> made = schedule(now.model.view(), std::span{queue}, strict_stages{});
  CHECK(made.about(group_id{1})->kind == action_kind::bind);
  CHECK(made.about(group_id{2})->kind == action_kind::bind);
}

TEST_CASE("a group without pod sets has nothing to place and crashes nothing", "[cycle]") {
  small_cluster now{8};
  pod_group<gpus> none;
  none.id = group_id{1};
  none.disruption = disruption_mode::all;
  now.say(group_seen<gpus>{none});
  const auto view = now.model.view();
  CHECK(place(view, none).fits());
  CHECK(place(view, none).placed == 0);
  const std::array queue{group_id{1}};
  CHECK(schedule(view, std::span{queue}).actions.front().verdict == verdict::fits);
}

TEST_CASE("strict order: a group with nothing left to place blocks nobody", "[cycle]") {
  small_cluster now{4};
  now.submit(1, 1);
  now.say(pod_placed<gpus>{small_cluster::id(1, 0), node_id{1}, placing::bound, {}, {}});
  now.submit(2, 2);
  const std::array queue{group_id{1}, group_id{2}};
  const plan<gpus> made = schedule(now.model.view(), std::span{queue}, strict_stages{});
  CHECK(made.about(group_id{2})->kind == action_kind::bind);
}

TEST_CASE("a plan puts no more pods on a node than it may hold, and nothing of it is parked", "[cycle]") {
  small_cluster now{40'000, 3};
  for (std::uint64_t p = 0; p + 3 < max_pods_per_node; ++p) now.block(1'000'000 + p, 1);
  now.submit(1, 4);
  now.submit(2, 2);
  now.submit(3, 1);
  const std::array queue{group_id{1}, group_id{2}, group_id{3}};
  const plan<gpus> made = schedule(now.model.view(), std::span{queue});
  CHECK(made.about(group_id{1})->placed == 4);
  CHECK(made.about(group_id{2})->placed == 2);
  CHECK(made.about(group_id{3})->verdict == verdict::not_now);
  for (const auto& one : made.actions) {
    CHECK(still_valid(one, made, now.model.view()));
    CHECK(assume(now.model, made, one, revision{++now.last}) == apply_result{});
  }
  const auto view = now.model.view();
  CHECK(view.pods_left(view.find(node_id{1}).value()) == 0);

  plan<gpus> late;  // was there a slot when it was made, there is none any more
  late.seats.push_back({node_id{1}, {1}, 1, view.find(node_id{1}).value(), 0});
  late.pods.push_back(small_cluster::id(3, 0));
  action<gpus> bind;
  bind.kind = action_kind::bind;
  bind.group = group_id{3};
  bind.seats = bind.pods = 1;
  CHECK_FALSE(still_valid(bind, late, view));
  now.say(pod_ended{pod_id{1'000'000}, ending::succeeded, {}});
  CHECK(still_valid(bind, late, now.model.view()));
}

TEST_CASE("a group named twice is judged once, and the order of the queue does not matter", "[cycle]") {
  small_cluster now{4, 4};
  now.submit(1, 3);
  now.submit(2, 3);
  const std::array twice{group_id{9}, group_id{2}, group_id{1}, group_id{8}, group_id{2}, group_id{9}};
  const std::array once{group_id{1}, group_id{2}, group_id{8}, group_id{9}};
  const auto a = schedule(now.model.view(), std::span{twice}), b = schedule(now.model.view(), std::span{once});
  REQUIRE(a.actions.size() == 4);
  REQUIRE(b.actions.size() == 4);
  CHECK(a.actions[0].group == group_id{8});  // unknown ones first, by id
  CHECK(a.actions[1].group == group_id{9});
  for (std::size_t i = 0; i < 4; ++i) CHECK(a.actions[i].id == b.actions[i].id);
  CHECK(a.pods == b.pods);
  CHECK(a.pods.size() == 6);
}

TEST_CASE("ids differ where other pods are bound to the same places", "[cycle]") {
  const auto id_of = [](std::uint64_t ended) {
    small_cluster now{2};
    now.submit(1, 2);
    now.say(pod_ended{small_cluster::id(1, ended)});
    auto gang = now.model.view().group(group_id{1})->spec;
    gang.min_count = 1;
    now.say(group_seen<gpus>{gang});
    const std::array queue{group_id{1}};
    const auto made = schedule(now.model.view(), std::span{queue});
    REQUIRE(made.actions.size() == 1);
    REQUIRE(made.actions[0].kind == action_kind::bind);
    REQUIRE(made.seats_of(made.actions[0]).size() == 1);
    return made.actions[0].id;
  };
  CHECK(id_of(0) != id_of(1));
  CHECK(id_of(0) == id_of(0));
}

TEST_CASE("of an undecided group nothing counts as bound", "[cycle]") {
  small_cluster now{5, 5, 5};
  pod_group<gpus> gang = muster_test::gang_of({{{3}, 2, 0}, {{2}, 4, 0}});
  gang.id = group_id{1};
  now.say(group_seen<gpus>{gang});
  for (std::uint64_t p = 0; p < 6; ++p) {
    pod_seen<gpus> pod;
    pod.pod = small_cluster::id(1, p);
    pod.group = gang.id;
    pod.pod_set = p < 2 ? 0 : 1;
    pod.request = gang.pod_sets[pod.pod_set].request;
    now.say(pod);
  }
  now.block(7, 1, 1);  // 4, 5 and 5 are left: pod by pod a 3 goes to the 4, and one of 2 is over
  stages<by_priority_then_age, uniform_members, quorum_gate, admit_everybody, place_whole<>> how;
  how.place.options.budget = 0;
  const std::array queue{group_id{1}};
  const auto made = schedule(now.model.view(), std::span{queue}, how);
  REQUIRE(made.actions.size() == 1);
  const auto& action = made.actions[0];
  REQUIRE(action.verdict == verdict::undecided);
  CHECK(action.placed == 0);
  CHECK(action.pending == 6);
}
