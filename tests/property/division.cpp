// SPDX-License-Identifier: BSL-1.0
// Divisions of small gangs over small trees, against trying every one.
#include <muster/placement/count_domains.hpp>
#include <muster/placement/divide.hpp>
#include <muster/placement/lay_ranks.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/generator.hpp"
#include "support/scene.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using two = muster::resource_vector<2>;
using muster::division;
using muster::division_rule;
using muster::division_wish;
using muster::domain_share;
using muster::domain_tree;
using muster::level_wish;
using muster::node_level;
using muster::no_tree_index;
using muster::pod_count;
using muster::topology_level;
using muster::tree_index;

using shares = std::vector<domain_share>;

/// What a division is worth, told from its shares alone, by definition.
struct judged {
  std::uint32_t worst = 0;      // height of the lowest domain with all pods
  std::int64_t distance = 0;    // pair by pair
  std::int64_t domains = 0;     // of the level, or leaves in none
  std::int64_t leaves = 0, slots = 0;
  bool in_level = false;        // all pods in one domain of the level
  std::vector<pod_count> order;  // what domains get, the last first, from the root down
};

tree_index meet(const domain_tree& tree, tree_index a, tree_index b) {
  std::set<tree_index> above;
  for (tree_index at = a; at != no_tree_index; at = tree[at].parent) above.insert(at);
  while (!above.contains(b)) b = tree[b].parent;
  return b;
}

bool lies_in(const domain_tree& tree, tree_index at, tree_index domain) {
  while (at != no_tree_index && at != domain) at = tree[at].parent;
  return at == domain;
}

judged judge(const domain_tree& tree, const division_wish& wish, const shares& given) {
  judged result;
  std::vector<tree_index> pods;
  for (const domain_share& share : given) {
    for (pod_count i = 0; i < share.pods + (share.leader ? 1 : 0); ++i) pods.push_back(share.domain);
    ++result.leaves;
    result.slots += tree[share.domain].slots;
  }
  for (std::size_t i = 0; i < pods.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) result.distance += tree.height(meet(tree, pods[i], pods[k]));
  tree_index all = pods.front();
  for (const tree_index one : pods) all = meet(tree, all, one);
  result.worst = tree.height(all);
  std::set<tree_index> used;
  for (const tree_index one : pods) {
    const tree_index in = tree.ancestor(one, wish.level);
    tree_index cut = one;  // where the way up leaves the depths of the level
    while (tree[cut].parent != no_tree_index && tree.depth(tree[cut].parent) >= tree.depth(wish.level))
      cut = tree[cut].parent;
    used.insert(in != no_tree_index ? in : cut);
  }
  result.domains = static_cast<std::int64_t>(used.size());
  result.in_level = tree.ancestor(all, wish.level) != no_tree_index;
  for (tree_index at = 0; at < tree.size(); ++at)
    for (tree_index c = tree[at].last_child; c-- > tree[at].first_child;) {
      pod_count sum = 0, leader = 0;
      for (const domain_share& share : given)
        if (lies_in(tree, share.domain, c)) {
          sum += share.pods;
          leader += share.leader ? 1 : 0;
        }
      result.order.push_back(sum);
      result.order.push_back(leader);
    }
  return result;
}

/// Whether these are a division of the wish, by definition.
bool is_division(const domain_tree& tree, const division_wish& wish, const shares& given) {
  pod_count sum = 0;
  int leaders = 0;
  for (const domain_share& share : given) {
    const auto& here = tree[share.domain];
    if (!here.is_leaf() || share.pods < 0 || (share.pods == 0 && !share.leader)) return false;
    if (!lies_in(tree, share.domain, wish.within)) return false;
    if (share.leader && !here.leader) return false;
    if (share.pods > (share.leader ? here.slots_with_leader : here.slots)) return false;
    sum += share.pods;
    leaders += share.leader ? 1 : 0;
  }
  if (sum != wish.pods || leaders != (wish.leader ? 1 : 0)) return false;
  for (const auto& layer : wish.layers) {
    std::vector<pod_count> taken(tree.size(), 0);
    for (const domain_share& share : given) {
      const tree_index in = tree.ancestor(share.domain, layer.level);
      if (in == no_tree_index && share.pods > 0) return false;
      if (in != no_tree_index) taken[in] += share.pods;
    }
    if (std::any_of(taken.begin(), taken.end(), [&](pod_count pods) { return pods % layer.pods != 0; })) return false;
  }
  return true;
}

/// Every division.
void visit_divisions(const domain_tree& tree, const division_wish& wish,
                     const std::function<void(const shares&)>& visit) {
  std::vector<tree_index> leaves;
  for (tree_index at = 0; at < tree.size(); ++at)
    if (tree[at].is_leaf()) leaves.push_back(at);
  shares chosen;
  const std::function<void(std::size_t, pod_count, bool)> go = [&](std::size_t i, pod_count left, bool leader) {
    if (i == leaves.size()) {
      if (left == 0 && !leader && is_division(tree, wish, chosen)) visit(chosen);
      return;
    }
    for (pod_count pods = 0; pods <= std::min(left, tree[leaves[i]].slots); ++pods)
      for (const bool leads : {false, true}) {
        if (leads && !leader) continue;
        if (pods > 0 || leads) chosen.push_back({leaves[i], pods, leads});
        go(i + 1, left - pods, leader && !leads);
        if (pods > 0 || leads) chosen.pop_back();
      }
  };
  go(0, wish.pods, wish.leader);
}

struct drawn_tree {
  domain_tree tree;
  bool labelled = true;  // every node to the last level
};

drawn_tree draw_tree(muster_test::generator& draw) {
  const std::size_t levels = 1 + draw.below(3);
  muster_test::scene<two> s{muster::nested_levels(levels)};
  const auto count = 1 + draw.below(6);
  const bool gaps = draw.chance(40);
  drawn_tree result;
  for (std::uint64_t n = 1; n <= count; ++n) {
    muster::node_spec<two> spec{muster::node_id{n}, muster::kind_id{0}, {draw.between(0, 11), draw.between(0, 1)}, {}};
    for (std::size_t l = 0; l < levels; ++l) {
      const bool gap = gaps && draw.chance(25);
      spec.labels.push_back(gap ? muster::no_label : muster::label_id{1 + draw.below(2)});
      result.labelled = result.labelled && !gap;
    }
    s.say(muster::node_seen<two>{spec});
  }
  auto gang = s.gang(1, 2, {3, 0});
  gang.pod_sets.push_back({{draw.between(1, 6), 1}, 1, 0});
  muster::workspace<two> space;
  const topology_level finest =
      draw.chance(70) ? node_level : static_cast<topology_level>(draw.below(levels));
  count_domains(s.view(), gang, finest, space, result.tree);
  REQUIRE(result.tree.fault == muster::tree_fault::none);
  return result;
}

division_wish draw_wish(muster_test::generator& draw, const domain_tree& tree) {
  std::vector<topology_level> levels;
  for (std::uint32_t l = 0; l + (tree.finest == node_level ? 1 : 0) < tree.leaf_depth; ++l)
    levels.push_back(static_cast<topology_level>(l));
  if (tree.finest == node_level) levels.push_back(node_level);
  division_wish wish;
  const std::size_t level = draw.below(levels.size() + 1);  // the first stands for the cluster
  wish.level = level == 0 ? muster::no_level : levels[level - 1];
  wish.meaning = draw.chance(40) ? level_wish::required
                                 : draw.chance(50) ? level_wish::preferred : level_wish::unconstrained;
  wish.leader = draw.chance(40);
  wish.pods = draw.between(wish.leader ? 0 : 1, 9);
  if (draw.chance(50)) {
    pod_count size = draw.between(1, 4);
    std::size_t at = std::max<std::size_t>(level, 1) - 1;
    while (at < levels.size() && wish.layers.size() < 3) {
      at += draw.below(2);
      if (at >= levels.size()) break;
      wish.layers.push_back({levels[at++], size});
      if (size % 2 == 0 && draw.chance(60)) size /= 2;
      else if (draw.chance(50)) break;
    }
    if (!wish.layers.empty())
      wish.pods = muster::divide_up(wish.pods, wish.layers[0].pods) * wish.layers[0].pods;
  }
  if (draw.chance(15)) wish.within = static_cast<tree_index>(draw.below(tree.size()));
  return wish;
}

}  // namespace

TEST_CASE("a division exists exactly if the rules find one, and smallest spread finds the best", "[property]") {
  muster_test::generator draw{"division"};
  int fits = 0, refused = 0, tight = 0;
  for (int round = 0; round < muster_test::rounds(600); ++round) {
    const drawn_tree drawn = draw_tree(draw);
    const domain_tree& tree = drawn.tree;
    division_wish wish = draw_wish(draw, tree);
    CAPTURE(round);

    // by trying everything: the best by either rule, of those that the meaning of the level allows
    using spread_key = std::tuple<std::uint32_t, std::int64_t, std::int64_t, std::int64_t, std::vector<pod_count>>;
    using fewest_key = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::vector<pod_count>>;
    std::optional<spread_key> nearest, nearest_in_level;
    std::optional<fewest_key> fewest;
    const auto take = [](auto& best, auto key) {
      if (!best || key < *best) best = std::move(key);
    };
    visit_divisions(tree, wish, [&](const shares& given) {
      const judged one = judge(tree, wish, given);
      const spread_key key{one.worst, one.distance, one.leaves, one.slots, one.order};
      take(nearest, key);
      if (one.in_level) take(nearest_in_level, key);
      take(fewest, fewest_key{one.domains, one.distance, one.leaves, one.slots, one.order});
    });
    const bool required = wish.meaning == level_wish::required;
    const bool feasible = required ? nearest_in_level.has_value() : nearest.has_value();
    ++(feasible ? fits : refused);

    muster::division_space space;
    for (const division_rule rule : {division_rule::best_fit, division_rule::least_free, division_rule::balanced,
                                     division_rule::smallest_spread, division_rule::fewest_domains}) {
      if (rule == division_rule::balanced && wish.meaning != level_wish::preferred) continue;
      CAPTURE(static_cast<int>(rule));
      wish.rule = rule;
      const division answer = divide(tree, wish, space);
      REQUIRE(answer.fault == muster::division_fault::none);
      REQUIRE(answer.fits() == feasible);
      if (!feasible) {
        CHECK(answer.shares.empty());
        if (answer.refusal == muster::division_refusal::too_few_slices) REQUIRE(answer.fit < answer.needed);
        continue;
      }
      REQUIRE(is_division(tree, wish, answer.shares));
      const judged one = judge(tree, wish, answer.shares);
      REQUIRE(answer.distance == one.distance);
      REQUIRE(tree.height(answer.shared) == one.worst);
      REQUIRE(static_cast<std::int64_t>(answer.domains) == one.domains);
      if (required) REQUIRE(one.in_level);
      if (rule == division_rule::best_fit && !required && wish.meaning == level_wish::preferred && nearest_in_level)
        REQUIRE(one.in_level);
      const bool by_spread = rule == division_rule::smallest_spread || rule == division_rule::fewest_domains;
      if (!by_spread) continue;
      REQUIRE(answer.proved);
      REQUIRE(answer.least_distance == one.distance);
      const auto& expected = required || (rule == division_rule::fewest_domains && nearest_in_level) ? nearest_in_level
                                                                                                     : nearest;
      if (rule == division_rule::smallest_spread || nearest_in_level) {
        spread_key found{one.worst, one.distance, one.leaves, one.slots, one.order};
        if (!drawn.labelled) std::get<4>(found) = std::get<4>(*expected);
        REQUIRE(found == *expected);
      } else {
        REQUIRE(fewest_key{one.domains, one.distance, one.leaves, one.slots, one.order} == *fewest);
      }

      // with less than it takes: something valid, no better than the bound, the worst pair as near as can be
      wish.budget = draw.below(answer.steps);
      const division cut = divide(tree, wish, space);
      wish.budget = division_wish{}.budget;
      REQUIRE(cut.fits());
      REQUIRE_FALSE(cut.proved);
      REQUIRE(is_division(tree, wish, cut.shares));
      REQUIRE(cut.least_distance <= cut.distance);
      REQUIRE(cut.least_distance <= answer.distance);
      if (rule == division_rule::smallest_spread) REQUIRE(tree.height(cut.shared) == one.worst);
      if (cut.least_distance == cut.distance) ++tight;
    }
  }
  CHECK(fits > 100);
  CHECK(refused > 100);
  CHECK(tight > 50);
}
