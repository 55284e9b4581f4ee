// SPDX-License-Identifier: BSL-1.0
#include <muster/core/bits.hpp>

#include "support/catch.hpp"
#include "support/generator.hpp"

#include <cstdint>

using muster::count_bits;
using muster_test::generator;

static_assert(count_bits(0) == 0 && count_bits(1) == 1 && count_bits(~std::uint64_t{0}) == 64);

TEST_CASE("the members of a set are counted as one by one", "[core]") {
  generator rng{"bits"};
  for (int round = 0; round < 1000; ++round) {
    std::uint64_t set = 0;
    std::uint32_t members = 0;
    const auto dense = rng.below(5);
    for (unsigned bit = 0; bit < 64; ++bit)
      if (rng.below(4) < dense) {
        set |= std::uint64_t{1} << bit;
        ++members;
      }
    REQUIRE(count_bits(set) == members);
  }
}
