// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_IN_DOMAIN_HPP
#define MUSTER_PLACEMENT_DETAIL_IN_DOMAIN_HPP

/// \file
/// Exact search domain by domain, in one tense: bounds first, then the domain that may seat the most.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/hash.hpp>
#include <muster/core/search_budget.hpp>
#include <muster/placement/answer.hpp>
#include <muster/placement/detail/cuts.hpp>
#include <muster/placement/detail/demand.hpp>
#include <muster/placement/detail/exact_space.hpp>
#include <muster/placement/detail/mix_seats.hpp>
#include <muster/placement/detail/query.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

enum class domain_end : std::uint8_t { met, refused, unknown };

template <class Query>
class domain_search {
 public:
  using M = typename Query::model;
  using known = typename exact_space<M>::domain_bound;
  using state = typename known::state;

  domain_search(Query& q, tense when, search_budget& budget)
      : q_{q}, when_{when}, budget_{budget}, space_{q.space.exact} {}

  /// Bounds every domain by sums and slots.
  void bound_domains() {
    if (when_ == tense::now) {
      const std::uint64_t question = fingerprint();
      resumes_ = q_.resume && question == space_.last.question;
      if (resumes_) {
        for (known& one : space_.domains)
          if (one.now == state::given_up) one.now = state::open;
        queue_domains();
        return;
      }
      space_.last = {question, 0, -1};
    } else {
      space_.last = {};
    }
    space_.domains.clear();
    space_.prices.clear();
    started_ = false;
    for (std::uint32_t d = q_.first_domain; d < q_.last_domain; ++d) {
      const cut here = bound_domain(q_, d, when_);
      const auto now = here.minima_sit ? state::open : state::closed;
      const domain_refusal proof{{}, when_, here.kind, here.subject, here.held, here.asked, 0, 0, 0};
      space_.domains.push_back({d, here.bound, proof, here.by, here.pod_set, now});
    }
    queue_domains();
  }

  /// The open domain that may seat the most; nullptr if there is none of interest. \complexity O(log domains)
  [[nodiscard]] known* next() {
    auto& queue = space_.queue;
    if (decided_ && is_open(space_.domains[*decided_])) {
      queue.push_back(*decided_);
      std::push_heap(queue.begin(), queue.end(), seats_fewer());
    }
    decided_.reset();
    if (queue.empty()) return nullptr;
    std::pop_heap(queue.begin(), queue.end(), seats_fewer());
    decided_ = queue.back();
    queue.pop_back();
    known* const best = &space_.domains[*decided_];
    // with too few for enough only the most that sit are of interest, and that only if asked for
    const bool may_do = q_.wanted().legal_part(best->bound) >= q_.wanted().needed;
    return may_do || (q_.largest && when_ == tense::now) ? best : nullptr;
  }

  /// Whether `target` pods can sit in the domain. A no lowers its bound.
  [[nodiscard]] domain_end decide(known& in, pod_count target) {
    if (budget_.out()) return give_up(in);
    if (!started_) space_.sites.start(q_);
    started_ = true;
    if (space_.sites.too_many_classes()) return give_up(in);
    const pod_count without_new = new_nodes_ > 0 ? 0 : target;  // what sits where new nodes come is not counted yet
    if (!space_.sites.lay_out(q_, in.domain, when_, without_new, budget_)) return give_up(in);
    if (new_nodes_ > 0 && !space_.sites.add_nodes(q_, in.domain, new_model_, new_node_, new_nodes_, budget_))
      return give_up(in);
    mix& problem = space_.sites.problem();
    if (const pod_count most = space_.sites.most_in_all(); target > most) {
      prove_by_count(in, most);
      return refuse(in, most);
    }
    auto& last = space_.last;
    const bool again = resumes_ && last.domain == in.domain && last.target == target;
    switch (space_.search.decide(problem, static_cast<std::uint64_t>(target), budget_, again)) {
      case mix_end::met: return domain_end::met;
      case mix_end::ended:
        last.domain = in.domain;
        last.target = target;
        return give_up(in);
      case mix_end::exhausted:
        if (space_.sites.incomplete()) return give_up(in);
        prove(in, target - 1, {{}, when_, proof_kind::exhausted, 0, 0, 0, 0, 0, budget_.spent()});
        return refuse(in, target - 1);
      case mix_end::refused: break;
    }
    if (space_.sites.incomplete()) return give_up(in);
    const price supply = space_.search.supply;
    const pod_count bound = std::min(target - 1, most_by_price(problem, space_.search.proof, supply, space_.may));
    prove_by_prices(in, bound, supply);
    return refuse(in, bound);
  }

  /// From now on a domain is asked about as if it had so many more empty nodes, eligible for all.
  void add_nodes(std::optional<device_model> model, const typename M::state_type& empty, pod_count nodes) {
    new_model_ = model;
    new_node_ = empty;
    new_nodes_ = nodes;
  }

  domain_end give_up(known& in) noexcept {
    in.now = state::given_up;
    return domain_end::unknown;
  }

  /// The best bound of all domains and what it rests on.
  void conclude(pod_count& bound, refusal_reason& reason, std::uint32_t& pod_set) const noexcept {
    bound = 0;
    for (const known& one : space_.domains) {
      if (&one != space_.domains.data() && one.bound <= bound) continue;
      bound = std::max<pod_count>(one.bound, 0);
      reason = one.by;
      pod_set = one.pod_set;
    }
  }

  /// After `met`: the seats. False if the model cannot say them.
  [[nodiscard]] bool write_seats(std::vector<seat<M>>& seats) {
    return mix_seats<Query>{q_}.write(seats);
  }

  /// The best of the greedy orders in the domains that were given up, if it seats more than `seated`.
  void pack_greedily(pod_count& seated, std::uint32_t& domain, std::vector<seat<M>>& trial,
                     std::vector<seat<M>>& best) {
    search_budget own{8 * std::uint64_t{q_.view.size()} * q_.wanted().sets.size() + 1};
    for (const known& one : space_.domains) {
      if (one.now != state::given_up || own.out()) continue;
      space_.packing.lay_out(q_, one.domain);
      for (const packing how : all_packings) {
        space_.packing.pack(how, q_, one.domain, q_.wanted().most, trial, own);
        const pod_count here = count_useful(trial, q_.wanted(), q_.space.slots);
        if (here <= seated) continue;
        seated = here;
        domain = one.domain;
        best.swap(trial);
      }
    }
    trial.clear();
  }

  /// Adds the refusals of all domains to a certificate. \pre no domain may hold enough
  void write_proof(certificate& to) const {
    const auto offset = static_cast<std::uint32_t>(to.prices.size());
    to.prices.insert(to.prices.end(), space_.prices.begin(), space_.prices.end());
    for (const known& one : space_.domains) {
      to.refusals.push_back(one.proof);
      to.refusals.back().domain = q_.name(one.domain);
      to.refusals.back().model = q_.model_in(one.domain);
      to.refusals.back().first_price += offset;
    }
  }

 private:
  [[nodiscard]] static bool is_open(const known& one) noexcept { return one.now == state::open && one.bound > 0; }
  /// Whether one of two domains, by their numbers, may seat fewer; of equals the first is asked first.
  [[nodiscard]] auto seats_fewer() const noexcept {
    return [&all = space_.domains](std::uint32_t a, std::uint32_t b) {
      return all[a].bound != all[b].bound ? all[a].bound < all[b].bound : a > b;
    };
  }
  /// Lines up the open domains. The one that is being decided stands in no queue, so that its bound may fall.
  void queue_domains() {
    decided_.reset();
    space_.queue.clear();
    for (std::uint32_t i = 0; i < space_.domains.size(); ++i)
      if (is_open(space_.domains[i])) space_.queue.push_back(i);
    std::make_heap(space_.queue.begin(), space_.queue.end(), seats_fewer());
  }

  /// What the question asks, in numbers; of filter and view only what is cheap to read.
  [[nodiscard]] std::uint64_t fingerprint() const {
    const auto& wanted = q_.wanted();
    const auto& base = q_.view.base();
    hasher hash;
    hash.add(number(wanted.group->id)).add(number(base.latest())).add(base.tick()).add(base.size());
    hash.add(wanted.needed).add(wanted.most).add(wanted.have).add(q_.largest ? 1 : 0);
    hash.add(static_cast<int>(q_.level)).add(q_.first_domain).add(q_.last_domain);
    for (std::size_t s = 0; s < wanted.sets.size(); ++s) {
      hash.add(wanted.sets[s].pending).add(wanted.sets[s].required);
      M::add_to_hash(hash, q_.request(s));
      for (const run& r : q_.eligible_runs(s)) hash.add(r.first).add(r.last);
    }
    for (const spread_limit& limit : wanted.group->limits) hash.add(static_cast<int>(limit.level)).add(limit.count);
    q_.add_models_to_hash(hash);
    return hash.value();
  }

  /// Keeps a proof if it is the one that takes the domain below what is needed.
  void prove(known& in, pod_count bound, const domain_refusal& proof) const {
    if (in.bound >= q_.wanted().needed && bound < q_.wanted().needed) in.proof = proof;
  }
  /// No more than `most` pods, whichever they are: every pod has the price 1.
  void prove_by_count(known& in, pod_count most) {
    const auto sets = static_cast<std::uint32_t>(q_.wanted().sets.size());
    const auto first = static_cast<std::uint32_t>(space_.prices.size());
    space_.prices.insert(space_.prices.end(), sets, 1);
    prove(in, most, {{}, when_, proof_kind::prices, 0, most, q_.wanted().needed, first, sets, 0});
  }
  void prove_by_prices(known& in, pod_count bound, price supply) {
    if (in.bound < q_.wanted().needed || bound >= q_.wanted().needed) return;
    const mix& problem = space_.sites.problem();
    const auto& prices = space_.search.proof;
    allowance& may = space_.may;
    allow_missing(problem, static_cast<std::uint64_t>(q_.wanted().needed), may);
    const price asked = worth(problem.demand, prices) - dearest_missing(problem.demand, may, prices);
    const auto sets = static_cast<std::uint32_t>(q_.wanted().sets.size());
    const auto first = static_cast<std::uint32_t>(space_.prices.size());
    in.proof = {{}, when_, proof_kind::prices, 0, supply, asked, first, sets, 0};
    for (std::size_t s = 0; s < sets; ++s) {
      const std::uint32_t c = space_.sites.class_of(s);
      space_.prices.push_back(c == site_table<M>::no_class ? 0 : prices[c]);
    }
  }

  domain_end refuse(known& in, pod_count bound) {
    in.bound = std::max<pod_count>(bound, 0);
    in.by = refusal_reason::no_combination;
    if (in.bound < q_.wanted().required_pods()) in.now = state::closed;
    return domain_end::refused;
  }

  Query& q_;
  tense when_;
  search_budget& budget_;
  exact_space<M>& space_;
  std::optional<device_model> new_model_;
  typename M::state_type new_node_{};
  pod_count new_nodes_ = 0;
  std::optional<std::uint32_t> decided_;  // what `next` said last
  bool started_ = false;
  bool resumes_ = false;
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
