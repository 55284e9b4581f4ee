// SPDX-License-Identifier: BSL-1.0
// The published traces, where they are: hidden by default, run as the ctest replay_node_counts. The counts are those
// worked out from the traces apart from this program: mean demand / 8 GPUs / load, rounded.

#include "load.hpp"
#include "trace_reader.hpp"

#include <cstddef>
#include <string>

#include <support/catch.hpp>

using namespace replay;

TEST_CASE("the clusters that give the traces 90 and 105 percent load", "[.shared]") {
  const auto nodes = [](const std::string& file, int load_percent) {
    const std::string path = std::string(MUSTER_SHARED_DIR) + "/data/" + file;
    return nodes_for_load(read_trace(csv_table::from_file(path), path), load_percent);
  };
  CHECK(nodes("itp_gangs.csv", 90) == 158);
  CHECK(nodes("itp_gangs.csv", 105) == 135);
  CHECK(nodes("helios_venus_gangs.csv", 90) == 103);
  CHECK(nodes("helios_venus_gangs.csv", 105) == 88);
}
