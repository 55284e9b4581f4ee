// SPDX-License-Identifier: BSL-1.0
// Unlike pods that may have only so many in a rack or a zone, on clusters too large for brute force: the most that sit
// and one more, each answer counted again by verify(), which shares nothing with the search.
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
#include <span>

namespace {

using three = muster::resource_vector<3>;
using scene = muster_test::scene<three>;
using muster::pod_count;
using muster::verdict;
using muster_test::generator;

/// Racks of a few nodes, zones of a few racks, and a gang of two to five pod sets under at least one limit.
muster::pod_group<three> draw(generator& rng, scene& s) {
  const auto nodes = rng.between(6, 60), rack = rng.between(2, 10), zone = rack * rng.between(2, 4);
  const auto size = rng.chance(50) ? rng.between(20, 60) : rng.between(6, 14);
  for (std::int64_t n = 0; n < nodes; ++n) {
    const three::amounts has{rng.between(size / 2, size), rng.between(size / 2, size), rng.between(size / 2, size)};
    s.node(static_cast<std::uint64_t>(n), has,
           {static_cast<std::uint64_t>(n / zone), static_cast<std::uint64_t>(n / rack)});
  }
  auto gang = scene::gang(1, 0, {});
  gang.pod_sets.clear();
  for (auto sets = rng.between(2, 5); sets > 0; --sets)
    gang.pod_sets.push_back({{rng.between(1, 6), rng.between(1, 6), rng.between(1, 6)}, rng.between(2, 10 + nodes), 0});
  const bool racks = rng.chance(70);
  if (racks) gang.limits.push_back({muster::topology_level{1}, rng.between(2, 4 * rack)});
  if (!racks || rng.chance(30)) gang.limits.push_back({muster::topology_level{0}, rng.between(2, 4 * zone)});
  if (rng.chance(30)) gang.limits.push_back({muster::node_level, rng.between(1, 6)});
  return gang;
}

}  // namespace

TEST_CASE("under limits of racks and zones every answer can be counted again", "[property]") {
  generator rng{"limited domains"};
  muster::workspace<three> space;
  std::size_t searched = 0, fits = 0, refused = 0, unchecked = 0, open = 0;
  for (int round = muster_test::long_rounds(150); round > 0; --round) {
    CAPTURE(rng.seed(), round);
    scene s{muster::nested_levels(2)};
    auto gang = draw(rng, s);
    const auto view = s.view();
    gang.min_count = 0;
    const pod_count most = place(view, gang, space, muster::place_options<>{.largest = true}).placed;
    const pod_count bound = std::max(most, space.answer.lack.bound);
    for (const pod_count wanted : {most, most + 1}) {
      if (wanted == 0 || wanted > muster::declared_pods(gang)) continue;
      gang.min_count = wanted;
      const auto& answer = place(view, gang, space);
      searched += answer.steps > 0 ? 1 : 0;
      if (answer.verdict == verdict::undecided) {
        ++open;
        CHECK(wanted > most);
        CHECK(answer.lack.bound >= answer.lack.seated);
        continue;
      }
      if (answer.fits()) {
        ++fits;
        CHECK(answer.placed >= wanted);
        CHECK(wanted <= bound);
        CHECK(verify(view, gang, std::span{answer.seats}).holds());
        continue;
      }
      REQUIRE(muster::is_proved_no(answer.verdict));
      ++refused;
      CHECK(wanted > most);
      const auto checked = verify(view, gang, answer.proof);
      CHECK(checked.result != muster::proof::refuted);
      unchecked += checked.result == muster::proof::not_checkable ? 1 : 0;
    }
  }
  std::printf("searched %zu, fits %zu, refused %zu (%zu unchecked), undecided %zu\n", searched, fits, refused,
              unchecked, open);
  CHECK(searched > 0);
  CHECK(fits > 0);
  CHECK(refused > 0);
  CHECK(unchecked * 20 <= refused);
  CHECK(open * 20 <= refused);
}
