// SPDX-License-Identifier: BSL-1.0
#include <muster/preemption/preempt_options.hpp>

#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"

#include <type_traits>

namespace {

using slots = muster::resource_vector<1>;

muster::victim_plan<slots> seating(std::initializer_list<muster::pod_count> pods) {
  muster::victim_plan<slots> made;
  for (const muster::pod_count each : pods) made.seats.push_back({{}, {}, each, 0, 0});
  return made;
}

}  // namespace

TEST_CASE("the plan that seats more pods is better, on however many seats", "[preemption]") {
  const muster::more_pods_seated better;
  CHECK(better(seating({3}), seating({1, 1})));
  CHECK_FALSE(better(seating({1, 1}), seating({3})));
  CHECK_FALSE(better(seating({2}), seating({1, 1})));
  CHECK_FALSE(better(seating({}), seating({})));
}

TEST_CASE("by default the page's rule, order and choice, and no budgets", "[preemption]") {
  const muster::preempt_options<> options;
  CHECK(options.budgets.empty());
  static_assert(std::is_same_v<decltype(options.order), muster::more_important>);
  static_assert(std::is_same_v<decltype(options.better), muster::more_pods_seated>);
  static_assert(muster::unit_order<decltype(options.order), slots>);
}
