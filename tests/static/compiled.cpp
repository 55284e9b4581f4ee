// SPDX-License-Identifier: BSL-1.0
// The other sources of this folder hold static_assert only; this one makes their being compiled count as a test.
#include "support/catch.hpp"

TEST_CASE("the static tests compiled, with the language they are meant for", "[static]") {
  CHECK(__cplusplus >= 202002L);
}
