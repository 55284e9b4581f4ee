// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/detail/hashed_items.hpp>

#include "support/allocation.hpp"
#include "support/catch.hpp"

#include <cstddef>
#include <cstdint>

using muster::placement_detail::hashed_items;

TEST_CASE("items are found again by their hash, and by what they are where hashes are equal", "[placement]") {
  hashed_items items;
  const auto hash_of = [](std::uint32_t item) { return std::uint64_t{item / 3} << 5U; };  // three items each
  const auto find = [&](std::uint32_t item) {
    return items.find(hash_of(item), [item](std::uint32_t found) { return found == item; });
  };
  std::size_t calls = 1;
  for (int round = 0; round < 2; ++round) {
    const muster_test::allocation_watch watch;
    items.start();
    for (std::uint32_t item = 0; item < 1000; ++item) {
      if (find(item) != hashed_items::none) break;
      items.add(hash_of(item));
    }
    calls = watch.calls();
    for (std::uint32_t item = 0; item < 1000; ++item) REQUIRE(find(item) == item);
    CHECK(find(1000) == hashed_items::none);
  }
  CHECK(calls == 0);  // the second time
}
