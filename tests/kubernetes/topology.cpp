// SPDX-License-Identifier: BSL-1.0
// Scenarios of Kubernetes 1.37's topology-aware scheduling, by the rows of the table they stand in. Nodes of 2 cores
// unless said; a large pod takes a node, a small one half.
#include <muster/placement/place.hpp>
#include <muster/placement/verify.hpp>
#include <muster/placement/verify_certificate.hpp>
#include <muster/resource/resource_vector.hpp>
#include <muster/scoring/scorer.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/scene.hpp"

#include <cstdint>
#include <initializer_list>

namespace {

using cores = muster::resource_vector<1>;
using muster::domain_path;
using muster::label_id;
using muster::refusal_reason;
using muster::topology_level;
using muster::verdict;
using muster_test::on;

constexpr topology_level zone{0}, rack{1}, only_level{0};

struct racks : muster_test::scene<cores> {
  /// Racks of so many nodes of one level, numbered from 1.
  explicit racks(std::initializer_list<int> sizes) : muster_test::scene<cores>{muster::nested_levels(1)} {
    std::uint64_t name = 0;
    for (const int size : sizes) {
      ++name;
      for (int i = 0; i < size; ++i) node(++nodes, {2}, {name});
    }
  }
  std::uint64_t nodes = 0;
};

muster::pod_group<cores> gang_in(topology_level level, std::uint64_t id, muster::pod_count pods, muster::amount each) {
  auto gang = racks::gang(id, pods, {each});
  gang.required = level;
  return gang;
}

domain_path rack_of(std::uint64_t name) { return {only_level, {label_id{name}}}; }

}  // namespace

TEST_CASE("row 19: a gang sits in the one rack that holds it, and is never split", "[kubernetes]") {
  racks s{3, 2};
  s.filler(90, 5, {2});
  const auto answer = place(s.view(), gang_in(only_level, 1, 3, 2));
  REQUIRE(answer.fits());
  CHECK(answer.domain == rack_of(1));
  for (const std::uint64_t each : {1U, 2U, 3U}) CHECK(on(answer, each) == 1);
}

TEST_CASE("row 20: where no rack holds the gang all of it is pending", "[kubernetes]") {
  racks s{2, 1, 1};
  const auto gang = gang_in(only_level, 1, 3, 2);
  const auto answer = place(s.view(), gang);
  CHECK(answer.verdict == verdict::never);
  CHECK(answer.placed == 0);
  CHECK(answer.pending == 3);
  CHECK(verify(s.view(), gang, answer.proof).holds());
}

TEST_CASE("row 21: of the racks that hold it the smallest is fullest", "[kubernetes]") {
  racks s{3, 2, 1};
  const auto answer = place(s.view(), gang_in(only_level, 1, 3, 1));
  REQUIRE(answer.fits());
  CHECK(answer.domain == rack_of(2));  // 3 of 4 cores, against 3 of 6
}

TEST_CASE("row 23: two gangs find a rack each", "[kubernetes]") {
  racks s{3, 2};
  const auto view = s.view();
  muster::overlay<cores> trial{view};
  muster::workspace<cores> space;
  const auto& three = place(trial, gang_in(only_level, 1, 3, 2), space);
  REQUIRE(three.fits());
  CHECK(three.domain == rack_of(1));
  take_seats(trial, three);
  const auto& two = place(trial, gang_in(only_level, 2, 2, 2), space);
  REQUIRE(two.fits());
  CHECK(two.domain == rack_of(2));
}

TEST_CASE("row 23: two gangs share the one rack that holds either, one of them of unlike pods", "[kubernetes]") {
  racks s{3, 1};
  const auto view = s.view();
  muster::overlay<cores> trial{view};
  muster::workspace<cores> space;
  auto mixed = gang_in(only_level, 1, 1, 2);
  mixed.pod_sets.push_back({{1}, 1, 0});
  const auto& first = place(trial, mixed, space);
  REQUIRE(first.fits());
  CHECK(first.placed == 2);
  CHECK(first.domain == rack_of(1));
  take_seats(trial, first);
  const auto& second = place(trial, gang_in(only_level, 2, 3, 1), space);
  REQUIRE(second.fits());
  CHECK(second.placed == 3);
  CHECK(second.domain == rack_of(1));  // the 3 cores left there
}

TEST_CASE("row 24: one gang keeps to a rack, the other to a zone", "[kubernetes]") {
  muster_test::scene<cores> s{muster::nested_levels(2)};
  for (const std::uint64_t each : {1U, 2U}) s.node(each, {2}, {1, 1});
  s.node(3, {2}, {1, 2});
  for (const std::uint64_t each : {4U, 5U, 6U}) s.node(each, {2}, {2, 1});
  const auto view = s.view();
  muster::overlay<cores> trial{view};
  muster::workspace<cores> space;
  const auto& in_rack = place(trial, gang_in(rack, 1, 3, 2), space);
  REQUIRE(in_rack.fits());
  CHECK(in_rack.domain == domain_path{rack, {label_id{2}, label_id{1}}});  // not the racks of zone 1, of 2 and 1 nodes
  take_seats(trial, in_rack);
  const auto& in_zone = place(trial, gang_in(zone, 2, 3, 2), space);
  REQUIRE(in_zone.fits());
  CHECK(in_zone.domain == domain_path{zone, {label_id{1}}});
}

TEST_CASE("row 25: a domain for every value; a node without the label is in none", "[kubernetes]") {
  muster_test::scene<cores> s{muster::nested_levels(1)};
  s.node(1, {2});
  s.node(2, {2}, {1});
  s.node(3, {2}, {2});
  s.node(4, {2}, {1});
  s.node(5, {2}, {3});
  s.node(6, {2});
  const auto view = s.view();
  CHECK(view.domains(0) == 3);
  const auto two = place(view, gang_in(only_level, 1, 2, 2));
  REQUIRE(two.fits());
  CHECK(two.domain == rack_of(1));
  CHECK(on(two, 2) + on(two, 4) == 2);
  CHECK_FALSE(place(view, gang_in(only_level, 1, 3, 2)).fits());  // six nodes would hold it, no domain does

  muster_test::scene<cores> bare{muster::nested_levels(1)};
  bare.node(1, {2});
  bare.node(2, {2});
  CHECK(bare.view().domains(0) == 0);
  const auto nowhere = place(bare.view(), gang_in(only_level, 1, 1, 1));
  CHECK(nowhere.verdict == verdict::never);
  CHECK(nowhere.lack.bound == 0);
}

TEST_CASE("row 26: members that run pin the domain; in two, or in none, they are a fault", "[kubernetes]") {
  racks s{1, 3};
  s.node(9, {2});  // in no rack
  auto gang = gang_in(only_level, 1, 3, 1);
  gang.min_count = 1;
  s.group(gang);
  s.pods(10, 3, gang);
  SECTION("in one") {
    s.bind(10, 1);
    const auto answer = place(s.view(), gang.id);
    REQUIRE(answer.fits());
    CHECK(answer.domain == rack_of(1));  // one more sits there; the other rack has room for both
    CHECK(on(answer, 1) == 1);
    CHECK(answer.pending == 1);
    s.filler(90, 1, {1});
    CHECK(place(s.view(), gang.id).verdict == verdict::not_now);
  }
  SECTION("in two") {
    s.bind(10, 1);
    s.bind(11, 2);
    const auto answer = place(s.view(), gang.id);
    CHECK(answer.verdict == verdict::invalid);
    CHECK(answer.reason == refusal_reason::domains_differ);
  }
  SECTION("in none") {
    s.bind(10, 9);
    const auto answer = place(s.view(), gang.id);
    CHECK(answer.verdict == verdict::invalid);
    CHECK(answer.reason == refusal_reason::domains_differ);
  }
  SECTION("on a node that is not there") {
    const auto whole = place(s.view(), gang.id);
    REQUIRE(whole.fits());
    s.bind(10, 77);
    const auto answer = place(s.view(), gang.id);
    CHECK(answer.verdict == verdict::invalid);
    CHECK(answer.reason == refusal_reason::domains_differ);
    CHECK(verify(s.view(), gang.id, whole.seats).why == muster::refutation::too_many_pods);
    const auto one_less = muster::place_options<>{.extras = false};
    CHECK(verify(s.view(), gang.id, place(s.view(), gang_in(only_level, 1, 1, 1), one_less).seats).why ==
          muster::refutation::domains_differ);
    s.node(77, {2}, {1});  // it comes after all: the gang has a rack again
    const auto again = place(s.view(), gang.id);
    REQUIRE(again.fits());
    CHECK(again.domain == rack_of(1));
  }
}

TEST_CASE("row 68: a small pod that a scorer sends to the large node gives way to the big one", "[kubernetes]") {
  // upstream the gang of two fails; here the big pod sits on the node of two, the small one on the node of one
  muster_test::scene<cores> s;
  s.node(1, {2});
  s.node(2, {1});
  auto gang = s.gang(1, 1, {1});
  gang.pod_sets.push_back({{2}, 1, 0});
  const muster::place_options<muster::everywhere, muster::least_allocated<cores>> spreading{};
  REQUIRE(muster::least_allocated<cores>{}({2}, {2}, {1}) > muster::least_allocated<cores>{}({1}, {1}, {1}));
  const auto answer = place(s.view(), gang, spreading);
  REQUIRE(answer.fits());
  CHECK(on(answer, 1, 1) == 1);
  CHECK(on(answer, 2, 0) == 1);
}
