// SPDX-License-Identifier: BSL-1.0
#include <muster/resource/resource_vector.hpp>
#include <muster/scoring/set_spread.hpp>

#include "support/allocation.hpp"
#include "support/catch.hpp"
#include "support/generator.hpp"
#include "support/scene.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

namespace {

using one = muster::resource_vector<1>;
using scene = muster_test::scene<one>;
using muster::topology_level;
constexpr topology_level zone{0}, rack{1};

struct seat {
  std::uint32_t position = 0;
  muster::pod_count count = 0;
};

// Two zones of two racks of two nodes: positions 0 .. 7 in this order.
scene eight_nodes() {
  scene s{muster::nested_levels(2)};
  for (std::uint64_t n = 0; n < 8; ++n) s.node(n + 1, {8}, {1 + n / 4, 1 + n / 2});
  return s;
}

muster::set_spread spread(scene& s, const std::vector<seat>& seats) {
  muster::seat_space space;
  return spread_of(s.view(), seats, space);
}

// By every pair of pods, and where each of them stands.
void check_pairs(const muster::snapshot<one>& view, const std::vector<seat>& seats, const muster::set_spread& set) {
  std::vector<std::uint32_t> pods;
  for (const seat& some : seats) pods.insert(pods.end(), static_cast<std::size_t>(some.count), some.position);
  const std::size_t levels = view.levels().size();
  const auto together = [&](std::uint32_t a, std::uint32_t b, std::size_t l) {
    if (a == b) return true;
    return l < levels && view.domain_of(a, l) != muster::no_domain && view.domain_of(a, l) == view.domain_of(b, l);
  };
  std::int64_t distance = 0, pairs = 0;
  std::vector<std::int64_t> at(levels + 1);
  for (std::size_t i = 0; i < pods.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      ++pairs;
      for (std::size_t l = 0; l <= levels; ++l) {
        if (together(pods[i], pods[j], l)) ++at[l];
        else ++distance;
      }
    }
  REQUIRE(set.pods == static_cast<muster::pod_count>(pods.size()));
  REQUIRE(set.pairs == pairs);
  REQUIRE(set.distance == distance);
  topology_level shared = muster::no_level;
  for (std::size_t l = 0; l <= levels; ++l) {
    REQUIRE(set.of_level[l].together == at[l]);
    if (at[l] == pairs) shared = l == levels ? muster::node_level : static_cast<topology_level>(l);
    // pods that are together with a first one are its domain
    std::map<std::uint32_t, muster::pod_count> domains;
    for (const std::uint32_t p : pods) {
      const auto first = std::find_if(pods.begin(), pods.end(), [&](std::uint32_t q) { return together(p, q, l); });
      ++domains[*first];
    }
    REQUIRE(set.of_level[l].domains == domains.size());
    muster::pod_count most = 0, least = domains.empty() ? 0 : muster::max_pods_per_group;
    for (const auto& [first, count] : domains) {
      most = std::max(most, count);
      least = std::min(least, count);
    }
    REQUIRE(set.of_level[l].fullest == most);
    REQUIRE(set.of_level[l].emptiest == least);
  }
  REQUIRE(set.shared == shared);
}

}  // namespace

TEST_CASE("a set in one rack, in two of a zone, in two zones", "[scoring]") {
  scene s = eight_nodes();
  // 3 and 1 pods on the two nodes of a rack: 3 pairs on one node, 3 between them
  const auto near = spread(s, {{0, 3}, {1, 1}});
  CHECK(near.at(muster::node_level).domains == 2);
  CHECK(near.at(muster::node_level).fullest == 3);
  CHECK(near.at(rack).domains == 1);
  CHECK(near.shared == rack);
  CHECK(near.pairs == 6);
  CHECK(near.distance == 3);
  // the fourth pod in the other rack of the zone: its three pairs are two levels apart
  const auto farther = spread(s, {{0, 2}, {1, 1}, {3, 1}});
  CHECK(farther.shared == zone);
  CHECK(farther.at(rack).domains == 2);
  CHECK(farther.at(rack).fullest == 3);
  CHECK(farther.at(rack).emptiest == 1);
  CHECK(farther.distance == 2 * 1 + 3 * 2);
  // one in the other zone
  const auto far = spread(s, {{0, 3}, {7, 1}});
  CHECK(far.shared == muster::no_level);
  CHECK(far.distance == 3 * 3);
}

TEST_CASE("locality is the share of pairs that are together, nearness what they are on the average", "[scoring]") {
  scene s = eight_nodes();
  const auto set = spread(s, {{0, 2}, {1, 1}, {3, 1}});
  CHECK(locality_score(set, muster::node_level) == 16);  // 1 of 6
  CHECK(locality_score(set, rack) == 50);
  CHECK(locality_score(set, zone) == 100);
  CHECK(closeness_score(set) == 55);  // 10 of 18
  CHECK(closeness_score(spread(s, {{5, 4}})) == 100);
  CHECK(closeness_score(spread(s, {{0, 1}, {4, 1}})) == 0);
}

TEST_CASE("the level that all share is scored in equal steps", "[scoring]") {
  scene s = eight_nodes();
  CHECK(shared_level_score(spread(s, {{2, 4}})) == 100);
  CHECK(shared_level_score(spread(s, {{2, 1}, {3, 1}})) == 100);
  CHECK(shared_level_score(spread(s, {{1, 1}, {3, 1}})) == 50);
  CHECK(shared_level_score(spread(s, {{1, 1}, {4, 1}})) == 0);
}

TEST_CASE("evenness is by the fullest domain, skew by the emptiest, too", "[scoring]") {
  scene s = eight_nodes();
  const auto set = spread(s, {{0, 3}, {2, 1}, {4, 2}, {6, 2}});
  CHECK(spread_score(set, rack, 4) == 66);  // 2 would do, it is 3
  CHECK(skew(set, rack, 4) == 2);
  CHECK(spread_score(set, zone, 2) == 100);
  CHECK(skew(set, zone, 2) == 0);
  CHECK(spread_score(set, muster::node_level, 8) == 33);  // 1 would do
  CHECK(skew(set, muster::node_level, 8) == 3);
  CHECK(skew(set, zone, 3) == 4);           // a third zone has none
  CHECK(spread_score(set, zone, 3) == 75);  // 3, 3 and 2 would do
  CHECK(spread_score(set, rack, 0) == 66);  // at least those that hold pods
}

TEST_CASE("no pod and one pod are as near and as even as can be", "[scoring]") {
  scene s = eight_nodes();
  for (const auto& seats : {std::vector<seat>{}, std::vector<seat>{{3, 0}}, std::vector<seat>{{3, 1}, {4, 0}}}) {
    const auto set = spread(s, seats);
    CHECK(set.shared == muster::node_level);
    CHECK(set.distance == 0);
    CHECK(locality_score(set, rack) == 100);
    CHECK(closeness_score(set) == 100);
    CHECK(shared_level_score(set) == 100);
    CHECK(spread_score(set, rack, 4) == 100);
  }
}

TEST_CASE("a topology without levels has its nodes", "[scoring]") {
  scene s;
  s.node(1, {8});
  s.node(2, {8});
  const auto set = spread(s, {{0, 1}, {1, 1}});
  CHECK(set.shared == muster::no_level);
  CHECK(set.distance == 1);
  CHECK(shared_level_score(set) == 0);
  CHECK(shared_level_score(spread(s, {{0, 2}})) == 100);
}

TEST_CASE("pods without number are counted to the end", "[scoring]") {
  scene s = eight_nodes();
  constexpr muster::pod_count many = muster::pod_count{1} << 40;
  const auto set = spread(s, {{0, many}, {7, many}});
  CHECK(set.pairs == std::numeric_limits<std::int64_t>::max());
  CHECK(set.at(zone).fullest == many);
  CHECK(closeness_score(set) >= 0);
  CHECK(closeness_score(set) <= 100);
  CHECK(locality_score(set, rack) <= 100);
}

TEST_CASE("a spread is what all pairs say, whatever labels are missing or merged", "[scoring]") {
  muster_test::generator rng{"set spread"};
  muster::seat_space space;
  for (int round = 0; round < muster_test::rounds(300); ++round) {
    muster::topology levels = muster::nested_levels(static_cast<std::size_t>(rng.below(4)));
    for (auto& level : levels.levels) level.merge_equal_names = rng.chance(25);
    scene s{levels};
    const auto nodes = rng.between(1, 12);
    for (std::int64_t n = 1; n <= nodes; ++n) {
      muster::node_spec<one> spec{muster::node_id{static_cast<std::uint64_t>(n)}, {}, {8}, {}};
      for (auto left = rng.below(levels.size() + 1); left > 0; --left)
        spec.labels.push_back(rng.chance(15) ? muster::no_label : muster::label_id{1 + rng.below(2)});
      s.say(muster::node_seen<one>{spec});
    }
    std::vector<seat> seats;
    for (auto some = rng.between(0, 8); some > 0; --some)
      seats.push_back({static_cast<std::uint32_t>(rng.below(static_cast<std::uint64_t>(nodes))), rng.between(0, 4)});
    const auto view = s.view();
    check_pairs(view, seats, spread_of(view, seats, space));
  }
}

TEST_CASE("a second spread with the same memory allocates nothing", "[scoring]") {
  scene s = eight_nodes();
  const auto view = s.view();
  const std::vector<seat> seats{{0, 3}, {5, 1}, {2, 2}};
  muster::seat_space space;
  (void)spread_of(view, seats, space);
  const muster_test::allocation_watch watch;
  (void)spread_of(view, seats, space);
  const auto calls = watch.calls();
  CHECK(calls == 0);
}
