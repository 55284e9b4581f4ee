// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_REFUSE_HPP
#define MUSTER_PLACEMENT_DETAIL_REFUSE_HPP

/// \file
/// Which no it is, and its numbers.
///
/// The tenses are asked in turn: once what is terminating has left (wait), on the same open nodes without pods
/// (not_now), on all nodes (closed), else never. "Without pods" takes the group's own out too, so it is then asked
/// for all it needs.

#include <muster/core/config.hpp>
#include <muster/core/search_budget.hpp>
#include <muster/placement/detail/alike.hpp>
#include <muster/placement/detail/counting.hpp>
#include <muster/placement/detail/in_domain.hpp>
#include <muster/placement/detail/query.hpp>
#include <muster/placement/detail/short_nodes.hpp>

#include <cstddef>
#include <cstdint>

namespace muster::inline MUSTER_ABI::placement_detail {

/// Adds the proof that alike pods do not fit to the certificate: every pod has the price 1, and a domain is worth its
/// slots, which lie in the workspace.
template <class Query>
void prove_alike(Query& q, tense when) {
  certificate& to = q.space.answer.proof;
  const auto sets = static_cast<std::uint32_t>(q.wanted().sets.size());
  const auto first = static_cast<std::uint32_t>(to.prices.size());
  to.prices.insert(to.prices.end(), sets, 1);
  for (std::uint32_t d = q.first_domain; d < q.last_domain; ++d) {
    const pod_count held = q.space.slots[d - q.first_domain];
    to.refusals.push_back(
        {q.name(d), when, proof_kind::prices, 0, held, q.wanted().needed, first, sets, 0, q.model_in(d)});
  }
}

/// Whether enough of the gang fits in a tense, and whether that is known.
template <class Query>
[[nodiscard]] empty_fit fits_in(Query& q, tense when, bool alike, std::size_t s, search_budget& budget) {
  const pod_count needed = q.wanted().needed;
  if (alike) {
    q.space.slots.clear();
    for (std::uint32_t d = q.first_domain; d < q.last_domain; ++d) {
      q.reset_room(when);
      q.space.slots.push_back(count_slots(q.view, when, q.request(s), q.runs_of(s, d), q.space.room, needed));
      if (q.space.slots.back() >= needed) return empty_fit::yes;
    }
    prove_alike(q, when);
    return empty_fit::no;
  }
  bool unknown = false;
  domain_search<Query> search{q, when, budget};
  search.bound_domains();
  while (const auto next = search.next()) {
    const domain_end end = search.decide(*next, needed);
    if (end == domain_end::met) return empty_fit::yes;
    unknown = unknown || end == domain_end::unknown;
  }
  if (unknown) return empty_fit::unknown;
  search.write_proof(q.space.answer.proof);
  return empty_fit::no;
}

/// The demand as if none of the group ran: for the tenses without pods.
template <class Query>
void forget_held(Query& q) {
  auto& wanted = q.space.demand;
  for (const held_pods& held : wanted.held) {
    if (held.pod_set >= wanted.sets.size()) continue;  // of a set the group no longer has: never counted
    wanted.needed += held.count;
    wanted.pending += held.count;
    wanted.most += held.count;
    wanted.have -= held.count;
    set_demand& set = wanted.sets[held.pod_set];
    set.pending += held.count;
    set.have -= held.count;
    set.required = wanted.required_of(held.pod_set);
  }
  wanted.held.clear();
  wanted.adrift = false;
  wanted.model.reset();
  (void)q.find_domains();
}

/// Open nodes among those of a run that the question is about.
template <class Query>
[[nodiscard]] std::uint32_t open_nodes(Query& q, const run& of) {
  auto& runs = q.space.all_runs;
  runs.clear();
  if (q.confined) add_common({&of, 1}, q.within, runs);
  else runs.push_back(of);
  std::uint32_t open = 0;
  for (const run& one : runs)
    for (std::uint32_t p = one.first; p < one.last; ++p) open += q.view.base().open(p) ? 1U : 0U;
  return open;
}

/// Nodes the filter keeps a pod set from, by reason, and nodes that are closed.
template <class Query>
void count_excluded_nodes(Query& q, std::size_t s, shortage<typename Query::model>& lack) {
  const auto& base = q.view.base();
  lack.shut_nodes = base.size() - base.open_nodes();
  if (q.confined) {
    std::uint32_t all = 0;
    for (const run& one : q.within) all += std::min(one.last, base.size()) - std::min(one.first, base.size());
    lack.shut_nodes = all - open_nodes(q, {0, base.size()});
  }
  if (q.filtered) {
    const auto kinds = base.kinds();
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      const reason_code code = q.space.codes[s * kinds.size() + k];
      if (code == eligible_node) continue;
      const std::uint32_t open = open_nodes(q, kinds[k].second);
      bool found = false;
      for (auto& entry : lack.excluded)
        if (entry.reason == code) {
          entry.nodes += open;
          found = true;
        }
      if (!found && open > 0) lack.excluded.push_back({code, open});
    }
    std::sort(lack.excluded.begin(), lack.excluded.end(), [](const auto& a, const auto& b) {
      return a.nodes != b.nodes ? a.nodes > b.nodes : a.reason < b.reason;
    });
  }
}

/// The same without a word on other tenses, nor on nodes that are short or shut.
template <class Query>
void refuse_now(Query& q, bool alike, refusal_reason reason) {
  auto& answer = q.space.answer;
  answer.reason = reason;
  answer.verdict = leaves_open(reason) ? verdict::undecided : verdict::not_now;
  if (alike) prove_alike(q, tense::now);
}

/// Fills verdict and numbers of a refusal. `lack` has needed, seated and bound already.
template <class Query>
void refuse(Query& q, bool alike, std::size_t s, std::uint32_t domain, refusal_reason reason, search_budget& budget) {
  auto& answer = q.space.answer;
  auto& lack = answer.lack;
  answer.reason = reason;
  lack.pod_set = static_cast<std::uint32_t>(s);
  if (!q.anywhere) {
    lack.domains = q.last_domain - q.first_domain;
    if (lack.domains > 0) {
      lack.best_domain = q.name(domain);
      lack.best_model = q.model_in(domain);
    }
  }
  if (q.anywhere || lack.domains > 0) count_short_nodes(q, s, domain, lack);
  count_excluded_nodes(q, s, lack);
  if (leaves_open(reason)) {
    answer.verdict = verdict::undecided;
    return;
  }
  if (alike) prove_alike(q, tense::now);
  const auto& base = q.view.base();
  lack.once_left = base.anything_leaving() ? fits_in(q, tense::later, alike, s, budget) : empty_fit::no;
  if (lack.once_left == empty_fit::yes) {
    answer.verdict = verdict::wait;
    return;
  }
  answer.verdict = verdict::not_now;
  if (q.wanted().held_differ) return;  // asked afresh, the group would be another one than the one that runs
  forget_held(q);
  alike = is_alike(q, s);  // those that run may be unlike those that wait
  lack.without_pods = fits_in(q, tense::empty_open, alike, s, budget);
  if (lack.without_pods != empty_fit::no) return;
  lack.once_left = empty_fit::no;  // what is left by then is no more than without pods
  if (!base.anything_shut()) {
    answer.verdict = verdict::never;
    return;
  }
  switch (fits_in(q, tense::empty_all, alike, s, budget)) {
    case empty_fit::yes: answer.verdict = verdict::closed; break;
    case empty_fit::no: answer.verdict = verdict::never; break;
    case empty_fit::unknown: break;
  }
}

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
