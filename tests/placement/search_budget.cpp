// SPDX-License-Identifier: BSL-1.0
// Budgets of exact search: what ends early claims nothing false, and goes on where it ended.
#include <muster/placement/place.hpp>
#include <muster/placement/verify.hpp>
#include <muster/placement/verify_certificate.hpp>
#include <muster/resource/devices.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/allocation.hpp"
#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/generator.hpp"
#include "support/scene.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>

namespace {

using three = muster::resource_vector<3>;
using scene = muster_test::scene<three>;
using muster::pod_count;
using muster::verdict;

/// Gangs of five or six pod sets on a few tight kinds of nodes: what is hard. On nodes three times as large some
/// take tens of thousands of steps.
struct hard_question {
  scene s;
  muster::pod_group<three> gang;
  explicit hard_question(muster_test::generator& rng, std::int64_t larger = 1) {
    const auto kinds = rng.between(2, 4);
    std::uint64_t id = 0;
    for (std::int64_t k = 0; k < kinds; ++k) {
      const three::amounts shape{larger * rng.between(6, 12), larger * rng.between(8, 16), larger * rng.between(8, 16)};
      for (auto n = rng.between(3, 8); n > 0; --n) s.node(++id, shape);
    }
    const auto pods = [&] { return larger * larger * rng.between(2, 8); };
    gang = scene::gang(1, pods(), request(rng));
    for (auto sets = rng.between(4, 5); sets > 0; --sets) gang.pod_sets.push_back({request(rng), pods(), 0});
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
  std::uint64_t* asked;
  std::uint64_t limit;
  bool operator()() const { return ++*asked > limit; }
};
using stoppable = muster::place_options<muster::everywhere, muster::fullest_first, stop_after>;
constexpr std::uint64_t no_limit = ~std::uint64_t{0};

/// 30 nodes and six sets of 100 small pods that no two resources order alike: some 100,000 patterns.
struct many_patterns {
  scene s;
  muster::pod_group<three> gang;
  explicit many_patterns(muster_test::generator& rng) {
    for (std::uint64_t n = 0; n < 30; ++n)
      s.node(n, {rng.between(90, 110), rng.between(90, 110), rng.between(90, 110)});
    gang = scene::gang(1, 100, {3, 5, 7}, 580);
    for (const three::amounts& each : {three::amounts{5, 3, 7}, {7, 3, 5}, {5, 7, 3}, {3, 7, 5}, {7, 5, 3}})
      gang.pod_sets.push_back({each, 100, 0});
  }
};

/// 1,250 partly used nodes and four pod sets; `gang` asks for as many pods as fit.
struct boundary_question {
  scene s;
  muster::pod_group<three> gang;
  boundary_question(muster_test::generator& rng, muster::workspace<three>& space) {
    for (std::uint64_t n = 0; n < 1'250; ++n)
      s.node(n, {rng.between(0, 8), rng.between(0, 96), rng.between(0, 768)});
    gang = scene::gang(1, 300, {8, 32, 256}, 0);
    for (const three::amounts& each : {three::amounts{4, 8, 400}, {2, 50, 100}, {1, 9, 200}})
      gang.pod_sets.push_back({each, 300, 0});
    gang.min_count = place(s.view(), gang, space, muster::place_options<>{.largest = true}).placed;
  }
};

/// The most a first call with a workspace holds, and how often a second one allocates.
struct spent_memory {
  std::ptrdiff_t first = 0;
  std::size_t second = 0;
};
spent_memory memory_of(scene& s, const muster::pod_group<three>& gang, muster::workspace<three>& space,
                       const muster::place_options<>& how = {}) {
  const auto view = s.view();
  const muster_test::allocation_watch first;
  place(view, gang, space, how);
  spent_memory spent{first.peak(), 0};
  const muster_test::allocation_watch second;
  place(view, gang, space, how);
  spent.second = second.calls();
  return spent;
}

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
      REQUIRE(part.steps >= budget);  // it did not end before what it was given
      REQUIRE_FALSE(part.stopped);
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
  int stopped = 0, ended = 0;
  for (int round = 0; round < 240; ++round) {
    hard_question q{rng, 3};
    q.tighten(space);
    std::uint64_t asked = 0;
    stoppable how{.extras = false};
    how.stop = {&asked, static_cast<std::uint64_t>(rng.between(0, 9))};
    if (rng.chance(50)) how.budget = 3'000;
    const auto answer = place(q.s.view(), q.gang, how);
    if (answer.stopped) CHECK(asked > how.stop.limit);
    if (answer.verdict != verdict::undecided) continue;
    REQUIRE(answer.reason == muster::refusal_reason::search_ended);
    CHECK((answer.stopped || answer.steps >= how.budget));
    CHECK(answer.lack.bound >= answer.lack.seated);
    ++(answer.stopped ? stopped : ended);
  }
  CHECK(stopped > 5);
  CHECK(ended > 0);
}

TEST_CASE("a caller is asked every few thousand steps whether to stop", "[placement]") {
  muster_test::generator rng{"asked"};
  muster::workspace<three> space;
  int long_ones = 0;
  const auto ask = [&](scene& s, const muster::pod_group<three>& gang) {
    std::uint64_t asked = 0;
    const auto answer = place(s.view(), gang, stoppable{.extras = false, .stop = {&asked, no_limit}});
    if (answer.steps < 16'000) return;
    ++long_ones;
    CHECK(answer.steps / asked >= 1'000);
    CHECK(answer.steps / asked <= 8'000);
    CHECK_FALSE(answer.stopped);
    const std::uint64_t limit = asked / 2;  // a stop that comes later ends the search within the same distance
    asked = 0;
    const auto part = place(s.view(), gang, stoppable{.extras = false, .stop = {&asked, limit}});
    CHECK(part.stopped);
    CHECK(part.steps < answer.steps);
    CHECK(part.steps / asked >= 1'000);
    CHECK(part.steps / asked <= 8'000);
  };
  for (int round = 0; round < 5; ++round) {
    many_patterns many{rng};
    ask(many.s, many.gang);
  }
  CHECK(long_ones == 5);
  for (int round = 0; round < 120; ++round) {
    hard_question q{rng, 4};
    q.tighten(space);
    ask(q.s, q.gang);
  }
  CHECK(long_ones > 5);
}

TEST_CASE("more patterns than are kept are undecided, whatever the budget", "[placement]") {
  muster_test::generator rng{"patterns"};
  many_patterns q{rng};
  muster::workspace<three> space;
  const auto& answer = place(q.s.view(), q.gang, space);
  REQUIRE(answer.verdict == verdict::undecided);
  CHECK(answer.reason == muster::refusal_reason::search_too_large);
  CHECK(answer.steps > 65'536);
  CHECK(answer.steps < 4'000'000);
  CHECK_FALSE(answer.stopped);
  CHECK(answer.lack.seated < 580);
  CHECK(answer.lack.bound >= 580);
  const auto steps = answer.steps;
  const auto& more = place(q.s.view(), q.gang, space, muster::place_options<>{.budget = 400'000'000});
  CHECK(more.reason == muster::refusal_reason::search_too_large);
  CHECK(more.steps == steps);
  const auto& less = place(q.s.view(), q.gang, space, muster::place_options<>{.budget = 20'000});
  CHECK(less.verdict == verdict::undecided);
  CHECK(less.reason == muster::refusal_reason::search_ended);
  CHECK(less.steps >= 20'000);
  CHECK(less.steps < 40'000);

  q.gang.min_count = answer.lack.seated;  // what the greedy orders reach needs no patterns
  const auto fits = place(q.s.view(), q.gang);
  CHECK(fits.fits());
  CHECK(verify(q.s.view(), q.gang, std::span<const muster::seat<three>>{fits.seats}).holds());
}

TEST_CASE("a decision holds a bounded amount of memory, and a second one of its kind takes none", "[placement]") {
  muster_test::generator rng{"memory"};
  muster::workspace<three> other;
  SECTION("a last yes and a first no of four pod sets on 1,250 nodes: less than 1 MB") {
    int searched = 0;
    for (int round = 0; round < 4; ++round) {
      boundary_question q{rng, other};
      for (const bool fits : {true, false}) {
        muster::workspace<three> space;
        if (!fits) ++*q.gang.min_count;
        const auto spent = memory_of(q.s, q.gang, space, muster::place_options<>{.extras = false});
        CHECK(space.answer.verdict == (fits ? verdict::fits : verdict::never));
        CHECK(spent.first < 1'000'000);
        CHECK(spent.second == 0);
        searched += space.answer.steps > 0 ? 1 : 0;
      }
    }
    CHECK(searched > 0);
  }
  SECTION("what stays hard in the small: less than 1 MB") {
    for (int round = 0; round < 10; ++round) {
      hard_question q{rng, 3};
      q.tighten(other);
      muster::workspace<three> space;
      const auto spent = memory_of(q.s, q.gang, space, muster::place_options<>{.budget = 500'000});
      CHECK(spent.first < 1'000'000);
      CHECK(spent.second == 0);
    }
  }
  SECTION("as many patterns as are kept, of six pod sets: less than 8 MB") {
    many_patterns q{rng};
    muster::workspace<three> space;
    const auto spent = memory_of(q.s, q.gang, space);
    CHECK(space.answer.reason == muster::refusal_reason::search_too_large);
    CHECK(spent.first < 8'000'000);
    CHECK(spent.second == 0);
  }
  SECTION("64 pod sets, all unlike, until the budget is out: less than 64 MB") {
    scene s;
    for (std::uint64_t n = 0; n < 40; ++n)
      s.node(n, {rng.between(900, 1100), rng.between(900, 1100), rng.between(900, 1100)});
    auto gang = scene::gang(1, 3, {250, 300, 350}, 140);
    while (gang.pod_sets.size() < 64)
      gang.pod_sets.push_back({{rng.between(150, 450), rng.between(150, 450), rng.between(150, 450)}, 3, 0});
    muster::workspace<three> space;
    const auto spent = memory_of(s, gang, space);
    CHECK(space.answer.reason == muster::refusal_reason::search_ended);
    CHECK(spent.first < 64'000'000);
    CHECK(spent.second == 0);
  }
}

TEST_CASE("counts and pod sets up to what a group may have are judged, and beyond named", "[placement]") {
  using muster::group_fault, muster::max_pods_per_group;
  scene s;
  for (std::uint64_t n = 0; n < 3; ++n) s.node(n, {1'000, 1'000, 1'000});
  REQUIRE(max_pods_per_group == pod_count{1} << 31);
  auto gang = scene::gang(1, max_pods_per_group, {1, 1, 1});
  auto answer = place(s.view(), gang);
  CHECK(answer.verdict == verdict::never);
  CHECK(answer.lack.seated == 3'000);
  CHECK(answer.lack.bound == 3'000);
  CHECK(answer.lack.needed == max_pods_per_group);
  gang.min_count = 3'000;
  CHECK(place(s.view(), gang).placed == 3'000);

  gang = scene::gang(1, max_pods_per_group / 2, {1, 1, 1});
  gang.pod_sets.push_back({{2, 1, 1}, max_pods_per_group / 2, 0});
  answer = place(s.view(), gang);
  CHECK(answer.verdict == verdict::never);
  CHECK(answer.lack.bound == 3'000);
  CHECK(answer.lack.needed == max_pods_per_group);
  CHECK(verify(s.view(), gang, answer.proof).holds());

  const auto fault_of = [&] {
    const auto refused = place(s.view(), gang);
    CHECK(refused.verdict == verdict::invalid);
    CHECK(refused.reason == muster::refusal_reason::group_fault);
    CHECK(refused.steps == 0);
    CHECK(refused.seats.empty());
    return refused.fault;
  };
  ++gang.pod_sets[1].count;
  CHECK(fault_of().fault == group_fault::too_many_pods);
  CHECK(fault_of().number == max_pods_per_group + 1);
  gang.pod_sets[1].count = max_pods_per_group + 1;
  CHECK(fault_of().fault == group_fault::pod_set_count);
  CHECK(fault_of().pod_set == 1);

  gang = scene::gang(1, 1, {1, 1, 1});
  gang.pod_sets.resize(64, gang.pod_sets[0]);
  CHECK(place(s.view(), gang).placed == 64);
  gang.pod_sets.resize(muster::max_pod_sets + 904, gang.pod_sets[0]);
  CHECK(fault_of().fault == group_fault::too_many_pod_sets);
  CHECK(fault_of().number == 5'000);
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
  SECTION("tiny pods of seven sizes beside nodes of a million: a sum decides") {
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
    CHECK(place(s.view(), gang).verdict == verdict::never);  // by a sum
    for (auto& set : gang.pod_sets) set.count = 2;
    gang.min_count = 120;
    const auto answer = place(s.view(), gang);
    CHECK(answer.verdict == verdict::undecided);
    CHECK(answer.reason == muster::refusal_reason::search_too_large);
    CHECK(answer.steps > 65'536);
    CHECK(answer.steps <= 4'200'000);
    CHECK(answer.lack.bound >= 120);
    CHECK(answer.lack.seated < 120);
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
