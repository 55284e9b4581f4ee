// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_SET_ASKS_HPP
#define MUSTER_PLACEMENT_DETAIL_SET_ASKS_HPP

/// \file
/// Asks whether a gang fits inside sets of nodes, one after another: as `place` asks, but for now alone and for enough
/// of the gang. Extras and the other tenses are for the last ask, of the set that was chosen.

#include <muster/cluster/domains.hpp>
#include <muster/core/config.hpp>
#include <muster/core/search_budget.hpp>
#include <muster/core/verdict.hpp>
#include <muster/placement/answer.hpp>
#include <muster/placement/certificate.hpp>
#include <muster/placement/detail/alike.hpp>
#include <muster/placement/detail/answering.hpp>
#include <muster/placement/detail/query.hpp>
#include <muster/placement/detail/subset_search.hpp>
#include <muster/placement/detail/unlike.hpp>
#include <muster/placement/eligibility.hpp>
#include <muster/placement/options.hpp>
#include <muster/placement/workspace.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

/// Prices that refused a set: one a pod set, and what enough of the gang is worth at least.
struct refusing_prices {
  std::vector<pod_price> prices;
  std::int64_t asked = 0;
};

/// \param Take () -> bool: puts the demand into the workspace, as take_spec \param Trials () -> overlay to try seats on
template <class View, class Take, class Trials, class Options>
class set_asks {
 public:
  using M = typename View::model;
  using filter = std::remove_cvref_t<decltype(Options::filter)>;
  using scorer = std::remove_cvref_t<decltype(Options::scorer)>;
  using stop = std::remove_cvref_t<decltype(Options::stop)>;

  /// A set, what it answered, and with how many steps left: with as many it answers the same again.
  struct asked {
    set_answer said = set_answer::unknown;
    std::uint64_t left = 0;
  };

  set_asks(const View& view, const Take& take, const Trials& trials, workspace<M>& space, const Options& options,
           std::uint32_t most)
      : view_{view},
        take_{take},
        trials_{trials},
        space_{space},
        options_{options},
        budget_{options.budget, options.stop},
        most_{most} {}

  [[nodiscard]] const View& view() const noexcept { return view_; }
  [[nodiscard]] workspace<M>& space() noexcept { return space_; }
  [[nodiscard]] const Options& options() const noexcept { return options_; }
  [[nodiscard]] search_budget& budget() noexcept { return budget_; }
  [[nodiscard]] std::uint32_t count() const noexcept { return count_; }
  /// Whether no further set is asked.
  [[nodiscard]] bool out() const noexcept { return count_ >= most_ || budget_.stopped(); }

  /// What `place` says of all nodes.
  verdict on_all_nodes() {
    verdict said = on_all_nodes(false, options_.budget);
    budget_.spend(space_.answer.steps);
    const std::uint64_t left = steps_left();
    if (said != verdict::fits && options_.largest && !budget_.out()) {  // for the numbers of the refusal
      said = on_all_nodes(true, left);
      budget_.spend(space_.answer.steps);
    }
    return said;
  }

  /// Whether the gang fits inside nodes. A set that was asked before is not asked again.
  [[nodiscard]] asked ask(std::span<const run> nodes) {
    learned_.prices.clear();
    std::vector<std::uint32_t> key;
    for (const run& one : nodes) key.insert(key.end(), {one.first, one.last});
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    if (out()) return {};
    ++count_;
    const std::uint64_t left = steps_left();
    return known_.emplace(std::move(key), asked{fits_now(nodes), left}).first->second;
  }
  /// After a no: the prices that refused, if prices did.
  [[nodiscard]] const refusing_prices* learned() const noexcept {
    return learned_.prices.empty() ? nullptr : &learned_;
  }
  /// After a yes of a set that was not asked before: the seats of enough of the gang.
  [[nodiscard]] std::span<const seat<M>> seats() const noexcept { return space_.answer.seats; }

  /// Answers in full inside nodes that said yes with so many steps left; without nodes, on all.
  verdict finish(std::span<const run> nodes, std::uint64_t left) {
    if (nodes.empty()) {
      const verdict said = on_all_nodes(options_.largest, left);
      return said == verdict::fits || !options_.largest ? said : on_all_nodes(false, left);
    }
    const place_options<inside<filter>, scorer, stop> how{
        {nodes, options_.filter}, options_.scorer, options_.extras, options_.once_enough, options_.largest, left, false,
        options_.stop};
    const verdict said = answer(how);
    if (said == verdict::fits) return said;
    auto as_asked = how;  // what else was wished took the steps
    as_asked.extras = as_asked.largest = false;
    return answer(as_asked);
  }

  /// Calls with the question about all nodes, for measures of parts of them.
  template <class Call>
  void with_question(Call&& call) {
    shortage<M> ignored;
    if (!take_() || space_.demand.conclude(false, options_.once_enough, ignored) != refusal_reason::none) return;
    query<View> q{view_, space_};
    q.ask(options_.filter);
    call(q);
  }

 private:
  [[nodiscard]] std::uint64_t steps_left() const noexcept {
    return options_.budget - std::min(options_.budget, budget_.spent());
  }
  template <class How>
  verdict answer(const How& how) {
    if (take_()) answer_demand(view_, trials_, space_, how);
    return space_.answer.verdict;
  }
  verdict on_all_nodes(bool largest, std::uint64_t left) {
    const place_options<filter, scorer, stop> how{options_.filter, options_.scorer, options_.extras,
                                                  options_.once_enough, largest, left, false, options_.stop};
    return answer(how);
  }

  [[nodiscard]] set_answer fits_now(std::span<const run> nodes) {
    shortage<M> ignored;
    if (!take_() || space_.demand.conclude(false, options_.once_enough, ignored) != refusal_reason::none)
      return set_answer::unknown;
    query<View> q{view_, space_};
    if (q.find_domains() != refusal_reason::none) return set_answer::unknown;
    keep_to_domain_of(nodes, q);
    const inside<filter> where{nodes, options_.filter};
    q.ask(where);
    std::size_t s = 0;
    if (is_alike(q, s)) {
      pod_count seated = 0;
      std::uint32_t domain = 0;
      return place_alike(q, options_.scorer, trials_, s, seated, domain) ? set_answer::yes : set_answer::no;
    }
    const unlike_result found = place_unlike(q, options_.scorer, trials_(), budget_);
    if (found.enough) {
      space_.answer.seats.swap(space_.best_seats);
      return set_answer::yes;
    }
    if (leaves_open(found.reason) || space_.demand.legal_part(found.bound) >= space_.demand.needed)
      return set_answer::unknown;
    learn();
    return set_answer::no;
  }
  /// Where one domain of the required level holds all the nodes no other is looked at.
  void keep_to_domain_of(std::span<const run> nodes, query<View>& q) {
    if (q.anywhere || q.by_model || q.level == node_level || nodes.empty()) return;
    const auto level = static_cast<std::size_t>(q.level);
    const std::uint32_t domain = view_.base().domain_of(nodes.front().first, level);
    if (domain < q.first_domain || domain >= q.last_domain) return;
    std::vector<run> common;
    add_common(nodes, view_.base().domain_runs(level, domain), common);
    const auto size = [](std::span<const run> runs) {
      std::uint32_t sum = 0;
      for (const run& one : runs) sum += one.last - one.first;
      return sum;
    };
    if (size(common) != size(nodes)) return;
    q.first_domain = domain;
    q.last_domain = domain + 1;
  }
  /// Prices of several domains or device models refuse a part each: they are let be.
  void learn() {
    const certificate& proof = space_.answer.proof;
    if (proof.refusals.size() != 1 || proof.refusals[0].kind != proof_kind::prices) return;
    const auto prices = proof.prices_of(proof.refusals[0]);
    learned_.prices.assign(prices.begin(), prices.end());
    learned_.asked = proof.refusals[0].asked;
  }

  const View& view_;
  const Take& take_;
  const Trials& trials_;
  workspace<M>& space_;
  const Options& options_;
  search_budget budget_;
  std::uint32_t most_;
  std::uint32_t count_ = 0;
  std::map<std::vector<std::uint32_t>, asked> known_;  // by the nodes
  refusing_prices learned_;
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
