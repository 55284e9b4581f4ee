// SPDX-License-Identifier: BSL-1.0
#include <muster/resource/devices.hpp>

#include "property/placement_property.hpp"

TEST_CASE("any small gang on any small cluster, four devices", "[property]") {
  placement_property::run_instances<muster::devices<4>>("placement of four devices", 30'000);
}
