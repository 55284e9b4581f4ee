// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_MORE_NODES_HPP
#define MUSTER_PLACEMENT_DETAIL_MORE_NODES_HPP

/// \file
/// How many more nodes of a shape make a gang fit: exact search with so many new sites, bisected.
///
/// More nodes never hurt, and with as many as pods are needed each pod has one of its own; so the fewest are found in
/// O(log pods) decisions, and if that many do not help, no number does. A limit of a wider level is not counted for the
/// new nodes, whose labels are not known: what is proved then is only that fewer do not do, or that none do.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/search_budget.hpp>
#include <muster/placement/detail/in_domain.hpp>
#include <muster/placement/detail/query.hpp>
#include <muster/placement/rung.hpp>
#include <muster/resource/model.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace muster::inline MUSTER_ABI::placement_detail {

template <class Query>
class node_finder {
  using M = typename Query::model;
  using known = typename exact_space<M>::domain_bound;

 public:
  /// \param refused it is proved that the gang does not fit as it is
  node_finder(Query& q, const typename M::capacity_type& shape, bool refused, search_budget& budget)
      : q_{q},
        model_{model_of<M>(shape)},
        shape_{M::empty_node(shape)},
        fewest_{refused ? 1 : 0},
        search_{q, tense::now, budget} {}

  /// The rung for unlike pods. \pre the shape's device model is tried, too
  [[nodiscard]] rung find() {
    rung best;
    best.kind = rung_kind::more_nodes;
    const pod_count enough = q_.level == node_level ? 1 : q_.wanted().needed;  // a node takes all, or one pod each
    bool unknown = false;
    if (q_.level == node_level) {
      if (q_.wanted().held.empty()) try_new_node(best, unknown);  // members that run stay where they are
    } else {
      for (std::uint32_t d = q_.first_domain; d < q_.last_domain; ++d) {
        const pod_count beat = best.answer == rung_answer::helps ? best.proved - 1 : enough;
        if (beat > 0) try_domain(d, beat, best, unknown);
      }
    }
    if (unknown) {
      best.answer = rung_answer::bounded;
      best.bound = fewest_;
    }
    if (best.answer == rung_answer::helps && limited_above_nodes()) best.answer = rung_answer::bounded;
    if (limited_above_nodes()) best.proved = 0;
    return best;
  }

 private:
  [[nodiscard]] bool limited_above_nodes() const {
    const auto& limits = q_.wanted().group->limits;
    return std::any_of(limits.begin(), limits.end(), [](const spread_limit& one) { return one.level != node_level; });
  }

  [[nodiscard]] domain_end decide(std::uint32_t domain, pod_count nodes) {
    known asked;
    asked.domain = domain;
    asked.bound = max_pods_per_group;
    search_.add_nodes(model_, shape_, nodes);
    return search_.decide(asked, q_.wanted().needed);
  }

  /// One node of its own domain: as no node that is there, only the new one counts.
  void try_new_node(rung& best, bool& unknown) {
    const domain_end end = decide(no_domain, 1);
    unknown = end == domain_end::unknown;
    if (end != domain_end::met) return;
    best.answer = rung_answer::helps;
    best.proved = 1;
    best.bound = fewest_;
    if (fewest_ == 0) best.answer = rung_answer::bounded;  // none may do as well
  }

  void try_domain(std::uint32_t d, pod_count most, rung& best, bool& unknown) {
    const domain_end end = decide(d, most);
    unknown = unknown || end == domain_end::unknown;
    if (end != domain_end::met) return;
    pod_count low = std::min(fewest_, most), high = most;  // `high` do, fewer than `low` do not
    while (low < high) {
      const pod_count middle = low + (high - low) / 2;
      const domain_end here = decide(d, middle);
      if (here == domain_end::unknown) {
        unknown = true;
        break;
      }
      if (here == domain_end::met)
        high = middle;
      else
        low = middle + 1;
    }
    best.answer = rung_answer::helps;
    best.bound = low;
    best.proved = high;
    best.domain = q_.name(d);
  }

  Query& q_;
  std::optional<device_model> model_;
  typename M::state_type shape_;
  pod_count fewest_;
  domain_search<Query> search_;
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
