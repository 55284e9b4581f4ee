// SPDX-License-Identifier: BSL-1.0
#include <muster/resource/model.hpp>

#include "support/catch.hpp"

#include <muster/resource/devices.hpp>
#include <muster/resource/joint.hpp>
#include <muster/resource/resource_vector.hpp>

#include <type_traits>

using namespace muster;

namespace {

struct unprepared : devices<8> {
  static void prepare() = delete;
};

}  // namespace

TEST_CASE("every amount fault has its own name", "[resource]") {
  CHECK(name(amount_fault::none) == "none");
  CHECK(name(amount_fault::negative) == "negative amount");
  CHECK(name(amount_fault::too_large) == "amount above the largest allowed");
  CHECK(name(amount_fault::too_many_devices) == "more devices than the model holds");
  CHECK(name(amount_fault::not_a_share) == "share outside 1..1000 milli");
  CHECK(name(amount_fault::mixed_request) == "whole devices and a share in one request");
}

TEST_CASE("a model without reciprocals is asked with the request itself", "[resource]") {
  STATIC_REQUIRE(preparing_model<resource_vector<2>>);
  STATIC_REQUIRE(preparing_model<devices<8>>);
  STATIC_REQUIRE_FALSE(preparing_model<unprepared>);
  STATIC_REQUIRE(std::is_same_v<prepared<unprepared>, devices<8>::request_type>);
  const devices<8>::request_type request{.whole = 3};
  CHECK(prepare<unprepared>(request) == request);
  CHECK(prepare<devices<8>>(request).request == request);
  CHECK(resource_vector<2>::count_fitting({9, 9}, prepare<resource_vector<2>>({4, 0}), 5) == 2);
}

TEST_CASE("the leading dimension decides where nothing else is asked", "[resource]") {
  CHECK(leading_decides<resource_vector<2>>({3, 0}));
  CHECK_FALSE(leading_decides<resource_vector<2>>({3, 1}));
  CHECK(leading_decides<devices<8>>({.whole = 3}));
  CHECK_FALSE(leading_decides<devices<8>>({.share = 300}));
  CHECK_FALSE(leading_decides<devices<8>>({.whole = 3, .model = device_model{7}}));
  CHECK_FALSE(leading_decides<devices<8>>({.whole = 3, .one_link_group = true}));
  using cpu_and_devices = joint<resource_vector<1>, devices<8>>;
  CHECK_FALSE(leading_decides<cpu_and_devices>({{1}, {.whole = 3}}));
}

TEST_CASE("a model that cannot judge a grant takes every one", "[resource]") {
  struct trusting : resource_vector<1> {
    static amount_fault check_grant(const grant_type&) = delete;
  };
  CHECK(check_grant<trusting>({-5}) == amount_fault::none);
  CHECK(check_grant<resource_vector<1>>({-5}) == amount_fault::negative);
}
