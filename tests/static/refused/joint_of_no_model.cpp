// SPDX-License-Identifier: BSL-1.0
// expect: resource_model
#include <muster/resource/joint.hpp>
#include <muster/resource/resource_vector.hpp>

muster::joint<muster::resource_vector<1>, int> wrong;
