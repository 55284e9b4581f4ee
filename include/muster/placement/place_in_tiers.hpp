// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_PLACE_IN_TIERS_HPP
#define MUSTER_PLACEMENT_PLACE_IN_TIERS_HPP

/// \file
/// Places a gang whole in a domain of the lowest tier that holds it, up to a highest one.
///
/// The rule. Tiers are asked from the finest level up. At each the whole gang is tried in every domain, and of those
/// that hold it the best is taken: the fullest, of equal ones that with more of the gang's pods (volcano_judgements).
/// Nothing is tried above the highest level allowed. *Replacements* of a gang that runs stay inside the domain of that
/// level where its members are; below it they need not be where the members are. Members that do not share a domain of
/// the highest level are a fault.
///
/// Every try is one of `place`, so at each tier the answer is exact, and a level the group requires holds besides.
/// Beside preferred.hpp: there members that run pin every level, and time may widen it.
/// \see Volcano, network-topology-aware, hard mode; drop_short.hpp, its check of sums before

#include <muster/cluster/domains.hpp>
#include <muster/cluster/overlay.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/core/topology.hpp>
#include <muster/core/verdict.hpp>
#include <muster/placement/best_candidate.hpp>
#include <muster/placement/candidate_scores.hpp>
#include <muster/placement/candidates.hpp>
#include <muster/placement/list_candidates.hpp>
#include <muster/placement/options.hpp>
#include <muster/placement/workspace.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/pod_group.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <vector>

namespace muster::inline MUSTER_ABI {

struct tier_answer {
  candidate_finding running{};         ///< a fault: no such level, or members that run rule the highest one out
  candidate_choice choice{};           ///< of the last tier asked
  topology_level level = no_level;     ///< that tier's; no_level: none was asked, or anywhere
  domain_path domain{};                ///< where, if the tier has a level and a domain was tried
  bool narrower_undecided = false;     ///< a tier below was left undecided

  [[nodiscard]] bool fits() const noexcept { return choice.verdict == verdict::fits; }
};

/// Decides in which domain the group sits, and leaves the placement in the workspace, or the refusal of the highest
/// tier.
/// \param view a snapshot or an overlay \param group a pod_group, or the id of one in the cluster
/// \param highest the highest level allowed; no_level: behind the levels the gang is placed anywhere
/// \param list scratch: the candidates of the last tier asked
/// \return `choice.verdict` as best_candidate; with a fault `invalid`, and the workspace is not touched
/// \complexity that of best_candidate for each tier asked \exceptions as best_candidate
/// \determinism a function of the view and the arguments
template <class View, class Group, resource_model M, options_for<M> Options = place_options<>>
  requires dimensional_model<M> && (std::same_as<Group, group_id> || std::same_as<Group, pod_group<M>>)
tier_answer place_in_tiers(View&& view, const Group& group, topology_level highest, workspace<M>& space,
                           candidate_list& list, const Options& options = {}, const candidate_effort& effort = {}) {
  const snapshot<M>& base = view.base();
  const auto all = all_nodes(base);
  std::vector<run> parent(all.begin(), all.end());
  tier_answer made;
  made.choice.verdict = verdict::invalid;
  if constexpr (std::same_as<Group, group_id>) made.running = list_candidates(base, highest, all, group, list);
  else made.running = list_candidates(base, highest, all, list);
  if (made.running.fault == candidate_fault::unknown_group) made.running = {};  // place says so
  if (!made.running.ok()) return made;
  if (list.pinned && !list.empty()) {
    const std::span<const run> pinned = list.nodes(0);
    parent.assign(pinned.begin(), pinned.end());
  }
  const auto ask = [&](topology_level level) {
    made.narrower_undecided = made.narrower_undecided || made.choice.undecided > 0;
    made.level = level;
    (void)list_candidates(base, level, parent, list);
    made.choice = best_candidate(view, group, list, space, options, volcano_judgements<M>(), effort);
  };
  if (highest == node_level) ask(highest);
  const std::size_t top = highest == no_level ? 0 : static_cast<std::size_t>(highest);
  for (std::size_t l = base.levels().size(); l-- > top && !made.fits();) ask(static_cast<topology_level>(l));
  if (highest == no_level && !made.fits()) ask(highest);
  const std::size_t taken = made.choice.candidate;
  if (made.fits() && list.constrained && taken != no_candidate) made.domain = list.name(taken).front();
  return made;
}

}  // namespace muster::inline MUSTER_ABI

#endif
