// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_BENCHMARKS_TOPOLOGY_POLICY_HPP
#define MUSTER_BENCHMARKS_TOPOLOGY_POLICY_HPP

// Where a gang sits: the seam between the replay and the rules that are compared.

#include <muster/cluster/cluster.hpp>
#include <muster/core/topology.hpp>
#include <muster/resource/resource_vector.hpp>

#include "machines.hpp"
#include "trace.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace topology_study {

using model = muster::resource_vector<1>;  // whole GPUs
using view = muster::snapshot<model>;

inline constexpr muster::topology_level block_level{0}, rack_level{1};

// Pods on a node, which is named by its position in the view: the number of the host.
struct share {
  std::uint32_t position = 0;
  int pods = 0;
  friend bool operator==(const share&, const share&) = default;
};

class policy {
 public:
  virtual ~policy() = default;
  // Seats for the whole gang, each node once, or nothing: it shall wait. Asked only when the cluster has room for it
  // somewhere. held_out: since this was first answered with nothing.
  [[nodiscard]] virtual bool place(const view& on, const replay::job& gang, replay::seconds held_out,
                                   std::vector<share>& seats) = 0;
};

struct policy_entry {
  std::string_view key;    // for the command line and the CSV
  std::string_view title;  // for people
  std::unique_ptr<policy> (*make)(const machines& on);
  replay::seconds deadline = 0;  // for so long it may hold out though there is room; 0: it never does
};

// All of them, first-fit first: the others are compared with it.
[[nodiscard]] std::span<const policy_entry> all_policies();
// Those of a comma separated list of keys; throws std::runtime_error naming an unknown one.
[[nodiscard]] std::vector<policy_entry> policies_named(std::string_view list);

}  // namespace topology_study

#endif
