// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_REPLAY_LOAD_HPP
#define MUSTER_REPLAY_LOAD_HPP

// Offered load = mean GPU demand / GPUs, mean demand = sum(workers * gpus_per_worker * duration) / span. It is
// set by the size of the cluster, or by whole copies of the trace. Time is never squeezed: most GPU time is in
// jobs longer than a squeezed span, and the cluster would stay empty.

#include "trace.hpp"

#include <cstddef>
#include <cstdint>
#include <map>

namespace replay {

// How many pods of each size the empty cluster takes.
class empty_cluster {
 public:
  explicit empty_cluster(const node_list& nodes);
  [[nodiscard]] bool fits(const job& one) const;

 private:
  std::map<int, std::int64_t> nodes_with_;  // by GPUs of a node
};

[[nodiscard]] double mean_demand(const trace& input);
[[nodiscard]] double offered_load(const trace& input, const node_list& nodes);

// The number of 8-GPU nodes that comes nearest to the load; at least 1.
[[nodiscard]] std::size_t nodes_for_load(const trace& input, int load_percent);

// Takes out, and counts, the jobs that do not fit on the whole empty cluster: no rule could ever run them.
void set_aside_too_large(trace& input, const node_list& nodes);

// The trace and copies - 1 more of it, each shifted cyclically within the span by a seeded offset.
[[nodiscard]] trace with_copies(const trace& input, int copies, std::uint64_t seed);

}  // namespace replay

#endif
