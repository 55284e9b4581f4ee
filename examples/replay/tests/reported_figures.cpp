// SPDX-License-Identifier: BSL-1.0
// The figures of the report, from waits worked out by hand.

#include "report.hpp"

#include <vector>

#include <support/catch.hpp>

TEST_CASE("percentiles are the smallest wait that so many jobs do not exceed, and say what was cut off") {
  using namespace replay;
  run_result one;
  for (seconds waited = 1; waited <= 100; ++waited) one.waits.push_back({16, waited, waited > 97});
  one.waits.push_back({1, 7, false});
  const std::vector<wait_figures> all = waits_by_size(one);
  REQUIRE(all.size() == 3);
  CHECK(all[0].sizes == "1");
  CHECK(all[0].jobs == 1);
  CHECK(all[0].p99 == 7);
  CHECK_FALSE(all[0].p99_cut_off);
  CHECK(all[1].sizes == "9-32");
  CHECK(all[1].jobs == 100);
  CHECK(all[1].cut_off == 3);
  CHECK(all[1].mean == 50);
  CHECK(all[1].p50 == 50);
  CHECK(all[1].p95 == 95);
  CHECK(all[1].p99 == 99);
  CHECK(all[1].most == 100);
  CHECK_FALSE(all[1].p95_cut_off);
  CHECK(all[1].p99_cut_off);
  CHECK(all[2].sizes == "all");
  CHECK(all[2].jobs == 101);
}
