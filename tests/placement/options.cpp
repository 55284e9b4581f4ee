// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/options.hpp>
#include <muster/placement/place.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/scene.hpp"

namespace {
using two = muster::resource_vector<2>;
using scene = muster_test::scene<two>;
using muster::place;
using emptiest = muster::place_options<muster::everywhere, muster::least_allocated<two>>;
using fullest = muster::place_options<muster::everywhere, muster::most_allocated<two>>;
static_assert(muster::options_for<muster::place_options<>, two>);
static_assert(muster::options_for<emptiest, two>);
static_assert(!muster::options_for<emptiest, muster::resource_vector<1>>);
static_assert(!muster::options_for<muster::everywhere, two>);
}  // namespace

TEST_CASE("extras are placed unless they are off", "[placement]") {
  scene s;
  s.node(1, {6, 6});
  const auto gang = scene::gang(1, 8, {1, 1}, 3);
  CHECK(place(s.view(), gang).placed == 6);
  const auto least = place(s.view(), gang, muster::place_options<>{.extras = false});
  CHECK(least.placed == 3);
  CHECK(least.pending == 5);
}

TEST_CASE("extras go up to the largest legal size that fits", "[placement]") {
  scene s;
  s.node(1, {7, 7});
  auto gang = scene::gang(1, 9, {1, 1}, 2);
  gang.sizes = {muster::size_rule::shape::stepped, 2, 9, 3};  // 2, 5, 8
  CHECK(place(s.view(), gang).placed == 5);
  CHECK(place(s.view(), gang, muster::place_options<>{.extras = false}).placed == 2);
  s.node(2, {1, 1});
  CHECK(place(s.view(), gang).placed == 8);
  gang.sizes = {muster::size_rule::shape::rigid, 0, 0, 1};
  CHECK(place(s.view(), gang).verdict == muster::verdict::never);  // all nine or nothing
  gang.world_size = 6;
  CHECK(place(s.view(), gang).placed == 6);
}

TEST_CASE("a set that fits nowhere takes no place from the sets behind it, whatever the number asked for", "[placement]") {
  scene s;
  s.node(1, {3, 9});
  s.node(2, {3, 9});
  auto gang = scene::gang(1, 1, {4, 1}, 1);
  for (const muster::amount each : {3, 2, 1}) gang.pod_sets.push_back({{each, 1}, 1, 0});
  const auto first = [](const auto& answer) { return answer.seats.front().pod_set; };
  CHECK(place(s.view(), gang).placed == 3);
  CHECK(first(place(s.view(), gang)) == 1);
  const auto one = place(s.view(), gang, muster::place_options<>{.extras = false});
  CHECK(one.placed == 1);
  CHECK(first(one) == 1);
  gang.sizes = {muster::size_rule::shape::stepped, 1, 1, 1};
  CHECK(first(place(s.view(), gang)) == 1);
}

TEST_CASE("the most that sit are no gang where they are fewer than enough", "[placement]") {
  muster_test::scene<two> s{muster::nested_levels(1)};
  for (const std::uint64_t n : {1U, 2U}) s.node(n, {5, 9}, {1});
  auto gang = scene::gang(1, 2, {5, 0}, 5);
  gang.pod_sets.push_back({{1, 0}, 10, 0});
  gang.limits.push_back({muster::topology_level{0}, 3});
  const auto answer = place(s.view(), gang, muster::place_options<>{.largest = true});
  CHECK(answer.verdict == muster::verdict::never);
  CHECK(answer.lack.seated == 3);  // the nodes hold ten, the rack allows three
  CHECK(answer.lack.needed == 5);
}

TEST_CASE("the default takes the fullest node that still fits, a scorer its own choice", "[placement]") {
  scene s;
  s.node(1, {8, 8});
  s.node(2, {8, 8});
  s.node(3, {8, 8});
  s.filler(90, 2, {3, 3});
  s.filler(91, 3, {7, 7});
  const auto pair = scene::gang(1, 1, {2, 2});
  CHECK(muster_test::on(place(s.view(), pair), 2) == 1);
  CHECK(muster_test::on(place(s.view(), pair, fullest{}), 2) == 1);
  CHECK(muster_test::on(place(s.view(), pair, emptiest{}), 1) == 1);
}

TEST_CASE("a scorer spreads pod by pod and gives the same number of seats", "[placement]") {
  scene s;
  s.node(1, {4, 4});
  s.node(2, {4, 4});
  const auto gang = scene::gang(1, 4, {1, 1});
  const auto spread = place(s.view(), gang, emptiest{});
  CHECK(muster_test::on(spread, 1) == 2);
  CHECK(muster_test::on(spread, 2) == 2);
  const auto packed = place(s.view(), gang);
  CHECK(muster_test::on(packed, 1) == 4);  // equal nodes: the first in order
}

TEST_CASE("a budget that is spent ends without a claim", "[placement]") {
  scene s;
  for (std::uint64_t n = 0; n < 6; ++n) s.node(n, {6, 6});
  auto gang = scene::gang(1, 6, {4, 1});
  gang.pod_sets.push_back({{1, 4}, 6, 0});
  gang.pod_sets.push_back({{3, 3}, 3, 0});
  const auto short_of_time = place(s.view(), gang, muster::place_options<>{.budget = 1});
  const bool honest =
      short_of_time.verdict == muster::verdict::undecided || short_of_time.verdict == muster::verdict::never;
  CHECK(honest);
  CHECK(place(s.view(), scene::gang(2, 36, {1, 1}), muster::place_options<>{.budget = 0})
            .fits());  // alike pods need none
}
