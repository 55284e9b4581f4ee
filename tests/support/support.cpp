// SPDX-License-Identifier: BSL-1.0
// The test tools themselves.
#include "support/allocation.hpp"
#include "support/catch.hpp"
#include "support/generator.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <thread>
#include <vector>

using muster_test::allocation_watch;
using muster_test::generator;

namespace {

// By name: a compiler may leave out a new-expression whose memory is not used.
void take_and_return(std::size_t bytes) { ::operator delete(::operator new(bytes)); }

}  // namespace

TEST_CASE("an allocation watch sees every form of new on its own thread", "[support]") {
  const allocation_watch watch;
  take_and_return(8);
  ::operator delete(::operator new(64, std::align_val_t{64}), std::align_val_t{64});
  ::operator delete[](::operator new[](16));
  ::operator delete(::operator new(4, std::nothrow), std::nothrow);
  const auto calls = watch.calls();
  const auto bytes = watch.bytes();
  CHECK(calls == 4);
  CHECK(bytes == 8 + 64 + 16 + 4);

  std::size_t seen_there = 0;
  const allocation_watch here;
  std::thread other{[&seen_there] {
    const allocation_watch there;
    take_and_return(8);
    seen_there = there.calls();
  }};
  const auto to_start_it = here.calls();
  other.join();
  const auto in_all = here.calls();
  CHECK(seen_there == 1);
  CHECK(in_all == to_start_it);
}

#if defined(__cpp_exceptions)
TEST_CASE("an allocation limit lets the stated number through", "[support]") {
  int passed = 0;
  bool failed = false;
  {
    const muster_test::allocation_limit limit{2};
    try {
      for (; passed < 10; ++passed) take_and_return(8);
    } catch (const std::bad_alloc&) {
      failed = true;
    }
  }
  take_and_return(8);
  CHECK(passed == 2);
  CHECK(failed);
}
#endif

TEST_CASE("a generator repeats itself from its seed and stays within its bounds", "[support]") {
  generator first{std::uint64_t{7}};
  generator second{std::uint64_t{7}};
  CHECK(first() == second());

  std::array<int, 6> seen{};
  for (int i = 0; i < 600; ++i) {
    const auto roll = first.between(-2, 3);
    REQUIRE(roll >= -2);
    REQUIRE(roll <= 3);
    ++seen[static_cast<std::size_t>(roll + 2)];
  }
  CHECK(std::all_of(seen.begin(), seen.end(), [](int times) { return times > 50; }));

  std::vector<int> order{1, 2, 3, 4, 5, 6, 7, 8};
  first.shuffle(order);
  CHECK_FALSE(std::is_sorted(order.begin(), order.end()));
  std::sort(order.begin(), order.end());
  CHECK(order == std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8});
}

TEST_CASE("a generator's numbers are fixed for ever", "[support]") {
  generator numbers{std::uint64_t{0}};
  CHECK(numbers() == 0xe220a8397b1dcdafU);  // splitmix64's published first outputs for seed 0
  CHECK(numbers() == 0x6e789e6aa1b965f4U);
}
