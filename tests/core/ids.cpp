// SPDX-License-Identifier: BSL-1.0
// That ids cannot be mixed up is in static/ids.cpp.
#include <muster/core/ids.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <limits>
#include <type_traits>

using namespace muster;

TEST_CASE("an id is the host's number and no other", "[core]") {
  CHECK(number(node_id{42}) == 42);
  CHECK(number(pod_id{std::numeric_limits<std::uint64_t>::max()}) == std::numeric_limits<std::uint64_t>::max());
  STATIC_REQUIRE(std::is_same_v<decltype(number(kind_id{1})), std::uint32_t>);
  STATIC_REQUIRE(std::is_same_v<decltype(number(group_id{1})), std::uint64_t>);
}

TEST_CASE("what stands for none is the last number, and never is the first revision", "[core]") {
  CHECK(no_group > group_id{std::numeric_limits<std::uint64_t>::max() - 1});
  CHECK(no_node > node_id{0});
  CHECK(no_label > label_id{0});
  CHECK(never_seen < revision{1});
}
