// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/describe_ladder.hpp>

#include "support/catch.hpp"

#include <array>
#include <iterator>
#include <string>
#include <string_view>

using namespace muster;

namespace {

constexpr std::array<std::string_view, 2> levels{"zone", "rack"};
constexpr std::array<std::string_view, 2> reasons{"", "tainted"};

std::string text_of(const rung& one) {
  std::string text;
  describe(std::back_inserter(text), one, {{}, levels, reasons});
  return text;
}

}  // namespace

TEST_CASE("each rung is a sentence", "[placement]") {
  rung one;
  one.kind = rung_kind::wait_for_leaving;
  one.answer = rung_answer::helps;
  one.bound = one.proved = 1;
  CHECK(text_of(one) == "once 1 pod has left, it fits");
  one.kind = rung_kind::lower_min_count;
  one.proved = 1200;
  CHECK(text_of(one) == "with min_count 1,200 it fits");
  one.answer = rung_answer::no_help;
  CHECK(text_of(one) == "no lower min_count helps");
  one.kind = rung_kind::wider_level;
  one.level = topology_level{0};
  CHECK(text_of(one) == "within one zone it does not fit either");
  one.level = no_level;
  one.answer = rung_answer::helps;
  CHECK(text_of(one) == "anywhere in the cluster it fits");
  one.kind = rung_kind::drop_reason;
  one.reason = reason_code{1};
  CHECK(text_of(one) == "without tainted it fits");
  one.kind = rung_kind::more_nodes;
  one.bound = one.proved = 2;
  one.shape = 3;
  one.domain = {topology_level{1}, {label_id{7}}};
  CHECK(text_of(one) == "2 more nodes of shape 3 in rack 7 would do");
  one.answer = rung_answer::bounded;
  CHECK(text_of(one) == "at least 2 more nodes of shape 3 in rack 7 are needed");
  one.bound = 1;
  CHECK(text_of(one) == "at least 1 more node of shape 3 in rack 7 is needed");
  one.bound = 0;
  CHECK(text_of(one) == "it is not known how many nodes of shape 3 are needed, if any");
  one.kind = rung_kind::largest_gang;
  one.proved = 5;
  one.bound = 8;
  CHECK(text_of(one) == "5 pods of it sit at once, at most 8");
}
