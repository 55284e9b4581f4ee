// SPDX-License-Identifier: BSL-1.0
// Public fault reports of the kind "elastic, minimum below total". B134 and B140 ask about victims, a room that is not
// built yet: what of them is a placement is asked here. B136, B137 and B139 ask about a quota: it is the room there is,
// or a host's rule in the slot for it.
#include <muster/cycle/schedule.hpp>
#include <muster/placement/place.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/scene.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace {
using slots = muster::resource_vector<1>;
using scene = muster_test::scene<slots>;
using muster::group_id;
using muster_test::on;

/// Lets a group in whose minimum is within the quota beside what others cannot do without.
struct quota_of_minima {
  muster::pod_count quota;
  std::uint32_t operator()(const muster::overlay<slots>& trial, const muster::group_record<slots>& asks) const {
    muster::pod_count fixed = minimum_pods(asks.spec);
    trial.base().visit_groups([&](const muster::group_record<slots>& other) {
      if (other.id != asks.id) fixed += std::min(other.members.scheduled(), minimum_pods(other.spec));
    });
    return fixed <= quota ? 0U : 1U;
  }
};
using under_quota = muster::stages<muster::by_priority_then_age, muster::uniform_members, muster::quorum_gate,
                                   quota_of_minima>;

muster::plan<slots> turn(scene& s, std::uint64_t group, muster::pod_count quota) {
  const std::array queue{group_id{group}};
  return muster::schedule(s.view(), std::span<const group_id>{queue},
                          under_quota{{}, {}, {}, quota_of_minima{quota}, {}, {}, {}});
}
}  // namespace

TEST_CASE("B14 a gang whose minimum fits is placed as far as it goes, and the rest is told", "[reports]") {
  scene s;
  s.node(1, {4});
  const auto answer = place(s.view(), scene::gang(1, 5, {1}, 3));
  REQUIRE(answer.fits());
  CHECK(answer.placed == 4);
  CHECK(answer.pending == 1);
}

TEST_CASE("B61 a group at its minimum is placed without the rest", "[reports]") {
  scene s;
  s.node(1, {2});
  s.node(2, {2});
  s.filler(90, 2, {1});
  s.filler(91, 2, {1});
  const auto g = scene::gang(1, 4, {1}, 2);
  s.group(g);
  s.pods(10, 4, g);
  const std::array queue{group_id{1}};
  const auto plan = muster::schedule(s.view(), std::span<const group_id>{queue});
  REQUIRE(plan.actions.size() == 1);
  CHECK(plan.actions[0].kind == muster::action_kind::bind);
  CHECK(plan.actions[0].placed == 2);
  CHECK(plan.actions[0].pending == 2);
}

TEST_CASE("B134 with one victim gone one pod of a group with minimum 1 sits", "[reports]") {
  scene s;
  s.node(1, {4});
  for (std::uint64_t pod = 90; pod < 94; ++pod) s.filler(pod, 1, {1});
  const auto h = scene::gang(1, 4, {1}, 1);
  s.group(h);
  s.pods(10, 4, h);
  CHECK_FALSE(place(s.view(), group_id{1}).fits());
  muster::overlay<slots> trial{s.view()};
  trial.vacate(*s.view().pod(muster::pod_id{90}));
  muster::workspace<slots> space;
  const auto& answer = place(trial, group_id{1}, space);
  REQUIRE(answer.fits());
  CHECK(answer.placed == 1);
  CHECK(answer.pending == 3);
}

TEST_CASE("B136 a surplus that runs is no fixed use: the second group is let in by its minimum", "[reports]") {
  scene s;
  s.node(1, {10});
  const auto j1 = scene::gang(1, 10, {1}, 5), j2 = scene::gang(2, 10, {1}, 5);
  s.group(j1);
  s.group(j2);
  s.pods(100, 10, j1);
  s.pods(200, 10, j2);
  for (std::uint64_t pod = 100; pod < 110; ++pod) s.bind(pod, 1);
  const auto full = turn(s, 2, 10);
  CHECK(full.actions[0].decided_by == muster::stage::place);  // 10 - 5 + 5 <= 10: it entered
  CHECK(full.actions[0].verdict == muster::verdict::not_now);
  CHECK(turn(s, 2, 9).actions[0].decided_by == muster::stage::admit);
  for (std::uint64_t pod = 105; pod < 110; ++pod) s.end(pod);  // the surplus
  const auto beside = turn(s, 2, 10);
  CHECK(beside.actions[0].kind == muster::action_kind::bind);
  CHECK(beside.actions[0].placed == 5);
  CHECK(beside.actions[0].pending == 5);
}

TEST_CASE("B137 a group larger than the quota is placed up to it, and the rest waits", "[reports]") {
  scene s;
  s.node(1, {5});
  const auto g = scene::gang(1, 8, {1}, 3);
  s.group(g);
  s.pods(10, 8, g);
  const auto plan = turn(s, 1, 5);
  REQUIRE(plan.actions.size() == 1);
  CHECK(plan.actions[0].kind == muster::action_kind::bind);
  CHECK(plan.actions[0].verdict == muster::verdict::fits);
  CHECK(plan.actions[0].placed == 5);
  CHECK(plan.actions[0].pending == 3);
}

TEST_CASE("B139 a size that does not fit is refused, and what runs stays and stays charged", "[reports]") {
  scene s;
  s.node(1, {7});
  auto e = scene::gang(1, 5, {1});
  s.group(e);
  s.pods(10, 5, e);
  for (std::uint64_t pod = 10; pod < 15; ++pod) s.bind(pod, 1);
  e.pod_sets[0].count = 8;  // scales to 8, and all of them
  s.group(e);
  s.pods(15, 3, e);
  const auto charged = [&] { return s.view().capacity(0)[0] - s.view().now(0)[0]; };
  for (int again = 0; again < 2; ++again) {
    const auto refused = place(s.view(), group_id{1});
    CHECK(refused.verdict == muster::verdict::never);
    CHECK(refused.seats.empty());
    CHECK(refused.lack.seated == 2);
    CHECK(refused.lack.needed == 3);
    CHECK(charged() == 5);
    CHECK(s.view().group(group_id{1})->members.scheduled() == 5);
  }
  e.min_count = 5;  // the partial policy
  s.group(e);
  const auto partial = place(s.view(), group_id{1});
  REQUIRE(partial.fits());
  CHECK(partial.placed == 2);
  CHECK(partial.pending == 1);
  CHECK(charged() + on(partial, 1) == 7);
}

TEST_CASE("B140 the size that fits goes with the room there is", "[reports]") {
  for (std::int64_t gone = 0; gone <= 5; ++gone) {
    scene s;
    s.node(1, {8});
    s.filler(80, 1, {2});
    for (std::int64_t low = gone; low < 5; ++low) s.filler(90 + static_cast<std::uint64_t>(low), 1, {1});
    const auto answer = place(s.view(), scene::gang(1, 10, {1}, 2));
    CHECK(answer.fits() == (gone >= 1));
    if (answer.fits()) CHECK(answer.placed == gone + 1);
  }
}

TEST_CASE("an elastic mix is placed in its largest size on request, moving what stands in the way", "[reports]") {
  scene s;
  s.node(1, {5});
  s.node(2, {5});
  auto gang = scene::gang(1, 2, {2}, 2);
  gang.pod_sets.push_back({{3}, 2, 0});
  gang.pod_sets.push_back({{5}, 1, 0});
  const auto as_they_fit = place(s.view(), gang);
  REQUIRE(as_they_fit.fits());
  const auto largest = place(s.view(), gang, muster::place_options<>{.largest = true});
  REQUIRE(largest.fits());
  CHECK(largest.placed == 4);  // 2 + 3 on each
  CHECK(largest.lack.bound == 4);
  CHECK(as_they_fit.placed <= largest.placed);
}
