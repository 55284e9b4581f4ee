// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_CANDIDATE_TRIALS_HPP
#define MUSTER_PLACEMENT_DETAIL_CANDIDATE_TRIALS_HPP

/// \file
/// Tries candidates one by one and compares what was feasible.

#include <muster/cluster/domains.hpp>
#include <muster/cluster/overlay.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/hash.hpp>
#include <muster/core/ids.hpp>
#include <muster/core/topology.hpp>
#include <muster/core/verdict.hpp>
#include <muster/placement/candidate_scores.hpp>
#include <muster/placement/candidates.hpp>
#include <muster/placement/detail/answering.hpp>
#include <muster/placement/eligibility.hpp>
#include <muster/placement/options.hpp>
#include <muster/placement/place.hpp>
#include <muster/placement/workspace.hpp>
#include <muster/scoring/domain_score.hpp>
#include <muster/scoring/score_value.hpp>
#include <muster/scoring/weights.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

/// Less is more hopeful, for a gang that is not placed.
[[nodiscard]] constexpr int hopelessness(verdict of) noexcept {
  switch (of) {
    case verdict::fits: return 0;
    case verdict::undecided: return 1;
    case verdict::wait: return 2;
    case verdict::not_now: return 3;
    case verdict::closed: return 4;
    case verdict::never: return 5;
    case verdict::hold:
    case verdict::invalid: break;
  }
  return 6;
}

template <class View, class Group, class M, class Options, class Judgements>
class candidate_trials {
  using filter = std::remove_cvref_t<decltype(Options::filter)>;
  using scorer = std::remove_cvref_t<decltype(Options::scorer)>;
  using stop = std::remove_cvref_t<decltype(Options::stop)>;
  static constexpr std::size_t count = Judgements::count;
  static constexpr std::int64_t most = std::int64_t{1} << 30;  // of a scaled number
  using numbers = std::array<std::int64_t, count == 0 ? 1 : count>;

 public:
  candidate_trials(View& view, const Group& group, const candidate_list& among, workspace<M>& space,
                   const Options& options, const Judgements& by)
      : view_{view}, group_{group}, among_{among}, space_{space}, options_{options}, by_{by}, left_{options.budget} {}

  candidate_choice choose(const candidate_effort& effort) {
    if (among_.empty()) {
      made_.verdict = ask(no_candidate, left_);
      return made_;
    }
    const std::size_t first = nominated_candidate(effort.nominated);
    if (first != no_candidate && try_one(first) && space_.answer.placed > 0) {
      made_.candidate = first;
      made_.by_nomination = true;
      return made_;
    }
    const std::size_t limit = feasible_wanted(effort.percent);
    std::vector<std::size_t> order(among_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (effort.percent != 100 && limit < among_.size()) order = drawn_order(effort.seed);
    for (const std::size_t i : order) {
      if (feasible_.size() >= limit) break;
      if (i != first) (void)try_one(i);
    }
    const asked told = feasible_.empty() ? spoken_for_ : best();
    made_.candidate = told.which;
    if (made_.candidate == last_) return made_;
    const verdict found = ask(told.which, told.budget);
    if (!feasible_.empty()) made_.verdict = found;  // the same again, unless the caller's stop ended it
    return made_;
  }

 private:
  /// A candidate, and the steps that were left when it was tried: with as many it answers the same again.
  struct asked {
    std::size_t which = no_candidate;
    std::uint64_t budget = 0;
  };

  /// Which candidate the most pods are nominated to, the first of equals; no_candidate if none.
  [[nodiscard]] std::size_t nominated_candidate(std::span<const std::uint32_t> nominated) const {
    std::size_t best = no_candidate;
    std::ptrdiff_t best_count = 0;
    for (std::size_t i = 0; i < among_.size(); ++i) {
      const auto here = std::count_if(nominated.begin(), nominated.end(),
                                      [&](std::uint32_t position) { return hold(among_.nodes(i), position); });
      if (here > best_count) {
        best_count = here;
        best = i;
      }
    }
    return best;
  }

  /// The order in which candidates are tried, drawn by a seed from their names.
  [[nodiscard]] std::vector<std::size_t> drawn_order(std::uint64_t seed) const {
    std::vector<std::pair<std::uint64_t, std::size_t>> drawn;
    for (std::size_t i = 0; i < among_.size(); ++i) {
      hasher hash;
      hash.add(seed);
      for (const domain_path& part : among_.name(i)) {
        hash.add(part.level);
        for (const label_id each : part.path) hash.add(number(each));
      }
      drawn.push_back({hash.value(), i});
    }
    std::sort(drawn.begin(), drawn.end());
    std::vector<std::size_t> order;
    for (const auto& [key, i] : drawn) order.push_back(i);
    return order;
  }

  [[nodiscard]] std::size_t feasible_wanted(std::int64_t percent) const {
    if (count == 0) return 1;
    std::int64_t nodes = 0;
    for (std::size_t i = 0; i < among_.size(); ++i) nodes += among_.count(i);
    return static_cast<std::size_t>(candidates_to_find(static_cast<std::int64_t>(among_.size()), nodes, percent));
  }

  verdict ask(std::size_t candidate, std::uint64_t budget) {
    last_ = candidate;
    const std::span<const run> nodes =
        candidate == no_candidate ? std::span<const run>{} : among_.nodes(candidate);
    const place_options<inside<filter>, scorer, stop> how{
        {nodes, options_.filter}, options_.scorer, options_.extras, options_.once_enough,
        options_.largest,         budget,          false,           options_.stop};
    return place(view_, group_, space_, how).verdict;
  }

  /// Whether the gang fits on a candidate; its numbers are then noted.
  bool try_one(std::size_t i) {
    const asked now{i, left_};
    const verdict said = ask(i, left_);
    left_ -= std::min(left_, space_.answer.steps);
    ++made_.tried;
    if (said == verdict::fits) {
      ++made_.feasible;
      made_.verdict = said;
      feasible_.push_back({now, {}});
      if constexpr (count > 0) judge(i, feasible_.back().second);
      return true;
    }
    if (said == verdict::undecided) ++made_.undecided;
    if (made_.tried == 1 || (said == verdict::undecided && spoken_as_ != verdict::undecided)) {
      spoken_for_ = now;
      spoken_as_ = said;
    }
    if (made_.tried == 1 || hopelessness(said) < hopelessness(made_.verdict)) made_.verdict = said;
    return false;
  }

  void judge(std::size_t i, numbers& out) {
    overlay<M>* on = nullptr;
    if constexpr (std::same_as<std::remove_const_t<View>, overlay<M>>) on = &view_;
    else on = &trial_on(space_, view_);
    const trial_scope<M> scope{*on};
    take_seats(*on, space_.answer);
    const candidate_trial<M> trial{*on, *space_.demand.group, space_.answer, among_.nodes(i), running()};
    std::size_t j = 0;
    const auto note = [&](const auto& each) { out[j++] = score_value(each.judge(trial)); };
    std::apply([&](const auto&... each) { (note(each), ...); }, by_.all);
  }

  [[nodiscard]] pod_count running() const {
    if constexpr (std::same_as<Group, group_id>) {
      const group_record<M>* known = view_.base().group(group_);
      return known == nullptr ? 0 : known->members.scheduled();
    } else {
      return 0;
    }
  }

  /// Of those that are feasible the one with the highest total, the first in the list of equals.
  [[nodiscard]] asked best() {
    asked chosen = feasible_.front().first;
    if constexpr (count > 0) {
      if (feasible_.size() == 1) return chosen;
      std::sort(feasible_.begin(), feasible_.end(),
                [](const auto& a, const auto& b) { return a.first.which < b.first.which; });
      numbers least = feasible_.front().second, highest = least;
      for (const auto& [i, of] : feasible_)
        for (std::size_t j = 0; j < count; ++j) {
          least[j] = std::min(least[j], of[j]);
          highest[j] = std::max(highest[j], of[j]);
        }
      for (std::size_t f = 0; f < feasible_.size(); ++f) {
        std::int64_t total = 0;
        std::size_t j = 0;
        const auto add = [&](const auto& each) {
          const std::int64_t number = each.judge.scaled(feasible_[f].second[j], least[j], highest[j]);
          total = saturating_add(total, weight_held(each.weight) * std::clamp(number, -most, most));
          ++j;
        };
        std::apply([&](const auto&... each) { (add(each), ...); }, by_.all);
        if (f == 0 || total > made_.score) {
          made_.score = total;
          chosen = feasible_[f].first;
        }
      }
    }
    return chosen;
  }

  View& view_;
  const Group& group_;
  const candidate_list& among_;
  workspace<M>& space_;
  const Options& options_;
  const Judgements& by_;
  std::uint64_t left_;
  std::vector<std::pair<asked, numbers>> feasible_;
  std::size_t last_ = no_candidate;  // whose answer lies in the workspace
  asked spoken_for_;                 // whose refusal is told
  verdict spoken_as_ = verdict::never;
  candidate_choice made_;
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
