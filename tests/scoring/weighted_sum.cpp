// SPDX-License-Identifier: BSL-1.0
#include <muster/resource/resource_vector.hpp>
#include <muster/scoring/balanced_allocation.hpp>
#include <muster/scoring/binpack.hpp>
#include <muster/scoring/node_value.hpp>
#include <muster/scoring/scorer.hpp>
#include <muster/scoring/weighted_sum.hpp>

#include "support/catch.hpp"
#include "support/generator.hpp"

#include <cstdint>
#include <limits>

namespace {

using two = muster::resource_vector<2>;
using muster::normalised;
using muster::ranged;
using muster::score_fault;
using muster::weighted;
using muster::weighted_sum;
using muster::whole_share;
__extension__ using wide = __int128;

struct what_is_left {
  std::int64_t operator()(const two::state_type& left, const two::capacity_type&, const two::request_type&) const {
    return left[0];
  }
};
struct half {
  static constexpr muster::score_range range = muster::share_range;
  double operator()(const two::state_type&, const two::capacity_type&, const two::request_type&) const { return 0.5; }
};
struct unknown {
  static constexpr muster::score_range range = muster::share_range;
  double operator()(const two::state_type&, const two::capacity_type&, const two::request_type&) const {
    return std::numeric_limits<double>::quiet_NaN();
  }
};

static_assert(!muster::scorer_with_range<what_is_left>);
static_assert(!muster::scorer_with_range<muster::fullest_first>);
static_assert(muster::scorer_with_range<ranged<what_is_left>>);
static_assert(muster::scorer_with_range<muster::most_allocated<two>>);
static_assert(muster::scorer_with_range<muster::least_allocated<two>>);
static_assert(muster::scoring_function<weighted_sum<half, ranged<what_is_left>>, two>);
static_assert(!muster::scoring_function<weighted_sum<half>, muster::resource_vector<3>>);

const two::amounts left{6, 4}, has{8, 8}, asks{2, 2};

}  // namespace

TEST_CASE("a score is taken as its share of the range", "[scoring]") {
  CHECK(normalised(0, {0, 100}) == 0);
  CHECK(normalised(25, {0, 100}) == 250'000);
  CHECK(normalised(-25, {-100, 200}) == 250'000);
  CHECK(normalised(100, {0, 100}) == whole_share);
  CHECK(normalised(1, {0, 3}) == 333'333);
  CHECK(normalised(7, {5, 5}) == 0);
  CHECK(normalised(7, {9, 5}) == 0);
  CHECK(normalised(-1, {0, 100}) == 0);
  CHECK(normalised(101, {0, 100}) == whole_share);
  constexpr muster::score_range all{muster::lowest_score, muster::highest_score};
  CHECK(normalised(muster::lowest_score, all) == 0);
  CHECK(normalised(muster::highest_score, all) == whole_share);
  CHECK(normalised(0, all) == 500'000);
  muster_test::generator draw{"ranges"};
  for (int round = 0; round < 20'000; ++round) {
    const auto any = [&draw] { return static_cast<std::int64_t>(draw()) >> draw.below(63); };
    const std::int64_t a = any(), b = any(), score = any();
    if (a >= b || score < a || score > b) continue;
    const wide width = static_cast<wide>(b) - a, exact = (static_cast<wide>(score) - a) * whole_share / width;
    const std::int64_t made = normalised(score, {a, b});
    REQUIRE(made >= static_cast<std::int64_t>(exact) - 1);
    REQUIRE(made <= static_cast<std::int64_t>(exact) + 1);
    if (width < wide{1} << 43) REQUIRE(made == static_cast<std::int64_t>(exact));
  }
}

TEST_CASE("a sum is the weighted mean of its parts", "[scoring]") {
  // most allocated: 4 of 8 and 6 of 8 used: 5/8; balance: 1 - 1/8; of what is left 6 in 0 .. 8
  const weighted_sum score{weighted{muster::most_allocated<two>{}, 2}, weighted{muster::balanced_allocation<two>{}, 1},
                           weighted{ranged{what_is_left{}, {0, 8}}, 5}};
  CHECK(score.fault() == score_fault::none);
  CHECK(score(left, has, asks) == (2 * 625'000 + 875'000 + 5 * 750'000) / 8);
}

TEST_CASE("a sum is part of another, and a part may be a floating-point number or none", "[scoring]") {
  const weighted_sum inner{weighted{half{}}, weighted{muster::most_allocated<two>{}}};  // 1/2 and 5/8
  CHECK(inner(left, has, asks) == 562'500);
  const weighted_sum outer{weighted{inner, 3}, weighted{unknown{}, 1}};
  CHECK(outer(left, has, asks) == 3 * 562'500 / 4);  // what is not known scores 0
}

TEST_CASE("a sum refers to the value of its part", "[scoring]") {
  struct area {
    [[nodiscard]] std::int64_t value(const two::state_type& l, const two::capacity_type&) const { return l[0] * l[1]; }
  };
  const area worth;
  // 4 * 2 - 6 * 4 = -16 of -64 .. 0
  const weighted_sum score{weighted{ranged{muster::least_loss<two, area>{worth}, {-64, 0}}}};
  CHECK(score(left, has, asks) == 750'000);
}

TEST_CASE("faulty weights and ranges of a sum are named, and counted as is written", "[scoring]") {
  const weighted_sum none{weighted{half{}, 0}, weighted{half{}, 0}};
  CHECK(none.fault() == score_fault::no_weight);
  CHECK(none(left, has, asks) == 0);
  const weighted_sum negative{weighted{half{}, -3}, weighted{muster::most_allocated<two>{}, 1}};
  CHECK(negative.fault() == score_fault::negative_weight);
  CHECK(negative(left, has, asks) == 625'000);
  const weighted_sum large{weighted{half{}, muster::highest_score}, weighted{half{}, muster::highest_score}};
  CHECK(large.fault() == score_fault::weight_too_large);
  CHECK(large(left, has, asks) == 500'000);
  const weighted_sum empty{weighted{half{}, 1}, weighted{ranged{what_is_left{}, {6, 6}}, 1}};
  CHECK(empty.fault() == score_fault::empty_range);
  CHECK(empty(left, has, asks) == 250'000);
}

TEST_CASE("a score beyond the range its caller knows is taken for the end", "[scoring]") {
  CHECK(ranged{what_is_left{}, {0, 5}}(left, has, asks) == 5);
  CHECK(ranged{what_is_left{}, {7, 9}}(left, has, asks) == 7);
  CHECK(ranged{what_is_left{}, {0, 9}}(left, has, asks) == 6);
}
