// SPDX-License-Identifier: BSL-1.0
// The host's own assertion, in one unit only.
#define MUSTER_ASSERT(condition) ((condition) ? void() : void())

#include "all_backward.hpp"
#include "odr/units.hpp"

odr::sight odr::own_assert() { return MUSTER_TESTS_SIGHT; }
