// SPDX-License-Identifier: BSL-1.0
// Runs small enough to work out on paper. A run has two passes over the jobs; the second is measured, and here begins
// on an empty cluster.

#include "small_clusters.hpp"

#include <support/catch.hpp>

namespace {

using namespace topology_study;

const machines two_racks = hosts_in({{"P1", 2}, {"P1", 2}});

}  // namespace

TEST_CASE("a gang starts when its nodes come free, in the order of arrival") {
  // four nodes taken until 100; two and one wait
  const run_result found = run_jobs("first_fit", {{0, 100, 4, 8}, {10, 50, 2, 8}, {20, 30, 1, 8}}, two_racks, 1'000);
  REQUIRE(found.gangs.size() == 3);
  CHECK(found.gangs[0].waited == 0);
  CHECK(found.gangs[1].waited == 90);
  CHECK(found.gangs[2].waited == 80);
  CHECK(found.window == 1'001);
  CHECK(found.allocated == 4 * 8 * 100 + 2 * 8 * 50 + 8 * 30);
  CHECK(found.decisions == 6);
  CHECK(found.gangs[0].sits.within == nearness::block);
  CHECK(found.gangs[0].sits.mean_distance == Approx((2 * 1 + 4 * 2) / 6.0));
  CHECK(found.gangs[1].sits.within == nearness::rack);
  CHECK(found.gangs[1].sits.mean_distance == Approx(1));
  CHECK(found.gangs[2].sits.within == nearness::node);
  CHECK(found.gangs[2].sits.mean_distance == Approx(0));
}

TEST_CASE("a gang is passed over for an hour and by nobody after that") {
  // Three of four nodes are taken until 5,000. The gang of two comes at 10; at 20 one overtakes it, at 3,610 none does.
  const run_result found = run_jobs(
      "first_fit", {{0, 5'000, 3, 8}, {10, 50, 2, 8}, {20, 30, 1, 8}, {3'610, 30, 1, 8}}, two_racks, 10'000);
  CHECK(found.gangs[1].waited == 4'990);
  CHECK(found.gangs[2].waited == 0);
  CHECK(found.gangs[3].waited == 5'000 - 3'610);
  const run_result before = run_jobs(
      "first_fit", {{0, 5'000, 3, 8}, {10, 50, 2, 8}, {20, 30, 1, 8}, {3'609, 30, 1, 8}}, two_racks, 10'000);
  CHECK(before.gangs[3].waited == 0);
}

TEST_CASE("a gang that has not started when the window ends has waited until then") {
  const run_result found = run_jobs("first_fit", {{0, 1'000, 4, 8}, {900, 50, 4, 8}}, two_racks, 1'000);
  // The second gang starts at 1,000 in the warm-up, so the first one of the measured pass at 1,050, until 2,050.
  CHECK(found.gangs[0].waited == 50);
  CHECK_FALSE(found.gangs[1].started);
  CHECK(found.gangs[1].waited == 101);
  CHECK(found.allocated == 4 * 8 * (2'001 - 1'000));
}

TEST_CASE("a gang holds out for one rack, is not in the way, and takes what there is in the end") {
  // One node of each rack is taken for long. From 503 on one node is free in each; the gang of two comes at 600.
  std::vector<replay::job> jobs{{0, 10'000, 1, 8}, {1, 100, 1, 8},   {2, 10'000, 1, 8},
                                {3, 500, 1, 8},    {600, 100, 2, 8}, {650, 10, 1, 8}};
  const run_result at_once = run_jobs("muster", jobs, two_racks, 20'000);
  CHECK(at_once.gangs[4].waited == 0);
  CHECK(at_once.gangs[4].sits.within == nearness::block);
  CHECK(at_once.gangs[5].waited == 50);

  const run_result patient = run_jobs("muster_5min", jobs, two_racks, 20'000);
  CHECK(patient.gangs[4].waited == 300);
  CHECK(patient.gangs[4].sits.within == nearness::block);
  CHECK(patient.gangs[4].sits.mean_distance == Approx(2));
  CHECK(patient.gangs[5].waited == 0);

  jobs[2].duration = 700;  // its node comes free at 702
  const run_result lucky = run_jobs("muster_5min", jobs, two_racks, 20'000);
  CHECK(lucky.gangs[4].waited == 102);
  CHECK(lucky.gangs[4].sits.within == nearness::rack);
}

TEST_CASE("the time a gang holds out begins when it could have started, not when it came") {
  // All four nodes are taken; from 1,000 on one is free in each rack, at 1,100 two in the second.
  const std::vector<replay::job> jobs{
      {0, 9'000, 1, 8}, {1, 999, 1, 8}, {2, 1'098, 1, 8}, {3, 997, 1, 8}, {10, 100, 2, 8}};
  const run_result found = run_jobs("muster_5min", jobs, two_racks, 20'000);
  CHECK(found.gangs[4].waited == 1'100 - 10);
  CHECK(found.gangs[4].sits.within == nearness::rack);
}

TEST_CASE("a gang that holds out is in nobody's way, however long it has waited") {
  // From 4,000 on one node is free in each rack. The gang of two came at 10; another one comes at 4,050 for 10 s.
  const std::vector<replay::job> jobs{{0, 9'000, 1, 8}, {1, 3'999, 1, 8}, {2, 9'000, 1, 8},
                                      {3, 3'997, 1, 8}, {10, 100, 2, 8},  {4'050, 10, 1, 8}};
  const run_result found = run_jobs("muster_5min", jobs, two_racks, 20'000);
  CHECK(found.gangs[4].waited == 4'300 - 10);
  CHECK(found.gangs[5].waited == 0);
}

TEST_CASE("the mean distance is that of all pairs") {
  const machines on = hosts_in({{"P1", 2}, {"P1", 2}, {"P2", 2}});
  const auto reach = [&](std::vector<share> seats) { return reach_of(on, seats); };
  CHECK(reach({{0, 1}}).mean_distance == Approx(0));
  CHECK(reach({{0, 3}}).mean_distance == Approx(0));
  CHECK(reach({{0, 3}}).within == nearness::node);
  CHECK(reach({{0, 1}, {1, 1}}).mean_distance == Approx(1));
  CHECK(reach({{0, 1}, {1, 1}, {2, 1}}).mean_distance == Approx(5 / 3.0));
  CHECK(reach({{0, 1}, {2, 1}}).within == nearness::block);
  CHECK(reach({{0, 2}, {4, 2}}).mean_distance == Approx(4 * 3 / 6.0));
  CHECK(reach({{0, 2}, {4, 2}}).within == nearness::apart);
}

TEST_CASE("a run depends on its input alone") {
  const std::vector<replay::job> jobs{{0, 90, 2, 4}, {5, 70, 3, 8}, {9, 40, 1, 2}, {9, 80, 2, 8}, {30, 60, 4, 8}};
  for (const policy_entry& entry : all_policies()) {
    CAPTURE(std::string(entry.key));
    const run_result a = run_jobs(entry.key, jobs, two_racks, 100), b = run_jobs(entry.key, jobs, two_racks, 100);
    REQUIRE(a.gangs.size() == b.gangs.size());
    CHECK(a.allocated == b.allocated);
    for (std::size_t i = 0; i < a.gangs.size(); ++i) {
      CHECK(a.gangs[i].waited == b.gangs[i].waited);
      CHECK(a.gangs[i].sits.within == b.gangs[i].sits.within);
    }
  }
}
