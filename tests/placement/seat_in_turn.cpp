// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/eligibility.hpp>
#include <muster/placement/seat_in_turn.hpp>
#include <muster/resource/resource_vector.hpp>
#include <muster/scoring/scorer.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/generator.hpp"
#include "support/scene.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

using cores = muster::resource_vector<1>;
using scene = muster_test::scene<cores>;
using muster::fit_order;

/// Node by node of the pods that were seated.
std::vector<std::uint64_t> nodes_of(const std::vector<muster::seat<cores>>& seats) {
  std::vector<std::uint64_t> nodes;
  for (const auto& one : seats) nodes.push_back(number(one.node));
  return nodes;
}

/// Nodes 1, 2, 3 with 2, 5 and 3 cores; pods of 3, 2 and 2.
struct row {
  row() {
    s.node(1, {2});
    s.node(2, {5});
    s.node(3, {3});
    gang.pod_sets.push_back({{2}, 2, 0});
  }
  std::vector<std::uint64_t> seat(fit_order order) {
    const auto view = s.view();
    muster::overlay<cores> on{view};
    std::vector<muster::seat<cores>> seats;
    const std::vector<std::uint32_t> turns{0, 1, 1}, nodes{0, 1, 2};
    const std::size_t seated = seat_in_order(on, gang, turns, nodes, order, muster::everywhere{}, seats);
    CHECK(seated == seats.size());
    return nodes_of(seats);
  }
  scene s;
  muster::pod_group<cores> gang = scene::gang(1, 1, {3});
};

}  // namespace

TEST_CASE("first-fit looks at every node again, next-fit not behind the last one", "[placement]") {
  row s;
  CHECK(s.seat(fit_order::first_fit) == std::vector<std::uint64_t>{2, 1, 2});
  CHECK(s.seat(fit_order::next_fit) == std::vector<std::uint64_t>{2, 2, 3});
  s.gang.pod_sets[0].request = {4};
  CHECK(s.seat(fit_order::first_fit) == std::vector<std::uint64_t>{2, 1, 3});
  CHECK(s.seat(fit_order::next_fit) == std::vector<std::uint64_t>{2, 3});  // node 1 has room and lies behind
}

TEST_CASE("a node takes a pod if it is open, has a slot and room, and may be used", "[placement]") {
  scene s;
  for (std::uint64_t n = 1; n <= 4; ++n) s.node(n, {n == 3 ? 1 : 2}, {}, n == 4 ? 7U : 0U);
  s.say(muster::node_closed{muster::node_id{2}, s.time(0), muster::end_of_time});
  const auto gang = scene::gang(1, 1, {2});
  const auto view = s.view();
  const auto not_seven = [](const muster::pod_group<cores>&, std::size_t, muster::kind_id kind) {
    return muster::reason_code{kind == muster::kind_id{7} ? 1U : 0U};
  };
  const auto at = [&](std::uint64_t id) { return *view.find(muster::node_id{id}); };
  CHECK(takes_pod(view, gang, 0, at(1), not_seven));
  CHECK_FALSE(takes_pod(view, gang, 0, at(2), not_seven));
  CHECK_FALSE(takes_pod(view, gang, 0, at(3), not_seven));
  CHECK_FALSE(takes_pod(view, gang, 0, at(4), not_seven));
  CHECK(takes_pod(view, gang, 0, at(4), muster::everywhere{}));
  const std::vector<muster::run> only{{at(4), at(4) + 1}};
  CHECK_FALSE(takes_pod(view, gang, 0, at(1), muster::inside<>{only, {}}));
  muster::overlay<cores> on{view};
  on.charge(at(1), {0}, muster::max_pods_per_node);
  CHECK_FALSE(takes_pod(on, gang, 0, at(1), muster::everywhere{}));
}

TEST_CASE("a pod's score is the scorer's, or less left where there is none", "[placement]") {
  scene s;
  s.node(1, {4});
  s.filler(9, 1, {1});
  const auto view = s.view();
  CHECK(score_pod(view, {1}, 0, muster::fullest_first{}) == -3);
  CHECK(score_pod(view, {1}, 0, muster::most_allocated<cores>{}) == 500'000);
}

TEST_CASE("seating stops at the first pod without a node, and what was taken stays taken", "[placement]") {
  scene s;
  s.node(1, {3});
  const auto gang = scene::gang(1, 5, {1});
  const auto view = s.view();
  muster::overlay<cores> on{view};
  std::vector<muster::seat<cores>> seats;
  const auto turns = muster::turns_by_set(std::vector<muster::pod_count>{5});
  CHECK(turns.size() == 5);
  const auto twice = [](std::size_t turn) { return turn < 2 ? 0U : muster::no_position; };
  CHECK(seat_in_turn(on, gang, turns, twice, seats) == 2);
  CHECK(cores::amount_left(on.now(0), 0) == 1);
}

TEST_CASE("first-fit and next-fit seat as a plain walk does", "[placement]") {
  muster_test::generator rng{"seat_in_order"};
  for (int round = 0; round < muster_test::rounds(300); ++round) {
    scene s;
    std::vector<muster::amount> room;
    for (std::uint64_t n = 0; n < 5; ++n) {
      room.push_back(rng.between(0, 6));
      s.node(n, {room.back()});
    }
    auto gang = scene::gang(1, 4, {rng.between(1, 4)});
    gang.pod_sets.push_back({{rng.between(1, 4)}, 4, 0});
    std::vector<std::uint32_t> turns, nodes{0, 1, 2, 3, 4};
    for (int p = 0; p < 8; ++p) turns.push_back(static_cast<std::uint32_t>(rng.below(2)));
    rng.shuffle(nodes);
    for (const fit_order order : {fit_order::first_fit, fit_order::next_fit}) {
      std::vector<std::uint64_t> want;
      auto left = room;
      std::size_t from = 0;
      for (const std::uint32_t set : turns) {
        const muster::amount need = gang.pod_sets[set].request[0];
        std::size_t n = order == fit_order::next_fit ? from : 0;
        while (n < nodes.size() && left[nodes[n]] < need) ++n;
        if (n == nodes.size()) break;
        left[nodes[n]] -= need;
        from = n;
        want.push_back(nodes[n]);
      }
      const auto view = s.view();
      muster::overlay<cores> on{view};
      std::vector<muster::seat<cores>> seats;
      CHECK(seat_in_order(on, gang, turns, nodes, order, muster::everywhere{}, seats) == want.size());
      CHECK(nodes_of(seats) == want);
    }
  }
}
