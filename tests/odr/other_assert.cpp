// SPDX-License-Identifier: BSL-1.0
// Assertions on where the rest of the program has them off, and the other way round.
#if defined(NDEBUG)
#  undef NDEBUG
#else
#  define NDEBUG
#endif

#include "all_forward.hpp"
#include "odr/units.hpp"

odr::sight odr::other_assert() { return MUSTER_TESTS_SIGHT; }
