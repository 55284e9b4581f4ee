// SPDX-License-Identifier: BSL-1.0
#include "write_case_property.hpp"

TEST_CASE("a case of vectors is read back as the same question") {
  using model = muster::resource_vector<2>;
  written::write_and_read<model>("write and read vectors", 2000, written::asking::declared);
  written::write_and_read<model>("write and read vectors of members", 2000, written::asking::members);
}
