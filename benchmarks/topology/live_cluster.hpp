// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_BENCHMARKS_TOPOLOGY_LIVE_CLUSTER_HPP
#define MUSTER_BENCHMARKS_TOPOLOGY_LIVE_CLUSTER_HPP

// The cluster as the library keeps it: nodes with their labels, pods seen, bound and ended, each through apply(). What
// a policy says is taken only where verify() holds it to be a placement.

#include <muster/cluster/apply.hpp>
#include <muster/cluster/cluster.hpp>
#include <muster/placement/answer.hpp>
#include <muster/placement/workspace.hpp>

#include "policy.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace topology_study {

class live_cluster {
 public:
  explicit live_cluster(const machines& on);

  [[nodiscard]] view now() { return cluster_.view(); }
  // The pods of a size that all nodes together would take now.
  [[nodiscard]] std::int64_t room_for(int gpus);

  // Binds a gang; answers the number of its first pod. Throws std::logic_error where verify() refutes the seats.
  [[nodiscard]] std::uint64_t bind(const replay::job& gang, std::span<const share> seats);
  // Its pods have ended.
  void end(const replay::job& gang, std::uint64_t first_pod);

 private:
  void apply(muster::change_content<model> what);

  muster::cluster<model> cluster_;
  muster::workspace<model> space_;
  std::vector<muster::seat<model>> seats_;
  std::uint64_t revision_ = 0;
  std::uint64_t next_pod_ = 0;
  std::int64_t over_ = 0;  // pods that ended since the model last forgot
};

}  // namespace topology_study

#endif
