// SPDX-License-Identifier: BSL-1.0
// Public fault reports of the kind "useless preemption": nobody leaves for what does not come of it. B59 is for rooms
// that are not there yet.
#include <muster/cluster/digest.hpp>
#include <muster/preemption/cheapest_victims.hpp>
#include <muster/preemption/preempt_group.hpp>
#include <muster/preemption/verify_victims.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/scene.hpp"

#include <cstddef>
#include <cstdint>
#include <set>

namespace {

using slots = muster::resource_vector<1>;
using muster::preemption_outcome;
using ids = std::set<std::uint64_t>;
using scene = muster_test::scene<slots>;

muster::pod_group<slots> asks(muster::pod_count pods, std::int64_t each, std::int32_t priority) {
  auto gang = scene::gang(1, pods, {each});
  gang.priority = priority;
  return gang;
}
template <class Plan>
ids out(const Plan& plan) {
  ids found;
  for (const auto* pod : plan.victims.pods) found.insert(number(pod->id));
  return found;
}
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
  const auto only_zone_b = [](const muster::pod_group<slots>&, std::size_t, muster::kind_id kind) {
    return kind == muster::kind_id{2} ? muster::eligible_node : muster::reason_code{1};
  };
  const auto gang = asks(1, 4, 9);
  muster::victim_space<slots> space;
  const muster::victim_options<muster::lost_work<>, muster::anyone, decltype(only_zone_b)> options{
      .filter = only_zone_b};
  const auto& plan = muster::cheapest_victims(s.view(), gang, space, options);
  CHECK(plan.outcome == preemption_outcome::none);
  CHECK(plan.proved);
  CHECK(out(plan).empty());
  muster::preempt_space<slots> other;
  const muster::preempt_options<muster::seat_pod_by_pod<>, muster::more_important, muster::more_pods_seated,
                                muster::anyone, decltype(only_zone_b)>
      same{.filter = only_zone_b};
  CHECK(muster::preempt_group(s.view(), gang, other, same).outcome == preemption_outcome::none);
  CHECK(out(other.plan).empty());
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
  CHECK(out(say.cheapest).empty());
  CHECK(out(say.kubernetes).empty());
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
  CHECK(out(plan).empty());
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
  CHECK(out(plan).empty());

  // One has left, and somebody more important has taken its place.
  s.end(11);
  s.filler(20, 1, {1}, 20);
  const auto& next = muster::cheapest_victims(s.view(), gang, space);
  CHECK(out(next) == ids{13});
  CHECK(muster::verify_victims(s.view(), gang, next).holds());
}

TEST_CASE("B58 the victims of a gang that wants a rack are in one rack", "[reports]") {
  scene s{muster::nested_levels(1)};
  for (std::uint64_t n = 1; n <= 8; ++n) s.node(n, {4}, {n <= 4 ? 1U : 2U});
  const std::uint64_t nodes[] = {1, 5, 2, 6};
  for (std::uint64_t b = 0; b < 4; ++b) {
    muster::pod_seen<slots> seen;
    seen.pod = muster::pod_id{b + 1};
    seen.request = {4};
    seen.priority = 1;
    s.say(seen);
    muster::pod_placed<slots> placed;
    placed.pod = seen.pod;
    placed.node = muster::node_id{nodes[b]};
    placed.at = scene::time(static_cast<std::int64_t>(b) + 1);
    s.say(placed);
  }
  auto gang = asks(4, 4, 9);
  gang.required = muster::topology_level{0};
  const auto view = s.view(100);
  const both say{view, gang};
  CHECK(out(say.cheapest) == ids{2, 4});  // newer ones lose less
  CHECK(say.cheapest.proved);
  CHECK(muster::verify_victims(view, gang, say.cheapest).holds());
  CHECK((out(say.kubernetes) == ids{2, 4} || out(say.kubernetes) == ids{1, 3}));
}
