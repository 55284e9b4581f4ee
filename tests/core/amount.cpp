// SPDX-License-Identifier: BSL-1.0
#include <muster/core/amount.hpp>

#include "support/catch.hpp"
#include "support/generator.hpp"

#include <cstdint>
#include <limits>
#include <vector>

using namespace muster;

namespace {

constexpr amount top = std::numeric_limits<amount>::max();
constexpr amount bottom = std::numeric_limits<amount>::min();

}  // namespace

TEST_CASE("a valid amount lies between nothing and the largest", "[core]") {
  CHECK(is_valid_amount(0));
  CHECK(is_valid_amount(max_amount));
  CHECK_FALSE(is_valid_amount(-1));
  CHECK_FALSE(is_valid_amount(max_amount + 1));
  CHECK_FALSE(is_valid_amount(bottom));
}

TEST_CASE("the fullest node cannot overflow", "[core]") {
  CHECK(saturating_multiply(max_amount, max_pods_per_node) == amount{1} << 62);
}

TEST_CASE("sums are held at the ends of the range", "[core]") {
  CHECK(saturating_add(2, 3) == 5);
  CHECK(saturating_add(-2, -3) == -5);
  CHECK(saturating_add(top, 1) == top);
  CHECK(saturating_add(1, top) == top);
  CHECK(saturating_add(top, top) == top);
  CHECK(saturating_add(bottom, -1) == bottom);
  CHECK(saturating_add(-1, bottom) == bottom);
  CHECK(saturating_add(bottom, top) == -1);
  CHECK(saturating_add(top - 1, 1) == top);
}

TEST_CASE("products are held at the top of the range", "[core]") {
  CHECK(saturating_multiply(0, top) == 0);
  CHECK(saturating_multiply(top, 0) == 0);
  CHECK(saturating_multiply(6, 7) == 42);
  CHECK(saturating_multiply(top, 1) == top);
  CHECK(saturating_multiply(top / 2, 2) == top - 1);
  CHECK(saturating_multiply(top / 2 + 1, 2) == top);
  CHECK(saturating_multiply(amount{1} << 32, amount{1} << 31) == top);
}

TEST_CASE("quotients are rounded up", "[core]") {
  CHECK(divide_up(0, 3) == 0);
  CHECK(divide_up(1, 3) == 1);
  CHECK(divide_up(3, 3) == 1);
  CHECK(divide_up(4, 3) == 2);
  CHECK(divide_up(top, 2) == top / 2 + 1);
  CHECK(divide_up(top, top) == 1);
}

TEST_CASE("a divisor is exact at the edges", "[core]") {
  std::vector<amount> edges;
  for (int bit = 0; bit < 63; ++bit)
    for (amount near = -2; near <= 2; ++near)
      if (const amount value = (amount{1} << bit) + near; value >= 0) edges.push_back(value);
  for (amount near = 0; near < 4; ++near) edges.push_back(top - near);
  for (const amount d : {amount{3}, amount{7}, amount{1000}, amount{65537}, amount{4294967297}, max_amount, top / 2, top / 3})
    for (amount near = -1; near <= 1; ++near) edges.push_back(d + near);
  bool exact = true;
  for (const amount d : edges) {
    if (d < 1) continue;
    const divisor by{d};
    exact = exact && by.value() == d;
    for (const amount x : edges) exact = exact && by.quotient(x) == x / d;
    for (const amount times : {amount{1}, amount{2}, amount{3}, amount{8}, top / d}) {
      if (times > top / d) continue;
      const amount multiple = d * times;
      exact = exact && by.quotient(multiple) == times && by.quotient(multiple - 1) == (multiple - 1) / d;
    }
  }
  CHECK(exact);
  CHECK(divisor{}.quotient(top) == top);
}

TEST_CASE("a divisor is exact on random numbers of every size", "[core]") {
  muster_test::generator rng{"divisor"};
  for (int round = muster_test::rounds(200'000); round > 0; --round) {
    const auto x = static_cast<amount>(rng() >> (1 + rng.below(63)));
    const auto d = static_cast<amount>(rng() >> (1 + rng.below(63)));
    if (d < 1 || divisor{d}.quotient(x) == x / d) continue;
    CAPTURE(rng.seed(), x, d);
    CHECK(divisor{d}.quotient(x) == x / d);
  }
}

TEST_CASE("a divisor works in constant expressions", "[core]") {
  STATIC_REQUIRE(divisor{7}.quotient(48) == 6);
  STATIC_REQUIRE(divisor{7}.quotient(49) == 7);
}

TEST_CASE("pairs are counted, and held where they are too many", "[core]") {
  constexpr amount largest = std::numeric_limits<amount>::max();
  STATIC_REQUIRE(muster::pairs_of(0) == 0);
  STATIC_REQUIRE(muster::pairs_of(1) == 0);
  STATIC_REQUIRE(muster::pairs_of(2) == 1);
  STATIC_REQUIRE(muster::pairs_of(5) == 10);
  STATIC_REQUIRE(muster::pairs_of(6) == 15);
  STATIC_REQUIRE(muster::pairs_of(amount{1} << 32) == (amount{1} << 31) * ((amount{1} << 32) - 1));
  STATIC_REQUIRE(muster::pairs_of(largest) == largest);
}
