// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_PLACE_NEXT_FIT_HPP
#define MUSTER_PLACEMENT_PLACE_NEXT_FIT_HPP

/// \file
/// Places a gang by next-fit over the fullest nodes; if it does not fit so, as if pods of lower priority were gone.
///
/// The rule, for one leading resource. Nodes stand in the order: most of it used, by whomever; of these least used by
/// pods of higher priority; of these the first. Pods are taken by how much they ask, least first, and seated by
/// next-fit: who left a node never comes back to it. First nothing is preempted; only where that fails, pods of lower
/// priority are counted as free.
///
/// Next-fit by ascending size leaves gaps that a later pod would fill: free 2 and 3, pods of 1, 2 and 2 are refused,
/// though 2 and 1 + 2 fit. So `place` is asked before anything is counted free, and again after. *Counted free* is a
/// what-if: the answer holds once the pods of lower priority on its nodes, as far as they are in the way, have gone.
/// Which of them go, and with what gangs, is a question of preemption.
/// \see HiveD, scheduling inside a virtual cluster. Its choice of cells inside a node is the resource model's here.

#include <muster/cluster/overlay.hpp>
#include <muster/cluster/records.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/core/verdict.hpp>
#include <muster/placement/answer.hpp>
#include <muster/placement/options.hpp>
#include <muster/placement/place.hpp>
#include <muster/placement/place_by.hpp>
#include <muster/placement/seat_in_turn.hpp>
#include <muster/placement/seating_rule.hpp>
#include <muster/placement/workspace.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/pod_group.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI {

struct next_fit_answer {
  bool by_rule = false;             ///< the seats are the rule's; else the answer is what `place` says
  bool lower_counted_free = false;  ///< it fits once pods of lower priority that are in the way have gone
};

/// The open nodes in the order of the rule.
/// \param priority of the gang \complexity O(n log n + pods on them) \exceptions none but of memory
/// \determinism a function of the view and the priority
template <capacity_view View, class M = typename View::model>
  requires dimensional_model<M>
[[nodiscard]] std::vector<std::uint32_t> fullest_nodes(const View& view, std::int32_t priority) {
  std::vector<std::tuple<amount, amount, std::uint32_t>> keys;  // used, negative; used by higher ones; position
  for (std::uint32_t p = 0; p < view.base().size(); ++p) {
    if (!view.base().open(p)) continue;
    amount higher = 0;
    view.base().visit_pods_on(p, [&](const pod_record<M>& pod) {
      if (pod.priority > priority) higher = saturating_add(higher, M::amount_needed(pod.request, 0));
    });
    keys.push_back({M::amount_left(view.now(p), 0) - M::amount_left(view.base().empty(p), 0), higher, p});
  }
  std::sort(keys.begin(), keys.end());
  std::vector<std::uint32_t> nodes;
  for (const auto& key : keys) nodes.push_back(std::get<2>(key));
  return nodes;
}

/// What if every pod of a lower priority than the group's were gone. Members of the group stay.
/// \complexity O(n + pods)
template <resource_model M>
void vacate_lower(overlay<M>& on, const pod_group<M>& group) {
  for (std::uint32_t p = 0; p < on.size(); ++p)
    on.base().visit_pods_on(p, [&](const pod_record<M>& pod) {
      if (pod.priority < group.priority && on.base().group_of(pod) != group.id) on.vacate(pod);
    });
}

/// Seats by the rule alone, as far as it comes. \param nodes in the order in which they are asked
template <dimensional_model M, node_filter<M> Filter>
void seat_next_fit(const seating_question<M>& asked, std::span<const std::uint32_t> nodes, const Filter& filter,
                   std::vector<seat<M>>& seats) {
  std::vector<std::uint32_t> sets(asked.group.pod_sets.size()), turns;
  std::iota(sets.begin(), sets.end(), 0U);
  std::stable_sort(sets.begin(), sets.end(), [&](std::uint32_t a, std::uint32_t b) {
    return M::amount_needed(asked.group.pod_sets[a].request, 0) < M::amount_needed(asked.group.pod_sets[b].request, 0);
  });
  for (const std::uint32_t set : sets) turns.insert(turns.end(), static_cast<std::size_t>(asked.waiting[set]), set);
  seat_in_order(asked.on, asked.group, turns, nodes, fit_order::next_fit, filter, seats);
}

/// Places a group by the rule, and where the rule does not seat it by `place`; then the same with lower priorities
/// counted free, if it would fit but for what runs and the group may preempt.
/// \param view, group, space, options: as of place_by
/// \return how; in the workspace the answer. A refusal is of the view as it is
/// \complexity besides place_by's, up to twice: O(n log n + pods) \exceptions, determinism as place_by
template <class View, class Group, dimensional_model M, options_for<M> Options = place_options<>>
next_fit_answer place_next_fit(View&& view, const Group& group, workspace<M>& space, const Options& options = {}) {
  std::vector<std::uint32_t> nodes;
  const auto rule = [&](const seating_question<M>& asked, std::vector<seat<M>>& seats) {
    if (nodes.empty()) nodes = fullest_nodes(asked.on, asked.group.priority);
    seat_next_fit(asked, nodes, options.filter, seats);
  };
  next_fit_answer made;
  made.by_rule = place_by(view, group, space, rule, options);
  if (space.answer.verdict != verdict::not_now) return made;
  const pod_group<M>* spec = nullptr;
  if constexpr (std::same_as<Group, group_id>) spec = &view.base().group(group)->spec;
  else spec = &group;
  if (spec->preemption == preemption_policy::never) return made;
  const auto again = [&](overlay<M>& on) {
    const trial_scope<M> scope{on};
    vacate_lower(on, *spec);
    made.by_rule = place_by(on, group, space, rule, options);
    made.lower_counted_free = space.answer.fits();
  };
  if constexpr (std::same_as<std::remove_cvref_t<View>, overlay<M>>) {
    again(view);
  } else {
    overlay<M> on{view};
    again(on);
  }
  if (!made.lower_counted_free) (void)place(view, group, space, options);
  return made;
}

}  // namespace muster::inline MUSTER_ABI

#endif
