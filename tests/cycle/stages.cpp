// SPDX-License-Identifier: BSL-1.0
#include <muster/cycle/stages.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/small_cluster.hpp"

#include <muster/cycle/schedule.hpp>

#include <array>

using namespace muster;
using muster_test::gpus;
using muster_test::small_cluster;

namespace {

/// Admits groups while their pods stay within a quota over the turn's own state.
struct quota {
  pod_count limit;
  std::uint32_t operator()(const overlay<gpus>& on, const group_record<gpus>& group) const {
    pod_count used = 0;
    for (std::uint32_t p = 0; p < on.size(); ++p) used += on.base().capacity(p)[0] - on.now(p)[0];
    return used + declared_pods(group.spec) > limit ? 42U : 0U;
  }
};

/// Counts the groups that were refused.
struct counting_refusals {
  int* seen;
  template <class M>
  void operator()(overlay<M>&, const group_record<M>&, const placement_answer<M>& answer, plan<M>&) const {
    if (!answer.fits()) ++*seen;
  }
};

}  // namespace

TEST_CASE("a quota stage sees what earlier groups of the turn took", "[cycle]") {
  small_cluster now{8};
  now.submit(1, 3);
  now.submit(2, 3);
  now.submit(3, 1);
  const std::array queue{group_id{1}, group_id{2}, group_id{3}};
  using quota_stages = stages<by_priority_then_age, uniform_members, quorum_gate, quota>;
  const plan<gpus> made = schedule(now.model.view(), std::span{queue}, quota_stages{{}, {}, {}, quota{4}, {}, {}, {}});
  CHECK(made.about(group_id{1})->kind == action_kind::bind);
  CHECK(made.about(group_id{2})->kind == action_kind::wait);
  CHECK(made.about(group_id{2})->decided_by == stage::admit);
  CHECK(made.about(group_id{2})->admission_code == 42);
  CHECK(made.about(group_id{2})->verdict == verdict::hold);  // whether it fits was not asked
  CHECK_FALSE(is_proved_no(made.about(group_id{2})->verdict));
  CHECK(made.about(group_id{2})->reason == refusal_reason::not_admitted);
  CHECK(made.about(group_id{3})->kind == action_kind::bind);
}

TEST_CASE("the refused stage is asked for groups that did not fit and for no other", "[cycle]") {
  small_cluster now{4};
  now.submit(1, 3);
  now.submit(2, 3);
  now.submit(3, 9);
  const std::array queue{group_id{1}, group_id{2}, group_id{3}};
  int seen = 0;
  using counting = stages<by_priority_then_age, uniform_members, quorum_gate, admit_everybody, place_whole<>, counting_refusals>;
  const plan<gpus> made = schedule(now.model.view(), std::span{queue}, counting{{}, {}, {}, {}, {}, counting_refusals{&seen}, {}});
  CHECK(seen == 2);
  CHECK(made.about(group_id{3})->verdict == verdict::never);
}

TEST_CASE("strict order stops at a group that was tried and does not sit now, and at no other", "[cycle]") {
  action<gpus> last;
  const auto goes_on = [&](verdict said, stage by) {
    last.verdict = said;
    last.decided_by = by;
    return strict_order{}(last);
  };
  for (const verdict said : {verdict::wait, verdict::not_now, verdict::undecided})
    CHECK_FALSE(goes_on(said, stage::place));
  for (const verdict said : {verdict::fits, verdict::closed, verdict::never, verdict::hold, verdict::invalid})
    CHECK(goes_on(said, stage::place));
  CHECK(goes_on(verdict::hold, stage::gate));
  CHECK(goes_on(verdict::hold, stage::admit));
  CHECK(goes_on(verdict::invalid, stage::inspect));
}

TEST_CASE("a group with an odd pod goes back whole", "[cycle]") {
  small_cluster now{8};
  now.submit(1, 3, 1, 5);
  now.add_pod(1, 7, 1, 6);  // another priority than the group's
  const std::array queue{group_id{1}};
  const plan<gpus> made = schedule(now.model.view(), std::span{queue});
  CHECK(made.actions.front().kind == action_kind::requeue);
  CHECK(made.actions.front().decided_by == stage::inspect);
  CHECK(made.actions.front().verdict == verdict::invalid);
  CHECK(made.actions.front().reason == refusal_reason::members_differ);
  REQUIRE(made.actions.front().odd.has_value());
  CHECK(made.actions.front().odd->pod == small_cluster::id(1, 7));
  CHECK(made.actions.front().odd->in == disagreement::priority);
  CHECK(made.actions.front().odd->pods_value == 6);
  CHECK(made.actions.front().odd->groups_value == 5);
  CHECK(made.seats.empty());
}

TEST_CASE("a pod that asks more than its pod set overfills no node, whoever looks at it", "[cycle]") {
  small_cluster now{4};
  now.submit(1, 2);
  now.add_pod(1, 1, 4);  // asks 4 where its set says 1
  const std::array queue{group_id{1}};
  const auto check = [](const plan<gpus>& made, stage by) {
    CHECK(made.actions.front().kind == action_kind::requeue);
    CHECK(made.actions.front().decided_by == by);
    CHECK(made.actions.front().verdict == verdict::invalid);
    CHECK(made.actions.front().reason == refusal_reason::members_differ);
    REQUIRE(made.actions.front().odd.has_value());
    CHECK(made.actions.front().odd->pod == small_cluster::id(1, 1));
    CHECK(made.actions.front().odd->in == disagreement::request);
    CHECK(made.seats.empty());
  };
  check(schedule(now.model.view(), std::span{queue}), stage::inspect);
  check(schedule(now.model.view(), std::span{queue}, stages<by_priority_then_age, no_inspection>{}), stage::place);
}
