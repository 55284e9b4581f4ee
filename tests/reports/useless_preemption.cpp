// SPDX-License-Identifier: BSL-1.0
// Public fault reports of the kind "useless preemption": somebody is evicted, and nothing is gained. Each is put to the
// cheapest victims and to Kubernetes' rule.
//
// Not here: B59, a stand-in for a failed node, which is recovery's.
#include <muster/preemption/cheapest_victims.hpp>
#include <muster/preemption/importance.hpp>
#include <muster/preemption/preempt_group.hpp>
#include <muster/scoring/eviction_cost.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/preemption_yard.hpp"

#include <cstddef>
#include <cstdint>

namespace {

using model = muster::resource_vector<1>;
using yard = muster_test::preemption_yard<model>;
using muster::preemption_outcome;
using muster_test::ids;
using muster_test::on;

/// Nodes of one kind only: a zone.
struct in_zone {
  muster::kind_id zone;
  muster::reason_code operator()(const muster::pod_group<model>&, std::size_t, muster::kind_id kind) const {
    return kind == zone ? muster::eligible_node : muster::reason_code{1};
  }
};

}  // namespace

TEST_CASE("B52 nobody leaves for room that another constraint forbids", "[reports]") {
  constexpr std::uint32_t zone_a = 1, zone_b = 2;
  yard s;
  s.node(1, {4}, {}, zone_a);
  s.node(2, {2}, {}, zone_b);
  s.runs(11, 1, {4}, 1);
  const auto h = yard::preemptor(1, {4}, 9);
  const in_zone zone{muster::kind_id{zone_b}};
  const auto cheapest = s.cheapest(h, muster::lost_work<>{}, zone);
  CHECK(cheapest.outcome == preemption_outcome::none);
  CHECK(cheapest.victims.empty());
  const auto rule = s.kubernetes(h, muster::more_important{}, zone);
  CHECK(rule.outcome == preemption_outcome::none);
  CHECK(rule.victims.empty());
  // The zone is all that keeps it out.
  CHECK(s.cheapest(h).victims == ids{11});
  CHECK(s.kubernetes(h).victims == ids{11});
}

TEST_CASE("B53 a plan that fails leaves no eviction behind", "[reports]") {
  yard s;
  s.node(1, {4});
  s.node(2, {4});
  s.runs(11, 1, {4}, 1);
  s.runs(12, 2, {4}, 100);
  const auto h = yard::preemptor(2, {4}, 10);
  for (const auto& answer : {s.cheapest(h), s.kubernetes(h)}) {  // both check that the state is as before
    CHECK(answer.outcome == preemption_outcome::none);
    CHECK(answer.victims.empty());
    CHECK(answer.seats.empty());
  }
  CHECK(s.view().pod(muster::pod_id{11})->charged);
  // One pod alone would have had its victim.
  CHECK(s.cheapest(yard::preemptor(1, {4}, 10)).victims == ids{11});
}

TEST_CASE("B55 the node that departing pods make free is waited for", "[reports]") {
  // Priority stands for the queue above its share.
  const std::uint64_t leaving = GENERATE(1U, 2U);
  const std::uint64_t staying = 3 - leaving;
  yard s;
  s.node(1, {4});
  s.node(2, {4});
  s.runs(11, leaving, {4}, 0);
  s.runs(12, staying, {4}, 0);
  s.leave(11);
  const auto r = yard::preemptor(1, {4}, 10);
  const auto cheapest = s.cheapest(r);
  CHECK(cheapest.outcome == preemption_outcome::wait);
  CHECK(cheapest.victims.empty());
  CHECK(on(cheapest, leaving) == 1);
  // Kubernetes fixes the first of equal nodes, whether who is there leaves already or stays.
  CHECK(s.kubernetes(r).victims == (leaving == 1 ? ids{} : ids{12}));
  // Nominated to the node it waits.
  s.nominate(1, 1, leaving, 1, {4});
  CHECK(s.kubernetes(r).outcome == preemption_outcome::wait);
  CHECK(s.cheapest(r).outcome == preemption_outcome::wait);
}

TEST_CASE("B56 a second round evicts nobody while the victims of the first are leaving", "[reports]") {
  yard s;
  s.node(1, {1});
  s.node(2, {1});
  s.runs(11, 1, {1}, 1);
  s.runs(12, 2, {1}, 1);
  const auto h = yard::preemptor(2, {1}, 9);
  s.group(h);
  s.pods(101, 2, h);
  for (const auto& first : {s.cheapest(h.id), s.kubernetes(h.id)}) {
    CHECK(first.victims == ids{11, 12});
    CHECK(on(first, 1) == 1);
    CHECK(on(first, 2) == 1);
  }
  for (const std::uint64_t victim : {11U, 12U}) s.leave(victim);
  for (const std::uint64_t node : {1U, 2U}) s.nominate(node, 1, node, 1, {1});
  s.node(3, {1});
  s.runs(13, 3, {1}, 1);

  SECTION("both are still there") {
    for (const auto& second : {s.cheapest(h.id), s.kubernetes(h.id)}) {
      CHECK(second.outcome == preemption_outcome::wait);
      CHECK(second.victims.empty());
    }
  }
  SECTION("one has gone and a pod of a higher priority took its place: one more leaves") {
    s.end(11);
    s.say(muster::set_aside_dropped{muster::set_aside_id{1}});
    s.runs(20, 1, {1}, 20);
    const auto cheapest = s.cheapest(h.id);
    CHECK(cheapest.victims == ids{13});
    CHECK(on(cheapest, 2) == 1);
    CHECK(on(cheapest, 3) == 1);
    // Kubernetes waits for the other one first.
    CHECK(s.kubernetes(h.id).outcome == preemption_outcome::wait);
    s.end(12);
    CHECK(s.kubernetes(h.id).victims == ids{13});
    CHECK(s.cheapest(h.id).victims == ids{13});
  }
}

TEST_CASE("B58 victims stand in one rack, not where the newest ones do", "[reports]") {
  yard s{muster::nested_levels(1)};
  for (std::uint64_t node = 1; node <= 8; ++node) s.node(node, {4}, {node <= 4 ? 1U : 2U});
  s.runs(11, 1, {4}, 1, 1);
  s.runs(12, 5, {4}, 1, 2);
  s.runs(13, 2, {4}, 1, 3);
  s.runs(14, 6, {4}, 1, 4);
  auto h = yard::preemptor(4, {4}, 9);
  h.required = muster::topology_level{0};
  const auto cheapest = s.cheapest(h);
  CHECK(cheapest.victims == ids{12, 14});  // the least work lost: each is newer than its like in the other rack
  for (const std::uint64_t node : {5U, 6U, 7U, 8U}) CHECK(on(cheapest, node) == 1);
  const auto rule = s.kubernetes(h);
  CHECK(rule.victims == ids{11, 13});  // Kubernetes takes the first of two racks that seat as many
  for (const std::uint64_t node : {1U, 2U, 3U, 4U}) CHECK(on(rule, node) == 1);
}
