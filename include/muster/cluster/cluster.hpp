// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_CLUSTER_CLUSTER_HPP
#define MUSTER_CLUSTER_CLUSTER_HPP

/// \file
/// The live model of a cluster: nodes, pods, groups and what is left, kept in step by one door, `apply`
/// (cluster/apply.hpp).
///
/// A `snapshot` is a borrowed const view of it at one moment. Any number of threads may read one; `apply`, `forget` and
/// `view` wait until all are given back, or the host copies the cluster. Even `view` changes the model: it settles what
/// changed. After nodes came or were relabelled that costs O(n log n) once; after a change of time O(a + e), for `a`
/// set-asides and `e` nodes that ever closed, went or had a sick device; otherwise nothing. So one thread takes the
/// snapshot and hands copies of it to the others.
///
/// Memory: see `tests/cluster/memory.cpp` for the measured bytes a node and a pod.

#include <muster/cluster/detail/ledger.hpp>
#include <muster/cluster/records.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/core/time.hpp>
#include <muster/node/node.hpp>
#include <muster/core/topology.hpp>
#include <muster/resource/model.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

namespace muster::inline MUSTER_ABI {

template <resource_model M>
class snapshot;

template <resource_model M>
class cluster {
 public:
  using model = M;

  /// An empty cluster with the given levels. \pre levels.size() <= max_levels
  explicit cluster(topology levels = {}) {
    MUSTER_ASSERT(levels.size() <= max_levels);
    books_.shape = std::move(levels);
  }

  /// A view at `now`, valid until the next `apply` or `view`. Windows and set-asides are read at that time.
  /// \pre no earlier snapshot is in use by another thread: this settles the model
  [[nodiscard]] snapshot<M> view(time_point now) {
    books_.advance(now);
    books_.settle();
    return snapshot<M>{books_};
  }
  /// The same at the time of the last view; of the first one, at the beginning of time.
  [[nodiscard]] snapshot<M> view() { return view(books_.time); }

  [[nodiscard]] const topology& levels() const noexcept { return books_.shape; }

  /// The books, for the verbs of this room. Not part of the interface.
  [[nodiscard]] cluster_detail::ledger<M>& books() noexcept { return books_; }
  [[nodiscard]] const cluster_detail::ledger<M>& books() const noexcept { return books_; }

 private:
  cluster_detail::ledger<M> books_;
};

/// A const view of a cluster. Cheap to copy; all queries are const and thread-safe together.
///
/// Nodes are named by *position*: 0 .. size()-1 in the order (kind, topology path, key), nodes that went included
/// (they are not present). Positions hold for one snapshot.
template <resource_model M>
class snapshot {
 public:
  using model = M;
  using state = typename M::state_type;
  using index_type = capacity_index<dimensions_of<M>>;

  explicit snapshot(const cluster_detail::ledger<M>& books) noexcept : books_{&books} {}

  /// The snapshot itself: overlays answer the same call with what they stand on.
  [[nodiscard]] const snapshot& base() const noexcept { return *this; }
  [[nodiscard]] time_point time() const noexcept { return books_->time; }
  /// The greatest revision the model has taken.
  [[nodiscard]] revision latest() const noexcept { return books_->latest; }
  /// Counts changes that took effect; node(position).touched is the tick of a node's last one.
  [[nodiscard]] std::uint64_t tick() const noexcept { return books_->tick; }

  // nodes
  [[nodiscard]] std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(books_->now.size()); }
  /// Position of a node that is present.
  [[nodiscard]] std::optional<std::uint32_t> find(node_id id) const noexcept {
    const std::uint32_t slot = books_->find_node(id);
    if (slot == no_slot || !books_->nodes[slot].present) return std::nullopt;
    return books_->nodes[slot].position;
  }
  [[nodiscard]] const node_record& node(std::uint32_t position) const noexcept {
    return books_->nodes[books_->slot_of[position]];
  }
  [[nodiscard]] node_id id(std::uint32_t position) const noexcept { return node(position).id; }
  [[nodiscard]] kind_id kind(std::uint32_t position) const noexcept { return node(position).kind; }
  [[nodiscard]] bool open(std::uint32_t position) const noexcept { return node(position).open; }
  [[nodiscard]] bool present(std::uint32_t position) const noexcept { return node(position).present; }
  [[nodiscard]] node_state state_of(node_id id) const noexcept {
    const std::uint32_t slot = books_->find_node(id);
    if (slot == no_slot || !books_->nodes[slot].present) return node_state::lost;
    return books_->nodes[slot].open ? node_state::open : node_state::closed;
  }
  [[nodiscard]] const typename M::capacity_type& capacity(std::uint32_t position) const noexcept {
    return books_->capacity[position];
  }
  /// What is left now, set-asides taken out.
  [[nodiscard]] const state& now(std::uint32_t position) const noexcept { return books_->now[position]; }
  /// What is left once every terminating pod has gone.
  [[nodiscard]] const state& later(std::uint32_t position) const noexcept {
    if (node(position).leaving == 0) return now(position);
    return *books_->later.find(books_->slot_of[position]);
  }
  /// The node without pods; `sick_too` as if every device were well.
  [[nodiscard]] state empty(std::uint32_t position, bool sick_too = false) const {
    state left = M::empty_node(capacity(position));
    if (!sick_too) books_->apply_health(books_->slot_of[position], left);
    return left;
  }
  /// Open nodes. \complexity O(levels)
  [[nodiscard]] std::uint32_t open_nodes() const noexcept {
    std::uint32_t sum = 0;
    for (std::size_t level = 0; level < books_->index.leading_level_count(); ++level) sum += population(level);
    return sum;
  }
  /// Whether any known node is closed or lost, or any device sick. \complexity O(levels + nodes with news of devices)
  [[nodiscard]] bool anything_shut() const noexcept {
    if (open_nodes() < size()) return true;
    for (const auto& [slot, more] : books_->extras)
      for (const auto& [device, health] : more.devices)
        if (!health.healthy && health.at > more.gone_at) return true;
    return false;
  }
  /// Sick devices of a node, by number.
  [[nodiscard]] short_list<std::uint32_t, 8> sick_devices(std::uint32_t position) const {
    short_list<std::uint32_t, 8> sick;
    const node_extras* more = books_->extras.find(books_->slot_of[position]);
    if (more == nullptr) return sick;
    for (const auto& [device, health] : more->devices)
      if (!health.healthy && health.at > more->gone_at) sick.push_back(device);
    return sick;
  }
  /// How many more pods the node may hold of max_pods_per_node. A pod or set-aside that is charged there counts as one.
  [[nodiscard]] pod_count pods_left(std::uint32_t position) const noexcept {
    return max_pods_per_node - node(position).charged;
  }
  /// The same once every terminating pod has gone.
  [[nodiscard]] pod_count pods_left_later(std::uint32_t position) const noexcept {
    return pods_left(position) + node(position).leaving;
  }
  /// Every node may hold at least so many more pods. A bound: it does not rise when pods leave. \complexity O(1)
  [[nodiscard]] pod_count least_pods_left() const noexcept { return max_pods_per_node - books_->most_charged; }
  /// Whether anything is terminating anywhere.
  [[nodiscard]] bool anything_leaving() const noexcept { return !books_->later.empty(); }
  /// What is set aside somewhere, one entry a set-aside with its node's position, in the order of ids: those that hold
  /// capacity, not those that were dropped, are over, or name a node that is not there.
  template <class Visit>
  void visit_set_asides(Visit&& visit) const {
    for (const auto& [id, aside] : books_->asides)
      if (aside.charged) visit(aside.what, books_->nodes[aside.node].position);
  }
  /// The same for those of one group. \complexity O(log a) each, of a that hold something
  template <class Visit>
  void visit_set_asides(group_id group, Visit&& visit) const {
    const auto& all = books_->asides_for;
    for (auto of = all.lower_bound({group, set_aside_id{}}); of != all.end() && of->first == group; ++of) {
      const set_aside_record<M>& aside = books_->asides.find(of->second)->second;
      visit(aside.what, books_->nodes[aside.node].position);
    }
  }
  [[nodiscard]] bool anything_set_aside() const noexcept { return !books_->asides_for.empty(); }
  /// Whether anything is set aside for the group. \complexity O(log a)
  [[nodiscard]] bool anything_set_aside(group_id group) const noexcept {
    const auto first = books_->asides_for.lower_bound({group, set_aside_id{}});
    return first != books_->asides_for.end() && first->first == group;
  }
  /// What would be left now if nothing were set aside. \complexity O(set-asides)
  [[nodiscard]] state unreserved(std::uint32_t position) const {
    state left = now(position);
    visit_set_asides([&](const set_aside<M>& kept, std::uint32_t where) {
      if (where == position) M::release(left, kept.grant);
    });
    return left;
  }
  /// How much of a dimension is set aside on a node: what stands between `now` and a node without set-asides.
  [[nodiscard]] amount set_aside_amount(std::uint32_t position, std::size_t dimension) const
    requires dimensional_model<M>
  {
    return M::amount_left(unreserved(position), dimension) - M::amount_left(now(position), dimension);
  }

  // topology and kinds
  [[nodiscard]] const topology& levels() const noexcept { return books_->shape; }
  [[nodiscard]] std::size_t domains(std::size_t level) const noexcept { return books_->domains.count(level); }
  [[nodiscard]] std::span<const run> domain_runs(std::size_t level, std::uint32_t domain) const noexcept {
    return books_->domains.runs(level, domain);
  }
  [[nodiscard]] std::uint32_t domain_of(std::uint32_t position, std::size_t level) const noexcept {
    return books_->domains.domain_of(node(position).path, level);
  }
  [[nodiscard]] domain_path domain_name(std::size_t level, std::uint32_t domain) const {
    return books_->domains.name(level, domain);
  }
  [[nodiscard]] std::span<const std::pair<kind_id, run>> kinds() const noexcept { return books_->kinds; }
  [[nodiscard]] label_id label(std::uint32_t position, std::size_t level) const noexcept {
    return label_at(books_->domains.path(node(position).path), level);
  }

  // groups and members
  /// The group, or nullptr if it was never seen or is gone.
  [[nodiscard]] const group_record<M>* group(group_id id) const noexcept {
    const std::uint32_t slot = books_->find_group(id);
    return slot == no_slot || !books_->groups[slot].present() ? nullptr : &books_->groups[slot];
  }
  /// The group's record even if only its pods are known, or nullptr.
  [[nodiscard]] const group_record<M>* named_group(group_id id) const noexcept {
    const std::uint32_t slot = books_->find_group(id);
    return slot == no_slot ? nullptr : &books_->groups[slot];
  }
  [[nodiscard]] const pod_record<M>* pod(pod_id id) const noexcept {
    const std::uint32_t slot = books_->find_pod(id);
    return slot == no_slot ? nullptr : &books_->pods[slot];
  }
  /// Every pod that names the group, in no fixed order. \complexity O(members)
  template <class Visit>
  void visit_members(const group_record<M>& group, Visit&& visit) const {
    for (std::uint32_t p = group.first_pod; p != no_slot; p = books_->pods[p].next_in_group)
      if (books_->pods[p].spec_at != never_seen) visit(books_->pods[p]);
  }
  /// Every pod charged to the node, in no fixed order.
  template <class Visit>
  void visit_pods_on(std::uint32_t position, Visit&& visit) const {
    for (std::uint32_t p = node(position).first_pod; p != no_slot; p = books_->pods[p].next_on_node)
      if (books_->pods[p].charged) visit(books_->pods[p]);
  }
  /// Every group that is present, in no fixed order.
  template <class Visit>
  void visit_groups(Visit&& visit) const {
    for (const group_record<M>& group : books_->groups)
      if (group.present()) visit(group);
  }
  /// Node a charged pod runs on.
  [[nodiscard]] std::uint32_t position_of(const pod_record<M>& pod) const noexcept {
    return pod.charged ? books_->nodes[pod.node].position : no_position;
  }
  /// Id of the node a pod is placed on, charged or not.
  [[nodiscard]] node_id node_of(const pod_record<M>& pod) const noexcept {
    return pod.has_place ? books_->nodes[pod.node].id : no_node;
  }
  [[nodiscard]] group_id group_of(const pod_record<M>& pod) const noexcept {
    return pod.group == no_slot ? no_group : books_->groups[pod.group].id;
  }
  /// The group a pod names, or nullptr if it names none, or one that was never seen or is gone. \complexity O(1)
  [[nodiscard]] const group_record<M>* group(const pod_record<M>& pod) const noexcept {
    return pod.group == no_slot || !books_->groups[pod.group].present() ? nullptr : &books_->groups[pod.group];
  }

  // the capacity index, for searches
  [[nodiscard]] const index_type& index() const noexcept { return books_->index; }
  [[nodiscard]] std::uint64_t bits(std::size_t i) const noexcept { return books_->index.bits(i); }
  [[nodiscard]] std::uint32_t population(std::size_t level) const noexcept { return books_->index.population(level); }

 private:
  const cluster_detail::ledger<M>* books_;
};

}  // namespace muster::inline MUSTER_ABI

#endif
