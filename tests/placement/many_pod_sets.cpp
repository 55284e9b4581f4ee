// SPDX-License-Identifier: BSL-1.0
// Gangs of thousands of pod sets: answered, within the budget.
#include <muster/placement/describe.hpp>
#include <muster/placement/explain.hpp>
#include <muster/placement/place.hpp>
#include <muster/placement/verify.hpp>
#include <muster/placement/verify_certificate.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/scene.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

namespace {

using three = muster::resource_vector<3>;
using scene = muster_test::scene<three>;
using muster::pod_count;
using muster::refusal_reason;
using muster::verdict;

/// Pods seated of each set.
std::vector<pod_count> seated_of(const muster::placement_answer<three>& answer, std::size_t sets) {
  std::vector<pod_count> of(sets, 0);
  for (const auto& one : answer.seats) of.at(one.pod_set) += one.count;
  return of;
}

bool holds(scene& s, const muster::pod_group<three>& gang, const muster::placement_answer<three>& answer) {
  return verify(s.view(), gang, answer.seats).holds();
}

/// Even pod sets may use nodes of kind 0, odd ones those of kind 1.
struct by_parity {
  muster::reason_code operator()(const muster::pod_group<three>&, std::size_t set, muster::kind_id kind) const {
    return set % 2 == number(kind) ? muster::eligible_node : muster::reason_code{1};
  }
};

}  // namespace

TEST_CASE("as many pod sets as a group may have", "[placement]") {
  scene s{muster::nested_levels(1)};  // racks
  for (std::uint64_t n = 0; n < 1'250; ++n) s.node(n, {8, 64, 64}, {static_cast<std::uint32_t>(n / 50)});
  auto gang = scene::gang(1, 1, {1, 1, 1});
  gang.pod_sets.resize(muster::max_pod_sets, gang.pod_sets[0]);
  muster::workspace<three> space;

  SECTION("that are alike: one pod of each") {
    const auto& answer = place(s.view(), gang, space);
    REQUIRE(answer.fits());
    CHECK(seated_of(answer, gang.pod_sets.size()) == std::vector<pod_count>(muster::max_pod_sets, 1));
    CHECK(holds(s, gang, answer));
    gang.pod_sets.push_back(gang.pod_sets[0]);
    CHECK(place(s.view(), gang).fault.fault == muster::group_fault::too_many_pod_sets);
  }
  SECTION("of two sizes, which only the search seats: threes and fives on eights") {
    gang.pod_sets.resize(2'500);
    for (std::size_t i = 0; i < gang.pod_sets.size(); ++i) gang.pod_sets[i].request = {i < 1'250 ? 3 : 5, 1, 1};
    const auto& answer = place(s.view(), gang, space);
    REQUIRE(answer.fits());
    CHECK(answer.steps > 0);  // the greedy pass seats two threes on a node
    CHECK(seated_of(answer, gang.pod_sets.size()) == std::vector<pod_count>(gang.pod_sets.size(), 1));
    CHECK(holds(s, gang, answer));
    gang.pod_sets.push_back(gang.pod_sets[0]);
    gang.pod_sets.back().request = {1, 1, 1};
    const auto& refused = place(s.view(), gang, space);
    CHECK(refused.verdict == verdict::never);
    CHECK(verify(s.view(), gang, refused.proof).holds());
  }
  SECTION("that may use different nodes, and one node more than the odd ones need") {
    scene halves;
    for (std::uint64_t n = 0; n < 1'025; ++n) halves.node(n, {4, 64, 64}, {}, n < 512 ? 0 : 1);
    REQUIRE(muster::max_pod_sets == 2 * 4 * 512);
    const muster::place_options<by_parity> options{};
    const auto& answer = place(halves.view(), gang, space, options);
    REQUIRE(answer.fits());
    for (const auto& one : answer.seats) CHECK((number(one.node) < 512 ? 0U : 1U) == one.pod_set % 2);
    CHECK(verify(halves.view(), gang, answer.seats, by_parity{}).holds());
    gang.pod_sets[1].count = 5;
    gang.pod_sets[1].minimum = 5;
    CHECK(place(halves.view(), gang, space, options).fits());  // four are left on the odd kind
    gang.pod_sets[1].count = 6;
    gang.pod_sets[1].minimum = 6;
    const auto& refused = place(halves.view(), gang, space, options);
    CHECK(refused.verdict == verdict::never);
    CHECK(verify(halves.view(), gang, refused.proof, by_parity{}).holds());
  }
}

TEST_CASE("thousands of pod sets, no two alike", "[placement]") {
  scene s{muster::nested_levels(1)};  // racks
  for (std::uint64_t n = 0; n < 1'250; ++n)
    s.node(n, {8'000, 64'000, 64'000}, {static_cast<std::uint32_t>(n / 50)});
  auto gang = scene::gang(1, 1, {});
  gang.pod_sets.resize(3'000, gang.pod_sets[0]);
  for (std::size_t i = 0; i < gang.pod_sets.size(); ++i)
    gang.pod_sets[i].request = {2'000 + static_cast<std::int64_t>(i), 10, 10};
  gang.pod_sets.resize(1'800);
  muster::workspace<three> space;
  const auto& roomy = place(s.view(), gang, space);
  REQUIRE(roomy.fits());
  CHECK(roomy.placed == 1'800);
  CHECK(holds(s, gang, roomy));

  SECTION("refused by a sum") {
    gang.pod_sets.resize(3'000, gang.pod_sets.back());
    for (std::size_t i = 0; i < gang.pod_sets.size(); ++i)
      gang.pod_sets[i].request = {3'000 + static_cast<std::int64_t>(i), 10, 10};
    const auto& refused = place(s.view(), gang, space);
    CHECK(refused.verdict == verdict::never);
    CHECK(refused.reason == refusal_reason::too_little_capacity);
    CHECK(verify(s.view(), gang, refused.proof).holds());
    std::string text;
    describe(std::back_inserter(text), refused, {});
    CAPTURE(text);  // 3,000 + ... + 5,384 are 9,997,920 of the 10,000,000
    CHECK(text.find("suffices for 2,385 of 3,000 pods") != std::string::npos);
  }
  SECTION("undecided where only a search would tell: every pod takes more than a third of a node") {
    gang.pod_sets.resize(2'600, gang.pod_sets.back());
    for (std::size_t i = 0; i < gang.pod_sets.size(); ++i)
      gang.pod_sets[i].request = {2'700 + static_cast<std::int64_t>(i) / 20, 10, 10};
    const auto& open = place(s.view(), gang, space);
    CHECK(open.verdict == verdict::undecided);
    CHECK(open.reason == refusal_reason::search_too_large);
    CHECK(open.lack.seated == 2'500);  // two a node, and none is left out that could sit
    CHECK(open.lack.bound >= 2'600);
    CHECK(open.steps < 4'200'000);
  }
  SECTION("in one rack") {
    gang.required = muster::topology_level{0};
    gang.pod_sets.resize(120);
    const auto& there = place(s.view(), gang, space);
    CHECK(there.fits());
    CHECK(holds(s, gang, there));
  }
}
