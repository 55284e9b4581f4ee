// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/detail/recount_numbers.hpp>

#include "support/catch.hpp"

#include <muster/core/amount.hpp>

#include <cstdint>
#include <vector>

using namespace muster;
using placement_detail::worth_by_number;

namespace {

const std::vector<pod_price> prices{5, 2};

/// Of a node that hosts three pods of 2, or one of 5 and one of 2.
worth_by_number of_node() {
  worth_by_number made;
  made.offer(std::vector<pod_count>{0, 3}, prices);
  made.offer(std::vector<pod_count>{1, 1}, prices);
  return made;
}

std::int64_t most_of(worth_by_number of, pod_count room) {
  of.cut(room);
  return of.most();
}

}  // namespace

TEST_CASE("of every number of pods the dearest way counts", "[placement]") {
  CHECK(most_of(of_node(), 0) == 0);
  CHECK(most_of(of_node(), 1) == 5);
  CHECK(most_of(of_node(), 2) == 7);
  CHECK(most_of(of_node(), 3) == 7);  // three of 2 are worth 6, and two may be taken
  CHECK(of_node().pods() == 3);
}

TEST_CASE("two nodes are added number by number, up to the room there is", "[placement]") {
  const auto both = [](pod_count room) {
    worth_by_number sum = of_node();
    sum.add(of_node(), room);
    return sum.most();
  };
  CHECK(both(0) == 0);
  CHECK(both(1) == 5);
  CHECK(both(2) == 10);  // one of 5 from each
  CHECK(both(3) == 12);
  CHECK(both(4) == 14);
  CHECK(both(100) == 14);
  worth_by_number nothing;
  nothing.add(of_node(), 2);
  CHECK(nothing.most() == 7);
}
