// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_UNLIKE_HPP
#define MUSTER_PLACEMENT_DETAIL_UNLIKE_HPP

/// \file
/// Places a gang of unlike pods: first by the index, pod set after pod set on an overlay; where that seats too few,
/// by the greedy orders and the repair of the bench, domain by domain. Not exact: it may end without a placement and
/// without a proof, and says so.

#include <muster/cluster/overlay.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/detail/bench.hpp>
#include <muster/placement/detail/cuts.hpp>
#include <muster/placement/detail/query.hpp>
#include <muster/placement/detail/seating.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

struct unlike_result {
  pod_count seated = 0;      ///< of the best attempt, at a legal size if that is enough
  pod_count bound = 0;       ///< no more pods can sit
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

/// One pass over the quotas on an overlay, by the caller's scorer; how many sit. Leaves no trace.
template <class Query>
[[nodiscard]] pod_count seat_in_order(Query& q, overlay<typename Query::model>& on, std::uint32_t domain,
                                      std::vector<seat<typename Query::model>>& seats, bool& minima_sit) {
  using M = typename Query::model;
  const trial_scope<typename Query::model> scope{on};
  q.reset_room();
  pod_count total = 0;
  minima_sit = true;
  auto& pieces = q.space.pieces;
  for (const quota& next : q.space.quotas) {
    // the grants are taken after the walk, so that the walk does not change what it walks over
    pieces.clear();
    const pod_count here = seat_pods(
        on, q.options.scorer, q.request(next.pod_set), q.runs_of(next.pod_set, domain), q.space.room, q.space.nodes,
        next.count, [&](std::uint32_t position, pod_count count) { pieces.push_back({position, count}); });
    for (const held_pods& piece : pieces) {
      const std::uint32_t position = piece.position;
      pod_count rest = piece.count;
      while (rest > 0) {
        seat<M>& to = seats.emplace_back();
        to.node = q.view.base().id(position);
        to.position = position;
        to.pod_set = next.pod_set;
        to.count = on.take(position, q.request(next.pod_set), rest, to.grant);
        MUSTER_ASSERT(to.count > 0);
        rest -= to.count;
      }
    }
    total += here;
    minima_sit = minima_sit && (!next.is_minimum || here >= q.wanted().sets[next.pod_set].required);
  }
  return total;
}

/// Lays the nodes of a domain out on the bench as they are in a tense.
template <class Query>
void lay_out(Query& q, std::uint32_t domain, tense when) {
  using M = typename Query::model;
  auto& bench = q.space.bench;
  bench.clear(q.wanted());
  auto& nodes = q.space.laid_out;
  nodes.clear();
  for (std::size_t s = 0; s < q.wanted().sets.size(); ++s)
    if (q.wanted().sets[s].pending > 0)
      visit_nodes(q.view, when, q.runs_of(s, domain), [&](std::uint32_t p, const typename M::state_type&) {
        nodes.push_back({p, std::uint64_t{1} << s});
        return true;
      });
  std::sort(nodes.begin(), nodes.end());
  for (std::size_t i = 0; i < nodes.size();) {
    const std::uint32_t p = nodes[i].first;
    std::uint64_t may = 0;
    for (; i < nodes.size() && nodes[i].first == p; ++i) may |= nodes[i].second;
    const auto& base = q.view.base();
    const auto empty = base.empty(p, when == tense::empty_all);
    const auto& left = when == tense::now ? q.view.now(p) : when == tense::later ? q.view.later(p) : empty;
    bench.add_node(p, base.id(p), left, empty, may);
  }
  bench.arrange();
}

/// Writes the pods on the bench as seats, pods of one set on one node together where their grants come out so.
template <class Query>
void write_bench(Query& q, std::vector<seat<typename Query::model>>& seats) {
  using M = typename Query::model;
  const auto& bench = q.space.bench;
  const auto pods = bench.pods();
  auto& order = q.space.order;
  order.resize(pods.size());
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple{pods[a].pod_set, bench.position(pods[a]), a} <
           std::tuple{pods[b].pod_set, bench.position(pods[b]), b};
  });
  seats.clear();
  for (const std::uint32_t i : order)
    seats.push_back({bench.id(pods[i]), pods[i].grant, 1, bench.position(pods[i]), pods[i].pod_set});
  if constexpr (M::grant_follows_from_request) {
    std::vector<seat<M>>& merged = q.space.merged;
    merged.clear();
    for (const seat<M>& one : seats) {
      if (merged.empty() || merged.back().pod_set != one.pod_set || merged.back().position != one.position)
        merged.push_back(one);
      else ++merged.back().count;
    }
    for (seat<M>& one : merged) {
      typename M::state_type scratch = q.view.now(one.position);
      const pod_count fit = M::allocate(scratch, q.request(one.pod_set), one.count, one.grant);
      MUSTER_ASSERT(fit == one.count);
      one.count = fit;
    }
    seats.swap(merged);
  }
}

/// The best the bench finds in one domain in a tense; true if it is enough. Seats are written if asked for.
template <class Query>
[[nodiscard]] bool try_bench(Query& q, std::uint32_t domain, tense when, pod_count bound, pod_count& best,
                             std::vector<seat<typename Query::model>>* seats) {
  const auto& wanted = q.wanted();
  auto& bench = q.space.bench;
  lay_out(q, domain, when);
  const pod_count goal = std::min(bound, wanted.most);
  bool enough = false;
  const auto judge = [&](pod_count seated) {
    const bool good = bench.minima_sit() && wanted.legal_part(seated) >= wanted.needed;
    if (good != enough ? good : seated > best) {  // more pods never make up for a missing minimum
      best = seated;
      if (seats != nullptr) write_bench(q, *seats);
    }
    enough = enough || good;
    return enough && best >= goal;
  };
  for (const packing how : all_packings)
    if (judge(bench.pack(how, q.space.room, q.view.base(), wanted.most, q.space.answer.steps))) return true;
  for (const packing how : all_packings) {
    if (enough && when != tense::now) break;
    if (q.space.answer.steps >= q.options.budget) break;
    bench.pack(how, q.space.room, q.view.base(), wanted.most, q.space.answer.steps);
    if (judge(bench.repair(q.space.room, goal, q.options.budget, q.space.answer.steps))) return true;
  }
  return enough;
}

/// Looks for a placement now. The seats of the best attempt are in `best_seats`.
template <class Query>
[[nodiscard]] unlike_result place_unlike(Query& q, overlay<typename Query::model>& on) {
  const auto& wanted = q.wanted();
  auto& best = q.space.best_seats;
  unlike_result result;
  best.clear();
  list_quotas(wanted, wanted.most, q.space.quotas);
  auto& trial = q.space.answer.seats;
  for (std::uint32_t d = q.first_domain; d < q.last_domain; ++d) {
    bool minima_sit = false;
    trial.clear();
    const pod_count seated = seat_in_order(q, on, d, trial, minima_sit);
    const bool enough = minima_sit && wanted.legal_part(seated) >= wanted.needed;
    if (enough > result.enough || (enough == result.enough && seated > result.seated)) {
      result.seated = seated;
      result.enough = enough;
      result.domain = d;
      best.swap(trial);
    }
  }
  if (result.enough && result.seated >= wanted.most) {
    result.bound = wanted.most;
    trial.clear();
    return result;
  }
  bool open_question = false;
  for (std::uint32_t d = q.first_domain; d < q.last_domain; ++d) {
    const cut here = bound_domain(q, d, tense::now);
    if (d == q.first_domain || here.bound > result.bound) {
      result.bound = std::max(result.bound, here.bound);
      result.reason = here.by;
      result.pod_set = here.pod_set;
    }
    if (wanted.legal_part(here.bound) < wanted.needed || here.bound <= (result.enough ? result.seated : 0)) continue;
    open_question = true;
    pod_count seated = result.enough ? result.seated : 0;
    trial.clear();
    const bool enough = try_bench(q, d, tense::now, here.bound, seated, &trial);
    if ((enough && (!result.enough || seated > result.seated)) || (!result.enough && seated > result.seated)) {
      result.seated = seated;
      result.enough = result.enough || enough;
      result.domain = d;
      best.swap(trial);
    }
    if (result.enough && result.seated >= wanted.most) break;
  }
  trial.clear();
  if (!result.enough && open_question) result.reason = refusal_reason::search_ended;
  result.bound = std::max(result.bound, result.seated);
  return result;
}

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
