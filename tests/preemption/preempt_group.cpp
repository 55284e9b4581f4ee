// SPDX-License-Identifier: BSL-1.0
#include <muster/preemption/preempt_group.hpp>

#include <muster/cluster/digest.hpp>
#include <muster/resource/devices.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/generator.hpp"
#include "support/scene.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

// The rows of the Kubernetes page are in tests/kubernetes/preemption.cpp.

namespace {

using slots = muster::resource_vector<1>;
using muster::preemption_outcome;
using muster::preemption_reason;

/// One unit of the plain rule.
struct plain_unit {
  std::int32_t priority = 0;
  bool grouped = false;
  std::vector<std::pair<std::uint64_t, std::size_t>> pods;  // id and node, each of size 1
};

/// Section 7.5 on plain numbers: nodes with so much free, units of pods of size 1, and seats that are fixed.
std::set<std::uint64_t> plain_victims(std::vector<std::int64_t> free, const std::vector<plain_unit>& units,
                                      std::int32_t priority, const std::vector<std::int64_t>& seats) {
  std::vector<const plain_unit*> lower;
  for (const auto& unit : units)
    if (unit.priority < priority) lower.push_back(&unit);
  for (const auto* unit : lower)
    for (const auto& [id, node] : unit->pods) ++free[node];
  for (std::size_t n = 0; n < free.size(); ++n) free[n] -= seats[n];
  std::sort(lower.begin(), lower.end(), [](const plain_unit* a, const plain_unit* b) {
    const auto key = [](const plain_unit& of) {
      return std::tuple{-of.priority, of.grouped ? 0 : 1, -static_cast<std::int64_t>(of.pods.size()),
                        of.pods.front().first};
    };
    return key(*a) < key(*b);
  });
  std::set<std::uint64_t> victims;
  for (const auto* unit : lower) {
    auto after = free;
    for (const auto& [id, node] : unit->pods) --after[node];
    if (std::all_of(after.begin(), after.end(), [](std::int64_t left) { return left >= 0; })) free = after;
    else
      for (const auto& [id, node] : unit->pods) victims.insert(id);
  }
  return victims;
}

}  // namespace

TEST_CASE("victims are those of the plain rule", "[preemption]") {
  muster_test::generator rng{"preempt_group"};
  int evicted = 0, spared = 0;
  for (int round = 0; round < muster_test::rounds(1500); ++round) {
    muster_test::scene<slots> s;
    const auto nodes = static_cast<std::size_t>(rng.between(1, 5));
    std::vector<std::int64_t> free;
    for (std::size_t n = 0; n < nodes; ++n) {
      free.push_back(rng.between(1, 5));
      s.node(n, {free.back()});
    }
    std::vector<plain_unit> units;
    std::uint64_t pod = 100;
    for (std::int64_t u = rng.between(0, 7); u > 0; --u) {
      plain_unit unit;
      unit.priority = static_cast<std::int32_t>(rng.between(0, 3));
      unit.grouped = rng.chance(60);
      for (std::int64_t p = unit.grouped ? rng.between(1, 3) : 1; p > 0; --p) {
        const auto node = static_cast<std::size_t>(rng.below(nodes));
        if (free[node] == 0) continue;
        --free[node];
        unit.pods.emplace_back(pod++, node);
      }
      if (unit.pods.empty()) continue;
      muster::pod_group<slots> group;
      if (unit.grouped) {
        group = muster_test::scene<slots>::gang(pod, static_cast<muster::pod_count>(unit.pods.size()), {1});
        group.priority = unit.priority;
        s.group(group);
      }
      for (const auto& [id, node] : unit.pods) {
        if (!unit.grouped) {
          s.filler(id, node, {1}, unit.priority);
          continue;
        }
        s.pod(id, group);
        s.bind(id, node);
      }
      units.push_back(unit);
    }
    auto gang = muster_test::scene<slots>::gang(1, rng.between(1, 6), {1});
    gang.priority = static_cast<std::int32_t>(rng.between(1, 3));
    muster::preempt_space<slots> space;
    const auto view = s.view();
    const auto before = muster::digest(s.model());
    const auto& plan = muster::preempt_group(view, gang, space);
    CHECK(muster::digest(s.model()) == before);
    if (!plan.evicts()) {
      CHECK(plan.victims.units.empty());
      continue;
    }
    std::vector<std::int64_t> seats(nodes, 0);
    for (const auto& one : plan.seats) seats[number(one.node)] += one.count;
    std::set<std::uint64_t> victims;
    for (const auto* each : plan.victims.pods) victims.insert(number(each->id));
    CHECK(victims == plain_victims(free, units, gang.priority, seats));
    ++evicted;
    std::size_t lower = 0;
    for (const auto& unit : units) lower += unit.priority < gang.priority ? 1U : 0U;
    spared += plan.victims.units.size() < lower ? 1 : 0;
  }
  CHECK(evicted > 100);
  CHECK(spared > 30);
}

TEST_CASE("with a required level the domain that seats most is taken, or the better one by the caller", "[preemption]") {
  muster_test::scene<slots> s{muster::nested_levels(1)};
  s.node(1, {2}, {1});
  s.node(2, {3}, {2});
  s.filler(11, 1, {1});
  for (const std::uint64_t pod : {21U, 22U, 23U}) s.filler(pod, 2, {1});
  auto gang = muster_test::scene<slots>::gang(1, 3, {1}, 2);
  gang.priority = 100;
  gang.required = muster::topology_level{0};
  muster::preempt_space<slots> space;
  CHECK(muster::preempt_group(s.view(), gang, space).victims.units.size() == 3);
  const auto fewer = [](const auto& a, const auto& b) { return a.victims.pods.size() < b.victims.pods.size(); };
  const muster::preempt_options<muster::seat_pod_by_pod<>, muster::more_important, decltype(fewer)> options{
      {}, {}, {}, fewer, {}, {}};
  CHECK(muster::preempt_group(s.view(), gang, space, options).victims.units.size() == 1);
}

TEST_CASE("seats are granted again beside who is spared", "[preemption]") {
  using gpus = muster::devices<4>;
  muster_test::scene<gpus> s;
  s.node(1, {4});
  for (const std::uint64_t pod : {11U, 12U, 13U, 14U}) s.filler(pod, 1, {1});
  auto gang = muster_test::scene<gpus>::gang(1, 2, {1});
  gang.priority = 1;
  muster::preempt_space<gpus> space;
  const auto view = s.view();
  const auto& plan = muster::preempt_group(view, gang, space);
  REQUIRE(plan.victims.units.size() == 2);
  muster::overlay<gpus> without{view};
  for (const auto* pod : plan.victims.pods) without.vacate(*pod);
  CHECK(muster::verify(without, gang, plan.seats).holds());
}

TEST_CASE("a group that is faulty or not known evicts nobody", "[preemption]") {
  muster_test::scene<slots> s;
  s.node(1, {1});
  s.filler(11, 1, {1});
  muster::preempt_space<slots> space;
  auto gang = muster_test::scene<slots>::gang(1, 1, {-1});
  gang.priority = 100;
  CHECK(muster::preempt_group(s.view(), gang, space).outcome == preemption_outcome::invalid);
  CHECK(space.plan.placement == muster::refusal_reason::group_fault);
  CHECK(muster::preempt_group(s.view(), muster::group_id{5}, space).outcome == preemption_outcome::hold);
  CHECK(space.plan.reason == preemption_reason::placement_refused);
  CHECK(space.plan.victims.units.empty());
}
