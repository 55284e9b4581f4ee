// SPDX-License-Identifier: BSL-1.0
// What changes do to a cluster is in apply.cpp; this is what a snapshot answers.
#include <muster/cluster/cluster.hpp>

#include "support/allocation.hpp"
#include "support/catch.hpp"
#include "support/cluster_view.hpp"
#include "support/compiled_once.hpp"

#include <muster/cluster/apply.hpp>
#include <muster/resource/devices.hpp>
#include <muster/resource/resource_vector.hpp>

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

using namespace muster;
using gpus = devices<4>;

namespace {

struct site {
  cluster<gpus> model{nested_levels(1)};
  std::uint64_t last = 0;

  void say(change_content<gpus> what) { apply(model, {revision{++last}, std::move(what)}); }
  void node(std::uint64_t id, std::uint32_t kind = 0, std::uint64_t zone = 1) {
    say(node_seen<gpus>{{node_id{id}, kind_id{kind}, {.count = 4}, {label_id{zone}}}});
  }
  void pod(std::uint64_t id, std::uint64_t on, std::uint64_t group = 1) {
    pod_seen<gpus> seen;
    seen.pod = pod_id{id};
    seen.group = group_id{group};
    seen.request = {.whole = 1};
    say(seen);
    say(pod_placed<gpus>{pod_id{id}, node_id{on}, placing::bound, {}, {}});
  }
};

}  // namespace

TEST_CASE("nodes are found by their ids at their positions", "[cluster]") {
  site of;
  of.node(30);
  of.node(10, 1);
  of.node(20);
  const auto view = of.model.view();
  REQUIRE(view.size() == 3);
  for (std::uint32_t position = 0; position < view.size(); ++position) {
    CHECK(view.find(view.id(position)) == position);
    CHECK(view.present(position));
    CHECK(view.open(position));
    CHECK(view.capacity(position) == gpus::capacity_type{.count = 4});
  }
  CHECK(view.id(0) == node_id{20});
  CHECK(view.id(2) == node_id{10});
  CHECK(view.kind(2) == kind_id{1});
  CHECK(view.find(node_id{40}) == std::nullopt);
}

TEST_CASE("an empty node is shown with its sick devices out, or in", "[cluster]") {
  site of;
  of.node(1);
  of.pod(1, 1);
  of.say(device_health{node_id{1}, 3, false});
  const auto view = of.model.view();
  CHECK(gpus::amount_left(view.empty(0), 0) == 3);
  CHECK(gpus::amount_left(view.empty(0, true), 0) == 4);
  CHECK(gpus::amount_left(view.now(0), 0) == 2);
}

TEST_CASE("pods are visited by node and by group", "[cluster]") {
  site of;
  of.node(1);
  of.node(2);
  of.pod(1, 1);
  of.pod(2, 1);
  of.pod(3, 2);
  of.pod(4, 2, 7);
  of.pod(5, 9);  // a node nobody has seen
  of.say(pod_ended{pod_id{2}, ending::failed, {}});
  const auto view = of.model.view();
  std::set<pod_id> on_first, in_group;
  view.visit_pods_on(view.find(node_id{1}).value(), [&](const auto& pod) { on_first.insert(pod.id); });
  CHECK(on_first == std::set<pod_id>{pod_id{1}});
  view.visit_members(*view.named_group(group_id{1}), [&](const auto& pod) { in_group.insert(pod.id); });
  CHECK(in_group == std::set<pod_id>{pod_id{1}, pod_id{2}, pod_id{3}, pod_id{5}});
  CHECK(view.node_of(*view.pod(pod_id{5})) == node_id{9});
  CHECK(view.position_of(*view.pod(pod_id{5})) == no_position);
  CHECK(view.group_of(*view.pod(pod_id{4})) == group_id{7});
}

TEST_CASE("only groups that were declared and are not gone are visited", "[cluster]") {
  site of;
  of.pod(1, 1, 1);
  pod_group<gpus> group;
  group.disruption = disruption_mode::single;
  for (const std::uint64_t id : {2U, 3U}) {
    group.id = group_id{id};
    of.say(group_seen<gpus>{group});
  }
  of.say(group_gone{group_id{2}});
  const auto view = of.model.view();
  std::vector<group_id> visited;
  view.visit_groups([&](const auto& each) { visited.push_back(each.id); });
  CHECK(visited == std::vector<group_id>{group_id{3}});
  CHECK(view.group(group_id{1}) == nullptr);
  CHECK(view.named_group(group_id{1})->members.total() == 1);
  CHECK(view.group(group_id{2}) == nullptr);
}

TEST_CASE("set-asides are visited while they hold something", "[cluster]") {
  site of;
  of.node(1);
  of.say(set_aside<gpus>{set_aside_id{1}, group_id{1}, 0, node_id{1}, 2, {0b11, 1000}, time_point{duration{5}}});
  of.say(set_aside<gpus>{set_aside_id{2}, group_id{1}, 0, node_id{8}, 2, {0b11, 1000}, end_of_time});
  std::vector<set_aside_id> visited;
  const auto visit = [&](const set_aside<gpus>& kept, std::uint32_t position) {
    CHECK(position == 0);
    visited.push_back(kept.id);
  };
  of.model.view(time_point{duration{4}}).visit_set_asides(visit);
  CHECK(visited == std::vector<set_aside_id>{set_aside_id{1}});
  visited.clear();
  const auto view = of.model.view(time_point{duration{4}});
  view.visit_set_asides(group_id{1}, visit);
  CHECK(visited == std::vector<set_aside_id>{set_aside_id{1}});
  view.visit_set_asides(group_id{2}, visit);
  CHECK(visited.size() == 1);
  CHECK(view.anything_set_aside(group_id{1}));
  CHECK_FALSE(view.anything_set_aside(group_id{2}));
  visited.clear();
  const auto over = of.model.view(time_point{duration{5}});
  over.visit_set_asides(visit);
  over.visit_set_asides(group_id{1}, visit);
  CHECK(visited.empty());
  CHECK_FALSE(over.anything_set_aside());
  CHECK_FALSE(over.anything_set_aside(group_id{1}));
}

TEST_CASE("anything is set aside while something holds capacity, and not after it was dropped", "[cluster]") {
  site of;
  const auto anything = [&](std::int64_t at) { return of.model.view(time_point{duration{at}}).anything_set_aside(); };
  const auto keep = [&](std::uint64_t id, std::uint64_t on, std::int64_t until) {
    of.say(set_aside<gpus>{set_aside_id{id}, group_id{1}, 0, node_id{on}, 2, {0b11, 1000}, time_point{duration{until}}});
  };
  of.node(1);
  keep(1, 8, 9);  // a node nobody has seen
  CHECK_FALSE(anything(0));
  keep(2, 1, 9);
  CHECK(anything(0));
  of.say(set_aside_dropped{set_aside_id{2}});
  CHECK_FALSE(anything(0));
  keep(3, 1, 5);
  keep(4, 1, 7);
  CHECK(anything(6));
  CHECK_FALSE(anything(7));
  CHECK(anything(4));
  of.say(node_gone{node_id{1}});
  CHECK_FALSE(anything(4));
  of.node(1);
  CHECK_FALSE(anything(4));
  of.node(8);
  CHECK(anything(4));
}

TEST_CASE("what is set aside on a node is a number of its own", "[cluster]") {
  site of;
  of.node(1);
  of.node(2);
  of.pod(1, 1);
  of.say(set_aside<gpus>{set_aside_id{1}, group_id{1}, 0, node_id{1}, 1, {0b10, 1000}, end_of_time});
  of.say(set_aside<gpus>{set_aside_id{2}, group_id{2}, 0, node_id{1}, 1, {0b100, 1000}, end_of_time});
  of.say(pod_terminating{pod_id{1}, end_of_time, {}});
  const auto view = of.model.view();
  const auto n1 = view.find(node_id{1}).value(), n2 = view.find(node_id{2}).value();
  CHECK(gpus::amount_left(view.now(n1), 0) == 1);
  CHECK(gpus::amount_left(view.later(n1), 0) == 2);
  CHECK(view.set_aside_amount(n1, 0) == 2);
  CHECK(gpus::amount_left(view.unreserved(n1), 0) == 3);
  CHECK(view.set_aside_amount(n2, 0) == 0);
  CHECK(view.unreserved(n2) == view.now(n2));
}

TEST_CASE("a second view of an unchanged cluster costs nothing", "[cluster]") {
  site of;
  for (std::uint64_t id = 0; id < 100; ++id) of.node(id, static_cast<std::uint32_t>(id % 3), id % 5);
  (void)of.model.view();
  const muster_test::allocation_watch watch;
  const auto view = of.model.view();
  const auto same = view.base();
  const auto calls = watch.calls();
  CHECK(calls == 0);
  CHECK(same.size() == 100);
  CHECK(view.time() == beginning_of_time);
}

TEST_CASE("a tick passes with every change that takes effect and with no other", "[cluster]") {
  site of;
  of.node(1);
  const auto before = of.model.view().tick();
  of.pod(1, 1);
  const auto after = of.model.view().tick();
  CHECK(after > before);
  apply(of.model, {revision{of.last}, pod_placed<gpus>{pod_id{1}, node_id{1}, placing::bound, {}, {}}});  // known already
  apply(of.model, {revision{1}, pod_unplaced{pod_id{1}, {}}});                                            // stale
  CHECK(of.model.view().tick() == after);
  CHECK(of.model.view().node(0).touched <= after);
}

TEST_CASE("a node that went is in no answer of the same order", "[cluster]") {
  site of;
  for (std::uint64_t id = 0; id < 5; ++id) of.node(id);
  (void)of.model.view();
  of.say(node_gone{node_id{2}});
  const auto view = of.model.view();
  for (std::uint32_t position = 0; position < view.size(); ++position)
    CHECK(view.open(position) == (view.id(position) != node_id{2}));
  CHECK(view.population(4) == 4);
  CHECK(muster_test::index_fault(view) == "");
}

TEST_CASE("a million nodes are a cluster like any other", "[cluster][bad_input]") {
  using counted = resource_vector<1>;
  cluster<counted> model{nested_levels(1)};
  for (std::uint64_t id = 0; id < 1'000'000; ++id)
    apply(model, {revision{1}, node_seen<counted>{{node_id{id}, {}, {8}, {label_id{id / 1000}}}}});
  const auto view = model.view();
  CHECK(view.size() == 1'000'000);
  CHECK(view.domains(0) == 1000);
  CHECK(view.population(8) == 1'000'000);
  CHECK(muster_test::visited(view, 8, capacity_index<1>::levels{}, 999'990, 1'000'000).size() == 10);
}

TEST_CASE("a view without a time is at the time of the last one", "[cluster]") {
  site now;
  now.node(1);
  const auto at = [](std::int64_t t) { return time_point{duration{t}}; };
  now.say(node_closed{node_id{1}, at(5), at(9)});
  CHECK(now.model.view().open(0));
  CHECK_FALSE(now.model.view(at(6)).open(0));
  CHECK_FALSE(now.model.view().open(0));
  CHECK(now.model.view(at(9)).open(0));
}
