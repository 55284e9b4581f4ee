// SPDX-License-Identifier: BSL-1.0
#include <muster/preemption/class_violations.hpp>

#include <muster/preemption/list_victim_units.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/scene.hpp"

#include <cstdint>
#include <vector>

namespace {

using slots = muster::resource_vector<1>;
using muster::disruption_budget;
using muster::pod_id;
using counts = std::vector<std::uint32_t>;

/// A gang of pods 10, 11, 12 and the pods 20 and 30, in this order of units.
struct yard : muster_test::scene<slots> {
  muster::victim_units<slots> units;

  yard() {
    node(1, {9});
    const auto of = gang(1, 3, {1});
    group(of);
    for (std::uint64_t i = 10; i < 13; ++i) {
      pod(i, of);
      bind(i, 1);
    }
    filler(20, 1, {1});
    filler(30, 1, {1});
    muster::list_victim_units(view(), units);
    REQUIRE(units.units.size() == 3);
  }
  [[nodiscard]] counts classed(const std::vector<std::uint32_t>& order,
                               const std::vector<disruption_budget>& budgets) const {
    return muster::class_violations<slots>(units, order, budgets);
  }
  static disruption_budget covering(std::int64_t allowed, const std::vector<std::uint64_t>& pods) {
    disruption_budget made{allowed, {}, {}};
    for (const auto id : pods) made.covers.push_back(pod_id{id});
    return made;
  }
};

}  // namespace

TEST_CASE("who comes first takes what a budget allows", "[preemption]") {
  const yard s;
  const auto one = yard::covering(1, {20, 30});
  CHECK(s.classed({1, 2, 0}, {one}) == counts{0, 0, 1});
  CHECK(s.classed({2, 1, 0}, {one}) == counts{0, 1, 0});
  CHECK(s.classed({1, 2, 0}, {}) == counts{0, 0, 0});
}

TEST_CASE("a unit takes as many as it has pods, and is violating from the first that is too many", "[preemption]") {
  const yard s;
  CHECK(s.classed({0, 1, 2}, {yard::covering(2, {10, 11, 12})}) == counts{1, 0, 0});
  CHECK(s.classed({0, 1, 2}, {yard::covering(3, {10, 11, 12, 20})}) == counts{0, 1, 0});
}

TEST_CASE("a pod violates once, and takes nothing from later budgets", "[preemption]") {
  const yard s;
  const auto none = yard::covering(0, {20});
  const auto later = yard::covering(1, {20, 30});
  CHECK(s.classed({1, 2, 0}, {none, later}) == counts{0, 1, 0});   // 30 still finds one
  CHECK(s.classed({1, 2, 0}, {later, none}) == counts{0, 1, 1});
}

TEST_CASE("a pod that is disrupted already neither takes nor violates", "[preemption]") {
  const yard s;
  auto budget = yard::covering(1, {20, 30});
  budget.disrupted = {pod_id{20}};
  CHECK(s.classed({1, 2, 0}, {budget}) == counts{0, 0, 0});
}
