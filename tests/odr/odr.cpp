// SPDX-License-Identifier: BSL-1.0
#include <muster/core/config.hpp>

#include "odr/units.hpp"
#include "support/catch.hpp"

#include <string>
#include <string_view>

TEST_CASE("two units of one mode share the library's inline functions", "[odr]") {
  const auto first = odr::forward();
  const auto second = odr::backward();
  CHECK(first.abi == second.abi);
  CHECK(first.name_of_verdict == second.name_of_verdict);
}

TEST_CASE("a unit built without exceptions has functions of its own", "[odr]") {
  const auto here = odr::forward();
  const auto there = odr::other_mode();
  CHECK(there.abi.find("_noexcept") != std::string_view::npos);
#if defined(__cpp_exceptions)
  CHECK(here.abi != there.abi);
  CHECK(here.name_of_verdict != there.name_of_verdict);
#else
  CHECK(here.abi == there.abi);
  CHECK(here.name_of_verdict == there.name_of_verdict);
#endif
}

TEST_CASE("units whose assertions differ have functions of their own", "[odr]") {
  const auto here = odr::forward();
  const auto there = odr::other_assert();
  const auto own = odr::own_assert();
  CHECK(here.abi != there.abi);
  CHECK(here.name_of_verdict != there.name_of_verdict);
  CHECK(own.abi.find("_assert") != std::string_view::npos);
  CHECK(own.abi != here.abi);
  CHECK(own.abi != there.abi);
  CHECK(own.name_of_verdict != here.name_of_verdict);
  CHECK(own.name_of_verdict != there.name_of_verdict);
}

TEST_CASE("the inline namespace carries the minor version", "[odr]") {
  const std::string version = "v" + std::to_string(MUSTER_VERSION_MAJOR) + "_" + std::to_string(MUSTER_VERSION_MINOR);
  CHECK(std::string{odr::forward().abi}.starts_with(version));
}
