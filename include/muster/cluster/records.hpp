// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_CLUSTER_RECORDS_HPP
#define MUSTER_CLUSTER_RECORDS_HPP

/// \file
/// What the model keeps of a node, a pod, a group and a set-aside: registers (a revision and a value) and the links
/// that make the books quick. A register without a revision was never written.

#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/core/slot_table.hpp>
#include <muster/core/storage.hpp>
#include <muster/core/time.hpp>
#include <muster/resource/model.hpp>
#include <muster/cluster/change.hpp>
#include <muster/workload/member.hpp>
#include <muster/workload/pod_group.hpp>

#include <cstdint>

namespace muster::inline MUSTER_ABI {

inline constexpr std::uint32_t no_position = ~std::uint32_t{0};

/// One node. Capacity and what is left are kept by position, beside each other.
struct node_record {
  node_id id{};
  revision spec_at{};                  ///< of the last node_seen
  std::uint64_t spec_content = 0;      ///< hash of its content
  std::uint64_t touched = 0;           ///< the cluster's tick when anything about the node last changed
  kind_id kind{};
  std::uint32_t path = 0;              ///< interned labels
  std::uint32_t position = no_position;
  std::uint32_t first_pod = no_slot;   ///< pods placed here, present or not
  std::uint16_t leaving = 0;           ///< charged pods that are terminating
  std::uint16_t charged = 0;           ///< pods charged here
  bool present = false;
  bool open = false;                   ///< present and not closed at the cluster's time
  bool has_extras = false;
};

/// What most nodes never have: a time they are closed, a death, sick devices.
struct node_extras {
  revision gone_at{};
  revision closed_at{};
  bool closed = false;
  time_point from{}, until{};
  struct health {
    revision at{};
    bool healthy = true;
  };
  sorted_map<std::uint32_t, health> devices;
};

template <resource_model M>
struct pod_record {
  pod_id id{};
  // registers
  revision spec_at{}, placed_at{}, leaving_at{}, ended_at{};
  time_point seen{}, placed{}, until{}, left{}, ended{};
  typename M::request_type request{};
  typename M::grant_type grant{};      ///< what is charged; derived unless grant_is_given
  std::int32_t priority = 0;
  scheduler_id scheduler{};
  std::uint32_t pod_set = 0;
  std::uint32_t rank = 0;
  // links
  std::uint32_t group = no_slot;
  std::uint32_t node = no_slot;        ///< where it is placed, whether the node is present or not
  std::uint32_t next_on_node = no_slot, previous_on_node = no_slot;
  std::uint32_t next_in_group = no_slot, previous_in_group = no_slot;
  preemption_policy preemption{};
  placing how{};
  ending end{};
  muster::phase phase = muster::phase::seen;
  bool has_place = false;
  bool grant_is_given = false;
  bool gated = false;
  bool charged = false;                ///< its grant is taken from the node
  bool counted = false;                ///< it stands in its group's counts
};

template <resource_model M>
struct group_record {
  group_id id{};
  revision spec_at{}, gone_at{}, satisfied_at{};
  time_point satisfied{};
  pod_group<M> spec;
  std::uint32_t first_pod = no_slot;
  member_counts members;
  short_list<member_counts, 2> by_set;
  pod_count gated = 0;                 ///< members with a scheduling gate

  [[nodiscard]] bool present() const noexcept { return spec_at > gone_at; }
  /// Whether it once ran at its minimum, since it was last gone.
  [[nodiscard]] bool once_satisfied() const noexcept { return satisfied_at > gone_at; }
};

template <resource_model M>
struct set_aside_record {
  set_aside<M> what;
  revision at{}, dropped_at{};
  std::uint32_t node = no_slot;
  bool charged = false;

  /// Seen and not dropped since.
  [[nodiscard]] bool is_live() const noexcept { return at > dropped_at; }
};

}  // namespace muster::inline MUSTER_ABI

#endif
