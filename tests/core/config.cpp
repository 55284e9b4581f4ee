// SPDX-License-Identifier: BSL-1.0
#include <muster/core/config.hpp>

#include "support/catch.hpp"

#include <string_view>

#define MUSTER_TEST_WORD_(name) #name
#define MUSTER_TEST_WORD(name) MUSTER_TEST_WORD_(name)

TEST_CASE("the inline namespace tells what would break the one-definition rule", "[core]") {
  constexpr std::string_view abi = MUSTER_TEST_WORD(MUSTER_ABI);
  CHECK(abi.starts_with("v" MUSTER_TEST_WORD(MUSTER_VERSION_MAJOR) "_" MUSTER_TEST_WORD(MUSTER_VERSION_MINOR)));
#if defined(__cpp_exceptions)
  CHECK(abi.find("noexcept") == std::string_view::npos);
#else
  CHECK(abi.find("noexcept") != std::string_view::npos);
#endif
}
