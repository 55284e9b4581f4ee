// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/case_columns.hpp>

#include "support/catch.hpp"

#include <iterator>
#include <string>

using namespace muster;

namespace {

template <class Put>
std::string text_of(Put put_it) {
  std::string text;
  put_it(std::back_inserter(text));
  return text;
}

}  // namespace

TEST_CASE("devices and vectors stand side by side", "[placement]") {
  using model = joint<devices<4>, resource_vector<2>>;
  using columns = case_columns<model>;
  STATIC_REQUIRE(columns::count == 3);
  STATIC_REQUIRE(columns::with_devices);
  const model::capacity_type capacity{{2, device_model{7}, {0, 1}}, {64, 512}};
  const model::request_type request{{0, 250, device_model{7}, false}, {4, 8}};
  CHECK(text_of([&](auto out) { columns::put_capacity(out, capacity); }) == " 2 64 512");
  CHECK(text_of([&](auto out) { columns::put_request(out, request); }) == " 0 4 8");
  CHECK(text_of([&](auto out) { columns::put_node_lines(out, "n1", capacity); }) == "devices n1 7 0 1\n");
  CHECK(text_of([&](auto out) { columns::put_sick_line(out, "n1", capacity, 1); }) == "sick n1 1\n");
  CHECK(text_of([&](auto out) { columns::put_sick_line(out, "n1", capacity, 2); }).empty());
  CHECK(text_of([&](auto out) { columns::put_class_lines(out, "g1 0", request); }) ==
        "share g1 0 250\nwants g1 0 7 0\n");
  const model::grant_type grant{{0b110, 250}, {4, 8}};
  CHECK(text_of([&](auto out) { columns::put_amounts(out, grant); }) == " 0 4 8");
  CHECK(text_of([&](auto out) { columns::put_grant_lines(out, "g1 0 n1", capacity, grant); }) ==
        "grant g1 0 n1 1 250\n");  // device 2 is not there
  CHECK(text_of([&](auto out) { columns::put_kept_lines(out, "g1 n1", capacity, grant, 9); }) ==
        "keptdevice g1 n1 1 250 9\n");
}

TEST_CASE("devices come first, wherever they stand in the model", "[placement]") {
  using inner = joint<devices<4>, resource_vector<1>>;
  using columns = case_columns<joint<resource_vector<2>, inner>>;
  const joint<resource_vector<2>, inner>::capacity_type capacity{{64, 512}, {{2, {}, {}}, {9}}};
  CHECK(text_of([&](auto out) { columns::put_capacity(out, capacity); }) == " 2 9 64 512");
  CHECK(text_of([&](auto out) { columns::put_sick_line(out, "n1", capacity, 0); }) == "sick n1 0\n");
}

TEST_CASE("a pod is usual if it holds just what it asks", "[placement]") {
  using model = joint<resource_vector<1>, devices<4>>;
  using columns = case_columns<model>;
  const model::capacity_type capacity{{8}, {2, {}, {}}};
  const model::request_type whole{{3}, {.whole = 2}}, share{{3}, {.share = 300}}, none{{3}, {}};
  CHECK(columns::is_usual(capacity, whole, {{3}, {0b11, 1000}}));
  CHECK_FALSE(columns::is_usual(capacity, whole, {{4}, {0b11, 1000}}));
  CHECK_FALSE(columns::is_usual(capacity, whole, {{3}, {0b01, 1000}}));
  CHECK_FALSE(columns::is_usual(capacity, whole, {{3}, {0b110, 1000}}));
  CHECK(columns::is_usual(capacity, share, {{3}, {0b10, 300}}));
  CHECK_FALSE(columns::is_usual(capacity, share, {{3}, {0b10, 400}}));
  CHECK(columns::is_usual(capacity, none, {{3}, {}}));
  CHECK(columns::any_amount({{1}, {}}));
  CHECK_FALSE(columns::any_amount({{0}, {1, 1000}}));
}
