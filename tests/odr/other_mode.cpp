// SPDX-License-Identifier: BSL-1.0
// Built with -fno-exceptions, whatever the rest of the program is built with.
#include "all_forward.hpp"
#include "odr/units.hpp"

odr::sight odr::other_mode() { return MUSTER_TESTS_SIGHT; }
