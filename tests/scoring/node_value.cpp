// SPDX-License-Identifier: BSL-1.0
#include <muster/resource/resource_vector.hpp>
#include <muster/scoring/node_value.hpp>
#include <muster/scoring/scorer.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <limits>
#include <type_traits>

namespace {

using two = muster::resource_vector<2>;

// Worth the product of what is left.
struct area {
  [[nodiscard]] std::int64_t value(const two::state_type& left, const two::capacity_type&) const {
    return left[0] * left[1];
  }
};
struct worthless {};

static_assert(muster::node_value<area, two>);
static_assert(!muster::node_value<worthless, two>);
static_assert(muster::scoring_function<muster::least_loss<two, area>, two>);
static_assert(!std::is_constructible_v<muster::least_loss<two, area>, area>);  // it would refer to what is gone

}  // namespace

TEST_CASE("least loss is the value after the pod less the value before", "[scoring]") {
  const area worth;
  const muster::least_loss<two, area> score{worth};
  CHECK(score({4, 8}, {8, 8}, {1, 2}) == 3 * 6 - 4 * 8);
  CHECK(score({4, 8}, {8, 8}, {0, 0}) == 0);
}

TEST_CASE("a pod that does not fit scores lowest", "[scoring]") {
  const area worth;
  const muster::least_loss<two, area> score{worth};
  CHECK(score({4, 8}, {8, 8}, {5, 1}) == std::numeric_limits<std::int64_t>::min());
}

TEST_CASE("a value without end loses without overflow, NaN is the lowest value", "[scoring]") {
  struct fragile {
    [[nodiscard]] double value(const two::state_type& left, const two::capacity_type&) const {
      if (left[0] == 2) return std::numeric_limits<double>::quiet_NaN();
      return left[0] > 2 ? std::numeric_limits<double>::infinity() : 1.5;
    }
  };
  static_assert(muster::node_value<fragile, two>);
  const fragile worth;
  const muster::least_loss<two, fragile> score{worth};
  constexpr std::int64_t most = std::int64_t{1} << 62;
  CHECK(score({4, 8}, {8, 8}, {2, 2}) == muster::lowest_score);  // from the highest to the lowest value
  CHECK(score({2, 8}, {8, 8}, {1, 2}) == most + 1'500'000);
  CHECK(score({4, 8}, {8, 8}, {3, 2}) == 1'500'000 - most);
  CHECK(score({8, 8}, {8, 8}, {1, 1}) == 0);

  struct rising {
    [[nodiscard]] double value(const two::state_type& left, const two::capacity_type&) const {
      const double most = std::numeric_limits<double>::infinity();
      return left[0] > 2 ? -most : most;
    }
  };
  const rising gains;
  CHECK(muster::least_loss<two, rising>{gains}({4, 8}, {8, 8}, {2, 2}) == std::numeric_limits<std::int64_t>::max());
}
