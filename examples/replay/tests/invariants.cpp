// SPDX-License-Identifier: BSL-1.0
// What must hold on any input: checked on generated ones, small enough for sanitizers.

#include "report.hpp"
#include "small_runs.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <utility>

#include <support/catch.hpp>

namespace {

using namespace replay;

const char* const keys[] = {"pods", "quota", "gangs", "strict", "pods_in_order"};

node_list mixed_nodes() {
  node_list nodes;
  for (int node = 0; node < 24; ++node) nodes.push_back(node % 3 == 0 ? 8 : node % 3 == 1 ? 4 : 2);
  return nodes;
}

}  // namespace

TEST_CASE("every job ends or is stuck, and GPU time adds up, under every rule") {
  for (const char* key : keys) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      for (const int load : {70, 90, 130}) {
        CAPTURE(key, seed, load);
        // run() itself checks at every event that allocated is the sum of what is held and that the free
        // GPUs are the rest, and throws otherwise.
        const run_result result = run_generated(key, mixed_nodes(), {seed, 4 * 86'400, load});
        CHECK(result.ended + result.stuck == result.jobs);
        CHECK(result.stuck_holding <= result.stuck);
        CHECK(result.waits.size() * 2 == result.jobs);
        CHECK(result.window_sum.useful <= result.window_sum.allocated);
        CHECK(result.window_sum.allocated <= result.total_gpus * (result.window_to - result.window_from));
        const std::int64_t waiting =
            result.waited.members + result.waited.capacity + result.waited.fragmentation + result.waited.order;
        CHECK(waiting == result.window_sum.waiting_jobs);
        CHECK(result.waited.members == result.window_sum.holding_jobs);
        const bool whole_gangs = std::string(key) == "gangs" || std::string(key) == "strict";
        if (whole_gangs) {
          CHECK(result.stuck == 0);
          CHECK(result.window_sum.useful == result.window_sum.allocated);
          CHECK(result.waited.members == 0);
        }
        if (std::string(key) == "gangs") CHECK(result.waited.order == 0);
        if (std::string(key) == "pods") CHECK(result.waited.order == 0);
      }
    }
  }
}

TEST_CASE("the time series adds up to the window's sum") {
  const run_result result = run_generated("gangs", mixed_nodes(), {5, 4 * 86'400, 105});
  levels sum;
  for (std::size_t bin = 0; bin < result.series.bins(); ++bin) {
    const seconds from = static_cast<seconds>(bin) * result.series.width();
    if (from >= result.window_from) sum.add(result.series.sum(bin), 1);
  }
  // A bin lies across the edge of the window: the sums differ by less than it can hold.
  const std::int64_t slack = result.total_gpus * result.series.width();
  CHECK(sum.allocated <= result.window_sum.allocated);
  CHECK(sum.allocated >= result.window_sum.allocated - slack);
  CHECK(sum.useful == sum.allocated);
}

TEST_CASE("two runs print the same, decisions per second apart") {
  for (const char* key : keys) {
    CAPTURE(key);
    std::string printed[2];
    for (std::string& text : printed) {
      std::ostringstream out;
      write_table(out, {run_generated(key, mixed_nodes(), {9, 4 * 86'400, 105})}, false);
      text = out.str();
    }
    CHECK(printed[0] == printed[1]);
  }
}

TEST_CASE("asking for single gangs and handing whole queues to schedule() start the same jobs at the same times") {
  const std::pair<const char*, const char*> pairs[] = {{"gangs", "gang_turns"}, {"strict", "strict_turns"}};
  for (const auto& [asked, by_turns] : pairs) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      CAPTURE(asked, seed);
      const generator_settings settings{seed, 4 * 86'400, 120};
      const run_result one = run_generated(asked, mixed_nodes(), settings);
      const run_result other = run_generated(by_turns, mixed_nodes(), settings);
      REQUIRE(one.waits.size() == other.waits.size());
      std::size_t different = 0;
      for (std::size_t index = 0; index < one.waits.size(); ++index) {
        if (one.waits[index].waited != other.waits[index].waited) ++different;
      }
      CHECK(different == 0);
      CHECK(one.last_start == other.last_start);
      CHECK(one.window_sum.allocated == other.window_sum.allocated);
      CHECK(one.waited.fragmentation == other.waited.fragmentation);
    }
  }
}
