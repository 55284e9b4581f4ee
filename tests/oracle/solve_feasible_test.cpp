// SPDX-License-Identifier: BSL-1.0
//
// The library against the reference on small random cases with every constraint
// the case format can state.
#include "solve_feasible.hpp"

#include "../support/catch.hpp"
#include "../support/generator.hpp"
#include "../support/reference.hpp"
#include "../support/reference_bounds.hpp"
#include "case_file.hpp"
#include "case_instance.hpp"
#include "case_text.hpp"
#include "judge.hpp"

#include <algorithm>
#include <string>

using oracle::amount;

namespace {

oracle::case_data random_case(muster_test::generator& random, std::int64_t most_classes, bool same_request) {
  oracle::case_data made;
  made.name = "random";
  made.now = 100;
  const auto resources = static_cast<std::size_t>(random.between(1, 3));
  for (std::size_t r = 0; r < resources; ++r) {
    made.resources.push_back(r == 0 ? "gpu" : "r" + std::to_string(r));
  }
  const auto nodes = random.between(1, 6);
  for (std::int64_t at = 0; at < nodes; ++at) {
    oracle::node each;
    each.name = "n" + std::to_string(at);
    for (std::size_t r = 0; r < resources; ++r) {
      each.capacity.push_back(random.between(0, 8));
    }
    const auto rack = random.between(0, 4);  // 4: none; two racks a block, all in one zone
    if (rack < 4) {
      each.labels = {"z", "b" + std::to_string(rack / 2), "r" + std::to_string(rack)};
    } else if (random.chance(50)) {
      each.labels = {"z", "b0", {}};
    }
    each.kind = random.between(0, 2);
    if (random.chance(10)) {
      each.closed = oracle::time_window{random.between(90, 110), random.between(95, 120)};
      each.closed->until = std::max(each.closed->until, each.closed->from + 1);
    }
    each.lost = random.chance(5);
    made.nodes.push_back(each);
  }
  const auto request = [&] {
    oracle::amounts each;
    for (std::size_t r = 0; r < resources; ++r) {
      each.push_back(random.between(0, 4));
    }
    return each;
  };
  oracle::group busy;
  busy.name = "busy";
  busy.classes.push_back({100, request(), 0, {}});
  oracle::group asked;
  asked.name = "asked";
  const auto classes = random.between(1, most_classes);
  const auto shared = request();
  for (std::int64_t which = 0; which < classes; ++which) {
    oracle::pod_class each;
    each.count = random.between(1, classes == 1 ? 12 : 4);
    each.request = same_request ? shared : request();
    each.minimum = random.chance(25) ? random.between(0, each.count) : 0;
    if (!same_request && random.chance(25)) {
      each.barred.push_back({random.between(0, 2), 1});
    }
    asked.classes.push_back(each);
  }
  asked.stated_min = random.between(1, asked.pods());
  if (random.chance(35)) {
    asked.topology = static_cast<std::size_t>(random.between(0, 2));
  }
  asked.per_node = random.chance(30) ? random.between(1, 3) : 0;
  for (auto& limit : asked.at_most) {
    limit = random.chance(20) ? random.between(1, 4) : 0;
  }
  if (random.chance(25)) {
    const auto smallest = random.between(1, asked.pods());
    asked.sizes = oracle::size_rule{smallest, random.between(smallest, asked.pods()), random.between(1, 3)};
  }
  made.groups = {busy, asked};
  made.asked_group = 1;
  for (std::size_t at = 0; at < made.nodes.size(); ++at) {
    if (random.chance(30)) {
      made.runs.push_back({0, 0, at, random.between(1, 2), 0, 0, {}});
    }
    if (random.chance(10)) {
      oracle::amounts kept(resources, 1);
      made.kept.push_back({static_cast<std::size_t>(random.between(0, 1)), at, kept, random.between(99, 102)});
    }
  }
  return made;
}

struct tallies {
  int yes = 0;
  int no = 0;
  int undecided = 0;
};

// One case, judged by what the reference finds. An answer the library refuses to
// give because no legal size exists counts as the no it is.
void hold_to_reference(oracle::case_data of, bool exact, tallies& counted) {
  const auto instance = oracle::to_instance(of);
  const auto truth = reference::solve(instance);
  REQUIRE(truth);
  of.feasible = oracle::feasible_answer{truth->feasible, truth->max};
  const auto given = oracle::solve_feasible(of);
  REQUIRE(given);
  const auto judged = oracle::judge(of, *given);
  INFO(given->detail << "; " << judged.why << "; feasible " << truth->feasible << " max " << truth->max
                     << " largest legal " << truth->largest_legal << "\n"
                     << oracle::to_text(of));
  REQUIRE(judged.agree != oracle::agreement::no);
  if (given->decided == oracle::decision::undecided) {
    ++counted.undecided;
    REQUIRE_FALSE(exact);
    REQUIRE_FALSE(reference::plainly_impossible(instance));
    return;
  }
  if (exact && truth->feasible) {
    amount placed = 0;
    for (const auto& seat : given->placed) {
      placed += seat.pods;
    }
    REQUIRE(placed == truth->largest_legal);
  }
  ++(truth->feasible ? counted.yes : counted.no);
}

}  // namespace

TEST_CASE("the library is exact for a gang of one class") {
  muster_test::generator random{"the library is exact for a gang of one class"};
  const int wanted = muster_test::rounds(3000);
  tallies counted;
  for (int round = 0; round < wanted; ++round) {
    CAPTURE(round);
    hold_to_reference(random_case(random, 1, true), true, counted);
  }
  CHECK(counted.yes > wanted / 10);
  CHECK(counted.no > wanted / 10);
}

TEST_CASE("the library is exact for several classes of one request") {
  muster_test::generator random{"the library is exact for several classes of one request"};
  const int wanted = muster_test::rounds(2000);
  tallies counted;
  for (int round = 0; round < wanted; ++round) {
    CAPTURE(round);
    hold_to_reference(random_case(random, 3, true), true, counted);
  }
  CHECK(counted.yes > wanted / 10);
  CHECK(counted.no > wanted / 10);
}

TEST_CASE("the library is never wrong about unlike pods") {
  muster_test::generator random{"the library is never wrong about unlike pods"};
  const int wanted = muster_test::rounds(3000);
  tallies counted;
  for (int round = 0; round < wanted; ++round) {
    CAPTURE(round);
    hold_to_reference(random_case(random, 3, false), false, counted);
  }
  CHECK(counted.yes > wanted / 10);
  CHECK(counted.no > wanted / 10);
  WARN("unlike pods: " << counted.yes << " yes, " << counted.no << " no, " << counted.undecided << " undecided");
}
