// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_BENCHMARKS_TOPOLOGY_RUN_HPP
#define MUSTER_BENCHMARKS_TOPOLOGY_RUN_HPP

// The replay: gangs arrive, sit where a policy says, and end.
//
// One pass of the input warms the cluster up; the same arrivals, one span later, are measured; with them the run ends,
// and a gang that has not started by then has waited until then.
//
// Whose turn it is, the same for all policies: whenever something ended or arrived, the waiting gangs are gone through
// in the order of their arrival, and each starts that the cluster has room for. One that does not is passed over, but
// only for so long: once a gang has waited for `patience`, nobody behind it is tried before it starts. One that holds
// out though there is room blocks nobody; when its time is over it is tried again. In one second the ends come first,
// then the arrivals in the order of the input.

#include "machines.hpp"
#include "policy.hpp"
#include "trace.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace topology_study {

inline constexpr replay::seconds patience = 3'600;

// How near the pods of a gang are: the finest domain that holds them all.
enum class nearness : std::uint8_t { node, rack, block, apart };

// How far apart two pods are on average, over all pairs: 0 on one node, 1 in one rack, 2 in one block, 3 otherwise. Of
// one pod 0.
struct reach {
  nearness within = nearness::node;
  double mean_distance = 0;
};
[[nodiscard]] reach reach_of(const machines& on, std::span<const share> seats);

struct measured_gang {
  int workers = 1, gpus_per_worker = 1;
  replay::seconds waited = 0;
  bool started = false;
  reach sits;  // where it started
};

struct run_result {
  std::vector<measured_gang> gangs;  // of the measured pass, in the order of their arrival
  replay::seconds window = 0;
  std::int64_t allocated = 0;        // GPU-seconds in the window
  std::int64_t decisions = 0;        // gangs started in either pass
  double deciding = 0;               // seconds spent in the policy, refusals of waiting gangs too
};

// Throws std::logic_error where a policy says what verify() refutes, or refuses where it may not.
// \pre every gang fits the empty cluster, and no pod asks for more GPUs than a node has
[[nodiscard]] run_result run(const replay::trace& input, const machines& on, const policy_entry& entry);

}  // namespace topology_study

#endif
