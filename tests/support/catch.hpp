// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_SUPPORT_CATCH_HPP
#define MUSTER_TESTS_SUPPORT_CATCH_HPP

/// \file
/// Catch2, version 2 or 3: tests include this header and neither of theirs.
///
/// Test cases keep to what both have: TEST_CASE, SECTION, CHECK, REQUIRE, CAPTURE, INFO, STATIC_REQUIRE,
/// GENERATE(values(...)). Assertions that expect an exception stand inside `#if defined(__cpp_exceptions)`.

#if __has_include(<catch2/catch_all.hpp>)
#  include <catch2/catch_all.hpp>
#else
#  include <catch2/catch.hpp>
#endif

#endif
