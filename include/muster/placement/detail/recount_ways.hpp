// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_RECOUNT_WAYS_HPP
#define MUSTER_PLACEMENT_DETAIL_RECOUNT_WAYS_HPP

/// \file
/// The most that the nodes of a domain are worth at a price a pod, counted again.
///
/// A *way* is how many pods of each kind a node, or a domain, hosts at once. Fewer pods are hosted wherever more are,
/// so of one kind the most will do, and only ways that are within no other matter: under a limit on the number of pods
/// any part of them may be taken. Without limits of wider domains a node's dearest way is all that counts; else the
/// ways of a domain are the sums of its nodes', cut to its limit, from the finest level up. What is equal for the
/// question (the same left, the same pods allowed, the same room) is counted once.
///
/// There may be very many such sums. So a bound is counted first that keeps only the number of pods of each and what it
/// is worth at most (recount_numbers.hpp). That is never too little, and most often tells enough.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/topology.hpp>
#include <muster/placement/certificate.hpp>
#include <muster/placement/detail/recount.hpp>
#include <muster/placement/detail/recount_numbers.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/pod_group.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

/// What counting the ways of all refusals of a certificate may take: hostings asked and ways compared.
inline constexpr std::uint64_t most_recount_steps = std::uint64_t{1} << 27U;

template <resource_model M, class Filter>
class recounted_ways {
 public:
  /// \param steps what was taken so far; is added to
  recounted_ways(const recount<M, Filter>& books, const pod_group<M>& group, const recounted_domain& in, tense when,
                 std::span<const pod_price> prices, std::uint64_t& steps)
      : books_{books}, in_{in}, when_{when}, steps_{steps} {
    std::vector<std::size_t> dearest_first(prices.size());
    std::iota(dearest_first.begin(), dearest_first.end(), std::size_t{0});
    std::stable_sort(dearest_first.begin(), dearest_first.end(),
                     [&](std::size_t a, std::size_t b) { return prices[a] > prices[b]; });
    for (const std::size_t s : dearest_first) {
      const pod_count pending = books.demand(when).pending[s];
      if (prices[s] <= 0 || pending <= 0) continue;
      kind one{s, prices[s], pending, {}};
      for (const std::uint32_t p : in.nodes) one.may.push_back(books.may(s, p, in));
      const auto known = std::find_if(kinds_.begin(), kinds_.end(), [&](const kind& other) {
        return other.price == one.price && group.pod_sets[other.set].request == group.pod_sets[s].request &&
               other.may == one.may;
      });
      if (known != kinds_.end()) {
        known->pending += pending;
        continue;
      }
      kinds_.push_back(std::move(one));
      requests_.push_back(group.pod_sets[s].request);
      prices_.push_back(prices[s]);
    }
  }

  /// No less than what the nodes are worth together, found without listing sums; nothing if even that takes too much.
  /// It may be more where a domain has room for more pods of a kind than there are.
  [[nodiscard]] std::optional<std::int64_t> bound_on_worth() {
    std::vector<numbered> of;
    std::map<std::size_t, numbered> known;  // by the ways of a node
    for (std::size_t i = 0; i < in_.nodes.size(); ++i) {
      const auto left = books_.left(in_.nodes[i], when_);
      if (!left) continue;
      const std::size_t all = ways_at(i, *left);
      if (too_dear_) return std::nullopt;
      const auto [at, is_new] = known.try_emplace(all);
      if (is_new)
        for (const way& one : ways_[all]) at->second.worth.offer(one, prices_);
      of.push_back({in_.nodes[i], at->second.worth});
    }
    for (const topology_level level : books_.wider_limits()) {
      const auto at = [&](const numbered& one) { return books_.domain_at(one.position, level); };
      std::stable_sort(of.begin(), of.end(), [&](const numbered& a, const numbered& b) { return at(a) < at(b); });
      std::size_t kept = 0;
      for (std::size_t i = 0; i < of.size(); ++i) {
        const auto room = books_.room(level, of[i].position, when_);
        if (room) of[i].worth.cut(*room);
        if (kept == 0 || !room || at(of[kept - 1]) != at(of[i])) {
          if (kept++ != i) of[kept - 1] = std::move(of[i]);
          continue;
        }
        const std::uint64_t pairs = (of[kept - 1].worth.pods() + 1) * (of[i].worth.pods() + 1);
        if (pairs > most_pairs || !step(pairs)) return std::nullopt;
        of[kept - 1].worth.add(of[i].worth, *room);
      }
      of.resize(kept);
    }
    std::int64_t sum = 0;
    for (const numbered& one : of) sum = saturating_add(sum, one.worth.most());
    return sum;
  }
  /// The most that the nodes are worth together; nothing if that takes too many steps or ways.
  [[nodiscard]] std::optional<std::int64_t> most_worth() {
    std::vector<hosted> of;
    for (std::size_t i = 0; i < in_.nodes.size() && !too_dear_; ++i)
      if (const auto left = books_.left(in_.nodes[i], when_)) of.push_back({in_.nodes[i], ways_at(i, *left)});
    for (const topology_level level : books_.wider_limits()) {
      const bool last = level == books_.wider_limits().back();
      const auto at = [&](const hosted& one) { return books_.domain_at(one.position, level); };
      std::sort(of.begin(), of.end(), [&](const hosted& a, const hosted& b) { return at(a) < at(b); });
      std::vector<hosted> after;
      for (std::size_t i = 0, end = 0; i < of.size(); i = end) {
        std::vector<std::size_t> members;
        for (end = i; end < of.size() && at(of[end]) == at(of[i]); ++end) members.push_back(of[end].ways);
        if (const auto room = books_.room(level, of[i].position, when_))
          after.push_back({of[i].position, ways_of(std::move(members), *room, level, last)});
        else
          after.insert(after.end(), of.begin() + static_cast<std::ptrdiff_t>(i),
                       of.begin() + static_cast<std::ptrdiff_t>(end));
      }
      of = std::move(after);
    }
    if (too_dear_) return std::nullopt;
    std::vector<std::int64_t> worth;
    for (const ways& all : ways_) worth.push_back(most_of(all));
    std::int64_t sum = 0;
    for (const hosted& one : of) sum = saturating_add(sum, worth[one.ways]);
    return sum;
  }
  /// Else the model could not say of some ways whether a node hosts them, and they are counted.
  [[nodiscard]] bool sure() const noexcept { return sure_; }

 private:
  using state = typename M::state_type;
  using way = std::vector<pod_count>;  // one count a kind
  using ways = std::vector<way>;
  static constexpr std::size_t most_ways = std::size_t{1} << 16U;  // of one node or domain
  static constexpr std::uint64_t most_pairs = std::uint64_t{1} << 24U;  // of numbers of pods, when two are added

  /// Pods that are counted alike: of one request and one price, allowed on the same nodes.
  struct kind {
    std::size_t set;  // the first such pod set
    pod_price price;
    pod_count pending;
    std::vector<bool> may;  // in the order of the domain's nodes
  };
  struct hosted {  // by a node, or by a domain that one of its nodes stands for
    std::uint32_t position;
    std::size_t ways;  // in ways_
  };
  struct numbered {  // the same by numbers of pods
    std::uint32_t position = 0;
    worth_by_number worth{};
  };
  struct known_node {
    state left;
    std::size_t ways;  // in ways_
  };

  [[nodiscard]] std::int64_t worth_of(const way& one) const {
    std::int64_t sum = 0;
    for (std::size_t k = 0; k < kinds_.size(); ++k) sum += kinds_[k].price * one[k];
    return sum;
  }
  [[nodiscard]] std::int64_t most_of(const ways& all) const {
    std::int64_t most = 0;
    for (const way& one : all) most = std::max(most, worth_of(one));
    return most;
  }
  [[nodiscard]] bool step(std::uint64_t taken = 1) {
    steps_ += taken;
    too_dear_ = too_dear_ || steps_ > most_recount_steps;
    return !too_dear_;
  }

  // ---- one node

  [[nodiscard]] std::size_t ways_at(std::size_t i, const state& left) {
    const pod_count room = books_.node_room(in_.nodes[i], when_);
    std::vector<std::int64_t> key{room};
    for (const kind& one : kinds_) key.push_back(one.may[i] ? 1 : 0);
    for (std::size_t d = 0; d < dimensions_of<M>; ++d)
      if constexpr (dimensions_of<M> > 0) key.push_back(M::amount_left(left, d));
    auto& alike = nodes_[std::move(key)];
    for (const known_node& known : alike)
      if (known.left == left) return known.ways;
    alike.push_back({left, ways_.size()});
    ways_.push_back(list_ways(i, left, room));
    return alike.back().ways;
  }

  /// The ways of a node that are within no other; without wider limits the dearest alone.
  [[nodiscard]] ways list_ways(std::size_t i, const state& left, pod_count room) {
    listing on{left, way(kinds_.size(), 0), way(kinds_.size(), 0), {}, room, 0, {way(kinds_.size(), 0)}};
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
      if (!kinds_[k].may[i]) continue;
      on.alone[k] = M::count_fitting(left, requests_[k], std::min(kinds_[k].pending, room));
      if (on.alone[k] > 0) on.order.push_back(k);
    }
    // the kind of which most pods sit is not tried number by number
    std::stable_sort(on.order.begin(), on.order.end(),
                     [&](std::size_t a, std::size_t b) { return on.alone[a] < on.alone[b]; });
    choose(on, 0, room, 0);
    if (!books_.wider_limits().empty()) keep_maximal(on.made);
    return std::move(on.made);
  }
  struct listing {
    const state& left;
    way counts, alone;  // so far; of each kind with nothing else around
    std::vector<std::size_t> order;
    pod_count room;
    std::int64_t best;
    ways made;
  };
  void choose(listing& on, std::size_t i, pod_count room, std::int64_t worth) {
    const bool dearest_only = books_.wider_limits().empty();
    if (i == on.order.size()) {
      if (dearest_only && worth <= on.best) return;
      on.best = worth;
      if (dearest_only) on.made.clear();
      on.made.push_back(on.counts);
      if (on.made.size() > 2 * most_ways) keep_maximal(on.made);
      return;
    }
    const std::size_t k = on.order[i];
    const pod_price each = kinds_[k].price;
    std::int64_t others = 0;  // no more than this beside it
    for (std::size_t next = i + 1; next < on.order.size(); ++next)
      others += kinds_[on.order[next]].price * on.alone[on.order[next]];
    pod_count here = most_beside(on, k, std::min(on.alone[k], room), i == 0);
    const pod_count least = i + 1 == on.order.size() ? here : 0;
    for (; here >= least && !too_dear_; --here) {
      if (dearest_only && worth + here * each + others <= on.best) break;
      on.counts[k] = here;
      choose(on, i + 1, room - here, worth + here * each);
    }
    on.counts[k] = 0;
  }
  /// How many pods of a kind, up to `most`, the node hosts beside those chosen. \param alone there are none
  [[nodiscard]] pod_count most_beside(listing& on, std::size_t k, pod_count most, bool alone) {
    if (alone) return most;
    pod_count least = 0;
    for (pod_count trial = most; least < most; trial = least + divide_up(most - least, 2)) {
      on.counts[k] = trial;
      const hosting answer = muster::hosts<M>(on.left, std::span<const typename M::request_type>{requests_},
                                              std::span<const pod_count>{on.counts}, ignore_grants{}, steps_);
      sure_ = sure_ && answer != hosting::unknown;
      if (answer == hosting::no) most = trial - 1;
      else least = trial;
      if (!step(0)) return 0;
    }
    return least;
  }

  // ---- a domain with a limit

  /// The sums of its members' ways, each of no more pods than there is room for. \param last no wider level is limited
  [[nodiscard]] std::size_t ways_of(std::vector<std::size_t> members, pod_count room, topology_level level, bool last) {
    std::sort(members.begin(), members.end());
    std::vector<std::int64_t> key{static_cast<std::int64_t>(level), room};
    for (const std::size_t member : members) key.push_back(static_cast<std::int64_t>(member));
    const auto [known, is_new] = domains_.try_emplace(std::move(key), ways_.size());
    if (!is_new) return known->second;
    ways sums{way(kinds_.size(), 0)};
    for (const std::size_t member : members) {
      ways both;
      for (const way& ours : sums)
        for (const way& theirs : ways_[member]) {
          if (!step()) break;
          way& sum = both.emplace_back(ours);
          for (std::size_t k = 0; k < sum.size(); ++k)
            sum[k] = std::min({sum[k] + theirs[k], kinds_[k].pending, room});
          if (both.size() > 2 * most_ways) keep_maximal(both);
        }
      keep_maximal(both);
      sums = std::move(both);
    }
    ways cut;
    for (way& one : sums) {
      if (std::accumulate(one.begin(), one.end(), pod_count{0}) <= room) cut.push_back(std::move(one));
      else if (last) cut.push_back(dearest_of(one, room));
      else cut_to(one, 0, room, cut);
    }
    if (!last) keep_maximal(cut);
    ways_.push_back(std::move(cut));
    return known->second;
  }
  /// The dearest pods of a way that there is room for.
  [[nodiscard]] way dearest_of(const way& all, pod_count room) const {
    way some(all.size(), 0);
    for (std::size_t k = 0; k < all.size(); ++k) room -= some[k] = std::min(all[k], room);
    return some;
  }
  /// Every part of a way of exactly `room` pods, from kind k on.
  void cut_to(way& one, std::size_t k, pod_count room, ways& to) {
    if (!step()) return;
    if (k == one.size()) {
      if (room == 0) to.push_back(one);
      if (to.size() > 2 * most_ways) keep_maximal(to);
      return;
    }
    const pod_count all = one[k];
    const pod_count after = std::accumulate(one.begin() + static_cast<std::ptrdiff_t>(k) + 1, one.end(), pod_count{0});
    for (pod_count here = std::max<pod_count>(0, room - after); here <= std::min(all, room); ++here) {
      one[k] = here;
      cut_to(one, k + 1, room - here, to);
    }
    one[k] = all;
  }

  /// Leaves those that are within no other. Too many of them are too dear.
  void keep_maximal(ways& all) {
    std::sort(all.begin(), all.end(), std::greater<>{});
    all.erase(std::unique(all.begin(), all.end()), all.end());
    ways kept;
    for (way& one : all) {
      const bool within = std::any_of(kept.rbegin(), kept.rend(), [&](const way& other) {
        ++steps_;
        return std::equal(one.begin(), one.end(), other.begin(), std::less_equal<>{});
      });
      if (!step()) return;
      if (!within) kept.push_back(std::move(one));
    }
    all = std::move(kept);
    too_dear_ = too_dear_ || all.size() > most_ways;
  }

  const recount<M, Filter>& books_;
  const recounted_domain& in_;
  tense when_;
  std::uint64_t& steps_;
  std::vector<kind> kinds_;                         // dearest first
  std::vector<typename M::request_type> requests_;  // of the kinds
  std::vector<pod_price> prices_;                   // of the kinds
  std::vector<ways> ways_;                          // of nodes and domains that differ
  std::map<std::vector<std::int64_t>, std::vector<known_node>> nodes_;
  std::map<std::vector<std::int64_t>, std::size_t> domains_;
  bool sure_ = true, too_dear_ = false;
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
