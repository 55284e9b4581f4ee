// SPDX-License-Identifier: BSL-1.0
#include <muster/core/patch_map.hpp>

#include "support/allocation.hpp"
#include "support/catch.hpp"
#include "support/generator.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

using namespace muster;

TEST_CASE("an empty patch map holds nothing", "[core]") {
  const patch_map<int> none;
  CHECK(none.empty());
  CHECK(none.size() == 0);
  CHECK(none.find(0) == nullptr);
}

TEST_CASE("a value is made from the initial one once, and then kept", "[core]") {
  patch_map<int> map;
  map.at(7, 70) += 1;
  CHECK(map.at(7, 700) == 71);
  CHECK(*map.find(7) == 71);
  CHECK(std::as_const(map).find(8) == nullptr);
  CHECK(map.size() == 1);
}

TEST_CASE("a patch map agrees with a map through growth and clearing", "[core]") {
  muster_test::generator rng{"patch_map"};
  patch_map<std::uint64_t> map;
  for (int round = muster_test::rounds(40); round > 0; --round) {
    CAPTURE(rng.seed(), round);
    map.clear();
    std::map<std::uint32_t, std::uint64_t> expected;
    std::vector<std::uint32_t> order;
    const std::uint64_t range = rng.chance(50) ? 60 : 0xfffffffe;
    for (auto steps = rng.below(600); steps > 0; --steps) {
      const auto key = static_cast<std::uint32_t>(rng.below(range));
      const auto value = rng();
      if (expected.emplace(key, value).second) order.push_back(key);
      auto& mine = map.at(key, value);
      REQUIRE(mine == expected[key]);
      mine = expected[key] = rng();
    }
    REQUIRE(map.size() == expected.size());
    bool same = true;
    for (std::size_t i = 0; i < order.size(); ++i)
      same = same && map.key(i) == order[i] && map.value(i) == expected[order[i]] && *map.find(order[i]) == expected[order[i]];
    CHECK(same);
    CHECK(map.find(0xfffffffe) == nullptr);
  }
}

TEST_CASE("a cleared patch map keeps its memory", "[core]") {
  patch_map<std::uint64_t> map;
  for (std::uint32_t key = 0; key < 1000; ++key) map.at(key, key);
  map.clear();
  const muster_test::allocation_watch watch;
  for (std::uint32_t key = 5000; key < 6000; ++key) map.at(key, key);
  const auto calls = watch.calls();
  CHECK(calls == 0);
}
