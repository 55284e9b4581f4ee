// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_BENCHMARKS_FRAGMENTATION_STUDY_HPP
#define MUSTER_BENCHMARKS_FRAGMENTATION_STUDY_HPP

// What is run for a trace over the seeds, and what is known of it elsewhere.

#include "run.hpp"
#include "support/sample.hpp"
#include "trace.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace fragmentation_study {

using muster_bench::paired_difference;
using muster_bench::sample;

// One policy on one trace. Percentages are of all GPUs.
struct policy_result {
  std::string policy;
  std::map<std::size_t, sample> unallocated, fragmented;  // by arrived %
  sample wide_failed;                                     // pods of 8 GPUs that failed until 100 % arrived
  sample microseconds;                                    // a decision
};

struct study_options {
  std::uint64_t first_seed = 1;
  std::size_t seeds = 10;
  bool published_policies = true;  // the six, ties to the first node of a fixed order
  bool own_policies = true;  // FGD, the potential and gangs lost, ties drawn afresh; shapes learned; shapes noisy
};

[[nodiscard]] std::vector<policy_result> study(const machines& on, const trace& of, const study_options& options);

// The shapes the potential knows: every distinct one that takes GPUs, its CPU request made coarse; and, for every size
// of node that no known shape takes whole, a pod that does.
struct potential_shapes {
  std::vector<muster::slot_shape<model>> shapes;
  make_table makes;
};
// \param known which of the trace's shapes
[[nodiscard]] potential_shapes known_to_potential(const machines& on, const trace& of, const std::vector<bool>& known);

// A cluster with departures: every pod comes and goes at its own times; one that finds no node is lost. The trace runs
// in whole copies, each shifted in a circle by a time of its own, as many as bring the mean demand to `load` percent of
// the GPUs of some drawn machines. It runs round once to warm up and is measured the second time; three seeds at most.
struct stream_result {
  std::string policy;
  sample load;           // % of GPU time asked for
  sample lost_gpu_time;  // % of the GPU time asked for
  sample lost, wide_lost;  // pods, pods of 8 GPUs
};
[[nodiscard]] std::vector<stream_result> study_stream(const machines& on, const timed_trace& of, std::size_t nodes,
                                                      std::int64_t load, const study_options& options);

struct published_level {
  double unallocated = 0, deviation = 0, fragmented = 0;
  std::int64_t seeds = 0;
};
// By trace, policy and arrived %.
using published_table = std::map<std::string, std::map<std::string, std::map<std::size_t, published_level>>>;
[[nodiscard]] published_table read_published(const std::string& file);

}  // namespace fragmentation_study

#endif
