// SPDX-License-Identifier: BSL-1.0
// The second call of a kind with a kept space allocates nothing.
#include <muster/placement/divide.hpp>
#include <muster/placement/division_space.hpp>

#include "support/allocation.hpp"
#include "support/catch.hpp"
#include "support/yard.hpp"

#include <cstdint>

namespace {

using muster::division_rule;
using muster::level_wish;
using muster::node_level;
using muster_test::wish_of;
using muster_test::yard;

constexpr muster::topology_level rack{1};

}  // namespace

TEST_CASE("dividing again allocates nothing", "[placement]") {
  yard s;
  for (std::uint64_t n = 1; n <= 40; ++n) s.node(n, {static_cast<muster::amount>(1 + n % 5), 1}, {n / 20, n / 5});
  const auto tree = s.tree(node_level, 1);
  for (const auto rule : {division_rule::best_fit, division_rule::least_free, division_rule::balanced,
                          division_rule::smallest_spread, division_rule::fewest_domains})
    for (const std::uint64_t budget : {std::uint64_t{100}, std::uint64_t{1} << 20U}) {
      auto wish = wish_of(36, rack, level_wish::preferred, rule);
      wish.leader = true;
      wish.budget = budget;
      wish.layers = {{rack, 4}, {node_level, 2}};
      muster::division_space space;
      CHECK(divide(tree, wish, space).fits());
      const muster_test::allocation_watch watch;
      static_cast<void>(divide(tree, wish, space));
      const auto calls = watch.calls();
      CHECK(calls == 0);
    }
}
