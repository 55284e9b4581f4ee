// SPDX-License-Identifier: BSL-1.0
#include <muster/core/hash.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <limits>
#include <set>

using namespace muster;

TEST_CASE("the mixing function is SplitMix64's, the same for ever", "[core]") {
  CHECK(mixed(0) == 0xe220a8397b1dcdafU);  // the published first output for seed 0
  CHECK(mixed(0x9e3779b97f4a7c15U) == 0x6e789e6aa1b965f4U);  // and the second
}

TEST_CASE("a hash depends on every value and on their order", "[core]") {
  const auto of = [](auto... values) {
    hasher hash;
    (hash.add(values), ...);
    return hash.value();
  };
  const std::set<std::uint64_t> all{of(), of(0), of(0, 0), of(1), of(1, 2), of(2, 1), of(-1), of(true, 2, 3)};
  CHECK(all.size() == 8);
  CHECK(of(1, 2) == of(1, 2));
}

TEST_CASE("equal numbers hash alike whatever their type", "[core]") {
  CHECK(hasher{}.add(7).value() == hasher{}.add(std::uint64_t{7}).value());
  CHECK(hasher{}.add(-1).value() == hasher{}.add(std::numeric_limits<std::uint64_t>::max()).value());
}

TEST_CASE("neighbouring numbers do not collide", "[core]") {
  std::set<std::uint64_t> seen;
  for (std::uint64_t x = 0; x < 20'000; ++x) seen.insert(mixed(x));
  CHECK(seen.size() == 20'000);
}
