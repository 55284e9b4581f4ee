// SPDX-License-Identifier: BSL-1.0

// Against trying everything: tests/property/improve.cpp.

#include <muster/cluster/overlay.hpp>
#include <muster/placement/candidate_scores.hpp>
#include <muster/placement/improve.hpp>
#include <muster/placement/improvement.hpp>
#include <muster/placement/place.hpp>
#include <muster/placement/verify.hpp>
#include <muster/resource/resource_vector.hpp>
#include <muster/scoring/gangs_lost.hpp>
#include <muster/scoring/scorer.hpp>
#include <muster/scoring/seat_list.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/scene.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace {

using gpus = muster::resource_vector<1>;
using scene = muster_test::scene<gpus>;
using muster::improve;
using muster::improve_effort;
using muster::improve_fault;
using muster::improvement;
using muster::place;
using muster::refutation;
using muster_test::on;

/// A node is worth something as long as nobody uses it.
struct whole_nodes {
  std::int64_t value(const gpus::amounts& left, const gpus::amounts& capacity) const {
    return left == capacity ? 1 : 0;
  }
};

/// Emptiest node first: a placement that leaves much to improve.
using spread_out = muster::place_options<muster::everywhere, muster::least_allocated<gpus>>;

/// Four nodes of 8, and a gang of 4 pods of 4 that is placed one to a node.
struct four_nodes : scene {
  muster::pod_group<gpus> group = gang(7, 4, {4});
  muster::workspace<gpus> space;

  four_nodes() {
    for (std::uint64_t n = 1; n <= 4; ++n) node(n, {8});
    place(view(), group, space, spread_out{});
    REQUIRE(space.answer.seats.size() == 4);
  }
};

TEST_CASE("pods are put together until no node is used in vain, and that is proved", "[improve]") {
  four_nodes of;
  const improvement made = improve(of.view(), of.group, of.space, whole_nodes{});
  REQUIRE(made.ok());
  CHECK(made.before == -4);
  CHECK(made.after == -2);
  CHECK(made.bound == -2);
  CHECK(made.proved);
  CHECK(made.improved());
  CHECK_FALSE(made.out_of_budget);
  CHECK(made.steps > 0);
  CHECK(of.space.answer.fits());
  CHECK(of.space.answer.placed == 4);
  CHECK(of.space.answer.seats.size() == 2);
  CHECK(verify(of.view(), of.group, of.space.answer.seats).holds());

  const improvement again = improve(of.view(), of.group, of.space, whole_nodes{});
  CHECK(again.before == -2);
  CHECK(again.after == -2);
  CHECK(again.proved);
}

TEST_CASE("without a budget the placement stays as it is", "[improve]") {
  four_nodes of;
  const improvement made = improve(of.view(), of.group, of.space, whole_nodes{}, {}, {.budget = 0});
  CHECK(made.ok());
  CHECK(made.before == -4);
  CHECK(made.after == -4);
  CHECK_FALSE(made.bound);
  CHECK_FALSE(made.proved);
  CHECK(made.steps == 0);
  CHECK(made.out_of_budget);
  CHECK(of.space.answer.seats.size() == 4);
}

TEST_CASE("the caller may end it", "[improve]") {
  four_nodes of;
  struct at_once {
    bool operator()() const { return true; }
  };
  const muster::place_options<muster::everywhere, muster::fullest_first, at_once> how{};
  const improvement made = improve(of.view(), of.group, of.space, whole_nodes{}, how);
  CHECK(made.ok());
  CHECK(made.stopped);
  CHECK(made.out_of_budget);
  CHECK(verify(of.view(), of.group, of.space.answer.seats).holds());
}

TEST_CASE("exchanges alone are bounded by prices", "[improve]") {
  four_nodes of;
  const improvement made = improve(of.view(), of.group, of.space, whole_nodes{}, {}, {.branch = false});
  CHECK(made.after == -2);
  CHECK(made.bound == -2);  // a pod costs half a node
  CHECK(made.proved);
}

TEST_CASE("branches find what no exchange of two nodes does", "[improve]") {
  // 6 pods on three nodes, at most 3 on each: 3 + 3 + 0 are worth 14 + 14, and no exchange of two nodes gains;
  // 2 + 2 + 2 are worth 30
  struct by_twos {
    std::int64_t value(const gpus::amounts& left, const gpus::amounts&) const {
      const std::int64_t of_left[] = {0, 14, 10, 0, 0};
      return of_left[left[0]];
    }
  };
  scene of;
  for (std::uint64_t n = 1; n <= 3; ++n) of.node(n, {4});
  auto group = scene::gang(7, 6, {1});
  group.limits.push_back({muster::node_level, 3});
  muster::workspace<gpus> space;
  REQUIRE(place(of.view(), group, space).seats.size() == 2);
  const auto given = space.answer;

  improvement made = improve(of.view(), group, space, by_twos{}, {}, {.branch = false});
  CHECK(made.after == 28);
  CHECK(made.bound == 30);  // 5 for each pod
  CHECK_FALSE(made.proved);
  CHECK_FALSE(made.out_of_budget);

  space.answer = given;
  made = improve(of.view(), group, space, by_twos{});
  CHECK(made.after == 30);
  CHECK(made.proved);
  for (std::uint64_t n = 1; n <= 3; ++n) CHECK(on(space.answer, n) == 2);
}

TEST_CASE("what is no placement of the group here is named, and nothing is changed", "[improve]") {
  four_nodes of;
  const auto good = of.space.answer;

  of.space.answer.verdict = muster::verdict::never;
  CHECK(improve(of.view(), of.group, of.space, whole_nodes{}).fault == improve_fault::no_placement);
  CHECK(of.space.answer.seats.size() == 4);
  CHECK(of.space.answer.verdict == muster::verdict::never);

  of.space.answer = good;
  auto faulty = of.group;
  faulty.min_count = 9;
  improvement made = improve(of.view(), faulty, of.space, whole_nodes{});
  CHECK(made.fault == improve_fault::refuted);
  CHECK(made.wrong.why == refutation::group_fault);
  made = improve(of.view(), muster::group_id{99}, of.space, whole_nodes{});
  CHECK(made.wrong.why == refutation::group_unknown);

  auto larger = of.group;
  larger.pod_sets[0].count = 5;
  CHECK(improve(of.view(), larger, of.space, whole_nodes{}).wrong.why == refutation::not_enough);

  of.space.answer.seats[2].position = 77;
  made = improve(of.view(), of.group, of.space, whole_nodes{});
  CHECK(made.wrong.why == refutation::no_such_node);
  CHECK(made.wrong.seat == 2);

  of.space.answer = good;
  of.filler(900, number(good.seats[1].node), {6});  // its room is taken meanwhile
  made = improve(of.view(), of.group, of.space, whole_nodes{});
  CHECK_FALSE(made.ok());
  CHECK(made.wrong.why == refutation::no_room);
  CHECK(of.space.answer.seats.size() == 4);
}

TEST_CASE("a gang of one domain goes to a better one as a whole", "[improve]") {
  scene of{muster::nested_levels(1)};
  // rack 1: two nodes in use, room for one pod on each; rack 2: one empty node that holds both
  of.node(1, {8}, {1});
  of.node(2, {8}, {1});
  of.node(3, {8}, {2});
  of.filler(900, 1, {4});
  of.filler(901, 2, {4});
  auto group = scene::gang(7, 2, {4});
  group.required = muster::topology_level{0};
  muster::workspace<gpus> space;
  place(of.view(), group, space, spread_out{});
  REQUIRE(on(space.answer, 3) == 2);

  // worth of a node: only the last 4 of it. Rack 1 then loses nothing of nodes that are whole
  const improvement made = improve(of.view(), group, space, whole_nodes{});
  CHECK(made.before == -1);
  CHECK(made.after == 0);
  CHECK(made.proved);
  CHECK(on(space.answer, 1) == 1);
  CHECK(on(space.answer, 2) == 1);
  CHECK(space.answer.domain.path == muster::labels{muster::label_id{1}});
}

TEST_CASE("members that run stay, and pin the domain", "[improve]") {
  scene of{muster::nested_levels(1)};
  for (std::uint64_t n = 1; n <= 4; ++n) of.node(n, {8}, {1 + n / 3});
  of.filler(900, 3, {4});  // rack 2 has a node that would be used up at no loss
  auto group = scene::gang(7, 2, {4}, 1);
  group.required = muster::topology_level{0};
  of.group(group);
  of.pods(70, 2, group);
  of.bind(70, 1);
  muster::workspace<gpus> space;
  place(of.view(), group.id, space, spread_out{});
  REQUIRE(on(space.answer, 2) == 1);
  const improvement made = improve(of.view(), group.id, space, whole_nodes{});
  CHECK(made.before == -1);
  CHECK(made.after == 0);
  CHECK(on(space.answer, 1) == 1);  // beside the one that runs
  CHECK(made.proved);
}

TEST_CASE("what the filter forbids is not taken, and bounds nothing", "[improve]") {
  scene of;
  of.node(1, {8}, {}, 1);
  of.node(2, {8}, {}, 1);
  of.node(3, {8}, {}, 2);
  of.filler(900, 3, {1});
  const auto group = scene::gang(7, 2, {3});
  struct first_kind {
    muster::reason_code operator()(const muster::pod_group<gpus>&, std::size_t, muster::kind_id kind) const {
      return kind == muster::kind_id{1} ? muster::eligible_node : muster::reason_code{5};
    }
  };
  const muster::place_options<first_kind, muster::least_allocated<gpus>> how{};
  muster::workspace<gpus> space;
  REQUIRE(place(of.view(), group, space, how).seats.size() == 2);
  const auto given = space.answer;
  CHECK(improve(of.view(), group, space, whole_nodes{}, how).bound == -1);
  CHECK(on(space.answer, 3) == 0);
  space.answer = given;
  CHECK(improve(of.view(), group, space, whole_nodes{}).bound == 0);
  CHECK(on(space.answer, 3) == 2);
}

TEST_CASE("seats that an overlay has taken are taken, and it is left as it was", "[improve]") {
  four_nodes of;
  const auto view = of.view();
  muster::overlay<gpus> so_far{view};
  so_far.charge(0, {8}, 1);
  so_far.charge(1, {4}, 1);
  const auto group = scene::gang(8, 2, {4});
  muster::workspace<gpus> space;
  place(so_far, group, space, spread_out{});
  REQUIRE(space.answer.fits());
  const improvement made = improve(so_far, group, space, whole_nodes{});
  CHECK(made.proved);
  CHECK(made.after == -1);
  CHECK(verify(so_far, group, space.answer.seats).holds());
  CHECK(so_far.now(0)[0] == 0);
  CHECK(so_far.now(1)[0] == 4);
  CHECK(so_far.now(2)[0] == 8);
}

TEST_CASE("the pods of a gang come nearer to each other", "[improve]") {
  scene of{muster::nested_levels(1)};
  for (std::uint64_t n = 1; n <= 6; ++n) of.node(n, {4}, {1 + n % 3});
  const auto group = scene::gang(7, 6, {1});
  muster::workspace<gpus> space;
  place(of.view(), group, space, spread_out{});
  REQUIRE(space.answer.seats.size() == 6);
  muster::seat_space seats;
  const improvement made = improve(of.view(), group, space, muster::nearness{&seats});
  CHECK(made.before == -15 - 12);  // of 15 pairs none shares a node, 3 share a rack
  CHECK(made.after == -8);         // 4 and 2 on the two nodes of a rack
  CHECK(made.bound == -8);
  CHECK(made.proved);
}

TEST_CASE("judgements of candidates are objectives", "[improve]") {
  four_nodes of;
  const muster::gang_shape<gpus> shapes[] = {{{8}, 1, muster::no_level, 1}};
  muster::gang_mix<gpus> mix{std::span{shapes}};
  mix.rebuild(of.view());
  muster::seat_space seats;
  const improvement made = improve(of.view(), of.group, of.space, muster::gangs_kept<gpus>{&mix, &seats});
  CHECK(made.improved());
  CHECK(made.proved);  // everything was tried
  CHECK(of.space.answer.seats.size() == 2);

  of.space.answer.seats.clear();  // pods, that is, not of four but of none: no placement
  of.space.answer.placed = 0;
  CHECK(improve(of.view(), of.group, of.space, muster::gangs_kept<gpus>{&mix, &seats}).wrong.why ==
        refutation::not_enough);
}

TEST_CASE("a value that does not know is the least and breaks nothing", "[improve]") {
  four_nodes of;
  struct unsure {
    double value(const gpus::amounts& left, const gpus::amounts& capacity) const {
      if (left == capacity) return 0.5;
      return left[0] == 4 ? std::numeric_limits<double>::quiet_NaN() : 0.0;
    }
  };
  const improvement made = improve(of.view(), of.group, of.space, unsure{});
  CHECK(made.ok());
  CHECK(made.before == -4 * (std::int64_t{1} << 42));  // a node's loss is held there
  CHECK(made.after == -1'000'000);                      // two nodes filled, none half
  CHECK(made.proved);
  CHECK(verify(of.view(), of.group, of.space.answer.seats).holds());
}

TEST_CASE("without a list of all mixes there is no bound", "[improve]") {
  scene of;
  of.node(1, {400});
  of.node(2, {400});
  muster::pod_group<gpus> group = scene::gang(7, 40, {1});
  group.pod_sets.push_back({{2}, 40, 0});
  group.pod_sets.push_back({{3}, 40, 0});
  muster::workspace<gpus> space;
  REQUIRE(place(of.view(), group, space, spread_out{}).fits());
  const improvement made = improve(of.view(), group, space, whole_nodes{}, {}, {.budget = 400'000});
  CHECK(made.ok());
  CHECK_FALSE(made.bound);
  CHECK(verify(of.view(), group, space.answer.seats).holds());
}

TEST_CASE("a group without waiting pods has nothing to improve", "[improve]") {
  scene of;
  of.node(1, {8});
  auto group = scene::gang(7, 1, {4});
  of.group(group);
  of.pod(70, group);
  of.bind(70, 1);
  muster::workspace<gpus> space;
  REQUIRE(place(of.view(), group.id, space).fits());
  const improvement made = improve(of.view(), group.id, space, whole_nodes{});
  CHECK(made.ok());
  CHECK(made.proved);
  CHECK(made.after == 0);
}

#if defined(__cpp_exceptions)
TEST_CASE("what an objective throws passes through, and answer and overlay are as before", "[improve]") {
  four_nodes of;
  struct fickle {
    mutable int asked = 0;
    std::int64_t value(const gpus::amounts& left, const gpus::amounts&) const {
      if (++asked > 9) throw 7;
      return left[0];
    }
  };
  const auto view = of.view();
  muster::overlay<gpus> before{view};
  CHECK_THROWS_AS(improve(before, of.group, of.space, fickle{}), int);
  CHECK(of.space.answer.seats.size() == 4);
  CHECK(of.space.answer.placed == 4);
  for (std::uint32_t p = 0; p < before.size(); ++p) CHECK(before.now(p)[0] == 8);
  CHECK(improve(view, of.group, of.space, whole_nodes{}).after == -2);
}
#endif

}  // namespace
