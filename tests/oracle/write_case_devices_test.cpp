// SPDX-License-Identifier: BSL-1.0
#include "write_case_property.hpp"

TEST_CASE("a case of devices is read back as the same question") {
  written::write_and_read<muster::devices<4>>("write and read devices", 2000);
}
