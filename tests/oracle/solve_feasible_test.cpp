// SPDX-License-Identifier: BSL-1.0
//
// The library against the reference on small random cases with every constraint
// the case format can state.
#include "solve_feasible.hpp"

#include "../support/catch.hpp"
#include "../support/generator.hpp"
#include "../support/reference.hpp"
#include "case_file.hpp"
#include "case_instance.hpp"
#include "case_text.hpp"
#include "judge.hpp"
#include "random_case.hpp"

#include <string>

using oracle::amount;

namespace {

struct tallies {
  int yes = 0;
  int no = 0;
};

// One case, judged by what the reference finds. An answer the library refuses to
// give because no legal size exists counts as the no it is.
void hold_to_reference(oracle::case_data of, tallies& counted) {
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
  REQUIRE(given->decided != oracle::decision::undecided);
  if (truth->feasible) {
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
    hold_to_reference(oracle::random_case(random, 1, true), counted);
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
    hold_to_reference(oracle::random_case(random, 3, true), counted);
  }
  CHECK(counted.yes > wanted / 10);
  CHECK(counted.no > wanted / 10);
}

TEST_CASE("the library is exact beside members that run") {
  muster_test::generator random{"the library is exact beside members that run"};
  const int wanted = muster_test::rounds(3000);
  tallies counted;
  for (int round = 0; round < wanted; ++round) {
    CAPTURE(round);
    auto of = oracle::random_case(random, 3, random.chance(70));
    oracle::let_run(random, of);
    if (oracle::runs_apart(of) || of.groups[of.asked_group].waiting() == 0) {
      continue;  // the question is invalid, or nothing is asked
    }
    hold_to_reference(of, counted);
  }
  CHECK(counted.yes > wanted / 10);
  CHECK(counted.no > wanted / 10);
}

TEST_CASE("the library is exact for unlike pods") {
  muster_test::generator random{"the library is exact for unlike pods"};
  const int wanted = muster_test::rounds(3000);
  tallies counted;
  for (int round = 0; round < wanted; ++round) {
    CAPTURE(round);
    hold_to_reference(oracle::random_case(random, 3, false), counted);
  }
  CHECK(counted.yes > wanted / 10);
  CHECK(counted.no > wanted / 10);
}
