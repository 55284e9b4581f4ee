// SPDX-License-Identifier: BSL-1.0
#include <muster/scoring/weights.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <limits>
#include <set>
#include <string_view>
#include <vector>

using muster::score_fault;

TEST_CASE("weights that are no weights are named", "[scoring]") {
  const auto check = [](const std::vector<std::int64_t>& weights) { return muster::check_weights(weights); };
  CHECK(check({}) == score_fault::none);
  CHECK(check({0, 3, muster::max_score_weight}) == score_fault::none);
  CHECK(check({0, 0}) == score_fault::no_weight);
  CHECK(check({1, -1}) == score_fault::negative_weight);
  CHECK(check({1, muster::max_score_weight + 1}) == score_fault::weight_too_large);
  CHECK(check({muster::max_score_weight + 1, -1}) == score_fault::weight_too_large);  // the first one
}

TEST_CASE("a weight out of range counts as its nearer end", "[scoring]") {
  CHECK(muster::weight_held(7) == 7);
  CHECK(muster::weight_held(-7) == 0);
  CHECK(muster::weight_held(std::numeric_limits<std::int64_t>::min()) == 0);
  CHECK(muster::weight_held(std::numeric_limits<std::int64_t>::max()) == muster::max_score_weight);
}

TEST_CASE("every fault of scores has a name of its own", "[scoring]") {
  std::set<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(score_fault::empty_range); ++i)
    CHECK(names.insert(muster::name(static_cast<score_fault>(i))).second);
  CHECK(names.count("?") == 0);
}
