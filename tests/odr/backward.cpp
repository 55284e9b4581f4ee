// SPDX-License-Identifier: BSL-1.0
#include "all_backward.hpp"
#include "odr/units.hpp"

odr::sight odr::backward() { return MUSTER_TESTS_SIGHT; }
