// SPDX-License-Identifier: BSL-1.0
#include <muster/resource/joint.hpp>

#include "model_laws.hpp"
#include "support/catch.hpp"
#include "support/generator.hpp"

#include <muster/resource/devices.hpp>
#include <muster/resource/resource_vector.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

using namespace muster;
using muster_test::generator;

namespace {

template <std::size_t N>
struct counted {
  static auto capacity(generator& rng) {
    typename resource_vector<N>::amounts all{};
    for (amount& each : all) each = rng.between(0, 30);
    return all;
  }
  static auto more(generator& rng, typename resource_vector<N>::amounts all) {
    for (amount& each : all) each += rng.between(0, 9);
    return all;
  }
  static auto request(generator& rng) {
    typename resource_vector<N>::amounts all{};
    for (amount& each : all) each = rng.between(0, 6);
    return all;
  }
};

template <std::size_t M>
struct gpus {
  using model = devices<M>;
  static auto capacity(generator& rng) {
    typename model::capacity_type all;
    all.count = static_cast<std::uint32_t>(rng.below(M + 1));
    for (auto& group : all.link_group) group = static_cast<std::uint8_t>(rng.below(2));
    return all;
  }
  static auto more(generator& rng, typename model::capacity_type all) {
    all.count += static_cast<std::uint32_t>(rng.below(M + 1 - all.count));
    return all;
  }
  static auto request(generator& rng) {
    typename model::request_type one;
    if (rng.chance(50)) one.share = static_cast<std::int32_t>(rng.between(100, 1000));
    else one.whole = static_cast<std::uint32_t>(rng.below(3));
    one.one_link_group = rng.chance(30);
    return one;
  }
};

template <class A, class B, class First, class Second>
struct side_by_side {
  using model = joint<A, B>;
  static auto capacity(generator& rng) { return typename model::capacity_type{First::capacity(rng), Second::capacity(rng)}; }
  static auto more(generator& rng, const typename model::capacity_type& all) {
    return typename model::capacity_type{First::more(rng, all.first), Second::more(rng, all.second)};
  }
  static auto request(generator& rng) { return typename model::request_type{First::request(rng), Second::request(rng)}; }
};

using gpus_and_more = joint<devices<8>, resource_vector<2>>;
using gpus_and_more_source = side_by_side<devices<8>, resource_vector<2>, gpus<8>, counted<2>>;
using more_and_gpus = joint<resource_vector<1>, devices<4>>;
using nested = joint<resource_vector<1>, gpus_and_more>;
using two_makes = joint<devices<4>, devices<8>>;

/// A model that never covers more than two pods with one grant, as the laws allow.
struct in_pairs : resource_vector<1> {
  static constexpr pod_count allocate(state_type& left, const request_type& request, pod_count limit, grant_type& grant) {
    return resource_vector<1>::allocate(left, request, limit < 2 ? limit : 2, grant);
  }
};

/// Devices that do not say what is too small.
struct silent : devices<4> {
  static void milli_too_small() = delete;
};

}  // namespace

TEST_CASE("two models side by side keep the laws of a model", "[resource]") {
  model_laws::hold<gpus_and_more>("joint<devices<8>, resource_vector<2>>", gpus_and_more_source{});
  model_laws::hold<more_and_gpus>("joint<resource_vector<1>, devices<4>>",
                                  side_by_side<resource_vector<1>, devices<4>, counted<1>, gpus<4>>{});
  model_laws::hold<nested>("joint<resource_vector<1>, joint<devices<8>, resource_vector<2>>>",
                           side_by_side<resource_vector<1>, gpus_and_more, counted<1>, gpus_and_more_source>{});
  model_laws::hold<two_makes>("joint<devices<4>, devices<8>>", side_by_side<devices<4>, devices<8>, gpus<4>, gpus<8>>{});
  model_laws::hold<joint<in_pairs, devices<8>>>("joint<in_pairs, devices<8>>",
                                                side_by_side<in_pairs, devices<8>, counted<1>, gpus<8>>{});
  model_laws::hold<joint<devices<8>, in_pairs>>("joint<devices<8>, in_pairs>",
                                                side_by_side<devices<8>, in_pairs, gpus<8>, counted<1>>{});
}

TEST_CASE("alike pods fit as often as both parts allow", "[resource]") {
  const auto state = gpus_and_more::empty_node({{.count = 8}, {40, 100}});
  CHECK(gpus_and_more::count_fitting(state, gpus_and_more::request_type{{.whole = 2}, {0, 0}}, 9) == 4);
  CHECK(gpus_and_more::count_fitting(state, gpus_and_more::request_type{{.whole = 2}, {16, 0}}, 9) == 2);
  CHECK(gpus_and_more::count_fitting(state, gpus_and_more::request_type{{.whole = 2}, {0, 101}}, 9) == 0);
}

TEST_CASE("a grant of both parts covers the same pods", "[resource]") {
  // Shares of two on one device at most, so the first part alone would cover fewer pods than the second.
  auto state = gpus_and_more::empty_node({{.count = 8}, {40, 100}});
  gpus_and_more::grant_type grant;
  CHECK(gpus_and_more::allocate(state, {{.share = 500}, {10, 0}}, 4, grant) == 2);
  CHECK(grant.first == devices<8>::grant_type{0b1, 1000});
  CHECK(grant.second == resource_vector<2>::grant_type{20, 0});
}

TEST_CASE("both parts of a grant must be there and be what is asked", "[resource]") {
  const auto state = gpus_and_more::empty_node({{.count = 2}, {8, 8}});
  const gpus_and_more::request_type request{{.whole = 1}, {3, 0}};
  CHECK(gpus_and_more::may_charge(state, {{0b11, 1000}, {6, 0}}));
  CHECK(gpus_and_more::covers(state, {{0b11, 1000}, {6, 0}}, request, 2));
  CHECK_FALSE(gpus_and_more::may_charge(state, {{0b11, 1000}, {9, 0}}));
  CHECK_FALSE(gpus_and_more::may_charge(state, {{0b111, 1000}, {6, 0}}));
  CHECK_FALSE(gpus_and_more::covers(state, {{0b11, 1000}, {3, 0}}, request, 2));
  CHECK_FALSE(gpus_and_more::covers(state, {{0b1, 1000}, {6, 0}}, request, 2));
}

TEST_CASE("a device that falls sick is found in the part that has devices", "[resource]") {
  auto state = more_and_gpus::empty_node({{9}, {.count = 4}});
  more_and_gpus::set_health(state, 3, false);
  CHECK(more_and_gpus::count_fitting(state, more_and_gpus::request_type{{1}, {.whole = 1}}, 9) == 3);
  CHECK(more_and_gpus::device_room == 4);
  CHECK(nested::device_room == 8);
}

TEST_CASE("what is too small on devices is asked of the part that has them", "[resource]") {
  auto state = more_and_gpus::empty_node({{9}, {.count = 4}});
  more_and_gpus::grant_type given;
  REQUIRE(more_and_gpus::allocate(state, {{1}, {.share = 600}}, 1, given) == 1);
  CHECK(more_and_gpus::milli_too_small(state, {{1}, {.whole = 1}}) == 400);
  CHECK(nested::milli_too_small(nested::empty_node({{7}, {{.count = 3}, {11, 13}}}), {}) == 3000);
  STATIC_REQUIRE(model_with_shares<more_and_gpus>);
  STATIC_REQUIRE(model_with_shares<nested>);
  STATIC_REQUIRE_FALSE(model_with_shares<joint<resource_vector<1>, resource_vector<1>>>);
  STATIC_REQUIRE_FALSE(model_with_shares<joint<silent, devices<8>>>);  // health would be that of the other part
}

TEST_CASE("the device model is told by the part that has devices, the first where both have", "[resource]") {
  CHECK(more_and_gpus::model_of({{9}, {.count = 4, .model = device_model{7}}}) == device_model{7});
  CHECK(more_and_gpus::model_of({{9}, {.count = 0, .model = device_model{7}}}) == std::nullopt);
  CHECK(more_and_gpus::asks_devices({{1}, {.whole = 1}}));
  CHECK_FALSE(more_and_gpus::asks_devices({{1}, {}}));
  CHECK(nested::model_of({{1}, {{.count = 1, .model = device_model{2}}, {}}}) == device_model{2});
  using two_kinds = joint<devices<2>, devices<4>>;
  CHECK(two_kinds::model_of({{.count = 1, .model = device_model{1}}, {.count = 1, .model = device_model{2}}}) ==
        device_model{1});
  CHECK(two_kinds::model_of({{}, {.count = 1, .model = device_model{2}}}) == std::nullopt);
  CHECK_FALSE(two_kinds::asks_devices({{}, {.whole = 1}}));
}

TEST_CASE("the first part's dimensions come first", "[resource]") {
  const auto state = nested::empty_node({{7}, {{.count = 3}, {11, 13}}});
  const nested::request_type request{{1}, {{.whole = 2}, {5, 6}}};
  const amount left[] = {7, 3, 1000, 11, 13};
  const amount needed[] = {1, 2, 1000, 5, 6};
  for (std::size_t d = 0; d < nested::dimensions; ++d) {
    CHECK(nested::amount_left(state, d) == left[d]);
    CHECK(nested::amount_needed(request, d) == needed[d]);
  }
}

TEST_CASE("the first fault of either part is named", "[resource]") {
  CHECK(gpus_and_more::check_capacity({{.count = 9}, {-1, 0}}) == amount_fault::too_many_devices);
  CHECK(gpus_and_more::check_capacity({{.count = 8}, {-1, 0}}) == amount_fault::negative);
  CHECK(gpus_and_more::check_request({{.whole = 1, .share = 1}, {0, 0}}) == amount_fault::mixed_request);
  CHECK(gpus_and_more::check_request({{.whole = 1}, {0, max_amount + 1}}) == amount_fault::too_large);
  CHECK(gpus_and_more::check_grant({{0x100, 1000}, {0, 0}}) == amount_fault::too_many_devices);
  CHECK(gpus_and_more::check_grant({{1, 1000}, {0, -1}}) == amount_fault::negative);
}
