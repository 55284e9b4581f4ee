// SPDX-License-Identifier: BSL-1.0
#include <muster/cluster/overlay.hpp>
#include <muster/placement/candidate_scores.hpp>
#include <muster/placement/improvement.hpp>
#include <muster/placement/place.hpp>
#include <muster/resource/resource_vector.hpp>
#include <muster/scoring/seat_list.hpp>
#include <muster/scoring/slot_potential.hpp>

#include "support/catch.hpp"
#include "support/scene.hpp"

#include <cstdint>
#include <set>
#include <span>
#include <string_view>
#include <vector>

namespace {

using gpus = muster::resource_vector<1>;
using muster::improve_fault;
using muster::nearness;

/// Asks for nothing a score needs.
struct no_objective {};
/// A judgement that answers text.
struct words {
  std::string_view operator()(const muster::candidate_trial<gpus>&) const { return "good"; }
};

static_assert(muster::placement_objective<muster::slot_potential<gpus>, gpus>);
static_assert(!muster::set_objective<muster::slot_potential<gpus>, gpus>);
static_assert(muster::bounded_objective<nearness, gpus>);
static_assert(muster::set_objective<muster::gangs_kept<gpus>, gpus>);
static_assert(!muster::bounded_objective<muster::gangs_kept<gpus>, gpus>);
static_assert(!muster::placement_objective<no_objective, gpus>);
static_assert(!muster::placement_objective<words, gpus>);

TEST_CASE("what keeps a placement from being improved has a name of its own", "[improve]") {
  std::set<std::string_view> names;
  for (const auto fault : {improve_fault::none, improve_fault::no_placement, improve_fault::refuted})
    names.insert(name(fault));
  CHECK(names.size() == 3);
  CHECK(name(improve_fault{99}) == "?");
}

TEST_CASE("the bound of nearness fills the domains with most room", "[improve]") {
  muster_test::scene<gpus> scene{muster::nested_levels(1)};
  for (std::uint64_t n = 1; n <= 4; ++n) scene.node(n, {n == 1 ? 3 : 2}, {n <= 2 ? 1U : 2U});
  const auto group = muster_test::scene<gpus>::gang(7, 5, {1});
  const auto view = scene.view();
  muster::overlay<gpus> before{view};
  const auto bound = [&](const muster::pod_group<gpus>& of) {
    std::vector<muster::seat<gpus>> seats{{muster::node_id{1}, {5}, 5, 0, 0}};
    return nearness{}.bound(before, of, std::span<const muster::seat<gpus>>{seats});
  };
  // 10 pairs. Nodes hold 3 and 2 pods: 3 + 1 together; a rack holds all five: 10 together
  CHECK(bound(group) == -6);

  auto limited = group;  // racks then hold 3 and 2: 3 + 1 together, at both levels
  limited.limits.push_back({muster::topology_level{0}, 3});
  CHECK(bound(limited) == -12);
  limited.limits.push_back({muster::node_level, 1});  // one pod on a node, 1 + 1 pairs together in racks
  CHECK(bound(limited) == -(10 - 0) - (10 - 2));

  before.charge(*view.find(muster::node_id{1}), {2}, 2);  // rack 1 has 1 + 2 left, rack 2 2 + 2
  CHECK(bound(group) == -(10 - 2) - (10 - 6));
}

}  // namespace
