// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/place.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/scene.hpp"

#include <cstdint>

namespace {
using two = muster::resource_vector<2>;  // GPUs, CPUs
using scene = muster_test::scene<two>;
using muster::group_id;
using muster::place;
using muster::refusal_reason;
using muster::topology_level;
using muster::verdict;
using muster_test::on;

struct emptiest_is_worst {
  std::int64_t operator()(const two::state_type& left, const two::capacity_type&, const two::request_type&) const {
    return left[0] == 8 ? -5 : 0;
  }
};
}  // namespace

TEST_CASE("a gang sits whole or not at all", "[placement]") {
  scene s;
  s.node(1, {4, 8});
  s.node(2, {4, 8});
  const auto fits = place(s.view(), scene::gang(1, 8, {1, 1}));
  CHECK(fits.fits());
  CHECK(fits.placed == 8);
  CHECK(fits.pending == 0);
  const auto not_whole = place(s.view(), scene::gang(1, 9, {1, 1}));
  CHECK(not_whole.verdict == verdict::never);
  CHECK(not_whole.reason == refusal_reason::too_few_slots);
  CHECK(not_whole.seats.empty());
  CHECK(not_whole.placed == 0);
  CHECK(not_whole.pending == 9);
  CHECK(not_whole.lack.needed == 9);
  CHECK(not_whole.lack.seated == 8);
  CHECK(not_whole.lack.missing() == 1);
}

TEST_CASE("the four proved refusals, each in its tense", "[placement]") {
  scene s;
  s.node(1, {4, 8});
  s.node(2, {4, 8});
  s.filler(90, 1, {3, 1});
  const auto gang = scene::gang(1, 6, {1, 1});
  auto answer = place(s.view(), gang);
  CHECK(answer.verdict == verdict::not_now);
  CHECK(answer.lack.without_pods == muster::empty_fit::yes);
  s.leave(90);
  CHECK(place(s.view(), gang).verdict == verdict::wait);
  s.end(90);
  CHECK(place(s.view(), gang).verdict == verdict::fits);
  s.say(muster::node_closed{muster::node_id{2}});
  answer = place(s.view(), gang);
  CHECK(answer.verdict == verdict::closed);
  CHECK(answer.lack.shut_nodes == 1);
  CHECK(answer.lack.without_pods == muster::empty_fit::no);
  s.say(muster::node_gone{muster::node_id{2}});
  CHECK(place(s.view(), gang).verdict == verdict::closed);
  CHECK(place(s.view(), scene::gang(1, 9, {1, 1})).verdict == verdict::never);
}

TEST_CASE("a look at the cluster in between changes no decision", "[placement]") {
  for (const bool gone : {false, true}) {
    std::uint64_t chosen[2] = {};
    for (const bool looks : {false, true}) {
      scene s;
      s.node(9, {1000, 1});  // the index of the nodes is made for the largest of them, which does not stay so large
      s.node(1, {20, 1});
      s.node(2, {16, 1});
      if (looks) (void)s.view();
      if (gone) s.say(muster::node_gone{muster::node_id{9}});
      else s.node(9, {5, 1});
      chosen[looks] = number(place(s.view(), scene::gang(1, 1, {10, 1})).seats.at(0).node);
    }
    CHECK(chosen[0] == 2);  // the fullest
    CHECK(chosen[1] == 2);
  }
}

TEST_CASE("a node is closed for its window only", "[placement]") {
  scene s;
  s.node(1, {4, 8});
  s.say(muster::node_closed{muster::node_id{1}, scene::time(10), scene::time(20)});
  const auto gang = scene::gang(1, 1, {1, 1});
  CHECK(place(s.view(9), gang).fits());
  CHECK(place(s.view(10), gang).verdict == verdict::closed);
  CHECK(place(s.view(19), gang).verdict == verdict::closed);
  CHECK(place(s.view(20), gang).fits());
}

TEST_CASE("set minima are seated first, then up to enough in pod set order, then extras", "[placement]") {
  scene s;
  s.node(1, {5, 100});
  auto gang = scene::gang(1, 6, {1, 1}, 0);  // B142 with alike pods
  gang.pod_sets[0].minimum = 2;
  gang.pod_sets.push_back({{1, 1}, 2, 2});
  const auto answer = place(s.view(), gang);
  CHECK(on(answer, 1, 0) == 3);
  CHECK(on(answer, 1, 1) == 2);
  CHECK(answer.pending == 3);
}

TEST_CASE("a pod set below its minimum refuses the group, however many others sit", "[placement]") {
  scene s;  // B143
  s.node(1, {0, 8});
  auto gang = scene::gang(1, 4, {0, 1}, 4);
  gang.pod_sets[0].minimum = 2;
  gang.pod_sets.push_back({{1, 0}, 2, 2});
  const auto answer = place(s.view(), gang);
  CHECK(answer.verdict == verdict::never);
  CHECK(answer.reason == refusal_reason::set_too_few_slots);
  CHECK(answer.lack.pod_set == 1);
  CHECK(answer.placed == 0);
}

TEST_CASE("a required level keeps the gang in one domain: the one that seats most, then the fullest", "[placement]") {
  scene s{muster::nested_levels(1)};
  s.node(1, {4, 9}, {1});
  s.node(2, {2, 9}, {2});
  s.node(3, {1, 9}, {2});
  s.node(4, {8, 9});  // in no domain
  s.say(muster::node_closed{muster::node_id{4}});
  s.say(muster::node_opened{muster::node_id{4}});
  auto gang = scene::gang(1, 3, {1, 1});
  gang.required = topology_level{0};
  const auto answer = place(s.view(), gang);
  CHECK(on(answer, 2) + on(answer, 3) == 3);  // three slots rather than four
  CHECK(answer.domain.level == topology_level{0});
  CHECK(answer.domain.path[0] == muster::label_id{2});
  gang.pod_sets[0].count = 4;
  CHECK(on(place(s.view(), gang), 1) == 4);
  gang.pod_sets[0].count = 5;
  const auto none = place(s.view(), gang);
  CHECK(none.verdict == verdict::never);  // the node without a label takes no part
  CHECK(none.lack.domains == 2);
  CHECK(none.lack.seated == 4);
}

TEST_CASE("equal names under different parents are different domains, unless merged", "[placement]") {
  for (const bool merged : {false, true}) {
    auto levels = muster::nested_levels(2);
    levels.levels[1].merge_equal_names = merged;
    scene s{levels};
    s.node(1, {1, 1}, {1, 7});
    s.node(2, {1, 1}, {2, 7});
    auto gang = scene::gang(1, 2, {1, 1});
    gang.required = topology_level{1};
    CHECK(place(s.view(), gang).fits() == merged);
  }
}

TEST_CASE("of domains that seat as many the scorer chooses, by default the fullest", "[placement]") {
  scene s{muster::nested_levels(1)};
  s.node(1, {8, 8}, {1});
  s.node(2, {8, 8}, {1});
  s.node(3, {8, 8}, {2});
  s.node(4, {8, 8}, {2});
  s.node(5, {8, 8}, {3});
  s.node(6, {8, 8}, {3});
  s.node(7, {4, 4}, {4});
  s.filler(91, 1, {1, 1});  // left: 15 in rack 1, 13 in rack 2, 16 in rack 3, 4 in rack 4
  s.filler(92, 3, {3, 3});
  const auto rack_of = [](const auto& answer) {
    REQUIRE(answer.fits());
    REQUIRE(answer.domain.path.size() == 1);
    return static_cast<std::uint64_t>(answer.domain.path[0]);
  };
  const muster::place_options<muster::everywhere, muster::least_allocated<two>> emptiest;
  auto alike = scene::gang(9, 6, {1, 1});
  alike.required = topology_level{0};
  CHECK(rack_of(place(s.view(), alike)) == 2);
  CHECK(rack_of(place(s.view(), alike, emptiest)) == 3);
  auto unlike = scene::gang(9, 2, {2, 2});
  unlike.pod_sets.push_back({{1, 1}, 2, 0});
  unlike.required = topology_level{0};
  CHECK(rack_of(place(s.view(), unlike)) == 2);
  CHECK(rack_of(place(s.view(), unlike, emptiest)) == 3);
  // a score counts only between domains that seat as many
  alike.pod_sets[0].count = 16;
  alike.min_count = 4;
  const muster::place_options<muster::everywhere, emptiest_is_worst> against;
  CHECK(rack_of(place(s.view(), alike, against)) == 3);
}

TEST_CASE("the node is the lowest level", "[placement]") {
  scene s;
  s.node(1, {2, 9});
  s.node(2, {3, 9});
  auto gang = scene::gang(1, 3, {1, 1});
  gang.required = muster::node_level;
  const auto answer = place(s.view(), gang);
  CHECK(on(answer, 2) == 3);
  CHECK(answer.domain.level == muster::node_level);
  gang.pod_sets[0].count = 4;
  CHECK(place(s.view(), gang).verdict == verdict::never);
}

TEST_CASE("at most k pods of the group in each domain", "[placement]") {
  scene s{muster::nested_levels(1)};
  for (std::uint64_t n = 1; n <= 4; ++n) s.node(n, {8, 8}, {1 + n % 2});
  auto gang = scene::gang(1, 8, {1, 1}, 0);
  gang.limits.push_back({muster::node_level, 2});
  CHECK(place(s.view(), gang).placed == 8);
  gang.limits.push_back({topology_level{0}, 3});
  const auto answer = place(s.view(), gang);
  CHECK(answer.placed == 6);
  for (std::uint64_t n = 1; n <= 4; ++n) CHECK(on(answer, n) <= 2);
}

TEST_CASE("running members pin the domain and count against limits", "[placement]") {
  scene s{muster::nested_levels(1)};  // B85
  s.node(1, {1, 9}, {1});
  s.node(2, {1, 9}, {1});
  for (std::uint64_t n = 3; n <= 5; ++n) s.node(n, {9, 9}, {2});
  auto gang = scene::gang(1, 2, {1, 1}, 2);
  gang.required = topology_level{0};
  s.group(gang);
  s.pods(10, 2, gang);
  s.bind(10, 1);
  CHECK(on(place(s.view(), group_id{1}), 2) == 1);
  s.filler(90, 2, {1, 1});
  const auto taken = place(s.view(), group_id{1});
  CHECK(taken.verdict == verdict::not_now);
  CHECK(taken.lack.domains == 1);
}

TEST_CASE("running members in several domains are named, not guessed about", "[placement]") {
  scene s{muster::nested_levels(1)};
  s.node(1, {4, 9}, {1});
  s.node(2, {4, 9}, {2});
  auto gang = scene::gang(1, 3, {1, 1}, 3);
  gang.required = topology_level{0};
  s.group(gang);
  s.pods(10, 3, gang);
  s.bind(10, 1);
  s.bind(11, 2);
  const auto answer = place(s.view(), group_id{1});
  CHECK(answer.verdict == verdict::invalid);
  CHECK(answer.reason == refusal_reason::domains_differ);
  CHECK(answer.pending == 1);
}

TEST_CASE("held: unknown group, members missing, members of a set missing, no legal size", "[placement]") {
  scene s;
  s.node(1, {9, 9});
  CHECK(place(s.view(), group_id{1}).reason == refusal_reason::group_unknown);
  auto gang = scene::gang(1, 4, {1, 1}, 3);
  gang.pod_sets.push_back({{1, 1}, 2, 2});
  s.group(gang);
  s.pods(10, 3, gang);
  auto answer = place(s.view(), group_id{1});
  CHECK(answer.verdict == verdict::hold);
  CHECK(answer.reason == refusal_reason::set_members_missing);
  CHECK(answer.lack.pod_set == 1);
  CHECK(answer.pending == 3);
  s.pods(20, 2, gang, 1);
  CHECK(place(s.view(), group_id{1}).placed == 5);

  auto stepped = scene::gang(2, 8, {1, 1}, 2);
  stepped.sizes = {muster::size_rule::shape::stepped, 4, 8, 4};
  s.group(stepped);
  s.pods(30, 1, stepped);
  CHECK(place(s.view(), group_id{2}).reason == refusal_reason::members_missing);
  s.pods(31, 2, stepped);
  answer = place(s.view(), group_id{2});
  CHECK(answer.verdict == verdict::hold);
  CHECK(answer.reason == refusal_reason::no_legal_size);
  s.pods(33, 1, stepped);
  CHECK(place(s.view(), group_id{2}).placed == 4);
}

TEST_CASE("the members that wait may be of another pod set than those that run", "[placement]") {
  scene s;
  for (std::uint64_t n = 1; n <= 3; ++n) s.node(n, {1, 1});
  s.node(9, {0, 4});
  auto gang = scene::gang(1, 1, {0, 4});  // a leader, and three workers with a GPU each
  gang.pod_sets.push_back({{1, 1}, 3, 3});
  s.group(gang);
  s.pod(10, gang, 0);
  s.pods(20, 3, gang, 1);
  s.bind(10, 9);
  s.filler(90, 1, {1, 1});
  const auto answer = place(s.view(), group_id{1});
  CHECK(answer.verdict == verdict::not_now);
  CHECK(answer.lack.without_pods == muster::empty_fit::yes);
  s.end(90);
  CHECK(place(s.view(), group_id{1}).placed == 3);
}

TEST_CASE("short nodes are counted by resource", "[placement]") {
  scene s;
  s.node(1, {0, 9});
  s.node(2, {1, 0});
  s.node(3, {1, 9});
  s.node(4, {0, 0});
  const auto answer = place(s.view(), scene::gang(1, 2, {1, 1}));
  CHECK(answer.lack.seated == 1);
  CHECK(answer.lack.open_nodes == 4);
  CHECK(answer.lack.short_nodes[0] == 2);
  CHECK(answer.lack.short_nodes[1] == 2);
  CHECK(answer.lack.full_nodes == 3);
}

TEST_CASE("an overlay is left as it was, and shows what is taken on it", "[placement]") {
  scene s;
  s.node(1, {4, 8});
  const auto view = s.view();
  muster::overlay<two> trial{view};
  muster::workspace<two> space;
  const auto gang = scene::gang(1, 3, {1, 1});
  CHECK(place(trial, gang, space).fits());
  CHECK(trial.now(0) == view.now(0));
  const auto before = trial.save();
  muster::take_seats(trial, space.answer);
  CHECK(trial.now(0)[0] == 1);
  CHECK(place(trial, gang, space).verdict == verdict::not_now);
  trial.rollback(before);
  CHECK(place(trial, gang, space).fits());
}

TEST_CASE("a gang over ten thousand nodes", "[placement]") {
  scene s;
  for (std::uint64_t n = 0; n < 10'000; ++n) s.node(n * 7919, {8, 96});
  const auto all = place(s.view(), scene::gang(1, 80'000, {1, 12}));
  CHECK(all.placed == 80'000);
  const auto one_more = place(s.view(), scene::gang(1, 80'001, {1, 12}));
  CHECK(one_more.verdict == verdict::never);
  CHECK(one_more.lack.seated == 80'000);
}

TEST_CASE("a group with a waiting pod that asks something else than its set is invalid, and the pod is named",
          "[placement]") {
  scene s;
  s.node(1, {4, 4});
  const auto gang = scene::gang(1, 3, {1, 1}, 2);
  s.group(gang);
  s.pods(10, 2, gang);
  muster::pod_seen<two> odd;
  odd.pod = muster::pod_id{12};
  odd.group = gang.id;
  odd.request = {1, 4};
  s.say(odd);
  const auto view = s.view();
  muster::overlay<two> on{view};
  muster::workspace<two> space;
  const auto check = [&](const muster::placement_answer<two>& answer) {
    CHECK(answer.verdict == verdict::invalid);
    CHECK(answer.reason == muster::refusal_reason::members_differ);
    CHECK(answer.pending == 3);
    CHECK(answer.seats.empty());
    REQUIRE(answer.odd.has_value());
    CHECK(answer.odd->pod == muster::pod_id{12});
    CHECK(answer.odd->in == muster::disagreement::request);
    CHECK(answer.odd->dimension == 1);
    CHECK(answer.odd->pods_value == 4);
    CHECK(answer.odd->groups_value == 1);
  };
  check(place(view, gang.id));
  check(place(on, gang.id, space));
  s.bind(12, 1);  // running it is charged with what it asks
  const auto answer = place(s.view(), gang.id);
  CHECK(answer.verdict == verdict::not_now);
  s.node(2, {2, 2});
  CHECK(place(s.view(), gang.id).placed == 2);
}

TEST_CASE("a running pod that asks something else than its set proves nothing about empty nodes", "[placement]") {
  scene s;
  s.node(1, {4, 4});
  const auto gang = scene::gang(1, 2, {3, 3});
  s.group(gang);
  s.pods(10, 2, gang);
  muster::pod_seen<two> small;
  small.pod = muster::pod_id{11};
  small.group = gang.id;
  small.request = {1, 1};
  s.say(small);
  s.bind(11, 1);
  s.filler(90, 1, {1, 1});
  const auto answer = place(s.view(), gang.id);  // it fits as soon as the filler is gone
  CHECK(answer.verdict == verdict::not_now);
  CHECK(answer.lack.without_pods == muster::empty_fit::unknown);
  s.end(90);
  CHECK(place(s.view(), gang.id).fits());
}
