// SPDX-License-Identifier: BSL-1.0
#include <muster/workload/validate.hpp>

#include "support/allocation.hpp"
#include "support/catch.hpp"

#include <muster/resource/devices.hpp>
#include <muster/resource/resource_vector.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <set>
#include <string_view>
#include <vector>

using namespace muster;
using counted = resource_vector<2>;
using group_type = pod_group<counted>;

namespace {

const topology three_levels = nested_levels(3);

group_type valid() {
  group_type group;
  group.id = group_id{1};
  group.pod_sets = {{{1, 2}, 4, 1}, {{1, 0}, 2, 0}};
  group.min_count = 5;
  group.disruption = disruption_mode::all;
  group.required = topology_level{1};
  group.limits = {{node_level, 2}, {topology_level{2}, 4}};
  return group;
}

std::vector<group_finding> findings(const group_type& group, const topology& levels = three_levels) {
  std::vector<group_finding> all;
  validate(group, levels, std::back_inserter(all));
  return all;
}

/// The faults found in the valid group after `change`.
template <class Change>
std::vector<group_fault> faults_after(Change change, const topology& levels = three_levels) {
  auto group = valid();
  change(group);
  std::vector<group_fault> faults;
  for (const auto& finding : findings(group, levels)) faults.push_back(finding.fault);
  return faults;
}

using only = std::vector<group_fault>;

std::vector<group_fault> update_faults(const group_type& before, const group_type& after) {
  std::vector<group_finding> all;
  validate_update(before, after, std::back_inserter(all));
  std::vector<group_fault> faults;
  for (const auto& finding : all) faults.push_back(finding.fault);
  return faults;
}

}  // namespace

TEST_CASE("a group in good order has no fault", "[workload]") {
  CHECK(findings(valid()).empty());
  CHECK(first_fault(valid(), three_levels) == group_finding{});
}

TEST_CASE("B13: a minimum of 0 is legal, with pods and without; a negative one is not", "[workload][bad_input]") {
  CHECK(faults_after([](group_type& g) { g.min_count = 0; }).empty());
  CHECK(faults_after([](group_type& g) {
          g.min_count = 0;
          g.pod_sets.clear();
        }).empty());
  CHECK(faults_after([](group_type& g) { g.min_count = -1; }) == only{group_fault::min_count_negative});
}

TEST_CASE("each fault is named by a group that has only this one", "[workload][bad_input]") {
  using f = group_fault;
  CHECK(faults_after([](group_type& g) { g.id = no_group; }) == only{f::reserved_id});
  CHECK(faults_after([](group_type& g) { g.pod_sets.resize(max_pod_sets + 1); }) == only{f::too_many_pod_sets});
  CHECK(faults_after([](group_type& g) { g.pod_sets[1].count = max_pods_per_group + 1; }) ==
        only{f::pod_set_count, f::too_many_pods});
  CHECK(faults_after([](group_type& g) { g.pod_sets[0].minimum = -1; }) == only{f::pod_set_minimum});
  CHECK(faults_after([](group_type& g) { g.pod_sets[0].minimum = 5; }) == only{f::pod_set_minimum});
  CHECK(faults_after([](group_type& g) { g.pod_sets[0].request = {-1, 0}; }) == only{f::pod_set_request});
  CHECK(faults_after([](group_type& g) { g.pod_sets[0].request = {0, max_amount + 1}; }) == only{f::pod_set_request});
  CHECK(faults_after([](group_type& g) {
          g.pod_sets[0].count = max_pods_per_group;
          g.pod_sets[1].count = 1;
        }) == only{f::too_many_pods});
  CHECK(faults_after([](group_type& g) { g.min_count = 7; }) == only{f::min_count_above_total});
  CHECK(faults_after([](group_type& g) { g.disruption = disruption_mode::unstated; }) == only{f::disruption_unstated});
  CHECK(faults_after([](group_type& g) { g.policy = group_policy::basic; }) == only{f::basic_evicted_as_unit});
  CHECK(faults_after([](group_type& g) { g.priority = max_user_priority + 1; }) == only{f::priority_reserved});
  CHECK(faults_after([](group_type& g) { g.sizes = {size_rule::shape::stepped, 4, 6, 0}; }) == only{f::size_rule_empty});
  CHECK(faults_after([](group_type& g) { g.sizes = {size_rule::shape::stepped, 6, 5, 1}; }) == only{f::size_rule_empty});
  CHECK(faults_after([](group_type& g) { g.sizes = {size_rule::shape::stepped, 4, 8, 4}; }) == only{f::size_rule_unreachable});
  CHECK(faults_after([](group_type& g) { g.world_size = -1; }) == only{f::world_size});
  CHECK(faults_after([](group_type& g) { g.required = topology_level{3}; }) == only{f::unknown_level});
  CHECK(faults_after([](group_type& g) { g.limits[1].level = topology_level{3}; }) == only{f::unknown_level});
  CHECK(faults_after([](group_type& g) { g.limits[1].level = no_level; }) == only{f::unknown_level});
  CHECK(faults_after([](group_type& g) { g.limits[0].count = -1; }) == only{f::limit_negative});
  CHECK(faults_after([](group_type& g) { g.limits[0].count = 0; }) == only{f::limit_below_minimum});
}

TEST_CASE("a pod set of negative count is a fault of its own", "[workload][bad_input]") {
  const auto found = findings([] {
    auto group = valid();
    group.pod_sets[1] = {{1, 0}, -3, 0};
    group.min_count = 1;
    return group;
  }());
  REQUIRE_FALSE(found.empty());
  CHECK(found.front() == group_finding{group_fault::pod_set_count, 1, -3});
}

TEST_CASE("a finding names the pod set or limit and the number", "[workload][bad_input]") {
  auto group = valid();
  group.pod_sets[1].minimum = 9;
  group.limits[1].count = -7;
  const auto found = findings(group);
  CHECK(std::count(found.begin(), found.end(), group_finding{group_fault::pod_set_minimum, 1, 9}) == 1);
  CHECK(std::count(found.begin(), found.end(), group_finding{group_fault::limit_negative, 1, -7}) == 1);
}

TEST_CASE("all faults are listed at once, the first of them first", "[workload][bad_input]") {
  auto group = valid();
  group.id = no_group;
  group.min_count = -5;
  group.disruption = disruption_mode::unstated;
  group.priority = std::numeric_limits<std::int32_t>::max();
  CHECK(findings(group) == std::vector<group_finding>{{group_fault::reserved_id},
                                                      {group_fault::min_count_negative, 0, -5},
                                                      {group_fault::disruption_unstated},
                                                      {group_fault::priority_reserved, 0, group.priority}});
  CHECK(first_fault(group, three_levels).fault == group_fault::reserved_id);
}

TEST_CASE("limits on levels that do not nest are a fault", "[workload][bad_input]") {
  topology merged = three_levels;
  merged.levels[2].merge_equal_names = true;
  const auto limited = [](topology_level a, topology_level b) {
    return [a, b](group_type& g) { g.limits = {{a, 4}, {b, 2}}; };
  };
  // Equal rack names of two zones are one domain, so a rack may lie in two zones.
  CHECK(faults_after(limited(topology_level{0}, topology_level{2}), merged) == only{group_fault::limits_cross});
  CHECK(faults_after(limited(topology_level{2}, topology_level{1}), merged) == only{group_fault::limits_cross});
  CHECK(faults_after(limited(topology_level{2}, node_level), merged).empty());
  CHECK(faults_after(limited(topology_level{0}, topology_level{1}), merged).empty());
  CHECK(faults_after(limited(topology_level{2}, topology_level{2}), merged).empty());
}

TEST_CASE("a level with its whole path nests below a merged one", "[workload]") {
  topology merged = three_levels;
  merged.levels[0].merge_equal_names = merged.levels[1].merge_equal_names = true;
  const auto limited = [](topology_level a, topology_level b) {
    return [a, b](group_type& g) { g.limits = {{a, 4}, {b, 2}}; };
  };
  CHECK(faults_after(limited(topology_level{1}, topology_level{2}), merged).empty());
  CHECK(faults_after(limited(topology_level{2}, topology_level{0}), merged).empty());
  CHECK(faults_after(limited(topology_level{0}, topology_level{1}), merged) == only{group_fault::limits_cross});
}

TEST_CASE("a world that the declared pods cannot make up is a fault", "[workload][bad_input]") {
  const auto rigid = [](pod_count world) {
    return [world](group_type& g) {
      g.sizes.kind = size_rule::shape::rigid;
      g.world_size = world;
    };
  };
  CHECK(faults_after(rigid(0)).empty());
  CHECK(faults_after(rigid(6)).empty());
  CHECK(faults_after(rigid(5)).empty());  // min_count is 5
  const auto too_large = faults_after(rigid(7));
  CHECK(std::count(too_large.begin(), too_large.end(), group_fault::world_size) == 1);
  CHECK(faults_after(rigid(4)) == only{group_fault::size_rule_unreachable});  // below min_count
  // where sizes may change the world is the host's figure: more than the declared pods may join
  const auto any = [](pod_count world) { return [world](group_type& g) { g.world_size = world; }; };
  CHECK(faults_after(any(7)).empty());
  CHECK(faults_after(any(max_pods_per_group)).empty());
  CHECK(faults_after(any(max_pods_per_group + 1)) == only{group_fault::world_size});
}

TEST_CASE("sizes between the minimum and the declared pods are reachable", "[workload]") {
  const auto stepped = [](pod_count smallest, pod_count largest, pod_count step) {
    return [=](group_type& g) { g.sizes = {size_rule::shape::stepped, smallest, largest, step}; };
  };
  CHECK(faults_after(stepped(2, 6, 2)).empty());
  CHECK(faults_after(stepped(3, 100, 3)).empty());
  CHECK(faults_after(stepped(7, 9, 1)) == only{group_fault::size_rule_unreachable});
  CHECK(faults_after(stepped(1, 4, 1)) == only{group_fault::size_rule_unreachable});
}

TEST_CASE("the largest numbers are judged without wrapping", "[workload][bad_input]") {
  constexpr pod_count top = std::numeric_limits<pod_count>::max(), bottom = std::numeric_limits<pod_count>::min();
  for (const pod_count a : {bottom, pod_count{-1}, pod_count{0}, pod_count{1}, top})
    for (const pod_count b : {bottom, pod_count{-1}, pod_count{0}, pod_count{1}, top})
      for (const auto shape : {size_rule::shape::any, size_rule::shape::rigid, size_rule::shape::stepped}) {
        auto group = valid();
        group.pod_sets = {{{a, b}, a, b}, {{b, a}, b, a}, {{1, 1}, a, a}};
        group.min_count = b;
        group.sizes = {shape, a, b, a};
        group.world_size = b;
        group.limits = {{node_level, a}, {topology_level{0}, b}};
        const auto found = findings(group);
        CHECK((found.empty() ? group_fault::none : found.front().fault) == first_fault(group, three_levels).fault);
        if (a != 0 && a != 1) CHECK_FALSE(found.empty());
      }
}

TEST_CASE("the model judges the request", "[workload][bad_input]") {
  pod_group<devices<4>> group;
  group.id = group_id{1};
  group.disruption = disruption_mode::single;
  group.pod_sets = {{{.whole = 4}, 1, 0}};
  CHECK(first_fault(group, {}).fault == group_fault::none);
  group.pod_sets.push_back({{.whole = 5}, 1, 0});
  CHECK(first_fault(group, {}) ==
        group_finding{group_fault::pod_set_request, 1, static_cast<amount>(amount_fault::too_many_devices)});
}

TEST_CASE("one device model may be asked only of a resource model that tells them", "[workload][bad_input]") {
  CHECK(faults_after([](group_type& g) { g.one_device_model = true; }) == only{group_fault::device_models_untold});
  pod_group<devices<4>> group;
  group.id = group_id{1};
  group.disruption = disruption_mode::single;
  group.pod_sets = {{{.whole = 4}, 1, 0}};
  group.one_device_model = true;
  CHECK(first_fault(group, {}).fault == group_fault::none);
  group.pod_sets[0].request.whole = 0;  // nothing asks for devices: nothing is bound
  CHECK(first_fault(group, {}).fault == group_fault::none);
}

TEST_CASE("the first fault is found without allocating", "[workload]") {
  auto group = valid();
  group.min_count = -1;
  const muster_test::allocation_watch watch;
  const auto found = first_fault(group, three_levels);
  const auto calls = watch.calls();
  CHECK(calls == 0);
  CHECK(found.fault == group_fault::min_count_negative);
}

TEST_CASE("what may change in a group that is there, may", "[workload]") {
  const auto before = valid();
  auto after = before;
  after.min_count = 2;
  after.sizes = {size_rule::shape::stepped, 2, 6, 2};
  after.pod_sets[0].count = 8;
  after.started = time_point{duration{5}};
  after.checkpoint = time_point{duration{9}};
  CHECK(update_faults(before, after).empty());
}

TEST_CASE("what may never change in a group is named when it does", "[workload][bad_input]") {
  const auto before = valid();
  const auto changed = [&](auto change) {
    auto after = before;
    change(after);
    return update_faults(before, after);
  };
  using f = group_fault;
  CHECK(changed([](group_type& g) { g.policy = group_policy::basic; }) == only{f::policy_changed});
  CHECK(changed([](group_type& g) { g.priority = 3; }) == only{f::immutable_changed});
  CHECK(changed([](group_type& g) { g.preemption = preemption_policy::never; }) == only{f::immutable_changed});
  CHECK(changed([](group_type& g) { g.disruption = disruption_mode::single; }) == only{f::immutable_changed});
  CHECK(changed([](group_type& g) { g.required = no_level; }) == only{f::immutable_changed});
  CHECK(changed([](group_type& g) { g.limits[0].count = 1; }) == only{f::immutable_changed});
  CHECK(changed([](group_type& g) { g.limits[0].level = topology_level{0}; }) == only{f::immutable_changed});
  CHECK(changed([](group_type& g) { g.limits.pop_back(); }) == only{f::immutable_changed});
  CHECK(changed([](group_type& g) { g.one_device_model = true; }) == only{f::immutable_changed});
  CHECK(changed([](group_type& g) {
          g.policy = group_policy::basic;
          g.priority = 3;
        }) == only{f::policy_changed, f::immutable_changed});
}

TEST_CASE("every group fault has its own name", "[workload]") {
  std::set<std::string_view> names;
  std::size_t faults = 0;
  for (auto fault = group_fault::none;; fault = static_cast<group_fault>(static_cast<int>(fault) + 1)) {
    names.insert(name(fault));
    ++faults;
    if (fault == group_fault::immutable_changed) break;
  }
  CHECK(names.size() == faults);
  CHECK(names.count("?") == 0);
}
