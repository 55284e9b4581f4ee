// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_PREFERRED_HPP
#define MUSTER_PLACEMENT_PREFERRED_HPP

/// \file
/// Places a gang whole at the narrowest level that a list of wishes allows: in a rack, else in a block, else anywhere.
///
/// Terms. A *step* is a level and how long the gang must have waited before a place at that level is taken. Steps go
/// from narrow to wide and open one after the other; a list that does not end in `no_level` refuses where its last step
/// does. A level the group *requires* holds besides, at every step.
///
/// The rule. Open steps are asked in their order, each for the best of its domains (best_candidate.hpp); the first that
/// is feasible is taken. A step at which members that run do not share a domain, or stand in none, cannot be had and is
/// passed over. What is passed over is refused by `place`, with proof; only where a search ended undecided may a
/// narrower place exist that was not found, and the answer says so.
/// \see Slurm --switches=count@time (a wish with an end); Kueue preferred; Volcano soft mode; Kubernetes 1.37 has one
///      required level

#include <muster/cluster/overlay.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/core/time.hpp>
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

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

namespace muster::inline MUSTER_ABI {

struct preferred_step {
  topology_level level = no_level;
  duration after{};  ///< not before the gang has waited so long
};

inline constexpr std::size_t no_step = std::numeric_limits<std::size_t>::max();

/// What is wrong with a list of steps. Nothing is placed then.
enum class preference_fault : std::uint8_t {
  none,
  no_steps,
  unknown_level,   ///< the topology has no such level
  not_wider,       ///< a step is not wider than the one before it
  opens_too_soon,  ///< a step opens before the one before it, or before there was any waiting
};

[[nodiscard]] constexpr std::string_view name(preference_fault fault) noexcept {
  switch (fault) {
    case preference_fault::none: return "none";
    case preference_fault::no_steps: return "no steps";
    case preference_fault::unknown_level: return "no such level";
    case preference_fault::not_wider: return "a step that is not wider than the one before";
    case preference_fault::opens_too_soon: return "a step that opens before the one before";
  }
  return "?";
}

struct preferred_answer {
  preference_fault fault = preference_fault::none;
  std::size_t step = no_step;         ///< the one taken; with a fault the one that is wrong; else the last one asked
  candidate_choice choice{};          ///< of that step
  domain_path domain{};               ///< where, if the step has a level and a domain was tried
  bool narrower_undecided = false;    ///< a step before it was left undecided
  candidate_finding passed_over{};    ///< why the last step that members that run rule out cannot be had
  std::optional<duration> next{};     ///< unless it fits: the waiting after which the next step opens

  [[nodiscard]] bool fits() const noexcept { return choice.verdict == verdict::fits; }
};

/// The first fault of a list of steps, and its step. \complexity O(steps)
[[nodiscard]] inline preferred_answer check_steps(const topology& levels, std::span<const preferred_step> steps) {
  const auto width = [](topology_level level) {  // node_level is the narrowest, no_level the widest
    if (level == node_level) return 0;
    return level == no_level ? 256 : 255 - static_cast<int>(level);
  };
  preferred_answer found;
  if (steps.empty()) found.fault = preference_fault::no_steps;
  for (std::size_t i = 0; i < steps.size() && found.fault == preference_fault::none; ++i) {
    const preferred_step& one = steps[i];
    if (one.level != no_level && !levels.has(one.level)) found.fault = preference_fault::unknown_level;
    else if (i > 0 && width(one.level) <= width(steps[i - 1].level)) found.fault = preference_fault::not_wider;
    else if (one.after < (i > 0 ? steps[i - 1].after : duration{})) found.fault = preference_fault::opens_too_soon;
    if (found.fault != preference_fault::none) found.step = i;
  }
  return found;
}

/// Decides at which step the group sits, and leaves the placement in the workspace, or the refusal of the last step
/// asked.
/// \param view a snapshot or an overlay \param group a pod_group, or the id of one in the cluster
/// \param waited how long the gang has waited \param list scratch: the candidates of the last step asked
/// \return `fault`: the steps are faulty, see `step`; `choice.verdict` else as best_candidate. Where no step is open:
///         `hold`, with `next`; where members that run rule out all that are: `invalid`, with `passed_over`. In these
///         cases the workspace is not touched: what lies in it is of an earlier call
/// \complexity that of best_candidate for each step asked \exceptions as best_candidate
/// \determinism a function of the view and the arguments
template <class View, class Group, resource_model M, options_for<M> Options = place_options<>,
          candidate_judgements<M> Judgements = judgements<>>
  requires(std::same_as<Group, group_id> || std::same_as<Group, pod_group<M>>)
preferred_answer place_preferred(View&& view, const Group& group, std::span<const preferred_step> steps,
                                 duration waited, workspace<M>& space, candidate_list& list,
                                 const Options& options = {}, const Judgements& by = {},
                                 const candidate_effort& effort = {}) {
  preferred_answer made = check_steps(view.base().levels(), steps);
  if (made.fault != preference_fault::none) return made;
  made.choice.verdict = verdict::hold;
  const snapshot<M>& base = view.base();
  for (std::size_t i = 0; i < steps.size() && !made.fits(); ++i) {
    if (steps[i].after > waited) {
      made.next = steps[i].after;
      return made;
    }
    const auto all = all_nodes(base);
    candidate_finding found;
    if constexpr (std::same_as<Group, group_id>) found = list_candidates(base, steps[i].level, all, group, list);
    else found = list_candidates(base, steps[i].level, all, list);
    if (!found.ok() && found.fault != candidate_fault::unknown_group) {
      made.passed_over = found;
      if (made.step == no_step) made.choice.verdict = verdict::invalid;
      continue;
    }
    made.narrower_undecided = made.narrower_undecided || made.choice.undecided > 0;
    made.step = i;
    made.choice = best_candidate(view, group, list, space, options, by, effort);
  }
  const std::size_t taken = made.choice.candidate;
  if (made.fits() && list.constrained && taken != no_candidate) made.domain = list.name(taken).front();
  return made;
}

}  // namespace muster::inline MUSTER_ABI

#endif
