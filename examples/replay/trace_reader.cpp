// SPDX-License-Identifier: BSL-1.0
#include "trace_reader.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace replay {

namespace {

// Far above every published trace, and small enough that no sum over a replay can overflow.
constexpr std::int64_t most_seconds = 1'000'000'000;
constexpr std::int64_t most_workers = 1'000'000;
constexpr std::int64_t most_gpus = 1'024;

using names = std::vector<std::string_view>;

const names& itp_columns() {
  static const names columns{"cluster", "submit_s", "duration_s", "workers", "gpus_per_worker"};
  return columns;
}

const names& venus_columns() {
  static const names columns{"submit_s", "duration_s", "workers", "gpus_per_worker", "cpus_total", "user", "status"};
  return columns;
}

const names& node_columns() {
  static const names columns{"node", "cpu_milli", "memory_mib", "gpus", "gpu_model"};
  return columns;
}

std::string joined(const names& columns) {
  std::string line;
  for (const std::string_view name : columns) line += (line.empty() ? "" : ",") + std::string(name);
  return line;
}

}  // namespace

trace read_trace(const csv_table& table, const std::string& name) {
  const bool itp = table.header() == itp_columns();
  const bool venus = table.header() == venus_columns();
  if (!itp && !venus) {
    throw csv_error(name, 1, 1,
                    "header '" + joined(table.header()) + "' is neither '" + joined(itp_columns()) + "' nor '" +
                        joined(venus_columns()) + "'");
  }
  const std::size_t submit = table.column("submit_s");
  const std::size_t duration = table.column("duration_s");
  const std::size_t workers = table.column("workers");
  const std::size_t gpus = table.column("gpus_per_worker");

  trace result;
  result.name = name;
  result.jobs.reserve(table.rows());
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (itp) static_cast<void>(table.number(row, 0, 0, most_workers));
    job one;
    one.submit = table.number(row, submit, 0, most_seconds);
    one.duration = table.number(row, duration, 0, most_seconds);
    one.workers = static_cast<int>(table.number(row, workers, 1, most_workers));
    one.gpus_per_worker = static_cast<int>(table.number(row, gpus, 0, most_gpus));
    if (venus) {
      static_cast<void>(table.number(row, table.column("cpus_total"), 0, most_seconds));
      static_cast<void>(table.number(row, table.column("user"), 0, most_seconds));
      if (table.field(row, table.column("status")).empty()) table.fault(row, table.column("status"), "is empty");
    }
    result.jobs.push_back(one);
  }
  if (result.jobs.empty()) throw csv_error(name, 2, 1, "no jobs after the header");

  std::stable_sort(result.jobs.begin(), result.jobs.end(),
                   [](const job& a, const job& b) { return a.submit < b.submit; });
  const seconds first = result.jobs.front().submit;
  result.span = result.jobs.back().submit - first;
  if (result.span == 0) throw csv_error(name, 2, 1, "all jobs are submitted in one second; there is no span to replay");
  for (job& one : result.jobs) one.submit -= first;
  result.cpu_only = std::erase_if(result.jobs, [](const job& one) { return one.gpus_per_worker == 0; });
  return result;
}

node_list read_nodes(const csv_table& table) {
  if (table.header() != node_columns()) {
    throw csv_error(table.file(), 1, 1,
                    "header '" + joined(table.header()) + "' is not '" + joined(node_columns()) + "'");
  }
  node_list nodes;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (table.field(row, 0).empty()) table.fault(row, 0, "is empty");
    static_cast<void>(table.number(row, 1, 0, most_seconds));
    static_cast<void>(table.number(row, 2, 0, most_seconds));
    const std::int64_t gpus = table.number(row, 3, 0, most_gpus);
    if (gpus > 0) nodes.push_back(static_cast<int>(gpus));
  }
  if (nodes.empty()) throw csv_error(table.file(), 2, 1, "no node has a GPU");
  return nodes;
}

}  // namespace replay
