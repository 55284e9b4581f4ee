// SPDX-License-Identifier: BSL-1.0
#include <muster/core/text.hpp>

#include "support/allocation.hpp"
#include "support/catch.hpp"

#include <array>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>

using namespace muster;

namespace {

template <class Number>
std::string shown(Number number, digits style = digits::plain) {
  std::string text;
  put(std::back_inserter(text), number, style);
  return text;
}

std::string counted(std::int64_t number) {
  std::string text;
  put_counted(std::back_inserter(text), number, "node", "nodes");
  return text;
}

}  // namespace

TEST_CASE("numbers are written in decimal", "[core]") {
  CHECK(shown(0) == "0");
  CHECK(shown(-1) == "-1");
  CHECK(shown(1234567) == "1234567");
  CHECK(shown(std::int8_t{-128}) == "-128");
  CHECK(shown(std::uint8_t{255}) == "255");
  CHECK(shown(std::numeric_limits<std::int64_t>::min()) == "-9223372036854775808");
  CHECK(shown(std::numeric_limits<std::int64_t>::max()) == "9223372036854775807");
  CHECK(shown(std::numeric_limits<std::uint64_t>::max()) == "18446744073709551615");
}

TEST_CASE("grouped digits have a comma every three", "[core]") {
  CHECK(shown(0, digits::grouped) == "0");
  CHECK(shown(999, digits::grouped) == "999");
  CHECK(shown(1000, digits::grouped) == "1,000");
  CHECK(shown(-1000, digits::grouped) == "-1,000");
  CHECK(shown(-999999, digits::grouped) == "-999,999");
  CHECK(shown(std::numeric_limits<std::uint64_t>::max(), digits::grouped) == "18,446,744,073,709,551,615");
  CHECK(shown(std::numeric_limits<std::int64_t>::min(), digits::grouped) == "-9,223,372,036,854,775,808");
}

TEST_CASE("counted things are one or many", "[core]") {
  CHECK(counted(0) == "0 nodes");
  CHECK(counted(1) == "1 node");
  CHECK(counted(-1) == "-1 nodes");
  CHECK(counted(1250) == "1,250 nodes");
}

TEST_CASE("text goes to any output iterator without allocating", "[core]") {
  std::array<char, 32> buffer{};
  const muster_test::allocation_watch watch;
  char* end = put(buffer.data(), "gpu on ");
  end = put_counted(end, 1250, "node", "nodes");
  const auto calls = watch.calls();
  CHECK(calls == 0);
  CHECK(std::string(buffer.data(), end) == "gpu on 1,250 nodes");
}
