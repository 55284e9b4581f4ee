// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/candidates.hpp>

#include "support/catch.hpp"

#include <array>
#include <vector>

TEST_CASE("a candidate list keeps nodes and names apart; one without nodes is none", "[placement]") {
  muster::candidate_list list;
  CHECK(list.empty());
  const std::array<muster::run, 2> nodes{{{1, 3}, {5, 6}}};
  const muster::domain_path seven{muster::topology_level{0}, {muster::label_id{7}}}, eight = seven;
  list.add({&seven, 1}, nodes);
  list.add({&eight, 1}, {});
  list.add({}, std::vector<muster::run>{{9, 10}});
  REQUIRE(list.size() == 2);
  CHECK(list.nodes(0).size() == 2);
  CHECK(list.count(0) == 3);
  CHECK(list.name(0)[0].path.back() == muster::label_id{7});
  CHECK(list.count(1) == 1);
  CHECK(list.name(1).empty());
  list.constrained = list.pinned = true;
  list.clear();
  CHECK(list.empty());
  CHECK(!list.constrained);
  CHECK(!list.pinned);
  list.add({}, nodes);
  CHECK(list.count(0) == 3);
}

TEST_CASE("a choice starts with nothing chosen", "[placement]") {
  const muster::candidate_choice none;
  CHECK(none.candidate == muster::no_candidate);
  CHECK(none.verdict == muster::verdict::never);
}
