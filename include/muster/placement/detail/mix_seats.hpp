// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_MIX_SEATS_HPP
#define MUSTER_PLACEMENT_DETAIL_MIX_SEATS_HPP

/// \file
/// Turns the choice of patterns that meets a mix back into seats: which pods of which set sit on which node.
///
/// A pattern counts pods of a class, and several pod sets may be of one class. Pods are named in the order of the
/// quotas: the required ones of every pod set first, then the others.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/answer.hpp>
#include <muster/placement/detail/demand.hpp>
#include <muster/placement/detail/exact_space.hpp>
#include <muster/placement/detail/query.hpp>
#include <muster/resource/model.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

/// \pre the search of the workspace ended with `met`, and its sites are those it was asked about
template <class Query>
class mix_seats {
 public:
  using M = typename Query::model;

  explicit mix_seats(Query& q) : q_{q}, space_{q.space.exact} {}

  /// The seats by pod set, then by position. False if the model cannot say how a node hosts a part of a pattern that it
  /// hosts.
  [[nodiscard]] bool write(std::vector<seat<M>>& seats) {
    seats.clear();
    auto& on_nodes = space_.on_nodes;
    on_nodes.clear();
    on_nodes.reserve(count_parts());
    space_.sites.seat(space_.search.choice, [&](const class_on_node& one) { on_nodes.push_back(one); });
    std::sort(on_nodes.begin(), on_nodes.end(), [](const class_on_node& a, const class_on_node& b) {
      return std::tuple{a.position, a.pod_class} < std::tuple{b.position, b.pod_class};
    });
    if (seats.capacity() < on_nodes.size()) seats = std::vector<seat<M>>{};  // what it held goes first
    seats.reserve(on_nodes.size());  // most often all that is needed
    start_quotas();
    const auto requests = space_.sites.requests();
    for (std::size_t i = 0; i < on_nodes.size();) {
      const std::uint32_t position = on_nodes[i].position;
      space_.counts.assign(requests.size(), 0);
      for (; i < on_nodes.size() && on_nodes[i].position == position; ++i)
        space_.counts[on_nodes[i].pod_class] = on_nodes[i].count;
      const auto emit = [&](std::size_t c, pod_count count, const typename M::grant_type& grant) {
        share_out(position, static_cast<std::uint32_t>(c), count, grant, seats);
      };
      if (muster::hosts<M>(q_.view.now(position), requests, std::span<const pod_count>{space_.counts}, emit) !=
          hosting::yes)
        return false;
    }
    sort_by_set(seats);
    if constexpr (M::grant_follows_from_request) join_equal(seats);
    return true;
  }

 private:
  /// (node, class) pairs of the choice, where each of its sites is a node.
  [[nodiscard]] std::size_t count_parts() const {
    const mix& problem = space_.sites.problem();
    std::size_t parts = 0;
    for (const pattern_choice& part : space_.search.choice)
      for (const class_count count : problem.pattern(part.pattern)) parts += count > 0 ? part.sites : 0;
    return parts;
  }

  /// Seats by pod set, those of a set in the order in which they stand. \complexity O(seats + sets)
  void sort_by_set(std::vector<seat<M>>& seats) {
    auto& next = space_.next_seat;
    next.assign(q_.wanted().sets.size() + 1, 0);
    for (const seat<M>& one : seats) ++next[one.pod_set + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    auto& goes_to = space_.seat_goes_to;
    goes_to.clear();
    for (const seat<M>& one : seats) goes_to.push_back(static_cast<std::uint32_t>(next[one.pod_set]++));
    for (std::uint32_t i = 0; i < seats.size(); ++i)
      while (goes_to[i] != i) {
        const std::uint32_t to = goes_to[i];
        std::swap(seats[i], seats[to]);
        std::swap(goes_to[i], goes_to[to]);
      }
  }

  /// Pods of each set still to be named: first the required ones of all sets, then the rest.
  void start_quotas() {
    const auto& sets = q_.wanted().sets;
    space_.quota_left.clear();
    for (const set_demand& set : sets) space_.quota_left.push_back(set.required);
    for (const set_demand& set : sets) space_.quota_left.push_back(set.pending - set.required);
    space_.next_quota.assign(space_.sites.requests().size(), 0);
  }

  /// Names pods of a class that got one grant: they go to the class's pod sets in the order of the quotas.
  void share_out(std::uint32_t position, std::uint32_t pod_class, pod_count count, const typename M::grant_type& grant,
                 std::vector<seat<M>>& seats) {
    const std::size_t sets = q_.wanted().sets.size();
    pod_count done = 0;
    for (std::size_t& k = space_.next_quota[pod_class]; k < 2 * sets; ++k) {  // those before it are used up
      const std::size_t s = k % sets;
      if (space_.sites.class_of(s) != pod_class) continue;
      const pod_count here = std::min(space_.quota_left[k], count - done);
      if (here > 0) add_seats(position, static_cast<std::uint32_t>(s), done, here, here == count, grant, seats);
      space_.quota_left[k] -= here;
      done += here;
      if (space_.quota_left[k] > 0) break;
    }
  }
  void add_seats(std::uint32_t position, std::uint32_t s, pod_count from, pod_count count, bool whole,
                 const typename M::grant_type& grant, std::vector<seat<M>>& seats) {
    seat<M> one;
    one.node = q_.view.base().id(position);
    one.position = position;
    one.pod_set = s;
    one.count = count;
    if (whole) {
      one.grant = grant;
    } else if constexpr (M::grant_follows_from_request) {
      typename M::state_type scratch = q_.view.now(position);
      (void)M::allocate(scratch, q_.request(s), count, one.grant);
    } else {
      one.count = 1;
      for (pod_count i = 0; i < count; ++i) {
        one.grant = M::part(grant, q_.request(s), from + i);
        seats.push_back(one);
      }
      return;
    }
    seats.push_back(one);
  }

  /// One seat for all pods of a set on a node.
  void join_equal(std::vector<seat<M>>& seats) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < seats.size(); ++i) {
      if (kept > 0 && seats[kept - 1].pod_set == seats[i].pod_set && seats[kept - 1].position == seats[i].position) {
        seat<M>& to = seats[kept - 1];
        to.count += seats[i].count;
        typename M::state_type scratch = q_.view.now(to.position);
        (void)M::allocate(scratch, q_.request(to.pod_set), to.count, to.grant);
      } else {
        seats[kept++] = seats[i];
      }
    }
    seats.resize(kept);
  }

  Query& q_;
  exact_space<M>& space_;
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
