// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/write_case.hpp>

#include "support/catch.hpp"
#include "support/small_cluster.hpp"

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
