// SPDX-License-Identifier: BSL-1.0
// Domains under a limit as sites of sites: what is too much to list stays so, however often it is asked.
#include <muster/placement/detail/compound.hpp>

#include "support/catch.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

using namespace muster::placement_detail;

namespace {

/// Nodes that take any `each` pods of `classes` classes.
mix nodes_of(std::size_t classes, class_count each) {
  mix made;
  made.clear(classes);
  for (class_count& d : made.demand) d = 1000;
  for (std::size_t c = 0; c < classes; ++c)
    for (std::size_t k = 0; k < classes; ++k) made.counts.push_back(k == c ? each : 0);
  made.groups.push_back({0, made.patterns(), 0});
  return made;
}

}  // namespace

TEST_CASE("a domain of two nodes has the sums of their patterns, cut to its limit", "[placement]") {
  mix of = nodes_of(2, 2);
  compound_lists lists;
  lists.start(of);
  search_budget budget;
  const auto list = lists.list_of({0, 0}, 3, budget);
  REQUIRE(list.has_value());
  std::vector<std::vector<class_count>> found;
  for (std::uint32_t p = of.groups[*list].first; p < of.groups[*list].last; ++p)
    found.emplace_back(of.pattern(p).begin(), of.pattern(p).end());
  // sums (4,0), (2,2), (0,4): of at most three pods that is 3+0, 2+1, 1+2 and 0+3
  CHECK(found == std::vector<std::vector<class_count>>{{3, 0}, {2, 1}, {1, 2}, {0, 3}});
  CHECK(lists.list_of({0, 0}, 3, budget) == list);
}

TEST_CASE("a domain with too many patterns has no list, the second time too", "[placement]") {
  mix of = nodes_of(6, 40);
  compound_lists lists;
  lists.start(of);
  search_budget budget;
  const std::vector<std::uint32_t> members(6, 0);
  CHECK_FALSE(lists.list_of(members, 100, budget).has_value());
  CHECK_FALSE(lists.list_of(members, 100, budget).has_value());
  search_budget spent{0};
  CHECK_FALSE(lists.list_of({0, 0}, 5, spent).has_value());
  search_budget more;
  CHECK(lists.list_of({0, 0}, 1, more).has_value());
}
