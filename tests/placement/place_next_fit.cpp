// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/place_next_fit.hpp>
#include <muster/placement/verify.hpp>
#include <muster/placement/verify_certificate.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/generator.hpp"
#include "support/scene.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using cells = muster::resource_vector<1>;
using muster::verdict;
using muster_test::on;

struct yard : muster_test::scene<cells> {
  /// A pod of no group with a priority.
  void use(std::uint64_t node, muster::amount some, std::int32_t priority = 0) {
    muster::pod_seen<cells> pod;
    pod.pod = muster::pod_id{++last};
    pod.request = {some};
    pod.priority = priority;
    say(pod);
    bind(last, node);
  }
  muster::next_fit_answer ask(const muster::pod_group<cells>& gang) { return place_next_fit(view(), gang, space); }
  std::uint64_t last = 1000;
  muster::workspace<cells> space;
};

muster::pod_group<cells> gang_of(std::initializer_list<muster::amount> pods, std::int32_t priority = 0) {
  auto gang = yard::gang(1, 0, {0});
  gang.pod_sets.clear();
  for (const muster::amount each : pods) gang.pod_sets.push_back({{each}, 1, 0});
  gang.priority = priority;
  return gang;
}

/// The rule read from its words, on rows of numbers.
struct plain_rule {
  struct use {
    std::int32_t priority;
    muster::amount some;
  };
  struct node {
    muster::amount all;
    std::vector<use> uses;
    [[nodiscard]] muster::amount used_from(std::int32_t priority) const {
      muster::amount sum = 0;
      for (const use& one : uses) sum += one.priority >= priority ? one.some : 0;
      return sum;
    }
  };
  std::vector<node> nodes;

  /// Pods by node in the order of their sizes; nothing if one finds none. \param from priorities that are not free
  [[nodiscard]] std::optional<std::vector<std::size_t>> seat(std::vector<muster::amount> pods, std::int32_t from,
                                                             std::int32_t own) const {
    std::sort(pods.begin(), pods.end());
    std::vector<std::size_t> order(nodes.size()), seats;
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      const auto key = [&](const node& n) { return std::pair{-n.used_from(-100), n.used_from(own + 1)}; };
      return key(nodes[a]) < key(nodes[b]);
    });
    std::size_t next = 0;
    muster::amount taken = 0;
    for (std::size_t at = 0; at < order.size() && next < pods.size();) {
      const node& here = nodes[order[at]];
      if (here.all - here.used_from(from) - taken >= pods[next]) {
        taken += pods[next++];
        seats.push_back(order[at]);
      } else {
        taken = 0;
        ++at;
      }
    }
    return next == pods.size() ? std::optional{seats} : std::nullopt;
  }
  /// Whether the pods fit at all, by trying everything.
  [[nodiscard]] bool sit(const std::vector<muster::amount>& pods, std::int32_t from) const {
    std::vector<muster::amount> left;
    for (const node& one : nodes) left.push_back(one.all - one.used_from(from));
    const auto tries = [&](const auto& self, std::size_t pod) -> bool {
      if (pod == pods.size()) return true;
      for (muster::amount& here : left) {
        if (here < pods[pod]) continue;
        here -= pods[pod];
        const bool all = self(self, pod + 1);
        here += pods[pod];
        if (all) return true;
      }
      return false;
    };
    return tries(tries, 0);
  }
};

}  // namespace

TEST_CASE("pods fill the fullest node first, the least of them before the large ones", "[placement]") {
  yard s;
  for (const std::uint64_t n : {1U, 2U, 3U}) s.node(n, {8});
  s.use(2, 5);
  s.use(3, 4);
  const auto made = s.ask(gang_of({4, 2, 1}));
  CHECK(made.by_rule);
  CHECK_FALSE(made.lower_counted_free);
  CHECK(on(s.space.answer, 2, 2) == 1);
  CHECK(on(s.space.answer, 2, 1) == 1);
  CHECK(on(s.space.answer, 3, 0) == 1);
}

TEST_CASE("a node that was left is not asked again, though it has room for a pod that asks less beside the leading one",
          "[placement]") {
  using two = muster::resource_vector<2>;
  muster_test::scene<two> s;
  s.node(1, {4, 4});
  s.node(2, {4, 9});
  auto gang = muster_test::scene<two>::gang(1, 1, {1, 5});
  gang.pod_sets.push_back({{2, 1}, 1, 0});
  muster::workspace<two> space;
  CHECK(place_next_fit(s.view(), gang, space).by_rule);
  CHECK(on(space.answer, 2) == 2);
}

TEST_CASE("of nodes equally full the one with less use of higher priority comes first", "[placement]") {
  yard s;
  for (const std::uint64_t n : {1U, 2U}) s.node(n, {8});
  s.use(1, 4, 5);
  s.use(2, 4, 1);
  CHECK(s.ask(gang_of({1}, 3)).by_rule);
  CHECK(on(s.space.answer, 2) == 1);
  CHECK(s.ask(gang_of({1}, 7)).by_rule);
  CHECK(on(s.space.answer, 1) == 1);
}

TEST_CASE("free 2 and 3, pods of 1, 2 and 2: next-fit refuses, the gang is placed", "[placement]") {
  yard s;
  for (const std::uint64_t n : {1U, 2U}) s.node(n, {4});
  s.use(1, 2);
  s.use(2, 1);
  const auto gang = gang_of({1, 2, 2}, 9);
  const plain_rule rule{{{4, {{0, 2}}}, {4, {{0, 1}}}}};
  REQUIRE_FALSE(rule.seat({1, 2, 2}, 0, 9));
  const auto made = s.ask(gang);
  CHECK_FALSE(made.by_rule);
  CHECK_FALSE(made.lower_counted_free);  // nobody need go
  REQUIRE(s.space.answer.fits());
  CHECK(verify(s.view(), gang, s.space.answer.seats).holds());
  CHECK(on(s.space.answer, 1) == 1);
  CHECK(on(s.space.answer, 2) == 2);
}

TEST_CASE("lower priorities are counted free only where nothing else helps, and only for who may preempt",
          "[placement]") {
  yard s;
  for (const std::uint64_t n : {1U, 2U}) s.node(n, {4});
  s.use(1, 3, 1);
  s.use(2, 3, 5);
  auto gang = gang_of({2, 2}, 5);
  auto made = s.ask(gang);
  CHECK(made.by_rule);
  CHECK(made.lower_counted_free);
  CHECK(s.space.answer.fits());
  CHECK(on(s.space.answer, 1) == 2);
  CHECK_FALSE(verify(s.view(), gang, s.space.answer.seats).holds());  // not yet
  CHECK(s.ask(gang_of({1, 1}, 5)).lower_counted_free == false);
  gang.preemption = muster::preemption_policy::never;
  made = s.ask(gang);
  CHECK_FALSE(made.lower_counted_free);
  CHECK(s.space.answer.verdict == verdict::not_now);
  gang = gang_of({4, 4}, 5);
  made = s.ask(gang);
  CHECK_FALSE(made.lower_counted_free);  // the other one is of its own priority
  CHECK(s.space.answer.verdict == verdict::not_now);
  CHECK(s.space.answer.lack.seated == 0);  // of the view as it is: without the pod of priority 1 one would sit
  CHECK(verify(s.view(), gang, s.space.answer.proof).holds());
  CHECK(s.ask(gang_of({5}, 5)).lower_counted_free == false);
  CHECK(s.space.answer.verdict == verdict::never);
}

TEST_CASE("members of the group itself stay where they are", "[placement]") {
  yard s;
  s.node(1, {6});
  auto gang = yard::gang(1, 2, {3}, 1);
  gang.priority = 5;
  s.group(gang);
  for (const std::uint64_t each : {10U, 11U}) {
    muster::pod_seen<cells> pod;
    pod.pod = muster::pod_id{each};
    pod.group = gang.id;
    pod.request = {3};
    s.say(pod);  // of priority 0
  }
  s.bind(10, 1);
  s.use(1, 2, 9);
  const auto view = s.view();
  muster::overlay<cells> trial{view};
  const auto made = place_next_fit(trial, gang.id, s.space);
  CHECK_FALSE(made.lower_counted_free);
  CHECK(s.space.answer.verdict == verdict::not_now);
  CHECK(trial.now(0) == view.now(0));
}

TEST_CASE("next-fit as the rule is written, and what it refuses is placed if it fits", "[placement]") {
  muster_test::generator rng{"place_next_fit"};
  int first = 0, second = 0, searched = 0, searched_second = 0, refused = 0;
  for (int round = 0; round < muster_test::rounds(600); ++round) {
    yard s;
    plain_rule rule;
    const std::uint64_t nodes = 1 + rng.below(4), members = 1 + rng.below(5);
    for (std::uint64_t n = 0; n < nodes; ++n) {
      plain_rule::node one{rng.between(2, 8), {}};
      s.node(n, {one.all});
      for (muster::amount left = one.all; left > 0 && rng.chance(60);) {
        const plain_rule::use one_use{static_cast<std::int32_t>(rng.between(0, 4)), rng.between(1, left)};
        s.use(n, one_use.some, one_use.priority);
        one.uses.push_back(one_use);
        left -= one_use.some;
      }
      rule.nodes.push_back(one);
    }
    auto gang = gang_of({}, static_cast<std::int32_t>(rng.between(0, 4)));
    std::vector<muster::amount> pods;
    for (std::uint64_t p = 0; p < members; ++p) {
      pods.push_back(rng.between(1, 4));
      gang.pod_sets.push_back({{pods.back()}, 1, 0});
    }
    const auto made = s.ask(gang);
    const auto plain = rule.seat(pods, -100, gang.priority);
    const bool now = rule.sit(pods, -100);
    const auto preempting = rule.seat(pods, gang.priority, gang.priority);
    const bool later = rule.sit(pods, gang.priority);
    REQUIRE(s.space.answer.fits() == (now || later));
    CHECK(made.lower_counted_free == (!now && later));
    CHECK(made.by_rule == (plain || (!now && preempting)));
    if (made.by_rule) {
      std::vector<std::size_t> seats;
      for (const auto& one : s.space.answer.seats) seats.push_back(number(one.node));
      CHECK(seats == (plain ? *plain : *preempting));
    }
    ++(made.by_rule ? (made.lower_counted_free ? second : first)
                    : made.lower_counted_free ? searched_second : now ? searched : refused);
  }
  for (const int times : {first, second, searched, searched_second, refused}) CHECK(times > 5);
}
