// SPDX-License-Identifier: BSL-1.0
#include <muster/preemption/victim_unit.hpp>

#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <set>
#include <string_view>

namespace {

using one = muster::resource_vector<1>;
using muster::unit_kind;

constexpr unit_kind all_kinds[] = {unit_kind::pod, unit_kind::member, unit_kind::group, unit_kind::composite};

}  // namespace

TEST_CASE("kinds of units rank as in Kubernetes, a member as high as its group", "[preemption]") {
  CHECK(rank_of(unit_kind::pod) == 1);
  CHECK(rank_of(unit_kind::member) == 2);
  CHECK(rank_of(unit_kind::group) == 2);
  CHECK(rank_of(unit_kind::composite) == 3);
}

TEST_CASE("kinds of units have names of their own, and stand in the order of their ranks", "[preemption]") {
  std::set<std::string_view> names;
  for (const unit_kind kind : all_kinds) names.insert(name(kind));
  CHECK(names.size() == 4);
  CHECK(names.count("?") == 0);
  CHECK(unit_kind::pod < unit_kind::member);
  CHECK(unit_kind::member < unit_kind::group);
  CHECK(unit_kind::group < unit_kind::composite);
}

TEST_CASE("a unit of which nothing is known counts as newest", "[preemption]") {
  const muster::victim_unit<one> unit;
  CHECK(unit.started == muster::end_of_time);
  CHECK(unit.group == nullptr);
  CHECK(unit.pods == 0);
}

TEST_CASE("each unit knows its own pods of the common list", "[preemption]") {
  muster::pod_record<one> records[3];
  for (std::uint64_t i = 0; i < 3; ++i) records[i].id = muster::pod_id{10 + i};
  muster::victim_units<one> all;
  for (const auto& record : records) all.pods.push_back(&record);
  all.units.resize(3);
  all.units[0].pods = 2;
  all.units[1].first_pod = 2;
  all.units[1].pods = 1;

  const auto first = all.pods_of(all.units[0]);
  REQUIRE(first.size() == 2);
  CHECK(first[0] == &records[0]);
  CHECK(first[1] == &records[1]);
  const auto second = all.pods_of(all.units[1]);
  REQUIRE(second.size() == 1);
  CHECK(second[0] == &records[2]);
  CHECK(all.pods_of(all.units[2]).empty());
}
