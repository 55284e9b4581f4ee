// SPDX-License-Identifier: BSL-1.0
#include "all_forward.hpp"
#include "odr/units.hpp"

odr::sight odr::forward() { return MUSTER_TESTS_SIGHT; }
