// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_REPLAY_TRACE_HPP
#define MUSTER_REPLAY_TRACE_HPP

// What is replayed: a list of gangs, and the nodes they run on. Times are whole seconds.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace replay {

using seconds = std::int64_t;

// One gang: all its workers must run at once, each on one node with gpus_per_worker GPUs.
struct job {
  seconds submit = 0;
  seconds duration = 0;
  int workers = 1;
  int gpus_per_worker = 1;
};

[[nodiscard]] inline std::int64_t gpus_of(const job& one) { return std::int64_t{one.workers} * one.gpus_per_worker; }

// The GPUs of each node; a node without GPUs is left out by the reader.
using node_list = std::vector<int>;

[[nodiscard]] inline std::int64_t gpus_of(const node_list& nodes) {
  std::int64_t sum = 0;
  for (const int gpus : nodes) sum += gpus;
  return sum;
}

// Jobs ordered by submit, with submit counted from the first one; span is the length of one pass.
struct trace {
  std::string name;
  std::vector<job> jobs;
  seconds span = 0;
  std::size_t cpu_only = 0;   // left out: they ask for no GPU
  std::size_t too_large = 0;  // left out: they do not fit on the whole empty cluster
};

}  // namespace replay

#endif
