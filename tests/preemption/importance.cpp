// SPDX-License-Identifier: BSL-1.0
#include <muster/preemption/importance.hpp>

#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"

#include <cstddef>
#include <vector>

namespace {

using slots = muster::resource_vector<1>;
using unit = muster::victim_unit<slots>;
using muster::unit_kind;

unit made(std::int32_t priority, unit_kind kind, std::uint32_t pods, std::int64_t started, std::uint64_t first) {
  unit one;
  one.priority = priority;
  one.kind = kind;
  one.pods = pods;
  one.started = muster::time_point{muster::duration{started}};
  one.first = muster::pod_id{first};
  return one;
}

}  // namespace

static_assert(muster::unit_order<muster::more_important, slots>);

TEST_CASE("importance goes by priority, rank, pods, start and id, in this order", "[preemption]") {
  unit unstarted = made(5, unit_kind::pod, 1, 0, 1);
  unstarted.started = muster::end_of_time;
  // The most important first; each differs from the next in what the next key decides, against all later keys.
  const std::vector<unit> ordered{
      made(9, unit_kind::pod, 1, 9, 90),       made(5, unit_kind::composite, 2, 9, 80),
      made(5, unit_kind::group, 9, 9, 70),     made(5, unit_kind::group, 3, 2, 60),
      made(5, unit_kind::group, 3, 4, 50),     made(5, unit_kind::member, 1, 7, 40),
      made(5, unit_kind::pod, 1, 1, 30),       made(5, unit_kind::pod, 1, 6, 10),
      made(5, unit_kind::pod, 1, 6, 20),       unstarted,
  };
  const muster::more_important before;
  for (std::size_t a = 0; a < ordered.size(); ++a)
    for (std::size_t b = 0; b < ordered.size(); ++b) CHECK(before(ordered[a], ordered[b]) == (a < b));
}

TEST_CASE("a pod of a group is of a group's rank", "[preemption]") {
  const muster::more_important before;
  CHECK(before(made(5, unit_kind::member, 1, 0, 1), made(5, unit_kind::group, 1, 0, 2)));
  CHECK(before(made(5, unit_kind::group, 1, 0, 1), made(5, unit_kind::member, 1, 0, 2)));
}
