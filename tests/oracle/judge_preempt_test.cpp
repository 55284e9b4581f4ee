// SPDX-License-Identifier: BSL-1.0
//
// What muster_cases calls right and wrong of `query preempt`, and the lines it prints.
#include "judge_preempt.hpp"

#include "../support/catch.hpp"
#include "report.hpp"

#include <sstream>
#include <string>
#include <utility>

using oracle::agreement;
using oracle::broken_rule;
using oracle::decision;
using oracle::judge_victims;
using oracle::preempt_result;
using oracle::victim_set;

namespace {

// Four nodes of 4. W runs on n1 and n2 and loses 2 x 4 x 100, the two of S on n3 2 x 20 each, H on n4 outranks. P needs
// two nodes.
oracle::case_data read(const std::string& end, const std::string& more = "") {
  std::istringstream in{
      "case A\nresources gpu\nnow 1000\nnode n1 cap 4\nnode n2 cap 4\nnode n3 cap 4\nnode n4 cap 4\n"
      "group P priority 5\nclass P 2 4\ngroup W checkpoint 900\nclass W 2 4\n"
      "group S mode single checkpoint 980\nclass S 2 2\ngroup H priority 5\nclass H 1 4\n"
      "run W 0 n1 1\nrun W 0 n2 1\nrun S 0 n3 2\nrun H 0 n4 1\n" +
      more + "query preempt P\n" + end + "end\n"};
  auto result = oracle::read_cases(in, "f");
  REQUIRE(result.faults.empty());
  return std::move(result.cases.front());
}

oracle::case_data proven() {
  return read("answer free_fit 0\nanswer victims 1 min_cost 800 units_at_min_cost 1 min_units 1\n");
}

constexpr std::size_t w = 1, s = 2, h = 3;
const victim_set gang{{{w, 0, 0, 1}, {w, 0, 1, 1}}, {{0, 0, 1}, {0, 1, 1}}, 800, 1};
const victim_set with_singles{
    {{w, 0, 0, 1}, {w, 0, 1, 1}, {s, 0, 2, 2}}, {{0, 0, 1}, {0, 2, 1}}, 880, 3};

preempt_result found(const victim_set& cheapest, const victim_set& fewest) {
  preempt_result made;
  made.decided = decision::yes;
  made.free_fit = false;
  made.cheapest = cheapest;
  made.cost_bound = cheapest.cost;
  made.cheapest_proved = true;
  made.fewest = fewest;
  made.units_bound = fewest.units;
  made.fewest_proved = true;
  return made;
}

victim_set changed(victim_set of, void (*how)(victim_set&)) {
  how(of);
  return of;
}

}  // namespace

TEST_CASE("victims are counted again from the case") {
  const auto of = proven();
  CHECK(broken_rule(of, gang).empty());
  CHECK(broken_rule(of, with_singles).empty());
  CHECK(broken_rule(of, changed(gang, [](auto& v) { v.cost = 799; })) == "they cost 800, not 799");
  CHECK(broken_rule(of, changed(with_singles, [](auto& v) { v.units = 2; })) == "they are 3 units, not 2");
}

TEST_CASE("only whole units of a lower priority may be taken") {
  const auto of = proven();
  CHECK(broken_rule(of, changed(gang, [](auto& v) { v.taken.pop_back(); })) == "group W is taken in part");
  CHECK(broken_rule(of, changed(gang, [](auto& v) { v.taken.push_back({h, 0, 3, 1}); })) ==
        "a victim of group H, which is of no lower priority");
  CHECK(broken_rule(of, changed(gang, [](auto& v) { v.taken.push_back({0, 0, 3, 1}); })) ==
        "a victim of group P, which is of no lower priority");
  CHECK(broken_rule(of, changed(gang, [](auto& v) { v.taken.push_back({9, 0, 3, 1}); })) == "a victim of no group");
  CHECK(broken_rule(of, changed(gang, [](auto& v) { v.taken.push_back({s, 0, 2, 3}); })) ==
        "3 of 2 pods of group S taken from one node");
  CHECK(broken_rule(of, changed(gang, [](auto& v) { v.taken.push_back({s, 0, 0, 1}); })) ==
        "a victim of group S where none of its pods runs");
  // the same pods twice are more than there are
  CHECK(broken_rule(of, changed(gang, [](auto& v) { v.taken.push_back({w, 0, 0, 1}); })) ==
        "1 of 0 pods of group W taken from one node");
}

TEST_CASE("once they have left the gang sits as told, and who stays stays") {
  const auto of = proven();
  CHECK(broken_rule(of, changed(gang, [](auto& v) { v.placed.pop_back(); })) == "1 pods placed, 2 needed");
  CHECK(broken_rule(of, changed(gang, [](auto& v) { v.placed[0].node = 2; })) ==
        "node 2 is over its free amount of resource 0");
  CHECK(broken_rule(of, changed(gang, [](auto& v) { v.placed[0].node = 3; })) ==
        "node 3 is over its free amount of resource 0");
}

TEST_CASE("who leaves is no victim, and is gone") {
  const auto of = read("", "leaving S 0 n3 1 1100\n");
  const victim_set rest{{{w, 0, 0, 1}, {w, 0, 1, 1}, {s, 0, 2, 1}}, {{0, 0, 1}, {0, 2, 1}}, 840, 2};
  CHECK(broken_rule(of, rest).empty());
  CHECK(broken_rule(of, with_singles) == "2 of 1 pods of group S taken from one node");
  const auto in_part = read("", "leaving W 0 n1 1 1100\n");
  const victim_set left{{{w, 0, 1, 1}}, {{0, 0, 1}, {0, 1, 1}}, 400, 1};
  CHECK(broken_rule(in_part, left).empty());
}

TEST_CASE("an answer is held against the proven one") {
  const auto of = proven();
  CHECK(judge_victims(of, found(gang, gang)).agree == agreement::yes);
  CHECK(judge_victims(of, found(with_singles, gang)).why == "the least cost is 800");
  CHECK(judge_victims(of, found(gang, with_singles)).why == "the fewest units are 1");
  CHECK(judge_victims(of, found(changed(gang, [](auto& v) { v.cost = 1; }), gang)).why ==
        "the cheapest victims do not hold: they cost 800, not 1");
  CHECK(judge_victims(of, found(gang, changed(gang, [](auto& v) { v.units = 0; }))).why ==
        "the fewest victims do not hold: they are 1 units, not 0");
  auto free = found(gang, gang);
  free.free_fit = true;
  CHECK(judge_victims(of, free).why == "it does not fit without victims");
  CHECK(judge_victims(of, {.decided = decision::no}).why == "victims exist");
  CHECK(judge_victims(read("answer free_fit 0\nanswer victims 0\n"), found(gang, gang)).why ==
        "no victims make it fit");
  CHECK(judge_victims(read("answer free_fit 1\nanswer victims 1 min_cost 0 units_at_min_cost 0 min_units 0\n"),
              found(gang, gang)).why == "it fits without victims");
  auto torn = found(gang, gang);
  torn.refuted = "both";
  CHECK(judge_victims(of, torn).why == "both");
}

TEST_CASE("what is not proved may be worse, but no bound may be above the best") {
  const auto of = proven();
  auto some = found(with_singles, with_singles);
  some.cheapest_proved = some.fewest_proved = false;
  some.cost_bound = 700;
  some.units_bound = 0;
  CHECK(judge_victims(of, some).agree == agreement::undecided);
  CHECK(some.gap() == 180);
  some.cost_bound = 801;
  CHECK(judge_victims(of, some).why == "the least cost is 800");
  some.cost_bound = 800;
  some.units_bound = 2;
  CHECK(judge_victims(of, some).why == "the fewest units are 1");
  CHECK(judge_victims(of, {}).agree == agreement::undecided);
}

TEST_CASE("of equal cost the units are compared, and without a proven answer only the victims are judged") {
  const auto two_units = read("answer free_fit 0\nanswer victims 1 min_cost 800 units_at_min_cost 2 min_units 1\n");
  CHECK(judge_victims(two_units, found(gang, gang)).why == "the fewest units of that cost are 2");
  CHECK(judge_victims(read(""), found(gang, gang)).agree == agreement::skipped);
  CHECK(judge_victims(read(""), found(changed(gang, [](auto& v) { v.cost = 1; }), gang)).agree == agreement::no);
}

TEST_CASE("a line a case of preemption") {
  auto some = found(gang, gang);
  some.microseconds = 1.5;
  some.units_microseconds = 0.25;
  some.steps = 12;
  CHECK(oracle::victims_line(proven(), some, agreement::yes) ==
        "A query=preempt free_fit=0 victims=1 cost=800 units=1 min_units=1 agree=yes us=1.50 us_units=0.25 gap=0 "
        "steps=12");
  CHECK(oracle::victims_line(proven(), {.decided = decision::no, .free_fit = false}, agreement::no) ==
        "A query=preempt free_fit=0 victims=0 cost=? units=? min_units=? agree=no us=0.00 us_units=0.00 gap=0 steps=0");
  CHECK(oracle::victims_line(proven(), {}, agreement::undecided) ==
        "A query=preempt free_fit=? victims=undecided cost=? units=? min_units=? agree=undecided us=0.00 us_units=0.00 "
        "gap=0 steps=0");
}

TEST_CASE("a line a file of preemption") {
  oracle::preempt_tally counted, all;
  auto some = found(gang, gang);
  for (int each = 1; each <= 19; ++each) {
    some.microseconds = each;
    some.units_microseconds = 2 * each;
    some.steps = static_cast<std::uint64_t>(each);
    counted.add(agreement::yes, some);
  }
  counted.skip();
  some.cheapest_proved = false;
  some.cost_bound = 300;
  all.add(agreement::undecided, some);
  all.add(counted);
  CHECK(all.cases() == 21);
  CHECK(all.line("total") ==
        "total cases=21 yes=19 no=0 undecided=1 skipped=1 proved=19 us_p50=10.00 us_p95=19.00 us_max=19.00 "
        "units_us_p50=20.00 units_us_p95=38.00 units_us_max=38.00 steps_max=19 gap_max=500");
}
