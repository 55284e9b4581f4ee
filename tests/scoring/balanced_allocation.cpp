// SPDX-License-Identifier: BSL-1.0
#include <muster/resource/devices.hpp>
#include <muster/resource/joint.hpp>
#include <muster/resource/resource_vector.hpp>
#include <muster/scoring/balanced_allocation.hpp>
#include <muster/scoring/scorer.hpp>
#include <muster/scoring/weighted_sum.hpp>

#include "support/catch.hpp"
#include "support/generator.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace {

using two = muster::resource_vector<2>;
using four = muster::resource_vector<4>;
constexpr muster::balanced_allocation<two> of_two{};
constexpr muster::balanced_allocation<four> of_four{};

static_assert(muster::scoring_function<muster::balanced_allocation<two>, two>);
static_assert(muster::scorer_with_range<muster::balanced_allocation<two>>);

// The formula as Kubernetes computes it, for the resources asked.
double exact(const four::amounts& left, const four::amounts& has, const four::amounts& asks) {
  double sum = 0, count = 0;
  const auto share = [&](std::size_t d) {
    return std::min(1.0, static_cast<double>(has[d] - left[d] + asks[d]) / static_cast<double>(has[d]));
  };
  for (std::size_t d = 0; d < 4; ++d) {
    if (asks[d] == 0 || has[d] == 0) continue;
    sum += share(d);
    ++count;
  }
  double squares = 0;
  for (std::size_t d = 0; d < 4; ++d)
    if (asks[d] != 0 && has[d] != 0) squares += std::pow(share(d) - sum / count, 2);
  return count == 0 ? 1 : 1 - std::sqrt(squares / count);
}

}  // namespace

TEST_CASE("balanced allocation is 1 less the deviation of the shares used", "[scoring]") {
  // after the pod 4 of 8 and 4 of 8: no deviation
  CHECK(of_two({6, 6}, {8, 8}, {2, 2}) == 1'000'000);
  // 1/4 and 3/4: the deviation of two is half their distance
  CHECK(of_two({8, 4}, {8, 8}, {2, 2}) == 750'000);
  // all and nothing but the pod, 8/8 and 1/1000: 1 - 0.999 / 2
  CHECK(of_two({2, 1000}, {8, 1000}, {2, 1}) == 500'500);
  // shares 1/4, 2/4, 3/4, 4/4: mean 5/8, variance (9 + 1 + 1 + 9) / 64 / 4 = 5/64, deviation 0.2795084
  CHECK(of_four({4, 3, 2, 1}, {4, 4, 4, 4}, {1, 1, 1, 1}) == 1'000'000 - 279'508);
}

TEST_CASE("Kubernetes gives these nodes 87 and 100 of 100", "[scoring]") {
  // a pod of 3000 milli-CPU and 5000 of memory on empty nodes: 3/4 and 1/2, and a half of both
  CHECK(of_two({4000, 10'000}, {4000, 10'000}, {3000, 5000}) / 10'000 == 87);
  CHECK(of_two({6000, 10'000}, {6000, 10'000}, {3000, 5000}) / 10'000 == 100);
}

TEST_CASE("one resource alone is in balance, and what is not asked or not there is left out", "[scoring]") {
  CHECK(of_two({8, 1}, {8, 8}, {2, 0}) == 1'000'000);
  CHECK(of_two({8, 1}, {8, 8}, {0, 0}) == 1'000'000);
  CHECK(of_two({8, 0}, {8, 0}, {2, 1}) == 1'000'000);
  CHECK(of_four({4, 0, 2, 0}, {4, 0, 4, 4}, {1, 1, 1, 0}) == 750'000);  // 1/4 and 3/4
}

TEST_CASE("more than all is all", "[scoring]") {
  CHECK(of_two({-80, 8}, {8, 8}, {1, 4}) == 750'000);  // 1 and 1/2
}

TEST_CASE("a device's share is no share of a node", "[scoring]") {
  using gpus = muster::devices<8>;
  using model = muster::joint<gpus, muster::resource_vector<1>>;
  const model::capacity_type has{{8}, {16}};
  model::state_type left = model::empty_node(has);
  model::grant_type ignored;
  REQUIRE(model::allocate(left, {{.whole = 3}, {3}}, 1, ignored) == 1);
  // after one more GPU and 1 core: 4 of 8 GPUs and 4 of 16 cores; the most left on one device is all of it
  CHECK(muster::balanced_allocation<model>{}(left, has, {{.whole = 1}, {1}}) == 875'000);
}

TEST_CASE("the whole-number deviation is within 2 millionths of the formula", "[scoring]") {
  muster_test::generator draw{"balance"};
  for (int round = 0; round < 20'000; ++round) {
    four::amounts has{}, left{}, asks{};
    for (std::size_t d = 0; d < 4; ++d) {
      has[d] = draw.chance(10) ? 0 : draw.between(1, draw.chance(50) ? 100 : muster::max_amount);
      left[d] = draw.between(0, has[d]);
      asks[d] = draw.chance(25) ? 0 : draw.between(0, left[d]);
    }
    const auto score = static_cast<double>(of_four(left, has, asks));
    REQUIRE(std::abs(score - exact(left, has, asks) * 1e6) < 2.001);
    REQUIRE(score >= 500'000);
    REQUIRE(score <= 1'000'000);
  }
}

TEST_CASE("square roots are rounded down", "[scoring]") {
  for (std::int64_t x = 0; x < 10'000; ++x) {
    const std::int64_t root = muster::scoring_detail::square_root(x);
    REQUIRE(root * root <= x);
    REQUIRE((root + 1) * (root + 1) > x);
  }
  CHECK(muster::scoring_detail::square_root((std::int64_t{1} << 62) - 1) == (std::int64_t{1} << 31) - 1);
}
