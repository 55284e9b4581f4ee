// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_SUPPORT_YARD_HPP
#define MUSTER_TESTS_SUPPORT_YARD_HPP

/// \file
/// Small clusters to divide gangs over, told by how many workers each node has room for.

#include <muster/placement/count_domains.hpp>
#include <muster/placement/divide.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/scene.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>

namespace muster_test {

using nodes = std::map<std::uint64_t, muster::pod_count>;

/// Nodes of so many workers' room, in zones and racks. A leader sits where there is a seat for one, and takes the room
/// of `leader_cost` workers.
struct yard : scene<muster::resource_vector<2>> {
  using model = muster::resource_vector<2>;

  explicit yard(std::size_t levels = 2) : scene<model>{muster::nested_levels(levels)} {}

  /// \param leader_cost below 0: there is no leader
  [[nodiscard]] muster::domain_tree tree(muster::topology_level finest = muster::node_level,
                                         muster::amount leader_cost = -1) {
    auto gang = scene::gang(1, 2, {1, 0});
    if (leader_cost >= 0) gang.pod_sets.push_back({{leader_cost, 1}, 1, 0});
    muster::domain_tree result;
    muster::workspace<model> space;
    count_domains(this->view(), gang, finest, space, result);
    REQUIRE(result.fault == muster::tree_fault::none);
    return result;
  }
  /// Racks of one node each, of so much room, in one zone.
  void racks(std::uint64_t zone_name, std::initializer_list<muster::amount> rooms, muster::amount heads = 0) {
    std::uint64_t rack_name = 0;
    for (const muster::amount room : rooms) node(++last, {room, heads}, {zone_name, ++rack_name});
  }
  std::uint64_t last = 0;

  /// Pods by node id, the leader not counted.
  [[nodiscard]] nodes by_node(const muster::domain_tree& of, const muster::division& answer) {
    nodes all;
    for (const muster::domain_share& share : answer.shares) {
      REQUIRE(of[share.domain].level == muster::node_level);
      if (share.pods > 0) all[number(this->view().id(of[share.domain].number))] += share.pods;
    }
    return all;
  }
  [[nodiscard]] std::uint64_t leader_node(const muster::domain_tree& of, const muster::division& answer) {
    for (const muster::domain_share& share : answer.shares)
      if (share.leader) return number(this->view().id(of[share.domain].number));
    return 0;
  }
};

inline muster::division_wish wish_of(muster::pod_count pods, muster::topology_level level, muster::level_wish meaning,
                                     muster::division_rule rule = muster::division_rule::best_fit) {
  muster::division_wish wish;
  wish.pods = pods;
  wish.level = level;
  wish.meaning = meaning;
  wish.rule = rule;
  return wish;
}

/// The nodes of a wish that fits.
inline nodes divided(yard& s, const muster::domain_tree& tree, const muster::division_wish& wish) {
  muster::division_space space;
  const muster::division& answer = divide(tree, wish, space);
  REQUIRE(answer.fits());
  muster::pod_count sum = 0;
  for (const auto& share : answer.shares) sum += share.pods;
  REQUIRE(sum == wish.pods);
  return s.by_node(tree, answer);
}

}  // namespace muster_test

#endif
