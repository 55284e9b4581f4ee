// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_SMALLEST_SPREAD_HPP
#define MUSTER_PLACEMENT_DETAIL_SMALLEST_SPREAD_HPP

/// \file
/// The division whose pods are nearest to each other, and the one on the fewest domains of a level.
///
/// The worst pair is as far apart as the domain that holds all pods is high. So *smallest spread* looks at the lowest
/// domains that do (with `required`: within one of the level), searches each of them (spread_search.hpp) and takes the
/// best. *Fewest domains* does the same within one domain of its level where one holds all pods. Else it searches the
/// whole tree, counting domains of the level first; it then goes by the sum over all pairs, not by the worst one.
///
/// *Bound*: at every height by itself, the domains there hold the most pairs of pods where the largest are filled
/// first. No division does better at every height at once, so none has less distance. A domain whose bound is worse
/// than what was found is not searched. Where the budget ends before the others are, the smallest of the rest is
/// divided largest first, level by level; the best of all that was found is the answer, not proved, with the bound.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/detail/best_fit.hpp>
#include <muster/placement/detail/descend.hpp>
#include <muster/placement/detail/fill_items.hpp>
#include <muster/placement/detail/slice_rooms.hpp>
#include <muster/placement/detail/spread_search.hpp>
#include <muster/placement/division.hpp>
#include <muster/placement/division_space.hpp>
#include <muster/placement/domain_tree.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace muster::inline MUSTER_ABI::placement_detail {

/// No division within a domain has a smaller sum of distances. \complexity O(height x d log d)
[[nodiscard]] inline std::int64_t least_distance_within(const dividing& on, tree_index scope) {
  const pod_count all = on.wish.pods + (on.wish.leader ? 1 : 0);
  auto& inside = on.space.below;
  inside.assign(1, scope);
  for (std::size_t i = 0; i < inside.size(); ++i)
    for (tree_index c = on.tree[inside[i]].first_child; c < on.tree[inside[i]].last_child; ++c) inside.push_back(c);
  std::int64_t sum = 0;
  for (std::uint32_t height = 0; height < on.tree.height(scope); ++height) {
    auto& items = on.space.items;  // what each domain at this height takes at most
    items.clear();
    for (std::size_t i = 1; i < inside.size(); ++i) {
      const division_space::room& room = on.space.rooms[inside[i]];
      if (on.tree.height(inside[i]) <= height && height < on.tree.height(on.tree[inside[i]].parent))
        items.push_back({inside[i], std::min(all, room.pods + (room.leader ? 1 : 0)), 0, 0, 0, false, 0, false});
    }
    sort_items(items, item_order::largest_first);
    pod_count left = all;
    std::int64_t apart = pairs_of(all);
    for (const fill_item& one : items) {
      const pod_count here = std::min(left, one.units);
      apart -= pairs_of(here);
      left -= here;
    }
    sum = saturating_add(sum, apart);
  }
  return sum;
}

/// The worth of the division that `done` holds, with its distance as closeness, negative. \complexity O(d)
[[nodiscard]] inline division_worth worth_of_done(const dividing& on, bool count_level) {
  add_up_shares(on, on.space.done);
  division_worth worth;
  worth.closeness = -distance_of(on);
  for (const domain_share& share : on.space.done) {
    ++worth.leaves;
    worth.slots = saturating_add(worth.slots, on.tree[share.domain].slots);
  }
  for (tree_index at = 0; count_level && at < on.tree.size(); ++at)
    if (on.space.taken[at] > 0 && on.tree.cuts(at, on.wish.level)) ++worth.domains;
  return worth;
}

/// Divides within a domain largest first, into `done`; over the domains of the level first, where these are counted.
inline void divide_greedily(const dividing& on, tree_index scope, bool count_level) {
  on.space.open.assign(1, domain_share{scope, on.wish.pods, on.wish.leader});
  if (count_level) {
    list_items(on, on.wish.level, listed_domains::cut);
    const unfilled left =
        fill_items(on.space.items, on.slices(), on.wish.leader, item_order::largest_first, item_choice::fresh);
    MUSTER_ASSERT(left.none());
    static_cast<void>(left);
    on.space.open.clear();
    take_shares(on.space.items, on.slice(), on.space.open);
  }
  descend_inside(on, item_order::largest_first);
}

/// The domains to look into: those of a depth that hold all pods.
struct spread_scopes {
  std::uint32_t depth = 0;
  bool any = false;
  bool within_level = false;  ///< of those within a domain of the level
  bool count_level = false;   ///< no domain of the level does: they are to be few
};

[[nodiscard]] inline bool is_scope(const dividing& on, tree_index at, bool within_level) noexcept {
  return on.holds_all(at) && (!within_level || on.tree.ancestor(at, on.wish.level) != no_tree_index);
}

[[nodiscard]] inline spread_scopes find_scopes(const dividing& on) noexcept {
  const bool required = on.wish.meaning == level_wish::required;
  const bool fewest = on.wish.rule == division_rule::fewest_domains;
  spread_scopes found;
  found.within_level = required || fewest;
  for (tree_index at = 0; at < on.tree.size(); ++at)
    if (is_scope(on, at, found.within_level)) {
      found.any = true;
      found.depth = std::max(found.depth, on.tree.depth(at));
    }
  if (!found.any && fewest && !required && on.holds_all(0)) found = {0, true, false, true};
  return found;
}

/// \pre no domain that may be looked into holds all
inline void refuse_spread(const dividing& on) {
  if (on.wish.meaning == level_wish::required) {
    refuse_level(on);
    return;
  }
  division& answer = on.space.answer;
  const division_space::room& all = on.space.rooms[0];
  const bool leaderless = on.wish.leader && !all.leader;
  answer.refusal = leaderless ? division_refusal::leader_no_room : division_refusal::too_few_slices;
  if (!leaderless) answer.fit = on.wish.leader ? all.slices_with : all.slices;
}

inline void divide_by_spread(const dividing& on) {
  division& answer = on.space.answer;
  const spread_scopes scopes = find_scopes(on);
  if (!scopes.any) {
    refuse_spread(on);
    return;
  }
  const bool few_enough = on.wish.pods <= pod_count{1} << 28U;
  division_worth best;
  best.domains = std::numeric_limits<std::uint32_t>::max();
  best.closeness = -std::numeric_limits<std::int64_t>::max();
  std::int64_t bound = std::numeric_limits<std::int64_t>::max();
  tree_index rest = no_tree_index;  // the smallest that was not searched
  const auto keep = [&](const division_worth& worth) {
    best = worth;
    on.space.best.swap(on.space.done);
  };
  const auto room = [&on](tree_index at) { return on.space.rooms[at].pods; };
  for (tree_index at = 0; at < on.tree.size(); ++at) {
    if (on.tree.depth(at) != scopes.depth || !is_scope(on, at, scopes.within_level)) continue;
    const std::int64_t least = least_distance_within(on, at);
    if (!scopes.count_level && least > -best.closeness) continue;  // nothing there is as good as what was found
    spread_search search{on, at, scopes.count_level};
    if (few_enough && search.run(on.wish.budget - answer.steps)) {
      const division_worth worth = search.best();
      bound = std::min(bound, -worth.closeness);
      if (is_better(worth, best)) {
        search.take();
        keep(worth);
      }
    } else {
      bound = std::min(bound, least);
      if (rest == no_tree_index || room(at) < room(rest)) rest = at;
    }
    answer.steps += search.steps();
  }
  if (rest != no_tree_index) {
    divide_greedily(on, rest, scopes.count_level);
    if (const division_worth worth = worth_of_done(on, scopes.count_level); is_better(worth, best)) keep(worth);
  }
  answer.proved = rest == no_tree_index;
  answer.least_distance = bound;
  on.space.done.swap(on.space.best);
  level_out(on.space.done, on.space.best);
  conclude(on);
}

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
