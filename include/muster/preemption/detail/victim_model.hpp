// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PREEMPTION_DETAIL_VICTIM_MODEL_HPP
#define MUSTER_PREEMPTION_DETAIL_VICTIM_MODEL_HPP

/// \file
/// The choice of victims as a choice of one state for each node.
///
/// A unit that has pods on one useful node alone is paid for in the states of that node; one on several is paid for
/// once, and a *link* ties it to each of its nodes. Nodes with the same states, of the same units, are one here. Useful is a node that could take a pod of the gang if everybody who
/// may be evicted were gone. Required levels within the nodes, limits of wider levels and device models are left out:
/// the model then promises too much, never too little. A gang of many pod sets has no states, and so no bound.

#include <muster/cluster/cluster.hpp>
#include <muster/cluster/overlay.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/eligibility.hpp>
#include <muster/preemption/detail/node_states.hpp>
#include <muster/preemption/detail/preemptor.hpp>
#include <muster/preemption/victim_unit.hpp>
#include <muster/resource/model.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace muster::inline MUSTER_ABI::preemption_detail {

inline constexpr std::uint32_t no_link = ~std::uint32_t{0};

/// A unit that is paid for once, and one of the nodes it lives on.
struct unit_link {
  std::uint32_t unit = 0, node = 0;
};

template <resource_model M>
class victim_model {
 public:
  state_list list;                         ///< states of the model's nodes, node by node
  std::vector<std::uint32_t> first_state;  ///< of each node, and one behind the last
  std::vector<std::int32_t> alike;         ///< how many nodes a node stands for: same states, same units
  std::vector<std::uint32_t> link_of;      ///< of each entry of `list.units`; none: it is paid for in the state
  std::vector<unit_link> links;            ///< node by node
  std::vector<std::uint32_t> shared;       ///< units with links, ascending
  std::vector<std::uint32_t> first_alone, units_alone;  ///< units that live on one node alone, node by node
  std::vector<std::uint8_t> in_states;     ///< of each unit: whether states tell all that its eviction is good for
  std::vector<std::uint8_t> matters;       ///< of each unit: whether evicting it may be of use

  [[nodiscard]] std::size_t nodes() const noexcept { return first_state.size() - 1; }

  /// Of a unit on several nodes: which of `links` are its.
  [[nodiscard]] std::span<const std::uint32_t> links_of(std::uint32_t unit) const noexcept {
    return std::span{links_}.subspan(first_link_[unit], first_link_[unit + 1] - first_link_[unit]);
  }
  /// Units that live on a node alone and are in some state of it.
  [[nodiscard]] std::span<const std::uint32_t> alone(std::uint32_t node) const noexcept {
    return std::span{units_alone}.subspan(first_alone[node], first_alone[node + 1] - first_alone[node]);
  }

  /// Reads who holds what on which node: once for all builds. \complexity O(p log p) for p pods of units
  void index(const snapshot<M>& base, const victim_units<M>& units) {
    held_.clear();
    for (std::size_t u = 0; u < units.units.size(); ++u)
      for (const pod_record<M>* pod : units.pods_of(units.units[u]))
        held_.push_back({base.position_of(*pod), static_cast<std::uint32_t>(u), &pod->grant});
    std::sort(held_.begin(), held_.end(), [](const held& x, const held& y) {
      if (x.position != y.position) return x.position < y.position;
      return x.unit != y.unit ? x.unit < y.unit : x.grant < y.grant;
    });
    units_ = units.units.size();
    grants_.clear();
    for (const held& one : held_) grants_.push_back(one.grant);
  }
  /// Forgets states. \param live of each, whether it stays \complexity O(list)
  void keep_states(std::span<const std::uint8_t> live) {
    std::size_t kept = 0, kept_units = 0, s = 0;
    for (std::size_t node = 0; node < nodes(); ++node) {
      const std::size_t last = first_state[node + 1];
      first_state[node] = static_cast<std::uint32_t>(kept);
      for (; s < last; ++s) {
        if (live[s] == 0) continue;
        state_list::state moved = list.states[s];
        for (std::size_t e = moved.first_unit, to = kept_units; e < moved.first_unit + moved.units; ++e, ++to) {
          list.units[to] = list.units[e];
          link_of[to] = link_of[e];
        }
        moved.first_unit = static_cast<std::uint32_t>(kept_units);
        kept_units += moved.units;
        std::copy_n(list.pods.begin() + static_cast<std::ptrdiff_t>(s * list.sets), list.sets,
                    list.pods.begin() + static_cast<std::ptrdiff_t>(kept * list.sets));
        list.states[kept++] = moved;
      }
    }
    first_state.back() = static_cast<std::uint32_t>(kept);
    list.states.resize(kept);
    list.pods.resize(kept * list.sets);
    list.units.resize(kept_units);
    link_of.resize(kept_units);
  }
  /// Calls with every unit that has a pod inside, once for each pod. \pre index
  template <class Visit>
  void visit_units(std::span<const run> inside, const Visit& visit) const {
    for (const run& one : inside)
      for (std::size_t h = first_held(one.first); h < held_.size() && held_[h].position < one.last; ++h)
        visit(held_[h].unit);
  }

  /// \param view nobody evicted yet \param inside the nodes that count \param ranks of the units: their costs
  /// \param additive whether the cost of units is the sum of their costs \param steps that states may take
  /// \pre index \return steps spent
  template <class Filter>
  std::uint64_t build(const overlay<M>& view, std::span<const run> inside, const preemptor<M>& gang,
                      const Filter& filter, std::span<const std::int64_t> ranks, bool additive, std::uint64_t steps) {
    const bool listed = gang.sets.size() <= most_sets;
    gather(inside);
    keep_useful(view, gang, filter);
    list.clear(gang.sets.size());
    first_state.assign(1, 0);
    alike.clear();
    first_alone.assign(1, 0);
    units_alone.clear();
    links.clear();
    bucket_.assign(std::bit_ceil(useful_.size() + 1), nobody);
    next_in_bucket_.clear();
    link_of.clear();
    requests_.clear();
    waiting_.clear();
    for (const asked_set& set : gang.sets) {
      requests_.push_back(gang.group->pod_sets[set.pod_set].request);
      waiting_.push_back(set.waiting);
    }
    lister_.start(requests_, waiting_, gang.most_on_node, additive, steps);
    for (const useful_node& node : useful_) {
      if (!listed) break;
      residents_.clear();
      for (std::size_t h = node.first, next = h; h < node.last; h = next) {
        while (next < node.last && held_[next].unit == held_[h].unit) ++next;
        resident<M> made;
        made.unit = held_[h].unit;
        made.local = nodes_of_[made.unit] == 1;
        made.cost = made.local ? ranks[made.unit] : 0;
        made.grants = std::span{grants_}.subspan(h, next - h);
        residents_.push_back(made);
      }
      allow(view, gang, filter, node.position);
      const std::size_t before = list.states.size();
      lister_.list(view.now(node.position), may_, residents_, list);
      if (list.states.size() > before && !merge(before)) link(static_cast<std::uint32_t>(nodes()));
    }
    shared.clear();
    in_states.assign(units_, 0);
    for (const std::uint32_t unit : list.units) in_states[unit] = 1;
    matters = in_states;
    for (const std::uint32_t unit : lister_.dropped()) {
      matters[unit] = 1;
      in_states[unit] = 0;  // it is taken for gone somewhere: its states do not tell all
    }
    for (const useful_node& node : useful_)
      if (!listed || view.pods_left(node.position) < gang.waiting)  // a place among a node's pods is of use, too
        for (std::size_t h = node.first; h < node.last; ++h) {
          matters[held_[h].unit] = 1;
          in_states[held_[h].unit] = 0;
        }
    for (const unit_link& one : links) shared.push_back(one.unit);
    std::sort(shared.begin(), shared.end());
    shared.erase(std::unique(shared.begin(), shared.end()), shared.end());
    index_links();
    return lister_.steps();
  }

 private:
  struct held {
    std::uint32_t position = 0, unit = 0;
    const typename M::grant_type* grant = nullptr;
  };
  struct useful_node {
    std::uint32_t position = 0;
    std::size_t first = 0, last = 0;  // of `held_`
  };

  template <class Filter>
  void allow(const overlay<M>& view, const preemptor<M>& gang, const Filter& filter, std::uint32_t position) {
    may_.assign(gang.sets.size(), 0);
    const snapshot<M>& base = view.base();
    if (!base.open(position) || is_outside(filter, position)) return;
    for (std::size_t k = 0; k < may_.size(); ++k)
      may_[k] = filter(*gang.group, gang.sets[k].pod_set, base.kind(position)) == eligible_node ? 1 : 0;
  }
  [[nodiscard]] std::size_t first_held(std::uint32_t position) const noexcept {
    return static_cast<std::size_t>(
        std::lower_bound(held_.begin(), held_.end(), position,
                         [](const held& one, std::uint32_t p) { return one.position < p; }) -
        held_.begin());
  }
  /// The nodes inside, and what is held on each.
  void gather(std::span<const run> inside) {
    useful_.clear();
    for (const run& one : inside) {
      std::size_t h = first_held(one.first);
      for (std::uint32_t p = one.first; p < one.last; ++p) {
        useful_node node{p, h, h};
        while (node.last < held_.size() && held_[node.last].position == p) ++node.last;
        h = node.last;
        useful_.push_back(node);
      }
    }
  }
  template <class Filter>
  void keep_useful(const overlay<M>& view, const preemptor<M>& gang, const Filter& filter) {
    nodes_of_.assign(units_, 0);
    std::erase_if(useful_, [&](const useful_node& node) {
      allow(view, gang, filter, node.position);
      if (std::find(may_.begin(), may_.end(), 1) == may_.end()) return true;
      typename M::state_type left = view.now(node.position);
      for (std::size_t h = node.first; h < node.last; ++h) M::release(left, *held_[h].grant);
      for (std::size_t k = 0; k < may_.size(); ++k)
        if (may_[k] != 0 && M::fits(left, gang.group->pod_sets[gang.sets[k].pod_set].request)) return false;
      return true;
    });
    for (const useful_node& node : useful_)
      for (std::size_t h = node.first; h < node.last; ++h)
        if (h == node.first || held_[h].unit != held_[h - 1].unit) ++nodes_of_[held_[h].unit];
  }
  /// Counts a node, whose states stand last in the list, to one that has the same; false: there is none so far.
  bool merge(std::size_t first) {
    std::uint32_t& bucket = bucket_[list.hash(first) & (bucket_.size() - 1)];
    for (std::uint32_t node = bucket; node != nobody; node = next_in_bucket_[node]) {
      if (!list.repeats(first, first_state[node], first_state[node + 1])) continue;
      ++alike[node];
      list.cut(first);
      return true;
    }
    next_in_bucket_.push_back(bucket);
    bucket = static_cast<std::uint32_t>(nodes());
    return false;
  }
  /// Ties the units of a node's states that live elsewhere too to it, and closes its list.
  void link(std::uint32_t node) {
    const std::size_t first_link = links.size(), alone_here = units_alone.size();
    for (std::size_t s = first_state.back(); s < list.states.size(); ++s)
      for (const std::uint32_t unit : list.units_of(list.states[s])) {
        if (nodes_of_[unit] == 1) {
          link_of.push_back(no_link);
          if (std::find(units_alone.begin() + static_cast<std::ptrdiff_t>(alone_here), units_alone.end(), unit) ==
              units_alone.end())
            units_alone.push_back(unit);
          continue;
        }
        std::size_t l = first_link;
        while (l < links.size() && links[l].unit != unit) ++l;
        if (l == links.size()) links.push_back({unit, node});
        link_of.push_back(static_cast<std::uint32_t>(l));
      }
    first_state.push_back(static_cast<std::uint32_t>(list.states.size()));
    first_alone.push_back(static_cast<std::uint32_t>(units_alone.size()));
    alike.push_back(1);
  }
  void index_links() {
    first_link_.assign(units_ + 1, 0);
    for (const unit_link& one : links) ++first_link_[one.unit + 1];
    for (std::size_t u = 0; u < units_; ++u) first_link_[u + 1] += first_link_[u];
    links_.resize(links.size());
    next_ = first_link_;
    for (std::uint32_t l = 0; l < links.size(); ++l) links_[next_[links[l].unit]++] = l;
  }

  static constexpr std::uint32_t nobody = ~std::uint32_t{0};
  static constexpr std::size_t most_sets = 32;  // of more no states are listed: every unit on a useful node matters

  std::vector<held> held_;  // by node and unit
  std::vector<const typename M::grant_type*> grants_;  // of these
  state_lister<M> lister_;
  std::size_t units_ = 0;
  std::vector<useful_node> useful_;
  std::vector<std::uint32_t> nodes_of_;  // of each unit, useful ones
  std::vector<std::uint32_t> first_link_, links_, next_;  // links, unit by unit
  std::vector<std::uint32_t> bucket_, next_in_bucket_;    // nodes by their states
  std::vector<std::uint8_t> may_;
  std::vector<resident<M>> residents_;
  std::vector<typename M::request_type> requests_;
  std::vector<pod_count> waiting_;
};

}  // namespace muster::inline MUSTER_ABI::preemption_detail

#endif
