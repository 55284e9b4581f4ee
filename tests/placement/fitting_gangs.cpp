// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/best_candidate.hpp>
#include <muster/placement/fitting_gangs.hpp>
#include <muster/placement/list_candidates.hpp>
#include <muster/resource/resource_vector.hpp>
#include <muster/scoring/gangs_lost.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/generator.hpp"
#include "support/scene.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace {

using two = muster::resource_vector<2>;
using scene = muster_test::scene<two>;
using muster::expected_gang;
using muster::fitting_gangs;
using muster::topology_level;

constexpr topology_level rack{0};

muster::pod_group<two> gang_in(topology_level level, std::uint64_t id, muster::pod_count pods, two::request_type each) {
  auto gang = scene::gang(id, pods, each);
  gang.required = level;
  return gang;
}

}  // namespace

TEST_CASE("each gang of a mix is asked for alone, with all it asks", "[placement]") {
  scene s{muster::nested_levels(1)};
  for (std::uint64_t n = 1; n <= 4; ++n) s.node(n, {4, 4}, {(n + 1) / 2});
  std::vector<expected_gang<two>> mix{{gang_in(rack, 1, 2, {4, 1}), 5},     // fits a rack
                                      {gang_in(rack, 2, 3, {4, 1}), 7},     // three nodes: no rack has them
                                      {gang_in(muster::no_level, 3, 3, {4, 1}), 11},
                                      {gang_in(muster::no_level, 4, 1, {9, 9}), 0}};
  mix.push_back({gang_in(muster::no_level, 5, 1, {1, 1}), -4});             // counts as 0
  auto mixed = gang_in(rack, 6, 2, {3, 1});
  mixed.pod_sets.push_back({{1, 3}, 2, 0});                                 // two of each on two nodes
  mix.push_back({mixed, 13});
  auto faulty = gang_in(topology_level{5}, 7, 1, {1, 1});
  mix.push_back({faulty, 17});
  muster::workspace<two> space;
  const auto all = std::span<const expected_gang<two>>{mix};
  auto found = fitting_gangs(s.view(), all, space);
  CHECK(found.fits == 5 + 11 + 13);
  CHECK(found.unknown == 0);
  CHECK(found.faulty == 1);
  s.filler(90, 1, {1, 0});
  s.filler(91, 3, {1, 0});
  found = fitting_gangs(s.view(), all, space);
  CHECK(found.fits == 0);  // no two whole nodes in a rack, no three anywhere; 3 + 1 do not sit beside each other
  const auto view = s.view();
  muster::overlay<two> on{view};
  CHECK(fitting_gangs(on, all, space).fits == 0);
}

TEST_CASE("of two racks the one that leaves more of the mix room", "[placement]") {
  scene s{muster::nested_levels(1)};
  s.node(1, {4, 4}, {1});
  s.node(2, {4, 4}, {1});
  s.node(3, {4, 2}, {2});
  s.node(4, {4, 2}, {2});
  auto mixed = gang_in(rack, 6, 2, {3, 1});
  mixed.pod_sets.push_back({{1, 3}, 2, 0});  // only rack 1 has the second resource for it
  const std::vector<expected_gang<two>> mix{{mixed, 1}};
  muster::candidate_list list;
  const auto view = s.view();
  REQUIRE(list_candidates(view, rack, all_nodes(view), list).ok());
  muster::workspace<two> space, other;
  const muster::judgements<muster::gangs_fitting_after<two>> by{{{1, {mix, &other, {}}}}};
  const auto gang = scene::gang(1, 2, {1, 1});
  const auto chosen = best_candidate(view, gang, list, space, muster::place_options<>{}, by);
  CHECK(chosen.candidate == 1);
  CHECK(chosen.score == 100);
}

TEST_CASE("of alike gangs that fit once at most both forms lose the same", "[placement]") {
  muster_test::generator rng{77};
  int lost_some = 0;
  for (int round = 0; round < 200; ++round) {
    scene s{muster::nested_levels(1)};
    const auto nodes = static_cast<std::uint64_t>(rng.between(2, 6));
    for (std::uint64_t n = 0; n < nodes; ++n) s.node(n, {rng.between(1, 4), rng.between(1, 4)}, {n / 3 + 1});
    std::vector<expected_gang<two>> mix;
    std::vector<muster::gang_shape<two>> shapes;
    for (std::uint64_t g = 0; g < 3; ++g) {
      const two::request_type each{rng.between(1, 3), rng.between(1, 3)};
      const auto pods = rng.between(1, 5), weight = rng.between(1, 9);
      mix.push_back({gang_in(rack, g + 1, pods, each), weight});
      shapes.push_back({each, pods, rack, weight});
    }
    const auto view = s.view();
    muster::gang_mix<two> counted{shapes};
    counted.rebuild(view);
    muster::overlay<two> on{view};
    muster::workspace<two> space, other;
    const auto& answer = place(view, scene::gang(9, rng.between(1, 3), {1, 1}), space);
    if (!answer.fits()) continue;
    const auto before = fitting_gangs(on, std::span<const expected_gang<two>>{mix}, other);
    take_seats(on, answer);
    const auto after = fitting_gangs(on, std::span<const expected_gang<two>>{mix}, other);
    CHECK(after.fits <= before.fits);
    // by slots: a gang stops fitting where every rack that held one holds none
    std::int64_t want = 0;
    for (std::size_t g = 0; g < shapes.size(); ++g) {
      bool fitted = false, fits = false;
      std::vector<muster::pod_count> slots(counted.slots(g).begin(), counted.slots(g).end());
      muster::gang_mix<two> then{shapes};
      then.rebuild(on);
      for (std::size_t d = 0; d < slots.size(); ++d) {
        fitted = fitted || slots[d] >= shapes[g].pods;
        fits = fits || then.slots(g)[d] >= shapes[g].pods;
      }
      if (fitted && !fits) want += shapes[g].weight;
    }
    CHECK(before.fits - after.fits == want);
    lost_some += want > 0 ? 1 : 0;
  }
  CHECK(lost_some > 10);
}
