// SPDX-License-Identifier: BSL-1.0
// The embedded generator and the load rules.

#include "generator.hpp"
#include "load.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <support/catch.hpp>

namespace {

using namespace replay;

bool same(const job& a, const job& b) {
  return a.submit == b.submit && a.duration == b.duration && a.workers == b.workers &&
         a.gpus_per_worker == b.gpus_per_worker;
}

}  // namespace

TEST_CASE("the same seed gives the same jobs, another seed others") {
  const node_list nodes(1'250, 8);
  const trace first = generate(nodes, {1, 10 * 86'400, 90});
  const trace again = generate(nodes, {1, 10 * 86'400, 90});
  const trace other = generate(nodes, {2, 10 * 86'400, 90});
  CHECK(std::equal(first.jobs.begin(), first.jobs.end(), again.jobs.begin(), again.jobs.end(), same));
  CHECK_FALSE(std::equal(first.jobs.begin(), first.jobs.end(), other.jobs.begin(), other.jobs.end(), same));
  // mt19937_64 is fixed by the standard and the rest is integers: these hold with every library.
  CHECK(first.jobs.size() == GENERATED_JOBS);
  CHECK(first.jobs[1'000].submit == GENERATED_SUBMIT);
}

TEST_CASE("generated jobs follow the cited tables") {
  const trace input = generate(node_list(1'250, 8), {1, 60 * 86'400, 105});
  CHECK(offered_load(input, node_list(1'250, 8)) == Approx(1.05).margin(0.005));
  const double count = static_cast<double>(input.jobs.size());
  const auto percent = [&](auto holds) {
    return 100.0 * static_cast<double>(std::count_if(input.jobs.begin(), input.jobs.end(), holds)) / count;
  };
  CHECK(percent([](const job& one) { return one.workers == 1; }) == Approx(91.6).margin(0.3));
  CHECK(percent([](const job& one) { return one.workers > 32; }) == Approx(0.34).margin(0.05));
  CHECK(percent([](const job& one) { return one.duration >= 3 * 86'400; }) == Approx(6.0).margin(0.3));
  CHECK(percent([](const job& one) { return gpus_of(one) == 1; }) == Approx(76.4).margin(0.5));
  CHECK(percent([](const job& one) { return gpus_of(one) > 128; }) == Approx(0.45).margin(0.1));
  const auto largest = std::max_element(input.jobs.begin(), input.jobs.end(),
                                        [](const job& a, const job& b) { return a.workers < b.workers; });
  CHECK(largest->workers > 256);
  CHECK(largest->workers <= 332);
}

TEST_CASE("nothing is generated that no rule could run") {
  const node_list small(10, 4);
  const trace input = generate(small, {1, 86'400, 90});
  CHECK(input.too_large > 0);
  const empty_cluster room(small);
  CHECK(std::all_of(input.jobs.begin(), input.jobs.end(), [&room](const job& one) { return room.fits(one); }));
}

TEST_CASE("load is set by the size of the cluster or by whole copies") {
  trace input;
  input.span = 1'000;
  input.jobs = {{0, 500, 2, 8}, {900, 500, 4, 8}};  // 24 GPUs on average
  CHECK(mean_demand(input) == Approx(24.0));
  CHECK(nodes_for_load(input, 100) == 3);
  CHECK(nodes_for_load(input, 50) == 6);

  const trace copies = with_copies(input, 5, 7);
  CHECK(copies.jobs.size() == 10);
  CHECK(mean_demand(copies) == Approx(5 * 24.0));
  CHECK(std::is_sorted(copies.jobs.begin(), copies.jobs.end(),
                       [](const job& a, const job& b) { return a.submit < b.submit; }));
  CHECK(copies.jobs.back().submit < input.span);

  trace cut = input;
  set_aside_too_large(cut, node_list(3, 8));
  CHECK(cut.jobs.size() == 1);
  CHECK(cut.too_large == 1);
}
