// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/fewest_domains.hpp>

#include "support/catch.hpp"

using muster::fewest_answer;
using muster::fewest_fault;
using muster::fewest_rule;

TEST_CASE("rules and faults have names", "[placement]") {
  for (const auto each : {fewest_rule::fewest_domains, fewest_rule::nearest}) CHECK(name(each) != "?");
  for (const auto each : {fewest_fault::none, fewest_fault::unknown_level, fewest_fault::node_gone})
    CHECK(name(each) != "?");
}

TEST_CASE("the number of domains is proved where it is the least, and only of a gang that fits", "[placement]") {
  fewest_answer answer;
  CHECK(!answer.fits());
  CHECK(!answer.proved());
  answer.verdict = muster::verdict::fits;
  answer.domains.resize(2);
  answer.least = 1;
  CHECK(!answer.proved());
  answer.least = 2;
  CHECK(answer.proved());
}
