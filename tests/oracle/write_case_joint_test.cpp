// SPDX-License-Identifier: BSL-1.0
#include "write_case_property.hpp"

TEST_CASE("a case of devices and amounts is read back as the same question") {
  written::write_and_read<muster::joint<muster::devices<4>, muster::resource_vector<1>>>(
      "write and read devices and amounts", 2000);
}

TEST_CASE("a case of amounts and devices is read back as the same question") {
  written::write_and_read<muster::joint<muster::resource_vector<1>, muster::devices<4>>>(
      "write and read amounts and devices", 2000);
}
