// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DROP_SHORT_HPP
#define MUSTER_PLACEMENT_DROP_SHORT_HPP

/// \file
/// Drops candidates whose nodes have too little in sum for a gang: those need not be tried.
///
/// A sum says no and never yes: what is dropped `place` refuses, now and once what is leaving has left; what is kept
/// may be refused all the same, for no node need have room for a pod. What a gang needs at least is, dimension by
/// dimension, its set minima and then its smallest pods up to the smallest legal size. Needs that do not add up on a
/// node are left out. A gang of which pods run or ran needs less than that, so nothing is dropped for it.
///
/// Of a list that ends empty best_candidate.hpp can only say that the gang does not fit on no nodes; where its tense or
/// a proof is wanted, ask with the list as it was.
/// \see Volcano, network-topology-aware: minResources beside the idle and future idle of a hypernode

#include <muster/cluster/domains.hpp>
#include <muster/cluster/overlay.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/placement/candidates.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/pod_group.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI {

/// What the pods that a group needs at once ask in sum at least, by dimension; 0 of what does not add up.
/// \pre the group is valid (workload/validate.hpp) \complexity O(dimensions x s log s) \exceptions none but of memory
template <dimensional_model M>
[[nodiscard]] std::array<amount, dimensions_of<M>> least_need(const pod_group<M>& group) {
  const pod_count size = legal_size_at_least(group.sizes, minimum_pods(group), full_size(group)).value_or(0);
  std::array<amount, dimensions_of<M>> sum{};
  for (std::size_t d = 0; d < dimensions_of<M>; ++d) {
    if (!M::adds_up(d)) continue;
    std::vector<std::pair<amount, pod_count>> beyond;  // need of a pod, and how many there are above the minimum
    pod_count rest = size;
    const auto add = [&](amount need, pod_count pods) {
      sum[d] = saturating_add(sum[d], saturating_multiply(need, pods));
      rest -= pods;
    };
    for (const pod_set<M>& set : group.pod_sets) {
      const amount need = std::max<amount>(0, M::amount_needed(set.request, d));
      if (group.policy != group_policy::basic) add(need, set.minimum);
      beyond.push_back({need, group.policy == group_policy::basic ? set.count : set.count - set.minimum});
    }
    std::sort(beyond.begin(), beyond.end());
    for (const auto& [need, pods] : beyond) add(need, std::clamp<pod_count>(rest, 0, pods));
  }
  return sum;
}

/// Whether the open ones of some nodes have so much in sum once what is leaving has left.
/// \param group whose set-asides count as free
/// \complexity O(nodes + set-asides of the group) \exceptions none but of memory
template <capacity_view View, class M = typename View::model>
  requires dimensional_model<M>
[[nodiscard]] bool sum_suffices(const View& view, std::span<const run> nodes, group_id group,
                                const std::array<amount, dimensions_of<M>>& need) {
  std::vector<std::pair<std::uint32_t, typename M::grant_type>> kept;
  view.visit_set_asides(group, [&](const set_aside<M>& aside, std::uint32_t p) { kept.push_back({p, aside.grant}); });
  std::array<amount, dimensions_of<M>> sum{};
  for (const run& some : nodes)
    for (std::uint32_t p = some.first; p < some.last; ++p) {
      if (!view.base().open(p)) continue;
      typename M::state_type left = view.later(p);
      for (const auto& [where, grant] : kept)
        if (where == p) M::release(left, grant);
      for (std::size_t d = 0; d < dimensions_of<M>; ++d)
        if (M::adds_up(d)) sum[d] = saturating_add(sum[d], std::max<amount>(0, M::amount_left(left, d)));
    }
  for (std::size_t d = 0; d < dimensions_of<M>; ++d)
    if (sum[d] < need[d]) return false;
  return true;
}

/// Copies the candidates that have enough in sum. \param group of which nothing runs, as it is declared
/// \pre the group is valid; the list was made of the view's snapshot, and `out` is another one
/// \complexity O(nodes of the candidates) \determinism a function of the arguments; the order is kept
template <capacity_view View, class M = typename View::model>
  requires dimensional_model<M>
void drop_short(const View& view, const pod_group<M>& group, const candidate_list& all, candidate_list& out) {
  out.clear();
  out.constrained = all.constrained;
  out.pinned = all.pinned;
  const auto need = least_need(group);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (sum_suffices(view, all.nodes(i), group.id, need)) out.add(all.name(i), all.nodes(i));
}

/// The same for a group in the cluster. Of one that is not known, or of which pods run, ran or were enough before,
/// nothing is dropped.
template <capacity_view View, class M = typename View::model>
  requires dimensional_model<M>
void drop_short(const View& view, group_id group, const candidate_list& all, candidate_list& out) {
  const group_record<M>* known = view.base().group(group);
  const bool fresh = known != nullptr && !known->once_satisfied() &&
                     known->members.scheduled() + known->members.succeeded() == 0;
  if (fresh) drop_short(view, known->spec, all, out);
  else out = all;
}

}  // namespace muster::inline MUSTER_ABI

#endif
