// SPDX-License-Identifier: BSL-1.0
//
// What the library writes of a snapshot and a question is read back as the same
// question: the reference answers both alike.
#include "../support/catch.hpp"
#include "../support/generator.hpp"
#include "../support/reference.hpp"
#include "case_file.hpp"
#include "case_instance.hpp"
#include "case_text.hpp"
#include "random_case.hpp"
#include "solve_feasible.hpp"

#include <sstream>
#include <string>

namespace {

void ask_the_same(const char* what, bool some_run) {
  muster_test::generator random{what};
  const int wanted = muster_test::rounds(1500);
  int compared = 0;
  for (int round = 0; round < wanted; ++round) {
    CAPTURE(round);
    auto of = oracle::random_case(random, 3, false);
    for (auto& each : of.runs) {
      if (random.chance(30)) {
        each.leaving = 1;
        each.until = 500;
      }
    }
    if (some_run) {
      oracle::let_run(random, of);
    }
    const auto text = oracle::written_by_library(of);
    if (!text) {
      continue;
    }
    INFO("from\n" << oracle::to_text(of) << "written\n" << *text);
    std::istringstream in{*text};
    const auto read = oracle::read_cases(in, "written");
    for (const auto& fault : read.faults) {
      FAIL(to_string(fault));
    }
    REQUIRE(read.cases.size() == 1);
    const auto& again = read.cases.front();
    const auto before = reference::solve(oracle::to_instance(of));
    const auto after = reference::solve(oracle::to_instance(again));
    REQUIRE(before);
    REQUIRE(after);
    REQUIRE(after->feasible == before->feasible);
    REQUIRE(after->max == before->max);
    REQUIRE(after->largest_legal == before->largest_legal);
    oracle::amount left_before = 0, left_after = 0;
    for (const auto& each : of.runs) {
      left_before += of.nodes[each.node].lost ? 0 : each.leaving;
    }
    for (const auto& each : again.runs) {
      left_after += each.leaving;
    }
    REQUIRE(left_after == left_before);
    ++compared;
  }
  CHECK(compared > wanted / 2);
}

}  // namespace

TEST_CASE("a written case asks the same question") { ask_the_same("a written case asks the same question", false); }

TEST_CASE("a written case of a group of which some run asks the same question") {
  ask_the_same("a written case of a group of which some run asks the same question", true);
}
