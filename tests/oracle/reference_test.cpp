// SPDX-License-Identifier: BSL-1.0
//
// The reference against hand-made answers, and against a search that seats one
// pod after the other and asks the checker at every step.
#include "../support/reference.hpp"

#include "../support/catch.hpp"
#include "../support/generator.hpp"
#include "../support/reference_bounds.hpp"
#include "../support/reference_check.hpp"

#include <algorithm>
#include <string>
#include <vector>

using reference::broken_rule;
using reference::instance;
using reference::seat;

namespace {

// Two racks of two nodes and a node in none; one resource, 4 free on each.
instance small() {
  instance of;
  of.levels = 1;
  for (const int rack : {0, 0, 1, 1, reference::no_domain}) {
    of.nodes.push_back({{4}, {rack}, true});
  }
  of.classes = {{10, {2}, 0, {}}};
  of.min_count = 1;
  return of;
}

// Seats pods one by one in every way that keeps the rules.
void seat_all(const instance& of, std::vector<seat>& placed, std::size_t which, std::size_t at,
              reference::result& found) {
  if (which == of.classes.size()) {
    reference::count size = 0;
    for (const auto& each : placed) {
      size += each.pods;
    }
    found.max = std::max(found.max, size);
    if (broken_rule(of, placed, true).empty()) {
      found.feasible = true;
      found.largest_legal = std::max(found.largest_legal, size);
    }
    return;
  }
  if (at == of.nodes.size()) {
    seat_all(of, placed, which + 1, 0, found);
    return;
  }
  seat_all(of, placed, which, at + 1, found);
  for (reference::count pods = 1; pods <= of.classes[which].pods; ++pods) {
    placed.push_back({which, at, pods});
    if (broken_rule(of, placed, false).empty()) {
      seat_all(of, placed, which, at + 1, found);
    }
    placed.pop_back();
  }
}

instance random_instance(muster_test::generator& random) {
  instance of;
  of.levels = 2;
  const auto resources = static_cast<std::size_t>(random.between(1, 3));
  const auto nodes = random.between(1, 4);
  for (std::int64_t at = 0; at < nodes; ++at) {
    reference::node each;
    for (std::size_t r = 0; r < resources; ++r) {
      each.free.push_back(random.between(-1, 6));
    }
    const int rack = static_cast<int>(random.between(0, 3));  // 3: none
    each.domains = {rack == 3 ? reference::no_domain : rack / 2, rack == 3 ? reference::no_domain : rack};
    each.open = !random.chance(10);
    of.nodes.push_back(each);
  }
  const auto classes = random.between(1, 3);
  for (std::int64_t which = 0; which < classes; ++which) {
    reference::pod_class each;
    each.pods = random.between(0, 3);
    for (std::size_t r = 0; r < resources; ++r) {
      each.request.push_back(random.between(0, 4));
    }
    each.minimum = random.chance(30) ? random.between(0, each.pods) : 0;
    if (random.chance(30)) {
      for (std::int64_t at = 0; at < nodes; ++at) {
        each.barred.push_back(random.chance(30));
      }
    }
    of.classes.push_back(each);
  }
  of.min_count = random.between(0, 4);
  if (random.chance(40)) {
    of.required = static_cast<std::size_t>(random.between(0, 2));
  }
  for (std::size_t level = 0; level <= of.levels; ++level) {
    if (random.chance(30)) {
      of.limits.push_back({level, random.between(1, 3)});
    }
  }
  if (random.chance(30)) {
    const auto smallest = random.between(0, 4);
    of.sizes = reference::size_rule{smallest, smallest + random.between(0, 4), random.between(1, 3)};
  }
  return of;
}

}  // namespace

TEST_CASE("the reference counts a gang of one class") {
  auto of = small();
  const auto both = [&] {
    const auto solved = reference::solve(of);
    REQUIRE(solved);
    CHECK(solved->max == reference::alike_max(of));
    return solved->max;
  };
  CHECK(both() == 10);
  of.required = 0;
  CHECK(both() == 4);
  of.required.reset();
  of.limits = {{0, 3}};
  CHECK(both() == 8);  // 3 + 3, and 2 where no rack limits
  of.limits = {{0, 3}, {1, 1}};
  CHECK(both() == 5);
  of.nodes[0].open = false;
  CHECK(both() == 4);
  of.classes[0].barred = {false, true, false, false, false};
  CHECK(both() == 3);
  of.limits.clear();
  of.required = 1;  // the node itself
  CHECK(both() == 2);
}

TEST_CASE("minima and sizes decide, the most pods stay the same") {
  auto of = small();
  of.classes = {{4, {3}, 0, {}}, {8, {1}, 0, {}}};  // a 3 and a 1 on every node, or four 1
  auto got = reference::solve(of);
  REQUIRE(got);
  CHECK(got->max == 12);
  CHECK(got->largest_legal == 12);
  of.classes[0].minimum = 4;
  got = reference::solve(of);
  CHECK(got->feasible);
  CHECK(got->max == 12);
  CHECK(got->largest_legal == 12);
  of.classes[0] = {6, {3}, 5, {}};
  got = reference::solve(of);
  CHECK(got->max == 12);
  CHECK(got->largest_legal == 10);
  of.sizes = reference::size_rule{3, 9, 3};
  got = reference::solve(of);
  CHECK(got->largest_legal == 9);
  of.min_count = 10;
  CHECK_FALSE(reference::solve(of)->feasible);
}

TEST_CASE("the reference declines what is too large for it") {
  auto of = small();
  of.classes = {{3000, {0}, 0, {}}, {3000, {0}, 0, {}}};
  CHECK_FALSE(reference::solve(of).has_value());
}

TEST_CASE("the reference agrees with seating pod by pod") {
  muster_test::generator random{"the reference agrees with seating pod by pod"};
  const int wanted = muster_test::rounds(1000);
  int yes = 0;
  int simple_no = 0;
  for (int round = 0; round < wanted; ++round) {
    CAPTURE(round);
    const auto of = random_instance(random);
    reference::result slow;
    std::vector<seat> placed;
    seat_all(of, placed, 0, 0, slow);
    const auto fast = reference::solve(of);
    REQUIRE(fast);
    REQUIRE(fast->feasible == slow.feasible);
    REQUIRE(fast->max == slow.max);
    REQUIRE(fast->largest_legal == slow.largest_legal);
    if (of.classes.size() == 1) {
      REQUIRE(reference::alike_max(of) == slow.max);
    }
    const bool refused = reference::plainly_impossible(of);
    REQUIRE_FALSE((refused && slow.feasible));
    yes += slow.feasible ? 1 : 0;
    simple_no += refused ? 1 : 0;
  }
  // The instances are worth something only if both answers are common.
  CHECK(yes > wanted / 5);
  CHECK(wanted - yes > wanted / 5);
  CHECK(simple_no > wanted / 10);
}

TEST_CASE("the checker names the broken rule") {
  auto of = small();
  const std::vector<seat> good{{0, 0, 2}, {0, 1, 1}};
  CHECK(broken_rule(of, good).empty());
  CHECK(broken_rule(of, {}, false).empty());
  CHECK(broken_rule(of, {}) == "0 pods placed, 1 needed");
  CHECK(broken_rule(of, {{1, 0, 1}}) == "class 1 does not exist");
  CHECK(broken_rule(of, {{0, 5, 1}}) == "node 5 does not exist");
  CHECK(broken_rule(of, {{0, 0, 0}}) == "0 pods of class 0 in one seat");
  CHECK(broken_rule(of, {{0, 0, -1}}) == "-1 pods of class 0 in one seat");
  CHECK(broken_rule(of, {{0, 0, 3}}) == "node 0 is over its free amount of resource 0");
  CHECK(broken_rule(of, {{0, 0, 2}, {0, 0, 1}}) == "node 0 is over its free amount of resource 0");
  of.classes[0].pods = 2;
  CHECK(broken_rule(of, good) == "class 0 has 3 of 2 pods placed");
  of.classes[0].pods = 10;
  of.min_count = 4;
  CHECK(broken_rule(of, good) == "3 pods placed, 4 needed");
  CHECK(broken_rule(of, good, false).empty());
  of.min_count = 1;
  of.classes[0].minimum = 4;
  CHECK(broken_rule(of, good) == "class 0 is below its minimum");
  of.classes[0].minimum = 0;
  of.sizes = reference::size_rule{2, 6, 2};
  CHECK(broken_rule(of, good) == "3 pods are no legal size");
  of.sizes.reset();
  of.required = 0;
  CHECK(broken_rule(of, good).empty());
  CHECK(broken_rule(of, {{0, 0, 1}, {0, 2, 1}}) == "pods in 2 domains of the required level");
  CHECK(broken_rule(of, {{0, 4, 1}}) == "node 4 is in no domain of the required level");
  of.required.reset();
  of.limits = {{0, 2}};
  CHECK(broken_rule(of, good) == "more than 2 pods in one domain of level 0");
  of.limits = {{1, 1}};
  CHECK(broken_rule(of, good) == "more than 1 pods in one domain of level 1");
  of.limits.clear();
  of.nodes[1].open = false;
  CHECK(broken_rule(of, good) == "class 0 may not use node 1");
  of.nodes[1].open = true;
  of.classes[0].barred = {true, false, false, false, false};
  CHECK(broken_rule(of, good) == "class 0 may not use node 0");
}

TEST_CASE("the simple bounds refuse only what they can prove") {
  auto of = small();
  of.min_count = 10;
  CHECK_FALSE(reference::plainly_impossible(of));
  of.classes[0].pods = 11;
  of.min_count = 11;
  CHECK(reference::plainly_impossible(of));  // summed
  of.classes[0] = {6, {3}, 0, {}};
  of.min_count = 6;
  CHECK(reference::plainly_impossible(of));  // one place a node, though 20 are free
  of.min_count = 0;
  CHECK_FALSE(reference::plainly_impossible(of));
  of.classes = {{3, {4}, 0, {}}, {4, {2}, 0, {}}};
  of.min_count = 7;
  CHECK_FALSE(reference::plainly_impossible(of));  // just fits
  of.required = 0;
  CHECK(reference::plainly_impossible(of));
}
