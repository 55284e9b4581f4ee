// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PREEMPTION_DETAIL_POD_PREEMPTION_HPP
#define MUSTER_PREEMPTION_DETAIL_POD_PREEMPTION_HPP

/// \file
/// Kubernetes' preemption of a single pod, as section 7.8 has it: victims node by node, then a choice among the nodes.
///
/// A node is tried by itself: of a unit with pods elsewhere only those here leave the overlay, since nothing is looked
/// at elsewhere. Who is evicted is the whole unit all the same.

#include <muster/cluster/cluster.hpp>
#include <muster/cluster/overlay.hpp>
#include <muster/cluster/records.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/time.hpp>
#include <muster/placement/answer.hpp>
#include <muster/placement/eligibility.hpp>
#include <muster/placement/set_asides.hpp>
#include <muster/placement/verify.hpp>
#include <muster/preemption/detail/preemption_call.hpp>
#include <muster/preemption/preempt_options.hpp>
#include <muster/preemption/victim_plan.hpp>
#include <muster/preemption/victim_unit.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/pod_group.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI::preemption_detail {

/// How many nodes with victims are enough to choose among, of so many nodes that could be tried.
[[nodiscard]] constexpr std::size_t enough_candidates(std::size_t nodes) noexcept {
  return std::min(nodes, std::max<std::size_t>(100, nodes / 10));
}

/// What evicting the victims of a node does, as far as nodes are chosen by it. Victims count as pods, so a group weighs
/// by its pods.
struct node_toll {
  std::int64_t violations = 0;
  std::int32_t highest = std::numeric_limits<std::int32_t>::min();  ///< priority
  std::uint64_t sum = 0;       ///< of priority + 2^31: below 2^32 each, and there are fewer than 2^32 pods
  std::uint64_t pods = 0;
  time_point started = end_of_time;  ///< the first of those of the highest priority

  template <resource_model M>
  void add(const victim_unit<M>& unit, std::uint32_t violating) {
    violations += violating;
    if (unit.priority > highest) started = end_of_time;
    highest = std::max(highest, unit.priority);
    if (unit.priority == highest) started = std::min(started, unit.started);
    sum += static_cast<std::uint64_t>(std::int64_t{unit.priority} + (std::int64_t{1} << 31)) * unit.pods;
    pods += unit.pods;
  }
  /// Whether the node of the first is to be chosen, whatever their order.
  [[nodiscard]] friend bool operator<(const node_toll& a, const node_toll& b) noexcept {
    return std::tie(a.violations, a.highest, a.sum, a.pods, b.started) <
           std::tie(b.violations, b.highest, b.sum, b.pods, a.started);
  }
};

/// One call of preempt_pod.
template <resource_model M, class Group, class Options>
class pod_preemption : preemption_call<M, Group, Options> {
  using call = preemption_call<M, Group, Options>;
  using call::end, call::group_, call::on_, call::options_, call::space_, call::spec, call::view_;

 public:
  pod_preemption(const snapshot<M>& view, const Group& group, preempt_space<M>& space, const Options& options)
      : call{view, group, space, options} {}

  void answer() {
    if (!this->known()) return;
    if (space_.gang.waiting == 0) return end(preemption_outcome::not_needed, preemption_reason::none);
    if (space_.gang.waiting > 1) return this->refuse(preemption_outcome::invalid, refusal_reason::group_fault);
    const trial_scope<M> scope{on_};
    give_set_asides(on_, space_.plan.group);
    if (fits_already()) return;
    if (spec().preemption == preemption_policy::never)
      return end(preemption_outcome::none, preemption_reason::policy_never, true);
    if (this->waits_for_victims([&](std::uint32_t position) { return may_sit(position); }))
      return end(preemption_outcome::wait, preemption_reason::victims_terminating);
    this->list_lower_units();
    if (space_.units.units.empty()) return end(preemption_outcome::none, preemption_reason::no_units, true);
    list_units_by_node();
    try_nodes();
    if (!space_.plan.evicts()) end(preemption_outcome::none, preemption_reason::still_too_full);
  }

 private:
  [[nodiscard]] std::uint32_t pod_set() const { return static_cast<std::uint32_t>(space_.gang.sets.front().pod_set); }
  [[nodiscard]] const auto& request() const { return spec().pod_sets[pod_set()].request; }

  /// Whether the rule seats the pod as things stand: then where it does, in the first domain in which it does.
  bool fits_already() {
    bool found = false;
    this->try_domains([&](std::span<const run> nodes) {
      std::vector<seat<M>> seats;
      if (found || !this->seat_by_rule(nodes, seats)) return found;
      space_.plan.seats = std::move(seats);
      end(preemption_outcome::not_needed, preemption_reason::none);
      return found = true;
    });
    return found;
  }

  /// Whether nothing keeps the pod from the node but what is counted there: evictions may resolve that.
  [[nodiscard]] bool may_sit(std::uint32_t position) const {
    return view_.open(position) && !is_outside(options_.filter, position) &&
           options_.filter(spec(), pod_set(), view_.kind(position)) == eligible_node;
  }
  [[nodiscard]] bool fits_on(std::uint32_t position) const {
    return on_.pods_left(position) > 0 && M::fits(on_.now(position), request());
  }

  /// The units of each node, by importance.
  void list_units_by_node() {
    const auto& of = space_.units;
    std::vector<std::uint32_t> order(of.units.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), this->by_importance(of));
    units_on_.clear();
    for (std::uint32_t rank = 0; rank < order.size(); ++rank)
      for (const pod_record<M>* pod : of.pods_of(of.units[order[rank]]))
        units_on_.push_back({view_.position_of(*pod), rank, order[rank]});
    std::sort(units_on_.begin(), units_on_.end());
    units_on_.erase(std::unique(units_on_.begin(), units_on_.end()), units_on_.end());
  }

  /// Tries the nodes on which the pod fails now, round a ring, until there are enough to choose among.
  void try_nodes() {
    std::vector<std::uint32_t> nodes;
    for (std::uint32_t p = 0; p < view_.size(); ++p)
      if (may_sit(p) && !fits_on(p)) nodes.push_back(p);
    const std::size_t enough = enough_candidates(nodes.size());
    std::size_t found = 0;
    bool one_keeps_budgets = false;
    for (std::size_t i = 0; i < nodes.size() && !(one_keeps_budgets && found >= enough); ++i) {
      const std::int64_t violations = try_node(nodes[(options_.ring_start % nodes.size() + i) % nodes.size()]);
      if (violations == no_room) continue;
      ++found;
      one_keeps_budgets = one_keeps_budgets || violations == 0;
    }
  }

  /// Makes this node's plan, and keeps it if it is better than those before. \return its violations, or no_room
  std::int64_t try_node(std::uint32_t position) {
    victim_units<M> here;  // by importance, so that their budgets are counted as if there were no others
    const auto at = std::lower_bound(units_on_.begin(), units_on_.end(), std::tuple{position, 0U, 0U});
    for (auto u = at; u != units_on_.end() && std::get<0>(*u) == position; ++u) {
      const victim_unit<M>& unit = space_.units.units[std::get<2>(*u)];
      here.add(unit, space_.units.pods_of(unit));
    }
    const trial_scope<M> scope{on_};
    const auto move_those_here = [&](const victim_unit<M>& unit, auto&& move) {
      for (const pod_record<M>* pod : here.pods_of(unit))
        if (view_.position_of(*pod) == position) move(*pod);
    };
    const auto vacate = [&](const pod_record<M>& pod) { on_.vacate(pod); };
    for (const victim_unit<M>& unit : here.units) move_those_here(unit, vacate);
    if (!fits_on(position) || !is_legal(seat_on(position))) return no_room;

    std::vector<std::uint32_t> order(here.units.size());
    std::iota(order.begin(), order.end(), 0U);
    this->put_violating_first(here, order);
    node_toll toll;
    std::vector<std::uint32_t> out;
    for (const std::uint32_t u : order) {
      move_those_here(here.units[u], [&](const pod_record<M>& pod) { on_.reinstate(pod); });
      if (fits_on(position)) continue;
      move_those_here(here.units[u], vacate);
      toll.add(here.units[u], space_.violating[u]);
      out.push_back(u);
    }
    if (!space_.plan.evicts() || toll < least_) keep(here, out, seat_on(position), toll);
    return toll.violations;
  }
  /// What the pod is given on a node. \pre it fits there
  [[nodiscard]] seat<M> seat_on(std::uint32_t position) {
    const trial_scope<M> scope{on_};
    seat<M> one;
    one.count = on_.take(position, request(), 1, one.grant);
    one.node = view_.id(position);
    one.position = position;
    one.pod_set = pod_set();
    return one;
  }
  [[nodiscard]] bool is_legal(const seat<M>& one) const {
    return verify(on_, group_, std::span<const seat<M>>{&one, 1}, options_.filter).holds();
  }
  void keep(const victim_units<M>& here, std::vector<std::uint32_t>& out, seat<M> where, const node_toll& toll) {
    std::sort(out.begin(), out.end(),
              [&](std::uint32_t a, std::uint32_t b) { return here.units[a].first < here.units[b].first; });
    space_.plan.victims.clear();
    for (const std::uint32_t u : out) space_.plan.victims.add(here.units[u], here.pods_of(here.units[u]));
    space_.plan.seats.assign(1, std::move(where));
    space_.plan.violations = toll.violations;
    end(preemption_outcome::evict, preemption_reason::none);
    least_ = toll;
  }

  static constexpr std::int64_t no_room = -1;
  std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> units_on_;  // position, rank, unit; ascending
  node_toll least_;
};

}  // namespace muster::inline MUSTER_ABI::preemption_detail

#endif
