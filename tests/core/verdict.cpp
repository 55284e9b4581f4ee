// SPDX-License-Identifier: BSL-1.0
#include <muster/core/verdict.hpp>

#include "support/catch.hpp"

using namespace muster;

TEST_CASE("every verdict has the name people read", "[core]") {
  CHECK(name(verdict::fits) == "fits");
  CHECK(name(verdict::hold) == "hold");
  CHECK(name(verdict::wait) == "wait");
  CHECK(name(verdict::not_now) == "not now");
  CHECK(name(verdict::closed) == "closed");
  CHECK(name(verdict::never) == "never");
  CHECK(name(verdict::undecided) == "undecided");
  CHECK(name(verdict::invalid) == "invalid");
}
