// SPDX-License-Identifier: BSL-1.0
#include "support/compiled_once.hpp"

MUSTER_TESTS_COMPILED_ONCE(, muster::resource_vector<3>)
