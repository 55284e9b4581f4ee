// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/count_domains.hpp>
#include <muster/placement/divide.hpp>
#include <muster/placement/seat_division.hpp>
#include <muster/placement/verify.hpp>
#include <muster/resource/devices.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/generator.hpp"
#include "support/scene.hpp"

#include <cstdint>
#include <vector>

namespace {

using gpus = muster::devices<4>;
using scene = muster_test::scene<gpus>;

gpus::request_type whole(std::uint32_t devices) {
  gpus::request_type request{};
  request.whole = devices;
  return request;
}

}  // namespace

TEST_CASE("the seats of a division are a placement of the gang", "[placement]") {
  muster_test::generator rng{3};
  int seated = 0;
  for (int round = 0; round < 200; ++round) {
    scene s{muster::nested_levels(2)};
    const auto nodes = static_cast<std::uint64_t>(rng.between(1, 12));
    for (std::uint64_t n = 0; n < nodes; ++n) {
      s.node(n, {4}, {n / 6, n / 3});
      if (const auto used = rng.between(0, 4); used > 0) s.filler(100 + n, n, whole(static_cast<std::uint32_t>(used)));
    }
    auto gang = scene::gang(1, rng.between(1, 8), whole(1));
    const bool led = rng.between(0, 1) == 1;
    if (led) gang.pod_sets.insert(gang.pod_sets.begin(), {whole(2), 1, 1});
    const auto view = s.view();
    muster::workspace<gpus> space;
    muster::domain_tree tree;
    count_domains(view, gang, muster::node_level, space, tree);
    if (gang.pod_sets.back().count == 1 && led) continue;  // of two single pods the first is the leader: as here
    REQUIRE(tree.fault == muster::tree_fault::none);
    muster::division_wish wish;
    wish.pods = gang.pod_sets.back().count;
    wish.leader = led;
    wish.meaning = muster::level_wish::unconstrained;
    wish.level = muster::topology_level{1};
    wish.rule = rng.between(0, 1) == 1 ? muster::division_rule::best_fit : muster::division_rule::smallest_spread;
    muster::division_space divisions;
    const auto& answer = divide(tree, wish, divisions);
    std::vector<muster::seat<gpus>> seats;
    REQUIRE(seat_division(view, gang, tree, answer, seats) == answer.fits());
    CHECK(answer.fits() == place(view, gang).fits());
    if (!answer.fits()) {
      CHECK(seats.empty());
      continue;
    }
    ++seated;
    CHECK(verify(view, gang, seats).holds());
  }
  CHECK(seated > 50);
}

TEST_CASE("what was taken since the tree was counted is not seated twice", "[placement]") {
  scene s{muster::nested_levels(1)};
  s.node(1, {4}, {1});
  const auto gang = scene::gang(1, 4, whole(1));
  const auto view = s.view();
  muster::overlay<gpus> on{view};
  muster::workspace<gpus> space;
  muster::domain_tree tree;
  muster::division_space divisions;
  count_domains(view, gang, muster::node_level, space, tree);
  muster::division_wish wish;
  wish.pods = 4;
  const auto& answer = divide(tree, wish, divisions);
  REQUIRE(answer.fits());
  std::vector<muster::seat<gpus>> seats;
  CHECK(seat_division(on, gang, tree, answer, seats));
  gpus::grant_type one{};
  REQUIRE(on.take(0, whole(1), 1, one) == 1);
  CHECK(!seat_division(on, gang, tree, answer, seats));
  CHECK(seats.empty());
  count_domains(view, gang, muster::topology_level{0}, space, tree);  // leaves that are no nodes
  CHECK(!seat_division(view, gang, tree, divide(tree, wish, divisions), seats));
}
