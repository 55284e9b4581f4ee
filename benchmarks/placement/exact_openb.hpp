// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_BENCHMARKS_PLACEMENT_EXACT_OPENB_HPP
#define MUSTER_BENCHMARKS_PLACEMENT_EXACT_OPENB_HPP

/// \file
/// Instances of the node and pod shapes of the openb trace (alibaba/clusterdata, cluster-trace-gpu-v2023), which is not
/// part of the repository. MUSTER_SHARED_DIR names the folder with data/openb_nodes.csv and
/// data/openb_pods_default.csv.
///
/// Resources are thousandths of GPUs, of CPUs, and MiB; a share of a GPU is counted as its thousandths.

#include "placement/exact_instances.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace muster_bench {

struct openb_trace {
  std::vector<trio_amounts> nodes, pods;
  [[nodiscard]] bool empty() const noexcept { return nodes.empty() || pods.empty(); }
};

namespace exact_parts {

/// The named columns of a file with a header line; nothing where a word is no number.
[[nodiscard]] inline std::vector<std::vector<muster::amount>> read_columns(const std::string& path,
                                                                           const std::vector<std::string>& names) {
  std::vector<std::vector<muster::amount>> rows;
  std::ifstream in{path};
  std::string line, word;
  std::map<std::string, std::size_t> header;
  if (std::getline(in, line))
    for (std::istringstream words{line}; std::getline(words, word, ',');) header.emplace(word, header.size());
  while (std::getline(in, line)) {
    std::vector<std::string> cells;
    for (std::istringstream words{line}; std::getline(words, word, ',');) cells.push_back(word);
    auto& row = rows.emplace_back();
    for (const std::string& name : names) {
      const auto at = header.find(name);
      if (at == header.end() || at->second >= cells.size()) return {};
      const std::string& cell = cells[at->second];
      const auto [end, fault] = std::from_chars(cell.data(), cell.data() + cell.size(), row.emplace_back());
      if (fault != std::errc{} || end != cell.data() + cell.size()) return {};
    }
  }
  return rows;
}

}  // namespace exact_parts

/// The trace, or nothing where it is not there.
[[nodiscard]] inline openb_trace read_openb() {
  openb_trace made;
  const char* const shared = std::getenv("MUSTER_SHARED_DIR");
  if (shared == nullptr) return made;
  const std::string data = std::string{shared} + "/data/";
  for (const auto& row : exact_parts::read_columns(data + "openb_nodes.csv", {"gpus", "cpu_milli", "memory_mib"}))
    made.nodes.push_back({row[0] * 1000, row[1], row[2]});
  for (const auto& row :
       exact_parts::read_columns(data + "openb_pods_default.csv", {"num_gpu", "gpu_milli", "cpu_milli", "memory_mib"}))
    made.pods.push_back({row[0] * row[1], row[2], row[3]});
  return made;
}

/// Nodes of the trace filled with its pods to some share of their GPUs, and gangs of 2 to 5 of its shapes: pairs at the
/// last number of pods that fits and the first that does not, and gangs that ask all that prices allow.
[[nodiscard]] inline std::vector<instance> draw_openb(const openb_trace& trace, std::size_t nodes, std::size_t count) {
  using namespace exact_parts;
  seeded draw{16};
  muster::workspace<trio> space;
  std::vector<instance> made;
  while (made.size() < count) {
    node_uses uses;
    std::vector<trio_amounts> order = trace.nodes;
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[draw.below(i)]);
    order.resize(std::min(nodes, order.size()));
    uses.has = uses.free = order;
    const std::uint64_t tries = order.size() * (2 + draw.below(8));
    for (std::uint64_t i = 0; i < tries; ++i) {  // a pod on any node that has room for it
      const trio_amounts& pod = trace.pods[draw.below(trace.pods.size())];
      trio_amounts& free = uses.free[draw.below(order.size())];
      if (!trio::fits(free, pod)) continue;
      for (std::size_t r = 0; r < 3; ++r) free[r] -= pod[r];
    }
    const std::size_t sets = 2 + draw.below(4);
    std::vector<trio_amounts> requests;
    while (requests.size() < sets) {
      const trio_amounts& pod = trace.pods[draw.below(trace.pods.size())];
      if (std::find(requests.begin(), requests.end(), pod) == requests.end()) requests.push_back(pod);
    }
    instance in{build(uses), gang_of(draw, requests, 1000)};
    if (made.size() % 3 != 0) {
      push_to_prices(in, draw, space);
      made.push_back(std::move(in));
      continue;
    }
    const auto shape = in.group.pod_sets;
    const auto fits = [&](std::int64_t by) {
      for (std::size_t s = 0; s < shape.size(); ++s)
        in.group.pod_sets[s].count = std::max<muster::pod_count>(1, shape[s].count * by / 1024);
      return place(in.nodes->view(), in.group, space).fits();
    };
    const std::int64_t last = most_allowed(0, 8192, fits);
    for (const std::int64_t by : {last, last + 1}) {
      (void)fits(by);
      made.push_back(in);
    }
  }
  made.resize(count);
  return made;
}

}  // namespace muster_bench

#endif
