// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DIVISION_SPACE_HPP
#define MUSTER_PLACEMENT_DIVISION_SPACE_HPP

/// \file
/// Memory a caller may keep between calls of `divide`: the second call of a kind with it allocates nothing. One space
/// serves one thread at a time. The answer lies in it until the next call.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/division.hpp>
#include <muster/placement/domain_tree.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace muster::inline MUSTER_ABI {

struct division_space {
  division answer;

  // scratch; what lies here is nobody's

  /// What a domain has room for, in whole slices and whole parts of slices.
  struct room {
    pod_count pods = 0, pods_with = 0;      ///< in multiples of what the domain is filled with; beside a leader
    pod_count slices = 0, slices_with = 0;  ///< of the first layer; 0 below its level
    bool leader = false;
  };
  /// A domain that may take pods, in units of what is divided.
  struct item {
    tree_index domain = 0;
    pod_count units = 0, units_with = 0;
    pod_count pods = 0, pods_with = 0;
    bool leader = false;
    pod_count taken = 0;
    bool takes_leader = false;
  };
  /// How good a part of a division is.
  struct worth {
    std::int64_t closeness = 0;
    pod_count slots = 0;
    std::uint32_t domains = 0, leaves = 0;
  };
  /// A domain's part of a search, without a leader and with one.
  struct part {
    tree_index domain = 0;
    std::uint32_t first_child = 0;          ///< among the parts
    std::array<pod_count, 2> most{-1, -1};  ///< units it takes; -1: not possible
    std::array<std::size_t, 2> values{};    ///< where the worth of 0 .. most units begins
    std::array<std::size_t, 2> choices{};   ///< where it begins, of what it and those before it take, what it takes
  };
  /// A domain picked after others, and what is left of the gang then.
  struct pick {
    tree_index domain = 0;
    std::uint32_t before = 0;  ///< among the picks
  };
  struct left_over {
    pod_count pods = 0;
    std::uint32_t last = 0;  ///< among the picks
  };

  std::vector<room> rooms, kept_rooms;     // by domain
  std::vector<pod_count> taken;            // by domain
  std::vector<tree_index> below;           // by domain, or some of them
  std::vector<std::uint32_t> share_of;     // by a leaf's place along the tree
  std::vector<item> items;                 // among which something is spread
  std::vector<domain_share> open, done;    // of domains to go into, and of leaves
  std::vector<domain_share> best;          // the best of leaves so far
  std::vector<pick> picks;
  std::vector<std::vector<left_over>> left_overs;
  std::vector<left_over> merged_left_overs;
  std::vector<part> parts;
  std::vector<worth> values;
  std::array<std::vector<worth>, 2> before, merged;
  std::vector<std::uint64_t> choices;
};

}  // namespace muster::inline MUSTER_ABI

#endif
