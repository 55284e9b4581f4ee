// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/rung.hpp>

#include "support/catch.hpp"

using namespace muster;

TEST_CASE("every rung and every answer has a name", "[placement]") {
  for (const rung_kind kind : {rung_kind::wait_for_leaving, rung_kind::lower_min_count, rung_kind::more_nodes,
                               rung_kind::wider_level, rung_kind::several_models, rung_kind::drop_reason,
                               rung_kind::largest_gang})
    CHECK(name(kind) != "?");
  for (const rung_answer answer : {rung_answer::helps, rung_answer::no_help, rung_answer::bounded})
    CHECK(name(answer) != "?");
}
