// SPDX-License-Identifier: BSL-1.0
#include <muster/core/time.hpp>

#include "support/catch.hpp"

#include <chrono>

using namespace muster;

template <class Clock>
concept can_be_read = requires { Clock::now(); };

TEST_CASE("time is the host's: it has an order and no now", "[core]") {
  STATIC_REQUIRE_FALSE(can_be_read<host_clock>);
  constexpr time_point noon{std::chrono::hours{12}};
  CHECK(beginning_of_time < noon);
  CHECK(noon < end_of_time);
  CHECK(noon + std::chrono::minutes{1} - noon == duration{60'000});
}
