// SPDX-License-Identifier: BSL-1.0
#include <muster/preemption/list_victim_units.hpp>

#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/generator.hpp"
#include "support/scene.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace {

using one = muster::resource_vector<1>;
using scene = muster_test::scene<one>;
using muster::disruption_mode;
using muster::placing;
using muster::unit_kind;
using ids = std::vector<std::uint64_t>;

struct yard : scene {
  explicit yard(std::uint64_t nodes = 2) {
    for (std::uint64_t n = 1; n <= nodes; ++n) node(n, {1000});
  }
  void submit(std::uint64_t id, disruption_mode mode, std::int32_t priority = 0) {
    auto made = gang(id, 4, {1}, 1);
    made.disruption = mode;
    made.priority = priority;
    group(made);
  }
  /// A pod that is placed; its own priority is of no account where its group is known.
  void run(std::uint64_t id, std::uint64_t of_group, std::uint64_t on, std::optional<std::int64_t> at = 0,
           placing how = placing::bound, std::int32_t priority = 0) {
    muster::pod_seen<one> seen;
    seen.pod = muster::pod_id{id};
    if (of_group != 0) seen.group = muster::group_id{of_group};
    seen.request = {1};
    seen.priority = priority;
    say(seen);
    muster::pod_placed<one> placed;
    placed.pod = muster::pod_id{id};
    placed.node = muster::node_id{on};
    placed.how = how;
    if (at) placed.at = time(*at);
    say(placed);
  }
  template <class May = muster::anyone>
  muster::victim_units<one> list(const May& may = {}) {
    muster::victim_units<one> found;
    muster::list_victim_units(view(), found, may);
    return found;
  }
};

ids pods_of(const muster::victim_units<one>& all, std::size_t unit) {
  ids found;
  for (const auto* pod : all.pods_of(all.units.at(unit))) found.push_back(number(pod->id));
  return found;
}

}  // namespace

TEST_CASE("nobody runs: no unit", "[preemption]") {
  yard y;
  y.submit(5, disruption_mode::all);
  CHECK(y.list().units.empty());
  muster::pod_seen<one> waits;
  waits.pod = muster::pod_id{1};
  waits.group = muster::group_id{5};
  y.say(waits);
  CHECK(y.list().units.empty());
}

TEST_CASE("a group of mode all is one unit wherever its pods run, of mode single each pod is one", "[preemption]") {
  yard y;
  y.submit(5, disruption_mode::all, 7);
  y.submit(6, disruption_mode::single, 8);
  y.run(12, 5, 2);
  y.run(11, 6, 1);
  y.run(10, 5, 1);
  y.run(13, 6, 1);
  y.run(14, 0, 2, 0, placing::bound, 9);
  const auto found = y.list();
  REQUIRE(found.units.size() == 4);
  CHECK(pods_of(found, 0) == ids{10, 12});
  CHECK(found.units[0].kind == unit_kind::group);
  CHECK(found.units[0].priority == 7);
  REQUIRE(found.units[0].group != nullptr);
  CHECK(found.units[0].group->id == muster::group_id{5});
  CHECK(pods_of(found, 1) == ids{11});
  CHECK(found.units[1].kind == unit_kind::member);
  CHECK(found.units[1].priority == 8);
  REQUIRE(found.units[1].group != nullptr);
  CHECK(found.units[1].group->id == muster::group_id{6});
  CHECK(pods_of(found, 2) == ids{13});
  CHECK(pods_of(found, 3) == ids{14});
  CHECK(found.units[3].kind == unit_kind::pod);
  CHECK(found.units[3].priority == 9);
  CHECK(found.units[3].group == nullptr);
  for (std::size_t u = 0; u < found.units.size(); ++u) CHECK(number(found.units[u].first) == pods_of(found, u).front());
}

TEST_CASE("what a grouped pod says of its own priority counts for nothing", "[preemption]") {
  yard y;
  y.submit(5, disruption_mode::all, -3);
  y.submit(6, disruption_mode::single, 4);
  y.run(10, 5, 1, 0, placing::bound, 100);
  y.run(11, 6, 1, 0, placing::bound, 100);
  const auto found = y.list();
  REQUIRE(found.units.size() == 2);
  CHECK(found.units[0].priority == -3);
  CHECK(found.units[1].priority == 4);
}

TEST_CASE("pods of a group that is gone, or was never seen, stand for themselves", "[preemption]") {
  yard y;
  y.submit(5, disruption_mode::all, 7);
  y.run(10, 5, 1, 0, placing::bound, 3);
  y.run(11, 5, 2, 0, placing::bound, 3);
  y.run(12, 77, 2, 0, placing::bound, 2);
  REQUIRE(y.list().units.size() == 2);
  y.say(muster::group_gone{muster::group_id{5}});
  const auto found = y.list();
  REQUIRE(found.units.size() == 3);
  for (const auto& unit : found.units) {
    CHECK(unit.kind == unit_kind::pod);
    CHECK(unit.group == nullptr);
    CHECK(unit.priority == (unit.first == muster::pod_id{12} ? 2 : 3));
  }
  y.submit(5, disruption_mode::all, 7);  // it comes back
  CHECK(y.list().units.size() == 2);
}

TEST_CASE("who is on the way out is in no unit; of a group the others are", "[preemption]") {
  yard y;
  y.submit(5, disruption_mode::all);
  y.submit(6, disruption_mode::all);
  y.submit(7, disruption_mode::single);
  for (const std::uint64_t pod : {10U, 11U, 12U}) y.run(pod, 5, 1);
  y.run(20, 6, 1);
  y.run(30, 7, 1);
  y.run(31, 7, 1);
  y.run(40, 0, 1);
  for (const std::uint64_t pod : {10U, 20U, 30U, 40U}) y.leave(pod);
  const auto found = y.list();
  REQUIRE(found.units.size() == 2);
  CHECK(pods_of(found, 0) == ids{11, 12});
  CHECK(found.units[0].first == muster::pod_id{11});
  CHECK(pods_of(found, 1) == ids{31});
}

TEST_CASE("a pod that ended, waits, or whose node went holds nothing and is in no unit", "[preemption]") {
  yard y{3};
  y.submit(5, disruption_mode::all);
  for (const std::uint64_t pod : {10U, 11U, 12U, 13U}) y.run(pod, 5, pod == 13 ? 3 : 1);
  y.run(20, 0, 3);
  y.end(10);
  y.say(muster::pod_unplaced{muster::pod_id{11}});
  y.say(muster::node_gone{muster::node_id{3}});
  const auto found = y.list();
  REQUIRE(found.units.size() == 1);
  CHECK(pods_of(found, 0) == ids{12});
}

TEST_CASE("a pod said to run on a node that nobody has seen yet holds nothing, until the node is seen", "[preemption]") {
  yard y;
  y.submit(5, disruption_mode::all);
  y.run(10, 5, 1);
  y.run(11, 5, 9);
  REQUIRE(y.list().units.size() == 1);
  CHECK(pods_of(y.list(), 0) == ids{10});
  y.node(9, {1000});
  REQUIRE(y.list().units.size() == 1);
  CHECK(pods_of(y.list(), 0) == ids{10, 11});
}

TEST_CASE("who runs on a closed node is a unit like any other", "[preemption]") {
  yard y;
  y.run(10, 0, 1);
  y.say(muster::node_closed{muster::node_id{1}});
  CHECK(y.list().units.size() == 1);
}

TEST_CASE("assumed members are evicted like others, and do not say when the unit began", "[preemption]") {
  yard y;
  y.submit(5, disruption_mode::all);
  y.run(10, 5, 1, 100, placing::assumed);
  y.run(11, 0, 1, 100, placing::assumed);
  auto found = y.list();
  REQUIRE(found.units.size() == 2);
  CHECK(found.units[0].started == muster::end_of_time);
  CHECK(found.units[1].started == muster::end_of_time);
  y.run(12, 5, 2, 500, placing::ready);
  y.run(13, 5, 2, 400, placing::bound);
  found = y.list();
  REQUIRE(found.units.size() == 2);
  CHECK(pods_of(found, 0) == ids{10, 12, 13});
  CHECK(found.units[0].started == scene::time(400));
}

TEST_CASE("whom `may` refuses is not listed, and it is asked once for every unit", "[preemption]") {
  yard y;
  y.submit(5, disruption_mode::all, 1);
  y.submit(6, disruption_mode::single, 2);
  for (const std::uint64_t pod : {10U, 14U}) y.run(pod, 5, 1);
  for (const std::uint64_t pod : {11U, 12U}) y.run(pod, 6, 2);
  y.run(13, 0, 1, 0, placing::bound, 3);
  std::map<std::uint64_t, int> asked;
  const auto old_enough = [&](const muster::victim_unit<one>& unit) {
    ++asked[number(unit.first)];
    CHECK(unit.pods == (unit.first == muster::pod_id{10} ? 2 : 1));
    return unit.priority != 1 && unit.first != muster::pod_id{12};
  };
  const auto found = y.list(old_enough);
  CHECK(asked == std::map<std::uint64_t, int>{{10, 1}, {11, 1}, {12, 1}, {13, 1}});
  REQUIRE(found.units.size() == 2);
  CHECK(pods_of(found, 0) == ids{11});
  CHECK(pods_of(found, 1) == ids{13});
  CHECK(found.pods.size() == 2);
}

TEST_CASE("what was listed before is replaced", "[preemption]") {
  yard y;
  y.run(10, 0, 1);
  y.run(11, 0, 1);
  muster::victim_units<one> found;
  muster::list_victim_units(y.view(), found);
  y.end(10);
  muster::list_victim_units(y.view(), found);
  REQUIRE(found.units.size() == 1);
  CHECK(found.pods.size() == 1);
  CHECK(pods_of(found, 0) == ids{11});
}

// Of random clusters: the units are what the rules say of a plain list of the pods, whatever order the changes had.
TEST_CASE("every pod that holds a place is in exactly one unit", "[preemption]") {
  muster_test::generator random{"every pod that holds a place is in exactly one unit"};
  for (int round = muster_test::rounds(200); round > 0; --round) {
    struct told {
      std::uint64_t id, group;
      bool holds;
    };
    std::vector<told> pods;
    std::vector<muster::change<one>> changes;
    const auto say = [&](muster::change_content<one> what) {
      changes.push_back({muster::revision{changes.size() + 1}, std::move(what)});
    };
    for (std::uint64_t n = 1; n <= 3; ++n) say(muster::node_seen<one>{{muster::node_id{n}, {}, {100}, {}}});
    // groups 1 and 2 are evicted whole, 3 pod by pod, 4 is gone, 5 was never seen; 0: none
    for (std::uint64_t id = 1; id <= 4; ++id) {
      auto made = scene::gang(id, 4, {1}, 1);
      made.disruption = id == 3 ? disruption_mode::single : disruption_mode::all;
      say(muster::group_seen<one>{made});
    }
    for (std::uint64_t i = random.below(12); i > 0; --i) {
      told pod{random.below(2) * 100 + i, random.below(6), true};
      muster::pod_seen<one> seen;
      seen.pod = muster::pod_id{pod.id};
      seen.group = pod.group == 0 ? muster::no_group : muster::group_id{pod.group};
      say(seen);
      muster::pod_placed<one> placed;
      placed.pod = seen.pod;
      const std::uint64_t node = 1 + random.below(3);
      placed.node = muster::node_id{node};
      placed.how = static_cast<placing>(random.below(3));
      if (random.chance(90)) say(placed);
      else pod.holds = false;
      if (random.chance(15)) say(muster::pod_terminating{seen.pod}), pod.holds = false;
      if (random.chance(10)) say(muster::pod_ended{seen.pod}), pod.holds = false;
      pod.holds = pod.holds && node != 3;
      pods.push_back(pod);
    }
    say(muster::node_gone{muster::node_id{3}});
    say(muster::group_gone{muster::group_id{4}});

    std::map<std::uint64_t, ids> expected;  // by first pod
    std::map<std::uint64_t, ids> together;
    std::vector<told> sorted = pods;
    std::sort(sorted.begin(), sorted.end(), [](const told& a, const told& b) { return a.id < b.id; });
    for (const told& pod : sorted) {
      if (!pod.holds) continue;
      if (pod.group == 1 || pod.group == 2) together[pod.group].push_back(pod.id);
      else expected[pod.id] = {pod.id};
    }
    for (const auto& [group, members] : together) expected[members.front()] = members;

    for (const bool shuffled : {false, true}) {
      if (shuffled) random.shuffle(changes);
      muster::cluster<one> model;
      for (const auto& change : changes) muster::apply(model, change);
      muster::victim_units<one> found;
      muster::list_victim_units(model.view(), found);
      REQUIRE(found.units.size() == expected.size());
      std::size_t u = 0;
      for (const auto& [first, members] : expected) {
        REQUIRE(number(found.units[u].first) == first);
        REQUIRE(pods_of(found, u) == members);
        ++u;
      }
    }
  }
}
