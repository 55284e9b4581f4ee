// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_CANDIDATE_SCORES_HPP
#define MUSTER_PLACEMENT_CANDIDATE_SCORES_HPP

/// \file
/// What a finished placement on one candidate is worth, beside those on the others.
///
/// A *judgement* is a const function object: trial to a whole number, higher is better. It sees the gang seated. One
/// that is `relative` counts in % of the best candidate's number, rounded down, the others as they are. Weights make
/// of several judgements one total; a weight is 0 to 2^30, a judgement within +-2^30, so that totals are exact.
/// \see best_candidate.hpp; Kubernetes 1.37: PodGroupPodsCount and NodeResourcesFit, each with weight 1

#include <muster/cluster/domains.hpp>
#include <muster/cluster/overlay.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/answer.hpp>
#include <muster/resource/model.hpp>
#include <muster/scoring/domain_score.hpp>
#include <muster/workload/pod_group.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>

namespace muster::inline MUSTER_ABI {

/// A gang seated on one candidate, for judgements to look at.
template <resource_model M>
struct candidate_trial {
  const overlay<M>& after;           ///< the view with the seats taken
  const pod_group<M>& group;
  const placement_answer<M>& answer;
  std::span<const run> nodes;        ///< of the candidate
  pod_count running = 0;             ///< members that were scheduled before
};

template <class J, class M>
concept candidate_judgement = requires(const J& judge, const candidate_trial<M>& trial) {
  { judge(trial) } -> std::convertible_to<std::int64_t>;
  { J::relative } -> std::convertible_to<bool>;
};

template <class Judgement>
struct weighted_judgement {
  std::int64_t weight = 1;
  Judgement judge{};
};

/// How many of the gang's pods sit, those that ran before among them. \see scoring/domain_score.hpp
struct pods_count {
  static constexpr bool relative = true;
  template <resource_model M>
  [[nodiscard]] std::int64_t operator()(const candidate_trial<M>& trial) const noexcept {
    return trial.running + trial.answer.placed;
  }
};

/// How full the candidate's nodes then are, in %: the mean over the dimensions, each with its weight.
/// \complexity O(nodes of the candidate)
template <dimensional_model M>
struct resource_fit {
  static constexpr bool relative = false;
  static constexpr std::array<std::int64_t, dimensions_of<M>> all_alike = [] {
    std::array<std::int64_t, dimensions_of<M>> ones{};
    ones.fill(1);
    return ones;
  }();

  std::array<std::int64_t, dimensions_of<M>> weights = all_alike;
  /// Left out where no pod of the group asks for it, as Kubernetes does with all but CPU and memory.
  std::array<bool, dimensions_of<M>> only_if_asked{};

  [[nodiscard]] std::int64_t operator()(const candidate_trial<M>& trial) const {
    auto counted = weights;
    for (std::size_t d = 0; d < dimensions_of<M>; ++d)
      if (only_if_asked[d] && !is_asked(trial.group, d)) counted[d] = 0;
    return resource_fit_score(use_of(trial.after, trial.nodes), counted);
  }

 private:
  [[nodiscard]] static bool is_asked(const pod_group<M>& group, std::size_t dimension) {
    for (const pod_set<M>& set : group.pod_sets)
      if (M::amount_needed(set.request, dimension) > 0) return true;
    return false;
  }
};

/// Judgements with their weights, as `best_candidate` takes them. Without any the first feasible candidate is taken.
template <class... Judgements>
struct judgements {
  std::tuple<weighted_judgement<Judgements>...> all{};
  static constexpr std::size_t count = sizeof...(Judgements);
};

/// As Kubernetes compares placements.
template <dimensional_model M>
using kubernetes_judgements = judgements<pods_count, resource_fit<M>>;

namespace placement_detail {
template <class J, class M>
inline constexpr bool are_judgements = false;
template <class... Judgements, class M>
inline constexpr bool are_judgements<judgements<Judgements...>, M> = (candidate_judgement<Judgements, M> && ...);
}  // namespace placement_detail

template <class J, class M>
concept candidate_judgements = placement_detail::are_judgements<J, M>;

}  // namespace muster::inline MUSTER_ABI

#endif
