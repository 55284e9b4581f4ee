// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_CUTS_HPP
#define MUSTER_PLACEMENT_DETAIL_CUTS_HPP

/// \file
/// Upper bounds on how many unlike pods can sit in one domain, cheap and proved.
///
/// - One pod set alone: no more pods of a set sit than there are slots for it with nothing else around; a set whose
///   slots are fewer than its minimum refuses the domain.
/// - Summed capacity, per dimension whose needs add up: the required pods and then the smallest requests
///   first, each set at most as often as it has slots, until the sum of what is left is used up.
/// - Spread limits: no more pods than the limits leave room for.
/// The least of these bounds the pods of the domain. A bound below what is needed is a proof that the domain does
/// not do.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/certificate.hpp>
#include <muster/placement/detail/counting.hpp>
#include <muster/placement/detail/query.hpp>
#include <muster/placement/detail/seating.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

struct cut {
  proof_kind kind = proof_kind::slots;            ///< what `bound` rests on
  std::uint32_t subject = all_sets;
  std::int64_t held = 0, asked = 0;
  pod_count bound = 0;                            ///< no more pods than this count towards what is needed
  refusal_reason by = refusal_reason::too_few_slots;
  std::uint32_t pod_set = 0;                      ///< the set that is shortest of slots
  bool minima_sit = true;                         ///< false: the minima of the pod sets cannot all sit
};

namespace cut_parts {

/// Most pods, the required ones included, that fit if they leave `capacity` of a dimension to the others.
template <class Query>
[[nodiscard]] pod_count by_sum(Query& q, std::size_t dimension, amount capacity, const std::vector<pod_count>& slots) {
  using M = typename Query::model;
  const auto& sets = q.wanted().sets;
  amount used = 0;
  pod_count count = q.wanted().required_pods();
  std::vector<std::uint32_t>& order = q.space.order;
  order.resize(sets.size());
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  const auto need = [&](std::uint32_t s) { return M::amount_needed(q.request(s), dimension); };
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return need(a) != need(b) ? need(a) < need(b) : a < b; });
  for (const std::uint32_t s : order) {
    pod_count more = slots[s] - sets[s].required;
    if (more <= 0) continue;
    if (need(s) > 0) more = std::min(more, (capacity - used) / need(s));
    used += more * need(s);
    count += more;
  }
  return count;
}

}  // namespace cut_parts

/// Bounds the pods of the group that fit in a domain in a tense. \complexity O(sets x nodes of the domain)
template <class Query>
[[nodiscard]] cut bound_domain(Query& q, std::uint32_t domain, tense when) {
  using M = typename Query::model;
  const auto& sets = q.wanted().sets;
  std::vector<pod_count>& slots = q.space.slots;
  slots.assign(sets.size(), 0);
  cut result;
  pod_count sum = 0;
  pod_count worst_gap = -1;
  for (std::size_t s = 0; s < sets.size(); ++s) {
    if (sets[s].pending > 0) {
      q.reset_room(when);
      slots[s] = count_slots(q.view, when, q.request(s), q.runs_of(s, domain), q.space.room, sets[s].pending);
    }
    sum += slots[s];
    if (sets[s].pending - slots[s] > worst_gap) {
      worst_gap = sets[s].pending - slots[s];
      result.pod_set = static_cast<std::uint32_t>(s);
    }
    if (slots[s] < sets[s].required) {
      const auto set = static_cast<std::uint32_t>(s);
      return {proof_kind::slots,
              set,
              slots[s],
              sets[s].required,
              q.wanted().needed - (sets[s].required - slots[s]),
              refusal_reason::set_too_few_slots,
              set,
              false};
    }
  }
  result.bound = std::min(sum, q.wanted().pending);
  result.by = refusal_reason::too_few_slots;
  result.held = result.bound;
  result.asked = q.wanted().needed;

  std::array<amount, dimensions_of<M> == 0 ? 1 : dimensions_of<M>> total{};
  pod_count room_left = 0;
  q.reset_room(when);
  const bool limited = !q.space.room.unlimited();
  list_nodes_of_pending(q, domain, when);
  for (const listed_node& node : q.space.listed) {
    const std::uint32_t p = node.position;
    const auto add = [&](const typename M::state_type& left) {
      if constexpr (dimensions_of<M> > 0)
        for (std::size_t d = 0; d < dimensions_of<M>; ++d)
          total[d] = saturating_add(total[d], std::max<amount>(0, M::amount_left(left, d)));
    };
    if (when == tense::now) add(q.view.now(p));
    else if (when == tense::later) add(q.view.later(p));
    else add(q.view.base().empty(p, when == tense::empty_all));
    if (limited) {
      const pod_count here = q.space.room.room(p, q.wanted().pending);
      q.space.room.add(p, here);
      room_left = std::min(q.wanted().pending, room_left + here);
    }
  }
  if constexpr (dimensions_of<M> > 0) {
    for (std::size_t d = 0; d < dimensions_of<M>; ++d) {
      if (!M::adds_up(d)) continue;
      const auto dimension = static_cast<std::uint32_t>(d);
      amount minima = 0;
      for (std::size_t s = 0; s < sets.size(); ++s)
        minima = saturating_add(minima, saturating_multiply(M::amount_needed(q.request(s), d), sets[s].required));
      if (minima > total[d])
        return {proof_kind::capacity_of_minima,
                dimension,
                total[d],
                minima,
                q.wanted().needed - 1,
                refusal_reason::too_little_capacity,
                result.pod_set,
                false};
      const pod_count here = cut_parts::by_sum(q, d, total[d] - minima, slots);
      if (here < result.bound) {
        result.kind = proof_kind::capacity;
        result.subject = dimension;
        result.held = result.bound = here;
        result.by = refusal_reason::too_little_capacity;
      }
    }
  }
  if (limited && room_left < result.bound) {
    result.kind = proof_kind::limits;
    result.held = result.bound = room_left;
    result.by = refusal_reason::too_few_slots;
  }
  return result;
}

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
