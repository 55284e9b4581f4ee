// SPDX-License-Identifier: BSL-1.0
#include <muster/cluster/uniformity.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"

#include <muster/cluster/apply.hpp>
#include <muster/resource/resource_vector.hpp>

#include <cstdint>
#include <optional>

using namespace muster;
using counted = resource_vector<1>;

namespace {

struct gang {
  cluster<counted> model;
  std::uint64_t last = 0;

  gang() {
    pod_group<counted> group;
    group.id = group_id{1};
    group.priority = 7;
    group.scheduler = scheduler_id{2};
    group.disruption = disruption_mode::single;
    say(group_seen<counted>{group});
  }
  void say(change_content<counted> what) { apply(model, {revision{++last}, std::move(what)}); }
  void pod(std::uint64_t id, std::int32_t priority = 7, std::uint32_t scheduler = 2,
           preemption_policy preemption = preemption_policy::lower_priority, amount request = 0) {
    pod_seen<counted> seen;
    seen.request = {request};
    seen.pod = pod_id{id};
    seen.group = group_id{1};
    seen.priority = priority;
    seen.scheduler = scheduler_id{scheduler};
    seen.preemption = preemption;
    say(seen);
  }
  std::optional<odd_pod> odd() {
    const auto view = model.view();
    return find_odd_pod(view, *view.group(group_id{1}));
  }
};

}  // namespace

TEST_CASE("a group whose pods agree with it has no odd one", "[cluster]") {
  gang of;
  CHECK_FALSE(of.odd().has_value());
  of.pod(1);
  of.pod(2);
  CHECK_FALSE(of.odd().has_value());
}

TEST_CASE("the odd pod with the smallest id is named with both numbers, whatever came first", "[cluster]") {
  gang of;
  of.pod(9, 3);
  of.pod(4, 7, 5);
  of.pod(6, 7, 2, preemption_policy::never);
  of.pod(1);
  auto odd = of.odd();
  REQUIRE(odd.has_value());
  CHECK(odd->pod == pod_id{4});
  CHECK(odd->in == disagreement::scheduler);
  CHECK(odd->pods_value == 5);
  CHECK(odd->groups_value == 2);

  of.pod(4);
  odd = of.odd();
  REQUIRE(odd.has_value());
  CHECK(odd->pod == pod_id{6});
  CHECK(odd->in == disagreement::preemption_policy);

  of.pod(6);
  odd = of.odd();
  REQUIRE(odd.has_value());
  CHECK(odd->pod == pod_id{9});
  CHECK(odd->in == disagreement::priority);
  CHECK(odd->pods_value == 3);
  CHECK(odd->groups_value == 7);
}

TEST_CASE("pods that run are checked too, pods that are over are not", "[cluster]") {
  gang of;
  of.say(node_seen<counted>{{node_id{1}, {}, {8}, {}}});
  of.pod(1, 3);
  of.say(pod_placed<counted>{pod_id{1}, node_id{1}, placing::ready, {}, {}});
  CHECK(of.odd().has_value());
  of.say(pod_ended{pod_id{1}, ending::succeeded, {}});
  CHECK_FALSE(of.odd().has_value());
}

TEST_CASE("a pod that waits must ask what its pod set asks, one that runs holds what it was given", "[cluster]") {
  gang of;
  pod_group<counted> group;
  group.id = group_id{1};
  group.priority = 7;
  group.scheduler = scheduler_id{2};
  group.disruption = disruption_mode::single;
  group.pod_sets.push_back({{2}, 3, 0});
  of.say(group_seen<counted>{group});
  of.say(node_seen<counted>{{node_id{1}, {}, {8}, {}}});
  of.pod(1, 7, 2, preemption_policy::lower_priority, 2);
  CHECK_FALSE(of.odd().has_value());
  of.pod(2, 7, 2, preemption_policy::lower_priority, 6);
  const auto odd = of.odd();
  REQUIRE(odd.has_value());
  CHECK(odd->pod == pod_id{2});
  CHECK(odd->in == disagreement::request);
  CHECK(odd->dimension == 0);
  CHECK(odd->pods_value == 6);
  CHECK(odd->groups_value == 2);
  of.say(pod_placed<counted>{pod_id{2}, node_id{1}, placing::bound, {}, {}});
  CHECK_FALSE(of.odd().has_value());
}

TEST_CASE("every disagreement has its name", "[cluster]") {
  CHECK(name(disagreement::scheduler) == "scheduler");
  CHECK(name(disagreement::priority) == "priority");
  CHECK(name(disagreement::preemption_policy) == "preemption policy");
  CHECK(name(disagreement::request) == "request");
}
