// SPDX-License-Identifier: BSL-1.0
#include <muster/resource/devices.hpp>
#include <muster/resource/joint.hpp>
#include <muster/resource/resource_vector.hpp>
#include <muster/scoring/binpack.hpp>
#include <muster/scoring/scorer.hpp>
#include <muster/scoring/weighted_sum.hpp>

#include "support/catch.hpp"

#include <cstdint>

namespace {

using three = muster::resource_vector<3>;
using score = muster::binpack<three>;

static_assert(muster::scoring_function<score, three>);
static_assert(muster::scorer_with_range<score>);

}  // namespace

TEST_CASE("binpack is the weighted mean of what is used with the pod", "[scoring]") {
  // used with the pod: 4 of 8, 2 of 8, 8 of 8
  CHECK(score{}({6, 8, 1}, {8, 8, 8}, {2, 2, 1}) == (500'000 + 250'000 + 1'000'000) / 3);
  // (5 * 1/2 + 1 * 1/4 + 2 * 1) / 8 = 4.75 / 8
  CHECK(score{{5, 1, 2}}({6, 8, 1}, {8, 8, 8}, {2, 2, 1}) == 593'750);
}

TEST_CASE("what is not asked or not weighed is left out, with its weight", "[scoring]") {
  CHECK(score{{5, 1, 2}}({6, 8, 0}, {8, 8, 8}, {2, 2, 0}) == (5 * 500'000 + 250'000) / 6);
  CHECK(score{{5, 1, 0}}({6, 8, 1}, {8, 8, 8}, {2, 2, 1}) == (5 * 500'000 + 250'000) / 6);
  CHECK(score{{0, 0, 0}}({6, 8, 1}, {8, 8, 8}, {2, 2, 1}) == 0);
  CHECK(score{}({6, 8, 1}, {8, 8, 8}, {0, 0, 0}) == 0);
}

TEST_CASE("what a node has none of counts as 0 with its weight; what is overfull makes all 0", "[scoring]") {
  CHECK(score{{1, 1, 2}}({6, 8, 0}, {8, 8, 0}, {2, 8, 1}) == (500'000 + 1'000'000) / 4);
  CHECK(score{{1, 1, 2}}({6, 7, 8}, {8, 8, 8}, {2, 8, 1}) == 0);
  CHECK(score{{1, 0, 2}}({6, 7, 8}, {8, 8, 8}, {2, 8, 1}) == (500'000 + 2 * 125'000) / 3);  // nobody weighs it
}

TEST_CASE("binpack weights out of range are held, and the largest amounts do not overflow", "[scoring]") {
  constexpr muster::amount all = muster::max_amount;
  constexpr std::int64_t most = muster::max_score_weight, beyond = std::int64_t{1} << 62;
  CHECK(score{{-5, 1, 0}}({0, 6, 0}, {8, 8, 8}, {8, 2, 1}) == 500'000);
  CHECK(score{{beyond, most, 0}}({all, all / 2, 0}, {all, all, all}, {all / 2, all / 2, 1}) == 750'000);
}

TEST_CASE("by default what adds up on a node weighs alike", "[scoring]") {
  using model = muster::joint<muster::devices<8>, muster::resource_vector<1>>;
  const model::capacity_type has{{8}, {16}};
  // 2 of 8 GPUs and 12 of 16 cores
  CHECK(muster::binpack<model>{}(model::empty_node(has), has, {{.whole = 2}, {12}}) == 500'000);
}
