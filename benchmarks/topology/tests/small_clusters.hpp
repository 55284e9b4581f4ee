// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TOPOLOGY_TESTS_SMALL_CLUSTERS_HPP
#define MUSTER_TOPOLOGY_TESTS_SMALL_CLUSTERS_HPP

#include "live_cluster.hpp"
#include "machines.hpp"
#include "policy.hpp"
#include "run.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace topology_study {

// Hosts from 0 on: for each rack its block's name and its number of hosts.
inline machines hosts_in(const std::vector<std::pair<std::string, int>>& racks) {
  std::string text = "host,dsw,psw,asw\n";
  int host = 0, rack = 0;
  for (const auto& [block, hosts] : racks) {
    for (int i = 0; i < hosts; ++i)
      text += std::to_string(host++) + ",G1," + block + ",S" + std::to_string(rack) + "\n";
    ++rack;
  }
  return read_machines(replay::csv_table("hosts.csv", text));
}

inline run_result run_jobs(std::string_view policy, std::vector<replay::job> jobs, const machines& on,
                           replay::seconds span) {
  replay::trace input;
  input.jobs = std::move(jobs);
  input.span = span;
  return run(input, on, policies_named(policy).front());
}

// Where a policy would put a gang, in the order of hosts; nothing where it refuses.
inline std::vector<share> seats_of(std::string_view key, const machines& on, live_cluster& cluster,
                                   const replay::job& gang) {
  std::vector<share> seats;
  if (!policies_named(key).front().make(on)->place(cluster.now(), gang, 0, seats)) return {};
  std::sort(seats.begin(), seats.end(), [](const share& a, const share& b) { return a.position < b.position; });
  return seats;
}

}  // namespace topology_study

#endif
