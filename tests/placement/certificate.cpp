// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/certificate.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/small_cluster.hpp"

#include <muster/placement/place.hpp>

using namespace muster;
using muster_test::gang_of;
using muster_test::gpus;
using muster_test::small_cluster;

TEST_CASE("every enumerator of a certificate has a name", "[placement]") {
  CHECK(name(tense::later) == "later");
  CHECK(name(proof_kind::prices) == "prices");
  CHECK(name(certificate_fault::held_too_low) == "more is held than it says");
}

TEST_CASE("alike pods are refused by a count, every pod of the price 1", "[placement]") {
  small_cluster now{4, 4, 4};
  const auto answer = place(now.model.view(), gang_of({{{3}, 4, 0}}));
  REQUIRE(answer.verdict == verdict::never);
  REQUIRE(answer.proof.refusals.size() == 2);  // now, and without pods: no node is shut
  const auto& refusal = answer.proof.refusals[0];
  CHECK(refusal.when == tense::now);
  CHECK(refusal.kind == proof_kind::prices);
  CHECK(refusal.held == 3);
  CHECK(refusal.asked == 4);
  REQUIRE(answer.proof.prices_of(refusal).size() == 1);
  CHECK(answer.proof.prices_of(refusal)[0] == 1);
}

TEST_CASE("a mix that fits by every sum is refused by prices", "[placement]") {
  small_cluster now{5, 5, 5};
  CHECK(place(now.model.view(), gang_of({{{3}, 2, 0}, {{2}, 4, 0}})).fits());  // 3+2, 3+2, 2+2
  const auto answer = place(now.model.view(), gang_of({{{3}, 3, 0}, {{2}, 3, 0}, {{1}, 1, 0}}));
  REQUIRE(answer.verdict == verdict::never);  // 16 of 15
  CHECK(answer.proof.refusals[0].kind == proof_kind::capacity);
  const auto odd = place(now.model.view(), gang_of({{{4}, 1, 0}, {{3}, 1, 0}, {{2}, 4, 0}}));
  REQUIRE(odd.verdict == verdict::never);  // 15 of 15, but the pod of 4 spoils its node
  CHECK(odd.reason == refusal_reason::no_combination);
  const auto& refusal = odd.proof.refusals[0];
  CHECK(refusal.kind == proof_kind::prices);
  CHECK(refusal.held < refusal.asked);
  CHECK(odd.proof.prices_of(refusal).size() == 3);
}
