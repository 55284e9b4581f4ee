// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_SCORING_GANGS_LOST_HPP
#define MUSTER_SCORING_GANGS_LOST_HPP

/// \file
/// What a placement costs those to come: how many gangs of a known mix stop fitting by it.
///
/// A *gang shape* is a number of alike pods that must sit in one domain of a level, and a weight: how often such a gang
/// comes. A domain with S *slots*, the sum over its open nodes of how many such pods fit, holds floor(S / pods) gangs
/// of that shape alone. The *loss* of a change is the sum over the shapes and domains of weight times (gangs before
/// less gangs after); divided by the sum of the weights it is the expected number of gangs that stop fitting, of a
/// shape drawn from the mix. Every shape is counted for itself, and so exactly: two may count the same room.
///
/// Whole gangs alone do not tell a slot lost from none until the last of a gang goes. Placements that lose equally many
/// gangs are told apart by the *parts* they lose: what the same sum is if S / pods is not rounded.
///
/// How often a gang comes is a poor weight by itself: the shapes that fit by the thousand decide, and the last room for
/// a wide gang costs no more than the first. Over how many of its shape fit now (`fitting`, `reweigh`) the loss counts
/// by how little is left; benchmarks/fragmentation measures both.
///
/// To choose among placements of one gang, as a rule one for each domain where it could sit: take the seats on an
/// overlay, ask `lost`, roll back, and keep the placement whose loss is least. A node scorer cannot do this: it does
/// not know where its node stands, and what a slot is worth follows from its whole domain. slot_potential.hpp judges a
/// node by itself.
///
/// Cost, for g shapes, n nodes and d domains of a level: 2 g n + 8 g d bytes, g n counts of pods to begin with, g for
/// each node that changes in the cluster, and g for each node of a placement that is judged. Only the first depends on
/// how large the cluster is. \see the slot is the unit of placement/largest_gang.hpp; that a placement is judged by
/// what others can no longer do is FGD's (fragmentation.hpp)

#include <muster/cluster/overlay.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/topology.hpp>
#include <muster/resource/model.hpp>
#include <muster/scoring/detail/shares.hpp>
#include <muster/scoring/pod_shape.hpp>
#include <muster/scoring/seat_list.hpp>

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI {

template <resource_model M>
struct gang_shape {
  typename M::request_type request{};
  pod_count pods = 1;               ///< that must sit together
  topology_level level = no_level;  ///< in one domain of it; no_level: anywhere
  std::int64_t weight = 0;          ///< 0: counts nothing
};

/// The first thing that is wrong with a mix of gangs. An empty mix is none: nothing is known, and nothing costs.
/// \complexity O(shapes)
template <resource_model M>
[[nodiscard]] constexpr shape_fault check_shapes(std::span<const gang_shape<M>> shapes, const topology& levels) {
  scoring_detail::shape_checker<M> checker{shapes.size()};
  for (const gang_shape<M>& one : shapes) {
    checker.add(one.request, one.weight);
    checker.require(one.pods >= 1 && one.pods <= max_pods_per_group, shape_fault::pods);
    checker.require(one.level == no_level || levels.has(one.level), shape_fault::level);
  }
  return checker.found();
}

/// What a change costs; below 0 what it gains. The least is best: compared by whole gangs, then by parts.
struct gang_loss {
  std::int64_t gangs = 0;        ///< sum of weight times gangs that stop fitting
  std::int64_t thousandths = 0;  ///< the same of parts of gangs, times 1000

  constexpr gang_loss& operator+=(const gang_loss& other) noexcept {
    gangs = saturating_add(gangs, other.gangs);
    thousandths = saturating_add(thousandths, other.thousandths);
    return *this;
  }
  friend constexpr auto operator<=>(const gang_loss&, const gang_loss&) noexcept = default;
};

/// The loss of one domain that goes from some slots to others, for gangs of `pods`, held at the ends of 64 bits; parts
/// rounded toward 0. \pre slots and weight are at least 0, pods at least 1 \complexity O(1)
[[nodiscard]] constexpr gang_loss loss_of(pod_count before, pod_count after, pod_count pods,
                                          std::int64_t weight) noexcept {
  if (after > before) {
    const gang_loss back = loss_of(after, before, pods, weight);
    return {-back.gangs, -back.thousandths};
  }
  return {saturating_multiply(weight, before / pods - after / pods),
          saturating_multiply(weight, saturating_multiply(before - after, 1000)) / pods};
}

/// A loss beside that of other candidates, to be weighed with other scores (total_score): 100 for none or a gain, 0 for
/// the worst of them; by whole gangs, or by parts where not even the worst loses a gang. \complexity O(1)
[[nodiscard]] constexpr std::int64_t gangs_kept_score(const gang_loss& loss, const gang_loss& worst) noexcept {
  const std::int64_t most = worst.gangs > 0 ? worst.gangs : worst.thousandths;
  if (most <= 0) return 100;
  const std::int64_t lost = worst.gangs > 0 ? loss.gangs : loss.thousandths;
  return scoring_detail::share_of(most - std::clamp<std::int64_t>(lost, 0, most), most, 100);
}

/// How many gangs of each shape of a mix every domain has room for, kept in step with a view.
template <resource_model M, shape_acceptance<M> Accepts = accepts_all>
class gang_mix {
 public:
  using model = M;

  /// Knows no cluster before `rebuild`. \pre check_shapes(shapes, levels of the cluster) == shape_fault::none
  /// \complexity O(g log g), allocates
  explicit gang_mix(std::span<const gang_shape<M>> shapes, Accepts accepts = {}) : accepts_{std::move(accepts)} {
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      const gang_shape<M>& one = shapes[i];
      MUSTER_ASSERT(one.pods >= 1);
      shapes_.push_back({prepare<M>(one.request), one.pods, one.weight, i, 0, 0, one.level});
      weight_ += one.weight;
    }
    std::stable_sort(shapes_.begin(), shapes_.end(), [](const entry& a, const entry& b) { return a.level < b.level; });
  }

  /// Sum of all weights.
  [[nodiscard]] std::int64_t weight() const noexcept { return weight_; }

  /// Counts afresh. Needed once, and again where positions or domains may have changed: after nodes came, went or were
  /// relabelled. \complexity O(g n) counts of pods; allocates \exceptions what the acceptance throws
  template <capacity_view View>
  void rebuild(const View& view) {
    nodes_ = view.base().size();
    std::size_t total = 0;
    for (entry& one : shapes_) {
      MUSTER_ASSERT(one.level == no_level || view.base().levels().has(one.level));
      one.first = total;
      one.domains = one.level == node_level ? nodes_
                    : one.level == no_level ? 1
                                            : view.base().domains(static_cast<std::size_t>(one.level));
      total += one.domains;
    }
    slots_.assign(total, 0);
    on_node_.assign(shapes_.size() * nodes_, 0);
    for (std::uint32_t p = 0; p < nodes_; ++p) update(view, p);
  }

  /// Counts a node again, of which something was taken, given back, or that opened or closed.
  /// \pre the view's nodes are those of `rebuild` \complexity O(g) counts of pods
  /// \exceptions what the acceptance throws; allocates nothing
  template <capacity_view View>
  void update(const View& view, std::uint32_t position) {
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      const entry& one = shapes_[i];
      const pod_count now = count(view, one, position);
      std::uint16_t& kept = on_node_[i * nodes_ + position];
      if (const std::uint64_t domain = scoring_detail::domain_key(view, position, one.level); domain < one.domains)
        slots_[one.first + domain] += now - kept;
      kept = static_cast<std::uint16_t>(now);
    }
  }

  /// How many gangs fit, times their weights: the sum over shapes and domains. What `lost` takes away from.
  /// \complexity O(g d)
  [[nodiscard]] std::int64_t fitting() const noexcept {
    std::int64_t sum = 0;
    for (const entry& one : shapes_)
      for (const pod_count slots : domains_of(one))
        sum = saturating_add(sum, saturating_multiply(one.weight, slots / one.pods));
    return sum;
  }
  /// How many gangs of a shape fit, whatever it weighs. \pre shape is an index of the mix \complexity O(g + d)
  [[nodiscard]] std::int64_t fitting(std::size_t shape) const noexcept {
    const entry& one = shapes_[index_of(shape)];
    std::int64_t sum = 0;
    for (const pod_count slots : domains_of(one)) sum = saturating_add(sum, slots / one.pods);
    return sum;
  }

  /// A shape weighs so much from now on; what was counted stays.
  /// \pre shape is an index of the mix, and check_shapes finds no fault in the mix with this weight \complexity O(g)
  void reweigh(std::size_t shape, std::int64_t weight) noexcept {
    entry& one = shapes_[index_of(shape)];
    weight_ += weight - one.weight;
    one.weight = weight;
  }

  /// The slots of a shape, domain by domain in the order of their numbers, of node_level by positions.
  /// \pre shape is an index of the mix \complexity O(g)
  [[nodiscard]] std::span<const pod_count> slots(std::size_t shape) const noexcept {
    return domains_of(shapes_[index_of(shape)]);
  }

  /// What stops fitting if the nodes of these seats become what `after` says: as a rule an overlay on the view counted
  /// last, that took the seats; where it also released victims, their nodes belong to the list. Counts of pods in the
  /// list are not read, and a node may come twice. Changes nothing.
  /// \pre after's nodes are those of `rebuild` \complexity O(g s) counts of pods + O(levels x s log s) for s seats
  /// \exceptions what the acceptance throws; allocates in `space` only \determinism whatever order the seats come in
  template <capacity_view View, seat_list Seats>
  [[nodiscard]] gang_loss lost(const View& after, const Seats& seats, seat_space& space) const {
    auto& nodes = space.nodes;
    nodes.clear();
    for (const auto& seat : seats) nodes.push_back({0, 0, seat.position});
    gang_loss sum;
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      const entry& one = shapes_[i];
      if (i == 0 || one.level != shapes_[i - 1].level) sort_by_domain(after, one.level, nodes);
      if (one.weight == 0) continue;
      for (std::size_t k = 0; k < nodes.size() && nodes[k].key < one.domains;) {
        const std::uint64_t domain = nodes[k].key;
        const pod_count before = slots_[one.first + domain];
        pod_count left = before;
        for (; k < nodes.size() && nodes[k].key == domain; ++k)
          left += count(after, one, nodes[k].position) - on_node_[i * nodes_ + nodes[k].position];
        sum += loss_of(before, left, one.pods, one.weight);
      }
    }
    return sum;
  }

 private:
  struct entry {
    prepared<M> request;
    pod_count pods = 1;
    std::int64_t weight = 0;
    std::size_t index = 0;  // in the caller's list
    std::size_t first = 0, domains = 0;
    topology_level level = no_level;
  };

  [[nodiscard]] std::size_t index_of(std::size_t shape) const noexcept {
    MUSTER_ASSERT(shape < shapes_.size());
    std::size_t at = 0;
    while (shapes_[at].index != shape) ++at;
    return at;
  }

  [[nodiscard]] std::span<const pod_count> domains_of(const entry& one) const noexcept {
    return std::span{slots_}.subspan(one.first, one.domains);
  }

  template <class View>
  [[nodiscard]] pod_count count(const View& view, const entry& one, std::uint32_t position) const {
    const auto& base = view.base();
    const pod_count room = view.pods_left(position);
    if (!base.open(position) || room <= 0 || !accepts_(base.capacity(position), one.index)) return 0;
    return M::count_fitting(view.now(position), one.request, room);
  }

  /// Every node once, domain by domain.
  template <class View>
  static void sort_by_domain(const View& view, topology_level level, std::vector<scoring_detail::keyed_node>& nodes) {
    for (auto& one : nodes) one.key = scoring_detail::domain_key(view, one.position, level);
    std::sort(nodes.begin(), nodes.end(), [](const auto& a, const auto& b) {
      return a.key != b.key ? a.key < b.key : a.position < b.position;
    });
    const auto same = [](const auto& a, const auto& b) { return a.position == b.position; };
    nodes.erase(std::unique(nodes.begin(), nodes.end(), same), nodes.end());
  }

  std::vector<entry> shapes_;  // coarsest level first
  std::int64_t weight_ = 0;
  std::size_t nodes_ = 0;
  std::vector<pod_count> slots_;        // shape by shape, of each its domains
  std::vector<std::uint16_t> on_node_;  // shape by shape, of each its nodes
  [[no_unique_address]] Accepts accepts_;
};

}  // namespace muster::inline MUSTER_ABI

#endif
