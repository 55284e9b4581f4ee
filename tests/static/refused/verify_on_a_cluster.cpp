// SPDX-License-Identifier: BSL-1.0
// expect: capacity_view
#include <muster/placement/verify.hpp>
#include <muster/resource/resource_vector.hpp>

using namespace muster;
using counted = resource_vector<1>;

auto check(const cluster<counted>& model, const pod_group<counted>& group, const placement_answer<counted>& answer) {
  return verify(model, group, std::span<const seat<counted>>{answer.seats});
}
