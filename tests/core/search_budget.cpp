// SPDX-License-Identifier: BSL-1.0
#include <muster/core/search_budget.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <limits>

using muster::search_budget;

TEST_CASE("a budget is out once its steps are spent, and stays out", "[core]") {
  search_budget budget{10};
  CHECK(budget.spend(9));
  CHECK_FALSE(budget.out());
  CHECK_FALSE(budget.spend(1));
  CHECK(budget.out());
  CHECK(budget.spent() == 10);
  CHECK_FALSE(budget.spend(0));
}

TEST_CASE("a budget of nothing is out at once, one without a limit never", "[core]") {
  CHECK(search_budget{0}.out());
  search_budget endless;
  CHECK(endless.spend(std::uint64_t{1} << 62U));
  CHECK_FALSE(endless.spend(std::numeric_limits<std::uint64_t>::max()));  // but spent steps are held at the top
  CHECK(endless.spent() == std::numeric_limits<std::uint64_t>::max());
}

TEST_CASE("stop is asked every few thousand steps, and a yes is final", "[core]") {
  int asked = 0;
  bool wish = false;
  const auto stop = [&] {
    ++asked;
    return wish;
  };
  search_budget budget{1'000'000, stop};
  CHECK(budget.spend(1));
  const int first = asked;
  for (int i = 0; i < 4000; ++i) budget.spend(1);
  CHECK(asked == first);
  for (int i = 0; i < 200; ++i) budget.spend(1);
  CHECK(asked == first + 1);
  wish = true;
  CHECK_FALSE(budget.spend(5000));
  CHECK(budget.stopped());
  wish = false;
  CHECK_FALSE(budget.spend(5000));
}
