// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/detail/first_prices.hpp>

#include "support/catch.hpp"

#include <muster/resource/resource_vector.hpp>

#include <cstddef>
#include <vector>

using namespace muster;
using namespace muster::placement_detail;

namespace {

using pair = resource_vector<2>;

std::vector<price> prices(const std::vector<pair::state_type>& nodes, const std::vector<pair::request_type>& needs,
                          const pair::request_type& asked) {
  first_prices<pair> of;
  of.start();
  for (const auto& node : nodes) of.add(node);
  std::vector<price> made;
  of.write(needs, asked, made);
  return made;
}

}  // namespace

TEST_CASE("pricing begins with what a pod needs of what is scarce", "[placement]") {
  SECTION("of one resource by its amount") {
    CHECK(prices({{8, 100}, {4, 100}}, {{4, 0}, {1, 0}, {2, 0}}, {7, 0}) ==
          std::vector<price>{top_price, top_price / 4, top_price / 2});
  }
  SECTION("of two by the one that more is asked of") {
    const auto made = prices({{10, 1000}}, {{4, 1}, {1, 100}}, {10, 202});
    CHECK(made[0] == top_price);
    CHECK(made[1] < top_price / 2);  // a tenth of the second is not much where a fifth of it is asked
    CHECK(made[1] >= top_price / 4);
  }
  SECTION("whatever the units") {
    const auto small = prices({{10, 30}}, {{4, 1}, {1, 10}}, {10, 22});
    const auto large = prices({{10'000'000, 30 * 4096}}, {{4'000'000, 4096}, {1'000'000, 40'960}},
                              {10'000'000, 22 * 4096});
    CHECK(small == large);
  }
}

TEST_CASE("every pod has a price to begin with", "[placement]") {
  CHECK(prices({{10, 10}}, {{1, 0}, {0, 0}}, {1, 0}) == std::vector<price>{top_price, 1});
  CHECK(prices({}, {{1, 0}, {0, 1}}, {1, 1}) == std::vector<price>{top_price, top_price});
  CHECK(prices({{0, -5}}, {{1, 0}, {0, 1}}, {1, 1}) == std::vector<price>{top_price, top_price});
  const amount all = saturating_multiply(max_amount, max_pods_per_group);
  CHECK(prices({{max_amount, max_amount}, {max_amount, 1}}, {{max_amount, 1}, {1, max_amount}}, {all, all}) ==
        std::vector<price>{top_price / 2, top_price});
}
