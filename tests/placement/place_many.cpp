// SPDX-License-Identifier: BSL-1.0
// No node holds more than max_pods_per_node pods: a placement keeps to that as to any other limit.
#include <muster/placement/explain.hpp>
#include <muster/placement/place.hpp>
#include <muster/placement/shortfall.hpp>
#include <muster/placement/verify.hpp>
#include <muster/placement/verify_certificate.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/scene.hpp"

#include <cstdint>
#include <map>
#include <span>

namespace {

using two = muster::resource_vector<2>;
using muster::max_pods_per_node;
using muster::place;
using muster::pod_count;
using muster::verdict;
using muster_test::on;
using answer_type = muster::placement_answer<two>;

/// Node 1 has room for everything, but holds all pods that a node may but two; node 2 has four of each.
struct crowd : muster_test::scene<two> {
  explicit crowd(pod_count pods = max_pods_per_node - 2) {
    node(1, {40'000, 40'000});
    node(2, {4, 4});
    for (pod_count p = 0; p < pods; ++p) filler(1'000'000 + static_cast<std::uint64_t>(p), 1, {1, 1});
  }
};

muster::pod_group<two> unlike(std::uint64_t id, pod_count each) {
  auto gang = crowd::gang(id, each, {1, 0});
  gang.pod_sets.push_back({{0, 2}, each, 0});
  return gang;
}

template <class View>
bool holds(const View& view, const muster::pod_group<two>& group, const answer_type& answer) {
  return muster::verify(view, group, std::span<const muster::seat<two>>{answer.seats}).holds();
}

/// What is proved of a refusal can be counted again.
bool proved(const muster::snapshot<two>& view, const muster::pod_group<two>& group, const answer_type& answer) {
  return !answer.fits() && muster::verify(view, group, answer.proof).holds();
}

using spread_out = muster::place_options<muster::everywhere, muster::least_allocated<two>>;

}  // namespace

TEST_CASE("alike pods are not crowded onto a node, by any scorer", "[placement]") {
  crowd s;
  const auto view = s.view();
  const auto six = crowd::gang(1, 6, {1, 1}), seven = crowd::gang(1, 7, {1, 1});
  const auto check = [&](const auto& options) {
    const auto answer = place(view, six, options);
    REQUIRE(answer.placed == 6);
    CHECK(on(answer, 1) == 2);
    CHECK(holds(view, six, answer));
    const auto no = place(view, seven, options);
    CHECK(no.verdict == verdict::not_now);
    CHECK(no.lack.seated == 6);
    CHECK(no.lack.bound == 6);
    CHECK(proved(view, seven, no));
  };
  check(muster::place_options<>{});
  check(spread_out{});
  auto one_node = crowd::gang(1, 5, {1, 1});
  one_node.required = muster::node_level;
  CHECK(place(view, one_node).verdict == verdict::not_now);
  CHECK(place(view, one_node).lack.seated == 4);
  one_node.pod_sets[0].count = 4;
  CHECK(on(place(view, one_node), 2) == 4);
  auto stepped = crowd::gang(1, 9, {1, 1}, 2);
  stepped.sizes = {muster::size_rule::shape::stepped, 2, 9, 3};
  CHECK(place(view, stepped).placed == 5);
}

TEST_CASE("unlike pods are not crowded onto a node either", "[placement]") {
  crowd s;
  const auto view = s.view();
  // node 2 takes four of the first set and two of the second; node 1 any two
  const auto fits = unlike(1, 4);
  const auto answer = place(view, fits);
  REQUIRE(answer.placed == 8);
  CHECK(on(answer, 1) == 2);
  CHECK(holds(view, fits, answer));
  const auto more = unlike(1, 5);
  const auto no = place(view, more);
  CHECK(no.verdict == verdict::not_now);
  CHECK(no.lack.seated == 8);
  CHECK(proved(view, more, no));
  CHECK(place(view, more, muster::place_options<>{.budget = 0}).lack.seated <= 8);
}

TEST_CASE("pods that ask nothing count as well", "[placement]") {
  crowd s{10};
  const auto nothing = crowd::gang(1, 2 * max_pods_per_node - 10, {0, 0});
  const auto view = s.view();
  const auto answer = place(view, nothing);
  REQUIRE(answer.placed == 2 * max_pods_per_node - 10);
  CHECK(on(answer, 1) == max_pods_per_node - 10);
  CHECK(on(answer, 2) == max_pods_per_node);
  const auto more = crowd::gang(1, 2 * max_pods_per_node - 9, {0, 0});
  CHECK(place(view, more).verdict == verdict::not_now);
  CHECK(place(view, crowd::gang(1, 2 * max_pods_per_node + 1, {0, 0})).verdict == verdict::never);
}

TEST_CASE("a full node takes pods again once what is terminating has left", "[placement]") {
  crowd s{max_pods_per_node};
  const auto three = crowd::gang(1, 3, {1, 1});
  auto one_node = crowd::gang(1, 6, {1, 1});
  one_node.required = muster::node_level;
  const auto full = place(s.view(), crowd::gang(1, 5, {1, 1}));
  CHECK(full.lack.full_nodes == 1);
  CHECK(full.lack.seated == 4);
  for (std::uint64_t p = 0; p < 6; ++p) s.leave(1'000'000 + p);
  CHECK(place(s.view(), one_node).verdict == verdict::wait);
  CHECK(place(s.view(), three).fits());
  for (std::uint64_t p = 0; p < 6; ++p) s.end(1'000'000 + p);
  CHECK(on(place(s.view(), one_node), 1) == 6);
}

TEST_CASE("on an overlay the pods taken there count, and what is kept for the group does not", "[placement]") {
  crowd s{max_pods_per_node - 3};
  s.say(muster::set_aside<two>{muster::set_aside_id{1}, muster::group_id{1}, 0, muster::node_id{1}, 1, {1, 1}});
  const auto view = s.view();
  CHECK(view.pods_left(view.find(muster::node_id{1}).value()) == 2);
  muster::overlay<two> trial{view};
  muster::workspace<two> space;
  auto seven = crowd::gang(1, 7, {1, 1});
  CHECK(place(view, seven).fits());
  CHECK(holds(view, seven, place(view, seven)));
  seven.id = muster::group_id{2};
  CHECK(place(view, seven).verdict == verdict::not_now);
  CHECK(proved(view, seven, place(view, seven)));
  auto one = crowd::gang(3, 1, {5, 5});  // only node 1 is large enough
  REQUIRE(on(place(trial, one, space), 1) == 1);
  muster::take_seats(trial, space.answer);
  one.id = muster::group_id{4};
  REQUIRE(on(place(trial, one, space), 1) == 1);
  muster::take_seats(trial, space.answer);
  CHECK(place(trial, one, space).verdict == verdict::not_now);
  seven.id = muster::group_id{1};
  seven.pod_sets[0].count = 5;
  CHECK(on(place(trial, seven, space), 1) == 1);
  CHECK(holds(trial, seven, space.answer));
}

TEST_CASE("seats beyond what a node may hold are refuted", "[placement]") {
  crowd s;
  const auto view = s.view();
  const auto three = crowd::gang(1, 3, {1, 1});
  const auto n1 = view.find(muster::node_id{1}).value();
  answer_type made;
  made.seats.push_back({muster::node_id{1}, {2, 2}, 2, n1, 0});
  made.seats.push_back({muster::node_id{1}, {1, 1}, 1, n1, 0});
  const auto said = muster::verify(view, three, std::span<const muster::seat<two>>{made.seats});
  CHECK(said.why == muster::refutation::no_room);
  CHECK(said.seat == 1);
}

TEST_CASE("what would do counts the pods a node may hold", "[placement]") {
  crowd s;
  muster::workspace<two> space;
  const auto view = s.view();
  CHECK(shortfall(view, crowd::gang(1, 6, {1, 1}), {9, 9}, space)->nodes == 0);
  CHECK(shortfall(view, crowd::gang(1, 15, {1, 1}), {9, 9}, space)->nodes == 1);
  CHECK(shortfall(view, crowd::gang(1, 16, {1, 1}), {9, 9}, space)->nodes == 2);
  CHECK(shortfall(view, crowd::gang(1, 3 * max_pods_per_node, {0, 0}), {0, 0}, space)->nodes == 2);
}

TEST_CASE("limits that leave too little room refuse, however many mixes they leave", "[placement]") {
  // Four racks of 15 or 16 nodes and 50 pods each, and one of a single node, which holds 16 pods of the mix at most
  // (eight of {1, 4} and eight of {4, 1}): 216 of 240 find room.
  using scene = muster_test::scene<two>;
  scene s{muster::nested_levels(1)};
  for (std::uint64_t n = 1; n <= 64; ++n) s.node(n, {40, 40}, {1 + n / 16});
  auto gang = scene::gang(1, 60, {3, 2}, 217);
  for (const two::amounts& each : {two::amounts{2, 3}, {1, 4}, {4, 1}}) gang.pod_sets.push_back({each, 60, 0});
  gang.limits.push_back({muster::topology_level{0}, 50});
  const auto answer = place(s.view(), gang, muster::place_options<>{.budget = 100'000});
  CHECK(muster::is_proved_no(answer.verdict));
  CHECK(answer.lack.bound == 216);
}
