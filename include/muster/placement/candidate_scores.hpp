// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_CANDIDATE_SCORES_HPP
#define MUSTER_PLACEMENT_CANDIDATE_SCORES_HPP

/// \file
/// What a finished placement on one candidate is worth, beside those on the others.
///
/// A *judgement* is a const function object: a gang seated on one candidate to a number, higher is better, read as
/// every score is (scoring/score_value.hpp). Once all candidates are judged each number is scaled beside the least and
/// the most of them: as a rule to 0 to 100. A candidate's total is the sum of weight times that. Weights out of range
/// are held at its ends (scoring/weights.hpp), a scaled number at +-2^30, so that totals are exact.
/// \see best_candidate.hpp; Kubernetes 1.37: PodGroupPodsCount and NodeResourcesFit, each with weight 1

#include <muster/cluster/cluster.hpp>
#include <muster/cluster/domains.hpp>
#include <muster/cluster/overlay.hpp>
#include <muster/cluster/records.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/answer.hpp>
#include <muster/resource/model.hpp>
#include <muster/scoring/domain_score.hpp>
#include <muster/scoring/gangs_lost.hpp>
#include <muster/scoring/pod_shape.hpp>
#include <muster/scoring/score_value.hpp>
#include <muster/scoring/seat_list.hpp>
#include <muster/workload/member.hpp>
#include <muster/workload/pod_group.hpp>

#include <algorithm>
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
  overlay<M>& after;                 ///< the view with the seats taken; for trials, and left as it was
  const pod_group<M>& group;
  const placement_answer<M>& answer;
  std::span<const run> nodes;        ///< of the candidate
  pod_count running = 0;             ///< members that were scheduled before
};

template <class J, class M>
concept candidate_judgement = requires(const J& judge, const candidate_trial<M>& trial) {
  { judge(trial) } -> score_number;
  { J::scaled(std::int64_t{}, std::int64_t{}, std::int64_t{}) } -> std::same_as<std::int64_t>;
};

template <class Judgement>
struct weighted_judgement {
  std::int64_t weight = 1;
  Judgement judge{};
};

/// How many of the gang's pods sit, those that ran before among them, in % of the candidate with the most; 0 where none
/// has any. \see scoring/domain_score.hpp
struct pods_count {
  [[nodiscard]] static constexpr std::int64_t scaled(std::int64_t pods, std::int64_t, std::int64_t most) noexcept {
    return pods_count_score(pods, most).value_or(0);
  }
  template <resource_model M>
  [[nodiscard]] std::int64_t operator()(const candidate_trial<M>& trial) const noexcept {
    return trial.running + trial.answer.placed;
  }
};

namespace placement_detail {
/// Whether a pod of the group asks some of a dimension. \complexity O(s)
template <dimensional_model M>
[[nodiscard]] bool is_asked(const pod_group<M>& group, std::size_t dimension) {
  return std::any_of(group.pod_sets.begin(), group.pod_sets.end(),
                     [&](const pod_set<M>& set) { return M::amount_needed(set.request, dimension) > 0; });
}
}  // namespace placement_detail

/// How full the candidate's nodes then are, in %: the mean over the dimensions, each with its weight.
/// \complexity O(nodes of the candidate)
template <dimensional_model M>
struct resource_fit {
  static constexpr std::array<std::int64_t, dimensions_of<M>> all_alike = [] {
    std::array<std::int64_t, dimensions_of<M>> ones{};
    ones.fill(1);
    return ones;
  }();

  std::array<std::int64_t, dimensions_of<M>> weights = all_alike;
  /// Left out where no pod of the group asks for it, as Kubernetes does with all but CPU and memory.
  std::array<bool, dimensions_of<M>> only_if_asked{};

  [[nodiscard]] static constexpr std::int64_t scaled(std::int64_t percent, std::int64_t, std::int64_t) noexcept {
    return percent;
  }
  [[nodiscard]] std::int64_t operator()(const candidate_trial<M>& trial) const {
    auto counted = weights;
    for (std::size_t d = 0; d < dimensions_of<M>; ++d)
      if (only_if_asked[d] && !placement_detail::is_asked(trial.group, d)) counted[d] = 0;
    return resource_fit_score(use_of(trial.after, trial.nodes), counted);
  }
};

/// How full the candidate's nodes then are, in millionths: the mean over what the gang asks, each with its weight, 0
/// where one is overfull. \see domain_binpack_score \complexity O(nodes of the candidate)
template <dimensional_model M>
struct domain_binpack {
  std::array<std::int64_t, dimensions_of<M>> weights = resource_fit<M>::all_alike;

  [[nodiscard]] static constexpr std::int64_t scaled(std::int64_t share, std::int64_t, std::int64_t) noexcept {
    return share;
  }
  [[nodiscard]] std::int64_t operator()(const candidate_trial<M>& trial) const {
    auto counted = weights;
    for (std::size_t d = 0; d < dimensions_of<M>; ++d)
      if (!M::adds_up(d) || !placement_detail::is_asked(trial.group, d)) counted[d] = 0;
    return domain_binpack_score(use_of(trial.after, trial.nodes), counted, whole_share);
  }
};

/// How many of the gang's pods ran on the candidate's nodes before, in thousandths of all it declares.
/// \complexity O(members log runs)
struct members_there {
  [[nodiscard]] static constexpr std::int64_t scaled(std::int64_t share, std::int64_t, std::int64_t) noexcept {
    return share;
  }
  template <resource_model M>
  [[nodiscard]] std::int64_t operator()(const candidate_trial<M>& trial) const {
    const snapshot<M>& base = trial.after.base();
    const group_record<M>* known = trial.running > 0 ? base.group(trial.group.id) : nullptr;
    const pod_count all = declared_pods(trial.group);
    if (known == nullptr || all <= 0) return 0;
    pod_count there = 0;
    base.visit_members(*known, [&](const pod_record<M>& pod) {
      if (is_scheduled(pod.phase) && pod.charged && hold(trial.nodes, base.position_of(pod))) ++there;
    });
    return std::min(there, all) * 1000 / all;
  }
};

/// How few gangs to come stop fitting by the placement: 100 for none or a gain, 0 for the candidate that loses most.
/// Whole gangs count first, then parts of them, as far as a hundredth of the worst loss shows either.
/// \see scoring/gangs_lost.hpp
template <resource_model M, class Accepts = accepts_all>
struct gangs_kept {
  const gang_mix<M, Accepts>* mix = nullptr;  ///< counted last of the view that is asked
  seat_space* space = nullptr;                ///< scratch

  [[nodiscard]] static constexpr std::int64_t scaled(std::int64_t loss, std::int64_t least, std::int64_t) noexcept {
    return least >= 0 ? 100 : 100 - scoring_detail::share_of(std::min<std::int64_t>(0, loss), least, 100);
  }
  /// \complexity O(shapes x seats) counts of pods \pre mix and space are there
  [[nodiscard]] std::int64_t operator()(const candidate_trial<M>& trial) const {
    constexpr std::int64_t whole = std::int64_t{1} << 20;  // one gang, above all parts
    const gang_loss lost = mix->lost(trial.after, trial.answer.seats, *space);
    const std::int64_t thousandths = lost.thousandths / std::max<std::int64_t>(1, mix->weight());
    return -(std::clamp<std::int64_t>(lost.gangs, 0, std::int64_t{1} << 40) * whole +
             std::clamp<std::int64_t>(thousandths, 0, whole - 1));
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

/// As Volcano compares hypernodes: the fullest; of equal ones that with more of the gang's pods.
template <dimensional_model M>
[[nodiscard]] constexpr judgements<domain_binpack<M>, members_there> volcano_judgements() {
  return {{{1001, {}}, {1, {}}}};  // a millionth outweighs all thousandths
}

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
