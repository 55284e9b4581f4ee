// SPDX-License-Identifier: BSL-1.0
#include <muster/preemption/disruption_budget.hpp>

#include "support/catch.hpp"

using muster::pod_id;

TEST_CASE("a budget counts the pods it covers, but for those that are disrupted already", "[preemption]") {
  const muster::disruption_budget budget{1, {pod_id{2}, pod_id{4}, pod_id{6}}, {pod_id{4}}};
  CHECK(budget.counts(pod_id{2}));
  CHECK_FALSE(budget.counts(pod_id{4}));
  CHECK(budget.counts(pod_id{6}));
  CHECK_FALSE(budget.counts(pod_id{3}));
  CHECK_FALSE(muster::disruption_budget{}.counts(pod_id{2}));
}
