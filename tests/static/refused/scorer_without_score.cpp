// SPDX-License-Identifier: BSL-1.0
// expect: node_scorer
#include <muster/placement/shortfall.hpp>
#include <muster/resource/resource_vector.hpp>

using namespace muster;
using counted = resource_vector<1>;

struct by_nothing {
  void operator()(const counted::state_type&, const counted::capacity_type&, const counted::request_type&) const {}
};

auto ask(const snapshot<counted>& view, const pod_group<counted>& group, workspace<counted>& space) {
  return shortfall(view, group, {1}, space, place_options<everywhere, by_nothing>{});
}
