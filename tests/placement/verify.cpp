// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/verify.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/small_cluster.hpp"

#include <muster/placement/place.hpp>
#include <muster/resource/devices.hpp>

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

using namespace muster;
using muster_test::gpus;
using muster_test::small_cluster;

TEST_CASE("a placement holds, and every way to spoil it is refuted for its own reason", "[placement]") {
  small_cluster now({}, 1);
  for (std::uint64_t n = 1; n <= 4; ++n) now.say(node_seen<gpus>{{node_id{n}, {}, {4}, {label_id{(n + 1) / 2}}}});
  pod_group<gpus> gang;
  gang.disruption = disruption_mode::all;
  gang.pod_sets = {{{1}, 3, 2}, {{2}, 2, 1}};
  gang.required = topology_level{0};
  gang.limits = {{node_level, 3}};
  const auto view = now.model.view();
  auto answer = place(view, gang);
  REQUIRE(answer.fits());
  std::vector<seat<gpus>> seats = answer.seats;
  const auto check = [&] { return verify(view, gang, std::span<const seat<gpus>>{seats}); };
  CHECK(check().holds());

  SECTION("a node that does not exist") {
    seats[0].node = node_id{99};
    CHECK(check().why == refutation::no_such_node);
  }
  SECTION("a pod set that does not exist") {
    seats[0].pod_set = 7;
    CHECK(check().why == refutation::no_such_set);
  }
  SECTION("too much on one node") {
    seats = {{node_id{1}, {3}, 3, 0, 0}, {node_id{1}, {4}, 2, 0, 1}};
    CHECK(check().why == refutation::no_room);
  }
  SECTION("a grant that is not the request") {
    seats[0].grant[0] += 1;
    CHECK(check().why == refutation::wrong_grant);
  }
  SECTION("more pods than there are") {
    seats.push_back({node_id{2}, {1}, 1, 1, 0});
    CHECK(check().why == refutation::too_many_pods);
  }
  SECTION("two racks") {
    seats = {{node_id{1}, {3}, 3, 0, 0}, {node_id{3}, {4}, 2, 2, 1}};
    CHECK(check().why == refutation::domains_differ);
  }
  SECTION("a limit") {
    gang.limits = {{node_level, 1}};
    CHECK(check().why == refutation::limit_exceeded);
  }
  SECTION("a minimum missed") {
    seats = {{node_id{1}, {3}, 3, 0, 0}};
    CHECK(check().why == refutation::minimum_missed);
  }
  SECTION("not enough") {
    seats = {{node_id{1}, {2}, 2, 0, 0}, {node_id{2}, {2}, 1, 1, 1}};
    CHECK(check().why == refutation::not_enough);
  }
  SECTION("an illegal size") {
    gang.min_count = 3;
    gang.sizes = {size_rule::shape::stepped, 2, 4, 2};
    seats = {{node_id{1}, {2}, 2, 0, 0}, {node_id{2}, {2}, 1, 1, 1}};
    CHECK(check().why == refutation::illegal_size);
  }
}

TEST_CASE("grants are checked as they are: every device once, every share where it was put", "[placement]") {
  using two = devices<2>;
  cluster<two> model;
  apply(model, {revision{1}, node_seen<two>{{node_id{1}, {}, {.count = 2, .model = device_model{1}}, {}}}});
  const auto view = model.view();
  pod_group<two> gang;
  gang.disruption = disruption_mode::all;
  std::vector<seat<two>> seats;
  const auto check = [&] { return verify(view, gang, std::span<const seat<two>>{seats}); };

  SECTION("one device for two pods") {
    gang.pod_sets = {{{.whole = 1}, 2, 0}};
    seats = {{node_id{1}, {0b01, 1000}, 1, 0, 0}, {node_id{1}, {0b10, 1000}, 1, 0, 0}};
    CHECK(check().holds());
    seats[1].grant = {0b01, 1000};
    CHECK(check().why == refutation::no_room);
    CHECK(check().seat == 1);
  }
  SECTION("unlike shares, not in the order a search would take them") {
    gang.pod_sets = {{{.share = 600}, 1, 0}, {{.share = 300}, 1, 0}, {{.share = 400}, 1, 0}, {{.share = 700}, 1, 0}};
    seats = {{node_id{1}, {0b01, 600}, 1, 0, 0},
             {node_id{1}, {0b10, 300}, 1, 0, 1},
             {node_id{1}, {0b01, 400}, 1, 0, 2},
             {node_id{1}, {0b10, 700}, 1, 0, 3}};
    CHECK(check().holds());
    seats[1].grant.on = 0b01;
    CHECK(check().why == refutation::no_room);
  }
  SECTION("a grant of another number, make or shape") {
    gang.pod_sets = {{{.whole = 1}, 2, 0}};
    seats = {{node_id{1}, {0b01, 1000}, 2, 0, 0}};
    CHECK(check().why == refutation::wrong_grant);
    seats[0].grant = {0b11, 1000};
    CHECK(check().holds());
    gang.pod_sets[0].request.model = device_model{2};
    CHECK(check().why == refutation::wrong_grant);
  }
  SECTION("a sick device") {
    gang.pod_sets = {{{.whole = 1}, 1, 0}};
    apply(model, {revision{2}, device_health{node_id{1}, 0, false}});
    seats = {{node_id{1}, {0b01, 1000}, 1, 0, 0}};
    const auto now = model.view();
    CHECK(verify(now, gang, std::span<const seat<two>>{seats}).why == refutation::no_room);
  }
}

TEST_CASE("what is set aside for the group is room to it, and for another one is not", "[placement]") {
  small_cluster now{4};
  auto gang = now.submit(1, 3);
  now.say(set_aside<gpus>{set_aside_id{1}, group_id{1}, 0, node_id{1}, 2, {2}, end_of_time});
  const auto view = now.model.view();
  const auto answer = place(view, gang);
  REQUIRE(answer.fits());
  CHECK(verify(view, gang, std::span<const seat<gpus>>{answer.seats}).holds());
  overlay<gpus> on{view};
  CHECK(verify(on, gang, std::span<const seat<gpus>>{answer.seats}).holds());
  on.charge(0, {1});
  CHECK(verify(on, gang, std::span<const seat<gpus>>{answer.seats}).holds());
  on.charge(0, {1});
  CHECK(verify(on, gang, std::span<const seat<gpus>>{answer.seats}).why == refutation::no_room);
  gang.id = group_id{2};
  CHECK(verify(view, gang, std::span<const seat<gpus>>{answer.seats}).why == refutation::no_room);
}

TEST_CASE("absurd seats and groups are refuted, not computed with", "[placement]") {
  small_cluster now{4, 4};
  auto gang = now.submit(1, 6);
  const auto view = now.model.view();
  auto seats = place(view, gang).seats;
  REQUIRE(seats.size() == 2);
  CHECK(verify(view, gang, seats).holds());
  seats[1].count = std::numeric_limits<pod_count>::max();
  CHECK(verify(view, gang, seats).why == refutation::too_many_pods);
  seats[1].count = std::numeric_limits<pod_count>::min();
  CHECK(verify(view, gang, seats).why == refutation::no_such_set);
  gang.sizes = {size_rule::shape::stepped, 2, 6, 0};
  CHECK(verify(view, gang, seats).why == refutation::group_fault);
}

TEST_CASE("a placement beside running members is checked with them", "[placement]") {
  small_cluster now({}, 1);
  for (std::uint64_t n = 1; n <= 4; ++n) now.say(node_seen<gpus>{{node_id{n}, {}, {4}, {label_id{(n + 1) / 2}}}});
  pod_group<gpus> gang = muster_test::gang_of({{{1}, 4, 2}});
  gang.id = group_id{1};
  gang.required = topology_level{0};
  gang.limits = {{node_level, 3}};
  gang.sizes = {size_rule::shape::stepped, 2, 4, 2};
  now.say(group_seen<gpus>{gang});
  for (std::uint64_t p = 0; p < 4; ++p) now.add_pod(1, p);
  now.say(pod_placed<gpus>{small_cluster::id(1, 0), node_id{2}, placing::bound, {}, {}});
  const auto answer = place(now.model.view(), group_id{1});
  REQUIRE(answer.fits());
  REQUIRE(answer.placed == 3);
  std::vector<seat<gpus>> seats = answer.seats;
  const auto check = [&] { return verify(now.model.view(), group_id{1}, seats); };
  CHECK(check().holds());
  CHECK(verify(now.model.view(), gang, seats).why == refutation::not_enough);  // as if nothing ran
  overlay<gpus> on{now.model.view()};
  CHECK(verify(on, group_id{1}, seats).holds());
  CHECK(verify(on, group_id{2}, seats).why == refutation::group_unknown);

  SECTION("more than wait") {
    seats = {{node_id{1}, {3}, 3, 0, 0}, {node_id{2}, {1}, 1, 1, 0}};
    CHECK(check().why == refutation::too_many_pods);
    CHECK(check().seat == 1);
  }
  SECTION("another domain than the running member's") {
    seats = {{node_id{3}, {3}, 3, 2, 0}};
    CHECK(check().why == refutation::domains_differ);
  }
  SECTION("a limit that the running member takes part of") {
    seats = {{node_id{2}, {3}, 3, 1, 0}};
    CHECK(check().why == refutation::limit_exceeded);
    seats = {{node_id{2}, {2}, 2, 1, 0}, {node_id{1}, {1}, 1, 0, 0}};
    CHECK(check().holds());
  }
  SECTION("its room is taken") {
    now.block(900, 2, 2);
    seats = {{node_id{2}, {2}, 2, 1, 0}, {node_id{1}, {1}, 1, 0, 0}};
    CHECK(check().why == refutation::no_room);
  }
  SECTION("enough, and an illegal size") {
    gang.min_count = 2;
    now.say(group_seen<gpus>{gang});
    seats = {{node_id{1}, {1}, 1, 0, 0}};
    CHECK(check().holds());
    seats = {{node_id{1}, {2}, 2, 0, 0}};
    CHECK(check().why == refutation::illegal_size);
    seats.clear();
    CHECK(check().why == refutation::minimum_missed);
  }
  SECTION("nothing placed of pods that wait") {
    gang.min_count = 0;
    gang.pod_sets[0].minimum = 0;
    gang.sizes = {};
    now.say(group_seen<gpus>{gang});
    seats.clear();
    CHECK(check().why == refutation::not_enough);
  }
  SECTION("a group that once ran is held to its minimum, unless once is enough") {
    now.say(group_satisfied{group_id{1}});
    seats = {{node_id{1}, {1}, 1, 0, 0}};
    CHECK(check().why == refutation::not_enough);
    CHECK(verify(now.model.view(), group_id{1}, seats, everywhere{}, true).holds());
  }
  SECTION("a waiting member that asks something else") {
    now.add_pod(1, 3, 2);
    CHECK(check().why == refutation::group_fault);
  }
}

TEST_CASE("running members in two domains leave no place for a third", "[placement]") {
  small_cluster now({}, 1);
  for (std::uint64_t n = 1; n <= 4; ++n) now.say(node_seen<gpus>{{node_id{n}, {}, {4}, {label_id{(n + 1) / 2}}}});
  pod_group<gpus> gang = muster_test::gang_of({{{1}, 3, 0}});
  gang.id = group_id{1};
  gang.required = topology_level{0};
  now.say(group_seen<gpus>{gang});
  for (std::uint64_t p = 0; p < 3; ++p) now.add_pod(1, p);
  for (std::uint64_t p = 0; p < 2; ++p)
    now.say(pod_placed<gpus>{small_cluster::id(1, p), node_id{1 + 2 * p}, placing::bound, {}, {}});
  const std::vector<seat<gpus>> seats{{node_id{1}, {1}, 1, 0, 0}};
  CHECK(verify(now.model.view(), group_id{1}, seats).why == refutation::domains_differ);
}

TEST_CASE("running members pin the device model", "[placement]") {
  using two = devices<2>;
  cluster<two> model;
  std::uint64_t last = 0;
  const auto say = [&](change_content<two> what) { apply(model, {revision{++last}, std::move(what)}); };
  for (std::uint32_t n = 1; n <= 2; ++n)
    say(node_seen<two>{{node_id{n}, {}, {.count = 2, .model = device_model{n}}, {}}});
  pod_group<two> gang;
  gang.id = group_id{1};
  gang.disruption = disruption_mode::all;
  gang.pod_sets = {{{.whole = 1}, 2, 0}};
  gang.one_device_model = true;
  say(group_seen<two>{gang});
  for (std::uint64_t p = 1; p <= 2; ++p) {
    pod_seen<two> pod;
    pod.pod = pod_id{p};
    pod.group = gang.id;
    pod.request = {.whole = 1};
    say(pod);
  }
  say(pod_placed<two>{pod_id{1}, node_id{1}, placing::bound, {}, {}});
  const auto answer = place(model.view(), gang.id);
  REQUIRE(answer.fits());
  CHECK(verify(model.view(), gang.id, answer.seats).holds());
  const std::vector<seat<two>> other{{node_id{2}, {0b01, 1000}, 1, 1, 0}};
  CHECK(verify(model.view(), gang.id, other).why == refutation::models_differ);
}
