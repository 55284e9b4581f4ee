// SPDX-License-Identifier: BSL-1.0
// expect: (cannot convert|cannot initialize|no viable conversion)
#include <muster/core/ids.hpp>

muster::node_id node = muster::pod_id{1};
