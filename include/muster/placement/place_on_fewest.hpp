// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_PLACE_ON_FEWEST_HPP
#define MUSTER_PLACEMENT_PLACE_ON_FEWEST_HPP

/// \file
/// Places a gang of unlike pods whole on the fewest domains of a level, and these near together.
///
/// `place` inside some domains (eligibility.hpp) says exactly whether they hold the gang, with everything a gang may
/// ask: several pod sets, minima, sizes, limits, a required level, one device model, the host's filter. What is left is
/// to find the least number of domains of which some do. Their sets are looked through by branch and bound, and most
/// need not be asked: slots, what is left of each dimension and room under the limits refuse a set where the sum over
/// its domains is too little; and where prices refuse one set, every domain is priced once, and they refuse each other
/// set that is worth less than the gang (the combinatorial form of Benders' cuts). So a number of domains is refused by
/// sums alone where even the largest of them fall short.
///
/// The order. `fewest_domains`: the fewest domains; of these the sets within the narrowest domain that holds one.
/// `nearest`: the other way round. In both a single domain of a narrower level goes before one of the level, and last
/// come the sets with the fewest slots in sum, and of equal ones the first in label order. The *slots* of a domain are
/// how many pods of each class it holds with nothing else around. Members that run use their domains whatever is
/// chosen; these cost nothing more, and their slots do not count. Pods beyond enough (`extras`, `largest`) sit in the
/// domains that enough of the gang needs, and add none.
///
/// The least number is proved where every smaller set is refused by `place` or by a cut. What a search left undecided,
/// or was not asked any more, refuses nothing: `least` is then what is proved, and `best` says whether all of the rule
/// is. Where a level merges names, a domain that lies in several wider ones counts in each with its nodes there; and
/// merged levels finer than the wish's are passed over, so that `best` is then said of single nodes only.
///
/// For alike pods over counts alone, and for the smallest sum of distances, see divide.hpp.
/// \see Kueue, Volcano (the fewest or the nearest domains, greedily); J. N. Hooker, G. Ottosson: Logic-based Benders
///      decomposition, 2003 (refusals of a part become constraints of the choice)

#include <muster/cluster/overlay.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/core/topology.hpp>
#include <muster/placement/detail/answering.hpp>
#include <muster/placement/detail/few_domains.hpp>
#include <muster/placement/detail/set_asks.hpp>
#include <muster/placement/fewest_domains.hpp>
#include <muster/placement/options.hpp>
#include <muster/placement/set_asides.hpp>
#include <muster/placement/workspace.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/member.hpp>
#include <muster/workload/pod_group.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace muster::inline MUSTER_ABI {

/// Decides on which domains the group sits, and leaves the placement in the workspace, or `place`'s refusal on all
/// nodes.
/// \param view a snapshot or an overlay, which is left as it was \param group a pod_group, or the id of one in the
///        cluster: its unscheduled members, beside those that run
/// \param options as for place(); the budget is one for all asks, and the set that is chosen is asked once more, with
///        the steps that were left when it was first asked; `resume` is not looked at
/// \return `fault`: the question is faulty, and the workspace not touched; else `verdict` and, if it fits, the domains,
///         how few there can be, and what is proved
/// \complexity that of place() now for each ask, at most most_asks; O(sets x cuts) for at most most_sets sets; O(pod
///             sets x nodes) a level for the measures, and that of pricing all nodes once for each of at most 64 cuts
/// \exceptions as place; allocates O(nodes + domains x cuts) besides \determinism a function of the view and the
///             arguments
template <class View, class Group, resource_model M, options_for<M> Options = place_options<>>
  requires(std::same_as<Group, group_id> || std::same_as<Group, pod_group<M>>)
[[nodiscard]] fewest_answer place_on_fewest(View&& view, const Group& group, const fewest_wish& wish,
                                            workspace<M>& space, const Options& options = {});

// ---------------------------------------------------------------------------------------------------------------------

namespace placement_detail {

template <resource_model M>
void check_members(const snapshot<M>& view, group_id group, fewest_answer& made) {
  const group_record<M>* known = view.group(group);
  if (known == nullptr) return;  // place says so
  view.visit_members(*known, [&](const pod_record<M>& pod) {
    if (!is_scheduled(pod.phase) || view.find(view.node_of(pod)) || (made.pod && *made.pod < pod.id)) return;
    made.fault = fewest_fault::node_gone;
    made.pod = pod.id;
  });
}

template <class View, class Take, class Trials, class M, class Options>
void search_fewest(const View& view, const Take& take, const Trials& trials, workspace<M>& space,
                   const fewest_wish& wish, const Options& options, fewest_answer& made) {
  set_asks<View, Take, Trials, Options> asks{view, take, trials, space, options, wish.most_asks};
  few_domains<set_asks<View, Take, Trials, Options>>{asks, wish, made}.decide();
}

}  // namespace placement_detail

template <class View, class Group, resource_model M, options_for<M> Options>
  requires(std::same_as<Group, group_id> || std::same_as<Group, pod_group<M>>)
fewest_answer place_on_fewest(View&& view, const Group& group, const fewest_wish& wish, workspace<M>& space,
                              const Options& options) {
  using namespace placement_detail;
  fewest_answer made;
  const snapshot<M>& base = view.base();
  if (!base.levels().has(wish.level)) {
    made.fault = fewest_fault::unknown_level;
    return made;
  }
  group_id id{};
  if constexpr (std::same_as<Group, group_id>) {
    id = group;
    check_members(base, group, made);
    if (made.fault != fewest_fault::none) return made;
  } else {
    id = group.id;
  }
  const auto take = [&] {
    if constexpr (std::same_as<Group, group_id>) return take_members(base, group, space);
    else return take_spec(base, group, space);
  };
  const auto on_overlay = [&](overlay<M>& on) {
    const trial_scope<M> scope{on};
    give_set_asides(on, id);
    search_fewest(on, take, [&on]() -> overlay<M>& { return on; }, space, wish, options, made);
  };
  if constexpr (std::same_as<std::remove_cvref_t<View>, overlay<M>>) on_overlay(view);
  else if (base.anything_set_aside(id)) on_overlay(trial_on(space, base));
  else search_fewest(base, take, [&]() -> overlay<M>& { return trial_on(space, base); }, space, wish, options, made);
  return made;
}

}  // namespace muster::inline MUSTER_ABI

#endif
