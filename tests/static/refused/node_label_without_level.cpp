// SPDX-License-Identifier: BSL-1.0
// expect: label\(node, level\) must give a muster::label_id
#include <muster/node/node.hpp>
#include <muster/resource/resource_vector.hpp>

struct box {};
template <>
struct muster::node_traits<box> {
  static node_id id(const box&) { return {}; }
  static resource_vector<1>::capacity_type capacity(const box&) { return {}; }
  static kind_id kind(const box&) { return {}; }
  static label_id label(const box&) { return no_label; }
};

static_assert(muster::check_node<box, muster::resource_vector<1>>());
