// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/case_columns.hpp>

#include "support/catch.hpp"

#include <iterator>
#include <string>

using namespace muster;

TEST_CASE("devices and vectors stand side by side", "[placement]") {
  using model = joint<devices<4>, resource_vector<2>>;
  using columns = case_columns<model>;
  STATIC_REQUIRE(columns::count == 3);
  std::string text;
  auto out = std::back_inserter(text);
  out = columns::put_capacity(out, model::capacity_type{{2, device_model{7}, {0, 1}}, {64, 512}});
  out = put(out, "\n");
  out = columns::put_node_lines(out, "n1", model::capacity_type{{2, device_model{7}, {0, 1}}, {64, 512}});
  out = columns::put_request(out, model::request_type{{0, 250, device_model{7}, false}, {4, 8}});
  out = put(out, "\n");
  out = columns::put_class_lines(out, "g1 0", model::request_type{{0, 250, device_model{7}, false}, {4, 8}});
  columns::put_grant_lines(out, "g1 0 n1", model::grant_type{{0b10, 250}, {4, 8}});
  CHECK(text ==
        " 2 64 512\n"
        "devices n1 7 0 1\n"
        " 0 4 8\n"
        "share g1 0 250\n"
        "wants g1 0 7 0\n"
        "grant g1 0 n1 1 250\n");
}
