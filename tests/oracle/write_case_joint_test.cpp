// SPDX-License-Identifier: BSL-1.0
#include "write_case_property.hpp"

TEST_CASE("a case of devices and amounts is read back as the same question") {
  using model = muster::joint<muster::devices<4>, muster::resource_vector<1>>;
  written::write_and_read<model>("write and read devices and amounts", 2000, written::asking::declared);
  written::write_and_read<model>("write and read devices and amounts of members", 2000, written::asking::members);
}

TEST_CASE("a case of amounts and devices is read back as the same question") {
  using model = muster::joint<muster::resource_vector<1>, muster::devices<4>>;
  written::write_and_read<model>("write and read amounts and devices", 2000, written::asking::declared);
  written::write_and_read<model>("write and read amounts and devices of members", 2000, written::asking::members);
}
