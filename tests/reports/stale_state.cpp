// SPDX-License-Identifier: BSL-1.0
// Public fault reports of the kind "stale state", as far as what exists can answer them.
//
// Not here, because the room they ask about does not exist yet:
// - B35, choosing the victim: preemption (the what-if it rests on is below)
// - B103, the queue's budget: quota in admission (what finished pods hold is below)
// - B146, the swap of a hold for the real pod and the queue's account: placeholders in admission (the set-aside is
// below)
#include <muster/cycle/schedule.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/scene.hpp"

#include <array>

namespace {
using slots = muster::resource_vector<1>;
using scene = muster_test::scene<slots>;
using muster::action_kind;
using muster::group_id;
using muster::node_id;
using muster::place;
using muster::verdict;

const muster::action<slots>& about(const muster::plan<slots>& plan, std::uint64_t group) {
  const auto* action = plan.about(group_id{group});
  REQUIRE(action != nullptr);
  return *action;
}
}  // namespace

TEST_CASE("B35 what-if: the room of a pod that would leave is there for all that is asked", "[reports]") {
  scene s;
  s.node(1, {2});
  s.filler(90, 1, {2});
  const auto h = scene::gang(1, 1, {2});
  const auto view = s.view();
  muster::overlay<slots> on{view};
  muster::workspace<slots> space;
  CHECK(place(on, h, space).verdict == verdict::not_now);
  on.vacate(*view.pod(muster::pod_id{90}));
  CHECK(place(on, h, space).placed == 1);
}

TEST_CASE("B88 a node taken by one group is not given to another in the same turn", "[reports]") {
  scene s;
  s.node(1, {8});
  s.node(2, {8});
  auto a = scene::gang(1, 2, {8}, 2), b = scene::gang(2, 1, {8});
  b.created = scene::time(1);
  a.created = scene::time(0);
  s.group(a);
  s.group(b);
  s.pods(10, 2, a);
  s.pod(20, b);
  SECTION("both are new") {
    const std::array queue{group_id{2}, group_id{1}};
    const auto plan = muster::schedule(s.view(), std::span<const group_id>{queue});
    CHECK(about(plan, 1).kind == action_kind::bind);
    CHECK(about(plan, 1).placed == 2);
    CHECK(about(plan, 2).kind == action_kind::wait);
    CHECK(about(plan, 2).verdict == verdict::not_now);
  }
  SECTION("the first one replaces a member it lost") {
    s.node(9, {8});
    s.bind(10, 1);
    s.bind(11, 9);
    s.say(muster::node_gone{node_id{9}});
    s.pod(12, a);
    const std::array queue{group_id{1}, group_id{2}};
    const auto plan = muster::schedule(s.view(), std::span<const group_id>{queue});
    REQUIRE(about(plan, 1).kind == action_kind::bind);
    REQUIRE(plan.pods_of(about(plan, 1)).size() == 1);
    CHECK(plan.pods_of(about(plan, 1))[0] == muster::pod_id{12});
    CHECK(plan.seats_of(about(plan, 1))[0].node == node_id{2});
    CHECK(about(plan, 2).kind == action_kind::wait);
  }
}

TEST_CASE("B91 pod sets of one group see what the others took", "[reports]") {
  scene s;
  s.node(1, {2});
  s.node(2, {2});
  auto w = scene::gang(1, 2, {1});
  w.pod_sets.push_back({{1}, 2, 0});
  const auto answer = place(s.view(), w);
  REQUIRE(answer.placed == 4);
  CHECK(muster_test::on(answer, 1) == 2);
  CHECK(muster_test::on(answer, 2) == 2);
}

TEST_CASE("B92 a group is tried although a like one with tighter limits failed", "[reports]") {
  scene s{muster::nested_levels(1)};
  s.node(1, {1}, {1});
  s.node(2, {1}, {2});
  auto j1 = scene::gang(1, 2, {1}, 2), j2 = scene::gang(2, 2, {1}, 2);
  j1.required = muster::topology_level{0};
  s.group(j1);
  s.group(j2);
  s.pods(10, 2, j1);
  s.pods(20, 2, j2);
  const std::array queue{group_id{1}, group_id{2}};
  const auto plan = muster::schedule(s.view(), std::span<const group_id>{queue});
  CHECK(about(plan, 1).verdict == verdict::never);
  CHECK(about(plan, 2).kind == action_kind::bind);
  CHECK(about(plan, 2).placed == 2);
}

TEST_CASE("B103 pods that finished hold nothing, though their group is still known", "[reports]") {
  scene s;
  s.node(1, {4});
  const auto d = scene::gang(1, 4, {1}, 4), j = scene::gang(2, 4, {1}, 4);
  s.group(d);
  s.group(j);
  s.pods(10, 4, d);
  s.pods(20, 4, j);
  for (std::uint64_t p = 10; p < 14; ++p) s.bind(p, 1);
  CHECK(place(s.view(), group_id{2}).verdict == verdict::not_now);
  for (std::uint64_t p = 10; p < 14; ++p) s.end(p);
  CHECK(place(s.view(), group_id{2}).placed == 4);
}

TEST_CASE("B146 what is set aside for a group is free to it, and no more than that", "[reports]") {
  scene s;  // milli-CPU
  s.node(1, {2'000});
  s.filler(90, 1, {1'000});
  s.say(muster::set_aside<slots>{muster::set_aside_id{1}, group_id{1}, 0, node_id{1}, 1, {1'000}});
  CHECK(place(s.view(), scene::gang(1, 1, {2'000})).verdict == verdict::not_now);  // 3,000 of 2,000
  CHECK(place(s.view(), scene::gang(1, 1, {500})).fits());
  CHECK(place(s.view(), scene::gang(2, 1, {500})).verdict == verdict::not_now);  // nobody else's
  s.say(muster::set_aside_dropped{muster::set_aside_id{1}});
  const auto real = scene::gang(1, 1, {500});
  s.group(real);
  s.pod(10, real);
  s.bind(10, 1);
  CHECK(s.view().now(0)[0] == 500);  // 1,500 used
}
