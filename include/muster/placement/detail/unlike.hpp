// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_UNLIKE_HPP
#define MUSTER_PLACEMENT_DETAIL_UNLIKE_HPP

/// \file
/// Places a gang of unlike pods: first by the index, pod set after pod set on an overlay; where that seats too few, by
/// exact search, domain by domain, the one that may seat the most first.

#include <muster/cluster/overlay.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/detail/counting.hpp>
#include <muster/placement/detail/cuts.hpp>
#include <muster/placement/detail/in_domain.hpp>
#include <muster/placement/detail/query.hpp>
#include <muster/placement/detail/seat_quotas.hpp>
#include <muster/placement/detail/seating.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

struct unlike_result {
  pod_count seated = 0;  ///< pods of the best attempt that count towards what is needed; all of them if it is enough
  pod_count bound = 0;   ///< no more pods can sit
  bool enough = false;
  refusal_reason reason = refusal_reason::too_few_slots;
  std::uint32_t domain = 0;  ///< of the best attempt
  std::uint32_t pod_set = 0;
};

/// Cuts seats from the end until `wanted` pods are left; every set keeps its required ones.
template <resource_model M>
void trim(std::vector<seat<M>>& seats, pod_count seated, pod_count wanted, const demand<M>& of,
          std::vector<pod_count>& spare) {
  spare.resize(of.sets.size());
  for (std::size_t s = 0; s < spare.size(); ++s) spare[s] = -of.sets[s].required;
  for (const seat<M>& one : seats) spare[one.pod_set] += one.count;
  for (std::size_t i = seats.size(); i-- > 0 && seated > wanted;) {
    const seat<M> last = seats[i];
    const pod_count cut = std::min({last.count, seated - wanted, spare[last.pod_set]});
    if (cut <= 0) continue;
    seated -= cut;
    spare[last.pod_set] -= cut;
    seats.erase(seats.begin() + static_cast<std::ptrdiff_t>(i));
    for (pod_count kept = 0; kept < last.count - cut; ++kept) {
      seat<M> single = last;
      single.count = 1;
      single.grant = M::part(last.grant, of.group->pod_sets[last.pod_set].request, kept);
      seats.insert(seats.begin() + static_cast<std::ptrdiff_t>(i) + static_cast<std::ptrdiff_t>(kept), single);
    }
  }
}

/// Adds extras to the seats of an answer, moving none of them. Leaves no trace on the overlay.
template <class Query, class Scorer>
void seat_extras(Query& q, const Scorer& scorer, overlay<typename Query::model>& on, std::uint32_t domain,
                 pod_count seated, std::vector<seat<typename Query::model>>& seats) {
  using M = typename Query::model;
  const auto& wanted = q.wanted();
  if (seated >= wanted.most) return;
  const trial_scope<M> scope{on};
  q.reset_room();
  auto& placed = q.space.slots;
  (void)count_useful(seats, wanted, placed);
  for (const seat<M>& one : seats) {
    if (!q.space.room.unlimited()) q.space.room.add(one.position, one.count);
    on.charge(one.position, one.grant, one.count);
  }
  q.space.quotas.clear();
  for (std::uint32_t s = 0; s < placed.size(); ++s)
    if (const pod_count more = wanted.sets[s].pending - placed[s]; more > 0) q.space.quotas.push_back({s, more});
  seat_quotas(q, scorer, on, domain, wanted.most - seated, seats);
}

/// Pods that a domain has slots for, each pod set for itself.
template <class Query>
[[nodiscard]] pod_count slots_in(Query& q, std::uint32_t domain) {
  pod_count sum = 0;
  for (std::size_t s = 0; s < q.wanted().sets.size(); ++s) {
    q.reset_room();
    sum = saturating_add(sum, count_slots(q.view, tense::now, q.request(s), q.runs_of(s, domain), q.space.room,
                                          max_pods_per_group));
  }
  return sum;
}

/// The greedy pass in every domain: of those that seat the most the one whose pods score highest in sum, then the
/// fullest, that is with the fewest slots. The seats of the best are in `best_seats`.
template <class Query, class Scorer>
void seat_greedily(Query& q, const Scorer& scorer, overlay<typename Query::model>& on, unlike_result& result) {
  using M = typename Query::model;
  const auto& wanted = q.wanted();
  auto& best = q.space.best_seats;
  auto& trial = q.space.answer.seats;
  std::int64_t highest = 0;
  pod_count fewest = -1;  // slots of the best domain, once they are asked for
  const auto is_fuller = [&](std::uint32_t d) {
    if (fewest < 0) fewest = slots_in(q, result.domain);
    const pod_count slots = slots_in(q, d);
    if (slots >= fewest) return false;
    fewest = slots;
    return true;
  };
  for (std::uint32_t d = q.first_domain; d < q.last_domain; ++d) {
    std::int64_t score = 0;
    {
      const trial_scope<M> scope{on};
      trial.clear();
      list_quotas(wanted, q.space.quotas);
      q.reset_room();
      score = seat_quotas(q, scorer, on, d, wanted.most, trial).score;
    }
    const pod_count seated = count_useful(trial, wanted, q.space.slots);
    const bool enough = wanted.legal_part(seated) >= wanted.needed;
    if (enough < result.enough || (enough == result.enough && seated < result.seated)) continue;
    const bool more = enough > result.enough || seated > result.seated;
    if (!more && (!enough || score < highest || (score == highest && !is_fuller(d)))) continue;
    if (more || score > highest) fewest = -1;
    result.seated = seated;
    result.enough = enough;
    result.domain = d;
    highest = score;
    best.swap(trial);
  }
  trial.clear();
}

/// Looks for a placement now. The seats of the best attempt are in `best_seats`.
template <class Query, class Scorer>
[[nodiscard]] unlike_result place_unlike(Query& q, const Scorer& scorer, overlay<typename Query::model>& on,
                                         search_budget& budget) {
  const auto& wanted = q.wanted();
  auto& best = q.space.best_seats;
  auto& trial = q.space.answer.seats;
  unlike_result result;
  best.clear();
  seat_greedily(q, scorer, on, result);
  result.bound = wanted.most;
  if (result.enough && (result.seated >= wanted.most || !q.largest)) return result;

  domain_search<Query> search{q, tense::now, budget};
  search.bound_domains();
  bool open_question = false;
  while (const auto next = search.next()) {
    const pod_count target = next->target(wanted, q.largest);
    if (target <= result.seated && (result.enough || wanted.legal_part(target) < wanted.needed)) break;
    const domain_end end = search.decide(*next, target);
    if (end == domain_end::unknown) open_question = true;
    if (end != domain_end::met) continue;
    if (!search.write_seats(best)) {
      open_question = true;
      search.give_up(*next);
      result = {};
      result.bound = wanted.most;
      seat_greedily(q, scorer, on, result);  // its seats were overwritten
      continue;
    }
    // a choice may hold more pods than were asked for, and than a limit around all of them allows
    const pod_count chosen = count_useful(best, wanted, q.space.slots);
    MUSTER_ASSERT(chosen >= target);
    trim(best, chosen, target, wanted, q.space.slots);
    result.seated = target;
    if (wanted.legal_part(target) >= wanted.needed) {
      seat_extras(q, scorer, on, next->domain, target, best);
      result.seated = count_useful(best, wanted, q.space.slots);
      result.enough = true;
    }
    result.domain = next->domain;
    break;
  }
  search.conclude(result.bound, result.reason, result.pod_set);
  result.bound = std::max(result.bound, result.seated);
  const bool may_do = wanted.legal_part(result.bound) >= wanted.needed;
  if (!result.enough && !may_do) search.write_proof(q.space.answer.proof);
  if (!result.enough && may_do && open_question) {
    result.reason = budget.out() ? refusal_reason::search_ended : refusal_reason::search_too_large;
    search.pack_greedily(result.seated, result.domain, trial, best);
    result.enough = wanted.legal_part(result.seated) >= wanted.needed;
  }
  return result;
}

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
