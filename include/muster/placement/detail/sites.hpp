// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_SITES_HPP
#define MUSTER_PLACEMENT_DETAIL_SITES_HPP

/// \file
/// From nodes and pod sets to a mix, and back from a choice of patterns to pods on nodes.
///
/// Pod sets that are alike (one request, one set of nodes) are one class. The pattern lists are made once a question; a
/// domain only says how many sites of each it has.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/detail/exact.hpp>
#include <muster/placement/detail/first_prices.hpp>
#include <muster/placement/detail/limited.hpp>
#include <muster/placement/detail/patterns.hpp>
#include <muster/placement/detail/seating.hpp>
#include <muster/placement/detail/spread.hpp>
#include <muster/resource/model.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

/// Pods of one class on one node.
struct class_on_node {
  std::uint32_t position = 0, pod_class = 0;
  pod_count count = 0;
};

template <resource_model M>
class site_table {
 public:
  /// The question the sites stand for.
  [[nodiscard]] mix& problem() noexcept { return problem_; }
  /// Pods that may sit in the domain in all, where a limit of a level around it says so.
  [[nodiscard]] pod_count most_in_all() const noexcept { return most_in_all_; }
  /// Whether a model could not say what a node hosts: a refusal then proves nothing.
  [[nodiscard]] bool incomplete() const noexcept { return patterns_.incomplete(); }
  [[nodiscard]] std::span<const typename M::request_type> requests() const noexcept { return requests_; }
  [[nodiscard]] std::uint32_t class_of(std::size_t pod_set) const noexcept { return class_of_[pod_set]; }
  static constexpr std::uint32_t no_class = ~std::uint32_t{0};
  static constexpr std::size_t most_classes = 64;
  /// Whether the question has more: it is then not to be laid out.
  [[nodiscard]] bool too_many_classes() const noexcept { return first_set_.size() > most_classes; }

  /// Reads the classes of a question. \pre some pods are pending
  template <class Query>
  void start(const Query& q) {
    const auto& sets = q.wanted().sets;
    class_of_.assign(sets.size(), no_class);
    first_set_.clear();
    requests_.clear();
    for (std::size_t s = 0; s < sets.size(); ++s) {
      if (sets[s].pending == 0) continue;
      for (std::uint32_t c = 0; c < first_set_.size() && class_of_[s] == no_class; ++c)
        if (q.request(s) == requests_[c] && q.same_nodes(s, first_set_[c])) class_of_[s] = c;
      if (class_of_[s] != no_class) continue;
      class_of_[s] = static_cast<std::uint32_t>(first_set_.size());
      first_set_.push_back(static_cast<std::uint32_t>(s));
      requests_.push_back(q.request(s));
      if (too_many_classes()) return;
    }
    problem_.clear(first_set_.size());
    for (std::size_t s = 0; s < sets.size(); ++s) {
      if (class_of_[s] == no_class) continue;
      problem_.demand[class_of_[s]] += static_cast<class_count>(sets[s].pending);
      problem_.required[class_of_[s]] += static_cast<class_count>(sets[s].required);
    }
    patterns_.start(requests_, problem_);
    problem_.source = &limited_;
    limited_.start(problem_, patterns_);
  }

  /// Lays out the sites of a domain in a tense; false if there are too many patterns or the budget is out. Where it
  /// shows that fewer than `target` pods can sit, see `most_in_all`, the rest is left.
  template <class Query>
  [[nodiscard]] bool lay_out(Query& q, std::uint32_t domain, tense when, pod_count target, search_budget& budget) {
    for (site_group& group : problem_.groups) group.sites = 0;
    sites_.clear();
    members_.clear();
    q.reset_room(when);
    q.space.listed.clear();
    if (domain != no_domain) list_nodes(q, first_set_, domain, when, q.space.listed);
    const auto total = static_cast<pod_count>(problem_.total());
    most_in_all_ = total;
    const auto& limits = q.wanted().group->limits;
    const bool wider =  // than a node: the members of limited domains must be listed
        std::any_of(limits.begin(), limits.end(), [](const auto& one) { return one.level != node_level; });
    const listing how = wider ? listing::at_once : listing::where_few;
    prices_.start();
    const auto add = [&](listed_node node, pod_count cap, const typename M::state_type& left) {
      const auto list = patterns_.group_of(left, node.may, cap, how, budget);
      if (!list) return false;
      if (gives_nothing(*list)) return true;
      if constexpr (is_additive<M>) prices_.add(left);
      sites_.push_back({node.position, *list, 0, 0});
      return true;
    };
    for (const listed_node node : q.space.listed) {
      const std::uint32_t p = node.position;
      const pod_count cap = std::min(max_pods_per_node, q.space.room.room(p, total));
      if (cap <= 0) continue;
      const bool added = when == tense::now     ? add(node, cap, q.view.now(p))
                         : when == tense::later ? add(node, cap, q.view.later(p))
                                                : add(node, cap, q.view.base().empty(p, when == tense::empty_all));
      if (!added) return false;
    }
    if constexpr (is_additive<M>)
      prices_.write(patterns_.of_node().needs(), patterns_.of_node().asked(), problem_.first);
    if (!bind_limits(q, target)) return false;
    for (const site& one : sites_) ++problem_.groups[one.list].sites;
    return true;
  }

  /// Adds empty nodes that are not there, eligible for all classes that may use their device model, under no limit but
  /// the node's own.
  template <class Query>
  [[nodiscard]] bool add_nodes(const Query& q, std::uint32_t domain, std::optional<device_model> model,
                               const typename M::state_type& empty, pod_count nodes, search_budget& budget) {
    std::uint64_t may = ~std::uint64_t{0};
    for (std::size_t c = 0; c < first_set_.size(); ++c)
      if (!q.takes(first_set_[c], domain, model)) may &= ~(std::uint64_t{1} << c);
    pod_count cap = std::min<pod_count>(max_pods_per_node, static_cast<pod_count>(problem_.total()));
    for (const spread_limit& limit : q.wanted().group->limits)
      if (limit.level == node_level) cap = std::min(cap, limit.count);
    const auto list = patterns_.group_of(empty, may, cap, listing::where_few, budget);
    if (!list) return false;
    problem_.groups[*list].sites += static_cast<std::uint32_t>(nodes);
    most_in_all_ = static_cast<pod_count>(problem_.total());
    return true;
  }

  /// Says where a choice puts its pods: never more of a class than are asked. Alike sites are filled in order.
  template <class Emit>
  void seat(std::span<const pattern_choice> choice, Emit&& emit) {
    left_ = problem_.demand;
    queue_sites();
    for (const pattern_choice& part : choice) {
      for (std::uint32_t n = 0; n < part.sites && next_[part.group] < queue_.size(); ++n) {
        const site& one = sites_[queue_[next_[part.group]]];
        if (one.list != part.group) break;
        ++next_[part.group];
        give(one, part.pattern, emit);
      }
    }
  }

 private:
  /// A node, or a domain made of the sites members_[first .. last-1].
  struct site {
    std::uint32_t position = 0;  ///< the node, or any node of the domain
    std::uint32_t list = 0;
    std::uint32_t first = 0, last = 0;
  };

  /// Lines the sites up list by list; next_ is the first of each list that is not filled.
  void queue_sites() {
    queue_.resize(sites_.size());
    std::iota(queue_.begin(), queue_.end(), std::uint32_t{0});
    std::sort(queue_.begin(), queue_.end(), [this](std::uint32_t a, std::uint32_t b) {
      return sites_[a].list != sites_[b].list ? sites_[a].list < sites_[b].list : a < b;
    });
    next_.assign(problem_.groups.size(), static_cast<std::uint32_t>(queue_.size()));
    for (std::size_t i = queue_.size(); i-- > 0;) next_[sites_[queue_[i]].list] = static_cast<std::uint32_t>(i);
  }

  [[nodiscard]] bool gives_nothing(std::uint32_t list) const noexcept {
    const site_group& group = problem_.groups[list];
    if (!group.listed || group.last - group.first != 1) return false;
    const auto counts = problem_.pattern(group.first);
    return std::all_of(counts.begin(), counts.end(), [](class_count n) { return n == 0; });
  }

  /// Makes sites of the domains whose limits bind, finest level first; false if one is too large to be priced.
  template <class Query>
  [[nodiscard]] bool bind_limits(Query& q, pod_count target) {
    const auto& limits = q.wanted().group->limits;
    for (int level = static_cast<int>(max_levels) - 1; level >= 0; --level)
      for (const spread_limit& limit : limits)
        if (static_cast<int>(limit.level) == level) {
          sort_by_domain(q, static_cast<std::size_t>(level));
          if (most_in_all_ < target) return true;
          if (!bind_level(q, static_cast<std::size_t>(level))) return false;
        }
    return true;
  }

  /// Sorts the sites by their domains of a level and counts what each of these takes at most.
  template <class Query>
  void sort_by_domain(Query& q, std::size_t level) {
    const auto& base = q.view.base();
    const auto domain = [&](const site& one) { return base.domain_of(one.position, level); };
    std::sort(sites_.begin(), sites_.end(), [&](const site& a, const site& b) {
      return std::tuple{domain(a), a.list, a.position} < std::tuple{domain(b), b.list, b.position};
    });
    if (incomplete()) return;
    const pod_count total = most_in_all_;
    pod_count sum = 0;
    for (std::size_t i = 0; i < sites_.size() && sum < total;) {
      pod_count here = 0;
      const std::size_t first = i;
      for (; i < sites_.size() && domain(sites_[i]) == domain(sites_[first]); ++i)
        here = std::min(total, here + static_cast<pod_count>(limited_.domains().most_pods(sites_[i].list)));
      const bool limited = domain(sites_[first]) != no_domain;
      sum += limited ? q.space.room.room_from(level, sites_[first].position, here) : here;
    }
    most_in_all_ = std::min(sum, total);
  }

  template <class Query>
  [[nodiscard]] bool bind_level(Query& q, std::size_t level) {
    const auto& base = q.view.base();
    const auto total = static_cast<pod_count>(problem_.total());
    const auto domain = [&](const site& one) { return base.domain_of(one.position, level); };
    bound_.clear();
    for (std::size_t i = 0; i < sites_.size();) {
      std::size_t end = i;
      std::size_t most = 0;
      for (; end < sites_.size() && domain(sites_[end]) == domain(sites_[i]); ++end)
        most += limited_.domains().most_pods(sites_[end].list);
      const pod_count cap = q.space.room.room_from(level, sites_[i].position, total);
      if (domain(sites_[i]) == no_domain || most <= static_cast<std::size_t>(cap) || end - i == 1) {
        bound_.insert(bound_.end(), sites_.begin() + static_cast<std::ptrdiff_t>(i),
                     sites_.begin() + static_cast<std::ptrdiff_t>(end));
      } else if (end - i == sites_.size()) {
        most_in_all_ = std::min(most_in_all_, cap);  // no more than that, wherever they sit
        return true;
      } else {
        lists_.clear();
        for (std::size_t k = i; k < end; ++k) lists_.push_back(sites_[k].list);
        const std::uint32_t list = limited_.domains().group_of(lists_, cap);
        if (limited_.domains().numbers(list) > domain_worth::most_numbers) return false;
        const auto first = static_cast<std::uint32_t>(members_.size());
        members_.insert(members_.end(), sites_.begin() + static_cast<std::ptrdiff_t>(i),
                        sites_.begin() + static_cast<std::ptrdiff_t>(end));
        bound_.push_back({sites_[i].position, list, first, static_cast<std::uint32_t>(members_.size())});
      }
      i = end;
    }
    sites_ = bound_;  // not swapped: each keeps its memory for the next call
    return true;
  }

  /// Says where what is still asked of a pattern goes, down to the nodes.
  template <class Emit>
  void give(const site& whole, std::uint32_t pattern, Emit&& emit) {
    const auto give_to = [&](std::uint32_t position, std::span<const class_count> counts) {
      for (std::uint32_t c = 0; c < counts.size(); ++c) {
        const class_count here = std::min(counts[c], left_[c]);
        left_[c] -= here;
        if (here > 0) emit(class_on_node{position, c, static_cast<pod_count>(here)});
      }
    };
    if (whole.first == whole.last) return give_to(whole.position, problem_.pattern(pattern));
    nodes_.clear();
    add_nodes_of(whole);
    const auto spread = limited_.split(whole.list, pattern);
    const std::size_t classes = problem_.classes();
    for (std::size_t n = 0; n < nodes_.size(); ++n) give_to(nodes_[n], spread.subspan(n * classes, classes));
  }
  void add_nodes_of(const site& one) {
    if (one.first == one.last) nodes_.push_back(one.position);
    for (std::uint32_t m = one.first; m < one.last; ++m) add_nodes_of(members_[m]);
  }

  mix problem_;
  pattern_builder<M> patterns_;
  limited_domains limited_;
  first_prices<M> prices_;
  std::vector<std::uint32_t> class_of_;
  std::vector<std::uint32_t> first_set_;  // of each class
  std::vector<typename M::request_type> requests_;
  std::vector<site> sites_, members_, bound_;
  std::vector<class_count> left_;
  std::vector<std::uint32_t> queue_, next_, lists_;
  std::vector<std::uint32_t> nodes_;  // of one domain, by position
  pod_count most_in_all_ = 0;
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
