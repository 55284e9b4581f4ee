// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_ALIKE_HPP
#define MUSTER_PLACEMENT_DETAIL_ALIKE_HPP

/// \file
/// Places a gang of alike pods. Exact: per domain the number that fits is a sum over nodes under nested limits, so
/// no order of filling can do better, and a refusal is proved by the count itself.
///
/// Which domain: the one that seats the most at a legal size; among those the one whose pods a scoring function scores
/// highest in sum; then the fullest, that is with the fewest slots in all; then the first in label order.

#include <muster/core/config.hpp>
#include <muster/core/topology.hpp>
#include <muster/placement/detail/counting.hpp>
#include <muster/placement/detail/domain_slots.hpp>
#include <muster/placement/detail/query.hpp>
#include <muster/placement/detail/seat_quotas.hpp>
#include <muster/placement/detail/seating.hpp>
#include <muster/scoring/scorer.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace muster::inline MUSTER_ABI::placement_detail {

struct domain_choice {
  std::uint32_t domain = 0;
  pod_count fit = 0;    ///< pods that fit, at most what was asked for
  pod_count slots = 0;  ///< the same without that limit
  bool found = false;
};

/// Of the domains that seat as many as `best`, the one whose pods score highest in sum.
/// \pre space.slots holds the slots of every domain \complexity O(open nodes of these domains + pods log nodes)
template <class Query, class Scorer>
[[nodiscard]] domain_choice choose_by_score(Query& q, const Scorer& scorer, std::size_t s, domain_choice best) {
  const auto& wanted = q.wanted();
  const pod_count legal = wanted.legal_part(best.fit);
  std::int64_t highest = 0;
  bool first = true;
  for (std::uint32_t d = q.first_domain; d < q.last_domain; ++d) {
    const pod_count slots = q.space.slots[d - q.first_domain], fit = std::min(slots, wanted.most);
    if (wanted.legal_part(fit) != legal) continue;
    q.reset_room();
    const std::int64_t score = seat_pods(q.view, scorer, q.request(s), q.runs_of(s, d), q.space.room,
                                         q.space.nodes, legal, [](std::uint32_t, pod_count) {})
                                   .score;
    if (first || score > highest || (score == highest && slots < best.slots)) best = {d, fit, slots, true};
    highest = first ? score : std::max(highest, score);
    first = false;
  }
  return best;
}

/// Counts the slots of all domains into space.slots. Where one holds what is needed, those that the index knows cannot
/// are left at 0, and their nodes are not looked at.
template <class Query>
void count_domains_slots(Query& q, std::size_t s) {
  const auto& wanted = q.wanted();
  auto& slots = q.space.slots;
  slots.clear();
  const bool bounded = bound_domains(q, s, q.space.bounds);
  const auto passed_over = [&](std::uint32_t d) { return bounded && q.space.bounds.of[d].most < wanted.needed; };
  const auto count = [&](std::uint32_t d) {
    q.reset_room();
    if (bounded && q.space.bounds.of[d].exact && q.space.room.unlimited())
      return std::min(q.space.bounds.of[d].most, max_pods_per_group);
    return count_slots(q.view, tense::now, q.request(s), q.runs_of(s, d), q.space.room, max_pods_per_group);
  };
  bool one_holds = false;
  for (std::uint32_t d = q.first_domain; d < q.last_domain; ++d) {
    slots.push_back(passed_over(d) ? 0 : count(d));
    one_holds = one_holds || wanted.legal_part(std::min(slots.back(), wanted.most)) >= wanted.needed;
  }
  for (std::uint32_t d = q.first_domain; d < q.last_domain && !one_holds; ++d)
    if (passed_over(d)) slots[d - q.first_domain] = count(d);
}

/// The best domain for alike pods of set `s`. \complexity O(open nodes of the domains that may hold what is needed; of
/// all that may host the pod where none does)
template <class Query, class Scorer>
[[nodiscard]] domain_choice choose_domain(Query& q, const Scorer& scorer, std::size_t s) {
  const auto& wanted = q.wanted();
  domain_choice best;
  count_domains_slots(q, s);
  for (std::uint32_t d = q.first_domain; d < q.last_domain; ++d) {
    const pod_count slots = q.space.slots[d - q.first_domain];
    const pod_count fit = std::min(slots, wanted.most);
    const pod_count legal = wanted.legal_part(fit), best_legal = wanted.legal_part(best.fit);
    const bool better = !best.found || legal > best_legal ||
                        (legal == best_legal && (legal >= wanted.needed ? slots < best.slots : slots > best.slots));
    if (better) best = {d, fit, slots, true};
  }
  if constexpr (scoring_function<Scorer, typename Query::model>)
    if (wanted.legal_part(best.fit) >= wanted.needed) return choose_by_score(q, scorer, s, best);
  return best;
}

/// Seats up to `limit` of the pods in a domain; how many. A scoring function goes from node to node and back, so that
/// with several pod sets each is seated for itself: then pods that are added at the end move none before them.
template <class Query, class Scorer, class Trials>
[[nodiscard]] pod_count seat_alike(Query& q, const Scorer& scorer, Trials&& trials, std::size_t s, std::uint32_t domain,
                                   pod_count limit) {
  using M = typename Query::model;
  auto& seats = q.space.answer.seats;
  list_quotas(q.wanted(), q.space.quotas);
  q.reset_room();
  if constexpr (scoring_function<Scorer, M>) {
    if (q.space.quotas.size() > 1) {
      overlay<M>& on = trials();
      const trial_scope<M> scope{on};
      return seat_quotas(q, scorer, on, domain, limit, seats).pods;
    }
  }
  seat_writer<M> write{q.wanted(), q.space.quotas, seats};
  return seat_pods(q.view, scorer, q.request(s), q.runs_of(s, domain), q.space.room, q.space.nodes, limit,
                   [&](std::uint32_t position, pod_count count) { write(q.view, position, count); })
      .pods;
}

/// Seats the gang if enough of it fits; true if it does. `seated` is the most that fit at once.
/// \param trials () -> overlay to try seats on
template <class Query, class Scorer, class Trials>
[[nodiscard]] bool place_alike(Query& q, const Scorer& scorer, Trials&& trials, std::size_t s, pod_count& seated,
                               std::uint32_t& domain) {
  using M = typename Query::model;
  const auto& wanted = q.wanted();
  auto& answer = q.space.answer;
  pod_count limit = wanted.most;
  domain = 0;
  if (!q.anywhere) {
    const domain_choice best = choose_domain(q, scorer, s);
    seated = best.fit;
    domain = best.domain;
    if (!best.found) return wanted.needed == 0;
    limit = wanted.legal_part(best.fit);
    if (limit < wanted.needed) return false;
  } else if (wanted.group->sizes.kind != size_rule::shape::any) {
    q.reset_room();
    seated = count_slots(q.view, tense::now, q.request(s), q.runs_of(s, 0), q.space.room, wanted.most);
    q.space.slots.assign(1, seated);
    limit = wanted.legal_part(seated);
    if (limit < wanted.needed) return false;
  } else if (!q.filtered && wanted.group->limits.empty()) {
    // the populations alone may already prove that too few slots are left
    const pod_count bound = population_bound(q.view, q.request(s), wanted.needed);
    if (bound < wanted.needed) {
      q.reset_room();
      seated = leading_decides<M>(q.request(s)) && q.space.room.unlimited()
                   ? bound
                   : count_slots(q.view, tense::now, q.request(s), q.runs_of(s, 0), q.space.room, wanted.needed);
      q.space.slots.assign(1, seated);
      return false;
    }
  }
  seated = seat_alike(q, scorer, trials, s, domain, limit);
  if (seated >= wanted.needed) return true;
  answer.seats.clear();
  if (q.anywhere) q.space.slots.assign(1, seated);
  return false;
}

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
