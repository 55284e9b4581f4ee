// SPDX-License-Identifier: BSL-1.0
// Whether patterns are listed at once or made as they are asked for, the answers are the same ones.
#include <muster/placement/place.hpp>
#include <muster/placement/verify.hpp>
#include <muster/placement/verify_certificate.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/generator.hpp"
#include "support/scene.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace {

using three = muster::resource_vector<3>;
using scene = muster_test::scene<three>;
using muster::pod_count;
using muster::verdict;
using muster_test::generator;

/// Few nodes that each host thousands of mixes, and a gang of three to five unlike pod sets.
muster::pod_group<three> draw(generator& rng, scene& s) {
  const auto nodes = rng.between(2, 12);
  const auto kinds = rng.between(1, 4);
  std::uint64_t id = 0;
  for (std::int64_t k = 0; k < kinds; ++k) {
    const three::amounts shape{rng.between(20, 90), rng.between(20, 90), rng.between(20, 90)};
    for (std::int64_t n = 0; n < (nodes + kinds - 1) / kinds; ++n, ++id) s.node(id, shape, {id % 2});
  }
  auto gang = scene::gang(1, 0, {});
  gang.pod_sets.clear();
  for (auto sets = rng.between(3, 5); sets > 0; --sets) {
    const pod_count pods = rng.between(5, 40);
    gang.pod_sets.push_back({{rng.between(0, 9), rng.between(1, 9), rng.chance(40) ? 0 : rng.between(1, 9)},
                             pods,
                             rng.chance(50) ? rng.between(0, pods / 2) : 0});
  }
  return gang;
}

}  // namespace

TEST_CASE("patterns that are made answer as patterns that are listed", "[property]") {
  generator rng{"made patterns"};
  muster::workspace<three> made, listed;
  std::size_t searched = 0, unlisted = 0, refused = 0, open = 0;
  for (int round = muster_test::rounds(100); round > 0; --round) {
    CAPTURE(rng.seed(), round);
    scene s{muster::nested_levels(1)};
    auto gang = draw(rng, s);
    const auto view = s.view();
    gang.min_count = 0;
    const auto& most = place(view, gang, made, muster::place_options<>{.largest = true});
    const pod_count last = most.fits() ? most.placed : 0;
    for (const pod_count wanted : {last, last + 1, last + 2}) {
      gang.min_count = std::min(wanted, declared_pods(gang));
      gang.limits.clear();
      const auto& one = place(view, gang, made, muster::place_options<>{.extras = false});
      const auto& groups = made.exact.sites.problem().groups;
      if (one.steps > 0) {
        ++searched;
        unlisted += std::any_of(groups.begin(), groups.end(), [](const auto& g) { return !g.listed; }) ? 1U : 0U;
      }
      gang.limits.push_back({muster::topology_level{0}, muster::max_pods_per_group});  // binds nothing, but lists all
      const auto& other = place(view, gang, listed, muster::place_options<>{.extras = false});
      gang.limits.clear();
      open += one.verdict == verdict::undecided ? 1U : 0U;
      if (one.verdict == verdict::undecided || other.verdict == verdict::undecided) continue;
      // which no it is stays open where the budget ended after the first
      const bool both_no = muster::is_proved_no(one.verdict) && muster::is_proved_no(other.verdict);
      const bool ended = one.lack.without_pods == muster::empty_fit::unknown ||
                         other.lack.without_pods == muster::empty_fit::unknown;
      REQUIRE((one.verdict == other.verdict || (both_no && ended)));
      if (one.fits()) {
        REQUIRE(one.placed == other.placed);
        REQUIRE(verify(view, gang, one.seats).holds());
        continue;
      }
      ++refused;
      const auto checked = verify(view, gang, one.proof).result;
      REQUIRE(checked != muster::proof::refuted);
    }
  }
  std::printf("made patterns: %zu searches, %zu with patterns not listed, %zu refused, %zu undecided\n", searched,
              unlisted, refused, open);
  CHECK(unlisted > 10);
  CHECK(refused > 20);
  CHECK(open == 0);
}
