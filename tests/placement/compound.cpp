// SPDX-License-Identifier: BSL-1.0
// Domains under a limit as sites of sites: what is too much to list stays so, however often it is asked.
#include <muster/placement/detail/compound.hpp>

#include "support/catch.hpp"
#include "support/generator.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
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
  const std::vector<std::uint32_t> two(2, 0);
  const auto list = lists.list_of(two, 3, budget);
  REQUIRE(list.has_value());
  std::vector<std::vector<class_count>> found;
  for (std::uint32_t p = of.groups[*list].first; p < of.groups[*list].last; ++p)
    found.emplace_back(of.pattern(p).begin(), of.pattern(p).end());
  // sums (4,0), (2,2), (0,4): of at most three pods that is 3+0, 2+1, 1+2 and 0+3
  CHECK(found == std::vector<std::vector<class_count>>{{3, 0}, {2, 1}, {1, 2}, {0, 3}});
  CHECK(lists.list_of(two, 3, budget) == list);
  CHECK(lists.list_of(two, 2, budget) != list);
}

TEST_CASE("a domain with too many patterns has no list, the second time too", "[placement]") {
  mix of = nodes_of(6, 40);
  compound_lists lists;
  lists.start(of);
  search_budget budget;
  const std::vector<std::uint32_t> members(6, 0), two(2, 0);
  CHECK_FALSE(lists.list_of(members, 100, budget).has_value());
  CHECK_FALSE(lists.list_of(members, 100, budget).has_value());
  search_budget spent{0};
  CHECK_FALSE(lists.list_of(two, 5, spent).has_value());
  search_budget more;
  CHECK(lists.list_of(two, 1, more).has_value());
}

TEST_CASE("what a domain's pattern covers is shared out so that every member can give its part", "[placement]") {
  muster_test::generator rng{"compound"};
  for (int round = muster_test::rounds(300); round > 0; --round) {
    mix of;
    const std::size_t classes = 1 + rng.below(4);
    of.clear(classes);
    for (class_count& d : of.demand) d = static_cast<class_count>(rng.between(0, 9));
    for (std::uint32_t g = 0; g < 3; ++g) {
      const auto first = of.patterns();
      for (auto p = 1 + rng.below(3); p > 0; --p)
        for (std::size_t c = 0; c < classes; ++c)
          of.counts.push_back(static_cast<class_count>(rng.between(0, of.demand[c])));
      of.groups.push_back({first, of.patterns(), 0});
    }
    std::vector<std::uint32_t> members;
    for (auto m = 2 + rng.below(4); m > 0; --m) members.push_back(static_cast<std::uint32_t>(rng.below(3)));
    const muster::pod_count cap = rng.between(1, 12);
    compound_lists lists;
    lists.start(of);
    search_budget budget;
    const auto list = lists.list_of(members, cap, budget);
    REQUIRE(list.has_value());
    for (std::uint32_t p = of.groups[*list].first; p < of.groups[*list].last; ++p) {
      std::vector<class_count> asked(of.pattern(p).begin(), of.pattern(p).end());
      REQUIRE(std::accumulate(asked.begin(), asked.end(), muster::pod_count{0}) <= cap);
      for (class_count& one : asked) one = static_cast<class_count>(rng.between(one / 2, one));
      auto open = asked;
      lists.split(*list, asked, [&](std::size_t member, std::span<const class_count> part) {
        const auto& group = of.groups[members.at(member)];
        bool hosted = false;
        for (std::uint32_t k = group.first; k < group.last; ++k)
          hosted = hosted || std::equal(part.begin(), part.end(), of.pattern(k).begin(), std::less_equal<>{});
        CHECK(hosted);
        for (std::size_t c = 0; c < classes; ++c) {
          REQUIRE(part[c] <= open[c]);
          open[c] -= part[c];
        }
      });
      CHECK(open == std::vector<class_count>(classes, 0));
    }
  }
}
