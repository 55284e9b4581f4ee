// SPDX-License-Identifier: BSL-1.0
//
// What muster_cases calls right and wrong, and the lines it prints.
#include "judge.hpp"

#include "../support/catch.hpp"
#include "report.hpp"

#include <sstream>
#include <string>

using oracle::agreement;
using oracle::decision;
using oracle::feasible_result;
using oracle::judge;

namespace {

oracle::case_data read(const std::string& end) {
  std::istringstream in{
      "case A\nresources gpu\nnode n1 cap 8\nnode n2 cap 8\ngroup Q min 3\nclass Q 2 5\nclass Q 2 3\n" + end + "end\n"};
  auto result = oracle::read_cases(in, "f");
  REQUIRE(result.faults.empty());
  return std::move(result.cases.front());
}

oracle::case_data fits() {
  return read("query feasible Q\nanswer feasible 1 max 4\nnote greedy_placed ff 4 ffd 2 bfd 2 ffi 2\n");
}

const std::vector<reference::seat> all_four{{0, 0, 1}, {0, 1, 1}, {1, 0, 1}, {1, 1, 1}};

}  // namespace

TEST_CASE("a yes needs a placement that holds") {
  CHECK(judge(fits(), {decision::yes, 4, all_four, 1, {}}).agree == agreement::yes);
  CHECK(judge(fits(), {decision::yes, std::nullopt, all_four, 1, {}}).agree == agreement::yes);
  CHECK(judge(fits(), {decision::yes, std::nullopt, {}, 1, {}}).why ==
        "the placement does not hold: 0 pods placed, 3 needed");
  CHECK(judge(fits(), {decision::yes, std::nullopt, {{0, 0, 2}, {1, 1, 2}}, 1, {}}).why ==
        "the placement does not hold: node 0 is over its free amount of resource 0");
  CHECK(judge(fits(), {decision::undecided, std::nullopt, {{0, 0, 2}}, 1, {}}).agree == agreement::no);
}

TEST_CASE("a wrong bit and a wrong max disagree") {
  CHECK(judge(fits(), {decision::no, std::nullopt, {}, 1, {}}).why == "it fits");
  CHECK(judge(fits(), {decision::yes, 5, all_four, 1, {}}).why == "max is 4");
  CHECK(judge(fits(), {decision::yes, 3, all_four, 1, {}}).why == "max 3 is less than the 4 pods placed");
  CHECK(judge(fits(), {decision::undecided, 3, {}, 1, {}}).why == "max is 4");
  CHECK(judge(fits(), {decision::undecided, std::nullopt, {{0, 0, 1}}, 1, {}}).agree == agreement::undecided);
  auto no = read("query feasible Q\nanswer feasible 0 max 2\n");
  CHECK(judge(no, {decision::yes, std::nullopt, all_four, 1, {}}).why == "it does not fit");
  CHECK(judge(no, {decision::no, 2, {}, 1, {}}).agree == agreement::yes);
}

TEST_CASE("without a proven answer only the placement is judged") {
  const auto open = read("query feasible Q\n");
  CHECK(judge(open, {decision::yes, 4, all_four, 1, {}}).agree == agreement::skipped);
  CHECK(judge(open, {decision::yes, 4, {{0, 0, 2}}, 1, {}}).agree == agreement::no);
}

TEST_CASE("simple means decide what they can") {
  CHECK(oracle::plain_decision(fits()) == decision::yes);
  auto missed = fits();
  missed.greedy_placed = oracle::greedy_note{2, 2, 2, 2};
  CHECK_FALSE(oracle::plain_decision(missed).has_value());
  missed.nodes[1].capacity = {2};
  CHECK(oracle::plain_decision(missed) == decision::no);
}

TEST_CASE("a line a case") {
  CHECK(oracle::case_line(fits(), {decision::yes, 4, {}, 1.5, {}}, agreement::yes) ==
        "A query=feasible feasible=1 max=4 agree=yes us=1.50");
  CHECK(oracle::case_line(fits(), {decision::no, std::nullopt, {}, 0.25, {}}, agreement::no) ==
        "A query=feasible feasible=0 max=? agree=no us=0.25");
  CHECK(oracle::case_line(fits(), {}, agreement::undecided) ==
        "A query=feasible feasible=undecided max=? agree=undecided us=0.00");
  CHECK(oracle::skipped_line(read("query preempt Q\n")) ==
        "A query=preempt free_fit=? victims=? cost=? units=? min_units=? agree=skipped us=0.00");
  CHECK(oracle::skipped_line(read("query deadlock\n")) ==
        "A query=deadlock stuck=? break_cost=? agree=skipped us=0.00");
}

TEST_CASE("a percentile is a value that was measured, at the rank rounded up") {
  CHECK(oracle::percentile({3, 1, 2}, 50) == 2);
  CHECK(oracle::percentile({3, 1, 2}, 95) == 3);
  CHECK(oracle::percentile({7}, 1) == 7);
  CHECK(oracle::percentile({}, 50) == 0);
}

TEST_CASE("a line a file") {
  oracle::tally first;
  for (int each = 1; each <= 19; ++each) {
    first.add(agreement::yes, {decision::yes, 1, {}, static_cast<double>(each), {}});
  }
  first.skip();
  oracle::tally all;
  all.add(agreement::no, {decision::yes, std::nullopt, {}, 100, {}});
  all.add(first);
  CHECK(all.line("total") ==
        "total cases=21 yes=19 no=1 undecided=0 skipped=1 with_max=19 us_p50=10.00 us_p95=19.00 us_max=100.00");
  CHECK(oracle::tally{}.line("none") ==
        "none cases=0 yes=0 no=0 undecided=0 skipped=0 with_max=0 us_p50=0.00 us_p95=0.00 us_max=0.00");
}
