// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_CLUSTER_OVERLAY_HPP
#define MUSTER_CLUSTER_OVERLAY_HPP

/// \file
/// What-if on top of a snapshot: take, give back, save, roll back.
///
/// An overlay answers what a snapshot answers about what is left and set aside, with its own changes in. It keeps only
/// what differs: the states of touched nodes and the words of the index they move in. What a node was at a savepoint is
/// journalled when it first changes after it; `rollback` undoes to a savepoint by moves backwards, so afterwards the
/// overlay answers every query as if the changes had never been, but for the bound `least_pods_left`, which may stay
/// lower. Savepoints nest: roll back or commit the newest first.
///
/// \complexity every operation O(dimensions + levels crossed) expected, memory O(nodes changed x savepoints); nothing
///         depends on the number of nodes there are. Visiting set-asides: besides O(log d) for each, of d dropped here
/// \see Kubernetes 1.37 (a group is simulated on the snapshot, and every change reverted at the end)

#include <muster/cluster/change.hpp>
#include <muster/cluster/cluster.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/core/patch_map.hpp>
#include <muster/core/storage.hpp>
#include <muster/resource/model.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace muster::inline MUSTER_ABI {

template <resource_model M>
class overlay {
 public:
  using model = M;
  using state = typename M::state_type;
  using grant_type = typename M::grant_type;
  using index_type = typename snapshot<M>::index_type;

  /// A moment to come back to.
  struct savepoint {
    std::size_t journal_length = 0;
    std::size_t dropped = 0;
  };

  explicit overlay(snapshot<M> base) : base_{base} { reset(base); }

  /// Starts afresh on another snapshot, keeping the memory. \complexity O(changes so far)
  void reset(snapshot<M> base) {
    base_ = base;
    nodes_.clear();
    words_.clear();
    journal_.clear();
    kept_.clear();
    dropped_.clear();
    are_dropped_.clear();
    saved_ = 0;
    shift_.fill(0);
    most_pods_added_ = 0;
  }

  [[nodiscard]] const snapshot<M>& base() const noexcept { return base_; }
  [[nodiscard]] std::uint32_t size() const noexcept { return base_.size(); }
  [[nodiscard]] const index_type& index() const noexcept { return base_.index(); }
  [[nodiscard]] const state& now(std::uint32_t position) const noexcept {
    const both* changed = nodes_.find(position);
    return changed != nullptr ? changed->now : base_.now(position);
  }
  [[nodiscard]] const state& later(std::uint32_t position) const noexcept {
    const both* changed = nodes_.find(position);
    return changed != nullptr ? changed->later : base_.later(position);
  }
  [[nodiscard]] pod_count pods_left(std::uint32_t position) const noexcept {
    const both* changed = nodes_.find(position);
    return base_.pods_left(position) - (changed != nullptr ? changed->pods : 0);
  }
  [[nodiscard]] pod_count pods_left_later(std::uint32_t position) const noexcept {
    const both* changed = nodes_.find(position);
    return base_.pods_left_later(position) - (changed != nullptr ? changed->pods_later : 0);
  }
  [[nodiscard]] pod_count least_pods_left() const noexcept { return base_.least_pods_left() - most_pods_added_; }
  [[nodiscard]] std::uint64_t bits(std::size_t i) const noexcept {
    const std::uint64_t* changed = words_.find(static_cast<std::uint32_t>(i));
    return changed != nullptr ? *changed : base_.bits(i);
  }
  [[nodiscard]] std::uint32_t population(std::size_t level) const noexcept {
    return base_.population(level) + shift_[level];
  }

  /// As of a snapshot, without those that were dropped here.
  template <class Visit>
  void visit_set_asides(Visit&& visit) const {
    base_.visit_set_asides([&](const set_aside<M>& kept, std::uint32_t position) {
      if (!was_dropped(kept.id)) visit(kept, position);
    });
  }
  template <class Visit>
  void visit_set_asides(group_id group, Visit&& visit) const {
    base_.visit_set_asides(group, [&](const set_aside<M>& kept, std::uint32_t position) {
      if (!was_dropped(kept.id)) visit(kept, position);
    });
  }

  /// Takes room for up to `limit` alike pods; how many the grant covers. \complexity O(1) expected
  pod_count take(std::uint32_t position, const typename M::request_type& request, pod_count limit, grant_type& grant) {
    state trial = now(position);
    const pod_count count = M::allocate(trial, request, limit, grant);
    if (count > 0) charge(position, grant, count);
    return count;
  }

  /// Takes exactly this grant, now and later, for so many pods.
  void charge(std::uint32_t position, const grant_type& grant, pod_count pods = 1) {
    change(position, [&](both& left) {
      M::charge(left.now, grant);
      M::charge(left.later, grant);
      left.pods += pods;
      left.pods_later += pods;
      most_pods_added_ = std::max(most_pods_added_, left.pods);
    });
  }

  /// Gives a grant back, now and later, of so many pods.
  void release(std::uint32_t position, const grant_type& grant, pod_count pods = 1) {
    change(position, [&](both& left) {
      M::release(left.now, grant);
      M::release(left.later, grant);
      left.pods -= pods;
      left.pods_later -= pods;
    });
  }

  /// What if this pod were gone: gives back what it holds. Nothing happens if it holds nothing.
  void vacate(const pod_record<M>& pod) {
    if (!pod.charged) return;
    const bool leaving = pod.phase == phase::terminating;
    change(base_.position_of(pod), [&](both& left) {
      M::release(left.now, pod.grant);
      --left.pods;
      if (leaving) return;
      M::release(left.later, pod.grant);
      --left.pods_later;
    });
  }

  /// Takes back a `vacate`. \pre the pod was vacated here, and not put back since
  void reinstate(const pod_record<M>& pod) {
    if (!pod.charged) return;
    const bool leaving = pod.phase == phase::terminating;
    change(base_.position_of(pod), [&](both& left) {
      M::charge(left.now, pod.grant);
      ++left.pods;
      if (leaving) return;
      M::charge(left.later, pod.grant);
      ++left.pods_later;
    });
  }

  /// What if this set-aside were dropped: gives back what it holds. \pre it is visited; the visit may do this
  /// \complexity besides O(those dropped here with a greater id)
  void drop(const set_aside<M>& kept, std::uint32_t position) {
    dropped_.push_back(kept.id);
    are_dropped_.insert(kept.id);
    release(position, kept.grant);
  }

  /// The moment now. It may be come back to, again and again, until the overlay is rolled back past it or reset.
  [[nodiscard]] savepoint save() noexcept {
    saved_ = journal_.size();
    return {saved_, dropped_.size()};
  }

  /// Undoes every change since `to`. \complexity O(nodes changed since, a node once for each savepoint between)
  void rollback(savepoint to) {
    MUSTER_ASSERT(to.journal_length <= journal_.size() && to.dropped <= dropped_.size());
    while (journal_.size() > to.journal_length) {
      const entry last = journal_.back();
      both& left = *nodes_.find(last.position);
      const both before = last.kept == nothing_kept ? in_base(last.position) : kept_[last.kept];
      reindex(last.position, left.now, before.now);
      left = before;
      journal_.pop_back();
      if (last.kept != nothing_kept) kept_.resize(last.kept);
    }
    saved_ = to.journal_length;
    for (; dropped_.size() > to.dropped; dropped_.pop_back()) are_dropped_.erase(dropped_.back());
    if (journal_.empty()) most_pods_added_ = 0;
  }

  /// Keeps the changes since `to`: a rollback to an earlier savepoint still undoes them, one to `to` no longer
  /// exists. The journal is kept, since an earlier savepoint may stand at the same moment; `reset` lets go of it.
  void commit([[maybe_unused]] savepoint to) const noexcept { MUSTER_ASSERT(to.journal_length <= journal_.size()); }

 private:
  [[nodiscard]] bool was_dropped(set_aside_id id) const noexcept {
    return are_dropped_.find(id) != are_dropped_.end();
  }

  struct both {
    state now{}, later{};
    pod_count pods = 0, pods_later = 0;  ///< more than in the base
    std::size_t journaled = 0;           ///< how long the journal was with this node's last entry in it; 0: it has
                                         ///< none, and the node is as in the base
  };
  /// Of a node that changed, and where to find what it was.
  struct entry {
    std::uint32_t position, kept;
  };
  static constexpr std::uint32_t nothing_kept = ~std::uint32_t{0};  // it was as in the base
  struct own_words {
    overlay& on;
    [[nodiscard]] std::uint64_t& at(std::size_t i) {
      return on.words_.at(static_cast<std::uint32_t>(i), on.base_.bits(i));
    }
  };

  [[nodiscard]] both in_base(std::uint32_t position) const noexcept {
    return {base_.now(position), base_.later(position), 0, 0, 0};
  }

  template <class Change>
  void change(std::uint32_t position, Change&& how) {
    both& left = nodes_.at(position, in_base(position));
    if (left.journaled <= saved_) {  // nobody comes back to a moment between two changes that no savepoint parts
      const bool keep = left.journaled > 0;
      if (keep) kept_.push_back(left);
      journal_.push_back({position, keep ? static_cast<std::uint32_t>(kept_.size() - 1) : nothing_kept});
      left.journaled = journal_.size();
    }
    const state before = left.now;
    how(left);
    reindex(position, before, left.now);
  }

  void reindex(std::uint32_t position, const state& before, const state& after) {
    if (!base_.open(position)) return;
    if constexpr (dimensions_of<M> > 0) {
      typename index_type::levels from{}, to{};
      for (std::size_t d = 0; d < dimensions_of<M>; ++d) {
        from[d] = index().level_of(M::amount_left(before, d), d);
        to[d] = index().level_of(M::amount_left(after, d), d);
      }
      if (from == to) return;
      --shift_[from[0]];
      ++shift_[to[0]];
      own_words words{*this};
      index().move_in(words, position, from, to);
    }
  }

  snapshot<M> base_;
  patch_map<both> nodes_;
  patch_map<std::uint64_t> words_;
  std::vector<entry> journal_;            // a node once after each savepoint
  std::vector<both> kept_;                // what nodes were that had changed before
  std::size_t saved_ = 0;                 // how long the journal was at the last savepoint that may be come back to
  std::vector<set_aside_id> dropped_;     // in the order in which they were
  sorted_set<set_aside_id> are_dropped_;  // the same
  pod_count most_pods_added_ = 0;         // to one node
  std::array<std::uint32_t, index_type::leading_levels> shift_{};  ///< added to the populations, modulo 2^32
};

/// Changes to an overlay for the length of a scope: rolled back at its end, however it is left.
template <resource_model M>
class trial_scope {
 public:
  explicit trial_scope(overlay<M>& on) noexcept : on_{on}, before_{on.save()} {}
  ~trial_scope() { on_.rollback(before_); }
  trial_scope(const trial_scope&) = delete;
  trial_scope& operator=(const trial_scope&) = delete;

 private:
  overlay<M>& on_;
  typename overlay<M>::savepoint before_;
};

/// What a search needs of a cluster: a snapshot, or an overlay on one.
template <class V>
concept capacity_view = requires(const V& view, std::uint32_t position, std::size_t i) {
  typename V::model;
  { view.base() } -> std::convertible_to<const snapshot<typename V::model>&>;
  { view.now(position) } -> std::convertible_to<const typename V::model::state_type&>;
  { view.later(position) } -> std::convertible_to<const typename V::model::state_type&>;
  { view.bits(i) } -> std::convertible_to<std::uint64_t>;
  { view.population(i) } -> std::convertible_to<std::uint32_t>;
  { view.pods_left(position) } -> std::convertible_to<pod_count>;
  { view.pods_left_later(position) } -> std::convertible_to<pod_count>;
  { view.least_pods_left() } -> std::convertible_to<pod_count>;
};

}  // namespace muster::inline MUSTER_ABI

#endif
