// SPDX-License-Identifier: BSL-1.0
#include "load.hpp"

#include "draw.hpp"

#include <algorithm>
#include <cmath>

namespace replay {

empty_cluster::empty_cluster(const node_list& nodes) {
  for (const int gpus : nodes) ++nodes_with_[gpus];
}

bool empty_cluster::fits(const job& one) const {
  std::int64_t pods = 0;
  for (const auto& [gpus, nodes] : nodes_with_) pods += nodes * (gpus / one.gpus_per_worker);
  return pods >= one.workers;
}

double mean_demand(const trace& input) {
  double sum = 0;
  for (const job& one : input.jobs) sum += static_cast<double>(gpus_of(one)) * static_cast<double>(one.duration);
  return sum / static_cast<double>(input.span);
}

double offered_load(const trace& input, const node_list& nodes) {
  return mean_demand(input) / static_cast<double>(gpus_of(nodes));
}

std::size_t nodes_for_load(const trace& input, int load_percent) {
  const double nodes = mean_demand(input) / 8.0 / (static_cast<double>(load_percent) / 100.0);
  return static_cast<std::size_t>(std::max(1L, std::lround(nodes)));
}

void set_aside_too_large(trace& input, const node_list& nodes) {
  const empty_cluster room(nodes);
  input.too_large += std::erase_if(input.jobs, [&room](const job& one) { return !room.fits(one); });
}

trace with_copies(const trace& input, int copies, std::uint64_t seed) {
  trace result = input;
  draw random(seed);
  for (int copy = 1; copy < copies; ++copy) {
    const seconds offset = random.below(input.span);
    for (job one : input.jobs) {
      one.submit = (one.submit + offset) % input.span;
      result.jobs.push_back(one);
    }
    result.cpu_only += input.cpu_only;
  }
  std::stable_sort(result.jobs.begin(), result.jobs.end(),
                   [](const job& a, const job& b) { return a.submit < b.submit; });
  return result;
}

}  // namespace replay
