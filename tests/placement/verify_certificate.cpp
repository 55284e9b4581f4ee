// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/verify_certificate.hpp>

#include "support/allocation.hpp"
#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/small_cluster.hpp"

#include <muster/placement/place.hpp>
#include <muster/resource/devices.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

using namespace muster;
using muster_test::gpus;
using muster_test::small_cluster;

namespace {

/// Two racks of two nodes of five; the gang asks for one rack and fits in none.
struct scene {
  small_cluster now = small_cluster({}, 1);
  pod_group<gpus> gang;
  scene() {
    for (std::uint64_t n = 1; n <= 4; ++n) now.say(node_seen<gpus>{{node_id{n}, {}, {5}, {label_id{(n + 1) / 2}}}});
    gang.disruption = disruption_mode::all;
    gang.pod_sets = {{{4}, 1, 0}, {{3}, 1, 0}, {{2}, 1, 0}, {{1}, 1, 0}};
    gang.required = topology_level{0};
    gang.pod_sets[2].count = 2;
  }
};

/// Two devices, of a model that cannot say for sure that pods of two requests do not fit together.
struct plain_devices : devices<2> {
  template <class Emit>
  static hosting hosts(const state_type&, std::span<const request_type>, std::span<const pod_count>,
                       const Emit&) = delete;
};

}  // namespace

TEST_CASE("the certificate of a refusal holds, and no number of it can be made false", "[placement]") {
  scene s;
  const auto view = s.now.model.view();
  const auto answer = place(view, s.gang);
  REQUIRE(answer.verdict == verdict::never);
  const certificate& given = answer.proof;
  const auto check = [&](const certificate& of) { return verify(view, s.gang, of); };
  REQUIRE(check(given).holds());
  for (std::size_t i = 0; i < given.refusals.size(); ++i) {
    certificate spoilt = given;
    --spoilt.refusals[i].held;
    CHECK(check(spoilt).why == certificate_fault::held_too_low);
    spoilt = given;
    spoilt.refusals[i].held = spoilt.refusals[i].asked;
    CHECK(check(spoilt).why == certificate_fault::not_below);
    spoilt = given;
    ++spoilt.refusals[i].asked;
    CHECK(check(spoilt).why == certificate_fault::asked_too_high);
    spoilt = given;
    spoilt.refusals[i].domain.path = {label_id{99}};
    CHECK(check(spoilt).result == proof::refuted);
    spoilt = given;
    spoilt.refusals.erase(spoilt.refusals.begin() + static_cast<std::ptrdiff_t>(i));
    CHECK(check(spoilt).why == certificate_fault::domain_missing);
  }
  certificate spoilt = given;
  spoilt.refusals.push_back(spoilt.refusals[0]);
  CHECK(check(spoilt).why == certificate_fault::no_such_domain);
}

TEST_CASE("a price that is changed is believed only where the claim stays true", "[placement]") {
  small_cluster now{5, 5, 5};
  pod_group<gpus> gang;
  gang.disruption = disruption_mode::all;
  gang.pod_sets = {{{4}, 1, 0}, {{3}, 1, 0}, {{2}, 4, 0}};
  const auto view = now.model.view();
  const auto answer = place(view, gang);
  REQUIRE(answer.proof.refusals[0].kind == proof_kind::prices);
  // by hand: a node of 5 holds one pod of 4, or 3 + 2, or 2 + 2
  const auto claim_is_true = [](const certificate& of) {
    const auto p = of.prices_of(of.refusals[0]);
    const auto node = std::max({p[0], p[1] + p[2], 2 * p[2]});
    const auto& one = of.refusals[0];
    return 3 * node <= one.held && p[0] + p[1] + 4 * p[2] >= one.asked && one.held < one.asked;
  };
  certificate only_now = answer.proof;
  only_now.refusals.resize(1);
  REQUIRE(claim_is_true(only_now));
  int refuted = 0;
  for (std::size_t i = 0; i < only_now.prices_of(only_now.refusals[0]).size(); ++i)
    for (const int by : {-1, 1, 5}) {
      certificate spoilt = only_now;
      auto& price = spoilt.prices[spoilt.refusals[0].first_price + i];
      price += by;
      if (price < 0) continue;
      CHECK(verify(view, gang, spoilt).holds() == claim_is_true(spoilt));
      refuted += claim_is_true(spoilt) ? 0 : 1;
    }
  CHECK(refuted > 0);
}

TEST_CASE("what is no certificate is named", "[placement]") {
  scene s;
  const auto view = s.now.model.view();
  const auto answer = place(view, s.gang);
  CHECK(verify(view, s.gang, certificate{}).why == certificate_fault::empty);
  CHECK(verify(view, group_id{77}, answer.proof).why == certificate_fault::group_unknown);
  certificate odd = answer.proof;
  odd.refusals[0].kind = proof_kind::prices;
  odd.refusals[0].prices = 1000;
  CHECK(verify(view, s.gang, odd).why == certificate_fault::wrong_prices);
  odd = answer.proof;
  odd.refusals[0].kind = proof_kind::slots;
  odd.refusals[0].subject = 9;
  CHECK(verify(view, s.gang, odd).why == certificate_fault::no_such_subject);
  odd.refusals[0].kind = proof_kind::capacity;
  CHECK(verify(view, s.gang, odd).why == certificate_fault::no_such_subject);
  odd = answer.proof;
  odd.refusals[0].kind = proof_kind::exhausted;
  CHECK(verify(view, s.gang, odd).result == proof::not_checkable);
}

TEST_CASE("a certificate is of one moment: with more room it is refuted", "[placement]") {
  scene s;
  const auto answer = place(s.now.model.view(), s.gang);
  REQUIRE(answer.verdict == verdict::never);
  s.now.say(node_seen<gpus>{{node_id{9}, {}, {20}, {label_id{2}}}});
  CHECK(place(s.now.model.view(), s.gang).fits());
  CHECK(verify(s.now.model.view(), s.gang, answer.proof).result == proof::refuted);
}

TEST_CASE("a count under a limit of racks is checked without listing how many sit where", "[placement]") {
  small_cluster now({}, 1);
  for (std::uint64_t n = 1; n <= 1250; ++n) now.say(node_seen<gpus>{{node_id{n}, {}, {64}, {label_id{1 + n / 20}}}});
  pod_group<gpus> gang;
  gang.disruption = disruption_mode::all;
  gang.limits = {{topology_level{0}, 40}};
  for (int s = 0; s < 64; ++s) gang.pod_sets.push_back({{1 + s % 3}, 63, 0});
  const auto view = now.model.view();
  const auto answer = place(view, gang);
  REQUIRE(answer.verdict == verdict::never);
  REQUIRE(answer.proof.refusals[0].kind == proof_kind::limits);
  CHECK(answer.proof.refusals[0].held == 63 * 40);
  const muster_test::allocation_watch watch;
  CHECK(verify(view, gang, answer.proof).holds());
  CHECK(watch.peak() < 1 << 20);
  // 62 racks of 20 nodes and one of 10; of set 0 all 63 pods have a slot
  certificate by_slots;
  by_slots.refusals.push_back({{}, tense::now, proof_kind::slots, 0, 63, 64});
  CHECK(verify(view, gang, by_slots).why == certificate_fault::asked_too_high);
  gang.pod_sets[0] = {{1}, 3000, 3000};
  by_slots.refusals[0] = {{}, tense::now, proof_kind::slots, 0, 63 * 40, 3000};
  CHECK(verify(view, gang, by_slots).holds());
  --by_slots.refusals[0].held;
  CHECK(verify(view, gang, by_slots).why == certificate_fault::held_too_low);
}

TEST_CASE("prices of large nodes are checked: only what may be dearest is counted", "[placement]") {
  using two = resource_vector<2>;
  cluster<two> nodes;
  apply(nodes, {revision{1}, node_seen<two>{{.id = node_id{1}, .capacity = {2400, 600}}}});
  apply(nodes, {revision{2}, node_seen<two>{{.id = node_id{2}, .capacity = {600, 2400}}}});
  pod_group<two> gang;
  gang.disruption = disruption_mode::all;
  gang.pod_sets = {{{3, 1}, 410, 0}, {{1, 3}, 410, 0}, {{2, 2}, 205, 0}};
  const auto answer = place(nodes.view(), gang);
  REQUIRE(answer.verdict == verdict::never);
  REQUIRE(answer.proof.refusals[0].kind == proof_kind::prices);
  CHECK(verify(nodes.view(), gang, answer.proof).holds());
  auto spoilt = answer.proof;
  --spoilt.refusals[0].held;
  CHECK(verify(nodes.view(), gang, spoilt).why == certificate_fault::held_too_low);

  // the same gang written as fifteen pod sets
  pod_group<two> parts = gang;
  parts.pod_sets.clear();
  for (const auto& set : gang.pod_sets)
    for (int i = 0; i < 5; ++i) parts.pod_sets.push_back({set.request, set.count / 5, 0});
  const auto same = place(nodes.view(), parts);
  REQUIRE(same.verdict == verdict::never);
  CHECK(verify(nodes.view(), parts, same.proof).holds());
}

TEST_CASE("prices under limits of racks and of zones are checked, rack by rack", "[placement]") {
  small_cluster now({}, 2);  // 4 zones of 5 racks of 4 nodes
  for (std::uint64_t n = 0; n < 80; ++n)
    now.say(node_seen<gpus>{{node_id{1 + n}, {}, {12}, {label_id{1 + n / 20}, label_id{1 + n / 4}}}});
  pod_group<gpus> gang;
  gang.disruption = disruption_mode::all;
  gang.pod_sets = {{{5}, 45, 0}, {{4}, 30, 0}, {{3}, 30, 0}};
  const auto view = now.model.view();
  certificate claim;  // a pod of 5 counts 2, another one 1: of 150
  claim.prices = {2, 1, 1};
  claim.refusals.push_back({{}, tense::now, proof_kind::prices, 0, 149, 150, 0, 3});
  const auto claimed = [&](std::int64_t held) {
    claim.refusals[0].held = held;
    return verify(view, gang, claim).why;
  };
  // by hand: a node hosts two of 5, so a rack 8
  gang.limits = {{topology_level{1}, 7}, {topology_level{0}, 25}};  // 25 of 5 a zone
  CHECK(claimed(149) == certificate_fault::held_too_low);
  gang.limits = {{topology_level{1}, 7}, {topology_level{0}, 15}};  // 15 of 5 a zone
  CHECK(claimed(120) == certificate_fault::none);
  CHECK(claimed(119) == certificate_fault::held_too_low);
  gang.limits = {{topology_level{1}, 2}, {topology_level{0}, 15}};  // 2 of 5 a rack, 5 racks a zone
  CHECK(claimed(80) == certificate_fault::none);
  CHECK(claimed(79) == certificate_fault::held_too_low);
}

TEST_CASE("six unlike pod sets under a limit of racks are counted, too", "[placement]") {
  // the sums of what the nodes of a rack host are too many to list
  using trio = resource_vector<3>;
  constexpr trio::amounts rack_1[] = {{10, 9, 13}, {6, 13, 7},   {7, 9, 8},  {12, 12, 13},
                                      {8, 9, 13},  {13, 7, 8},   {7, 12, 6}, {7, 9, 8}};
  constexpr trio::amounts rack_2[] = {{11, 10, 10}, {9, 10, 12},  {8, 7, 11}, {9, 12, 11},
                                      {12, 9, 12},  {12, 10, 9}, {12, 9, 6}};
  cluster<trio> nodes{nested_levels(1)};
  std::uint64_t n = 0;
  for (const auto& has : rack_1)
    apply(nodes, {revision{++n}, node_seen<trio>{{node_id{n}, {}, has, {label_id{1}}}}});
  for (const auto& has : rack_2)
    apply(nodes, {revision{++n}, node_seen<trio>{{node_id{n}, {}, has, {label_id{2}}}}});
  pod_group<trio> gang;
  gang.disruption = disruption_mode::all;
  gang.pod_sets = {{{1, 5, 2}, 23, 0}, {{5, 4, 1}, 23, 0}, {{4, 5, 3}, 13, 0},
                   {{6, 3, 4}, 9, 0},  {{3, 2, 1}, 15, 0}, {{4, 4, 3}, 20, 0}};
  gang.limits = {{topology_level{0}, 32}};
  workspace<trio> space;
  const auto most = [&](pod_count min) -> const placement_answer<trio>& {
    gang.min_count = min;
    return place(nodes.view(), gang, space, place_options<>{.largest = true});
  };
  const pod_count enough = most(0).placed;
  const auto& refused = most(enough + 1);
  REQUIRE(is_proved_no(refused.verdict));
  REQUIRE_FALSE(refused.proof.empty());
  CHECK(verify(nodes.view(), gang, refused.proof).holds());
  auto spoilt = refused.proof;
  spoilt.refusals[0].asked += 1'000'000;
  CHECK(verify(nodes.view(), gang, spoilt).why == certificate_fault::asked_too_high);
}

TEST_CASE("what a model does not know refutes no certificate", "[placement]") {
  static_assert(!hosting_model<plain_devices>);
  cluster<plain_devices> nodes;
  apply(nodes, {revision{1}, node_seen<plain_devices>{{.id = node_id{1}, .capacity = {.count = 2}}}});
  pod_group<plain_devices> gang;
  gang.disruption = disruption_mode::all;
  gang.pod_sets = {{{.share = 600}, 1, 0}, {{.share = 600}, 2, 0}};  // alike: a count decides
  const auto answer = place(nodes.view(), gang);
  REQUIRE(answer.verdict == verdict::never);
  CHECK(answer.lack.bound == 2);
  CHECK(verify(nodes.view(), gang, answer.proof).holds());
  gang.pod_sets[0].request.share = 601;
  CHECK(verify(nodes.view(), gang, answer.proof).result == proof::not_checkable);
  auto spoilt = answer.proof;
  spoilt.refusals[0].asked = 4;
  CHECK(verify(nodes.view(), gang, spoilt).result == proof::refuted);
}
