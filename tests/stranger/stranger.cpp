// SPDX-License-Identifier: BSL-1.0
// The suite's questions asked with one deliberately strange set of user types.
// clang-format off
#include "stranger/theatre.hpp"  // first: it replaces MUSTER_ASSERT
// clang-format on

#include <muster/cluster/apply.hpp>
#include <muster/cluster/digest.hpp>
#include <muster/cycle/assume.hpp>
#include <muster/cycle/schedule.hpp>
#include <muster/cycle/still_valid.hpp>
#include <muster/placement/describe.hpp>
#include <muster/placement/verify.hpp>

#include "support/catch.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <vector>

namespace {

using model = stranger::seats_by_colour;
using muster::group_id;
using muster::place;
using muster::verdict;
using stranger::theatre;

static_assert(muster::resource_model<model>);
static_assert(!muster::dimensional_model<model>);
static_assert(muster::dimensions_of<model> == 0);
static_assert(muster::check_node<theatre, model>());

constexpr std::uint64_t far = 0xfeed'0000'0000'0000U;

std::vector<theatre> town() {
  return {{"Globe", far + 9, {3, 1, 2}, 1, 1, true},
          {"Rose", far * 2 + 1, {0, 4, 0}, 1, 2, false},
          {"Swan", 3, {2, 2, 2}, 2, 1, false},
          {"Fortune", far / 3, {0, 0, 1}, -1, -1, false}};
}

muster::cluster<model> open_town() {
  muster::cluster<model> all{muster::nested_levels(2)};
  std::uint64_t revision = far;
  for (const theatre& house : town()) muster::apply_node(all, muster::revision{++revision}, house);
  return all;
}

muster::pod_group<model> parties(std::uint64_t id, muster::pod_count count, int chairs, bool not_red = false) {
  muster::pod_group<model> group;
  group.id = group_id{id};
  group.pod_sets.push_back({{chairs, not_red}, count, 0});
  group.disruption = muster::disruption_mode::all;
  return group;
}

struct no_rain {
  muster::reason_code operator()(const muster::pod_group<model>&, std::size_t, muster::kind_id kind) const {
    return kind == muster::kind_id{4'000'000'000U} ? muster::reason_code{77} : muster::eligible_node;
  }
};
using sheltered = muster::place_options<no_rain>;

struct most_green {
  std::int64_t operator()(const model::state_type& left, const model::capacity_type&,
                          const model::request_type&) const {
    return left.unsold[1];
  }
};

}  // namespace

TEST_CASE("a stranger's alike parties are counted exactly", "[stranger]") {
  auto all = open_town();
  const auto view = all.view();
  // pairs: Globe 1+0+1, Rose 2, Swan 1+1+1, Fortune 0
  const auto seven = parties(1, 7, 2);
  const auto answer = place(view, seven);
  CHECK(answer.fits());
  CHECK(answer.placed == 7);
  CHECK(muster::verify(view, seven, std::span<const muster::seat<model>>{answer.seats}).holds());
  const auto eight = place(view, parties(1, 8, 2));
  CHECK(eight.verdict == verdict::never);
  CHECK(eight.lack.seated == 7);
  CHECK(eight.lack.full_nodes == 1);
  CHECK(place(view, parties(1, 5, 2, true)).fits());  // without red: 1 + 2 + 2
  CHECK(place(view, parties(1, 6, 2, true)).verdict == verdict::never);
  std::string said;
  muster::describe(std::back_inserter(said), eight);
  CHECK(said.find("1 of 8 pods short") != std::string::npos);
}

TEST_CASE("a stranger's levels, filter, limits and scorer", "[stranger]") {
  auto all = open_town();
  const auto view = all.view();
  auto group = parties(1, 4, 2);
  group.required = muster::topology_level{0};
  const auto in_one_city = place(view, group);
  REQUIRE(in_one_city.fits());
  CHECK(in_one_city.domain.path[0] == muster::label_id{std::uint64_t{1} << 40U});
  CHECK(place(view, group, sheltered{}).verdict == verdict::never);
  const auto dry = place(view, parties(1, 6, 2), sheltered{});
  CHECK(dry.lack.seated == 5);
  REQUIRE(dry.lack.excluded.size() == 1);
  CHECK(dry.lack.excluded[0].reason == muster::reason_code{77});
  auto spread = parties(1, 4, 1, false);
  spread.limits.push_back({muster::node_level, 1});
  CHECK(place(view, spread).placed == 4);
  const auto green = place(view, parties(1, 1, 1), muster::place_options<muster::everywhere, most_green>{});
  REQUIRE(green.seats.size() == 1);
  CHECK(green.seats[0].node == muster::node_id{far * 2 + 1});
}

TEST_CASE("a stranger's unlike parties: no wrong answer", "[stranger]") {
  auto all = open_town();
  const auto view = all.view();
  auto group = parties(1, 1, 4);
  group.pod_sets.push_back({{1, false}, 13, 13});
  group.pod_sets[0].minimum = 1;
  const auto whole = place(view, group);
  REQUIRE(whole.fits());
  CHECK(whole.placed == 14);
  CHECK(muster::verify(view, group, std::span<const muster::seat<model>>{whole.seats}).holds());
  group.pod_sets[1].count = group.pod_sets[1].minimum = 14;  // 4 + 14 of 17 chairs
  CHECK_FALSE(place(view, group).fits());
}

TEST_CASE("a stranger's gang goes through a whole turn, out and in again", "[stranger]") {
  auto all = open_town();
  std::uint64_t revision = far * 3;
  const auto say = [&](muster::change_content<model> what) {
    return muster::apply(all, {muster::revision{++revision}, std::move(what)}).outcome;
  };
  const std::uint64_t first = far + 123'456'789;
  for (std::uint64_t g = 0; g < 2; ++g) {
    const auto group = parties(far + g, 4, 2);
    say(muster::group_seen<model>{group});
    for (std::uint64_t p = 0; p < 4; ++p) {
      muster::pod_seen<model> seen;
      seen.pod = muster::pod_id{first + 1000 * g + p * 37};
      seen.group = group.id;
      seen.request = group.pod_sets[0].request;
      say(seen);
    }
  }
  CHECK(gate(all.view(), group_id{far}).open());
  const std::vector<group_id> queue{group_id{far + 1}, group_id{far}};
  const auto plan = muster::schedule(all.view(), std::span<const group_id>{queue});
  REQUIRE(plan.actions.size() == 2);
  const auto* bind = plan.about(group_id{far});
  CHECK(bind->kind == muster::action_kind::bind);
  CHECK(plan.about(group_id{far + 1})->verdict == verdict::not_now);
  CHECK(muster::still_valid(*bind, plan, all.view()));
  const auto empty = muster::digest(all);
  CHECK(muster::assume(all, plan, *bind, muster::revision{++revision}) == muster::apply_result{});
  CHECK_FALSE(muster::digest(all) == empty);
  CHECK(all.view().group(group_id{far})->members.scheduled() == 4);
  CHECK(place(all.view(), group_id{far + 1}).verdict == verdict::not_now);
  for (std::uint64_t p = 0; p < 4; ++p) say(muster::pod_terminating{muster::pod_id{first + p * 37}});
  CHECK(place(all.view(), group_id{far + 1}).verdict == verdict::wait);
  for (std::uint64_t p = 0; p < 4; ++p) say(muster::pod_ended{muster::pod_id{first + p * 37}});
  CHECK(place(all.view(), group_id{far + 1}).placed == 4);
  CHECK(say(muster::device_health{muster::node_id{3}, 0, false}) == muster::apply_outcome::rejected);
}

TEST_CASE("a stranger's bad input is named", "[stranger]") {
  auto all = open_town();
  const auto bad = place(all.view(), parties(1, 2, -1));
  CHECK(bad.verdict == verdict::invalid);
  CHECK(bad.fault.fault == muster::group_fault::pod_set_request);
  theatre impossible{"Hole", 99, {1, -1, 0}, 1, 1, false};
  CHECK(muster::apply_node(all, muster::revision{1}, impossible).amounts == muster::amount_fault::negative);
  CHECK_FALSE(all.view().find(muster::node_id{99}).has_value());
}

TEST_CASE("a broken precondition reaches the stranger's own assertion", "[stranger]") {
  const int before = stranger::broken_preconditions;
  CHECK(before == 0);  // nothing above broke one
  auto all = open_town();
  const auto view = all.view();
  muster::overlay<model> on{view};
  const auto early = on.save();
  on.charge(0, {{1, 0, 0}});
  const auto late = on.save();
  on.rollback(early);
  on.rollback(late);  // does not exist any more
  CHECK(stranger::broken_preconditions == before + 1);
  muster::take_seats(on, place(view, parties(1, 99, 2)));  // does not fit
  CHECK(stranger::broken_preconditions == before + 2);
  stranger::broken_preconditions = 0;
}
