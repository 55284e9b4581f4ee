// SPDX-License-Identifier: BSL-1.0
// expect: id\(node\) must give a muster::node_id
#include <muster/node/node.hpp>
#include <muster/resource/resource_vector.hpp>

struct box {
  unsigned long long id = 0;  // a bare number is not an id
  muster::resource_vector<1>::capacity_type capacity{};
};

static_assert(muster::check_node<box, muster::resource_vector<1>>());
