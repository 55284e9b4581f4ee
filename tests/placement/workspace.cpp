// SPDX-License-Identifier: BSL-1.0
// The second call of a kind with a kept workspace allocates nothing.
#include <muster/placement/place.hpp>
#include <muster/placement/workspace.hpp>
#include <muster/resource/devices.hpp>
#include <muster/resource/joint.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/allocation.hpp"
#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/scene.hpp"

#include <cstddef>
#include <cstdint>

namespace {

using two = muster::resource_vector<2>;
using scene = muster_test::scene<two>;
using muster::place;
using muster::verdict;

/// 40 nodes in 4 racks, some of them used.
scene make_scene() {
  scene s{muster::nested_levels(1)};
  for (std::uint64_t n = 0; n < 40; ++n) s.node(n, {8, 64}, {1 + n % 4});
  for (std::uint64_t n = 0; n < 40; n += 3) s.filler(1000 + n, n, {static_cast<muster::amount>(1 + n % 7), 8});
  return s;
}

template <class View, class Question, class Options = muster::place_options<>>
std::size_t second_call(View& view, const Question& question, verdict expected, const Options& options = {}) {
  muster::workspace<typename View::model> space;
  place(view, question, space, options);
  CHECK(space.answer.verdict == expected);
  const muster_test::allocation_watch watch;
  place(view, question, space, options);
  return watch.calls();
}

muster::pod_group<two> unlike_gang(muster::pod_count workers) {
  auto gang = scene::gang(1, 1, {1, 32});
  gang.pod_sets[0].minimum = 1;
  gang.pod_sets.push_back({{4, 8}, workers, workers});
  return gang;
}

}  // namespace

TEST_CASE("placing alike pods again allocates nothing", "[placement]") {
  scene s = make_scene();
  auto view = s.view();
  muster::overlay<two> on{view};
  auto gang = scene::gang(1, 24, {2, 4});
  SECTION("anywhere") {}
  SECTION("in one rack") { gang.required = muster::topology_level{0}; }
  SECTION("with spread limits") {
    gang.limits.push_back({muster::topology_level{0}, 8});
    gang.limits.push_back({muster::node_level, 2});
  }
  SECTION("at a legal size") { gang.sizes = {muster::size_rule::shape::stepped, 4, 24, 4}; }
  CHECK(second_call(view, gang, verdict::fits) == 0);
  CHECK(second_call(on, gang, verdict::fits) == 0);
}

TEST_CASE("refusing alike pods again allocates nothing", "[placement]") {
  scene s = make_scene();
  auto view = s.view();
  muster::overlay<two> on{view};
  const auto gang = scene::gang(1, 300, {2, 4});
  CHECK(second_call(view, gang, verdict::never) == 0);
  CHECK(second_call(on, gang, verdict::never) == 0);
}

TEST_CASE("placing unlike pods again allocates nothing", "[placement]") {
  scene s = make_scene();
  auto view = s.view();
  muster::overlay<two> on{view};
  CHECK(second_call(view, unlike_gang(12), verdict::fits) == 0);
  CHECK(second_call(on, unlike_gang(12), verdict::fits) == 0);
}

TEST_CASE("refusing unlike pods again allocates nothing", "[placement]") {
  scene s = make_scene();
  auto view = s.view();
  muster::overlay<two> on{view};
  CHECK(second_call(view, unlike_gang(200), verdict::never) == 0);
  CHECK(second_call(on, unlike_gang(200), verdict::never) == 0);
}

TEST_CASE("exact search under limits of racks and zones again allocates nothing", "[placement]") {
  scene s{muster::nested_levels(2)};
  for (std::uint64_t n = 0; n < 60; ++n)
    s.node(n, {static_cast<muster::amount>(5 + n * 7 % 13), static_cast<muster::amount>(6 + n * 5 % 17)},
           {n / 20, n / 5});
  auto gang = scene::gang(1, 60, {2, 5});
  gang.pod_sets.push_back({{5, 2}, 60, 30});
  gang.pod_sets.push_back({{3, 7}, 60, 30});
  gang.limits.push_back({muster::topology_level{1}, 12});
  gang.limits.push_back({muster::topology_level{0}, 41});
  const auto view = s.view();
  muster::workspace<two> space;
  std::size_t searched = 0, refused = 0;
  for (const muster::pod_count wanted : {100, 122, 123, 124, 180}) {
    CAPTURE(wanted);
    gang.min_count = wanted;
    const auto& answer = place(view, gang, space);
    if (answer.steps > 0) ++searched;
    if (!answer.fits()) ++refused;
    CHECK(second_call(view, gang, answer.verdict) == 0);
  }
  CHECK(searched > 0);
  CHECK(refused > 0);
}

TEST_CASE("exact search among devices and more again allocates nothing", "[placement]") {
  using model = muster::joint<muster::devices<8>, muster::resource_vector<1>>;
  muster_test::scene<model> s;
  for (std::uint64_t n = 0; n < 4; ++n) s.node(n, {{.count = 4, .model = {}, .link_group = {}}, {20}});
  auto gang = muster_test::scene<model>::gang(1, 2, {{.whole = 3}, {1}});
  for (int k = 0; k < 9; ++k) gang.pod_sets.push_back({{{.share = 300 + 70 * k}, {1 + k % 3}}, 3, 0});
  auto view = s.view();
  REQUIRE(gang.pod_sets.size() == 10);
  muster::workspace<model> space;
  place(view, gang, space);
  REQUIRE(space.answer.steps > 0);  // it was searched
  CHECK(second_call(view, gang, verdict::never) == 0);
}

TEST_CASE("placing a known group beside its set-asides again allocates nothing", "[placement]") {
  scene s = make_scene();
  const auto gang = scene::gang(1, 6, {2, 4});
  s.group(gang);
  s.pods(10, 6, gang);
  s.bind(10, 1);
  s.say(muster::set_aside<two>{muster::set_aside_id{1}, gang.id, 0, muster::node_id{2}, 1, {2, 4}});
  auto view = s.view();
  muster::overlay<two> on{view};
  CHECK(second_call(view, gang.id, verdict::fits) == 0);
  CHECK(second_call(on, gang.id, verdict::fits) == 0);
}

TEST_CASE("placing by a scorer again allocates nothing", "[placement]") {
  scene s = make_scene();
  auto view = s.view();
  const muster::place_options<muster::everywhere, muster::least_allocated<two>> spread{};
  CHECK(second_call(view, scene::gang(1, 24, {2, 4}), verdict::fits, spread) == 0);
}

TEST_CASE("a workspace carries nothing from one question to the next", "[placement]") {
  scene s = make_scene();
  const auto view = s.view();
  muster::workspace<two> kept;
  const auto small = scene::gang(1, 3, {2, 4}), large = scene::gang(2, 300, {2, 4});
  const auto mixed = unlike_gang(12);
  for (const auto* group : {&large, &small, &mixed, &small, &large, &mixed}) {
    const auto fresh = place(view, *group);
    place(view, *group, kept);
    CHECK(kept.answer.verdict == fresh.verdict);
    CHECK(kept.answer.placed == fresh.placed);
    CHECK(kept.answer.lack.seated == fresh.lack.seated);
    REQUIRE(kept.answer.seats.size() == fresh.seats.size());
    for (std::size_t i = 0; i < fresh.seats.size(); ++i) CHECK(kept.answer.seats[i].node == fresh.seats[i].node);
  }
}
