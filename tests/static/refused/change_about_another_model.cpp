// SPDX-License-Identifier: BSL-1.0
// expect: (no matching function|cannot convert|could not convert|no viable|no known conversion)
#include <muster/cluster/apply.hpp>
#include <muster/resource/resource_vector.hpp>

using namespace muster;

void mix(cluster<resource_vector<1>>& model, const pod_seen<resource_vector<2>>& seen) {
  apply(model, change<resource_vector<1>>{revision{1}, seen});
}
