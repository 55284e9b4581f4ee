// SPDX-License-Identifier: BSL-1.0
#include "write_case_property.hpp"

TEST_CASE("a case of devices is read back as the same question") {
  using model = muster::devices<4>;
  written::write_and_read<model>("write and read devices", 2000, written::asking::declared);
  written::write_and_read<model>("write and read devices of members", 2000, written::asking::members);
}
