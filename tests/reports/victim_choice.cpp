// SPDX-License-Identifier: BSL-1.0
// Public fault reports of the kind "victim choice". Each is put to the cheapest victims and to Kubernetes' rule.
//
// Not here, because the room they ask about does not exist yet:
// - B40, B49, queues and what is borrowed from them: quota in admission
// - B46, moving a pod instead of ending it: relocation
#include <muster/placement/place.hpp>
#include <muster/preemption/cheapest_victims.hpp>
#include <muster/preemption/importance.hpp>
#include <muster/preemption/preempt_group.hpp>
#include <muster/scoring/eviction_cost.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/generator.hpp"
#include "support/preemption_yard.hpp"

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

namespace {

using model = muster::resource_vector<1>;
using yard = muster_test::preemption_yard<model>;
using group_record = muster::group_record<model>;
using pod_record = muster::pod_record<model>;
using muster::disruption_mode;
using muster::evicted_pods;
using muster::preemption_outcome;
using muster_test::ids;
using muster_test::on;

/// The nodes of one kind only.
struct only_kind {
  muster::kind_id wanted;
  muster::reason_code operator()(const muster::pod_group<model>&, std::size_t, muster::kind_id kind) const {
    return kind == wanted ? muster::eligible_node : muster::reason_code{1};
  }
};

/// Pods of priority 2, then those of priority 1: rather many of the lower than one of the higher.
struct lower_priority_first : muster_test::sum_of_shares<lower_priority_first, 2> {
  [[nodiscard]] muster::cost_value<2> share(const group_record* group, const pod_record& pod,
                                            muster::time_point) const {
    const std::int32_t priority = group != nullptr ? group->spec.priority : pod.priority;
    return priority >= 2 ? muster::cost_value<2>{{1, 0}} : muster::cost_value<2>{{0, 1}};
  }
};

/// Pods that may run nowhere else, then how long those that leave have run: what can move goes before what cannot.
struct relocatable_first : muster_test::sum_of_shares<relocatable_first, 2> {
  muster::pod_id tied{};
  [[nodiscard]] muster::cost_value<2> share(const group_record*, const pod_record& pod, muster::time_point now) const {
    return {{pod.id == tied ? 1 : 0, (now - pod.placed).count()}};
  }
};

/// The same as an order of importance: what cannot move is the more important.
struct tied_is_more_important {
  muster::pod_id tied{};
  bool operator()(const muster::victim_unit<model>& a, const muster::victim_unit<model>& b) const {
    if (a.priority == b.priority && (a.first == tied) != (b.first == tied)) return a.first == tied;
    return muster::more_important{}(a, b);
  }
};

}  // namespace

TEST_CASE("B37 no more leave than are needed", "[reports]") {
  // Priority stands for the queue that is entitled.
  yard s;
  const auto t2 = yard::preemptor(2, {1}, 10, 2);
  std::size_t needed = 2;
  SECTION("all slots are used, on one node") {
    s.node(1, {8});
    s.group_runs(1, disruption_mode::single, 1, 11, {1, 1, 1, 1, 1, 1, 1, 1});
  }
  SECTION("all slots are used, on eight nodes") {
    for (std::uint64_t node = 1; node <= 8; ++node) s.node(node, {1});
    s.group_runs(1, disruption_mode::single, 1, 11, {1, 2, 3, 4, 5, 6, 7, 8});
  }
  SECTION("one is idle") {
    s.node(1, {9});
    s.group_runs(1, disruption_mode::single, 1, 11, {1, 1, 1, 1, 1, 1, 1, 1});
    needed = 1;
  }
  CHECK(s.cheapest(t2).victims.size() == needed);  // of 8: the group keeps its minimum of 3
  CHECK(s.kubernetes(t2).victims.size() == needed);
}

TEST_CASE("B37 the idle slot is used wherever it is", "[reports]") {
  yard s;
  for (std::uint64_t node = 1; node <= 9; ++node) s.node(node, {1});
  s.group_runs(1, disruption_mode::single, 1, 11, {1, 2, 3, 4, 5, 6, 7, 8});
  const auto t2 = yard::preemptor(2, {1}, 10, 2);
  const auto cheapest = s.cheapest(t2);
  CHECK(cheapest.victims.size() == 1);
  CHECK(on(cheapest, 9) == 1);
  // With everybody out all nodes are equal to Kubernetes, and it fixes the first two.
  CHECK(s.kubernetes(t2).victims == ids{11, 12});
}

TEST_CASE("B38 one big victim serves two small pods", "[reports]") {
  yard s;
  s.node(1, {8});
  s.runs(11, 1, {8}, 1);
  const auto h = yard::preemptor(2, {2}, 10);
  for (const auto& answer : {s.cheapest(h), s.kubernetes(h)}) {
    CHECK(answer.victims == ids{11});
    CHECK(on(answer, 1) == 2);  // 4 stay idle
  }
}

TEST_CASE("B41 the group's priority counts, though its pods leave one by one", "[reports]") {
  yard s;
  s.node(1, {1});
  s.node(2, {1});
  auto a = yard::gang(2, 1, {1});
  a.disruption = disruption_mode::single;
  a.priority = 1000;
  s.group(a);
  muster::pod_seen<model> x;
  x.pod = muster::pod_id{11};
  x.group = a.id;
  x.request = {1};
  x.priority = 1;
  s.say(x);
  s.place(11, 1, 0);
  const auto h = yard::preemptor(1, {1}, 100);
  CHECK(s.cheapest(h).outcome == preemption_outcome::not_needed);
  s.runs(12, 2, {1}, 10);
  for (const auto& answer : {s.cheapest(h), s.kubernetes(h)}) {
    CHECK(answer.victims == ids{12});
    CHECK(on(answer, 2) == 1);
  }
  // Alone it is no victim either.
  const auto both = yard::preemptor(2, {1}, 100);
  CHECK(s.cheapest(both).outcome == preemption_outcome::none);
  CHECK(s.kubernetes(both).outcome == preemption_outcome::none);
}

TEST_CASE("B43 who has no start time is chosen by id, whatever the clock and the order of input", "[reports]") {
  muster_test::generator rng{"B43"};
  const bool same_node = GENERATE(true, false);
  const auto h = yard::preemptor(1, {1}, 9);
  std::set<ids> by_cost, by_pods, by_rule;
  for (int round = 0; round < 50; ++round) {
    muster::pod_seen<model> u, w;
    u.pod = muster::pod_id{21};
    w.pod = muster::pod_id{23};
    u.request = w.request = {1};
    muster::pod_placed<model> u_at, w_at;  // `at` is not said
    u_at.pod = u.pod;
    w_at.pod = w.pod;
    u_at.node = muster::node_id{1};
    w_at.node = muster::node_id{same_node ? 1U : 2U};
    const muster::amount slots = same_node ? 2 : 1;
    std::vector<muster::change_content<model>> told{
        u, w, u_at, w_at, muster::node_seen<model>{{muster::node_id{1}, {}, {slots}, {}}}};
    if (!same_node) told.push_back(muster::node_seen<model>{{muster::node_id{2}, {}, {slots}, {}}});
    rng.shuffle(told);
    yard s;
    for (const auto& each : told) s.say(each);
    s.now = rng.between(-1'000'000, 1'000'000'000);
    by_cost.insert(s.cheapest(h).victims);
    by_pods.insert(s.cheapest(h, evicted_pods{}).victims);
    by_rule.insert(s.kubernetes(h).victims);
  }
  for (const auto& answers : {by_cost, by_pods, by_rule}) {
    REQUIRE(answers.size() == 1);
    CHECK(answers.begin()->size() == 1);
  }
  if (same_node) CHECK(by_rule == std::set<ids>{{23}});  // the smaller id is the more important
}

TEST_CASE("B44 of two equal pods the one that can run elsewhere leaves, where that is the policy", "[reports]") {
  constexpr std::uint32_t first = 1, second = 2;
  constexpr std::uint64_t a = 11, b = 12;
  yard s;
  s.node(1, {4}, {}, first);
  s.node(2, {2}, {}, second);
  s.runs(a, 1, {2}, 0, 2);
  s.runs(b, 1, {2}, 0, 1);
  s.now = 10;
  const auto h = yard::preemptor(1, {2}, 9);
  const only_kind there{muster::kind_id{first}};
  SECTION("on") {
    const auto cheapest = s.cheapest(h, relocatable_first{{}, muster::pod_id{a}}, there);
    CHECK(cheapest.victims == ids{b});
    CHECK(s.kubernetes(h, tied_is_more_important{muster::pod_id{a}}, there).victims == ids{b});
    // The pod that comes in its stead finds room.
    s.end(b, muster::ending::failed);
    s.runs(13, 1, {2}, 9);
    CHECK(on(place(s.view(), yard::preemptor(1, {2}, 0)), 2) == 1);
  }
  SECTION("off: the newest") {
    CHECK(s.cheapest(h, muster::lost_work<>{}, there).victims == ids{a});
    CHECK(s.kubernetes(h, muster::more_important{}, there).victims == ids{a});
  }
}

TEST_CASE("B47 a gang that leaves makes room for all that come after", "[reports]") {
  yard s;
  for (std::uint64_t node = 1; node <= 3; ++node) s.node(node, {1});
  s.group_runs(3, disruption_mode::all, 1, 31, {1, 2});
  s.runs(41, 3, {1}, 2);
  const auto h1 = yard::preemptor(1, {1}, 10, 1), h2 = yard::preemptor(1, {1}, 10, 2);
  for (const auto& answer : {s.cheapest(h1, lower_priority_first{}), s.kubernetes(h1)}) {
    CHECK(answer.victims == ids{31, 32});
    CHECK(on(answer, 1) == 1);
  }
  for (const std::uint64_t victim : {31U, 32U}) s.leave(victim);
  s.nominate(1, 1, 1, 1, {1});
  SECTION("while it is leaving") {
    CHECK(s.cheapest(h2, lower_priority_first{}).outcome == preemption_outcome::wait);
  }
  SECTION("when it has left") {
    for (const std::uint64_t victim : {31U, 32U}) s.end(victim, muster::ending::failed);
    CHECK(s.cheapest(h2, lower_priority_first{}).outcome == preemption_outcome::not_needed);
    CHECK(s.kubernetes(h2).outcome == preemption_outcome::not_needed);
  }
  for (const auto& answer : {s.cheapest(h2, lower_priority_first{}), s.kubernetes(h2)}) {
    CHECK(answer.victims.empty());
    CHECK(on(answer, 2) == 1);
  }
}

TEST_CASE("B50 what is on its way out counts before anybody else leaves", "[reports]") {
  constexpr std::uint64_t x = 11, y = 12, z = 13;
  yard s;
  s.node(1, {6});
  s.runs(x, 1, {2}, 1, 1);
  s.runs(y, 1, {2}, 1, 2);
  s.runs(z, 1, {2}, 1, 3);
  s.leave(x);
  const auto small = yard::preemptor(1, {2}, 9), large = yard::preemptor(1, {4}, 9);
  CHECK(s.cheapest(small).outcome == preemption_outcome::wait);
  CHECK(s.cheapest(small).victims.empty());
  CHECK(s.cheapest(large).victims == ids{z});
  // Kubernetes spares in the order of importance, and who leaves already is only one of them.
  CHECK(s.kubernetes(small).victims == ids{z});
  CHECK(s.kubernetes(large).victims == ids{y, z});
  // Nominated there, it waits.
  s.nominate(1, 1, 1, 1, {2});
  CHECK(s.kubernetes(small).outcome == preemption_outcome::wait);
}
