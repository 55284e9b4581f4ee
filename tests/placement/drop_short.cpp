// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/drop_short.hpp>
#include <muster/placement/list_candidates.hpp>
#include <muster/placement/place.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/generator.hpp"
#include "support/scene.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

using two = muster::resource_vector<2>;
using scene = muster_test::scene<two>;
using need = std::array<muster::amount, 2>;
using muster::least_need;

constexpr muster::topology_level rack{0};

template <class Group>
std::size_t kept(scene& s, const Group& gang) {
  const auto view = s.view();
  muster::candidate_list all, out;
  REQUIRE(list_candidates(view, rack, all_nodes(view), all).ok());
  drop_short(view, gang, all, out);
  CHECK(out.constrained);
  return out.size();
}

}  // namespace

TEST_CASE("a gang needs at least its minima and then its smallest pods", "[placement]") {
  auto gang = scene::gang(1, 4, {3, 1});
  gang.pod_sets.push_back({{1, 2}, 2, 0});
  CHECK(least_need(gang) == need{14, 8});
  gang.min_count = 3;
  CHECK(least_need(gang) == need{2 * 1 + 3, 3 * 1});  // each dimension by itself
  gang.pod_sets[0].minimum = 2;
  CHECK(least_need(gang) == need{2 * 3 + 1, 3 * 1});
  gang.sizes = {muster::size_rule::shape::stepped, 0, 6, 4};
  CHECK(least_need(gang) == need{2 * 3 + 2 * 1, 4 * 1});
  gang.sizes = {};
  gang.policy = muster::group_policy::basic;
  CHECK(least_need(gang) == need{1, 1});
}

TEST_CASE("domains with too little in sum are dropped, those that are only short node by node are not", "[placement]") {
  scene s{muster::nested_levels(1)};
  s.node(1, {4, 4}, {1});
  s.node(2, {2, 9}, {2});
  s.node(3, {1, 9}, {2});
  s.node(4, {2, 9}, {3});
  s.node(5, {2, 9}, {3});
  const auto gang = scene::gang(1, 2, {2, 1});
  CHECK(kept(s, gang) == 2);  // rack 2 has 3 of 4
  const auto large = scene::gang(1, 1, {4, 1});
  CHECK(kept(s, large) == 2);  // rack 3 has 4, on no node
  s.say(muster::node_closed{muster::node_id{1}, s.time(0), muster::end_of_time});
  CHECK(kept(s, large) == 1);
}

TEST_CASE("what is leaving counts as free, and so does what is set aside for the group", "[placement]") {
  scene s{muster::nested_levels(1)};
  s.node(1, {4, 4}, {1});
  const auto gang = scene::gang(1, 2, {2, 1});
  s.filler(90, 1, {1, 0});
  CHECK(kept(s, gang) == 0);
  s.leave(90);
  CHECK(kept(s, gang) == 1);
  s.say(muster::set_aside<two>{muster::set_aside_id{1}, muster::group_id{2}, 0, muster::node_id{1}, 1, {2, 1}});
  CHECK(kept(s, gang) == 0);
  auto theirs = gang;
  theirs.id = muster::group_id{2};
  CHECK(kept(s, theirs) == 1);
}

TEST_CASE("a gang that runs in part, or that is not known, loses no candidate", "[placement]") {
  scene s{muster::nested_levels(1)};
  s.node(1, {4, 4}, {1});
  s.node(2, {1, 1}, {2});
  const auto gang = scene::gang(1, 2, {2, 1});
  CHECK(kept(s, gang.id) == 2);
  s.group(gang);
  s.pods(10, 2, gang);
  CHECK(kept(s, gang.id) == 1);
  s.bind(10, 1);
  CHECK(kept(s, gang.id) == 2);
}

TEST_CASE("what is dropped place refuses, now and once what leaves has left", "[placement]") {
  muster_test::generator rng{"drop_short"};
  int dropped = 0, refused_later = 0;
  for (int round = 0; round < muster_test::rounds(200); ++round) {
    scene s{muster::nested_levels(1)};
    for (std::uint64_t n = 0; n < 6; ++n) {
      s.node(n, {rng.between(0, 4), rng.between(0, 4)}, {n / 2});
      if (!rng.chance(30)) continue;
      s.filler(100 + n, n, {rng.between(0, 2), rng.between(0, 2)});
      if (rng.chance(50)) s.leave(100 + n);
    }
    auto gang = scene::gang(1, rng.between(1, 4), {rng.between(0, 3), rng.between(0, 3)}, rng.between(0, 4));
    gang.pod_sets.push_back({{rng.between(0, 3), rng.between(0, 3)}, rng.between(0, 3), 0});
    gang.min_count = std::min(*gang.min_count, declared_pods(gang));
    const auto view = s.view();
    muster::candidate_list all, out;
    REQUIRE(list_candidates(view, rack, all_nodes(view), all).ok());
    drop_short(view, gang, all, out);
    muster::workspace<two> space;
    for (std::size_t i = 0, next = 0; i < all.size(); ++i) {
      const bool is_kept = next < out.size() && out.name(next).front() == all.name(i).front();
      if (is_kept) ++next;
      const muster::place_options<muster::inside<>> there{{all.nodes(i), {}}};
      const auto verdict = place(view, gang, space, there).verdict;
      if (!is_kept) CHECK((verdict != muster::verdict::fits && verdict != muster::verdict::wait));
      dropped += is_kept ? 0 : 1;
      refused_later += is_kept && verdict != muster::verdict::fits ? 1 : 0;
    }
  }
  CHECK(dropped > 50);
  CHECK(refused_later > 10);  // a sum is only a sum
}
