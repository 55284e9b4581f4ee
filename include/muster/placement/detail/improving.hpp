// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_IMPROVING_HPP
#define MUSTER_PLACEMENT_DETAIL_IMPROVING_HPP

/// \file
/// From a placement and an objective to a better one and a bound: local search from the placement and from what one
/// pass seats in each domain, then the bound, then branch and bound on the domains that it leaves open.

#include <muster/cluster/domains.hpp>
#include <muster/cluster/overlay.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/search_budget.hpp>
#include <muster/placement/answer.hpp>
#include <muster/placement/detail/arrangement.hpp>
#include <muster/placement/detail/best_arrangement.hpp>
#include <muster/placement/detail/exchanges.hpp>
#include <muster/placement/detail/node_mixes.hpp>
#include <muster/placement/detail/query.hpp>
#include <muster/placement/detail/sum_bound.hpp>
#include <muster/placement/improvement.hpp>
#include <muster/placement/workspace.hpp>
#include <muster/resource/model.hpp>
#include <muster/scoring/score_value.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

/// Keeps an answer while the workspace is used, and puts it back, however that ends.
template <resource_model M>
class kept_answer {
 public:
  explicit kept_answer(workspace<M>& space) : space_{space}, answer_{std::move(space.answer)} {}
  ~kept_answer() { space_.answer = std::move(answer_); }
  kept_answer(const kept_answer&) = delete;
  kept_answer& operator=(const kept_answer&) = delete;
  [[nodiscard]] placement_answer<M>& get() noexcept { return answer_; }

 private:
  workspace<M>& space_;
  placement_answer<M> answer_;
};

template <resource_model M, class Objective>
class improving {
  using arranged = arrangement<M, Objective>;
  using mixes = node_mixes<M, Objective>;

 public:
  /// \pre the answer is a legal placement of what the query wants, `on` the query's view, with what is set aside for
  ///      the group given back
  improving(query<overlay<M>>& q, overlay<M>& on, placement_answer<M>& answer, const Objective& objective,
            search_budget& budget, const improve_effort& effort)
      : q_{q}, on_{on}, answer_{answer}, objective_{objective}, budget_{budget}, effort_{effort}, sets_{placed_sets()},
        mixes_{objective, requests(), wanted(), budget}, now_{q, on, sets_, mixes_, objective, budget} {}

  void run(improvement& made) {
    made.before = made.after = given_score();
    if (answer_.seats.empty()) {
      made.bound = made.before;
      return;
    }
    made.out_of_budget = budget_.out();
    if (sets_.size() > 64 || budget_.out() || !start()) return;
    const std::optional<std::int64_t> stated = stated_bound();
    search_near();
    if (!stated || best_.total < *stated) {
      bound_domains();
      if (effort_.branch) branch(stated);
    }
    finish(made, stated);
  }

 private:
  struct best_so_far {
    std::uint32_t domain = no_domain;
    std::int64_t total = lowest_score;
    std::vector<typename arranged::placed_mix> all;
  };
  /// A domain in which there may be something better, and at most how good.
  struct open_domain {
    std::uint32_t domain = 0;
    std::optional<std::int64_t> bound{};
    mix_prices prices{};
  };

  // ---- the question

  [[nodiscard]] std::vector<std::uint32_t> placed_sets() const {
    std::vector<std::uint32_t> sets;
    for (const seat<M>& one : answer_.seats) sets.push_back(one.pod_set);
    std::sort(sets.begin(), sets.end());
    sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
    return sets;
  }
  [[nodiscard]] std::vector<typename M::request_type> requests() const {
    std::vector<typename M::request_type> all;
    for (const std::uint32_t set : sets_) all.push_back(q_.request(set));
    return all;
  }
  [[nodiscard]] std::vector<pod_count> wanted() const {
    std::vector<pod_count> all(sets_.size(), 0);
    for (const seat<M>& one : answer_.seats)
      all[static_cast<std::size_t>(std::lower_bound(sets_.begin(), sets_.end(), one.pod_set) - sets_.begin())] +=
          one.count;
    return all;
  }

  /// What the placement scores as it was given.
  [[nodiscard]] std::int64_t given_score() {
    if constexpr (mixes::by_node) {
      std::map<std::uint32_t, typename M::state_type> after;
      for (const seat<M>& one : answer_.seats)
        M::charge(after.try_emplace(one.position, on_.now(one.position)).first->second, one.grant);
      std::int64_t sum = 0;
      for (const auto& [position, left] : after)
        sum = saturating_add(sum, mixes_.gain_between(on_.now(position), left, on_.base().capacity(position)));
      return sum;
    } else {
      return now_.judge_seats(answer_.seats);
    }
  }
  [[nodiscard]] std::optional<std::int64_t> stated_bound() const {
    if constexpr (!mixes::by_node && bounded_objective<Objective, M>)
      return score_value(objective_.bound(on_, *q_.wanted().group, std::span<const seat<M>>{answer_.seats}));
    else return std::nullopt;
  }

  // ---- the search

  /// Finds the domain of the placement and starts from there.
  [[nodiscard]] bool start() {
    for (std::uint32_t d = q_.first_domain; d < q_.last_domain; ++d) {
      if (!hold(q_.nodes_of(d), answer_.seats.front().position)) continue;
      now_.lay_out(d);
      if (!now_.take(d, answer_.seats)) continue;
      note(d);
      return true;
    }
    return false;
  }

  void note(std::uint32_t domain) {
    if (best_.domain == no_domain || now_.total() > best_.total) best_ = {domain, now_.total(), now_.keep()};
  }

  /// Half of the budget.
  void search_near() {
    exchanges<M, Objective> search{now_, budget_, effort_.budget / 2};
    through_ = search.run();
    note(best_.domain);
    for (std::uint32_t d = q_.first_domain; d < q_.last_domain && through_; ++d) {
      now_.lay_out(d);
      (void)budget_.spend(now_.cells().size());
      if (!now_.has_room()) continue;
      if (search.fill()) {
        through_ = search.run();
        note(d);
      } else {
        through_ = !search.is_out();
      }
    }
  }

  /// Lists the domains in which there may be something better.
  void bound_domains() {
    for (std::uint32_t d = q_.first_domain; d < q_.last_domain; ++d) {
      open_domain one;
      one.domain = d;
      if (budget_.out()) {  // one that is not bounded stands for all the rest
        open_.push_back(std::move(one));
        return;
      }
      now_.lay_out(d);
      (void)budget_.spend(now_.cells().size());
      if (!now_.has_room()) continue;
      if constexpr (mixes::by_node) {
        const std::uint64_t left = effort_.budget - std::min(effort_.budget, budget_.spent());
        const std::uint64_t share = left / 2 / (q_.last_domain - d);
        one.bound = sum_bound<M, Objective>{now_, budget_}.find(best_.total, share, one.prices);
        if (one.bound && *one.bound <= best_.total) continue;
      }
      open_.push_back(std::move(one));
    }
  }

  /// Closes the domains of which everything was looked at.
  void branch(std::optional<std::int64_t> stated) {
    const auto is_closed = [&](const open_domain& one) {
      if (one.bound && *one.bound <= best_.total) return true;
      if (budget_.out() || (stated && best_.total >= *stated)) return false;
      now_.lay_out(one.domain);
      best_arrangement<M, Objective> search{now_, budget_, one.bound ? &one.prices : nullptr};
      return search.run(best_.total, [&] {
        note(one.domain);
        return !stated || best_.total < *stated;
      });
    };
    open_.erase(std::remove_if(open_.begin(), open_.end(), is_closed), open_.end());
  }

  void finish(improvement& made, std::optional<std::int64_t> stated) {
    if (best_.total > made.before) {
      made.after = best_.total;
      now_.lay_out(best_.domain);
      now_.put(best_.all);
      now_.write(answer_.seats);
      if (!q_.anywhere) {
        answer_.domain = q_.name(best_.domain);
        answer_.model = q_.model_in(best_.domain);
      }
    }
    if (!mixes_.incomplete()) {
      made.bound = made.after;
      for (const open_domain& one : open_)
        if (made.bound) made.bound = one.bound ? std::optional{std::max(*made.bound, *one.bound)} : std::nullopt;
    }
    if (stated && *stated >= made.after) made.bound = made.bound ? std::min(*made.bound, *stated) : *stated;
    made.out_of_budget = budget_.out() || !through_;
  }

  query<overlay<M>>& q_;
  overlay<M>& on_;
  placement_answer<M>& answer_;
  const Objective& objective_;
  search_budget& budget_;
  const improve_effort& effort_;
  std::vector<std::uint32_t> sets_;
  mixes mixes_;
  arranged now_;
  best_so_far best_;
  std::vector<open_domain> open_;
  bool through_ = false;  // local search came to an end by itself
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
