// SPDX-License-Identifier: BSL-1.0
// Public fault reports of the kind "feasibility incompleteness". Who must leave (B28, B29, B32, B34) is for a room that
// is not built yet; here the reports' question is asked on an overlay from which victims are taken.
#include <muster/placement/place.hpp>
#include <muster/placement/verify_certificate.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/scene.hpp"

#include <initializer_list>

namespace {
using one = muster::resource_vector<1>;
using two = muster::resource_vector<2>;
using muster::verdict;
using muster_test::on;

template <class M>
bool fits_without(muster_test::scene<M>& s, std::uint64_t group, std::initializer_list<std::uint64_t> victims) {
  const auto view = s.view();
  muster::overlay<M> trial{view};
  for (const std::uint64_t each : victims) trial.vacate(*view.pod(muster::pod_id{each}));
  muster::workspace<M> space;
  return place(trial, muster::group_id{group}, space).fits();
}
}  // namespace

TEST_CASE("B22 a request that matches uneven nodes exactly is placed", "[reports]") {
  muster_test::scene<one> s;
  s.node(1, {8});
  s.node(2, {16});
  s.node(3, {16});
  auto gang = s.gang(1, 1, {8});
  gang.pod_sets.push_back({{16}, 2, 0});
  const auto answer = place(s.view(), gang);
  REQUIRE(answer.fits());
  CHECK(on(answer, 1, 0) == 1);
  CHECK(on(answer, 2, 1) == 1);
  CHECK(on(answer, 3, 1) == 1);
}

TEST_CASE("B23 the pod that needs what is rare gets it", "[reports]") {
  muster_test::scene<two> s;
  s.node(1, {1, 4});
  s.node(2, {0, 4});
  auto gang = s.gang(1, 1, {0, 2});
  gang.pod_sets.push_back({{1, 2}, 1, 0});
  gang.limits = {{muster::node_level, 1}};
  const auto answer = place(s.view(), gang);
  REQUIRE(answer.fits());
  CHECK(on(answer, 1, 1) == 1);
  CHECK(on(answer, 2, 0) == 1);
}

TEST_CASE("B25 a sum that suffices is no place, and the refusal says never", "[reports]") {
  muster_test::scene<one> s;
  s.node(1, {1});
  s.node(2, {1});
  const auto gang = s.gang(1, 1, {2});
  const auto answer = place(s.view(), gang);
  CHECK(answer.verdict == verdict::never);
  CHECK(answer.lack.short_nodes[0] == 2);
  CHECK(verify(s.view(), gang, answer.proof).holds());
}

TEST_CASE("B26 not now is not never, and both are asked again when the cluster changes", "[reports]") {
  muster_test::scene<one> s;
  s.node(1, {4});
  s.filler(90, 1, {3});
  auto g = s.gang(1, 2, {1});
  auto h = s.gang(2, 5, {1});
  g.required = h.required = muster::node_level;
  CHECK(place(s.view(), g).verdict == verdict::not_now);
  CHECK(place(s.view(), h).verdict == verdict::never);
  s.end(90);
  CHECK(on(place(s.view(), g), 1) == 2);
  CHECK(place(s.view(), h).verdict == verdict::never);
  s.node(2, {8});
  CHECK(on(place(s.view(), h), 2) == 5);
}

TEST_CASE("B28 the idle node counts beside the one a victim leaves", "[reports]") {
  muster_test::scene<one> s;
  s.node(1, {1});
  s.node(2, {1});
  s.filler(90, 2, {1});
  const auto h = s.gang(1, 2, {1});
  s.group(h);
  s.pods(10, 2, h);
  CHECK_FALSE(fits_without(s, 1, {}));
  CHECK(fits_without(s, 1, {90}));
}

TEST_CASE("B29 three nodes freed together hold what no two of them do", "[reports]") {
  muster_test::scene<one> s;
  const auto h = s.gang(1, 3, {1});
  s.group(h);
  s.pods(10, 3, h);
  for (std::uint64_t n = 1; n <= 3; ++n) {
    s.node(n, {1});
    s.filler(90 + n, n, {1});
  }
  CHECK(fits_without(s, 1, {91, 92, 93}));
  CHECK_FALSE(fits_without(s, 1, {91, 92}));
  CHECK_FALSE(fits_without(s, 1, {91, 93}));
  CHECK_FALSE(fits_without(s, 1, {92, 93}));
}

TEST_CASE("B32 a victim gives back its pod slot", "[reports]") {
  muster_test::scene<two> s;  // cpu, pods
  s.node(1, {4, 1});
  s.filler(90, 1, {1, 1});
  const auto h = s.gang(1, 1, {1, 1});
  s.group(h);
  s.pods(10, 1, h);
  CHECK_FALSE(fits_without(s, 1, {}));
  CHECK(fits_without(s, 1, {90}));
}

// "App X" is one group here: a limit counts the pods of its own group. On an overlay a vacated pod of that same group
// still counts towards it, so L is told to leave: from then on it does not count.
TEST_CASE("B34 a spread limit is counted without the pods that would leave", "[reports]") {
  muster_test::scene<one> s{muster::nested_levels(1)};
  s.node(1, {4}, {1});
  s.node(2, {4}, {2});
  auto x = s.gang(1, 3, {1}, 1);
  x.disruption = muster::disruption_mode::single;
  x.limits = {{muster::topology_level{0}, 1}};
  s.group(x);
  s.pods(10, 3, x);
  s.bind(10, 1);  // L
  s.bind(11, 2);  // M
  const auto full = place(s.view(), muster::group_id{1});
  CHECK_FALSE(full.fits());
  CHECK(verify(s.view(), muster::group_id{1}, full.proof).holds());
  s.leave(10);
  const auto answer = place(s.view(), muster::group_id{1});
  REQUIRE(answer.fits());
  CHECK(answer.placed == 1);
  CHECK(on(answer, 1) == 1);  // in the domain L leaves, not beside M
}
