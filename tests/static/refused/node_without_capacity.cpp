// SPDX-License-Identifier: BSL-1.0
// expect: capacity\(node\) must give the model's capacity_type
#include <muster/node/node.hpp>
#include <muster/resource/resource_vector.hpp>

struct box {
  muster::node_id id{};
};

static_assert(muster::check_node<box, muster::resource_vector<1>>());
