// SPDX-License-Identifier: BSL-1.0
//
// The reader of case files: what it reads, and that every fault is named by its
// line, its column and its word.
#include "case_file.hpp"

#include "../support/catch.hpp"

#include <sstream>
#include <string>

using oracle::read_cases;

namespace {

const std::string head =
    "case A\n"                                                // 1
    "resources gpu cpu\n"                                     // 2
    "now 100\n"                                               // 3
    "node n1 cap 8 64 zone=z block=b rack=r\n"                // 4
    "node n2 cap 8 64\n"                                      // 5
    "group B priority 5 min 1 mode single start 7\n"          // 6
    "class B 2 1 4\n"                                         // 7
    "group Q min 2 topology rack pernode 3 checkpoint 100\n"  // 8
    "class Q 3 2 8\n"                                         // 9
    "class Q 1 0 1\n"                                         // 10
    "run B 0 n1 2\n";                                         // 11
const std::string tail =
    "query feasible Q\n"                           // 12
    "answer feasible 1 max 3\n"                    // 13
    "note greedy_placed ff 3 ffd 2 bfd 1 ffi 0\n"  // 14
    "end\n";                                       // 15

oracle::read_result read(const std::string& text) {
  std::istringstream in{text};
  return read_cases(in, "f");
}

// The first fault of a text that must have one and give no case.
std::string fault_of(const std::string& text) {
  const auto result = read(text);
  CHECK(result.cases.empty());
  REQUIRE_FALSE(result.faults.empty());
  return to_string(result.faults.front());
}

// One line put in behind line 11, before the query.
std::string fault_of_line(const std::string& line) { return fault_of(head + line + "\n" + tail); }

// `with` instead of `what` in the whole text.
std::string fault_of_change(const std::string& what, const std::string& with) {
  auto text = head + tail;
  const auto at = text.find(what);
  REQUIRE(at != std::string::npos);
  return fault_of(text.replace(at, what.size(), with));
}

}  // namespace

TEST_CASE("a plain case is read in full") {
  const auto result = read("# a comment\n\n" + head + tail);
  REQUIRE(result.faults.empty());
  REQUIRE(result.cases.size() == 1);
  const auto& got = result.cases.front();
  CHECK(got.name == "A");
  CHECK(got.line == 3);
  CHECK(got.resources == std::vector<std::string>{"gpu", "cpu"});
  CHECK(got.now == 100);
  REQUIRE(got.nodes.size() == 2);
  CHECK(got.nodes[0].labels == std::array<std::string, 8>{"", "", "", "", "", "z", "b", "r"});
  CHECK(got.nodes[1].labels == std::array<std::string, 8>{});
  REQUIRE(got.groups.size() == 2);
  CHECK(got.groups[0].mode == oracle::eviction_mode::single);
  CHECK(got.groups[0].checkpoint == 7);  // as start
  CHECK(got.groups[1].mode == oracle::eviction_mode::all);
  CHECK(got.groups[1].topology == std::optional<std::size_t>{oracle::level_count - 1});
  CHECK(got.groups[1].per_node == 3);
  CHECK(got.groups[1].pods() == 4);
  CHECK(got.groups[1].min() == 2);
  CHECK(got.groups[1].classes[1].request == oracle::amounts{0, 1});
  CHECK(got.free(1)[0] == oracle::amounts{6, 56});
  CHECK(got.free(1)[1] == oracle::amounts{8, 64});
  CHECK(got.asked == oracle::question::feasible);
  CHECK(got.asked_group == 1);
  CHECK(got.feasible->feasible);
  CHECK(got.feasible->max == 3);
  CHECK(*got.greedy_placed == oracle::greedy_note{3, 2, 1, 0});
  CHECK_FALSE(got.extended);
}

TEST_CASE("min is all pods of the group unless stated") {
  const auto result = read("case A\nresources gpu\ngroup Q\nclass Q 3 1\nclass Q 2 1\nquery feasible Q\nend\n");
  REQUIRE(result.faults.empty());
  CHECK(result.cases.front().groups.front().min() == 5);
  CHECK_FALSE(result.cases.front().feasible.has_value());
}

TEST_CASE("the topology may be one node") {
  const auto result = read("case A\nresources gpu\ngroup Q topology node\nclass Q 3 1\nquery feasible Q\nend\n");
  REQUIRE(result.faults.empty());
  CHECK(result.cases.front().groups.front().topology == std::optional<std::size_t>{oracle::level_count});
  CHECK(result.cases.front().extended);
}

TEST_CASE("answers of the other questions are read") {
  const auto preempt = read(head + "query preempt Q\nanswer free_fit 0\n" +
                            "answer victims 1 min_cost 9 units_at_min_cost 2 min_units 1\nnote k8s_first none\n"
                            "note k8s_mostalloc cost 12 units 3\nend\n");
  REQUIRE(preempt.faults.empty());
  CHECK_FALSE(*preempt.cases.front().free_fit);
  CHECK(preempt.cases.front().victims->min_cost == 9);
  CHECK(preempt.cases.front().victims->units_at_min_cost == 2);
  CHECK(preempt.cases.front().victims->min_units == 1);
  CHECK_FALSE(preempt.cases.front().evicting[0]->exists);
  CHECK(preempt.cases.front().evicting[1]->exists);
  CHECK(preempt.cases.front().evicting[1]->cost == 12);
  CHECK(preempt.cases.front().evicting[1]->units == 3);
  const auto deadlock = read(head + "query deadlock\nanswer deadlocked 2 B Q\nanswer break_min_cost 4\nend\n");
  REQUIRE(deadlock.faults.empty());
  CHECK(deadlock.cases.front().deadlocked->stuck == std::vector<std::size_t>{0, 1});
  CHECK(deadlock.cases.front().break_min_cost == std::optional<oracle::amount>{4});
}

TEST_CASE("words are separated by single spaces and nothing else") {
  CHECK(fault_of_change("node n1 cap", "node  n1 cap") == "f:4:6: a space too many");
  CHECK(fault_of_change("now 100", "now 100 ") == "f:3:9: a space too many");
  CHECK(fault_of_change("now 100", " now 100") == "f:3:1: a space too many");
  CHECK(fault_of_change("now 100", "now\t100") == "f:3:4: a control character; words are separated by single spaces");
  CHECK(fault_of_change("now 100", "now 100\r") == "f:3:8: a control character; words are separated by single spaces");
}

TEST_CASE("lines and keys that do not exist are faults") {
  CHECK(fault_of_line("nodes n3 cap 1 1") == "f:12:1: an unknown line: 'nodes'");
  CHECK(fault_of_change("priority 5", "prio 5") == "f:6:9: an unknown key: 'prio'");
  CHECK(fault_of_change("mode single", "mode some") == "f:6:31: a mode is all or single: 'some'");
  CHECK(fault_of_change("min 1", "priority 1") == "f:6:20: this key is already there: 'priority'");
  CHECK(fault_of_change("topology rack", "topology row") ==
        "f:8:24: a level is zone, block, rack or tier4 to tier8: 'row'");
  CHECK(fault_of_change("zone=z", "row=z") == "f:4:18: a label is zone=, block= or rack=: 'row=z'");
  CHECK(fault_of_change("zone=z", "zone") == "f:4:18: a label is zone=, block= or rack=: 'zone'");
  CHECK(fault_of_change("query feasible Q", "query maybe Q") ==
        "f:12:7: a question is feasible, preempt or deadlock: 'maybe'");
  CHECK(fault_of_change("answer feasible 1 max", "answer feasible 1 most") ==
        "f:13:19: 'max' is expected here: 'most'");
  CHECK(fault_of_change("answer feasible 1 max 3", "answer possible 1") == "f:13:8: an unknown answer: 'possible'");
  CHECK(fault_of_change("ffd 2", "fdd 2") == "f:14:25: 'ffd' is expected here: 'fdd'");
}

TEST_CASE("missing and surplus words are faults") {
  CHECK(fault_of_change("cap 8 64 zone", "cap 8 zone") == "f:4:15: the capacity of cpu is not a number: 'zone=z'");
  CHECK(fault_of_change("node n2 cap 8 64", "node n2 cap 8") == "f:5:14: the capacity of cpu is missing");
  CHECK(fault_of_change("node n2 cap 8 64", "node n2 cap 8 64 1") == "f:5:18: a label is zone=, block= or rack=: '1'");
  CHECK(fault_of_change("class Q 1 0 1", "class Q 1 0 1 1") == "f:10:15: a word too many: '1'");
  CHECK(fault_of_change("start 7", "start") == "f:6:43: the time is missing");
  CHECK(fault_of_change("run B 0 n1 2", "run B 0 n1") == "f:11:11: the number of pods is missing");
  CHECK(fault_of_change("end\n", "end now\n") == "f:15:5: a word too many: 'now'");
  CHECK(fault_of_change("case A", "case") == "f:1:5: the name of the case is missing");
}

TEST_CASE("numbers are decimal, in range and without a sign") {
  CHECK(fault_of_change("cap 8 64 zone", "cap 8x 64 zone") == "f:4:13: the capacity of gpu is not a number: '8x'");
  CHECK(fault_of_change("cap 8 64 zone", "cap -8 64 zone") == "f:4:13: the capacity of gpu is not a number: '-8'");
  CHECK(fault_of_change("cap 8 64 zone", "cap +8 64 zone") == "f:4:13: the capacity of gpu is not a number: '+8'");
  CHECK(fault_of_change("cap 8 64 zone", "cap 0x8 64 zone") == "f:4:13: the capacity of gpu is not a number: '0x8'");
  CHECK(fault_of_change("cap 8 64 zone", "cap 9223372036854775808 64 zone") ==
        "f:4:13: the capacity of gpu does not fit in 64 bits: '9223372036854775808'");
  CHECK(fault_of_change("priority 5", "priority 2147483648") ==
        "f:6:18: the priority is more than 2147483647: '2147483648'");
  CHECK(fault_of_change("run B 0 n1 2", "run B 0 n1 0") == "f:11:12: the number of pods is less than 1: '0'");
  CHECK(fault_of_change("feasible 1 max 3", "feasible 2 max 3") == "f:13:17: the answer is more than 1: '2'");
  CHECK(fault_of_change("max 3", "max 5") == "f:13:23: the most pods is more than 4: '5'");
  CHECK(fault_of_change("ff 3", "ff 5") == "f:14:23: the pods placed is more than 4: '5'");
  CHECK(fault_of_change("class B 2 1 4", "class B 9223372036854775807 2 4") ==
        "f:7:9: a product with this does not fit in 64 bits: '9223372036854775807'");
  CHECK(fault_of_change("class Q 1 0 1", "class Q 9223372036854775807 0 1") ==
        "f:10:9: a sum with this does not fit in 64 bits: '9223372036854775807'");
}

TEST_CASE("names are declared once, and before their use") {
  CHECK(fault_of_change("node n2", "node n1") == "f:5:6: a second node of this name: 'n1'");
  CHECK(fault_of_change("group Q", "group B") == "f:8:7: a second group of this name: 'B'");
  CHECK(fault_of_change("class B 2", "class C 2") == "f:7:7: no group of this name so far: 'C'");
  CHECK(fault_of_change("run B 0 n1", "run B 0 n3") == "f:11:9: no node of this name so far: 'n3'");
  CHECK(fault_of_change("run B 0 n1", "run B 1 n1") == "f:11:7: group B has no class of this index so far: '1'");
  CHECK(fault_of_change("query feasible Q", "query feasible P") == "f:12:16: no group of this name so far: 'P'");
  CHECK(fault_of(head + tail + head + tail) == "f:16:6: a second case of this name: 'A'");
  CHECK(fault_of_change("gpu cpu", "gpu gpu") == "f:2:15: this resource is already there: 'gpu'");
  CHECK(fault_of_change("gpu cpu", "cpu gpu") == "f:2:11: the first resource is always gpu: 'cpu'");
  CHECK(fault_of_change("gpu cpu", "gpu b c d e f g h i") == "f:2:29: more than 8 resources: 'i'");
}

TEST_CASE("lines stand in the order of the format") {
  CHECK(fault_of_line("group P") == "f:12:1: this line stands after the first run: 'group'");
  CHECK(fault_of_line("class Q 1 1 1") == "f:12:1: this line stands after the first run: 'class'");
  CHECK(fault_of_line("now 3") == "f:12:1: a second line of now: 'now'");
  CHECK(fault_of_line("resources gpu") == "f:12:1: a second line of resources: 'resources'");
  CHECK(fault_of_line("answer feasible 1 max 3") == "f:12:1: an answer before its query: 'answer'");
  CHECK(fault_of_line("query deadlock") == "f:13:1: this line stands after the query: 'query'");
  CHECK(fault_of_line("end") == "f:12:1: the case has no query: 'end'");
  CHECK(fault_of("case A\nnode n1 cap 1\n") == "f:2:1: a node before the resources: 'node'");
  CHECK(fault_of("now 1\n" + head + tail) == "f:1:1: a line outside a case: 'now'");
  CHECK(fault_of(head + tail.substr(0, tail.size() - 4)) == "f:15:1: the file ends inside case A");
  CHECK(fault_of(head + "case C\n") == "f:12:1: case A has no end yet: 'case'");
  CHECK(fault_of("# nothing\n") == "f:2:1: the file holds no case");
}

TEST_CASE("what cannot be true is a fault") {
  CHECK(fault_of_change("run B 0 n1 2", "run B 0 n1 3") == "f:11:12: more pods run than the 2 of the class: '3'");
  CHECK(fault_of_line("run B 0 n1 1") == "f:12:1: a second run of this class on this node: 'run'");
  CHECK(fault_of_line("run Q 0 n1 1") == "f:13:16: the queried group runs pods already: 'Q'");
  CHECK(fault_of_change("start 7", "start 101") == "f:6:44: the last checkpoint is later than now: '101'");
  CHECK(fault_of_change("node n2 cap 8 64", "node n2 cap 8 64 zone=y block=b") ==
        "f:5:25: this block lies in another domain above: 'block=b'");
  CHECK(fault_of_change("node n2 cap 8 64", "node n2 cap 8 64 rack=r") ==
        "f:5:18: this rack lies in another domain above: 'rack=r'");
  CHECK(fault_of_change("node n2 cap 8 64", "node n2 cap 8 64 zone=r") ==
        "f:5:18: this name is already a rack: 'zone=r'");
  CHECK(fault_of_change("zone=z block=b", "zone=z zone=b") == "f:4:25: a second label of this level: 'zone=b'");
  CHECK(fault_of_change("zone=z", "zone=") == "f:4:18: a label without a name: 'zone='");
  CHECK(fault_of_change("feasible 1 max 3", "feasible 0 max 3") ==
        "f:13:17: feasible must be 1 exactly when max reaches 2: '0'");
  CHECK(fault_of_change("answer feasible 1 max 3", "answer free_fit 1") ==
        "f:13:1: an answer to the question preempt, which was not asked: 'answer'");
  CHECK(fault_of(head + "query preempt Q\nanswer free_fit 1\nend\n") ==
        "f:14:1: free_fit and victims are answered together: 'end'");
  CHECK(fault_of(head + "query deadlock\nanswer deadlocked 2 Q B\nend\n") ==
        "f:13:23: groups are named once each, in file order: 'B'");
}

TEST_CASE("every faulty case is named once, and none is returned") {
  const std::string good = "case G\nresources gpu\ngroup Q\nclass Q 1 1\nquery feasible Q\nend\n";
  const auto result = read("case A\nresources cpu\nnode\nend\n" + good + "case B\nfoo\nbar\nend\n");
  CHECK(result.cases.empty());
  REQUIRE(result.faults.size() == 2);
  CHECK(result.faults[0].line == 2);
  CHECK(result.faults[0].column == 11);
  CHECK(result.faults[0].word == "cpu");
  CHECK(result.faults[1].line == 12);
  CHECK(result.faults[1].word == "foo");
  CHECK(read(good).cases.size() == 1);
}

TEST_CASE("a file that is not there is a fault") {
  const auto result = oracle::read_case_file("no/such/file.cases");
  REQUIRE(result.faults.size() == 1);
  CHECK(to_string(result.faults.front()) == "no/such/file.cases:0:0: cannot be opened");
}
