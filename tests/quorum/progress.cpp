// SPDX-License-Identifier: BSL-1.0
#include <muster/quorum/progress.hpp>

#include "support/catch.hpp"

#include <limits>
#include <set>
#include <string_view>

using muster::check_progress;
using muster::conclude;
using muster::progress;

TEST_CASE("progress is success from the minimum up, whatever else fails", "[quorum]") {
  CHECK(check_progress({.minimum = 3, .succeeded = 3}) == progress::success);
  CHECK(check_progress({.minimum = 3, .succeeded = 4, .remaining = 0, .unschedulable = 9}) == progress::success);
  CHECK(check_progress({.minimum = 0}) == progress::success);
  CHECK(check_progress({}) == progress::success);
}

TEST_CASE("progress waits while the untried can still reach the minimum", "[quorum]") {
  CHECK(check_progress({.minimum = 3, .succeeded = 2, .remaining = 1}) == progress::wait);
  CHECK(check_progress({.minimum = 3, .succeeded = 0, .remaining = 3}) == progress::wait);
  CHECK(check_progress({.minimum = 1, .remaining = 1}) == progress::wait);
}

TEST_CASE("progress tells what preemption may mend from what it cannot", "[quorum]") {
  CHECK(check_progress({.minimum = 3, .succeeded = 0, .remaining = 2, .unschedulable = 1}) == progress::unschedulable);
  CHECK(check_progress({.minimum = 3, .succeeded = 1, .remaining = 1, .unschedulable = 5}) == progress::unschedulable);
  CHECK(check_progress({.minimum = 3, .succeeded = 0, .remaining = 2}) == progress::unresolvable);
  CHECK(check_progress({.minimum = 3, .succeeded = 1, .remaining = 0, .unschedulable = 1}) == progress::unresolvable);
}

TEST_CASE("the four answers are the four cases of the rule, for all small numbers", "[quorum]") {
  for (muster::pod_count m = 0; m < 5; ++m)
    for (muster::pod_count s = 0; s < 5; ++s)
      for (muster::pod_count r = 0; r < 5; ++r)
        for (muster::pod_count u = 0; u < 5; ++u) {
          const progress expected = s >= m           ? progress::success
                                    : s + r >= m     ? progress::wait
                                    : s + r + u >= m ? progress::unschedulable
                                                     : progress::unresolvable;
          if (check_progress({m, s, r, u}) != expected) FAIL_CHECK(m << ' ' << s << ' ' << r << ' ' << u);
        }
}

TEST_CASE("progress holds its sums at the end of the range", "[quorum]") {
  constexpr muster::pod_count most = std::numeric_limits<muster::pod_count>::max();
  CHECK(check_progress({.minimum = most, .succeeded = most - 1, .remaining = most, .unschedulable = most}) ==
        progress::wait);
  CHECK(check_progress({.minimum = most, .succeeded = 1, .remaining = 1, .unschedulable = most}) ==
        progress::unschedulable);
}

TEST_CASE("an attempt concludes: a wait left over and a success that placed nothing are unschedulable", "[quorum]") {
  CHECK(conclude(progress::wait, 5) == progress::unschedulable);
  CHECK(conclude(progress::success, 1) == progress::success);
  CHECK(conclude(progress::success, 0) == progress::unschedulable);
  CHECK(conclude(progress::unschedulable, 0) == progress::unschedulable);
  CHECK(conclude(progress::unresolvable, 0) == progress::unresolvable);
}

TEST_CASE("every progress has a name of its own", "[quorum]") {
  std::set<std::string_view> names;
  for (const auto p : {progress::success, progress::wait, progress::unschedulable, progress::unresolvable})
    names.insert(name(p));
  CHECK(names.size() == 4);
  CHECK(names.count("?") == 0);
}
