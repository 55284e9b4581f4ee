// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/place_by.hpp>
#include <muster/placement/seat_in_turn.hpp>
#include <muster/placement/verify.hpp>
#include <muster/placement/verify_certificate.hpp>
#include <muster/resource/devices.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/scene.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

using cores = muster::resource_vector<1>;
using scene = muster_test::scene<cores>;
using muster::topology_level;
using muster::verdict;
using muster_test::on;

constexpr topology_level rack{0};

/// All pods on the last node that takes them: a rule nobody else would think of.
struct last_first {
  int* asked = nullptr;
  template <class M>
  void operator()(const muster::seating_question<M>& question, std::vector<muster::seat<M>>& seats) const {
    if (asked != nullptr) ++*asked;
    const auto turns = muster::turns_by_set(question.waiting);
    std::vector<std::uint32_t> nodes;
    for (std::uint32_t p = question.on.size(); p-- > 0;) nodes.push_back(p);
    seat_in_order(question.on, question.group, turns, nodes, muster::fit_order::first_fit, muster::everywhere{}, seats);
  }
};
static_assert(muster::seating_rule<last_first, cores>);

struct two_racks : scene {
  two_racks() : scene{muster::nested_levels(1)} {
    for (const std::uint64_t each : {1U, 2U}) node(each, {2}, {1});
    for (const std::uint64_t each : {3U, 4U}) node(each, {2}, {2});
  }
  muster::workspace<cores> space;
};

}  // namespace

TEST_CASE("a rule's seats are taken where they hold, as an answer like any other", "[placement]") {
  two_racks s;
  auto gang = scene::gang(1, 3, {1});
  REQUIRE(place_by(s.view(), gang, s.space, last_first{}));
  const auto& answer = s.space.answer;
  CHECK(answer.fits());
  CHECK(answer.placed == 3);
  CHECK(answer.pending == 0);
  CHECK(answer.lack.needed == 3);
  CHECK((answer.group == gang.id));
  CHECK(on(answer, 4) == 2);
  CHECK(on(answer, 3) == 1);
  CHECK((answer.domain.level == muster::no_level));
  gang.required = rack;
  REQUIRE(place_by(s.view(), gang, s.space, last_first{}));
  CHECK(s.space.answer.domain == muster::domain_path{rack, {muster::label_id{2}}});
  gang.required = muster::node_level;
  gang.pod_sets[0].count = 2;
  REQUIRE(place_by(s.view(), gang, s.space, last_first{}));
  CHECK(s.space.answer.domain == muster::domain_path{muster::node_level, {muster::label_id{4}}});
}

TEST_CASE("what a rule does not place place does", "[placement]") {
  two_racks s;
  SECTION("it does not seat all") {
    auto gang = scene::gang(1, 3, {1});  // on the nodes 4, 4 and 3, and then there is no node of 2
    gang.pod_sets.push_back({{2}, 2, 0});
    s.filler(90, 1, {1});
    CHECK_FALSE(place_by(s.view(), gang, s.space, last_first{}));
    CHECK(s.space.answer.fits());
    CHECK(verify(s.view(), gang, s.space.answer.seats).holds());
  }
  SECTION("it leaves the required domain") {
    auto gang = scene::gang(1, 3, {1});
    gang.required = rack;
    s.filler(90, 4, {2});
    CHECK_FALSE(place_by(s.view(), gang, s.space, last_first{}));
    CHECK(s.space.answer.fits());
    CHECK(s.space.answer.domain == muster::domain_path{rack, {muster::label_id{1}}});
  }
  SECTION("it breaks a spread limit") {
    auto gang = scene::gang(1, 3, {1});
    gang.limits.push_back({muster::node_level, 1});
    CHECK_FALSE(place_by(s.view(), gang, s.space, last_first{}));
    CHECK(s.space.answer.fits());
    CHECK(verify(s.view(), gang, s.space.answer.seats).holds());
  }
  SECTION("nobody can") {
    const auto gang = scene::gang(1, 9, {1});
    CHECK_FALSE(place_by(s.view(), gang, s.space, last_first{}));
    CHECK(s.space.answer.verdict == verdict::never);
    CHECK(verify(s.view(), gang, s.space.answer.proof).holds());
  }
}

TEST_CASE("a rule is not asked of what cannot be asked, nor where pods are to stay behind", "[placement]") {
  two_racks s;
  int asked = 0;
  const last_first rule{&asked};
  auto gang = scene::gang(1, 4, {1}, 2);
  CHECK_FALSE(place_by(s.view(), gang, s.space, rule, muster::place_options<>{.extras = false}));
  CHECK(s.space.answer.placed == 2);
  CHECK_FALSE(place_by(s.view(), muster::group_id{5}, s.space, rule));
  CHECK(s.space.answer.verdict == verdict::hold);
  gang.disruption = muster::disruption_mode::unstated;
  CHECK_FALSE(place_by(s.view(), gang, s.space, rule));
  CHECK(s.space.answer.verdict == verdict::invalid);
  const auto empty = scene::gang(1, 0, {1});
  CHECK_FALSE(place_by(s.view(), empty, s.space, rule));
  CHECK(s.space.answer.fits());
  CHECK(asked == 0);
}

TEST_CASE("of a group in the cluster the rule seats those that wait, beside those that run", "[placement]") {
  two_racks s;
  auto gang = scene::gang(1, 4, {1});
  gang.required = rack;
  s.group(gang);
  s.pods(10, 4, gang);
  s.bind(10, 3);
  REQUIRE(place_by(s.view(), gang.id, s.space, last_first{}));
  CHECK(s.space.answer.placed == 3);
  CHECK(verify(s.view(), gang.id, s.space.answer.seats).holds());
  s.bind(11, 1);  // in the other rack
  CHECK_FALSE(place_by(s.view(), gang.id, s.space, last_first{}));
  CHECK(s.space.answer.reason == muster::refusal_reason::domains_differ);
}

TEST_CASE("what is set aside for the group is free to its rule, and an overlay is left as it was", "[placement]") {
  two_racks s;
  auto gang = scene::gang(1, 2, {2});
  s.group(gang);
  s.pods(10, 2, gang);
  muster::set_aside<cores> kept;
  kept.id = muster::set_aside_id{1};
  kept.group = gang.id;
  kept.node = muster::node_id{4};
  kept.grant = {2};
  kept.count = 1;
  s.say(kept);
  const auto view = s.view();
  REQUIRE(cores::amount_left(view.now(*view.find(muster::node_id{4})), 0) == 0);
  muster::overlay<cores> trial{view};
  REQUIRE(place_by(trial, gang.id, s.space, last_first{}));
  CHECK(on(s.space.answer, 4) == 1);
  CHECK(on(s.space.answer, 3) == 1);
  for (std::uint32_t p = 0; p < view.size(); ++p) CHECK(trial.now(p) == view.now(p));
  take_seats(trial, s.space.answer);
  CHECK_FALSE(place_by(trial, scene::gang(2, 3, {2}), s.space, last_first{}));  // two nodes are left
  CHECK(place_by(trial, scene::gang(2, 2, {2}), s.space, last_first{}));
}

TEST_CASE("an answer of one device model names it", "[placement]") {
  using gpus = muster::devices<4>;
  muster_test::scene<gpus> s;
  const auto capacity = [](std::uint32_t make) {
    gpus::capacity_type all;
    all.count = 2;
    all.model = muster::device_model{make};
    return all;
  };
  s.node(1, capacity(7));
  s.node(2, capacity(8));
  auto gang = muster_test::scene<gpus>::gang(1, 2, {});
  gang.pod_sets[0].request.whole = 1;
  gang.one_device_model = true;
  muster::workspace<gpus> space;
  REQUIRE(place_by(s.view(), gang, space, last_first{}));
  CHECK(space.answer.model == muster::device_model{8});
  gang.pod_sets[0].count = 3;
  CHECK_FALSE(place_by(s.view(), gang, space, last_first{}));  // the third would be of another model
  CHECK_FALSE(space.answer.fits());
}
