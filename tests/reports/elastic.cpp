// SPDX-License-Identifier: BSL-1.0
// Public fault reports of the kind "elastic, minimum below total". B136, B137 and B139 ask about quota, B134 and B140
// about victims: rooms that are not built yet. What of them is a placement is asked here.
#include <muster/cycle/schedule.hpp>
#include <muster/placement/place.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/scene.hpp"

#include <array>
#include <span>

namespace {
using slots = muster::resource_vector<1>;
using scene = muster_test::scene<slots>;
using muster::group_id;
using muster_test::on;
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
