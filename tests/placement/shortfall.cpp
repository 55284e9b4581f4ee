// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/shortfall.hpp>

#include "support/catch.hpp"
#include "support/generator.hpp"
#include "support/small_cluster.hpp"

#include <muster/placement/place.hpp>

using namespace muster;
using muster_test::gpus;
using muster_test::small_cluster;

namespace {
pod_group<gpus> gang(pod_count pods, amount each) {
  pod_group<gpus> made;
  made.disruption = disruption_mode::all;
  made.pod_sets.push_back({{each}, pods, 0});
  return made;
}
}  // namespace

TEST_CASE("as many nodes as it says make it fit, and one fewer do not", "[placement]") {
  for (amount each = 1; each <= 4; ++each)
    for (pod_count pods = 1; pods <= 20; ++pods)
      for (amount shape = each; shape <= 5; ++shape) {
        small_cluster now{3, 1, 2};
        workspace<gpus> space;
        const auto more = shortfall(now.model.view(), gang(pods, each), {shape}, space);
        REQUIRE(more);
        for (pod_count n = 0; n < more->nodes; ++n) {
          CHECK_FALSE(place(now.model.view(), gang(pods, each)).fits());
          now.say(node_seen<gpus>{{node_id{static_cast<std::uint64_t>(100 + n)}, {}, {shape}, {}}});
        }
        CHECK(place(now.model.view(), gang(pods, each)).fits());
      }
}

TEST_CASE("no number of nodes too small for a pod helps", "[placement]") {
  small_cluster now{3};
  workspace<gpus> space;
  CHECK_FALSE(shortfall(now.model.view(), gang(2, 4), {3}, space));
}

TEST_CASE("the domain that needs the fewest is named; a spread limit is a wall", "[placement]") {
  small_cluster now({}, 1);
  now.say(node_seen<gpus>{{node_id{1}, {}, {2}, {label_id{1}}}});
  now.say(node_seen<gpus>{{node_id{2}, {}, {3}, {label_id{2}}}});
  auto asked = gang(5, 1);
  asked.required = topology_level{0};
  workspace<gpus> space;
  const auto more = shortfall(now.model.view(), asked, {2}, space);
  REQUIRE(more);
  CHECK(more->nodes == 1);
  CHECK(more->domain.path.back() == label_id{2});
  asked.required = no_level;
  asked.limits = {{topology_level{0}, 2}};
  CHECK_FALSE(shortfall(now.model.view(), asked, {2}, space));  // two domains of at most 2 never hold 5
}

TEST_CASE("what is set aside for the group counts as there", "[placement]") {
  for (const topology_level level : {no_level, node_level}) {
    small_cluster now{4};
    auto asked = gang(4, 1);
    asked.id = group_id{1};
    asked.required = level;
    now.say(set_aside<gpus>{set_aside_id{1}, group_id{1}, 0, node_id{1}, 2, {2}, end_of_time});
    workspace<gpus> space;
    CHECK(shortfall(now.model.view(), asked, {4}, space)->nodes == 0);
    asked.id = group_id{2};
    CHECK(shortfall(now.model.view(), asked, {4}, space)->nodes == 1);
    CHECK(place(now.model.view(), asked, space).verdict == verdict::not_now);
  }
}
