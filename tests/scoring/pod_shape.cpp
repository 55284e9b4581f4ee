// SPDX-License-Identifier: BSL-1.0
#include <muster/resource/devices.hpp>
#include <muster/scoring/pod_shape.hpp>

#include "support/catch.hpp"

#include <set>
#include <span>
#include <string_view>
#include <vector>

namespace {

using gpus = muster::devices<8>;
using shape = muster::weighted_shape<gpus>;
using muster::shape_fault;

shape_fault check(const std::vector<shape>& shapes) { return muster::check_shapes<gpus>(std::span{shapes}); }

struct no_acceptance {};
static_assert(muster::shape_acceptance<muster::accepts_all, gpus>);
static_assert(!muster::shape_acceptance<no_acceptance, gpus>);

}  // namespace

TEST_CASE("a faulty list of shapes names its first fault", "[scoring]") {
  CHECK(check({{{.whole = 1}, 3}, {{.share = 500}, 0}}) == shape_fault::none);
  CHECK(check({}) == shape_fault::none);  // nothing is known yet
  CHECK(check({{{.whole = 1}, 0}, {{.whole = 2}, 0}}) == shape_fault::no_weight);
  CHECK(check({{{.whole = 1}, -1}}) == shape_fault::weight);
  CHECK(check({{{.whole = 1}, muster::max_shape_weight}}) == shape_fault::none);
  CHECK(check({{{.whole = 1}, muster::max_shape_weight + 1}}) == shape_fault::weight);
  CHECK(check({{{.whole = 9}, 1}}) == shape_fault::request);
  CHECK(check({{{.share = 1001}, 1}, {{.whole = 1}, -1}}) == shape_fault::request);
  CHECK(check(std::vector<shape>(muster::max_shapes, {{.whole = 1}, 1})) == shape_fault::none);
  CHECK(check(std::vector<shape>(muster::max_shapes + 1, {{.whole = 1}, 1})) == shape_fault::too_many);
}

TEST_CASE("every fault of shapes has a name of its own", "[scoring]") {
  std::set<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(shape_fault::no_weight); ++i)
    CHECK(names.insert(muster::name(static_cast<shape_fault>(i))).second);
  CHECK(names.count("?") == 0);
}

TEST_CASE("coarse amounts are few, near below, and in order", "[scoring]") {
  std::set<muster::amount> values;
  muster::amount before = 0;
  for (muster::amount x = 0; x < 1024; ++x) {
    const muster::amount coarse = muster::coarse_amount(x);
    REQUIRE(coarse <= x);
    REQUIRE(4 * (x - coarse) <= x);  // by at most a quarter
    REQUIRE(coarse >= before);
    REQUIRE(muster::coarse_amount(coarse) == coarse);
    before = coarse;
    values.insert(coarse);
  }
  CHECK(values.size() == 4 + 4 * 8);  // 0 to 3, then four in each of the octaves from 4 to 1023
  CHECK(muster::coarse_amount(64'200) == muster::coarse_amount(64'000));
  CHECK(muster::coarse_amount(5, 1) == 4);
  CHECK(muster::coarse_amount(muster::max_amount) == muster::max_amount);
}
