// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/detail/dearest_additive.hpp>

#include "support/catch.hpp"
#include "support/generator.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

using namespace muster;
using namespace muster::placement_detail;
using muster_test::generator;

namespace {

using dearest = additive_dearest<3>;
using counts = std::vector<class_count>;

struct classes_of_pods {
  std::vector<dearest::node> needs;
  std::vector<price> prices;

  [[nodiscard]] class_count alone(std::size_t c, const dearest::node& left, pod_count cap) const {
    pod_count most = cap;
    for (std::size_t d = 0; d < 3; ++d)
      if (needs[c][d] > 0) most = std::min<pod_count>(most, left[d] / needs[c][d]);
    return static_cast<class_count>(most);
  }
  [[nodiscard]] counts alone(const dearest::node& left, pod_count cap) const {
    counts of_each;
    for (std::size_t c = 0; c < needs.size(); ++c) of_each.push_back(alone(c, left, cap));
    return of_each;
  }
  /// By trying every vector of counts of the classes from `c` on.
  [[nodiscard]] price most_worth(const dearest::node& left, pod_count cap, std::size_t c = 0) const {
    if (c == needs.size()) return 0;
    price most = 0;
    dearest::node rest = left;
    for (pod_count pods = 0; pods <= alone(c, left, cap); ++pods) {
      most = std::max(most, pods * prices[c] + most_worth(rest, cap - pods, c + 1));
      for (std::size_t d = 0; d < 3; ++d) rest[d] -= needs[c][d];
    }
    return most;
  }
};

/// Needs of every size, some smaller than any part of a table of these nodes, some of nothing at all.
amount some_need(generator& rng, amount largest) {
  if (rng.chance(15)) return 0;
  return rng.chance(15) ? rng.between(1, largest / 200 + 1) : rng.between(largest / 12 + 1, largest / 2);
}

}  // namespace

TEST_CASE("the dearest pattern is the dearest of all, whatever was looked up", "[placement]") {
  generator rng{"the dearest by tables"};
  for (int round = muster_test::rounds(60); round > 0; --round) {
    CAPTURE(rng.seed(), round);
    const amount largest = rng.chance(50) ? rng.between(40, 250) : rng.between(10'000, 300'000);
    classes_of_pods of;
    for (auto classes = rng.between(2, 4); classes > 0; --classes) {
      of.needs.push_back({some_need(rng, largest), some_need(rng, largest), some_need(rng, largest)});
      of.prices.push_back(rng.chance(15) ? 0 : rng.between(1, rng.chance(50) ? 9 : top_price));
    }
    dearest kept;
    kept.start(of.needs);
    for (int node = 0; node < 40; ++node) {
      const dearest::node left{rng.between(0, largest), rng.between(0, largest), rng.between(0, largest)};
      const pod_count cap = rng.between(0, 12);
      const counts alone = of.alone(left, cap);
      counts best(of.needs.size(), 0);
      search_budget budget;
      kept.expect(left);
      const bool any = kept.find(left, alone, cap, of.prices, -1, effort::thorough, best, budget);
      REQUIRE(any);
      REQUIRE(worth(best, of.prices) == of.most_worth(left, cap));
      const price most = worth(best, of.prices);
      REQUIRE_FALSE(kept.find(left, alone, cap, of.prices, most, effort::thorough, best, budget));
    }
  }
}

TEST_CASE("tables make a search shorter and change no answer", "[placement]") {
  generator rng{"shorter by tables"};
  std::uint64_t with = 0, without = 0;
  for (int round = muster_test::rounds(20); round > 0; --round) {
    CAPTURE(rng.seed(), round);
    classes_of_pods of;
    for (int c = 0; c < 5; ++c) {
      of.needs.push_back({rng.between(20, 60) * 100, rng.between(10, 50) * 512, rng.chance(50) ? 0 : 1});
      of.prices.push_back(of.needs.back()[0] * 100 + rng.between(0, 9'999));  // for their size alike
    }
    dearest kept;
    kept.start(of.needs);
    kept.expect({400 * 100, 400 * 512, 8});
    for (int node = 0; node < 200; ++node) {
      const dearest::node left{rng.between(200, 400) * 100, rng.between(200, 400) * 512, rng.between(0, 8)};
      const counts alone = of.alone(left, max_pods_per_node);
      counts best(5, 0), again(5, 0);
      search_budget here, there;
      REQUIRE(kept.find(left, alone, max_pods_per_node, of.prices, -1, effort::thorough, best, here));
      dearest fresh;  // asked once: not worth a table
      fresh.start(of.needs);
      fresh.expect(left);
      REQUIRE(fresh.find(left, alone, max_pods_per_node, of.prices, -1, effort::thorough, again, there));
      REQUIRE(best == again);
      with += here.spent();  // what filling the tables takes, too
      without += there.spent();
    }
  }
  CAPTURE(with, without);
  CHECK(3 * with < 2 * without);
}
