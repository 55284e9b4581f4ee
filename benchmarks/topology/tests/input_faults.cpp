// SPDX-License-Identifier: BSL-1.0
// Every fault of a list of hosts is named by file, line and column; and what becomes of a good one.

#include "machines.hpp"
#include "policy.hpp"

#include <stdexcept>
#include <string>

#include <support/catch.hpp>

namespace {

using namespace topology_study;

const std::string header = "host,dsw,psw,asw\n";

std::string fault(const std::string& text) {
  try {
    static_cast<void>(read_machines(replay::csv_table("hosts.csv", text)));
  } catch (const std::runtime_error& fault) {
    return fault.what();
  }
  return "no fault";
}

}  // namespace

TEST_CASE("a broken list of hosts is named by file, line and column") {
  CHECK(fault("") == "hosts.csv:1:1: the file is empty; a header line was expected");
  CHECK(fault(header) == "hosts.csv:2:1: no hosts after the header");
  CHECK(fault("host,dsw,psw\n0,G1,P1\n") == "hosts.csv:1:1: no column 'asw'");
  CHECK(fault(header + "0,G1,P1,S1\n1,G1,P1\n") == "hosts.csv:3:8: 3 fields where the header names 4");
  CHECK(fault(header + "zero,G1,P1,S1\n") == "hosts.csv:2:1: column 'host' 'zero' is not a whole number");
  CHECK(fault(header + "-1,G1,P1,S1\n") ==
        "hosts.csv:2:1: column 'host' '-1' is not between 0 and 9223372036854775807");
  CHECK(fault(header + "0,G1,P1,S1\n0,G1,P1,S2\n") ==
        "hosts.csv:3:1: column 'host' names a host for the second time");
  CHECK(fault(header + "0,G1,P1,S1\n1,G1,,S1\n") == "hosts.csv:3:6: column 'psw' is empty");
  CHECK(fault(header + "0,G1,P1,\n") == "hosts.csv:2:9: column 'asw' is empty");
}

TEST_CASE("racks of one name in two blocks are two, and hosts stand rack by rack") {
  const machines read =
      read_machines(replay::csv_table("hosts.csv", header + "0,G1,P2,S1\n1,G1,P1,S1\n2,G1,P2,S1\n3,G2,P2,S1\n"));
  CHECK(read.racks == 3);
  CHECK(read.blocks == 3);
  CHECK(read.hosts == std::vector<host>{{0, 0}, {0, 0}, {1, 1}, {2, 2}});
  CHECK(read.largest_rack() == 2);
  CHECK(read.largest_block() == 2);
}

TEST_CASE("more hosts than a list has are its first racks again, under new names") {
  const machines read =
      read_machines(replay::csv_table("hosts.csv", header + "0,G1,P1,S1\n1,G1,P1,S1\n2,G1,P2,S1\n3,G1,P2,S1\n"));
  const machines more = extended(read, 7);
  CHECK(more.hosts == std::vector<host>{{0, 0}, {0, 0}, {1, 1}, {1, 1}, {2, 2}, {2, 2}, {3, 3}});
  CHECK(more.racks == 4);
  CHECK(more.blocks == 4);
  const machines fewer = extended(read, 3);
  CHECK(fewer.hosts == std::vector<host>{{0, 0}, {0, 0}, {1, 1}});
  CHECK(fewer.racks == 2);
  CHECK(extended(read, 2).blocks == 1);
}

TEST_CASE("an unknown policy is named") {
  CHECK_THROWS_WITH(policies_named("muster,luck"), "no such policy: 'luck'");
  CHECK_THROWS_WITH(policies_named(""), "no such policy: ''");
  CHECK(policies_named("kueue,first_fit").size() == 2);
}
