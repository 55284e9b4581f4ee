// SPDX-License-Identifier: BSL-1.0
#include <muster/core/bits.hpp>

#include "support/catch.hpp"
#include "support/generator.hpp"

#include <cstdint>

using muster::count_bits;
using muster::first_numbers;
using muster::lowest_member;
using muster::lowest_members;
using muster_test::generator;

static_assert(count_bits(0) == 0 && count_bits(1) == 1 && count_bits(~std::uint64_t{0}) == 64);

static_assert(first_numbers(0) == 0 && first_numbers(3) == 7 && first_numbers(63) == ~std::uint64_t{0} >> 1U);
static_assert(first_numbers(64) == ~std::uint64_t{0} && first_numbers(200) == ~std::uint64_t{0});
static_assert(lowest_member(0b1010'0000) == 5 && lowest_member(std::uint64_t{1} << 63U) == 63);
static_assert(lowest_members(0b1010'1100, 0) == 0 && lowest_members(0b1010'1100, 2) == 0b1100);
static_assert(lowest_members(0b1010'1100, 4) == 0b1010'1100 && lowest_members(0b1010'1100, 9) == 0b1010'1100);

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
