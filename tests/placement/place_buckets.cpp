// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/place_buckets.hpp>
#include <muster/placement/verify.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/generator.hpp"
#include "support/scene.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace {

using two = muster::resource_vector<2>;
using scene = muster_test::scene<two>;
using roles = muster::role_wishes::roles;
using muster::role_wishes;
using muster_test::on;

/// Role 0 are workers of 2 cores, role 1 servers of 1.
muster::pod_group<two> training(muster::pod_count workers, muster::pod_count servers) {
  auto gang = scene::gang(1, workers, {2, 0});
  gang.pod_sets.push_back({{1, 0}, servers, 0});
  return gang;
}
const role_wishes servers_apart{{{0, 1}}, {{1}}, {}};

using amounts = std::array<muster::amount, 2>;

}  // namespace

TEST_CASE("each server gets a node, with its workers beside it", "[placement]") {
  scene s;
  for (const std::uint64_t n : {1U, 2U, 3U}) s.node(n, {5, 9});
  const auto gang = training(4, 2);
  muster::workspace<two> space;
  REQUIRE(place_buckets(s.view(), gang, servers_apart, space));
  for (const std::uint64_t n : {1U, 2U}) {
    CHECK(on(space.answer, n, 0) == 2);
    CHECK(on(space.answer, n, 1) == 1);
  }
  REQUIRE(place_buckets(s.view(), gang, role_wishes{}, space));  // without wishes: the fullest node first
  CHECK(on(space.answer, 1, 0) == 2);
  CHECK(on(space.answer, 1, 1) == 1);
  CHECK(on(space.answer, 2, 0) == 2);
}

TEST_CASE("a node that holds more of the bucket is better than a fuller one", "[placement]") {
  scene s;
  s.node(1, {3, 9});
  s.node(2, {7, 9});
  muster::workspace<two> space;
  REQUIRE(place_buckets(s.view(), training(3, 1), servers_apart, space));
  CHECK(on(space.answer, 2) == 4);
}

TEST_CASE("pods that run draw those of their bucket to their node", "[placement]") {
  scene s;
  for (const std::uint64_t n : {1U, 2U}) s.node(n, {5, 9});
  const auto gang = training(3, 2);
  s.group(gang);
  s.pods(10, 3, gang, 0);
  s.pods(20, 2, gang, 1);
  s.bind(20, 2);
  muster::workspace<two> space;
  REQUIRE(place_buckets(s.view(), gang.id, servers_apart, space));
  CHECK(on(space.answer, 1, 1) == 1);
  CHECK(on(space.answer, 2, 0) + on(space.answer, 1, 0) == 3);
  CHECK(on(space.answer, 2, 0) == 2);  // the bucket of the running server is the lighter one
  CHECK(verify(s.view(), gang.id, space.answer.seats).holds());
}

TEST_CASE("wishes are no limits, and what the order does not seat is placed all the same", "[placement]") {
  scene s;
  s.node(1, {2, 9});
  s.node(2, {4, 9});
  muster::workspace<two> space;
  REQUIRE(place_buckets(s.view(), training(0, 4), servers_apart, space));  // four servers, two nodes
  CHECK(space.answer.placed == 4);
  const auto gang = training(2, 2);  // by the rule a server and a worker on node 2 and a server on node 1
  CHECK_FALSE(place_buckets(s.view(), gang, servers_apart, space));
  REQUIRE(space.answer.fits());
  CHECK(verify(s.view(), gang, space.answer.seats).holds());
}

TEST_CASE("how much of a list a node holds by its amounts", "[placement]") {
  const auto gang = training(2, 2);
  CHECK(muster::fitting_part({5, 0}, gang, roles{1, 0, 0, 1}) == 3);
  CHECK(muster::fitting_part({1, 0}, gang, roles{0, 1}) == 0);
  CHECK(muster::fitting_part({9, 0}, gang, roles{0, 1}) == 2);
}

TEST_CASE("buckets are seated as the rule is written, and never refuses what fits", "[placement]") {
  muster_test::generator rng{"place_buckets"};
  int by_rule = 0, by_search = 0, refused = 0;
  for (int round = 0; round < muster_test::rounds(400); ++round) {
    scene s;
    std::vector<amounts> left(static_cast<std::size_t>(rng.between(2, 4)));
    for (std::size_t n = 0; n < left.size(); ++n) {
      left[n] = {rng.between(1, 8), rng.between(1, 8)};
      s.node(n, {left[n][0], left[n][1]});
    }
    auto gang = scene::gang(1, rng.between(1, 3), {rng.between(1, 4), rng.between(0, 4)});
    gang.pod_sets.push_back({{rng.between(1, 4), rng.between(0, 4)}, rng.between(0, 3), 0});
    gang.pod_sets.push_back({{rng.between(1, 2), rng.between(0, 2)}, rng.between(0, 2), 0});
    role_wishes wishes;
    for (int i = 0; i < 3; ++i) {
      roles some{0, 1, 2};
      rng.shuffle(some);
      some.resize(static_cast<std::size_t>(rng.between(1, 2)));
      if (rng.chance(60)) (rng.chance(50) ? wishes.together : wishes.apart).push_back(some);
    }
    s.group(gang);
    std::vector<muster::standing_pods> running;
    muster::pod_count waiting_pods = 0;
    std::vector<muster::pod_count> waiting;
    for (std::uint32_t set = 0; set < 3; ++set) {
      const auto& ask = gang.pod_sets[set].request;
      s.pods(100 * (set + 1), gang.pod_sets[set].count, gang, set);
      waiting.push_back(gang.pod_sets[set].count);
      const auto n = static_cast<std::size_t>(rng.below(left.size()));
      if (waiting[set] > 0 && rng.chance(30) && left[n][0] >= ask[0] && left[n][1] >= ask[1]) {
        s.bind(100 * (set + 1), n);
        for (std::size_t d = 0; d < 2; ++d) left[n][d] -= ask[d];
        running.push_back({static_cast<std::uint32_t>(n), 1, set});
        --waiting[set];
      }
      waiting_pods += waiting[set];
    }
    std::sort(running.begin(), running.end(), [](const auto& a, const auto& b) { return a.position < b.position; });
    // the rule on rows of numbers, from the buckets on
    const muster::role_table table{3, wishes};
    const auto plan = make_buckets(gang, waiting, running, table);
    std::vector<std::vector<muster::pod_count>> there(left.size(), std::vector<muster::pod_count>(3, 0));
    std::map<std::pair<std::uint32_t, std::size_t>, int> mates;
    for (const auto& one : running) {
      ++there[one.position][one.pod_set];
      if (table.has_wishes(one.pod_set)) ++mates[{plan.of_node.at(one.position), one.position}];
    }
    std::vector<std::pair<std::uint64_t, std::uint32_t>> want;
    for (std::size_t turn = 0; turn < plan.turns.size(); ++turn) {
      const std::uint32_t role = plan.turns[turn], bucket = plan.bucket_of[turn];
      std::optional<std::size_t> best;
      muster::pod_count highest = 0;
      for (std::size_t n = 0; n < left.size(); ++n) {
        const auto& ask = gang.pod_sets[role].request;
        if (left[n][0] < ask[0] || left[n][1] < ask[1]) continue;
        muster::pod_count score = 0;
        if (bucket != muster::no_bucket) {
          std::vector<std::uint32_t> still;  // all of the bucket that wait; the last are taken out until they fit
          for (std::size_t t = turn; t < plan.turns.size(); ++t)
            if (plan.bucket_of[t] == bucket) still.push_back(plan.turns[t]);
          const auto too_much = [&] {
            amounts sum{};
            for (const std::uint32_t each : still)
              for (std::size_t d = 0; d < 2; ++d) sum[d] += gang.pod_sets[each].request[d];
            return sum[0] > left[n][0] || sum[1] > left[n][1];
          };
          while (too_much()) still.pop_back();
          score = static_cast<muster::pod_count>(still.size()) + mates[{bucket, n}];
          for (std::uint32_t other = 0; other < 3; ++other)
            if (table.is_apart(role, other)) score -= there[n][other];
        }
        if (best && (score < highest || (score == highest && left[n][0] >= left[*best][0]))) continue;
        best = n;
        highest = score;
      }
      if (!best) break;
      for (std::size_t d = 0; d < 2; ++d) left[*best][d] -= gang.pod_sets[role].request[d];
      ++there[*best][role];
      if (bucket != muster::no_bucket) ++mates[{bucket, *best}];
      want.push_back({*best, role});
    }
    muster::workspace<two> space;
    const auto view = s.view();
    const bool taken = place_buckets(view, gang.id, wishes, space);
    CHECK(taken == (waiting_pods > 0 && want.size() == plan.turns.size()));
    CHECK(space.answer.fits() == place(view, gang.id).fits());
    if (taken) {
      std::vector<std::pair<std::uint64_t, std::uint32_t>> seats;
      for (const auto& one : space.answer.seats) seats.push_back({number(one.node), one.pod_set});
      CHECK(seats == want);
    }
    ++(taken ? by_rule : space.answer.fits() ? by_search : refused);
  }
  CHECK(by_rule > 30);
  CHECK(by_search > 3);
  CHECK(refused > 30);
}
