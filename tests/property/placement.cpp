// SPDX-License-Identifier: BSL-1.0
#include <muster/resource/resource_vector.hpp>

#include "property/placement_property.hpp"

TEST_CASE("any small gang on any small cluster, three resources", "[property]") {
  placement_property::run_instances<muster::resource_vector<3>>("placement of three resources", 40'000);
}
