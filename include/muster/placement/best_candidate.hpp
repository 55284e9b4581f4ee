// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_BEST_CANDIDATE_HPP
#define MUSTER_PLACEMENT_BEST_CANDIDATE_HPP

/// \file
/// Places a gang whole on one of several candidates: the one whose finished placement scores highest.
///
/// Each candidate is asked for by `place`, inside its nodes; so a yes is exact, and scores never turn it into a no. The
/// order: a candidate that pods of the gang were nominated to comes first and is taken, unscored, if it is feasible;
/// then the others in the order of the list, or, where not all are tried, in an order drawn by a seed from their names,
/// so that none is always passed over. Trying ends after as many feasible ones as candidate_effort says, without
/// judgements after one. One alone is taken unscored; of equal totals the first in the list. A nominated candidate on
/// which no pod is placed is one of the others.
///
/// The budget of the search is one for all candidates together. A candidate that it leaves undecided is not feasible,
/// and not refused: it is counted, and where none is feasible the gang is `undecided`.
/// \see list_candidates.hpp; candidate_scores.hpp; Kubernetes 1.37 (placements: nomination, number tried, scoring)

#include <muster/cluster/overlay.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/placement/candidate_scores.hpp>
#include <muster/placement/candidates.hpp>
#include <muster/placement/detail/candidate_trials.hpp>
#include <muster/placement/options.hpp>
#include <muster/placement/workspace.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/pod_group.hpp>

namespace muster::inline MUSTER_ABI {

/// Chooses, and leaves the placement in the workspace.
/// \pre the list was made of the same snapshot
/// \return in `space.answer` the placement; else the refusal by the nominated candidate or the first one tried, where
///         undecided ones go before refused ones. The verdict is the most hopeful of all: undecided, wait, not_now,
///         closed, never; `hold` and `invalid` do not depend on nodes. Without candidates both are what `place` says of
///         no nodes at all
/// \complexity that of `place` for each candidate tried, and once more for the chosen one; judgements once each;
///             O(candidates x nominated pods x log runs)
/// \exceptions as place; allocates O(candidates) \determinism a function of the view and the arguments
template <resource_model M, options_for<M> Options = place_options<>, candidate_judgements<M> Judgements = judgements<>>
candidate_choice best_candidate(const snapshot<M>& view, const pod_group<M>& group, const candidate_list& among,
                                workspace<M>& space, const Options& options = {}, const Judgements& by = {},
                                const candidate_effort& effort = {}) {
  return placement_detail::candidate_trials{view, group, among, space, options, by}.choose(effort);
}

/// The same for a group in the cluster.
template <resource_model M, options_for<M> Options = place_options<>, candidate_judgements<M> Judgements = judgements<>>
candidate_choice best_candidate(const snapshot<M>& view, group_id group, const candidate_list& among,
                                workspace<M>& space, const Options& options = {}, const Judgements& by = {},
                                const candidate_effort& effort = {}) {
  return placement_detail::candidate_trials{view, group, among, space, options, by}.choose(effort);
}

/// The same on an overlay, which is used for trials and left as it was.
template <resource_model M, options_for<M> Options = place_options<>, candidate_judgements<M> Judgements = judgements<>>
candidate_choice best_candidate(overlay<M>& view, const pod_group<M>& group, const candidate_list& among,
                                workspace<M>& space, const Options& options = {}, const Judgements& by = {},
                                const candidate_effort& effort = {}) {
  return placement_detail::candidate_trials{view, group, among, space, options, by}.choose(effort);
}
template <resource_model M, options_for<M> Options = place_options<>, candidate_judgements<M> Judgements = judgements<>>
candidate_choice best_candidate(overlay<M>& view, group_id group, const candidate_list& among, workspace<M>& space,
                                const Options& options = {}, const Judgements& by = {},
                                const candidate_effort& effort = {}) {
  return placement_detail::candidate_trials{view, group, among, space, options, by}.choose(effort);
}

}  // namespace muster::inline MUSTER_ABI

#endif
