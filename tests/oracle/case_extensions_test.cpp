// SPDX-License-Identifier: BSL-1.0
//
// The lines of EXTENSIONS.md, read and refused, and what they mean for the
// reference.
#include "../support/catch.hpp"
#include "../support/reference.hpp"
#include "case_file.hpp"
#include "case_instance.hpp"
#include "case_text.hpp"

#include <sstream>
#include <string>

namespace {

const std::string head =
    "case A\n"                 // 1
    "resources gpu\n"          // 2
    "now 100\n"                // 3
    "node n1 cap 4 rack=r1\n"  // 4
    "node n2 cap 4 rack=r1\n"  // 5
    "node n3 cap 4 rack=r2\n"  // 6
    "node n4 cap 4\n"          // 7
    "group B\n"                // 8
    "class B 4 1\n"            // 9
    "group Q min 1\n"          // 10
    "class Q 20 1\n"           // 11
    "class Q 2 0\n"            // 12
    "run B 0 n1 4\n";          // 13
const std::string tail = "query feasible Q\nend\n";

oracle::read_result read(const std::string& lines) {
  std::istringstream in{head + lines + tail};
  return oracle::read_cases(in, "f");
}

oracle::case_data read_one(const std::string& lines) {
  auto result = read(lines);
  for (const auto& fault : result.faults) {
    FAIL(to_string(fault));
  }
  REQUIRE(result.cases.size() == 1);
  return std::move(result.cases.front());
}

std::string fault_of(const std::string& lines) {
  const auto result = read(lines);
  CHECK(result.cases.empty());
  REQUIRE_FALSE(result.faults.empty());
  return to_string(result.faults.front());
}

reference::count max_of(const std::string& lines) {
  const auto found = reference::solve(to_instance(read_one(lines)));
  REQUIRE(found);
  return found->max;
}

bool feasible(const std::string& lines) {
  const auto found = reference::solve(to_instance(read_one(lines)));
  REQUIRE(found);
  return found->feasible;
}

}  // namespace

TEST_CASE("extension lines change what is asked") {
  CHECK_FALSE(read_one("").extended);
  CHECK(max_of("") == 14);
  CHECK(read_one("lost n2\n").extended);
  CHECK(max_of("lost n2\n") == 10);
  CHECK(max_of("closed n2\n") == 10);
  CHECK(max_of("closed n2 100 101\n") == 10);
  CHECK(max_of("closed n2 0 100\n") == 14);
  CHECK(max_of("closed n2 101 200\n") == 14);
  CHECK(max_of("kind n2 3\nineligible Q 0 3 7\n") == 10);
  CHECK(max_of("kind n2 3\nineligible Q 0 0 7\n") == 6);
  CHECK(max_of("atmost Q rack 1\n") == 8);  // r1, r2 and four or more on n4
  CHECK(max_of("atmost Q rack 0\n") == 4 + 2);  // what asks nothing is a pod too
  CHECK(max_of("atmost Q node 1\n") == 4);
  CHECK(max_of("label n3 tier5 t\natmost Q tier5 1\n") == 11);
  CHECK(max_of("holds B 0 n1 1\n") == 17);
  CHECK(max_of("kept B n2 3\n") == 11);
  CHECK(max_of("kept Q n2 3\n") == 14);
  CHECK(max_of("kept B n2 3 100\n") == 14);
  CHECK(max_of("kept B n2 3 101\n") == 11);
  CHECK(max_of("leaving B 0 n1 2 500\n") == 14);  // still there
  CHECK(feasible("minimum Q 0 12\n"));
  CHECK_FALSE(feasible("minimum Q 0 13\n"));
  CHECK(feasible("sizes Q 4 22 10\n"));
  CHECK_FALSE(feasible("sizes Q 15 22 7\n"));
  CHECK_FALSE(feasible("minimum Q 0 12\nsizes Q 11 22 11\n"));
}

TEST_CASE("members that run stay, and the rest is asked for") {
  const std::string two = "run Q 0 n2 2\nwaiting Q 0 20\n";  // of 20: too many
  CHECK(fault_of(two) == "f:15:13: more pods run, succeeded and wait than the 20 of the class: '20'");
  const std::string run = "run Q 0 n2 2\nwaiting Q 0 18\n";
  CHECK(read_one(run).groups[1].may_run());
  CHECK_FALSE(read_one("").groups[1].may_run());
  CHECK(read_one(run).have(1, 0) == 2);
  CHECK(max_of(run) == 10);  // n2 has room for two
  CHECK(max_of(run + "waiting Q 1 1\n") == 11);
  CHECK(max_of(run + "atmost Q node 3\n") == 1 + 3 + 3);  // what asks nothing does not wait
  CHECK(max_of(run + "atmost Q rack 3\n") == 1 + 3 + 4);
  CHECK(max_of(run + "atmost Q rack 1\n") == 1 + 4);
  CHECK(feasible(run + "sizes Q 12 12 1\n"));
  CHECK_FALSE(feasible(run + "sizes Q 13 13 1\n"));
  CHECK(feasible(run + "minimum Q 0 12\n"));
  CHECK_FALSE(feasible(run + "minimum Q 0 13\n"));
  CHECK(feasible("run Q 0 n2 2\nsucceeded Q 0 1\nwaiting Q 0 17\nminimum Q 0 13\n"));
  CHECK_FALSE(feasible("run Q 0 n2 2\nleaving Q 0 n2 1 500\nwaiting Q 0 18\nminimum Q 0 12\n"));
  // Enough run already, but what waits wants a place.
  CHECK_FALSE(feasible("run Q 0 n2 4\nrun Q 0 n3 4\nrun Q 0 n4 4\nwaiting Q 0 1\n"));
  CHECK(feasible("run Q 0 n2 4\nrun Q 0 n3 4\nrun Q 0 n4 4\nwaiting Q 0 0\n"));
}

TEST_CASE("members that stand apart count as pods of their class") {
  const auto got = read_one("apart Q 1 0\nrun Q 1 n2 2\nwaiting Q 0 18\n");
  CHECK(got.groups[1].pods() == 20);
  CHECK(got.groups[1].waiting() == 18);
  CHECK(got.have(1, 0) == 2);
  CHECK(to_instance(got).classes.size() == 1);
  CHECK(read_one("apart Q 1\nrun Q 1 n2 2\nwaiting Q 0 18\n").have(1, 0) == 0);
}

TEST_CASE("members that run fix the domain") {
  const auto max_in = [](const std::string& runs) {
    std::istringstream in{
        "case A\nresources gpu\nnode n1 cap 4 rack=r1\nnode n2 cap 3 rack=r1\nnode n3 cap 9 rack=r2\nnode n4 cap 9\n"
        "group Q min 1 topology rack\nclass Q 20 1\n" +
        runs + "waiting Q 0 10\nquery feasible Q\nend\n"};
    const auto read = oracle::read_cases(in, "f");
    REQUIRE(read.faults.empty());
    return reference::solve(to_instance(read.cases.front()))->max;
  };
  CHECK(max_in("") == 9);
  CHECK(max_in("run Q 0 n1 2\n") == 5);
  CHECK(max_in("run Q 0 n1 2\nleaving Q 0 n1 1 9\n") == 5);
  CHECK(max_in("run Q 0 n1 2\nleaving Q 0 n1 2 9\n") == 9);
  CHECK(max_in("run Q 0 n1 1\nrun Q 0 n3 1\n") == 0);
  CHECK(max_in("run Q 0 n4 1\n") == 0);
}

TEST_CASE("what is leaving is known by its run") {
  const auto got = read_one("leaving B 0 n1 2 500\n");
  CHECK(got.runs.front().leaving == 2);
  CHECK(got.runs.front().until == 500);
}

TEST_CASE("single devices are read") {
  const auto got = read_one(
      "devices n1 7 0 0 1 1\nsick n1 3\nshare Q 1 250\nwants Q 0 7 1\ngrant B 0 n1 2 1000\nonemodel Q\n");
  CHECK(got.groups[1].one_model);
  CHECK_FALSE(got.groups[0].one_model);
  CHECK(got.with_devices);
  CHECK(got.nodes[0].devices->model == 7);
  CHECK(got.nodes[0].devices->link_group == oracle::amounts{0, 0, 1, 1});
  CHECK(got.nodes[0].devices->sick == std::vector<bool>{false, false, false, true});
  CHECK(got.groups[1].classes[1].share == 250);
  CHECK(got.groups[1].classes[0].device_model == 7);
  CHECK(got.groups[1].classes[0].one_link_group);
  REQUIRE(got.runs[0].grants.size() == 1);
  CHECK(got.runs[0].grants[0].device == 2);
  CHECK(got.runs[0].grants[0].milli == 1000);
}

TEST_CASE("faults of extension lines are named") {
  CHECK(fault_of("kind n9 1\n") == "f:14:6: no node of this name so far: 'n9'");
  CHECK(fault_of("kind n1 0\n") == "f:14:9: the kind is less than 1: '0'");
  CHECK(fault_of("kind n1 1\nkind n1 2\n") == "f:15:1: a second kind for this node: 'kind'");
  CHECK(fault_of("ineligible Q 0 3 0\n") == "f:14:18: the reason is less than 1: '0'");
  CHECK(fault_of("ineligible Q 2 3 1\n") == "f:14:14: group Q has no class of this index so far: '2'");
  CHECK(fault_of("ineligible Q 0 3 1\nineligible Q 0 3 2\n") ==
        "f:15:16: this class is barred from the kind already: '3'");
  CHECK(fault_of("closed n1 5\n") == "f:14:12: the time it opens is missing");
  CHECK(fault_of("closed n1 5 4\n") == "f:14:13: the time it opens is less than 5: '4'");
  CHECK(fault_of("closed n1\nclosed n1\n") == "f:15:1: this node is closed already: 'closed'");
  CHECK(fault_of("lost n1\nlost n1\n") == "f:15:1: this node is lost already: 'lost'");
  CHECK(fault_of("leaving B 0 n1 5 9\n") == "f:14:16: the number of pods is more than 4: '5'");
  CHECK(fault_of("leaving B 0 n2 1 9\n") == "f:14:1: no run of this class on this node so far: 'leaving'");
  CHECK(fault_of("kept B n2\n") == "f:14:10: what is kept of gpu is missing");
  CHECK(fault_of("atmost Q hall 1\n") == "f:14:10: a level is zone, block, rack or tier4 to tier8: 'hall'");
  CHECK(fault_of("atmost Q rack 1\natmost Q rack 2\n") == "f:15:10: a second limit for this level: 'rack'");
  CHECK(fault_of("atmost Q rack\n") == "f:14:14: the limit is missing");
  CHECK(fault_of("merged rack\n") == "f:14:1: merged stands before the first node: 'merged'");
  CHECK(fault_of("label n1 rack r9\n") == "f:14:10: this level stands in the line of the node: 'rack'");
  CHECK(fault_of("label n1 tier4 r1\n") == "f:14:16: this name is already a rack: 'r1'");
  CHECK(fault_of("label n1 tier4 a\nlabel n1 tier4 b\n") == "f:15:16: a second label of this level: 'b'");
  CHECK(fault_of("label n1 tier4 a\n") == "f:15:1: the rack r1 lies in several domains above: 'query'");
  CHECK(fault_of("basic Q\nbasic Q\n") == "f:15:1: this group is basic already: 'basic'");
  CHECK(fault_of("onemodel Q\nonemodel Q\n") == "f:15:1: this group keeps to one model already: 'onemodel'");
  CHECK(fault_of("onemodel X\n") == "f:14:10: no group of this name so far: 'X'");
  CHECK(fault_of("holds B 0 n2 1\n") == "f:14:1: no run of this class on this node so far: 'holds'");
  CHECK(fault_of("holds B 0 n1 1\nholds B 0 n1 1\n") == "f:15:1: a second line of holds for this run: 'holds'");
  CHECK(fault_of("keptdevice B n1 0 5\n") == "f:14:1: this node has no line of devices so far: 'keptdevice'");
  CHECK(fault_of("devices n1 0 0 0 1 1\nkeptdevice B n1 4 5\n") == "f:15:17: the device is more than 3: '4'");
  CHECK(fault_of("minimum Q 1 3\n") == "f:14:13: the minimum is more than 2: '3'");
  CHECK(fault_of("sizes Q 4 3 1\n") == "f:14:11: the largest size is less than 4: '3'");
  CHECK(fault_of("sizes Q 4 8 0\n") == "f:14:13: the step is less than 1: '0'");
  CHECK(fault_of("sizes Q 4 8 1 1\n") == "f:14:15: a word too many: '1'");
  CHECK(fault_of("devices n1 7 0 0 1\n") == "f:14:1: the node's gpu capacity is 4, not 3: 'devices'");
  CHECK(fault_of("sick n1 0\n") == "f:14:1: this node has no line of devices so far: 'sick'");
  CHECK(fault_of("devices n1 7 0 0 1 1\nsick n1 4\n") == "f:15:9: the device is more than 3: '4'");
  CHECK(fault_of("share Q 0 250\n") == "f:14:1: this class takes whole devices: 'share'");
  CHECK(fault_of("share Q 1 1001\n") == "f:14:11: the share is more than 1000: '1001'");
  CHECK(fault_of("run Q 0 n2 1\n") == "f:15:16: the queried group runs pods already: 'Q'");
  CHECK(fault_of("waiting Q 0 21\n") == "f:14:13: the number of pods is more than 20: '21'");
  CHECK(fault_of("waiting Q 0 1\nwaiting Q 0 1\n") == "f:15:1: a second line of waiting for this class: 'waiting'");
  CHECK(fault_of("waiting Q 0 20\nrun Q 0 n2 1\n") ==
        "f:15:12: more pods run, succeeded and wait than the 20 of the class: '1'");
  CHECK(fault_of("succeeded Q 0 0\n") == "f:14:15: the number of pods is less than 1: '0'");
  CHECK(fault_of("succeeded Q 0 3\nsucceeded Q 0 3\n") ==
        "f:15:1: a second line of succeeded for this class: 'succeeded'");
  CHECK(fault_of("apart Q 1\napart Q 1\n") == "f:15:1: this class stands apart already: 'apart'");
  CHECK(fault_of("apart Q 1 1\n") == "f:14:11: this class stands apart itself: '1'");
  CHECK(fault_of("apart Q 0\n") == "f:15:1: class 1 of group Q comes after one that stands apart: 'query'");
  CHECK(fault_of("grant B 0 n1 0 1000\n") == "f:14:1: this node has no line of devices so far: 'grant'");
}

TEST_CASE("extension lines stand before the query") {
  std::istringstream in{head + "query feasible Q\nlost n1\nend\n"};
  const auto result = oracle::read_cases(in, "f");
  REQUIRE(result.faults.size() == 1);
  CHECK(to_string(result.faults.front()) == "f:15:1: this line stands after the query: 'lost'");
}

TEST_CASE("a case is written as it is read") {
  const auto got = read_one(
      "kind n2 3\nclosed n2 5 7\nclosed n4\nlost n3\ndevices n1 7 0 0 1 1\nsick n1 3\natmost Q rack 2\nminimum Q 0 2\n"
      "sizes Q 2 8 2\nineligible Q 0 3 9\nshare Q 1 250\nwants Q 0 7 1\ngrant B 0 n1 2 1000\n"
      "leaving B 0 n1 2 500\nkept B n2 3 900\nholds B 0 n1 3\nkeptdevice Q n1 1 250 700\nkeptdevice B n1 0 1\n"
      "label n3 tier4 t3\nlabel n4 tier8 t4\natmost Q node 0\natmost Q tier4 2\n"
      "basic Q\nonemodel Q\napart Q 1 0\nrun Q 1 n4 1\nsucceeded Q 0 3\nwaiting Q 0 9\n");
  const auto text = to_text(got);
  std::istringstream in{text};
  const auto again = oracle::read_cases(in, "again");
  REQUIRE(again.faults.empty());
  CHECK(to_text(again.cases.front()) == text);
  for (const auto* line : {"case A\nresources gpu\nnow 100\n",
                           "\nnode n1 cap 4 rack=r1\n",
                           "\nkind n2 3\n",
                           "\nclosed n2 5 7\n",
                           "\nclosed n4\n",
                           "\nlost n3\n",
                           "\ndevices n1 7 0 0 1 1\n",
                           "\nsick n1 3\n",
                           "\natmost Q rack 2\n",
                           "\nminimum Q 0 2\n",
                           "\nsizes Q 2 8 2\n",
                           "\nineligible Q 0 3 9\n",
                           "\nshare Q 1 250\n",
                           "\nwants Q 0 7 1\n",
                           "\nclass Q 2 0\n",
                           "\nrun B 0 n1 4\n",
                           "\ngrant B 0 n1 2 1000\n",
                           "\nleaving B 0 n1 2 500\n",
                           "\nkept B n2 3 900\n",
                           "\nholds B 0 n1 3\n",
                           "\nkeptdevice Q n1 1 250 700\nkeptdevice B n1 0 1\n",
                           "\nnode n3 cap 4 rack=r2\nlabel n3 tier4 t3\n",
                           "\nlabel n4 tier8 t4\n",
                           "\nbasic Q\n",
                           "\napart Q 1 0\n",
                           "\nrun Q 1 n4 1\n",
                           "\nsucceeded Q 0 3\nwaiting Q 0 9\n",
                           "\nonemodel Q\n",
                           "\natmost Q tier4 2\natmost Q rack 2\natmost Q node 0\n",
                           "\nquery feasible Q\nend\n"}) {
    CAPTURE(line);
    CHECK(text.find(line) != std::string::npos);
  }
}
