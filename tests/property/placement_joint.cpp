// SPDX-License-Identifier: BSL-1.0
#include <muster/resource/joint.hpp>

#include "property/placement_property.hpp"

TEST_CASE("any small gang on any small cluster, devices and memory", "[property]") {
  placement_property::run_instances<muster::joint<muster::devices<4>, muster::resource_vector<1>>>(
      "placement of devices and memory", 30'000);
}
