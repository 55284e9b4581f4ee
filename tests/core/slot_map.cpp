// SPDX-License-Identifier: BSL-1.0
#include <muster/core/slot_map.hpp>

#include "support/allocation.hpp"
#include "support/catch.hpp"
#include "support/generator.hpp"

#include <cstdint>
#include <map>
#include <vector>

using namespace muster;

TEST_CASE("an empty slot map holds nothing", "[core]") {
  slot_map<int> none;
  CHECK(none.empty());
  CHECK(none.size() == 0);
  CHECK(none.find(0) == nullptr);
  none.erase(0);
  CHECK(none.begin() == none.end());
}

TEST_CASE("a slot map holds what was put in and not erased", "[core]") {
  muster_test::generator rng{"slot_map"};
  for (int round = muster_test::rounds(60); round > 0; --round) {
    CAPTURE(rng.seed(), round);
    slot_map<std::vector<int>> kept;
    std::map<std::uint32_t, std::vector<int>> expected;
    const std::uint64_t range = 1 + rng.below(200);
    for (auto steps = rng.below(600); steps > 0; --steps) {
      const auto slot = static_cast<std::uint32_t>(rng.below(range));
      if (rng.chance(45)) {
        kept.erase(slot);
        expected.erase(slot);
      } else {
        kept.at(slot).push_back(static_cast<int>(steps));
        expected[slot].push_back(static_cast<int>(steps));
      }
      REQUIRE(kept.size() == expected.size());
    }
    for (std::uint32_t slot = 0; slot < range; ++slot) {
      const auto known = expected.find(slot);
      const auto* found = kept.find(slot);
      REQUIRE((found != nullptr) == (known != expected.end()));
      if (found != nullptr) REQUIRE(*found == known->second);
    }
    const std::map<std::uint32_t, std::vector<int>> listed(kept.begin(), kept.end());
    REQUIRE(listed == expected);
  }
}

TEST_CASE("what comes and goes in a slot map allocates nothing", "[core]") {
  slot_map<int> map;
  for (std::uint32_t slot = 0; slot < 100; ++slot) map.at(slot) = 1;
  for (std::uint32_t slot = 0; slot < 100; ++slot) map.erase(slot);
  const muster_test::allocation_watch watch;
  for (int turn = 0; turn < 50; ++turn) {
    for (std::uint32_t slot = 1000; slot < 1100; ++slot) map.at(slot) = turn;
    for (std::uint32_t slot = 1000; slot < 1100; ++slot) map.erase(slot);
  }
  const auto calls = watch.calls();
  CHECK(calls == 0);
}
