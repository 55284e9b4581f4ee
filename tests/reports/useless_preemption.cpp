// SPDX-License-Identifier: BSL-1.0
// Public fault reports of the kind "useless preemption": nobody leaves for what does not come of it. B59 is for rooms
// that are not there yet.
#include <muster/cluster/digest.hpp>
#include <muster/preemption/cheapest_victims.hpp>
#include <muster/preemption/preempt_group.hpp>
#include <muster/preemption/verify_victims.hpp>
#include <muster/resource/resource_vector.hpp>

#include "reports/preemption_question.hpp"
#include "support/catch.hpp"
#include "support/scene.hpp"

#include <cstddef>
#include <cstdint>
#include <set>

namespace {

using muster::preemption_outcome;
using muster_test::asks;
using muster_test::evicted;
using muster_test::ids;
using muster_test::slots;
using scene = muster_test::scene<slots>;

/// What both rules answer.
struct both {
  muster::victim_space<slots> cheapest_space;
  muster::preempt_space<slots> kubernetes_space;
  const muster::victim_plan<slots>& cheapest;
  const muster::victim_plan<slots>& kubernetes;

  both(const muster::snapshot<slots>& view, const muster::pod_group<slots>& gang)
      : cheapest{muster::cheapest_victims(view, gang, cheapest_space)},
        kubernetes{muster::preempt_group(view, gang, kubernetes_space)} {}
};

}  // namespace

TEST_CASE("B52 enough is freed on a node that the preemptor may not use: nobody leaves", "[reports]") {
  scene s;
  s.node(1, {4}, {}, 1);
  s.node(2, {2}, {}, 2);
  s.filler(10, 1, {4}, 1);
  const muster_test::only_kind only_zone_b{muster::kind_id{2}};
  const auto gang = asks(1, 4, 9);
  muster::victim_space<slots> space;
  const muster::victim_options<muster::lost_work<>, muster::anyone, muster_test::only_kind> options{
      .filter = only_zone_b};
  const auto& plan = muster::cheapest_victims(s.view(), gang, space, options);
  CHECK(plan.outcome == preemption_outcome::none);
  CHECK(plan.proved);
  CHECK(evicted(plan).empty());
  muster::preempt_space<slots> other;
  const muster_test::kubernetes_on_kind same{.filter = only_zone_b};
  CHECK(muster::preempt_group(s.view(), gang, other, same).outcome == preemption_outcome::none);
  CHECK(evicted(other.plan).empty());
}

TEST_CASE("B53 a plan that fails leaves no victims and no trace", "[reports]") {
  scene s;
  s.node(1, {4});
  s.node(2, {4});
  s.filler(10, 1, {4}, 1);
  s.filler(11, 2, {4}, 100);
  const auto before = muster::digest(s.model());
  const auto view = s.view();
  const both say{view, asks(2, 4, 10)};
  CHECK(say.cheapest.outcome == preemption_outcome::none);
  CHECK(say.kubernetes.outcome == preemption_outcome::none);
  CHECK(evicted(say.cheapest).empty());
  CHECK(evicted(say.kubernetes).empty());
  CHECK(say.cheapest.seats.empty());
  CHECK(say.kubernetes.seats.empty());
  CHECK(muster::digest(s.model()) == before);
  CHECK(view.pod(muster::pod_id{10})->charged);
}

TEST_CASE("B55 a node whose pods are leaving is waited for", "[reports]") {
  scene s;
  s.node(1, {4});
  s.node(2, {4});
  s.filler(10, 1, {4});
  s.filler(11, 2, {4});
  s.leave(10);
  muster::victim_space<slots> space;
  const auto& plan = muster::cheapest_victims(s.view(), asks(1, 4, 9), space);
  CHECK(plan.outcome == preemption_outcome::wait);
  CHECK(evicted(plan).empty());
  CHECK(muster_test::on(plan, 1) == 1);
}

TEST_CASE("B56 while the victims of one round are leaving the next chooses nobody", "[reports]") {
  scene s;
  for (const std::uint64_t n : {1U, 2U, 3U}) {
    s.node(n, {1});
    s.filler(10 + n, n, {1}, 1);
  }
  s.leave(11);
  s.leave(12);
  const auto gang = asks(2, 1, 9);
  muster::victim_space<slots> space;
  const auto& plan = muster::cheapest_victims(s.view(), gang, space);
  CHECK(plan.outcome == preemption_outcome::wait);
  CHECK(evicted(plan).empty());

  // One has left, and somebody more important has taken its place.
  s.end(11);
  s.filler(20, 1, {1}, 20);
  const auto& next = muster::cheapest_victims(s.view(), gang, space);
  CHECK(evicted(next) == ids{13});
  CHECK(muster::verify_victims(s.view(), gang, next).holds());
}

TEST_CASE("B58 the victims of a gang that wants a rack are in one rack", "[reports]") {
  scene s{muster::nested_levels(1)};
  for (std::uint64_t n = 1; n <= 8; ++n) s.node(n, {4}, {n <= 4 ? 1U : 2U});
  const std::uint64_t nodes[] = {1, 5, 2, 6};
  for (std::uint64_t b = 0; b < 4; ++b) muster_test::runs(s, b + 1, nodes[b], 4, 1, static_cast<std::int64_t>(b) + 1);
  auto gang = asks(4, 4, 9);
  gang.required = muster::topology_level{0};
  const auto view = s.view(100);
  const both say{view, gang};
  CHECK(evicted(say.cheapest) == ids{2, 4});  // newer ones lose less
  CHECK(say.cheapest.proved);
  CHECK(muster::verify_victims(view, gang, say.cheapest).holds());
  CHECK((evicted(say.kubernetes) == ids{2, 4} || evicted(say.kubernetes) == ids{1, 3}));
}
