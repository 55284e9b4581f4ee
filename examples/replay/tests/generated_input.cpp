// SPDX-License-Identifier: BSL-1.0
// The embedded generator and the load rules.

#include "generator.hpp"
#include "load.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <support/catch.hpp>

namespace {

using namespace replay;

bool same(const job& a, const job& b) {
  return a.submit == b.submit && a.duration == b.duration && a.workers == b.workers &&
         a.gpus_per_worker == b.gpus_per_worker;
}

bool near(double value, double wanted, double margin) { return std::abs(value - wanted) <= margin; }

}  // namespace

TEST_CASE("the same seed gives the same jobs, another seed others") {
  const node_list nodes(1'250, 8);
  const trace first = generate(nodes, {1, 10 * 86'400, 90});
  const trace again = generate(nodes, {1, 10 * 86'400, 90});
  const trace other = generate(nodes, {2, 10 * 86'400, 90});
  CHECK(std::equal(first.jobs.begin(), first.jobs.end(), again.jobs.begin(), again.jobs.end(), same));
  CHECK_FALSE(std::equal(first.jobs.begin(), first.jobs.end(), other.jobs.begin(), other.jobs.end(), same));
  // mt19937_64 is fixed by the standard and the rest is integers: these hold with every library.
  CHECK(first.jobs.size() == 42'706);
  CHECK(first.jobs[1'000].submit == 21'015);
}

TEST_CASE("generated jobs follow the cited tables") {
  const node_list nodes(1'250, 8);
  const trace input = generate(nodes, {1, 60 * 86'400, 105});
  CHECK(near(offered_load(input, nodes), 1.05, 0.005));
  const double count = static_cast<double>(input.jobs.size());
  const auto percent = [&](auto holds) {
    return 100.0 * static_cast<double>(std::count_if(input.jobs.begin(), input.jobs.end(), holds)) / count;
  };
  CHECK(near(percent([](const job& one) { return one.workers == 1; }), 91.6, 0.3));
  CHECK(near(percent([](const job& one) { return one.workers > 32; }), 0.34, 0.05));
  CHECK(near(percent([](const job& one) { return one.duration >= 3 * 86'400; }), 6.0, 0.3));
  CHECK(near(percent([](const job& one) { return gpus_of(one) == 1; }), 74.2, 0.3));
  CHECK(near(percent([](const job& one) { return gpus_of(one) > 128; }), 0.45, 0.1));
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
  CHECK(near(mean_demand(input), 24.0, 1e-9));
  CHECK(nodes_for_load(input, 100) == 3);
  CHECK(nodes_for_load(input, 50) == 6);

  const trace copies = with_copies(input, 5, 7);
  CHECK(copies.jobs.size() == 10);
  CHECK(near(mean_demand(copies), 5 * 24.0, 1e-9));
  CHECK(std::is_sorted(copies.jobs.begin(), copies.jobs.end(),
                       [](const job& a, const job& b) { return a.submit < b.submit; }));
  CHECK(copies.jobs.back().submit < input.span);

  trace cut = input;
  set_aside_too_large(cut, node_list(3, 8));
  CHECK(cut.jobs.size() == 1);
  CHECK(cut.too_large == 1);
}
