// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_SCORING_SEAT_LIST_HPP
#define MUSTER_SCORING_SEAT_LIST_HPP

/// \file
/// The seats of a finished set, whoever made it: what judgements of whole sets read.

#include <muster/cluster/domains.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/topology.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

namespace muster::inline MUSTER_ABI {

/// A range of elements with the `position` of a node in the view and a `count` of pods there, such as the seats of a
/// placement. A position may come more than once.
template <class S>
concept seat_list = requires(const S& seats) {
  std::end(seats);
  { std::begin(seats)->position } -> std::convertible_to<std::uint32_t>;
  { std::begin(seats)->count } -> std::convertible_to<pod_count>;
};

namespace scoring_detail {
/// A node under the number of its domain at some level.
struct keyed_node {
  std::uint64_t key = 0;
  pod_count pods = 0;
  std::uint32_t position = 0;
};

inline constexpr std::uint64_t no_key = std::uint64_t{1} << 32U;  // above every domain

/// The domain of a node at a level of the topology, at the node's own or, of no level, the one there is; `no_key` where
/// it lacks the label.
template <class View>
[[nodiscard]] std::uint64_t domain_key(const View& view, std::uint32_t position, topology_level level) {
  if (level == node_level) return position;
  if (level == no_level) return 0;
  const std::uint32_t domain = view.base().domain_of(position, static_cast<std::size_t>(level));
  return domain == no_domain ? no_key : domain;
}
}  // namespace scoring_detail

/// Memory of a judgement over seats that a second one need not ask for again.
struct seat_space {
  std::vector<scoring_detail::keyed_node> nodes;
};

}  // namespace muster::inline MUSTER_ABI

#endif
