// SPDX-License-Identifier: BSL-1.0
// expect: node_filter
#include <muster/placement/write_case.hpp>
#include <muster/resource/resource_vector.hpp>

#include <iterator>
#include <string>

using namespace muster;
using counted = resource_vector<1>;

struct about_pairs {
  reason_code operator()(const pod_group<resource_vector<2>>&, std::size_t, kind_id) const { return eligible_node; }
};

void write(std::string& text, const snapshot<counted>& view, const pod_group<counted>& group) {
  write_case(std::back_inserter(text), view, group, {}, about_pairs{});
}
