// SPDX-License-Identifier: BSL-1.0
#include <muster/cluster/overlay.hpp>
#include <muster/quorum/gate.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/scene.hpp"

#include <set>
#include <string_view>

namespace {
using slots = muster::resource_vector<1>;
using scene = muster_test::scene<slots>;
using muster::gate_reason;
using muster::matching;
constexpr muster::group_id g{1};
}  // namespace

TEST_CASE("the gate holds a group nobody declared, even if its pods are known", "[quorum]") {
  scene s;
  CHECK(gate(s.view(), g).reason == gate_reason::group_unknown);
  s.pod(10, scene::gang(1, 1, {1}));
  const auto answer = gate(s.view(), g);
  CHECK(answer.reason == gate_reason::group_unknown);
  CHECK(answer.verdict == muster::verdict::hold);
  CHECK_FALSE(answer.open());
}

TEST_CASE("the gate counts unscheduled, assumed and assigned members, wherever they are", "[quorum]") {
  scene s;
  const auto gang = scene::gang(1, 4, {1});
  s.node(1, {9});
  s.group(gang);
  s.pods(10, 2, gang);
  auto answer = gate(s.view(), g);
  CHECK(answer.reason == gate_reason::members_missing);
  CHECK(answer.have == 2);
  CHECK(answer.needed == 4);
  CHECK(answer.missing() == 2);
  s.pods(12, 2, gang);
  CHECK(gate(s.view(), g).open());
  s.bind(10, 1, muster::placing::assumed);
  s.bind(11, 1, muster::placing::bound);
  s.bind(12, 1, muster::placing::ready);
  answer = gate(s.view(), g);
  CHECK(answer.open());
  CHECK(answer.have == 4);
  CHECK(answer.missing() == 0);
}

TEST_CASE("succeeded members count, failed, lost and terminating ones do not", "[quorum]") {
  scene s;
  const auto gang = scene::gang(1, 3, {1});
  s.node(1, {9});
  s.group(gang);
  s.pods(10, 3, gang);
  for (std::uint64_t p = 10; p < 13; ++p) s.bind(p, 1);
  s.end(10, muster::ending::succeeded);
  CHECK(gate(s.view(), g).open());
  SECTION("failed") { s.end(11, muster::ending::failed); }
  SECTION("lost") { s.end(11, muster::ending::lost); }
  SECTION("terminating") { s.leave(11); }
  SECTION("its node went") {
    s.node(2, {9});
    s.bind(11, 2);
    s.say(muster::node_gone{muster::node_id{2}});
  }
  CHECK(gate(s.view(), g).have == 2);
  CHECK_FALSE(gate(s.view(), g).open());
}

TEST_CASE("a basic group passes with one member and is held without", "[quorum]") {
  scene s;
  auto basic = scene::gang(1, 3, {1});
  basic.policy = muster::group_policy::basic;
  basic.disruption = muster::disruption_mode::single;
  s.group(basic);
  CHECK(gate(s.view(), g).reason == gate_reason::members_missing);
  s.pod(10, basic);
  CHECK(gate(s.view(), g).open());
}

TEST_CASE("a minimum of 0 opens the gate", "[quorum]") {
  scene s;
  s.group(scene::gang(1, 2, {1}, 0));
  CHECK(gate(s.view(), g).open());
}

TEST_CASE("each pod set needs its own minimum", "[quorum]") {
  scene s;
  auto gang = scene::gang(1, 6, {1}, 3);
  gang.pod_sets.push_back({{1}, 2, 2});
  s.group(gang);
  s.pods(10, 5, gang, 0);
  s.pod(20, gang, 1);
  const auto answer = gate(s.view(), g);
  CHECK(answer.reason == gate_reason::set_missing);
  CHECK(answer.pod_set == 1);
  CHECK(answer.have == 1);
  CHECK(answer.needed == 2);
  s.pod(21, gang, 1);
  CHECK(gate(s.view(), g).open());
}

TEST_CASE("one gated member holds the group", "[quorum]") {
  scene s;
  const auto gang = scene::gang(1, 3, {1}, 2);
  s.group(gang);
  s.pods(10, 2, gang);
  CHECK(gate(s.view(), g).open());
  muster::pod_seen<slots> gated;
  gated.pod = muster::pod_id{12};
  gated.group = g;
  gated.request = {1};
  gated.gated = true;
  s.say(gated);
  CHECK(gate(s.view(), g).reason == gate_reason::pod_gated);
  gated.gated = false;
  s.say(gated);
  CHECK(gate(s.view(), g).open());
}

TEST_CASE("the gate reads the minimum of now", "[quorum]") {
  scene s;
  auto gang = scene::gang(1, 4, {1}, 4);
  s.group(gang);
  s.pods(10, 3, gang);
  CHECK_FALSE(gate(s.view(), g).open());
  gang.min_count = 3;
  s.group(gang);
  CHECK(gate(s.view(), g).open());
}

TEST_CASE("an overlay gives the answer of its snapshot", "[quorum]") {
  scene s;
  const auto gang = scene::gang(1, 2, {1});
  s.group(gang);
  s.pod(10, gang);
  const auto view = s.view();
  const muster::overlay<slots> on{view};
  CHECK(gate(on, g).reason == gate_reason::members_missing);
  CHECK(gate(on, g, matching::only_waiting).have == 1);
}

TEST_CASE("a group that is gone is unknown again, and its members count when it is made anew", "[quorum]") {
  scene s;
  const auto gang = scene::gang(1, 2, {1});
  s.group(gang);
  s.pods(10, 2, gang);
  s.say(muster::group_gone{g});
  CHECK(gate(s.view(), g).reason == gate_reason::group_unknown);
  s.group(gang);
  CHECK(gate(s.view(), g).open());
}

TEST_CASE("every gate reason has a name of its own", "[quorum]") {
  std::set<std::string_view> names;
  for (const auto reason : {gate_reason::open, gate_reason::group_unknown, gate_reason::members_missing,
                            gate_reason::set_missing, gate_reason::pod_gated})
    names.insert(name(reason));
  CHECK(names.size() == 5);
  CHECK(names.count("?") == 0);
}

TEST_CASE("a group made again under its old id is bound by its quorum again", "[quorum]") {
  scene s;
  const auto gang = scene::gang(1, 3, {1});
  s.group(gang);
  s.pods(10, 1, gang);
  s.say(muster::group_satisfied{g, {}});
  CHECK(gate(s.view(), g, matching::once_satisfied).open());
  CHECK(gate(s.view(), g, matching::once_satisfied).freed);
  CHECK_FALSE(gate(s.view(), g).freed);
  s.say(muster::group_gone{g});
  s.group(gang);
  CHECK_FALSE(gate(s.view(), g, matching::once_satisfied).freed);
  CHECK(gate(s.view(), g, matching::once_satisfied).reason == gate_reason::members_missing);
}
