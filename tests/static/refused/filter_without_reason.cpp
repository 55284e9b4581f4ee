// SPDX-License-Identifier: BSL-1.0
// expect: node_filter
#include <muster/placement/place.hpp>
#include <muster/resource/resource_vector.hpp>

using namespace muster;
using counted = resource_vector<1>;

struct says_yes {
  const char* operator()(const pod_group<counted>&, std::size_t, kind_id) const { return "yes"; }
};

auto ask(const snapshot<counted>& view, const pod_group<counted>& group) {
  return place(view, group, place_options<says_yes>{});
}
