// SPDX-License-Identifier: BSL-1.0
// Runs small enough to work out on paper. A run has two passes over the jobs; the second is measured.

#include "small_runs.hpp"

#include <cstdint>

#include <support/catch.hpp>

namespace {

using namespace replay;

// Twelve nodes of one GPU, two jobs of eight pods that arrive together.
const node_list twelve(12, 1);
const std::vector<job> two_of_eight{{0, 100, 8, 1}, {0, 100, 8, 1}};

// Two nodes of four GPUs. The first two jobs leave one GPU free on each; the third needs two on one node until
// they end at 100; the fourth needs one.
const node_list two_of_four{4, 4};
const std::vector<job> split_room{{0, 100, 1, 3}, {0, 100, 1, 3}, {10, 50, 1, 2}, {20, 30, 1, 1}};

}  // namespace

TEST_CASE("pod by pod, two jobs of eight hold six and six of twelve GPUs for ever") {
  const run_result result = run_rule("pods", two_of_eight, twelve, 1'000);
  CHECK(result.ended == 0);
  CHECK(result.stuck == 4);  // the second pass finds nothing free
  CHECK(result.stuck_holding == 2);
  CHECK(result.stuck_gpus == 12);
  CHECK(result.window_sum.allocated == 12 * 1'001);
  CHECK(result.window_sum.useful == 0);
  CHECK(result.waited.members == 2 * 1'001);
  CHECK(result.waited.capacity == 2 * 1'001);
  for (const measured_wait& wait : result.waits) {
    CHECK(wait.cut_off);
    CHECK(wait.waited == 1'001);
  }
}

TEST_CASE("as gangs, one of two jobs of eight runs and the other waits holding nothing") {
  for (const char* key : {"gangs", "strict", "quota"}) {
    CAPTURE(key);
    const run_result result = run_rule(key, two_of_eight, twelve, 1'000);
    CHECK(result.ended == 4);
    CHECK(result.stuck == 0);
    CHECK(result.window_sum.allocated == 2 * 8 * 100);
    CHECK(result.window_sum.useful == result.window_sum.allocated);
    CHECK(result.waited.members == 0);
    CHECK(result.waited.capacity == 100);
    REQUIRE(result.waits.size() == 2);
    CHECK(result.waits[0].waited == 0);
    CHECK(result.waits[1].waited == 100);
  }
}

TEST_CASE("best effort lets the small job overtake, strict order does not") {
  const run_result overtaken = run_rule("gangs", split_room, two_of_four, 1'000);
  CHECK(overtaken.waits[2].waited == 90);
  CHECK(overtaken.waits[3].waited == 0);
  CHECK(overtaken.waited.fragmentation == 10 + 50);  // while one GPU is free on each node
  CHECK(overtaken.waited.capacity == 30);            // while the fourth job has one of them, from 20 to 50
  CHECK(overtaken.waited.order == 0);

  const run_result strict = run_rule("strict", split_room, two_of_four, 1'000);
  CHECK(strict.waits[2].waited == 90);
  CHECK(strict.waits[3].waited == 80);
  CHECK(strict.waited.fragmentation == 90);
  CHECK(strict.waited.order == 80);
  CHECK(strict.waited.capacity == 0);
}

TEST_CASE("a failed attempt sends a pod to the back, so jobs take freed capacity in turn") {
  // Three nodes of one GPU come free at 10, 20 and 30; two jobs of two pods wait, and the queue is A A B B. At 10 A
  // takes one, and the other A fails and goes behind B B. At 20 B takes one, and the other B goes behind A.
  // At 30 A takes the last and starts; B waits for its end.
  const node_list three(3, 1);
  const std::vector<job> jobs{{0, 10, 1, 1}, {0, 20, 1, 1}, {0, 30, 1, 1}, {1, 500, 2, 1}, {2, 500, 2, 1}};
  const run_result in_turn = run_rule("pods", jobs, three, 5'000);
  CHECK(in_turn.waits[3].waited == 30 - 1);
  CHECK(in_turn.waits[4].waited == 530 - 2);
  CHECK(in_turn.waited.members == (30 - 10) + (530 - 20));

  const run_result in_order = run_rule("pods_in_order", jobs, three, 5'000);
  CHECK(in_order.waits[3].waited == 20 - 1);
  CHECK(in_order.waits[4].waited == 520 - 2);
}

TEST_CASE("quota lets in what the sum covers, though its pods may not sit") {
  const run_result result = run_rule("quota", split_room, two_of_four, 1'000);
  CHECK(result.waits[2].waited == 90);
  CHECK(result.waits[3].waited == 80);  // both free GPUs are promised to the third job
  CHECK(result.waited.order == 80);
  CHECK(result.waited.fragmentation == 90);
  CHECK(result.ended == 8);
}

TEST_CASE("a job of no duration starts and ends in its second") {
  const run_result result = run_rule("gangs", {{0, 0, 2, 1}, {0, 0, 2, 1}}, {2}, 10);
  CHECK(result.ended == 4);
  CHECK(result.window_sum.allocated == 0);
  CHECK(result.waits[1].waited == 0);
}
