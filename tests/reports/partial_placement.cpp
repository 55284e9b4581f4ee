// SPDX-License-Identifier: BSL-1.0
// Public fault reports of the kind "partial placement".
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
using muster::verdict;

/// Group 2 may use nodes of kind 1 only.
struct only_first_node {
  template <class M>
  muster::reason_code operator()(const muster::pod_group<M>& group, std::size_t, muster::kind_id kind) const {
    return group.id == group_id{2} && kind != muster::kind_id{1} ? muster::reason_code{1} : muster::eligible_node;
  }
};
using filtered = muster::place_options<only_first_node>;
using filtered_stages = muster::stages<muster::by_priority_then_age, muster::uniform_members, muster::quorum_gate,
                                       muster::admit_everybody, muster::place_whole<filtered>>;

bool is_bound(const muster::plan<slots>& plan, std::uint64_t group) {
  const auto* action = plan.about(group_id{group});
  return action != nullptr && action->kind == action_kind::bind;
}
}  // namespace

TEST_CASE("B16 no pod is let through before all have a node", "[reports]") {
  scene s;
  const auto gang = scene::gang(1, 2, {1}, 2);
  s.node(1, {1});
  s.node(2, {1});
  s.filler(90, 2, {1});
  s.group(gang);
  s.pods(10, 2, gang);
  const auto single = scene::gang(5, 1, {1});
  s.group(single);
  s.pod(50, single);
  const std::array queue{group_id{1}};
  auto plan = muster::schedule(s.view(), std::span<const group_id>{queue}, filtered_stages{});
  REQUIRE(plan.actions.size() == 1);
  CHECK(plan.actions[0].kind == action_kind::wait);
  CHECK(plan.actions[0].verdict == verdict::not_now);
  CHECK(plan.seats.empty());

  // in the same turn another group may use the idle node
  const std::array both{group_id{1}, group_id{5}};
  plan = muster::schedule(s.view(), std::span<const group_id>{both}, filtered_stages{});
  CHECK_FALSE(is_bound(plan, 1));
  CHECK(is_bound(plan, 5));

  s.end(90);
  plan = muster::schedule(s.view(), std::span<const group_id>{queue}, filtered_stages{});
  REQUIRE(is_bound(plan, 1));
  CHECK(plan.about(group_id{1})->placed == 2);
  CHECK(plan.pods.size() == 2);
}

TEST_CASE("B19 a gang that lost a node to another within the turn is wholly pending", "[reports]") {
  scene s;
  s.node(1, {1}, {}, 1);
  s.node(2, {1}, {}, 0);
  auto a = scene::gang(1, 2, {1}, 2), h = scene::gang(2, 1, {1}), c = scene::gang(3, 1, {1});
  a.priority = c.priority = 1;
  h.priority = 9;
  c.created = scene::time(5);
  for (const auto* group : {&a, &h, &c}) s.group(*group);
  s.pods(10, 2, a);
  s.pod(20, h);
  s.pod(30, c);
  const std::array queue{group_id{1}, group_id{2}, group_id{3}};
  const auto plan = muster::schedule(s.view(), std::span<const group_id>{queue}, filtered_stages{});
  CHECK_FALSE(is_bound(plan, 1));
  REQUIRE(is_bound(plan, 2));
  REQUIRE(is_bound(plan, 3));
  CHECK(plan.seats_of(*plan.about(group_id{2}))[0].node == muster::node_id{1});
  CHECK(plan.seats_of(*plan.about(group_id{3}))[0].node == muster::node_id{2});
}

TEST_CASE("B20 leaders do not take the room of other groups' workers", "[reports]") {
  scene s;
  for (std::uint64_t n = 1; n <= 4; ++n) s.node(n, {1});
  std::vector<group_id> queue;
  for (std::uint64_t r = 1; r <= 3; ++r) {
    auto replica = scene::gang(r * 10, 1, {1}, 2);
    replica.pod_sets[0].minimum = 1;
    replica.pod_sets.push_back({{1}, 1, 1});
    s.group(replica);
    s.pod(r * 100, replica, 0);
    s.pod(r * 100 + 1, replica, 1);
    queue.push_back(replica.id);
  }
  const auto plan = muster::schedule(s.view(), std::span<const group_id>{queue}, filtered_stages{});
  CHECK(is_bound(plan, 10));
  CHECK(is_bound(plan, 20));
  CHECK_FALSE(is_bound(plan, 30));
  CHECK(plan.pods.size() == 4);
  CHECK(plan.about(group_id{30})->placed == 0);
}
