// SPDX-License-Identifier: BSL-1.0
#include <muster/workload/pod_group.hpp>

#include "support/catch.hpp"

#include <muster/resource/resource_vector.hpp>

#include <limits>
#include <optional>
#include <utility>

using namespace muster;
using counted = resource_vector<1>;

namespace {

pod_group<counted> of_sets(std::initializer_list<std::pair<pod_count, pod_count>> count_and_minimum) {
  pod_group<counted> group;
  for (const auto& [count, minimum] : count_and_minimum) group.pod_sets.push_back({{1}, count, minimum});
  return group;
}

}  // namespace

TEST_CASE("a group needs all its declared pods unless it says otherwise", "[workload]") {
  auto group = of_sets({{4, 0}, {2, 0}});
  CHECK(declared_pods(group) == 6);
  CHECK(minimum_pods(group) == 6);
  group.min_count = 3;
  CHECK(minimum_pods(group) == 3);
  group.min_count = 0;
  CHECK(minimum_pods(group) == 0);
}

TEST_CASE("a group needs at least what its pod sets need together", "[workload]") {
  auto group = of_sets({{4, 3}, {2, 1}});
  group.min_count = 2;
  CHECK(minimum_pods(group) == 4);
  group.min_count = 5;
  CHECK(minimum_pods(group) == 5);
}

TEST_CASE("one pod of a basic group is a success", "[workload]") {
  auto group = of_sets({{4, 0}});
  group.policy = group_policy::basic;
  CHECK(minimum_pods(group) == 1);
}

TEST_CASE("a group without pods needs none", "[workload]") {
  CHECK(declared_pods(pod_group<counted>{}) == 0);
  CHECK(minimum_pods(pod_group<counted>{}) == 0);
}

TEST_CASE("absurd numbers of pods do not wrap", "[workload]") {
  constexpr pod_count top = std::numeric_limits<pod_count>::max();
  const auto group = of_sets({{top, top}, {top, top}});
  CHECK(declared_pods(group) == top);
  CHECK(minimum_pods(group) == top);
}

TEST_CASE("with no size rule every size is legal", "[workload]") {
  const size_rule any;
  CHECK(legal_size_at_least(any, 7, 10) == 7);
  CHECK(legal_size_at_most(any, 7, 10) == 7);
}

TEST_CASE("a rigid group has one size", "[workload]") {
  const size_rule rigid{size_rule::shape::rigid};
  CHECK(legal_size_at_least(rigid, 0, 8) == 8);
  CHECK(legal_size_at_least(rigid, 8, 8) == 8);
  CHECK(legal_size_at_least(rigid, 9, 8) == std::nullopt);
  CHECK(legal_size_at_most(rigid, 8, 8) == 8);
  CHECK(legal_size_at_most(rigid, 100, 8) == 8);
  CHECK(legal_size_at_most(rigid, 7, 8) == std::nullopt);
}

TEST_CASE("a stepped rule agrees with counting the sizes one by one", "[workload]") {
  for (pod_count smallest = 0; smallest <= 4; ++smallest)
    for (pod_count largest = smallest; largest <= 12; ++largest)
      for (pod_count step = 1; step <= 5; ++step) {
        const size_rule rule{size_rule::shape::stepped, smallest, largest, step};
        for (pod_count size = 0; size <= 15; ++size) {
          std::optional<pod_count> least, most;
          for (pod_count legal = smallest; legal <= largest; legal += step) {
            if (legal >= size && !least) least = legal;
            if (legal <= size) most = legal;
          }
          CAPTURE(smallest, largest, step, size);
          REQUIRE(legal_size_at_least(rule, size, 100) == least);
          REQUIRE(legal_size_at_most(rule, size, 100) == most);
        }
      }
}

TEST_CASE("a stepped rule with the largest numbers does not wrap", "[workload]") {
  constexpr pod_count top = std::numeric_limits<pod_count>::max();
  const size_rule rule{size_rule::shape::stepped, 0, top, top};
  CHECK(legal_size_at_least(rule, 1, top) == top);
  CHECK(legal_size_at_most(rule, top - 1, top) == 0);
  CHECK(legal_size_at_least({size_rule::shape::stepped, 1, 3, 1}, top, top) == std::nullopt);
}

TEST_CASE("the full size is the world size, or else all declared pods", "[workload]") {
  auto group = of_sets({{4, 0}, {4, 0}});
  CHECK(full_size(group) == 8);
  group.world_size = 6;
  CHECK(full_size(group) == 6);
}

TEST_CASE("nobody has chosen a disruption mode for the caller", "[workload]") {
  CHECK(pod_group<counted>{}.disruption == disruption_mode::unstated);
  CHECK(name(disruption_mode::unstated) == "unstated");
  CHECK(name(disruption_mode::single) == "single");
  CHECK(name(disruption_mode::all) == "all");
}
