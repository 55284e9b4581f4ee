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
#include <muster/placement/detail/alike.hpp>
#include <muster/placement/detail/counting.hpp>
#include <muster/placement/detail/cuts.hpp>
#include <muster/placement/detail/query.hpp>
#include <muster/placement/detail/short_nodes.hpp>
#include <muster/placement/detail/unlike.hpp>

#include <cstddef>
#include <cstdint>

namespace muster::inline MUSTER_ABI::placement_detail {

/// Whether enough of the gang fits in a tense, and whether that is known.
template <class Query>
[[nodiscard]] empty_fit fits_in(Query& q, tense when, bool alike, std::size_t s) {
  bool unknown = false;
  for (std::uint32_t d = q.first_domain; d < q.last_domain; ++d) {
    if (alike) {
      q.reset_room();
      const pod_count slots = count_slots(q.view, when, q.request(s), q.runs_of(s, d), q.space.room, q.wanted().needed);
      if (slots >= q.wanted().needed) return empty_fit::yes;
      continue;
    }
    const cut here = bound_domain(q, d, when);
    if (q.wanted().legal_part(here.bound) < q.wanted().needed) continue;
    pod_count seated = 0;
    if (try_bench(q, d, when, here.bound, seated, nullptr)) return empty_fit::yes;
    unknown = true;
  }
  return unknown ? empty_fit::unknown : empty_fit::no;
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
  (void)q.find_domains();
}

/// Nodes the filter keeps a pod set from, by reason, and nodes that are closed.
template <class Query>
void count_excluded_nodes(Query& q, std::size_t s, shortage<typename Query::model>& lack) {
  const auto& base = q.view.base();
  lack.shut_nodes = base.size() - base.open_nodes();
  if constexpr (Query::filtered) {
    const auto kinds = base.kinds();
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      const reason_code code = q.space.codes[s * kinds.size() + k];
      if (code == eligible_node) continue;
      std::uint32_t open = 0;
      for (std::uint32_t p = kinds[k].second.first; p < kinds[k].second.last; ++p) open += base.open(p) ? 1U : 0U;
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

/// Fills verdict and numbers of a refusal. `lack` has needed, seated and bound already.
template <class Query>
void refuse(Query& q, bool alike, std::size_t s, std::uint32_t domain, refusal_reason reason) {
  auto& answer = q.space.answer;
  auto& lack = answer.lack;
  answer.reason = reason;
  lack.pod_set = static_cast<std::uint32_t>(s);
  if (!q.anywhere) {
    lack.domains = q.last_domain - q.first_domain;
    if (lack.domains > 0) lack.best_domain = q.name(domain);
  }
  if (q.anywhere || lack.domains > 0) count_short_nodes(q, s, domain, lack);
  count_excluded_nodes(q, s, lack);
  if (reason == refusal_reason::search_ended) {
    answer.verdict = verdict::undecided;
    return;
  }
  const auto& base = q.view.base();
  if (base.anything_leaving() && fits_in(q, tense::later, alike, s) == empty_fit::yes) {
    answer.verdict = verdict::wait;
    return;
  }
  answer.verdict = verdict::not_now;
  if (q.wanted().held_differ) return;  // asked afresh, the group would be another one than the one that runs
  forget_held(q);
  alike = is_alike(q, s);  // those that run may be unlike those that wait
  lack.without_pods = fits_in(q, tense::empty_open, alike, s);
  if (lack.without_pods != empty_fit::no) return;
  if (!base.anything_shut()) {
    answer.verdict = verdict::never;
    return;
  }
  switch (fits_in(q, tense::empty_all, alike, s)) {
    case empty_fit::yes: answer.verdict = verdict::closed; break;
    case empty_fit::no: answer.verdict = verdict::never; break;
    case empty_fit::unknown: break;
  }
}

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
