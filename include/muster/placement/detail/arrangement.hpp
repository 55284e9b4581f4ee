// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_ARRANGEMENT_HPP
#define MUSTER_PLACEMENT_DETAIL_ARRANGEMENT_HPP

/// \file
/// Pods of a placement on the nodes of one domain, as mixes that may be exchanged, and what they score.
///
/// The *sites* are the open nodes of the domain that may take pods of the placement. They stand in *cells*: sites of
/// one kind that the spread limits do not tell apart and, where the objective judges the whole set, no level of the
/// topology either. Of the sites of a cell that are empty a search looks at the first only.
///
/// Invariant: the mixes at the sites are hosted there, and together within the spread limits.

#include <muster/cluster/overlay.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/search_budget.hpp>
#include <muster/core/topology.hpp>
#include <muster/placement/answer.hpp>
#include <muster/placement/candidate_scores.hpp>
#include <muster/placement/certificate.hpp>
#include <muster/placement/detail/node_mixes.hpp>
#include <muster/placement/detail/query.hpp>
#include <muster/placement/detail/seating.hpp>
#include <muster/resource/model.hpp>
#include <muster/scoring/score_value.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

template <resource_model M, class Objective>
class arrangement {
 public:
  using mixes = node_mixes<M, Objective>;
  static constexpr bool by_node = mixes::by_node;
  static constexpr std::uint32_t nothing = mixes::nothing;

  struct site {
    std::uint32_t position = 0, kind = 0, cell = 0;
    std::uint32_t mix = nothing;  ///< that sits there
  };
  /// A mix on a node, to be kept while other domains are looked at.
  struct placed_mix {
    std::uint32_t position = 0, mix = 0;
  };

  /// \param sets pod sets of the group that are placed, in the order in which `of` counts them
  arrangement(query<overlay<M>>& q, overlay<M>& on, std::span<const std::uint32_t> sets, mixes& of,
              const Objective& objective, search_budget& budget)
      : q_{q}, on_{on}, sets_{sets}, of_{of}, objective_{objective}, budget_{budget} {
    for (const held_pods& one : q.wanted().held) running_ += one.count;
    if constexpr (by_node) {
      for (const spread_limit& limit : q.wanted().group->limits)
        if (limit.level != node_level) told_apart_.push_back(static_cast<std::size_t>(limit.level));
    } else {
      for (std::size_t l = 0; l < q.view.base().levels().size(); ++l) told_apart_.push_back(l);
    }
    judged_.group = q.wanted().group->id;
  }

  [[nodiscard]] mixes& of() const noexcept { return of_; }
  [[nodiscard]] std::span<const site> sites() const noexcept { return sites_; }
  /// Where each cell begins, and where the last one ends.
  [[nodiscard]] std::span<const std::uint32_t> cells() const noexcept { return cells_; }
  /// Sites that hold pods, in their order.
  [[nodiscard]] const std::vector<std::uint32_t>& used() const noexcept { return used_; }

  /// Lays out the sites of a domain, all of them empty. \complexity O(n log n) for n nodes of the domain
  void lay_out(std::uint32_t domain) {
    q_.reset_room();
    used_.clear();
    total_ = 0;
    if (laid_out_ == domain) {
      for (site& one : sites_) one.mix = nothing;
      return;
    }
    laid_out_ = domain;
    pod_count total = 0;
    for (const pod_count wanted : of_.wanted()) total += wanted;
    sites_.clear();
    list_nodes(q_, sets_, domain, tense::now, q_.space.listed);
    const std::uint64_t all = sets_.size() < 64 ? (std::uint64_t{1} << sets_.size()) - 1 : ~std::uint64_t{0};
    for (const listed_node& node : q_.space.listed) {
      const std::uint32_t p = node.position;
      const pod_count cap = std::min(max_pods_per_node, q_.space.room.room(p, total));
      if (cap <= 0 || (node.may & all) == 0) continue;
      sites_.push_back({p, of_.kind_of(on_.now(p), on_.base().capacity(p), node.may & all, cap), 0, nothing});
    }
    if (domain == own_domain_) {
      number_sites();
      for (const auto& [position, kind] : own_kinds_) sites_[site_at(position)].kind = kind;
    }
    make_cells();
    number_sites();
  }

  /// Puts pods where the seats say; false, and nothing is kept of it, if they are not of this domain.
  /// \pre the domain was just laid out, and the seats are a legal placement
  [[nodiscard]] bool take(std::uint32_t domain, std::span<const seat<M>> seats) {
    for (const seat<M>& one : seats) {
      const std::uint32_t at = site_at(one.position);
      if (at == no_site || !of_.may(sites_[at].kind, set_of(one.pod_set))) return false;
    }
    std::vector<placed_mix> all;
    std::vector<const seat<M>*> order;
    for (const seat<M>& one : seats) order.push_back(&one);
    std::stable_sort(order.begin(), order.end(),
                     [](const seat<M>* a, const seat<M>* b) { return a->position < b->position; });
    for (std::size_t i = 0; i < order.size();) {
      const std::uint32_t position = order[i]->position;
      std::vector<pod_count> counts(sets_.size(), 0);
      std::vector<typename mixes::part> given;
      for (; i < order.size() && order[i]->position == position; ++i) {
        const std::size_t set = set_of(order[i]->pod_set);
        counts[set] += order[i]->count;
        given.push_back({set, order[i]->count, order[i]->grant});
      }
      const std::uint32_t kind = sites_[site_at(position)].kind;
      const typename mixes::seeded here = of_.seed(kind, counts, std::move(given));
      if (here.kind != kind) own_kinds_.push_back({position, here.kind});
      all.push_back({position, here.mix});
    }
    own_domain_ = domain;
    laid_out_ = no_domain;  // kinds changed
    lay_out(domain);
    put(all);
    return true;
  }

  /// Puts mixes that were kept. \pre the domain they are of was just laid out
  void put(std::span<const placed_mix> all) {
    for (const placed_mix& one : all) set(site_at(one.position), one.mix);
    judge();
  }
  [[nodiscard]] std::vector<placed_mix> keep() const {
    std::vector<placed_mix> all;
    for (const std::uint32_t at : used_) all.push_back({sites_[at].position, sites_[at].mix});
    return all;
  }

  /// Whether there are slots enough for each pod set by itself. \complexity O(cells x sets)
  [[nodiscard]] bool has_room() const {
    for (std::size_t set = 0; set < of_.sets(); ++set) {
      pod_count slots = 0;
      for (std::size_t c = 0; c + 1 < cells_.size() && slots < of_.wanted()[set]; ++c)
        slots += of_.alone(sites_[cells_[c]].kind, set) * static_cast<pod_count>(cells_[c + 1] - cells_[c]);
      if (slots < of_.wanted()[set]) return false;
    }
    return true;
  }

  /// Whether the spread limits let an empty site take so many pods.
  [[nodiscard]] bool allows(std::uint32_t at, pod_count pods) const noexcept {
    return q_.space.room.unlimited() || q_.space.room.room(sites_[at].position, pods) >= pods;
  }

  void set(std::uint32_t at, std::uint32_t mix) {
    site& here = sites_[at];
    if (here.mix == mix) return;
    if (!q_.space.room.unlimited()) q_.space.room.add(here.position, of_.pods(mix) - of_.pods(here.mix));
    const auto in_order = std::lower_bound(used_.begin(), used_.end(), at);
    if (here.mix == nothing) used_.insert(in_order, at);
    else if (mix == nothing) used_.erase(in_order);
    if constexpr (by_node) total_ = saturating_add(saturating_add(total_, -of_.gain(here.mix)), of_.gain(mix));
    here.mix = mix;
  }

  /// What the pods score where they sit. \pre of a judgement of the whole set: judged since the last change
  [[nodiscard]] std::int64_t total() const noexcept { return total_; }
  /// Says what that was before changes that were undone.
  void restore_total(std::int64_t total) noexcept { total_ = total; }
  /// Looks at them once more, if the objective judges them together. A step.
  void judge() {
    if constexpr (!by_node) {
      (void)budget_.spend(1);
      write(judged_.seats);
      total_ = judge_seats(judged_.seats);
    }
  }

  /// Scores seats as they are, wherever they come from.
  [[nodiscard]] std::int64_t judge_seats(std::span<const seat<M>> seats)
    requires(!by_node)
  {
    if (judged_.seats.data() != seats.data()) judged_.seats.assign(seats.begin(), seats.end());
    judged_.verdict = verdict::fits;
    judged_.placed = 0;
    const trial_scope<M> scope{on_};
    for (const seat<M>& one : judged_.seats) {
      judged_.placed += one.count;
      on_.charge(one.position, one.grant, one.count);
    }
    const run everywhere{0, on_.size()};
    const candidate_trial<M> trial{on_, *q_.wanted().group, judged_, {&everywhere, 1}, running_};
    return score_value(objective_(trial));
  }

  /// The seats, by pod set and then by position.
  void write(std::vector<seat<M>>& seats) const {
    seats.clear();
    for (const std::uint32_t at : used_)
      for (const auto& part : of_.parts(sites_[at].mix)) {
        seat<M>& one = seats.emplace_back();
        one.node = on_.base().id(sites_[at].position);
        one.grant = part.given;
        one.count = part.count;
        one.position = sites_[at].position;
        one.pod_set = sets_[part.set];
      }
    std::stable_sort(seats.begin(), seats.end(), [](const seat<M>& a, const seat<M>& b) {
      return std::tuple{a.pod_set, a.position} < std::tuple{b.pod_set, b.position};
    });
  }

 private:
  static constexpr std::uint32_t no_site = ~std::uint32_t{0};

  [[nodiscard]] std::size_t set_of(std::uint32_t pod_set) const noexcept {
    return static_cast<std::size_t>(std::lower_bound(sets_.begin(), sets_.end(), pod_set) - sets_.begin());
  }
  [[nodiscard]] std::uint32_t site_at(std::uint32_t position) const noexcept {
    const auto found = std::lower_bound(by_position_.begin(), by_position_.end(), position,
                                        [this](std::uint32_t at, std::uint32_t p) { return sites_[at].position < p; });
    return found == by_position_.end() || sites_[*found].position != position ? no_site : *found;
  }
  [[nodiscard]] bool apart(const site& a, const site& b) const {
    return std::any_of(told_apart_.begin(), told_apart_.end(), [&](std::size_t level) {
      return on_.base().domain_of(a.position, level) != on_.base().domain_of(b.position, level);
    });
  }
  void number_sites() {
    by_position_.resize(sites_.size());
    std::iota(by_position_.begin(), by_position_.end(), std::uint32_t{0});
    std::sort(by_position_.begin(), by_position_.end(),
              [this](std::uint32_t a, std::uint32_t b) { return sites_[a].position < sites_[b].position; });
  }
  void make_cells() {
    std::sort(sites_.begin(), sites_.end(), [this](const site& a, const site& b) {
      if (a.kind != b.kind) return a.kind < b.kind;
      for (const std::size_t level : told_apart_) {
        const std::uint32_t of_a = on_.base().domain_of(a.position, level);
        const std::uint32_t of_b = on_.base().domain_of(b.position, level);
        if (of_a != of_b) return of_a < of_b;
      }
      return a.position < b.position;
    });
    cells_.clear();
    for (std::uint32_t at = 0; at < sites_.size(); ++at) {
      if (at == 0 || sites_[at].kind != sites_[at - 1].kind || apart(sites_[at], sites_[at - 1])) cells_.push_back(at);
      sites_[at].cell = static_cast<std::uint32_t>(cells_.size() - 1);
    }
    cells_.push_back(static_cast<std::uint32_t>(sites_.size()));
  }

  query<overlay<M>>& q_;
  overlay<M>& on_;
  std::span<const std::uint32_t> sets_;
  mixes& of_;
  const Objective& objective_;
  search_budget& budget_;
  pod_count running_ = 0;
  std::vector<std::size_t> told_apart_;  // levels
  std::vector<std::pair<std::uint32_t, std::uint32_t>> own_kinds_;  // position, kind; of one domain
  std::uint32_t own_domain_ = no_domain, laid_out_ = no_domain;
  std::vector<site> sites_;
  std::vector<std::uint32_t> by_position_;  // numbers of the sites
  std::vector<std::uint32_t> cells_, used_;
  std::int64_t total_ = 0;
  placement_answer<M> judged_;
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
