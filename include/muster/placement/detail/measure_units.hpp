// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_MEASURE_UNITS_HPP
#define MUSTER_PLACEMENT_DETAIL_MEASURE_UNITS_HPP

/// \file
/// Lists the domains of a level as units and measures each for itself: slots, sums, room under limits, and worth under
/// prices.
///
/// Of a gang that keeps to one device model the measures count the devices of all models, so they refuse less.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/search_budget.hpp>
#include <muster/core/topology.hpp>
#include <muster/placement/certificate.hpp>
#include <muster/placement/detail/counting.hpp>
#include <muster/placement/detail/domain_units.hpp>
#include <muster/placement/detail/mix.hpp>
#include <muster/placement/detail/query.hpp>
#include <muster/placement/detail/sites.hpp>
#include <muster/resource/model.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

/// Makes a unit the one domain of a query. What it finds is of the unit's nodes, whatever the group requires.
template <class Query>
void look_at_unit(Query& q, const domain_unit& unit) {
  q.anywhere = q.by_model = false;
  q.level = unit.level;
  q.first_domain = unit.number;
  q.last_domain = unit.number + 1;
}

/// Pods still to place that are alike: one request, one set of nodes.
struct measured_class {
  std::size_t set = 0;  ///< the first of the pod sets
  pod_count pending = 0, required = 0;
};

template <class Query>
void list_measured_classes(const Query& q, std::vector<measured_class>& out) {
  const auto& sets = q.wanted().sets;
  for (std::size_t s = 0; s < sets.size(); ++s) {
    if (sets[s].pending == 0) continue;
    auto known = std::find_if(out.begin(), out.end(), [&](const measured_class& one) {
      return q.request(s) == q.request(one.set) && q.same_nodes(s, one.set);
    });
    if (known == out.end()) known = out.insert(out.end(), {s, 0, 0});
    known->pending += sets[s].pending;
    known->required += sets[s].required;
  }
}

/// The least of a dimension that enough of the gang takes: the minima, and of the others those that take least.
template <class Query>
[[nodiscard]] amount least_taken(const Query& q, std::span<const measured_class> classes, std::size_t dimension) {
  using M = typename Query::model;
  amount sum = 0;
  pod_count more = q.wanted().needed;
  std::vector<std::pair<amount, pod_count>> others;
  for (const measured_class& one : classes) {
    const amount each = M::amount_needed(q.request(one.set), dimension);
    sum = saturating_add(sum, saturating_multiply(each, one.required));
    more -= one.required;
    others.push_back({each, one.pending - one.required});
  }
  std::sort(others.begin(), others.end());
  for (const auto& [each, pods] : others) {
    const pod_count here = std::clamp<pod_count>(more, 0, pods);
    sum = saturating_add(sum, saturating_multiply(each, here));
    more -= here;
  }
  return sum;
}

/// Measures one unit after another by every cut that needs no search.
template <class Query>
class unit_gauge {
  using M = typename Query::model;

 public:
  explicit unit_gauge(Query& q) : q_{q} {
    list_measured_classes(q, classes_);
    for (const measured_class& one : classes_) asked_.push_back(one.required);
    asked_.push_back(q.wanted().needed);  // by slots, and by room
    asked_.push_back(q.wanted().needed);
    if constexpr (dimensions_of<M> > 0)
      for (std::size_t d = 0; d < dimensions_of<M>; ++d)
        asked_.push_back(M::adds_up(d) ? least_taken(q, classes_, d) : 0);
  }

  /// Takes the unit into the table if it can hold a pod or is pinned; the nodes of it that pods may use lie in
  /// `space.listed` then. False if not.
  bool measure(domain_unit unit, unit_table& table) {
    start(table);
    look_at_unit(q_, unit);
    row_.clear();
    pod_count slots = 0;
    for (const measured_class& one : classes_) {
      q_.reset_room();
      const pod_count all = count_slots(q_.view, tense::now, q_.request(one.set), q_.runs_of(one.set, unit.number),
                                        q_.space.room, max_pods_per_group);
      unit.slots = saturating_add(unit.slots, all);
      row_.push_back(std::min(all, one.pending));
      slots += row_.back();
    }
    if (slots == 0 && !unit.pinned) return false;
    row_.push_back(slots);
    add_sums(unit);
    unit.alike = static_cast<std::uint32_t>(table.units.size());
    table.units.push_back(unit);
    table.pinned += unit.pinned ? 1U : 0U;
    for (std::size_t c = 0; c < row_.size(); ++c) {
      table.cuts[c].held.push_back(row_[c]);
      if (unit.pinned) table.cuts[c].pinned = saturating_add(table.cuts[c].pinned, row_[c]);
    }
    return true;
  }

 private:
  void start(unit_table& table) const {
    if (!table.cuts.empty()) return;
    for (const std::int64_t asked : asked_) table.cuts.push_back({asked, {}, 0});
  }
  void add_sums(const domain_unit& unit) {
    const std::size_t first = row_.size();
    row_.resize(asked_.size(), 0);
    q_.reset_room();
    list_nodes_of_pending(q_, unit.number, tense::now);
    for (const listed_node& node : q_.space.listed) {
      const pod_count room = q_.space.room.room(node.position, q_.wanted().pending);
      if (!q_.space.room.unlimited()) q_.space.room.add(node.position, room);
      row_[first] = saturating_add(row_[first], room);
      if constexpr (dimensions_of<M> > 0)
        for (std::size_t d = 0; d < dimensions_of<M>; ++d) {
          amount& sum = row_[first + 1 + d];
          sum = saturating_add(sum, std::max<amount>(0, M::amount_left(q_.view.now(node.position), d)));
        }
    }
  }

  Query& q_;
  std::vector<measured_class> classes_;
  std::vector<std::int64_t> asked_, row_;
};

/// Adds the cut of prices that refused another set: the worth of each unit's dearest mixes under them. Nothing where
/// the worth is not known.
/// \param prices of the pod sets \param asked the least that enough of the gang is worth
template <class Query>
void add_price_cut(Query& q, std::span<const pod_price> prices, std::int64_t asked, search_budget& budget,
                   unit_table& table) {
  auto& sites = q.space.exact.sites;
  q.space.exact.last = {};  // its sites are lost: no later call goes on from there
  if (table.cuts.size() >= unit_table::most_cuts) return;
  sites.start(q);
  if (sites.too_many_classes()) return;
  std::vector<price> of_class(sites.requests().size(), 0);
  for (std::size_t s = 0; s < prices.size(); ++s)
    if (const std::uint32_t c = sites.class_of(s); c < of_class.size()) of_class[c] = prices[s];
  mix& problem = sites.problem();
  std::vector<price> worth_of_group;  // -1: not known yet
  unit_cut cut{asked, {}, 0};
  for (const domain_unit& unit : table.units) {
    look_at_unit(q, unit);
    if (!sites.lay_out(q, unit.number, tense::now, 0, budget)) return;
    worth_of_group.resize(problem.groups.size(), -1);
    std::int64_t sum = 0;
    for (std::uint32_t g = 0; g < problem.groups.size(); ++g) {
      const site_group group = problem.groups[g];
      if (group.sites == 0) continue;
      if (worth_of_group[g] < 0) {
        budget.spend(1 + group.last - group.first);
        const dear_pattern best = group.listed ? dearest_pattern(problem, group, of_class)
                                               : problem.source->find_dearer(g, of_class, -1, effort::thorough, budget);
        if (budget.out() || best.pattern == dear_pattern::not_kept) return;
        worth_of_group[g] = std::max<price>(0, best.worth);
      }
      sum = saturating_add(sum, saturating_multiply(worth_of_group[g], group.sites));
    }
    cut.held.push_back(sum);
  }
  if (!sites.incomplete()) table.add_cut(std::move(cut));
}

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
