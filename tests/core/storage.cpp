// SPDX-License-Identifier: BSL-1.0
#include <muster/core/storage.hpp>

#include "support/allocation.hpp"
#include "support/catch.hpp"

#include <string>
#include <vector>

using namespace muster;

TEST_CASE("a short list allocates only past its short length", "[core]") {
  const muster_test::allocation_watch watch;
  short_list<int, 4> list;
  for (int i = 0; i < 4; ++i) list.push_back(i);
  const auto short_calls = watch.calls();
  list.push_back(4);
  const auto long_calls = watch.calls();
  CHECK(short_calls == 0);
  CHECK(long_calls == 1);
  CHECK(std::vector<int>(list.begin(), list.end()) == std::vector<int>{0, 1, 2, 3, 4});
}

TEST_CASE("a sorted map is read in key order", "[core]") {
  sorted_map<int, std::string> map;
  map[3] = "c";
  map[1] = "a";
  map[2] = "b";
  std::string read;
  for (const auto& [key, value] : map) read += value;
  CHECK(read == "abc");
}
