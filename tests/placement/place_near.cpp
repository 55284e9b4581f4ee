// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/place_near.hpp>
#include <muster/placement/verify.hpp>
#include <muster/resource/resource_vector.hpp>
#include <muster/scoring/scorer.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/generator.hpp"
#include "support/scene.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace {

using cores = muster::resource_vector<1>;
using scene = muster_test::scene<cores>;
using muster_test::on;

/// The rule read from its words, on rows of numbers: names of each node's domains from the coarsest down, and its room.
struct plain_rule {
  using path = std::vector<std::uint64_t>;
  std::vector<path> where;
  std::vector<muster::amount> room;

  [[nodiscard]] static path common(const path& a, const path& b) {
    path both;
    for (std::size_t l = 0; l < std::min(a.size(), b.size()) && a[l] == b[l]; ++l) both.push_back(a[l]);
    return both;
  }
  /// Nodes of the pods, one after another; as many as find one.
  [[nodiscard]] std::vector<std::size_t> seat(const std::vector<muster::amount>& pods, std::size_t levels) const {
    auto left = room;
    std::vector<std::size_t> seats;
    path used;
    for (const muster::amount need : pods) {
      struct candidate {
        std::size_t node;
        double score;
      };
      std::vector<candidate> fitting;
      double highest = -1;
      for (std::size_t n = 0; n < where.size(); ++n) {
        if (left[n] < need) continue;
        double score = 0;
        const path both = common(used, where[n]);
        if (!seats.empty() && both == used && both == where[n]) score = 1;
        else if (!seats.empty() && !both.empty())  // (highest - tier) / (highest - lowest)
          score = double(levels - (levels - both.size() + 1)) / double(levels - 1);
        fitting.push_back({n, score});
        highest = std::max(highest, score);
      }
      std::optional<std::size_t> best;
      std::ptrdiff_t most = -1;
      for (const candidate& one : fitting) {
        if (one.score < highest) continue;
        const auto there =
            std::count_if(seats.begin(), seats.end(), [&](std::size_t n) { return where[n] == where[one.node]; });
        const bool fuller = there == most && left[one.node] < left[*best];
        if (there <= most && !fuller) continue;
        most = there;
        best = one.node;
      }
      if (!best) return seats;
      used = seats.empty() ? where[*best] : common(used, where[*best]);
      left[*best] -= need;
      seats.push_back(*best);
    }
    return seats;
  }
};

}  // namespace

TEST_CASE("pods keep to the used rack, then to its block", "[placement]") {
  scene s{muster::nested_levels(2)};
  s.node(1, {2}, {1, 1});
  s.node(2, {2}, {1, 1});
  s.node(3, {2}, {1, 2});
  s.node(4, {1}, {2, 1});  // fullest: the first pod goes here, and the gang lies wider than it need
  muster::workspace<cores> space;
  REQUIRE(place_near(s.view(), scene::gang(1, 3, {1}), space));
  CHECK(on(space.answer, 4) == 1);
  CHECK(on(space.answer, 1) == 2);
  const muster::place_options<muster::everywhere, muster::least_allocated<cores>> emptiest{};
  REQUIRE(place_near(s.view(), scene::gang(1, 5, {1}), space, emptiest));
  CHECK(on(space.answer, 1) == 2);
  CHECK(on(space.answer, 2) == 2);  // the rack is full then
  CHECK(on(space.answer, 3) == 1);  // and the block's other one is next
}

TEST_CASE("members that run begin the used domain, and of equal tiers the most of them draw", "[placement]") {
  scene s{muster::nested_levels(2)};
  s.node(1, {1}, {1, 1});  // the fullest
  s.node(2, {4}, {1, 2});
  s.node(3, {9}, {2, 1});
  auto gang = scene::gang(1, 4, {1}, 1);
  s.group(gang);
  s.pods(10, 4, gang);
  s.bind(10, 3);
  muster::workspace<cores> space;
  REQUIRE(place_near(s.view(), gang.id, space));
  CHECK(on(space.answer, 3) == 3);
  s.bind(11, 2);  // no domain holds both: nothing is near any more, but two racks have one each
  s.bind(12, 2);
  REQUIRE(place_near(s.view(), gang.id, space));
  CHECK(on(space.answer, 2) == 1);
}

TEST_CASE("pods that the rule's order leaves without a node are placed all the same", "[placement]") {
  scene s{muster::nested_levels(1)};
  s.node(1, {8}, {1});
  s.node(2, {9}, {1});
  auto gang = scene::gang(1, 2, {1});
  gang.pod_sets.push_back({{8}, 1, 0});
  gang.pod_sets.push_back({{7}, 1, 0});
  muster::workspace<cores> space;
  CHECK_FALSE(place_near(s.view(), gang, space));  // 1 and 1 on the node of 8, 8 on that of 9: 7 has no place
  REQUIRE(space.answer.fits());
  CHECK(verify(s.view(), gang, space.answer.seats).holds());
}

TEST_CASE("nodes of 8, 1 and 1, pods of 1, 1 and 8: the rule refuses, the gang is placed", "[placement]") {
  scene s;
  s.node(1, {8});
  for (const std::uint64_t n : {2U, 3U}) s.node(n, {1});
  auto gang = scene::gang(1, 2, {1});
  gang.pod_sets.push_back({{8}, 1, 0});
  const muster::place_options<muster::everywhere, muster::least_allocated<cores>> emptiest{};
  muster::workspace<cores> space;
  CHECK_FALSE(place_near(s.view(), gang, space, emptiest));
  REQUIRE(space.answer.fits());
  CHECK(on(space.answer, 1, 1) == 1);
  CHECK(on(space.answer, 2, 0) == 1);
  CHECK(on(space.answer, 3, 0) == 1);
}

TEST_CASE("near pods are seated as the rule is written, and never refuses what fits", "[placement]") {
  muster_test::generator rng{"place_near"};
  int by_rule = 0, by_search = 0, refused = 0;
  for (int round = 0; round < muster_test::rounds(1200); ++round) {
    const auto levels = static_cast<std::size_t>(rng.between(2, 3));
    scene s{muster::nested_levels(levels)};
    std::vector<plain_rule::path> labels(static_cast<std::size_t>(rng.between(2, 8)));
    for (auto& each : labels)
      for (std::size_t l = 0; l < levels; ++l) each.push_back(rng.below(2));
    std::sort(labels.begin(), labels.end());  // so that nodes stand in the order of their numbers
    plain_rule rule;
    for (std::size_t n = 0; n < labels.size(); ++n) {
      rule.where.push_back(labels[n]);
      rule.room.push_back(rng.between(0, 6));
      muster::node_spec<cores> spec{muster::node_id{n}, {}, {rule.room.back()}, {}};
      for (const std::uint64_t each : labels[n]) spec.labels.push_back(muster::label_id{each});
      s.say(muster::node_seen<cores>{spec});
    }
    const auto count = rng.between(1, 4);  // one draw after the other, whatever the compiler
    auto gang = scene::gang(1, count, {rng.between(1, 4)});
    gang.pod_sets.push_back({{rng.between(1, 4)}, rng.between(0, 4), 0});
    std::vector<muster::amount> pods;
    for (const auto& set : gang.pod_sets) pods.insert(pods.end(), std::size_t(set.count), set.request[0]);
    const auto want = rule.seat(pods, levels);
    muster::workspace<cores> space;
    const auto view = s.view();
    const bool taken = place_near(view, gang, space);
    CHECK(taken == (want.size() == pods.size()));
    CHECK(space.answer.fits() == place(view, gang).fits());
    if (taken) {
      std::vector<std::size_t> seats;
      for (const auto& one : space.answer.seats) seats.push_back(number(one.node));
      CHECK(seats == want);
    }
    ++(taken ? by_rule : space.answer.fits() ? by_search : refused);
  }
  CHECK(by_rule > 30);
  CHECK(by_search > 3);
  CHECK(refused > 30);
}
