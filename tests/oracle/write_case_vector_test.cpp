// SPDX-License-Identifier: BSL-1.0
#include "write_case_property.hpp"

TEST_CASE("a case of vectors is read back as the same question") {
  written::write_and_read<muster::resource_vector<2>>("write and read vectors", 2000);
}
