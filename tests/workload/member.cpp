// SPDX-License-Identifier: BSL-1.0
#include <muster/workload/member.hpp>

#include "support/catch.hpp"

#include <cstddef>

using namespace muster;

TEST_CASE("every phase has its name, and three of them are the end", "[workload]") {
  CHECK(name(phase::seen) == "seen");
  CHECK(name(phase::assumed) == "assumed");
  CHECK(name(phase::bound) == "bound");
  CHECK(name(phase::ready) == "ready");
  CHECK(name(phase::terminating) == "terminating");
  CHECK(name(phase::succeeded) == "succeeded");
  CHECK(name(phase::failed) == "failed");
  CHECK(name(phase::lost) == "lost");
  std::size_t over = 0;
  for (std::size_t p = 0; p < phase_count; ++p) over += is_terminal(static_cast<phase>(p)) ? 1U : 0U;
  CHECK(over == 3);
  CHECK(is_terminal(phase::lost));
  CHECK_FALSE(is_terminal(phase::terminating));
}

TEST_CASE("scheduled members are those that hold a place and mean to stay", "[workload]") {
  member_counts members;
  for (std::size_t p = 0; p < phase_count; ++p) members.add(static_cast<phase>(p), pod_count{1} << p);
  CHECK(members.unscheduled() == members[phase::seen]);
  CHECK(members.scheduled() == members[phase::assumed] + members[phase::bound] + members[phase::ready]);
  CHECK(members.succeeded() == members[phase::succeeded]);
  CHECK(members.total() == (1 << phase_count) - 1);
  members.add(phase::ready, -members[phase::ready]);
  CHECK(members[phase::ready] == 0);
}
