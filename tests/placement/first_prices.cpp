// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/detail/first_prices.hpp>

#include "support/catch.hpp"

#include <muster/resource/devices.hpp>
#include <muster/resource/resource_vector.hpp>

#include <cstddef>
#include <vector>

using namespace muster;
using namespace muster::placement_detail;

namespace {

using pair = resource_vector<2>;

std::vector<price> prices(const std::vector<pair::state_type>& nodes, const std::vector<pair::request_type>& requests,
                          const std::vector<class_count>& demand) {
  first_prices<pair> of;
  of.start();
  for (const auto& node : nodes) of.add(node);
  std::vector<price> made;
  of.write(requests, demand, made);
  return made;
}

}  // namespace

TEST_CASE("pricing begins with what a pod needs of what is scarce", "[placement]") {
  SECTION("of one resource by its amount") {
    CHECK(prices({{8, 100}, {4, 100}}, {{4, 0}, {1, 0}, {2, 0}}, {1, 1, 1}) ==
          std::vector<price>{top_price, top_price / 4, top_price / 2});
  }
  SECTION("of two by the one that more is asked of") {
    const auto made = prices({{10, 1000}}, {{4, 1}, {1, 100}}, {2, 2});
    CHECK(made[0] == top_price);
    CHECK(made[1] < top_price / 2);  // a tenth of the second is not much where a fifth of it is asked
    CHECK(made[1] >= top_price / 4);
  }
  SECTION("whatever the units") {
    const auto small = prices({{10, 30}}, {{4, 1}, {1, 10}}, {2, 2});
    const auto large = prices({{10'000'000, 30 * 4096}}, {{4'000'000, 4096}, {1'000'000, 40'960}}, {2, 2});
    CHECK(small == large);
  }
}

TEST_CASE("every pod has a price to begin with", "[placement]") {
  CHECK(prices({{10, 10}}, {{1, 0}, {0, 0}}, {1, 1}) == std::vector<price>{top_price, 1});
  CHECK(prices({}, {{1, 0}, {0, 1}}, {1, 1}) == std::vector<price>{top_price, top_price});
  CHECK(prices({{0, -5}}, {{1, 0}, {0, 1}}, {1, 1}) == std::vector<price>{top_price, top_price});
  CHECK(prices({{max_amount, max_amount}, {max_amount, 1}}, {{max_amount, 1}, {1, max_amount}},
               {max_pods_per_group, max_pods_per_group}) == std::vector<price>{top_price / 2, top_price});

  using gpus = devices<4>;  // where amounts do not decide, a pod is worth a pod
  first_prices<gpus> of;
  of.start();
  of.add(gpus::empty_node({.count = 4}));
  std::vector<price> made;
  gpus::request_type two;
  two.whole = 2;
  of.write(std::vector<gpus::request_type>{two, {}}, std::vector<class_count>{1, 1}, made);
  CHECK(made == std::vector<price>{top_price, top_price});
}
