// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/write_case.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/scene.hpp"
#include "support/small_cluster.hpp"

#include <muster/resource/devices.hpp>
#include <muster/resource/joint.hpp>

#include <cstdint>
#include <iterator>
#include <string>

using namespace muster;
using muster_test::gpus;
using muster_test::small_cluster;

TEST_CASE("a snapshot and a question become a case", "[placement]") {
  small_cluster now({}, 2);
  now.say(node_seen<gpus>{{node_id{1}, kind_id{3}, {8}, {label_id{1}, label_id{1}}}});
  now.say(node_seen<gpus>{{node_id{2}, {}, {4}, {label_id{1}, label_id{2}}}});
  now.say(node_closed{node_id{2}});
  now.submit(5, 2);
  now.say(pod_placed<gpus>{small_cluster::id(5, 0), node_id{1}, placing::bound, {}, {}});
  now.say(pod_placed<gpus>{small_cluster::id(5, 1), node_id{1}, placing::bound, {}, {}});
  now.say(pod_terminating{small_cluster::id(5, 1), time_point{duration{90'000}}, {}});
  now.block(7, 1, 3);
  pod_group<gpus> asked;
  asked.id = group_id{9};
  asked.priority = 4;
  asked.disruption = disruption_mode::single;
  asked.pod_sets = {{{2}, 3, 1}};
  asked.min_count = 2;
  asked.required = topology_level{1};
  asked.limits = {{node_level, 2}, {topology_level{0}, 3}};
  asked.sizes = {size_rule::shape::stepped, 2, 3, 1};
  std::string text;
  const auto filter = [](const pod_group<gpus>&, std::size_t, kind_id kind) {
    return kind == kind_id{3} ? reason_code{6} : eligible_node;
  };
  write_case(std::back_inserter(text), now.model.view(time_point{duration{60'000}}), asked, {"here", {}}, filter);
  CHECK(text ==
        "case here\n"
        "resources gpu\n"
        "now 60\n"
        "node n1 cap 8 block=L0/1 rack=L1/1/1\n"
        "kind n1 3\n"
        "node n2 cap 4 block=L0/1 rack=L1/1/2\n"
        "closed n2\n"
        "group g9 priority 4 min 2 mode single start 0 checkpoint 0 topology rack pernode 2\n"
        "class g9 3 2\n"
        "ineligible g9 0 3 6\n"
        "minimum g9 0 1\n"
        "atmost g9 block 3\n"
        "sizes g9 2 3 1\n"
        "group g5 priority 0 min 2 mode all start 0 checkpoint 0\n"
        "class g5 2 1\n"
        "group p7 priority 0 min 1 mode single start 0 checkpoint 0\n"
        "class p7 1 3\n"
        "run g5 0 n1 2\n"
        "leaving g5 0 n1 1 90\n"
        "run p7 0 n1 1\n"
        "query feasible g9\n"
        "end\n");
}

namespace {

template <class M>
std::string written(const snapshot<M>& view, const pod_group<M>& asked) {
  std::string text;
  write_case(std::back_inserter(text), view, asked);
  return text;
}
bool has_line(const std::string& text, const std::string& line) { return text.find("\n" + line + "\n") != text.npos; }

}  // namespace

TEST_CASE("every level up to eight has a word, and a merged one says so", "[placement]") {
  topology levels = nested_levels(5);
  levels.levels[1].merge_equal_names = true;
  muster_test::scene<gpus> now{levels};
  now.node(1, {4}, {1, 2, 3, 4, 5});
  auto asked = now.gang(9, 2, {1});
  asked.required = topology_level{0};
  asked.min_count = 0;
  asked.limits = {{topology_level{1}, 4}, {topology_level{1}, 2}, {node_level, 0}};
  const auto text = written(now.view(), asked);
  CHECK(has_line(text, "merged tier4"));
  CHECK(has_line(text, "node n1 cap 4 zone=L2/1/2/3 block=L3/1/2/3/4 rack=L4/1/2/3/4/5"));
  CHECK(has_line(text, "label n1 tier5 L0/1\nlabel n1 tier4 L1/2"));
  CHECK(has_line(text, "group g9 priority 0 min 0 mode all start 0 checkpoint 0 topology tier5"));
  CHECK(has_line(text, "atmost g9 tier4 2\natmost g9 node 0"));
}

TEST_CASE("a basic group needs one pod", "[placement]") {
  muster_test::scene<gpus> now;
  auto asked = now.gang(9, 5, {1});
  asked.policy = group_policy::basic;
  asked.disruption = disruption_mode::single;
  CHECK(has_line(written(now.view(), asked), "group g9 priority 0 min 1 mode single start 0 checkpoint 0\nbasic g9"));
}

TEST_CASE("nodes that went are written, since their return would help", "[placement]") {
  muster_test::scene<gpus> now;
  now.node(1, {4});
  now.node(2, {8});
  now.say(node_gone{node_id{2}});
  CHECK(has_line(written(now.view(), now.gang(9, 5, {1})), "node n1 cap 4\nnode n2 cap 8\nlost n2"));
}

TEST_CASE("a grant that is not the request, and a pod too many, stand on their own", "[placement]") {
  muster_test::scene<gpus> now;
  now.node(1, {9});
  const auto other = now.gang(5, 1, {2});
  now.group(other);
  now.pods(11, 3, other);
  now.bind(12, 1);
  now.bind(13, 1);  // more than the group declares
  now.say(pod_placed<gpus>{pod_id{11}, node_id{1}, placing::bound, gpus::grant_type{3}, {}});
  const auto text = written(now.view(), now.gang(9, 5, {1}));
  CHECK(has_line(text, "run g5 0 n1 1\nrun p11 0 n1 1\nholds p11 0 n1 3\nrun p13 0 n1 1"));
  CHECK(has_line(text, "class p11 1 2"));
}

TEST_CASE("set-asides are written for groups nobody declared, and device by device", "[placement]") {
  using both = joint<resource_vector<1>, devices<4>>;
  muster_test::scene<both> now;
  now.node(1, {{9}, {.count = 3, .model = {}, .link_group = {}}});
  now.say(set_aside<both>{set_aside_id{1}, group_id{7}, 0, node_id{1}, 1, {{2}, {0b101, 1000}}, now.time(1500)});
  now.say(set_aside<both>{set_aside_id{2}, group_id{9}, 0, node_id{1}, 1, {{0}, {0b010, 250}}, end_of_time});
  const auto text = written(now.view(1200), now.gang(9, 1, {{1}, {}}));
  CHECK(has_line(text, "resources gpu r1\nnow 1\nnode n1 cap 3 9\ndevices n1 0 0 0 0"));
  CHECK(has_line(text, "group g7 min 0"));
  CHECK(has_line(text, "kept g7 n1 0 2 2\nkeptdevice g7 n1 0 1000 2\nkeptdevice g7 n1 2 1000 2"));
  CHECK(has_line(text, "keptdevice g9 n1 1 250"));
}

TEST_CASE("the pods of a run stand by id, those that leave first", "[placement]") {
  using two = devices<4>;
  muster_test::scene<two> now;
  now.node(1, {.count = 4, .model = {}, .link_group = {}});
  const auto other = now.gang(5, 3, {.whole = 1});
  now.group(other);
  now.pods(11, 3, other);
  const auto give = [&](std::uint64_t pod, std::uint64_t mask) {
    now.say(pod_placed<two>{pod_id{pod}, node_id{1}, placing::bound, two::grant_type{mask, 1000}, {}});
  };
  give(13, 0b0001);
  give(11, 0b1000);
  give(12, 0b0100);
  now.leave(12);
  CHECK(has_line(written(now.view(), now.gang(9, 1, {.whole = 1})),
                 "run g5 0 n1 3\nleaving g5 0 n1 1 1000000000\n"
                 "grant g5 0 n1 2 1000\ngrant g5 0 n1 3 1000\ngrant g5 0 n1 0 1000"));
}

TEST_CASE("a case of a group of which some run asks for the rest", "[placement]") {
  muster_test::scene<gpus> now{nested_levels(1)};
  now.node(1, {2}, {1});
  now.node(2, {4}, {2});
  auto asked = now.gang(9, 3, {1});
  asked.required = topology_level{0};
  now.group(asked);
  now.pods(11, 3, asked);
  now.bind(11, 1);
  const auto view = now.view();
  REQUIRE(place(view, asked.id).verdict == verdict::not_now);
  std::string text;
  write_case(std::back_inserter(text), view, asked.id);
  CHECK(text ==
        "case snapshot\n"
        "resources gpu\n"
        "now 0\n"
        "node n1 cap 2 rack=L0/1\n"
        "node n2 cap 4 rack=L0/2\n"
        "group g9 priority 0 min 3 mode all start 0 checkpoint 0 topology rack\n"
        "class g9 3 1\n"
        "run g9 0 n1 1\n"
        "waiting g9 0 2\n"
        "query feasible g9\n"
        "end\n");
  CHECK(has_line(written(view, asked), "run p11 0 n1 1\nquery feasible g9"));  // declared, it does not run yet
}

TEST_CASE("members that are not as their pod set asks stand apart", "[placement]") {
  muster_test::scene<gpus> now;
  now.node(1, {9});
  now.node(2, {9});
  auto asked = now.gang(9, 2, {1}, 2);
  now.group(asked);
  now.pods(11, 9, asked);
  const auto ask = [&](std::uint64_t pod, std::uint32_t set, amount gpu) {
    pod_seen<gpus> seen;
    seen.pod = pod_id{pod};
    seen.group = asked.id;
    seen.pod_set = set;
    seen.request = {gpu};
    now.say(seen);
  };
  now.bind(11, 2);
  now.bind(12, 1);
  now.leave(12);  // counts for nothing
  now.say(pod_placed<gpus>{pod_id{13}, node_id{1}, placing::bound, gpus::grant_type{3}, {}});
  ask(14, 0, 2);
  now.bind(14, 1);
  ask(15, 7, 1);  // of a set the group has not
  now.bind(15, 2);
  now.end(16);
  now.bind(17, 30);  // on a node nobody told of
  now.end(18, ending::failed);
  ask(19, 0, 5);
  ask(20, 7, 5);
  std::string text;
  write_case(std::back_inserter(text), now.view(), asked.id);
  CHECK(has_line(text,
                 "class g9 4 1\n"  // more than the group declares
                 "class g9 1 1\napart g9 1 0\n"
                 "class g9 1 2\napart g9 2 0\n"
                 "class g9 1 1\napart g9 3\n"
                 "class g9 1 5\napart g9 4 0\n"
                 "run g9 0 n1 1\nleaving g9 0 n1 1 1000000000\n"
                 "run g9 0 n2 1\n"
                 "run g9 1 n1 1\nholds g9 1 n1 3\n"
                 "run g9 2 n1 1\n"
                 "run g9 3 n2 1\n"
                 "succeeded g9 0 2\n"
                 "waiting g9 0 0\nwaiting g9 1 0\nwaiting g9 2 0\nwaiting g9 3 0\nwaiting g9 4 1\n"
                 "query feasible g9"));
  CHECK(has_line(text, "group g9 priority 0 min 2 mode all start 0 checkpoint 0"));
}

TEST_CASE("of a group nobody declared there is no case", "[placement]") {
  muster_test::scene<gpus> now;
  now.node(1, {9});
  std::string text;
  write_case(std::back_inserter(text), now.view(), group_id{9});
  CHECK(text.empty());
}
