// SPDX-License-Identifier: BSL-1.0
// Every fault of an input file is named by file, line and column.

#include "options.hpp"
#include "trace_reader.hpp"

#include <stdexcept>
#include <string>

#include <support/catch.hpp>

namespace {

using namespace replay;

const std::string itp = "cluster,submit_s,duration_s,workers,gpus_per_worker\n";
const std::string venus = "submit_s,duration_s,workers,gpus_per_worker,cpus_total,user,status\n";
const std::string openb = "node,cpu_milli,memory_mib,gpus,gpu_model\n";

std::string trace_fault(const std::string& text) {
  try {
    static_cast<void>(read_trace(csv_table("jobs.csv", text), "jobs.csv"));
  } catch (const std::runtime_error& fault) {
    return fault.what();
  }
  return "no fault";
}

std::string node_fault(const std::string& text) {
  try {
    static_cast<void>(read_nodes(csv_table("nodes.csv", text)));
  } catch (const std::runtime_error& fault) {
    return fault.what();
  }
  return "no fault";
}

std::string option_fault(std::initializer_list<const char*> words) {
  try {
    static_cast<void>(read_options(static_cast<int>(words.size()), words.begin()));
  } catch (const std::runtime_error& fault) {
    return fault.what();
  }
  return "no fault";
}

}  // namespace

TEST_CASE("a broken trace is named by file, line and column") {
  CHECK(trace_fault("") == "jobs.csv:1:1: the file is empty; a header line was expected");
  CHECK(trace_fault(itp) == "jobs.csv:2:1: no jobs after the header");
  CHECK(trace_fault("a,b\n1,2\n") ==
        "jobs.csv:1:1: header 'a,b' is neither 'cluster,submit_s,duration_s,workers,gpus_per_worker' nor "
        "'submit_s,duration_s,workers,gpus_per_worker,cpus_total,user,status'");
  CHECK(trace_fault(itp + "1,0,60,2,8\n1,5,60,2\n") == "jobs.csv:3:9: 4 fields where the header names 5");
  CHECK(trace_fault(itp + "1,0,60,2,8,9\n") == "jobs.csv:2:13: 6 fields where the header names 5");
  CHECK(trace_fault(itp + "1,0,60,2,8\n\n1,5,60,2,8\n") == "jobs.csv:3:1: empty line");
  CHECK(trace_fault(itp + "1,0,60,2,8\n1,5,60,2,8") ==
        "jobs.csv:3:11: the last line does not end in a newline; the file may have been cut");
  CHECK(trace_fault(itp + "1,0,60,two,8\n") == "jobs.csv:2:8: column 'workers' 'two' is not a whole number");
  CHECK(trace_fault(itp + "1,0,60,2.5,8\n") == "jobs.csv:2:8: column 'workers' '2.5' is not a whole number");
  CHECK(trace_fault(itp + "1,0,60, 2,8\n") == "jobs.csv:2:8: column 'workers' ' 2' is not a whole number");
  CHECK(trace_fault(itp + "1,0,60,,8\n") == "jobs.csv:2:8: column 'workers' is empty");
  CHECK(trace_fault(itp + "1,0,60,0,8\n") == "jobs.csv:2:8: column 'workers' '0' is not between 1 and 1000000");
  CHECK(trace_fault(itp + "1,0,60,-2,8\n") == "jobs.csv:2:8: column 'workers' '-2' is not between 1 and 1000000");
  CHECK(trace_fault(itp + "1,0,99999999999999999999,2,8\n") ==
        "jobs.csv:2:5: column 'duration_s' '99999999999999999999' is not between 0 and 1000000000");
  CHECK(trace_fault(itp + "x,0,60,2,8\n") == "jobs.csv:2:1: column 'cluster' 'x' is not a whole number");
  CHECK(trace_fault(venus + "0,84,1,1,1,1,\n") == "jobs.csv:2:14: column 'status' is empty");
  CHECK(trace_fault(itp + "1,7,60,2,8\n1,7,60,2,8\n") ==
        "jobs.csv:2:1: all jobs are submitted in one second; there is no span to replay");
}

TEST_CASE("a broken node list is named by file, line and column") {
  CHECK(node_fault(openb + "n0,64000,1024,8,V100\nn1,64000,1024,many,V100\n") ==
        "nodes.csv:3:15: column 'gpus' 'many' is not a whole number");
  CHECK(node_fault(openb + ",64000,1024,8,V100\n") == "nodes.csv:2:1: column 'node' is empty");
  CHECK(node_fault(openb + "n0,64000,1024,0,\n") == "nodes.csv:2:1: no node has a GPU");
  CHECK(node_fault(itp + "1,0,60,2,8\n") ==
        "nodes.csv:1:1: header 'cluster,submit_s,duration_s,workers,gpus_per_worker' is not "
        "'node,cpu_milli,memory_mib,gpus,gpu_model'");
}

TEST_CASE("a file that cannot be read is named") {
  CHECK_THROWS_WITH(csv_table::from_file("no/such/file.csv"), "no/such/file.csv: cannot be opened");
  CHECK_THROWS_WITH(csv_table::from_file("."), ".: is a folder");
}

TEST_CASE("a good trace is ordered by time, counted from its first job and rid of jobs without GPUs") {
  const trace read = read_trace(
      csv_table("jobs.csv", venus + "100,60,2,8,1,1,Pass\r\n50,10,1,0,1,1,Failed\r\n40,10,1,1,1,1,Killed\r\n"),
      "jobs.csv");
  REQUIRE(read.jobs.size() == 2);
  CHECK(read.cpu_only == 1);
  CHECK(read.span == 60);
  CHECK(read.jobs[0].submit == 0);
  CHECK(read.jobs[1].submit == 60);
  CHECK(gpus_of(read.jobs[1]) == 16);
  CHECK(read_nodes(csv_table("nodes.csv", openb + "a,1,1,0,\nb,1,1,8,V100\nc,1,1,2,T4\n")) == node_list{8, 2});
}

TEST_CASE("a wrong option is named") {
  CHECK(option_fault({"replay", "--frobnicate"}) == "unknown option '--frobnicate'; --help lists them");
  CHECK(option_fault({"replay", "--seed"}) == "--seed: a value is missing");
  CHECK(option_fault({"replay", "--days", "0"}) == "--days: '0' is not a whole number from 1 to 3650");
  CHECK(option_fault({"replay", "--loads", "90,"}) == "--loads: '' is not a whole number from 1 to 1000");
  CHECK(option_fault({"replay", "--rules", "pods,luck"}) ==
        "--rules: no rule 'luck' among pods,quota,gangs,strict,pods_in_order,gang_turns,strict_turns");
  CHECK(option_fault({"replay", "--rules", "gangs", "--seed", "7"}) == "no fault");
}
