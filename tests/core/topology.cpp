// SPDX-License-Identifier: BSL-1.0
// How nodes fall into domains is in cluster/domains.cpp.
#include <muster/core/topology.hpp>

#include "support/catch.hpp"

using namespace muster;

TEST_CASE("a topology has its levels and the node itself", "[core]") {
  const topology three = nested_levels(3);
  CHECK(three.size() == 3);
  CHECK(three.has(topology_level{0}));
  CHECK(three.has(topology_level{2}));
  CHECK_FALSE(three.has(topology_level{3}));
  CHECK(three.has(node_level));
  CHECK_FALSE(three.has(no_level));
  for (const level_rule& rule : three.levels) CHECK_FALSE(rule.merge_equal_names);
}

TEST_CASE("a cluster without levels still has its nodes", "[core]") {
  const topology none;
  CHECK(none.size() == 0);
  CHECK(none.has(node_level));
  CHECK_FALSE(none.has(topology_level{0}));
}

TEST_CASE("a label that is not there is no label", "[core]") {
  const labels two{label_id{5}, no_label};
  CHECK(label_at(two, 0) == label_id{5});
  CHECK(label_at(two, 1) == no_label);
  CHECK(label_at(two, 2) == no_label);
  CHECK(label_at({}, 0) == no_label);
}

TEST_CASE("domain paths are equal if level and path are", "[core]") {
  const domain_path rack{topology_level{1}, {label_id{1}, label_id{2}}};
  CHECK(rack == domain_path{topology_level{1}, {label_id{1}, label_id{2}}});
  CHECK_FALSE(rack == domain_path{topology_level{1}, {label_id{2}, label_id{2}}});
  CHECK_FALSE(rack == domain_path{topology_level{2}, {label_id{1}, label_id{2}}});
  CHECK_FALSE(rack == domain_path{topology_level{1}, {label_id{1}}});
}
