// SPDX-License-Identifier: BSL-1.0
#include <muster/core/slot_table.hpp>

#include "support/catch.hpp"
#include "support/generator.hpp"

#include <cstdint>
#include <limits>
#include <map>
#include <vector>

using namespace muster;

namespace {

struct records {
  std::vector<std::uint64_t> keys;
  slot_table table;

  [[nodiscard]] std::uint32_t find(std::uint64_t key) const {
    return table.find(key, [this](std::uint32_t slot) { return keys[slot]; });
  }
  void add(std::uint64_t key) {
    keys.push_back(key);
    table.insert(static_cast<std::uint32_t>(keys.size() - 1), [this](std::uint32_t slot) { return keys[slot]; });
  }
};

}  // namespace

TEST_CASE("an empty table knows no key", "[core]") {
  const records none;
  CHECK(none.find(0) == no_slot);
  CHECK(none.find(std::numeric_limits<std::uint64_t>::max()) == no_slot);
  CHECK(none.table.bytes() == 0);
}

TEST_CASE("a table finds what was put in and nothing else", "[core]") {
  muster_test::generator rng{"slot_table"};
  for (int round = muster_test::rounds(20); round > 0; --round) {
    CAPTURE(rng.seed(), round);
    records kept;
    std::map<std::uint64_t, std::uint32_t> expected;
    const std::uint64_t range = rng.chance(50) ? 50 : std::numeric_limits<std::uint64_t>::max();
    for (auto steps = rng.below(3000); steps > 0; --steps) {
      const std::uint64_t key = rng.below(range);
      const auto known = expected.find(key);
      REQUIRE(kept.find(key) == (known == expected.end() ? no_slot : known->second));
      if (known != expected.end()) continue;
      expected.emplace(key, static_cast<std::uint32_t>(kept.keys.size()));
      kept.add(key);
    }
    bool all = true;
    for (const auto& [key, slot] : expected) all = all && kept.find(key) == slot;
    CHECK(all);
  }
}

TEST_CASE("keys that look alike in their low bits are kept apart", "[core]") {
  records kept;
  for (std::uint64_t i = 0; i < 500; ++i) kept.add(i << 32U);
  for (std::uint64_t i = 0; i < 500; ++i) REQUIRE(kept.find(i << 32U) == i);
  CHECK(kept.find(1) == no_slot);
}

TEST_CASE("an entry costs 8 to 16 bytes", "[core]") {
  records kept;
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    kept.add(i);
    if (i > 64) REQUIRE(kept.table.bytes() <= 16 * (i + 1));
    REQUIRE(kept.table.bytes() >= 8 * (i + 1));
  }
}

TEST_CASE("a cleared table can be filled again", "[core]") {
  records kept;
  for (std::uint64_t i = 0; i < 40; ++i) kept.add(i);
  kept.table.clear();
  CHECK(kept.find(3) == no_slot);
  kept.keys.clear();
  kept.add(3);
  CHECK(kept.find(3) == 0);
}
