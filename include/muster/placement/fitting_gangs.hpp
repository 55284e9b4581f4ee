// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_FITTING_GANGS_HPP
#define MUSTER_PLACEMENT_FITTING_GANGS_HPP

/// \file
/// Which gangs of a known mix fit, each for itself: exactly, by `place`, with everything a gang may ask.
///
/// The weight of those that fit before some seats are taken, less the weight of those that fit after, divided by the
/// weight of the mix, is the expected number of gangs that stop fitting, of one drawn from the mix. A gang that did not
/// fit before does not fit after, so nothing is gained. This is the exact form of scoring/gangs_lost.hpp, for gangs of
/// unlike pods and of every constraint; it costs a placement a gang, and tells one room from none, not two from one.
///
/// Where a search ends undecided the gang is counted as neither: the loss then lies within the weights of the unknown.

#include <muster/cluster/overlay.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/verdict.hpp>
#include <muster/placement/candidate_scores.hpp>
#include <muster/placement/options.hpp>
#include <muster/placement/place.hpp>
#include <muster/placement/workspace.hpp>
#include <muster/resource/model.hpp>
#include <muster/scoring/weights.hpp>
#include <muster/workload/pod_group.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace muster::inline MUSTER_ABI {

/// A gang that may come, and how often: its weight is held from 0 to max_score_weight.
template <resource_model M>
struct expected_gang {
  pod_group<M> group;
  std::int64_t weight = 1;
};

struct fitting_weight {
  std::int64_t fits = 0;      ///< weight of the gangs that fit
  std::int64_t unknown = 0;   ///< weight of those left undecided
  std::size_t faulty = 0;     ///< gangs that no cluster can take, since they are faulty; they count as not fitting
};

/// Asks for every gang of the mix alone, beside what runs and no other gang.
/// \param view a snapshot, or an overlay, which is left as it was
/// \complexity a placement for each gang of a weight above 0 \exceptions as place; allocates in `space` only
/// \determinism a function of the view and the arguments
template <class View, resource_model M, options_for<M> Options = place_options<>>
[[nodiscard]] fitting_weight fitting_gangs(View&& view, std::span<const expected_gang<M>> mix, workspace<M>& space,
                                           const Options& options = {}) {
  fitting_weight sum;
  for (const expected_gang<M>& one : mix) {
    const std::int64_t weight = weight_held(one.weight);
    if (weight == 0) continue;
    const verdict said = place(view, one.group, space, options).verdict;
    if (said == verdict::fits) sum.fits = saturating_add(sum.fits, weight);
    if (said == verdict::undecided) sum.unknown = saturating_add(sum.unknown, weight);
    if (said == verdict::invalid) ++sum.faulty;
  }
  return sum;
}

/// As a judgement of candidates: the weight of the mix that still fits, in % of the candidate that leaves the most.
template <resource_model M, options_for<M> Options = place_options<>>
struct gangs_fitting_after {
  std::span<const expected_gang<M>> mix;
  workspace<M>* space = nullptr;  ///< another than the placement's
  Options options{};

  [[nodiscard]] static constexpr std::int64_t scaled(std::int64_t left, std::int64_t, std::int64_t most) noexcept {
    return pods_count::scaled(left, 0, most);
  }
  /// \pre space is there. What a search leaves undecided counts as not fitting
  [[nodiscard]] std::int64_t operator()(const candidate_trial<M>& trial) const {
    return fitting_gangs(trial.after, mix, *space, options).fits;
  }
};

}  // namespace muster::inline MUSTER_ABI

#endif
