// SPDX-License-Identifier: BSL-1.0
#include <muster/resource/resource_vector.hpp>

#include "model_laws.hpp"
#include "support/catch.hpp"
#include "support/generator.hpp"

#include <array>
#include <cstddef>
#include <limits>

using namespace muster;
using muster_test::generator;

namespace {

template <std::size_t N>
struct small_amounts {
  using amounts = typename resource_vector<N>::amounts;

  static amounts capacity(generator& rng) {
    amounts all{};
    for (amount& each : all) each = rng.between(0, 40);
    return all;
  }
  static amounts more(generator& rng, amounts all) {
    for (amount& each : all) each += rng.between(0, 10);
    return all;
  }
  static amounts request(generator& rng) {
    amounts all{};
    for (amount& each : all) each = rng.chance(30) ? 0 : rng.between(1, 9);
    return all;
  }
};

template <std::size_t N>
struct large_amounts {
  using amounts = typename resource_vector<N>::amounts;

  static amounts capacity(generator& rng) {
    amounts all{};
    for (amount& each : all) each = rng.between(max_amount - 1000, max_amount);
    return all;
  }
  static amounts more(generator&, amounts all) {
    all.fill(max_amount);
    return all;
  }
  static amounts request(generator& rng) {
    amounts all{};
    for (amount& each : all) each = rng.between(max_amount / 60, max_amount);
    return all;
  }
};

}  // namespace

TEST_CASE("counted resources keep the laws of a model", "[resource]") {
  model_laws::hold<resource_vector<1>>("resource_vector<1>", small_amounts<1>{});
  model_laws::hold<resource_vector<3>>("resource_vector<3>", small_amounts<3>{});
  model_laws::hold<resource_vector<3>>("resource_vector<3>, large", large_amounts<3>{}, 200);
}

TEST_CASE("a resource that is not asked for is not looked at", "[resource]") {
  using model = resource_vector<3>;
  const model::state_type overcommitted{4, -7, 0};
  CHECK(model::fits(overcommitted, {2, 0, 0}));
  CHECK(model::count_fitting(overcommitted, model::request_type{2, 0, 0}, 100) == 2);
  CHECK_FALSE(model::fits(overcommitted, {2, 1, 0}));
  CHECK(model::count_fitting(overcommitted, model::request_type{2, 1, 0}, 100) == 0);
  CHECK(model::count_fitting(overcommitted, model::prepare({2, 1, 0}), 100) == 0);
  CHECK_FALSE(model::fits(overcommitted, {0, 0, 1}));
  CHECK(model::count_fitting(overcommitted, model::request_type{0, 0, 0}, 100) == 100);
}

TEST_CASE("a forced pod leaves a negative balance that its end takes back", "[resource]") {
  using model = resource_vector<1>;
  model::state_type left{3};
  const auto grant = model::force(left, {5});
  CHECK(left == model::state_type{-2});
  CHECK(model::count_fitting(left, model::request_type{1}, 9) == 0);
  model::release(left, grant);
  CHECK(left == model::state_type{3});
}

TEST_CASE("a grant may be charged if all it takes is left, and covers the pods it is the sum of", "[resource]") {
  using model = resource_vector<2>;
  const model::state_type left{4, -7};
  CHECK(model::may_charge(left, {4, 0}));
  CHECK_FALSE(model::may_charge(left, {5, 0}));
  CHECK_FALSE(model::may_charge(left, {1, 1}));
  CHECK_FALSE(model::may_charge(left, {-1, 0}));
  CHECK(model::covers(left, {6, 0}, {2, 0}, 3));
  CHECK_FALSE(model::covers(left, {6, 0}, {2, 0}, 2));
  CHECK_FALSE(model::covers(left, {7, 0}, {2, 0}, 3));
  CHECK_FALSE(model::covers(left, {6, 1}, {2, 0}, 3));
  CHECK_FALSE(model::covers(left, {max_amount, 0}, {max_amount, 0}, std::numeric_limits<pod_count>::max()));
}

TEST_CASE("the largest amounts on the fullest node do not overflow", "[resource]") {
  using model = resource_vector<1>;
  model::state_type left{max_amount};
  for (pod_count pod = 0; pod < max_pods_per_node; ++pod) model::charge(left, {max_amount});
  CHECK(left[0] == max_amount - max_amount * max_pods_per_node);
  CHECK(model::count_fitting(left, model::prepare({1}), 10) == 0);
}

TEST_CASE("amounts outside the range are refused by name", "[resource]") {
  using model = resource_vector<2>;
  constexpr amount huge = std::numeric_limits<amount>::max();
  CHECK(model::check_capacity({0, max_amount}) == amount_fault::none);
  CHECK(model::check_capacity({0, -1}) == amount_fault::negative);
  CHECK(model::check_capacity({max_amount + 1, 0}) == amount_fault::too_large);
  CHECK(model::check_request({huge, 0}) == amount_fault::too_large);
  CHECK(model::check_request({0, std::numeric_limits<amount>::min()}) == amount_fault::negative);
  CHECK(model::check_grant({max_amount, 0}) == amount_fault::none);
  CHECK(model::check_grant({max_amount + 1, 0}) == amount_fault::too_large);
  CHECK(model::check_grant({0, -1}) == amount_fault::negative);
}

TEST_CASE("equal amounts hash alike and their order counts", "[resource]") {
  using model = resource_vector<2>;
  const auto hash = [](const model::amounts& values) {
    hasher of;
    model::add_to_hash(of, values);
    return of.value();
  };
  CHECK(hash({1, 2}) == hash({1, 2}));
  CHECK(hash({1, 2}) != hash({2, 1}));
  CHECK(hash({1, 2}) != hash({1, 3}));
}
