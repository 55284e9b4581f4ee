// SPDX-License-Identifier: BSL-1.0
// That rollback leaves no trace is in property/overlay_rollback.cpp.
#include <muster/cluster/overlay.hpp>

#include "support/allocation.hpp"
#include "support/catch.hpp"
#include "support/cluster_view.hpp"
#include "support/compiled_once.hpp"

#include <muster/cluster/apply.hpp>
#include <muster/resource/devices.hpp>
#include <muster/resource/resource_vector.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

using namespace muster;
using counted = resource_vector<1>;

namespace {

struct site {
  cluster<counted> model;
  std::uint64_t last = 0;

  explicit site(std::uint64_t nodes) {
    for (std::uint64_t id = 0; id < nodes; ++id) say(node_seen<counted>{{node_id{id}, {}, {8}, {}}});
  }
  void say(change_content<counted> what) { apply(model, {revision{++last}, std::move(what)}); }
  void pod(std::uint64_t id, std::uint64_t on) {
    pod_seen<counted> seen;
    seen.pod = pod_id{id};
    seen.request = {3};
    say(seen);
    say(pod_placed<counted>{pod_id{id}, node_id{on}, placing::bound, {}, {}});
  }
};

}  // namespace

TEST_CASE("a snapshot and an overlay are views of capacity", "[cluster]") {
  STATIC_REQUIRE(capacity_view<snapshot<counted>>);
  STATIC_REQUIRE(capacity_view<overlay<counted>>);
  STATIC_REQUIRE(capacity_view<overlay<devices<8>>>);
  STATIC_REQUIRE_FALSE(capacity_view<cluster<counted>>);
  STATIC_REQUIRE_FALSE(capacity_view<int>);
}

TEST_CASE("an overlay takes, and the snapshot below does not notice", "[cluster]") {
  site of{3};
  const auto base = of.model.view();
  overlay<counted> trial{base};
  counted::grant_type grant;
  CHECK(trial.take(1, {3}, 5, grant) == 2);
  CHECK(grant == counted::grant_type{6});
  CHECK(trial.now(1) == counted::state_type{2});
  CHECK(trial.later(1) == counted::state_type{2});
  CHECK(trial.population(8) == 2);
  CHECK(trial.population(2) == 1);
  CHECK(base.now(1) == counted::state_type{8});
  CHECK(base.population(8) == 3);
  CHECK(trial.take(1, {3}, 5, grant) == 0);
  CHECK(trial.now(1) == counted::state_type{2});
  trial.release(1, {6});
  CHECK(trial.population(8) == 3);
  CHECK(muster_test::index_fault(trial) == "");
}

TEST_CASE("savepoints nest", "[cluster]") {
  site of{2};
  overlay<counted> trial{of.model.view()};
  const auto outer = trial.save();
  trial.charge(0, {1});
  const auto inner = trial.save();
  trial.charge(0, {2});
  trial.charge(1, {4});
  CHECK(trial.now(0) == counted::state_type{5});
  trial.rollback(inner);
  CHECK(trial.now(0) == counted::state_type{7});
  CHECK(trial.now(1) == counted::state_type{8});
  trial.charge(1, {5});
  trial.rollback(inner);  // again
  CHECK(trial.now(1) == counted::state_type{8});
  trial.charge(1, {6});
  trial.commit(inner);
  CHECK(trial.now(1) == counted::state_type{2});
  trial.rollback(outer);
  CHECK(trial.now(0) == counted::state_type{8});
  CHECK(trial.now(1) == counted::state_type{8});
}

TEST_CASE("what is committed stays, until an earlier savepoint is rolled back to", "[cluster]") {
  site of{1};
  overlay<counted> trial{of.model.view()};
  const auto outer = trial.save(), inner = trial.save();  // two savepoints at one moment
  trial.charge(0, {3});
  trial.commit(inner);
  const auto then = trial.save();
  trial.charge(0, {3});
  trial.rollback(then);
  CHECK(trial.now(0) == counted::state_type{5});
  CHECK(muster_test::index_fault(trial) == "");
  trial.rollback(outer);
  CHECK(trial.now(0) == counted::state_type{8});
  CHECK(muster_test::index_fault(trial) == "");
}

TEST_CASE("an overlay reset to another snapshot is as one made on it", "[cluster]") {
  site of{2};
  overlay<counted> trial{of.model.view()};
  trial.charge(0, {3});
  of.pod(1, 1);
  trial.reset(of.model.view());
  CHECK(trial.now(0) == counted::state_type{8});
  CHECK(trial.now(1) == counted::state_type{5});
  CHECK(trial.population(8) == 1);
  trial.rollback(trial.save());
  CHECK(muster_test::index_fault(trial) == "");
}

TEST_CASE("a pod that is vacated gives back what it holds: now, and later unless it was leaving anyway", "[cluster]") {
  site of{2};
  of.pod(1, 0);
  of.pod(2, 1);
  of.pod(3, 77);
  of.say(pod_terminating{pod_id{2}, {}, {}});
  const auto base = of.model.view();
  overlay<counted> trial{base};
  trial.vacate(*base.pod(pod_id{1}));
  CHECK(trial.now(0) == counted::state_type{8});
  CHECK(trial.later(0) == counted::state_type{8});
  trial.vacate(*base.pod(pod_id{2}));
  CHECK(trial.now(1) == counted::state_type{8});
  CHECK(trial.later(1) == counted::state_type{8});
  trial.vacate(*base.pod(pod_id{3}));  // holds nothing
  CHECK(muster_test::index_fault(trial) == "");
}

TEST_CASE("a pod that is put back holds what it held, its place among the pods too", "[cluster]") {
  site s{2};
  s.pod(1, 0);
  s.pod(2, 0);
  s.say(pod_terminating{pod_id{2}, {}, {}});
  const auto base = s.model.view();
  overlay<counted> trial{base};
  for (const std::uint64_t id : {1U, 2U}) {
    trial.vacate(*base.pod(pod_id{id}));
    trial.reinstate(*base.pod(pod_id{id}));
    CHECK(trial.now(0) == base.now(0));
    CHECK(trial.later(0) == base.later(0));
    CHECK(trial.pods_left(0) == base.pods_left(0));
    CHECK(trial.pods_left_later(0) == base.pods_left_later(0));
  }
}

TEST_CASE("a set-aside that is dropped gives its capacity back once, until the overlay is rolled back", "[cluster]") {
  site of{2};
  of.say(set_aside<counted>{set_aside_id{1}, group_id{1}, 0, node_id{0}, 1, {3}, end_of_time});
  of.say(set_aside<counted>{set_aside_id{2}, group_id{2}, 0, node_id{1}, 1, {2}, end_of_time});
  overlay<counted> trial{of.model.view()};
  const auto kept = [&] {
    std::vector<set_aside_id> ids;
    trial.visit_set_asides([&](const set_aside<counted>& one, std::uint32_t) { ids.push_back(one.id); });
    return ids;
  };
  const auto drop = [&](set_aside_id id) {
    trial.visit_set_asides([&](const set_aside<counted>& one, std::uint32_t position) {
      if (one.id == id) trial.drop(one, position);
    });
  };
  CHECK(trial.now(0) == counted::state_type{5});
  const auto before = trial.save();
  drop(set_aside_id{1});
  CHECK(trial.now(0) == counted::state_type{8});
  CHECK(trial.later(0) == counted::state_type{8});
  CHECK(kept() == std::vector{set_aside_id{2}});
  const auto between = trial.save();
  drop(set_aside_id{2});
  CHECK(kept().empty());
  trial.rollback(between);
  CHECK(kept() == std::vector{set_aside_id{2}});
  trial.rollback(before);
  CHECK(kept() == std::vector{set_aside_id{1}, set_aside_id{2}});
  CHECK(trial.now(0) == counted::state_type{5});
  drop(set_aside_id{1});
  trial.reset(of.model.view());
  CHECK(kept().size() == 2);
  CHECK(muster_test::index_fault(trial) == "");
}

TEST_CASE("the pods a node may still hold are counted with what the overlay changes", "[cluster]") {
  site of{2};
  of.pod(1, 0);
  of.pod(2, 0);
  of.say(pod_terminating{pod_id{2}, {}, {}});
  of.say(set_aside<counted>{set_aside_id{1}, group_id{1}, 0, node_id{0}, 1, {1}, end_of_time});
  const auto base = of.model.view();
  CHECK(base.pods_left(0) == max_pods_per_node - 3);
  CHECK(base.pods_left_later(0) == max_pods_per_node - 2);
  CHECK(base.pods_left(1) == max_pods_per_node);
  CHECK(base.least_pods_left() == max_pods_per_node - 3);
  overlay<counted> trial{base};
  CHECK(trial.pods_left(0) == max_pods_per_node - 3);
  counted::grant_type grant;
  CHECK(trial.take(1, {2}, 9, grant) == 4);
  CHECK(trial.pods_left(1) == max_pods_per_node - 4);
  CHECK(trial.least_pods_left() <= max_pods_per_node - 4);
  const auto then = trial.save();
  trial.charge(1, {0}, 10);
  CHECK(trial.pods_left(1) == max_pods_per_node - 14);
  CHECK(trial.pods_left_later(1) == max_pods_per_node - 14);
  trial.rollback(then);
  CHECK(trial.pods_left(1) == max_pods_per_node - 4);
  trial.vacate(*base.pod(pod_id{1}));
  trial.vacate(*base.pod(pod_id{2}));
  CHECK(trial.pods_left(0) == max_pods_per_node - 1);
  CHECK(trial.pods_left_later(0) == max_pods_per_node - 1);
  trial.visit_set_asides([&](const auto& kept, std::uint32_t position) { trial.drop(kept, position); });
  CHECK(trial.pods_left(0) == max_pods_per_node);
  trial.rollback({});
  CHECK(trial.pods_left(0) == max_pods_per_node - 3);
  CHECK(trial.pods_left_later(0) == max_pods_per_node - 2);
}

TEST_CASE("a closed node can be changed but is not found", "[cluster]") {
  site of{2};
  of.say(node_closed{node_id{0}});
  overlay<counted> trial{of.model.view()};
  trial.charge(0, {5});
  CHECK(trial.now(0) == counted::state_type{3});
  CHECK(trial.population(3) == 0);
  CHECK(muster_test::index_fault(trial) == "");
  trial.rollback({});
  CHECK(trial.now(0) == counted::state_type{8});
}

TEST_CASE("a kept overlay allocates nothing the second time, and its cost does not depend on the nodes", "[cluster]") {
  const auto second_time = [](std::uint64_t nodes) {
    site of{nodes};
    const auto base = of.model.view();
    overlay<counted> trial{base};
    const auto work = [&] {
      counted::grant_type grant;
      for (std::uint32_t position = 0; position < 50; ++position) trial.take(position * 2, {3}, 1, grant);
      trial.rollback({});
      for (std::uint32_t position = 0; position < 50; ++position) trial.take(position, {3}, 1, grant);
      trial.reset(base);
    };
    work();
    const muster_test::allocation_watch watch;
    work();
    return watch.calls();
  };
  CHECK(second_time(100) == 0);
  CHECK(second_time(20'000) == 0);
  const auto first_time = [](std::uint64_t nodes) {
    site of{nodes};
    const auto base = of.model.view();
    const muster_test::allocation_watch watch;
    overlay<counted> trial{base};
    counted::grant_type grant;
    for (std::uint32_t position = 0; position < 50; ++position) trial.take(position, {3}, 1, grant);
    return watch.held();
  };
  CHECK(first_time(20'000) == first_time(100));
}
