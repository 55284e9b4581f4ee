// SPDX-License-Identifier: BSL-1.0
// Budgets of exact search: what ends early claims nothing false, and goes on where it ended.
#include <muster/placement/place.hpp>
#include <muster/placement/verify.hpp>
#include <muster/placement/verify_certificate.hpp>
#include <muster/resource/devices.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/generator.hpp"
#include "support/scene.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>

namespace {

using three = muster::resource_vector<3>;
using scene = muster_test::scene<three>;
using muster::pod_count;
using muster::verdict;

/// Gangs of five or six pod sets on a few tight kinds of nodes: what is hard.
struct hard_question {
  scene s;
  muster::pod_group<three> gang;
  explicit hard_question(muster_test::generator& rng) {
    const auto kinds = rng.between(2, 4);
    std::uint64_t id = 0;
    for (std::int64_t k = 0; k < kinds; ++k) {
      const three::amounts shape{rng.between(6, 12), rng.between(8, 16), rng.between(8, 16)};
      for (auto n = rng.between(3, 8); n > 0; --n) s.node(++id, shape);
    }
    gang = scene::gang(1, rng.between(2, 8), request(rng));
    for (auto sets = rng.between(4, 5); sets > 0; --sets) gang.pod_sets.push_back({request(rng), rng.between(2, 8), 0});
  }
  static three::amounts request(muster_test::generator& rng) {
    return {rng.between(1, 6), rng.between(1, 7), rng.between(1, 7)};
  }
  /// Takes pods away until the most fit, so that the question is tight.
  void tighten(muster::workspace<three>& space) {
    gang.min_count = 0;
    const auto& most = place(s.view(), gang, space, muster::place_options<>{.largest = true});
    if (most.fits()) gang.min_count = std::min(most.placed + 1, declared_pods(gang));
  }
};

/// Two devices a node, and how often a search asked what such a node hosts.
struct counted_devices : muster::devices<2> {
  static inline std::uint64_t asked = 0;
  template <class Emit>
  static muster::hosting hosts(const state_type& state, std::span<const request_type> requests,
                               std::span<const pod_count> counts, const Emit& emit) {
    ++asked;
    return muster::devices<2>::hosts(state, requests, counts, emit);
  }
};

struct stop_after {
  int* asked;
  int limit;
  bool operator()() const { return ++*asked > limit; }
};

}  // namespace

TEST_CASE("a search that is cut short claims nothing, and resumed it ends as the whole one", "[placement]") {
  muster_test::generator rng{"budgets"};
  muster::workspace<three> space, other;
  int cut_short = 0, resumed = 0;
  for (int round = muster_test::rounds(60); round > 0; --round) {
    hard_question q{rng};
    q.tighten(space);
    if (rng.chance(50) && q.gang.min_count) --*q.gang.min_count;
    const auto view = q.s.view();
    const auto whole = place(view, q.gang, muster::place_options<>{.extras = false});
    REQUIRE(whole.verdict != verdict::undecided);
    for (const std::uint64_t budget : {std::uint64_t{0}, whole.steps / 8, whole.steps / 2}) {
      const auto part = place(view, q.gang, muster::place_options<>{.extras = false, .budget = budget});
      if (part.verdict != verdict::undecided) {
        REQUIRE((part.verdict == whole.verdict || muster::is_proved_no(whole.verdict)));
        continue;
      }
      ++cut_short;
      REQUIRE(part.reason == muster::refusal_reason::search_ended);
      REQUIRE(part.lack.bound >= part.lack.seated);
      REQUIRE(part.steps <= budget + 100'000);
      if (whole.fits()) REQUIRE(part.lack.bound >= whole.placed);
      if (!whole.fits()) REQUIRE(part.lack.seated < part.lack.needed);
    }
    // a little at a time
    muster::place_options<> how{.extras = false, .budget = whole.steps / 6 + 1, .resume = true};
    int calls = 0;
    const auto* answer = &place(view, q.gang, other, how);
    while (answer->verdict == verdict::undecided && ++calls < 100) {
      how.budget *= 2;
      answer = &place(view, q.gang, other, how);
    }
    resumed += calls > 0 ? 1 : 0;
    // which no it is may stay open where the budget ended after the first
    REQUIRE((answer->verdict == whole.verdict ||
             (muster::is_proved_no(answer->verdict) && muster::is_proved_no(whole.verdict))));
    if (answer->fits())
      REQUIRE(verify(view, q.gang, std::span<const muster::seat<three>>{answer->seats}).holds());
    else CHECK(std::string{name(verify(view, q.gang, answer->proof).why)} == "none");
  }
  std::printf("searches cut short %d, resumed %d\n", cut_short, resumed);
  CHECK(cut_short > 10);
  CHECK(resumed > 5);
}

TEST_CASE("a caller may stop a search, and is told that it was stopped", "[placement]") {
  muster_test::generator rng{"stopping"};
  muster::workspace<three> space;
  int stopped = 0;
  for (int round = 0; round < 40; ++round) {
    hard_question q{rng};
    q.tighten(space);
    int asked = 0;
    muster::place_options<muster::everywhere, muster::fullest_first, stop_after> how{
        .extras = false, .stop = {&asked, 0}};
    const auto answer = place(q.s.view(), q.gang, how);
    if (answer.verdict != verdict::undecided) continue;
    CHECK(answer.stopped);
    CHECK(answer.lack.bound >= answer.lack.seated);
    ++stopped;
  }
  CHECK(stopped > 0);
}

TEST_CASE("absurd sizes are answered within the budget", "[placement]") {
  using muster::max_pods_per_group;
  scene s;
  for (std::uint64_t n = 0; n < 40; ++n)
    s.node(n, {1'000'000 + static_cast<std::int64_t>(n) * 977, 900'001, 800'000 - static_cast<std::int64_t>(n) * 13});
  SECTION("two to the thirtieth pods that ask nothing") {
    auto gang = scene::gang(1, pod_count{1} << 30, {0, 0, 0});
    gang.pod_sets.push_back({{1, 1, 1}, 4, 0});
    const auto answer = place(s.view(), gang);
    CHECK(answer.verdict != verdict::fits);  // no node takes more than max_pods_per_node
    CHECK(answer.lack.bound < pod_count{1} << 30);
  }
  SECTION("tiny pods, and more patterns than are kept") {
    auto gang = scene::gang(1, 4000, {1, 3, 2});
    for (std::int64_t k = 2; k < 8; ++k) gang.pod_sets.push_back({{k, 7 - k, k + 1}, 3000, 0});
    const auto answer = place(s.view(), gang);
    CHECK(answer.fits());
    gang.pod_sets[0].request = {900'000, 3, 2};
    gang.pod_sets[0].count = 41;
    const auto refused = place(s.view(), gang);
    CHECK(refused.verdict == verdict::never);
    CHECK(verify(s.view(), gang, refused.proof).result != muster::proof::refuted);
  }
  SECTION("64 pod sets, all unlike, too tight to try everything") {
    auto gang = scene::gang(1, 3, {300'000, 1, 1});
    for (std::int64_t k = 1; k < 64; ++k) gang.pod_sets.push_back({{300'000 + 1'111 * k, 5 * k, 64 - k}, 3, 0});
    const auto answer = place(s.view(), gang);
    CHECK(answer.steps <= 4'200'000);
    if (answer.verdict == verdict::undecided) CHECK(answer.lack.bound >= answer.lack.seated);
    else CHECK(answer.verdict != verdict::invalid);
  }
  SECTION("nodes without anything") {
    scene bare;
    for (std::uint64_t n = 0; n < 10; ++n) bare.node(n, {0, 0, 0});
    auto gang = scene::gang(1, 3, {1, 0, 0});
    gang.pod_sets.push_back({{0, 1, 0}, 2, 0});
    CHECK(place(bare.view(), gang).verdict == verdict::never);
    gang.pod_sets[0].request = gang.pod_sets[1].request = {};
    CHECK(place(bare.view(), gang).fits());
    gang.pod_sets[1].request = {0, 0, 1};
    gang.min_count = 3;
    CHECK(place(bare.view(), gang).placed == 3);
  }
}

TEST_CASE("a greedy order that seats enough where the search ended is a placement", "[placement]") {
  scene s;
  s.node(1, {10, 1, 1});
  s.node(2, {10, 1, 1});
  auto gang = scene::gang(1, 2, {4, 0, 0});  // in pod set order the small ones share a node
  gang.pod_sets.push_back({{6, 0, 0}, 2, 0});
  const auto answer = place(s.view(), gang, muster::place_options<>{.budget = 0});
  CHECK(answer.fits());
  CHECK(answer.placed == 4);
  CHECK(answer.reason == muster::refusal_reason::none);
  CHECK(verify(s.view(), gang, std::span<const muster::seat<three>>{answer.seats}).holds());
}

TEST_CASE("what a model is asked is within the budget, however many pods fit beside each other", "[placement]") {
  using shares = muster_test::scene<counted_devices>;
  shares s;
  for (std::uint64_t n = 1; n <= 20; ++n) s.node(n, {.count = 2});
  auto gang = shares::gang(1, 10'000, {});  // without devices
  gang.pod_sets.push_back({{.share = 300}, 120, 0});
  gang.pod_sets.push_back({{.share = 150}, 40, 0});
  for (const std::uint64_t budget : {std::uint64_t{10}, std::uint64_t{100}, std::uint64_t{1000}}) {
    counted_devices::asked = 0;
    const auto answer = place(s.view(), gang, muster::place_options<>{.extras = false, .budget = budget});
    CHECK_FALSE(answer.fits());
    CHECK(counted_devices::asked <= budget + 100);
  }
}

TEST_CASE("a gang that wants one node is asked about tens of thousands of them", "[placement]") {
  scene s;
  for (std::uint64_t n = 1; n <= 40'000; ++n) s.node(n, {10, 10, 0});
  auto gang = scene::gang(1, 2, {5, 1, 0}, 3);  // three fit by each sum, two in all
  gang.pod_sets.push_back({{1, 5, 0}, 2, 0});
  gang.required = muster::node_level;
  const auto ended = place(s.view(), gang, muster::place_options<>{.budget = 0});
  CHECK(ended.verdict == verdict::undecided);
  CHECK(ended.lack.seated == 2);
  CHECK(ended.lack.bound == 3);
  const auto refused = place(s.view(), gang);
  CHECK(refused.verdict == verdict::never);
  CHECK(refused.lack.bound == 2);
  CHECK(refused.proof.refusals.size() == 80'000);  // now, and without pods
  CHECK(verify(s.view(), gang, refused.proof).holds());
}

TEST_CASE("pods that no node could ever hold have a size, too", "[placement]") {
  constexpr auto most = muster::max_amount;
  scene s;
  s.node(1, {10, 0, 0});
  s.node(2, {10, 0, 0});
  auto gang = scene::gang(1, 2, {4, 0, 0}, 4);
  gang.pod_sets.push_back({{6, 0, 0}, 2, 0});
  gang.pod_sets.push_back({{1, most, most}, 1, 0});  // their shares add up to more than an amount can say
  gang.pod_sets.push_back({{2, most, most}, 1, 0});
  CHECK(place(s.view(), gang, muster::place_options<>{.budget = 0}).fits());
}
