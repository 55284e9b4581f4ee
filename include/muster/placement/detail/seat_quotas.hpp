// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_SEAT_QUOTAS_HPP
#define MUSTER_PLACEMENT_DETAIL_SEAT_QUOTAS_HPP

/// \file
/// Seats the quotas of a gang in their order.

#include <muster/cluster/overlay.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/answer.hpp>
#include <muster/placement/detail/demand.hpp>
#include <muster/placement/detail/query.hpp>
#include <muster/placement/detail/quotas.hpp>
#include <muster/placement/detail/seating.hpp>
#include <muster/resource/model.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

/// Turns (position, count) pieces of alike pods into seats, pod sets in the order of the quotas.
template <resource_model M>
class seat_writer {
 public:
  seat_writer(const demand<M>& of, const std::vector<quota>& quotas, std::vector<seat<M>>& out) noexcept
      : demand_{of}, quotas_{quotas}, out_{out} {}

  template <class View>
  void operator()(const View& view, std::uint32_t position, pod_count count) {
    typename M::state_type left = view.now(position);
    const node_id id = view.base().id(position);
    while (count > 0) {
      const quota& now = quotas_[next_];
      const pod_count wanted = std::min(count, now.count - used_);
      seat<M>& to = out_.emplace_back();
      to.node = id;
      to.position = position;
      to.pod_set = now.pod_set;
      to.count = M::allocate(left, demand_.group->pod_sets[now.pod_set].request, wanted, to.grant);
      MUSTER_ASSERT(to.count > 0);
      count -= to.count;
      used_ += to.count;
      if (used_ == now.count) {
        ++next_;
        used_ = 0;
      }
    }
  }

 private:
  const demand<M>& demand_;
  const std::vector<quota>& quotas_;
  std::vector<seat<M>>& out_;
  std::size_t next_ = 0;
  pod_count used_ = 0;
};

/// One pass over the quotas on an overlay, by the caller's scorer, on top of what `room` counts already, until `most`
/// pods sit. The seats are added to those given and stay taken. \return how many sit, and their scores in sum
template <class Query, class Scorer>
seated_pods seat_quotas(Query& q, const Scorer& scorer, overlay<typename Query::model>& on, std::uint32_t domain,
                        pod_count most, std::vector<seat<typename Query::model>>& seats) {
  using M = typename Query::model;
  auto& pieces = q.space.pieces;
  seated_pods all;
  for (const quota& next : q.space.quotas) {
    if (all.pods >= most) break;
    // the grants are taken after the walk, so that the walk does not change what it walks over
    pieces.clear();
    const auto take = [&](std::uint32_t position, pod_count count) { pieces.push_back({position, count}); };
    const seated_pods seated =
        seat_pods(on, scorer, q.request(next.pod_set), q.runs_of(next.pod_set, domain), q.space.room,
                  q.space.nodes, std::min(next.count, most - all.pods), take);
    all.pods += seated.pods;
    all.score = saturating_add(all.score, seated.score);
    for (const held_pods& piece : pieces) {
      pod_count rest = piece.count;
      while (rest > 0) {
        seat<M>& to = seats.emplace_back();
        to.node = q.view.base().id(piece.position);
        to.position = piece.position;
        to.pod_set = next.pod_set;
        to.count = on.take(piece.position, q.request(next.pod_set), rest, to.grant);
        MUSTER_ASSERT(to.count > 0);
        rest -= to.count;
      }
    }
  }
  return all;
}

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
