// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/detail/game.hpp>

#include "support/catch.hpp"
#include "support/generator.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

using namespace muster::placement_detail;
using muster_test::generator;

namespace {

using entries = std::vector<std::int64_t>;
constexpr std::int64_t one = matrix_game::one;

std::int64_t paid(const entries& column, std::span<const std::int64_t> rows) {
  wide_int sum = 0;
  for (std::size_t c = 0; c < column.size(); ++c)
    sum += static_cast<wide_int>(column[c]) * std::max<std::int64_t>(rows[c], 0);
  return static_cast<std::int64_t>(sum / one);
}

}  // namespace

// By duality the mixture of columns cannot be better than the rows' weights in sum, if these are not negative and make
// every column pay one.
TEST_CASE("where no column enters any more the mixture is the best there is", "[placement]") {
  generator rng{"a matrix game"};
  for (int round = muster_test::rounds(500); round > 0; --round) {
    CAPTURE(rng.seed(), round);
    const auto rows = static_cast<std::size_t>(rng.between(2, 6));
    std::vector<entries> columns;
    for (auto count = rng.between(1, 40); count > 0; --count) {
      entries& column = columns.emplace_back();
      // most rows are met by most columns: a row that matters at first need not matter in the end
      for (std::size_t c = 0; c < rows; ++c) column.push_back(rng.chance(30) ? 3 * one : rng.between(one, 4 * one));
    }
    matrix_game game;
    game.start(rows);
    for (int entered = 0; entered < 1000; ++entered) {
      const auto cheapest = std::min_element(columns.begin(), columns.end(), [&](const entries& a, const entries& b) {
        return paid(a, game.rows()) < paid(b, game.rows());
      });
      if (!game.enter(*cheapest, static_cast<std::uint32_t>(cheapest - columns.begin()))) break;
      for (const std::int64_t weight : game.rows()) REQUIRE(weight > -one / 1000);
    }
    std::int64_t sum = 0;
    for (const std::int64_t weight : game.rows()) sum += std::max<std::int64_t>(weight, 0);
    for (const entries& column : columns) REQUIRE(paid(column, game.rows()) > one - one / 1000);
    CHECK(std::abs(sum - game.weight()) < one / 1000);

    std::vector<std::int64_t> given(rows, 0);  // and it is a mixture: no row is overdrawn
    for (std::size_t i = 0; i < game.parts(); ++i) {
      const auto [column, weight] = game.mixture(i);
      if (column == matrix_game::no_column) continue;
      REQUIRE(weight >= 0);
      for (std::size_t c = 0; c < rows; ++c)
        given[c] += static_cast<std::int64_t>(static_cast<wide_int>(columns[column][c]) * weight / one);
    }
    for (const std::int64_t here : given) CHECK(here < one + one / 1000);
  }
}
