// SPDX-License-Identifier: BSL-1.0
#include <muster/preemption/preempt_pod.hpp>

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
#include <limits>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

// The rows of the Kubernetes page are in tests/kubernetes/preemption.cpp.

namespace {

using slots = muster::resource_vector<1>;
using muster::preemption_outcome;
using muster::preemption_reason;
using ids = std::vector<std::uint64_t>;

struct ring : muster_test::scene<slots> {
  using muster_test::scene<slots>::scene;
  muster::preempt_space<slots> space;
  muster::preempt_options<> options;
  std::vector<muster::disruption_budget> budgets;

  void place(std::uint64_t id, std::uint64_t on, std::int64_t at, muster::placing how = muster::placing::bound) {
    muster::pod_placed<slots> placed;
    placed.pod = muster::pod_id{id};
    placed.node = muster::node_id{on};
    placed.at = time(at);
    placed.how = how;
    say(placed);
  }
  void see(std::uint64_t id, muster::amount size, std::int32_t priority, muster::group_id of = muster::no_group) {
    muster::pod_seen<slots> seen;
    seen.pod = muster::pod_id{id};
    seen.group = of;
    seen.request = {size};
    seen.priority = priority;
    say(seen);
  }
  void runs(std::uint64_t id, std::uint64_t on, std::int32_t priority, std::int64_t at = 0, muster::amount size = 1) {
    see(id, size, priority);
    place(id, on, at);
  }
  void protect(std::uint64_t id) { budgets.push_back({0, {muster::pod_id{id}}, {}}); }

  [[nodiscard]] static muster::pod_group<slots> pod_of(muster::amount size, std::int32_t priority = 100) {
    auto made = gang(1, 1, {size});
    made.priority = priority;
    return made;
  }
  const muster::victim_plan<slots>& asked(const muster::pod_group<slots>& pod) {
    options.budgets = budgets;
    const auto seen = view(1000);
    const auto& plan = muster::preempt_pod(seen, pod, space, options);
    CHECK(plan.evicts() == !plan.victims.units.empty());
    if (plan.evicts()) {
      muster::overlay<slots> without{seen};
      for (const auto* victim : plan.victims.pods) without.vacate(*victim);
      CHECK(muster::verify(without, pod, plan.seats).holds());
    }
    return plan;
  }
  /// The node it sits on, 0 if it does on none.
  std::uint64_t node_for(const muster::pod_group<slots>& pod) {
    const auto& plan = asked(pod);
    return plan.seats.empty() ? 0 : number(plan.seats.front().node);
  }
};

// Section 7.8 on plain numbers.

struct plain_pod {
  std::uint64_t id = 0;
  std::size_t node = 0;
  std::int64_t size = 1, start = 0;
};
struct plain_unit {
  std::int64_t priority = 0;
  int rank = 1;
  std::vector<plain_pod> pods;  // by id

  [[nodiscard]] std::int64_t started() const {
    std::int64_t first = pods.front().start;
    for (const auto& pod : pods) first = std::min(first, pod.start);
    return first;
  }
  [[nodiscard]] std::int64_t size_on(std::size_t node) const {
    std::int64_t sum = 0;
    for (const auto& pod : pods) sum += pod.node == node ? pod.size : 0;
    return sum;
  }
  [[nodiscard]] bool is_on(std::size_t node) const {
    return std::any_of(pods.begin(), pods.end(), [&](const plain_pod& pod) { return pod.node == node; });
  }
};
struct plain_budget {
  std::int64_t allowed = 0;
  std::set<std::uint64_t> covers, disrupted;
};
struct plain_plan {
  std::size_t node = 0;
  std::set<std::uint64_t> victims;
  std::int64_t violations = 0;
};

/// What is decided on one node, if the pod fits there at all.
std::optional<std::vector<std::pair<const plain_unit*, std::int64_t>>> plain_victims(
    std::size_t node, std::int64_t free, std::int64_t size, const std::vector<const plain_unit*>& lower,
    const std::vector<plain_budget>& budgets) {
  std::vector<const plain_unit*> here;
  for (const auto* unit : lower)
    if (unit->is_on(node)) here.push_back(unit);
  for (const auto* unit : here) free += unit->size_on(node);
  if (free < size) return std::nullopt;
  std::vector<std::pair<const plain_unit*, std::int64_t>> violating, others, victims;
  std::vector<std::int64_t> left;
  for (const auto& budget : budgets) left.push_back(budget.allowed);
  for (const auto* unit : here) {
    std::int64_t count = 0;
    for (const auto& pod : unit->pods)
      for (std::size_t b = 0; b < budgets.size(); ++b) {
        if (budgets[b].covers.count(pod.id) == 0 || budgets[b].disrupted.count(pod.id) != 0) continue;
        left[b] -= 1;
        if (left[b] < 0) {
          count += 1;
          break;
        }
      }
    (count > 0 ? violating : others).emplace_back(unit, count);
  }
  for (const auto* list : {&violating, &others})
    for (const auto& each : *list)
      if (free - each.first->size_on(node) >= size) free -= each.first->size_on(node);
      else victims.push_back(each);
  return victims;
}

/// The choice among all nodes where the pod fails, from `from` round the ring. Fewer than 100 nodes: all are tried.
std::optional<plain_plan> plain_choice(const std::vector<std::int64_t>& free, const std::vector<bool>& allowed,
                                       const std::vector<plain_unit>& units, const std::vector<plain_budget>& budgets,
                                       std::int64_t size, std::int64_t priority, std::size_t from) {
  std::vector<const plain_unit*> lower;
  for (const auto& unit : units)
    if (unit.priority < priority) lower.push_back(&unit);
  std::sort(lower.begin(), lower.end(), [](const plain_unit* a, const plain_unit* b) {
    const auto key = [](const plain_unit& of) {
      return std::tuple{-of.priority, -of.rank, -static_cast<std::int64_t>(of.pods.size()), of.started(),
                        of.pods.front().id};
    };
    return key(*a) < key(*b);
  });
  std::vector<std::size_t> nodes;
  for (std::size_t n = 0; n < free.size(); ++n)
    if (allowed[n] && free[n] < size) nodes.push_back(n);
  using key = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t>;
  std::optional<key> least;
  plain_plan best;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::size_t node = nodes[(from + i) % nodes.size()];
    const auto victims = plain_victims(node, free[node], size, lower, budgets);
    if (!victims) continue;
    plain_plan made{node, {}, 0};
    std::vector<std::pair<std::int64_t, std::int64_t>> pods;  // priority and start, of each victim
    for (const auto& [unit, count] : *victims) {
      made.violations += count;
      for (const auto& pod : unit->pods) {
        made.victims.insert(pod.id);
        pods.emplace_back(unit->priority, pod.start);
      }
    }
    std::int64_t highest = pods.front().first, sum = 0;
    for (const auto& pod : pods) highest = std::max(highest, pod.first), sum += pod.first + 2147483648;
    std::optional<std::int64_t> first;
    for (const auto& pod : pods)
      if (pod.first == highest && (!first || pod.second < *first)) first = pod.second;
    const key now{made.violations, highest, sum, static_cast<std::int64_t>(pods.size()), -*first};
    if (least && now >= *least) continue;
    least = now;
    best = made;
  }
  if (!least) return std::nullopt;
  return best;
}

/// Keeps pods from nodes of kind 1.
struct not_kind_one {
  template <class M>
  [[nodiscard]] muster::reason_code operator()(const muster::pod_group<M>&, std::size_t, muster::kind_id kind) const {
    return kind == muster::kind_id{1} ? muster::reason_code{7} : muster::eligible_node;
  }
};

}  // namespace

TEST_CASE("node and victims of a pod are those of the plain rule", "[preemption]") {
  constexpr std::int64_t newest = 1'000'000;
  muster_test::generator rng{"preempt_pod"};
  int evicted = 0, violated = 0, spared = 0, elsewhere = 0;
  for (int round = 0; round < muster_test::rounds(3000); ++round) {
    ring s;
    const auto nodes = static_cast<std::size_t>(rng.between(1, 6));
    std::vector<std::int64_t> free;
    std::vector<bool> allowed;
    for (std::size_t n = 0; n < nodes; ++n) {
      free.push_back(rng.between(1, 6));
      allowed.push_back(!rng.chance(10));
      s.node(n, {free.back()}, {}, allowed.back() ? 0 : 1);
    }
    std::vector<plain_unit> units;
    std::uint64_t id = 100;
    for (std::int64_t u = rng.between(2, 9); u > 0; --u) {
      const auto priority = static_cast<std::int32_t>(rng.between(-1, 3));
      const bool grouped = rng.chance(60), whole = grouped && rng.chance(70);
      const std::int64_t size = rng.between(1, 2);
      std::vector<plain_pod> pods;
      for (std::int64_t p = grouped ? rng.between(1, 4) : 1; p > 0; --p) {
        const auto node = static_cast<std::size_t>(rng.below(nodes));
        if (free[node] < size) continue;
        free[node] -= size;
        pods.push_back({id++, node, size, rng.between(0, 3)});
      }
      if (pods.empty()) continue;
      muster::group_id of = muster::no_group;
      if (grouped) {
        auto group = ring::gang(id, static_cast<muster::pod_count>(pods.size()), {size});
        group.priority = priority;
        group.disruption = whole ? muster::disruption_mode::all : muster::disruption_mode::single;
        s.group(group);
        of = group.id;
      }
      for (auto& pod : pods) {
        const bool assumed = rng.chance(10);
        s.see(pod.id, size, grouped ? static_cast<std::int32_t>(rng.between(-5, 5)) : priority, of);
        s.place(pod.id, pod.node, pod.start, assumed ? muster::placing::assumed : muster::placing::bound);
        if (assumed) pod.start = newest;
        else if (rng.chance(10)) s.leave(pod.id);
        if (!whole) units.push_back({priority, grouped ? 2 : 1, {pod}});
      }
      if (whole) units.push_back({priority, 2, pods});
    }
    std::vector<plain_budget> budgets(static_cast<std::size_t>(rng.between(0, 2)));
    for (auto& budget : budgets) {
      muster::disruption_budget told;
      budget.allowed = told.allowed = rng.between(0, 2);
      for (std::uint64_t pod = 100; pod < id; ++pod) {
        if (!rng.chance(60)) continue;
        budget.covers.insert(pod);
        told.covers.push_back(muster::pod_id{pod});
        if (!rng.chance(15)) continue;
        budget.disrupted.insert(pod);
        told.disrupted.push_back(muster::pod_id{pod});
      }
      s.budgets.push_back(told);
    }
    const auto pod = ring::pod_of(rng.between(1, 6), static_cast<std::int32_t>(rng.between(0, 4)));
    const std::int64_t size = pod.pod_sets[0].request[0];
    muster::preempt_options<muster::seat_pod_by_pod<>, muster::more_important, muster::more_pods_seated,
                            muster::anyone, not_kind_one>
        options;
    options.budgets = s.budgets;
    options.ring_start = static_cast<std::size_t>(rng.below(9));
    const auto view = s.view(2000);
    const auto before = muster::digest(s.model());
    const auto& plan = muster::preempt_pod(view, pod, s.space, options);
    CHECK(muster::digest(s.model()) == before);

    bool fits = false;
    for (std::size_t n = 0; n < nodes; ++n) fits = fits || (allowed[n] && free[n] >= size);
    CHECK((plan.outcome == preemption_outcome::not_needed) == fits);
    if (fits) continue;
    const auto expected = plain_choice(free, allowed, units, budgets, size, pod.priority, options.ring_start);
    REQUIRE(plan.evicts() == expected.has_value());
    if (!expected) {
      CHECK(plan.outcome == preemption_outcome::none);
      CHECK(plan.victims.units.empty());
      CHECK(plan.seats.empty());
      continue;
    }
    std::set<std::uint64_t> victims;
    bool away = false;
    for (const auto* each : plan.victims.pods) {
      victims.insert(number(each->id));
      away = away || number(view.node_of(*each)) != expected->node;
    }
    CHECK(victims == expected->victims);
    REQUIRE(plan.seats.size() == 1);
    CHECK(plan.seats[0].node == muster::node_id{expected->node});
    CHECK(plan.violations == expected->violations);
    ++evicted;
    violated += plan.violations > 0 ? 1 : 0;
    elsewhere += away ? 1 : 0;
    for (const auto& unit : units)
      if (unit.priority < pod.priority && unit.is_on(expected->node) && victims.count(unit.pods[0].id) == 0) {
        ++spared;
        break;
      }
  }
  CHECK(evicted > 500);
  CHECK(violated > 50);
  CHECK(spared > 100);
  CHECK(elsewhere > 100);
}

TEST_CASE("the node is chosen by one criterion after the other", "[preemption]") {
  ring s;
  s.node(1, {2});
  s.node(2, {2});
  SECTION("fewest violations, before the lower priority") {
    s.runs(11, 1, 1, 0, 2);
    s.runs(12, 2, 50, 0, 2);
    s.protect(11);
    CHECK(s.node_for(ring::pod_of(2)) == 2);
    CHECK(s.space.plan.violations == 0);
  }
  SECTION("lowest of the highest priorities, before the fewer pods") {
    s.runs(11, 1, 50, 0, 2);
    s.runs(12, 2, 49);
    s.runs(13, 2, 49);
    CHECK(s.node_for(ring::pod_of(2)) == 2);
  }
  SECTION("least sum: one more pod costs even at a negative priority") {
    s.runs(11, 1, -5);
    s.runs(12, 1, -5);
    s.runs(13, 2, -5, 0, 2);
    CHECK(s.node_for(ring::pod_of(2)) == 2);
  }
  SECTION("least sum, before the fewer pods") {
    constexpr std::int32_t lowest = std::numeric_limits<std::int32_t>::min();
    s.runs(11, 1, 100, 0, 2);
    s.runs(12, 2, 100, 0, 2);
    s.node(3, {3});
    s.node(4, {3});
    s.runs(13, 3, 5);
    s.runs(14, 3, 5, 0, 2);
    s.runs(15, 4, 5);
    s.runs(16, 4, lowest);
    s.runs(17, 4, lowest);
    CHECK(s.node_for(ring::pod_of(3)) == 4);
  }
  SECTION("fewest pods, where that leaves the sum equal") {
    s.runs(11, 1, std::numeric_limits<std::int32_t>::min());
    s.runs(12, 1, std::numeric_limits<std::int32_t>::min());
    s.runs(13, 2, std::numeric_limits<std::int32_t>::min(), 0, 2);
    CHECK(s.node_for(ring::pod_of(2)) == 2);
  }
  SECTION("latest start: of each node the first among its victims of the highest priority") {
    s.runs(11, 1, 5, 1);
    s.runs(12, 1, 5, 9);
    s.runs(13, 2, 5, 3);
    s.runs(14, 2, 5, 4);
    CHECK(s.node_for(ring::pod_of(2)) == 2);
  }
  SECTION("the start of a lower one says nothing") {
    s.runs(11, 1, 5, 3);
    s.runs(12, 1, 4, 9);
    s.runs(13, 2, 5, 4);
    s.runs(14, 2, 4, 1);
    CHECK(s.node_for(ring::pod_of(2)) == 2);
  }
  SECTION("nor if it is looked at before, since it breaks a budget") {
    s.runs(11, 1, 4, 9);
    s.runs(12, 1, 5, 4);
    s.runs(13, 2, 4, 1);
    s.runs(14, 2, 5, 5);
    s.protect(11);
    s.protect(13);
    CHECK(s.node_for(ring::pod_of(2)) == 2);
  }
  SECTION("the first, from where the ring begins") {
    s.runs(11, 1, 5, 0, 2);
    s.runs(12, 2, 5, 0, 2);
    CHECK(s.node_for(ring::pod_of(2)) == 1);
    s.options.ring_start = 1;
    CHECK(s.node_for(ring::pod_of(2)) == 2);
    s.options.ring_start = 2;
    CHECK(s.node_for(ring::pod_of(2)) == 1);
  }
}

TEST_CASE("not every node is tried", "[preemption]") {
  ring s;
  // The one pod of a lower priority is on the node that stands at `cheap` in the ring.
  const auto fill = [&](std::uint64_t nodes, std::uint64_t cheap) {
    for (std::uint64_t n = 0; n < nodes; ++n) {
      s.node(n + 1, {1});
      s.runs(10'000 + n, n + 1, n == cheap ? 1 : 50);
    }
  };
  SECTION("a hundred are enough, of fewer than a thousand") {
    const bool within = GENERATE(true, false);
    fill(150, within ? 99 : 100);
    CHECK(s.node_for(ring::pod_of(1)) == (within ? 100U : 1U));
    s.options.ring_start = 51;
    CHECK(s.node_for(ring::pod_of(1)) == (within ? 100U : 101U));
  }
  SECTION("of more a tenth") {
    const bool within = GENERATE(true, false);
    fill(1509, within ? 149 : 150);
    CHECK(s.node_for(ring::pod_of(1)) == (within ? 150U : 1U));
  }
  SECTION("those where the pod does not fit at all do not count") {
    s.node(9'001, {1});
    for (std::uint64_t n = 0; n < 60; ++n) {
      s.node(5'000 + n, {1});
      s.runs(20'000 + n, 5'000 + n, 100);
    }
    s.runs(30'000, 9'001, 1);
    fill(99, 200);
    CHECK(s.node_for(ring::pod_of(1)) == 9'001U);
  }
  SECTION("as long as each breaks a budget the search goes on") {
    fill(150, 200);
    for (std::uint64_t n = 0; n < 149; ++n) s.protect(10'000 + n);
    CHECK(s.node_for(ring::pod_of(1)) == 150U);
    CHECK(s.space.plan.violations == 0);
  }
}

TEST_CASE("what leaves the nominated node is waited for while the pod may sit there", "[preemption]") {
  ring s;
  s.node(1, {1});
  s.node(2, {1});
  s.runs(11, 1, 10);
  s.runs(12, 2, 10);
  s.leave(11);
  s.say(muster::set_aside<slots>{muster::set_aside_id{1}, muster::group_id{1}, 0, muster::node_id{1}, 1, {1}});
  SECTION("it waits") {
    CHECK(s.asked(ring::pod_of(1)).outcome == preemption_outcome::wait);
    CHECK(s.space.plan.reason == preemption_reason::victims_terminating);
  }
  SECTION("one that may not preempt does not") {
    auto pod = ring::pod_of(1);
    pod.preemption = muster::preemption_policy::never;
    CHECK(s.asked(pod).outcome == preemption_outcome::none);
    CHECK(s.space.plan.reason == preemption_reason::policy_never);
  }
  SECTION("nor where the node is closed meanwhile: others leave") {
    s.say(muster::node_closed{muster::node_id{1}, s.time(0), muster::end_of_time});
    CHECK(s.node_for(ring::pod_of(1)) == 2);
    CHECK(s.space.plan.victims.pods.size() == 1);
  }
  SECTION("nor for a pod of its own priority") {
    CHECK(s.asked(ring::pod_of(1, 10)).reason == preemption_reason::no_units);
  }
}

TEST_CASE("the seat of a pod is granted beside who is spared, and fits its level", "[preemption]") {
  using gpus = muster::devices<4>;
  muster_test::scene<gpus> s{muster::nested_levels(1)};
  s.node(1, {4});
  s.node(2, {4}, {1});
  for (const std::uint64_t pod : {11U, 12U, 13U, 14U}) s.filler(pod, 1, {1}, -1);
  for (const std::uint64_t pod : {21U, 22U, 23U, 24U}) s.filler(pod, 2, {1});
  auto pod = muster_test::scene<gpus>::gang(1, 1, {2});
  pod.priority = 1;
  const bool in_a_domain = GENERATE(false, true);
  if (in_a_domain) pod.required = muster::topology_level{0};
  muster::preempt_space<gpus> space;
  const auto view = s.view();
  const auto& plan = muster::preempt_pod(view, pod, space);
  REQUIRE(plan.victims.units.size() == 2);
  CHECK(plan.seats[0].node == muster::node_id{in_a_domain ? 2U : 1U});
  muster::overlay<gpus> without{view};
  for (const auto* victim : plan.victims.pods) without.vacate(*victim);
  CHECK(muster::verify(without, pod, plan.seats).holds());
}

TEST_CASE("one pod is asked for, known or told", "[preemption]") {
  ring s;
  s.node(1, {1});
  s.runs(11, 1, 10);
  SECTION("several wait") {
    auto gang = ring::gang(1, 2, {1}, 1);
    gang.priority = 100;
    CHECK(s.asked(gang).outcome == preemption_outcome::invalid);
    CHECK(s.space.plan.placement == muster::refusal_reason::group_fault);
  }
  SECTION("nobody knows it") {
    CHECK(muster::preempt_pod(s.view(), muster::group_id{5}, s.space).outcome == preemption_outcome::hold);
    CHECK(s.space.plan.placement == muster::refusal_reason::group_unknown);
  }
  SECTION("it is faulty") {
    CHECK(s.asked(ring::pod_of(-1)).outcome == preemption_outcome::invalid);
  }
  SECTION("the one of its group that waits, and once it runs nobody") {
    auto group = ring::gang(1, 2, {1}, 1);
    group.priority = 100;
    s.node(2, {1});
    s.group(group);
    s.pods(21, 2, group);
    s.place(21, 2, 0);
    const auto& plan = muster::preempt_pod(s.view(), group.id, s.space);
    REQUIRE(plan.evicts());
    CHECK(plan.victims.pods.size() == 1);
    CHECK(plan.seats[0].node == muster::node_id{1});
    s.end(11);
    s.place(22, 1, 0);
    CHECK(muster::preempt_pod(s.view(), group.id, s.space).outcome == preemption_outcome::not_needed);
    CHECK(s.space.plan.seats.empty());
  }
}
