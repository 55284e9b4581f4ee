// SPDX-License-Identifier: BSL-1.0
// Where each policy puts a gang, worked out by hand; and what none of them may miss, by counting in the test.

#include "draw.hpp"
#include "slot_counts.hpp"
#include "small_clusters.hpp"

#include <cstddef>
#include <functional>

#include <support/catch.hpp>

namespace {

using namespace topology_study;
using seats = std::vector<share>;

// Racks of hosts 0 1 2, 3 4 in one block and 5 6 7 in another; half of host 0 is taken.
struct half_a_host {
  machines on = hosts_in({{"P1", 3}, {"P1", 2}, {"P2", 3}});
  live_cluster cluster{on};
  half_a_host() { (void)cluster.bind({0, 1, 1, 4}, seats{{0, 1}}); }
  seats where(std::string_view key, int workers, int gpus) {
    return seats_of(key, on, cluster, {0, 1, workers, gpus});
  }
};

}  // namespace

TEST_CASE("a gang of two whole nodes") {
  half_a_host scene;
  CHECK(scene.where("first_fit", 2, 8) == seats{{1, 1}, {2, 1}});
  // the racks would be 83, 100 and 66 % allocated
  CHECK(scene.where("kubernetes", 2, 8) == seats{{3, 1}, {4, 1}});
  // they have 2, 2 and 3 slots
  CHECK(scene.where("kueue", 2, 8) == seats{{1, 1}, {2, 1}});
  CHECK(scene.where("muster", 2, 8) == seats{{1, 1}, {2, 1}});
}

TEST_CASE("a single GPU") {
  half_a_host scene;
  CHECK(scene.where("first_fit", 1, 1) == seats{{0, 1}});
  // the first rack is the fullest, and there the emptiest node is taken
  CHECK(scene.where("kubernetes", 1, 1) == seats{{1, 1}});
  // 20, 16 and 24 slots: the second rack
  CHECK(scene.where("kueue", 1, 1) == seats{{3, 1}});
  // the fullest node
  CHECK(scene.where("muster", 1, 1) == seats{{0, 1}});
}

TEST_CASE("pods of one gang by fours") {
  half_a_host scene;
  // Kubernetes takes the emptiest node for each pod: after the second rack's 3 it is 4's turn
  CHECK(scene.where("kubernetes", 2, 4) == seats{{1, 1}, {2, 1}});
  CHECK(scene.where("kueue", 2, 4) == seats{{3, 2}});
}

TEST_CASE("a gang larger than every rack keeps to one block") {
  half_a_host scene;
  for (const char* key : {"first_fit", "kubernetes", "kueue", "muster"}) {
    CAPTURE(key);
    CHECK(scene.where(key, 4, 8) == seats{{1, 1}, {2, 1}, {3, 1}, {4, 1}});
  }
}

TEST_CASE("a gang larger than every block fills the largest") {
  half_a_host scene;
  // the largest racks of both blocks: all of the third, and of the two that hold the other two pods the first
  CHECK(scene.where("kueue", 5, 8) == seats{{1, 1}, {2, 1}, {5, 1}, {6, 1}, {7, 1}});
  // all of the first block, and one node of the second
  CHECK(scene.where("muster", 5, 8) == seats{{1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 1}});
}

TEST_CASE("holding out is for what the empty cluster could do") {
  half_a_host scene;
  CHECK(scene.where("muster_5min", 2, 8) == seats{{1, 1}, {2, 1}});
  CHECK(scene.where("muster_5min", 4, 8) == seats{{1, 1}, {2, 1}, {3, 1}, {4, 1}});
  CHECK(scene.where("muster_5min", 5, 8).empty());   // a block has five nodes, four are free
  CHECK(scene.where("muster_5min", 6, 8).size() == 6);  // no block has six
}

TEST_CASE("who looks at the topology misses no rack and no block that holds the gang") {
  const machines on = hosts_in({{"P1", 3}, {"P1", 2}, {"P2", 4}, {"P2", 1}, {"P3", 3}});
  replay::draw random{7};
  for (int round = 0; round < 300; ++round) {
    live_cluster cluster{on};
    std::vector<int> free(on.hosts.size(), gpus_per_node);
    for (std::uint32_t i = 0; i < free.size(); ++i)
      if (const auto gpus = static_cast<int>(random.between(0, 8)); gpus > 0) {
        (void)cluster.bind({0, 1, 1, gpus}, seats{{i, 1}});
        free[i] -= gpus;
      }
    const int gpus = static_cast<int>(random.between(1, 8)), workers = static_cast<int>(random.between(1, 9));
    std::vector<int> in_rack(on.racks, 0), in_block(on.blocks, 0);
    int in_all = 0;
    for (std::size_t i = 0; i < free.size(); ++i) {
      in_rack[on.hosts[i].rack] += free[i] / gpus;
      in_block[on.hosts[i].block] += free[i] / gpus;
      in_all += free[i] / gpus;
    }
    if (in_all < workers) continue;
    const bool rack = *std::max_element(in_rack.begin(), in_rack.end()) >= workers;
    const bool block = *std::max_element(in_block.begin(), in_block.end()) >= workers;
    for (const char* key : {"first_fit", "kubernetes", "kueue", "muster"}) {
      CAPTURE(round, key, workers, gpus);
      const seats found = seats_of(key, on, cluster, {0, 1, workers, gpus});
      int pods = 0;
      for (const share& one : found) {
        CHECK(one.pods * gpus <= free[one.position]);
        pods += one.pods;
      }
      CHECK(pods == workers);
      if (std::string_view{key} == "first_fit") continue;
      const nearness within = reach_of(on, found).within;
      CHECK((within <= nearness::rack) == rack);
      CHECK((within <= nearness::block) == block);
    }
  }
}

TEST_CASE("no division uses fewer domains or has more pairs together") {
  replay::draw random{11};
  for (int round = 0; round < 500; ++round) {
    std::vector<int> counts(4);
    int sum = 0;
    for (int& one : counts) sum += one = static_cast<int>(random.between(0, 4));
    if (sum == 0) continue;
    const int pods = static_cast<int>(random.between(1, sum));
    int most_pairs = -1, fewest = 5;
    std::vector<int> taken(counts.size(), 0);
    const std::function<void(std::size_t, int)> try_all = [&](std::size_t at, int left) {
      if (at == counts.size()) {
        if (left > 0) return;
        int pairs = 0, used = 0;
        for (const int one : taken) pairs += one * (one - 1) / 2, used += one > 0 ? 1 : 0;
        most_pairs = std::max(most_pairs, pairs);
        fewest = std::min(fewest, used);
        return;
      }
      for (taken[at] = 0; taken[at] <= std::min(counts[at], left); ++taken[at]) try_all(at + 1, left - taken[at]);
      taken[at] = 0;
    };
    try_all(0, pods);
    int pairs = 0, used = 0, all = 0;
    divide(range{0, 4}, counts, pods, [&](std::uint32_t domain, int some) {
      CHECK(some <= counts[domain]);
      pairs += some * (some - 1) / 2;
      all += some;
      ++used;
    });
    CAPTURE(round, counts[0], counts[1], counts[2], counts[3], pods);
    CHECK(all == pods);
    CHECK(pairs == most_pairs);
    CHECK(used == fewest);
  }
}

TEST_CASE("the last domain of a division is the smallest that suffices, the first of equal ones") {
  const auto divided = [](const std::vector<int>& counts, int pods) {
    seats found;
    divide(range{0, static_cast<std::uint32_t>(counts.size())}, counts, pods,
           [&](std::uint32_t domain, int some) { found.push_back({domain, some}); });
    return found;
  };
  CHECK(divided({3, 3, 1}, 4) == seats{{0, 3}, {2, 1}});
  CHECK(divided({3, 2, 2}, 2) == seats{{1, 2}});
  CHECK(divided({1, 3, 3}, 7) == seats{{1, 3}, {2, 3}, {0, 1}});
}

TEST_CASE("a placement that does not hold is not taken") {
  half_a_host scene;
  CHECK_THROWS_AS(scene.cluster.bind({0, 1, 1, 8}, seats{{0, 1}}), std::logic_error);
  CHECK_THROWS_AS(scene.cluster.bind({0, 1, 2, 8}, seats{{1, 1}}), std::logic_error);
  CHECK_THROWS_AS(scene.cluster.bind({0, 1, 1, 8}, seats{{99, 1}}), std::logic_error);
}
