// SPDX-License-Identifier: BSL-1.0
#include <muster/cluster/records.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"

#include <muster/resource/resource_vector.hpp>

#include <type_traits>

using namespace muster;
using counted = resource_vector<3>;

TEST_CASE("a fresh record knows nothing", "[cluster]") {
  const node_record node;
  CHECK(node.spec_at == never_seen);
  CHECK(node.position == no_position);
  CHECK(node.first_pod == no_slot);
  CHECK_FALSE(node.present);
  const pod_record<counted> pod;
  CHECK(pod.node == no_slot);
  CHECK(pod.group == no_slot);
  CHECK(pod.phase == phase::seen);
  CHECK_FALSE(pod.charged);
}

TEST_CASE("a group is present while it was seen after it went", "[cluster]") {
  group_record<counted> group;
  CHECK_FALSE(group.present());
  group.spec_at = revision{5};
  CHECK(group.present());
  group.gone_at = revision{5};
  CHECK_FALSE(group.present());
  group.spec_at = revision{6};
  CHECK(group.present());
}

TEST_CASE("the records there are most of stay small and plain", "[cluster]") {
  STATIC_REQUIRE(sizeof(node_record) <= 56);
  STATIC_REQUIRE(std::is_trivially_copyable_v<node_record>);
  STATIC_REQUIRE(std::is_trivially_copyable_v<pod_record<counted>>);
}
