// SPDX-License-Identifier: BSL-1.0
// expect: capacity_view
#include <muster/quorum/gate.hpp>
#include <muster/resource/resource_vector.hpp>

auto ask(const muster::cluster<muster::resource_vector<1>>& model) { return muster::gate(model, muster::group_id{1}); }
