// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_PLACE_BY_HPP
#define MUSTER_PLACEMENT_PLACE_BY_HPP

/// \file
/// Places a gang by a rule where the rule places it, and by `place` where it does not.
///
/// A rule orders and prefers; it never turns a yes into a no. A seating rule (seating_rule.hpp) proposes seats for all
/// pods of a group that wait. They are taken if `verify` holds them to be a legal placement: under the required level,
/// the device model, spread limits, sizes, the filter and what is set aside. Where it seats too few, or breaks one of
/// these, `place` answers as it always does: exactly, with a proof of a no.
///
/// A rule is not asked where some pods are to stay behind: without extras, or above the largest legal size.
/// \see place_near.hpp, place_next_fit.hpp, place_fullest.hpp, place_buckets.hpp: rules of other schedulers

#include <muster/cluster/overlay.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/core/topology.hpp>
#include <muster/core/verdict.hpp>
#include <muster/placement/answer.hpp>
#include <muster/placement/detail/answering.hpp>
#include <muster/placement/options.hpp>
#include <muster/placement/place.hpp>
#include <muster/placement/seating_rule.hpp>
#include <muster/placement/set_asides.hpp>
#include <muster/placement/verify.hpp>
#include <muster/placement/workspace.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/pod_group.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI {

namespace placement_detail {

/// Makes the answer of seats that hold. \pre at least one
template <resource_model M>
void answer_seats(const snapshot<M>& base, const pod_group<M>& group, std::vector<seat<M>>&& seats,
                  placement_answer<M>& answer) {
  answer.verdict = verdict::fits;
  answer.group = group.id;
  answer.placed = answer.pending = 0;
  for (const seat<M>& one : seats) {
    answer.placed += one.count;
    if (!group.one_device_model || answer.model || !asks_devices<M>(group.pod_sets[one.pod_set].request)) continue;
    answer.model = model_of<M>(base.capacity(one.position));
  }
  const std::uint32_t first = seats.front().position;
  if (group.required == node_level) {
    answer.domain.level = node_level;
    answer.domain.path.push_back(static_cast<label_id>(number(base.id(first))));
  } else if (group.required != no_level) {
    const auto level = static_cast<std::size_t>(group.required);
    answer.domain = base.domain_name(level, base.domain_of(first, level));
  }
  answer.seats = std::move(seats);
}

}  // namespace placement_detail

/// Decides where a group sits: by the rule's seats if they hold, else by `place`.
/// \param view a snapshot, or an overlay, which is used for trials and left as it was
/// \param group a pod_group, all of whose pods wait, or the id of one in the cluster
/// \return whether the rule's seats were taken; the answer lies in the workspace, as of `place`
/// \complexity the rule's, and `verify`'s; where they are not taken `place`'s besides
/// \exceptions what rule, filter and scorer throw, with an overlay as before; allocates O(seats) besides the workspace
/// \determinism a function of the view and the arguments, if the rule is
template <class View, class Group, resource_model M, seating_rule<M> Rule, options_for<M> Options = place_options<>>
  requires(std::same_as<Group, group_id> || std::same_as<Group, pod_group<M>>)
bool place_by(View&& view, const Group& group, workspace<M>& space, const Rule& rule, const Options& options = {}) {
  using namespace placement_detail;
  const snapshot<M>& base = view.base();
  bool asked = false;
  if constexpr (std::same_as<Group, group_id>) asked = take_members(base, group, space);
  else asked = take_spec(base, group, space);
  if (!asked) return false;
  demand<M>& wanted = space.demand;
  placement_answer<M>& answer = space.answer;
  if (wanted.conclude(options.extras, options.once_enough, answer.lack) == refusal_reason::none &&
      wanted.pending > 0 && wanted.most == wanted.pending) {
    std::vector<pod_count> waiting;
    for (const set_demand& set : wanted.sets) waiting.push_back(set.pending);
    std::vector<standing_pods> running;
    for (const held_pods& one : wanted.held) running.push_back({one.position, one.count, one.pod_set});
    std::vector<seat<M>> seats;
    const auto propose = [&](overlay<M>& on) {
      const trial_scope<M> scope{on};
      give_set_asides(on, wanted.group->id);
      rule(seating_question<M>{on, *wanted.group, waiting, running}, seats);
    };
    if constexpr (std::same_as<std::remove_cvref_t<View>, overlay<M>>) propose(view);
    else propose(trial_on(space, base));
    pod_count seated = 0;
    for (const seat<M>& one : seats) seated = saturating_add(seated, one.count);
    verification said{proof::refuted};
    if (seated == wanted.pending) {
      if constexpr (std::same_as<Group, group_id>)
        said = verify(view, group, seats, options.filter, options.once_enough);
      else said = verify(view, group, seats, options.filter);
    }
    if (said.holds()) {
      answer.lack = {};
      answer.lack.needed = wanted.needed;
      answer_seats(base, *wanted.group, std::move(seats), answer);
      return true;
    }
  }
  (void)place(view, group, space, options);
  return false;
}

}  // namespace muster::inline MUSTER_ABI

#endif
