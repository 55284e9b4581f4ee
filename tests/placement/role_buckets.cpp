// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/role_buckets.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/generator.hpp"
#include "support/scene.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

namespace {

using cores = muster::resource_vector<1>;
using counts = std::vector<muster::pod_count>;
using roles = muster::role_wishes::roles;
using muster::make_buckets;
using muster::no_bucket;
using muster::role_table;
using muster::role_wishes;
using muster::standing_pods;

/// A gang of roles, each pod of which asks so much.
muster::pod_group<cores> gang_of(std::initializer_list<muster::amount> each) {
  auto gang = muster_test::scene<cores>::gang(1, 0, {});
  gang.pod_sets.clear();
  for (const muster::amount one : each) gang.pod_sets.push_back({{one}, 4, 0});
  return gang;
}

}  // namespace

TEST_CASE("roles rank by their strongest wish, behind those the host names", "[placement]") {
  // 0 has none, 1 is apart from 2, 2 is with its own kind, 3 with 4, 5 apart from its own kind
  role_wishes wishes{{{2}, {3, 4}}, {{1, 2}, {5}}, {}};
  CHECK(role_table{6, wishes}.in_order() == roles{5, 3, 4, 2, 1, 0});
  wishes.order = {0, 1};
  CHECK(role_table{6, wishes}.in_order() == roles{0, 1, 5, 3, 4, 2});
  const role_table table{6, wishes};
  CHECK_FALSE(table.has_wishes(0));
  CHECK(table.likes(2, 2) == 1);
  CHECK(table.likes(4, 3) == 1);
  CHECK(table.likes(3, 3) == 0);
  CHECK(table.likes(2, 1) == -1);
  CHECK(table.likes(5, 5) == -1);
  CHECK(table.is_apart(1, 2));
  CHECK_FALSE(table.is_apart(3, 4));
  const role_table both{2, {{{0, 1}}, {{0, 1}}, {}}};
  CHECK(both.likes(0, 1) == 0);
  CHECK(both.is_apart(0, 1));
  const role_table strangers{2, {{{0, 7}}, {{9}}, {8}}};
  CHECK(strangers.in_order() == roles{0, 1});
  CHECK_FALSE(strangers.has_wishes(1));
}

TEST_CASE("servers apart, workers beside them: a bucket a server, workers dealt out by load", "[placement]") {
  const auto gang = gang_of({2, 1});
  const role_table table{2, {{{0, 1}}, {{1}}, {}}};  // 1 is the server
  const auto plan = make_buckets(gang, counts{5, 2}, {}, table);
  REQUIRE(plan.buckets.size() == 2);
  CHECK(plan.buckets[0].waiting == counts{3, 1});
  CHECK(plan.buckets[1].waiting == counts{2, 1});
  CHECK(plan.turns == roles{1, 0, 0, 0, 1, 0, 0});
  CHECK(plan.bucket_of == roles{0, 0, 0, 0, 1, 1, 1});
}

TEST_CASE("the largest bucket is seated first, and pods without wishes last", "[placement]") {
  const auto gang = gang_of({1, 1, 1});
  const role_table table{3, {{{2}}, {{0, 2}}, {}}};  // 2 with its own kind, 0 apart from it
  const auto plan = make_buckets(gang, counts{1, 2, 3}, {}, table);
  REQUIRE(plan.buckets.size() == 2);
  CHECK(plan.turns == roles{2, 2, 2, 0, 1, 1});
  CHECK(plan.bucket_of == roles{0, 0, 0, 1, no_bucket, no_bucket});
  const role_table named{3, {{{2}}, {{0, 2}}, {0}}};
  const auto other = make_buckets(gang, counts{1, 2, 3}, {}, named);
  CHECK(other.turns == roles{2, 2, 2, 0, 1, 1});  // the host's order makes buckets, but the largest still comes first
  CHECK(other.bucket_of == roles{1, 1, 1, 0, no_bucket, no_bucket});
}

TEST_CASE("pods that run make the bucket of their node, and weigh nothing there", "[placement]") {
  const auto gang = gang_of({1, 1});
  const role_table table{2, {{{0, 1}}, {}, {}}};
  const std::vector<standing_pods> running{{7, 2, 0}, {9, 1, 0}, {9, 1, 1}};
  const auto plan = make_buckets(gang, counts{0, 2}, running, table);
  REQUIRE(plan.buckets.size() == 2);
  CHECK(plan.of_node.at(7) == 0);
  CHECK(plan.of_node.at(9) == 1);
  CHECK(plan.buckets[0].members == counts{2, 2});  // two of role 0 draw both
  CHECK(plan.buckets[0].waiting == counts{0, 2});
  CHECK(plan.buckets[1].members == counts{1, 1});
  CHECK(plan.buckets[1].load == 0);
}

TEST_CASE("buckets as the rule is written, pod by pod", "[placement]") {
  muster_test::generator rng{"role_buckets"};
  std::size_t several = 0;
  for (int round = 0; round < muster_test::rounds(400); ++round) {
    constexpr std::uint32_t count = 3;
    const auto gang = gang_of({rng.between(1, 5), rng.between(1, 5), rng.between(1, 5)});
    role_wishes wishes;
    for (int i = 0; i < 4; ++i) {
      roles some{0, 1, 2};
      rng.shuffle(some);
      some.resize(static_cast<std::size_t>(rng.between(1, 3)));
      if (rng.chance(50)) (rng.chance(50) ? wishes.together : wishes.apart).push_back(some);
    }
    const counts waiting{rng.between(0, 3), rng.between(0, 3), rng.between(0, 3)};
    // the rule
    const auto wants = [&](const std::vector<roles>& lists, std::uint32_t a, std::uint32_t b) {
      return std::any_of(lists.begin(), lists.end(), [&](const roles& some) {
        const auto has = [&](std::uint32_t r) { return std::count(some.begin(), some.end(), r) > 0; };
        return a == b ? some == roles{a} : has(a) && has(b);
      });
    };
    std::vector<std::pair<int, std::uint32_t>> order;
    for (std::uint32_t a = 0; a < count; ++a) {
      int rank = wants(wishes.apart, a, a) ? 4 : wants(wishes.together, a, a) ? 2 : 0;
      for (std::uint32_t b = 0; b < count; ++b) {
        if (a == b) continue;
        if (wants(wishes.together, a, b)) rank = std::max(rank, 3);
        if (wants(wishes.apart, a, b)) rank = std::max(rank, 1);
      }
      order.push_back({-rank, a});
    }
    std::sort(order.begin(), order.end());
    std::vector<roles> buckets;
    for (const auto& [rank, role] : order)
      for (muster::pod_count pod = 0; rank < 0 && pod < waiting[role]; ++pod) {
        std::size_t best = buckets.size();
        int most = -1000;
        muster::amount least = 0;
        for (std::size_t b = 0; b < buckets.size(); ++b) {
          int liked = 0;
          muster::amount load = 0;
          for (const std::uint32_t other : buckets[b]) {
            if (wants(wishes.together, role, other)) ++liked;
            if (wants(wishes.apart, role, other)) --liked;
            load += gang.pod_sets[other].request[0];
          }
          if (liked < most || (liked == most && load >= least)) continue;
          best = b;
          most = liked;
          least = load;
        }
        if (best == buckets.size() || most < 0) {
          buckets.push_back({});
          best = buckets.size() - 1;
        }
        buckets[best].push_back(role);
      }
    const auto plan = make_buckets(gang, waiting, {}, role_table{count, wishes});
    REQUIRE(plan.buckets.size() == buckets.size());
    for (std::size_t b = 0; b < buckets.size(); ++b)
      for (std::uint32_t role = 0; role < count; ++role)
        CHECK(plan.buckets[b].members[role] == std::count(buckets[b].begin(), buckets[b].end(), role));
    std::stable_sort(buckets.begin(), buckets.end(),
                     [](const roles& a, const roles& b) { return a.size() > b.size(); });
    roles turns;
    for (const roles& one : buckets) turns.insert(turns.end(), one.begin(), one.end());
    for (const auto& [rank, role] : order)
      if (rank == 0) turns.insert(turns.end(), static_cast<std::size_t>(waiting[role]), role);
    CHECK(plan.turns == turns);
    several += buckets.size() > 1 ? 1U : 0U;
  }
  CHECK(several > 50);
}
