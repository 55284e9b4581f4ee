// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_SPREAD_SEARCH_HPP
#define MUSTER_PLACEMENT_DETAIL_SPREAD_SEARCH_HPP

/// \file
/// The best division of a gang within one domain: a knapsack on the tree.
///
/// Two pods that share a domain are nearer, by the height between it and its parent, than two that do not. So the sum
/// of all distances is least where *closeness*, the sum over all domains of that height times the pairs of pods in
/// them, is greatest. A domain's closeness depends on how many pods it gets and on nothing else outside it: the best it
/// can do with k units, for every k, follows from the same of its children, taken in one after the other. Worths
/// compare by fewest domains of a level (where that is asked), greatest closeness, fewest leaves, fewest slots on those
/// leaves: all four are sums over domains, so the best of the whole has the best parts.
///
/// A unit is what a domain is filled with: a slice, a part of one, or a pod. Of equally good ones the last domain in
/// order takes the least, then the one before it, and so on.
///
/// Steps: taking in a child costs the product of the units that it and those before it may take. With all layers as
/// they are, that is at most d times the square of the units of the gang, and far less where domains are small. What is
/// kept between them is at most 32 bytes a step, as a rule a small part of that.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/detail/descend.hpp>
#include <muster/placement/detail/slice_rooms.hpp>
#include <muster/placement/division.hpp>
#include <muster/placement/division_space.hpp>
#include <muster/placement/domain_tree.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

using division_worth = division_space::worth;

[[nodiscard]] constexpr division_worth added(const division_worth& a, const division_worth& b) noexcept {
  return {a.closeness + b.closeness, a.slots + b.slots, a.domains + b.domains, a.leaves + b.leaves};
}
[[nodiscard]] constexpr bool is_better(const division_worth& a, const division_worth& b) noexcept {
  if (a.domains != b.domains) return a.domains < b.domains;
  if (a.closeness != b.closeness) return a.closeness > b.closeness;
  return a.leaves != b.leaves ? a.leaves < b.leaves : a.slots < b.slots;
}

/// After two lists were swapped: with equal capacities the next call need not grow either.
template <class T>
void level_out(std::vector<T>& a, std::vector<T>& b) {
  a.reserve(b.capacity());
  b.reserve(a.capacity());
}

class spread_search {
 public:
  /// \param scope the domain that holds all pods \param count_level whether domains of the wish's level are counted
  spread_search(const dividing& on, tree_index scope, bool count_level) noexcept
      : on_{on}, scope_{scope}, count_level_{count_level} {}

  /// Finds the best division; false if it takes more than `budget` steps, which are then not all taken.
  /// \pre on.holds_all(scope); at most 2^28 pods
  [[nodiscard]] bool run(std::uint64_t budget) {
    budget_ = budget;
    list_parts();
    on_.space.values.clear();
    on_.space.choices.clear();
    bool enough = true;
    for (std::size_t i = on_.space.parts.size(); enough && i-- > 0;)
      enough = on_.tree[on_.space.parts[i].domain].is_leaf() ? value_leaf(i) : value_parent(i);
    for (std::size_t f = 0; f < 2; ++f) level_out(on_.space.before[f], on_.space.merged[f]);
    return enough;
  }
  [[nodiscard]] std::uint64_t steps() const noexcept { return steps_; }
  /// What the best division is worth; its closeness is the sum of all distances, negative. \pre run
  [[nodiscard]] division_worth best() const noexcept {
    const part& whole = on_.space.parts[0];
    division_worth worth =
        on_.space.values[whole.values[leader()] + static_cast<std::size_t>(on_.wish.pods / unit(whole.domain))];
    worth.closeness -= on_.tree.height(scope_) * pairs_of(on_.wish.pods + static_cast<pod_count>(leader()));
    return worth;
  }

  /// Puts the shares of the best division into `done`. \pre run
  void take() const {
    std::vector<domain_share>& open = on_.space.open;
    std::vector<domain_share>& done = on_.space.done;
    done.clear();
    open.assign(1, domain_share{0, on_.wish.pods, on_.wish.leader});  // the domain by its place among the parts
    while (!open.empty()) {
      domain_share left = open.back();
      open.pop_back();
      const part& here = on_.space.parts[left.domain];
      if (on_.tree[here.domain].is_leaf()) {
        if (left.pods > 0 || left.leader) done.push_back({here.domain, left.pods, left.leader});
        continue;
      }
      const pod_count each = on_.handed_out(on_.tree.depth(here.domain));
      const std::uint32_t children = on_.tree[here.domain].last_child - on_.tree[here.domain].first_child;
      for (std::uint32_t c = here.first_child + children; c-- > here.first_child;) {
        const std::size_t row = on_.space.parts[c].choices[left.leader ? 1 : 0];
        const std::uint64_t choice = on_.space.choices[row + static_cast<std::size_t>(left.pods / each)];
        const domain_share its{c, static_cast<pod_count>(choice / 2) * each, choice % 2 != 0};
        open.push_back(its);
        left.pods -= its.pods;
        left.leader = left.leader && !its.leader;
      }
    }
  }

 private:
  using part = division_space::part;

  [[nodiscard]] std::size_t leader() const noexcept { return on_.wish.leader ? 1 : 0; }
  [[nodiscard]] pod_count unit(tree_index at) const noexcept { return on_.unit(on_.tree.depth(at)); }
  [[nodiscard]] bool spend(pod_count steps) noexcept {
    if (static_cast<std::uint64_t>(steps) > budget_ - steps_) return false;
    steps_ += static_cast<std::uint64_t>(steps);
    return true;
  }

  void list_parts() const {
    auto& parts = on_.space.parts;
    parts.assign(1, part{});
    parts[0].domain = scope_;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const tree_domain& here = on_.tree[parts[i].domain];
      parts[i].first_child = static_cast<std::uint32_t>(parts.size());
      for (tree_index c = here.first_child; c < here.last_child; ++c) {
        parts.emplace_back();
        parts.back().domain = c;
      }
    }
  }

  /// What a domain adds by itself.
  [[nodiscard]] division_worth own(tree_index at, pod_count pods) const noexcept {
    if (pods == 0) return {};
    const bool leaf = on_.tree[at].is_leaf();
    const std::int64_t rise = at == scope_ ? 0 : on_.tree.height(on_.tree[at].parent) - on_.tree.height(at);
    return {rise * pairs_of(pods), leaf ? on_.tree[at].slots : 0, count_level_ && on_.tree.cuts(at, on_.wish.level),
            leaf};
  }

  [[nodiscard]] bool value_leaf(std::size_t i) {
    part& here = on_.space.parts[i];
    const division_space::room& room = on_.space.rooms[here.domain];
    const pod_count each = unit(here.domain);
    here.most = {std::min(on_.wish.pods, room.pods) / each,
                 room.leader ? std::min(on_.wish.pods, room.pods_with) / each : -1};
    for (std::size_t f = 0; f <= leader(); ++f) {
      here.values[f] = on_.space.values.size();
      if (!spend(here.most[f] + 1)) return false;
      for (pod_count k = 0; k <= here.most[f]; ++k)
        on_.space.values.push_back(own(here.domain, k * each + static_cast<pod_count>(f)));
    }
    return true;
  }

  [[nodiscard]] bool value_parent(std::size_t i) {
    part& here = on_.space.parts[i];
    const tree_domain& domain = on_.tree[here.domain];
    auto& before = on_.space.before;
    std::array<pod_count, 2> most{0, -1};
    before[0].assign(1, division_worth{});
    before[1].clear();
    for (std::uint32_t c = here.first_child; c < here.first_child + domain.last_child - domain.first_child; ++c)
      if (!take_in(on_.space.parts[c], on_.wish.pods / on_.handed_out(on_.tree.depth(here.domain)), most)) return false;
    const pod_count each = unit(here.domain), parts = each / on_.handed_out(on_.tree.depth(here.domain));
    for (std::size_t f = 0; f <= leader(); ++f) {
      here.most[f] = most[f] < 0 ? -1 : most[f] / parts;
      here.values[f] = on_.space.values.size();
      for (pod_count k = 0; k <= here.most[f]; ++k)
        on_.space.values.push_back(added(before[f][static_cast<std::size_t>(k * parts)],
                                                own(here.domain, k * each + static_cast<pod_count>(f))));
    }
    return true;
  }

  /// One child more: the best of what it and those before it take together. \param wanted units of the gang
  [[nodiscard]] bool take_in(part& child, pod_count wanted, std::array<pod_count, 2>& most) {
    auto& before = on_.space.before;
    auto& merged = on_.space.merged;
    std::array<pod_count, 2> reach{-1, -1};
    for (std::size_t f = 0; f <= leader(); ++f)
      for (std::size_t its = 0; its <= f; ++its)
        if (most[f - its] >= 0 && child.most[its] >= 0)
          reach[f] = std::max(reach[f], std::min(wanted, most[f - its] + child.most[its]));
    for (std::size_t f = 0; f <= leader(); ++f) {
      merged[f].assign(static_cast<std::size_t>(reach[f] + 1), division_worth{});
      child.choices[f] = on_.space.choices.size();
      on_.space.choices.resize(child.choices[f] + merged[f].size(), unset);
      std::uint64_t* const choices = on_.space.choices.data() + child.choices[f];
      for (std::size_t its = 0; its <= f; ++its) {
        const pod_count others = most[f - its];
        if (others < 0 || child.most[its] < 0) continue;
        if (!spend((others + 1) * (child.most[its] + 1))) return false;
        for (pod_count y = 0; y <= child.most[its]; ++y)
          for (pod_count x = 0; x <= std::min(others, wanted - y); ++x) {
            const auto sum = static_cast<std::size_t>(x + y);
            const division_worth worth =
                added(before[f - its][static_cast<std::size_t>(x)],
                             on_.space.values[child.values[its] + static_cast<std::size_t>(y)]);
            if (choices[sum] != unset && !is_better(worth, merged[f][sum]) &&
                !(is_as_good(worth, merged[f][sum]) && static_cast<std::uint64_t>(y) < choices[sum] / 2))
              continue;
            merged[f][sum] = worth;
            choices[sum] = static_cast<std::uint64_t>(y) * 2 + its;
          }
      }
    }
    most = reach;
    before.swap(merged);
    return true;
  }

  [[nodiscard]] static constexpr bool is_as_good(const division_worth& a, const division_worth& b) noexcept {
    return !is_better(a, b) && !is_better(b, a);
  }

  static constexpr std::uint64_t unset = ~std::uint64_t{0};

  const dividing& on_;
  tree_index scope_;
  bool count_level_;
  std::uint64_t budget_ = 0, steps_ = 0;
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
