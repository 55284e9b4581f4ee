// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/shortfall.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/generator.hpp"
#include "support/small_cluster.hpp"

#include <muster/placement/place.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

using namespace muster;
using muster_test::gpus;
using muster_test::small_cluster;

namespace {
pod_group<gpus> gang(pod_count pods, amount each) {
  pod_group<gpus> made;
  made.disruption = disruption_mode::all;
  made.pod_sets.push_back({{each}, pods, 0});
  return made;
}
}  // namespace

TEST_CASE("as many nodes as it says make it fit, and one fewer do not", "[placement]") {
  for (amount each = 1; each <= 4; ++each)
    for (pod_count pods = 1; pods <= 20; ++pods)
      for (amount shape = each; shape <= 5; ++shape) {
        small_cluster now{3, 1, 2};
        workspace<gpus> space;
        const auto more = shortfall(now.model.view(), gang(pods, each), {shape}, space);
        REQUIRE(more);
        for (pod_count n = 0; n < more->nodes; ++n) {
          CHECK_FALSE(place(now.model.view(), gang(pods, each)).fits());
          now.say(node_seen<gpus>{{node_id{static_cast<std::uint64_t>(100 + n)}, {}, {shape}, {}}});
        }
        CHECK(place(now.model.view(), gang(pods, each)).fits());
      }
}

TEST_CASE("no number of nodes too small for a pod helps", "[placement]") {
  small_cluster now{3};
  workspace<gpus> space;
  CHECK_FALSE(shortfall(now.model.view(), gang(2, 4), {3}, space));
}

TEST_CASE("the domain that needs the fewest is named; a spread limit is a wall", "[placement]") {
  small_cluster now({}, 1);
  now.say(node_seen<gpus>{{node_id{1}, {}, {2}, {label_id{1}}}});
  now.say(node_seen<gpus>{{node_id{2}, {}, {3}, {label_id{2}}}});
  auto asked = gang(5, 1);
  asked.required = topology_level{0};
  workspace<gpus> space;
  const auto more = shortfall(now.model.view(), asked, {2}, space);
  REQUIRE(more);
  CHECK(more->nodes == 1);
  CHECK(more->domain.path.back() == label_id{2});
  asked.required = no_level;
  asked.limits = {{topology_level{0}, 2}};
  CHECK_FALSE(shortfall(now.model.view(), asked, {2}, space));  // two domains of at most 2 never hold 5
}

TEST_CASE("what is set aside for the group counts as there", "[placement]") {
  for (const topology_level level : {no_level, node_level}) {
    small_cluster now{4};
    auto asked = gang(4, 1);
    asked.id = group_id{1};
    asked.required = level;
    now.say(set_aside<gpus>{set_aside_id{1}, group_id{1}, 0, node_id{1}, 2, {2}, end_of_time});
    workspace<gpus> space;
    CHECK(shortfall(now.model.view(), asked, {4}, space)->nodes == 0);
    asked.id = group_id{2};
    CHECK(shortfall(now.model.view(), asked, {4}, space)->nodes == 1);
    CHECK(place(now.model.view(), asked, space).verdict == verdict::not_now);
  }
}

TEST_CASE("two spread limits are both walls, and the node's own caps each new node", "[placement]") {
  small_cluster now({}, 2);
  now.say(node_seen<gpus>{{node_id{1}, {}, {0}, {label_id{1}, label_id{1}}}});
  now.say(node_seen<gpus>{{node_id{2}, {}, {0}, {label_id{1}, label_id{2}}}});
  auto asked = gang(4, 1);
  asked.limits = {{topology_level{0}, 3}, {topology_level{1}, 2}};
  workspace<gpus> space;
  CHECK_FALSE(shortfall(now.model.view(), asked, {4}, space));  // the only zone holds 3
  asked.limits = {{topology_level{1}, 2}, {topology_level{0}, 4}};
  auto more = shortfall(now.model.view(), asked, {4}, space);
  REQUIRE(more);
  CHECK(more->nodes == 2);
  asked.limits.push_back({node_level, 1});
  more = shortfall(now.model.view(), asked, {4}, space);
  REQUIRE(more);
  CHECK(more->nodes == 4);
}

TEST_CASE("a full node is no wall for the new one beside it", "[placement]") {
  small_cluster now({}, 1);
  now.say(node_seen<gpus>{{node_id{1}, {}, {1}, {label_id{1}}}});
  auto asked = gang(3, 1);
  asked.limits = {{node_level, 1}, {topology_level{0}, 3}};
  workspace<gpus> space;
  const auto more = shortfall(now.model.view(), asked, {1}, space);
  REQUIRE(more);
  CHECK(more->nodes == 2);
}

TEST_CASE("a new node that must take all stands under the limits too", "[placement]") {
  small_cluster now({1}, 1);
  auto asked = gang(3, 1);
  asked.required = node_level;
  workspace<gpus> space;
  CHECK(shortfall(now.model.view(), asked, {3}, space)->nodes == 1);
  CHECK_FALSE(shortfall(now.model.view(), asked, {2}, space));
  asked.limits = {{topology_level{0}, 2}};
  CHECK(shortfall(now.model.view(), asked, {3}, space)->nodes == 1);  // beside node 1, which has no label
  now.say(node_seen<gpus>{{node_id{1}, {}, {1}, {label_id{1}}}});
  CHECK_FALSE(shortfall(now.model.view(), asked, {3}, space));
}

TEST_CASE("what is set aside for the group is not missing", "[placement]") {
  small_cluster now{2};
  now.say(set_aside<gpus>{set_aside_id{1}, group_id{9}, 0, node_id{1}, 1, {2}, end_of_time});
  auto asked = gang(3, 1);
  workspace<gpus> space;
  CHECK(shortfall(now.model.view(), asked, {1}, space)->nodes == 3);
  asked.id = group_id{9};
  CHECK(shortfall(now.model.view(), asked, {1}, space)->nodes == 1);
}

namespace {

/// Eligible are kinds 0 and 1.
struct even_kinds {
  reason_code operator()(const pod_group<gpus>&, std::size_t, kind_id kind) const {
    return kind == kind_id{2} ? reason_code{1} : eligible_node;
  }
};

struct plan_of_nodes {
  using paths = std::set<labels>;
  topology levels = nested_levels(3);
  std::vector<node_spec<gpus>> nodes;
  std::vector<bool> closed;
  pod_group<gpus> group;
  amount shape = 0;

  explicit plan_of_nodes(muster_test::generator& rng) {
    for (level_rule& rule : levels.levels) rule.merge_equal_names = rng.chance(15);
    const auto count = rng.below(6);
    for (std::uint64_t n = 1; n <= count; ++n) {
      node_spec<gpus> one{node_id{n}, kind_id{static_cast<std::uint32_t>(rng.below(3))}, {rng.between(0, 3)}, {}};
      for (std::size_t l = 0; l < 3; ++l) one.labels.push_back(rng.chance(8) ? no_label : label_id{rng.below(2)});
      nodes.push_back(one);
      closed.push_back(rng.chance(15));
    }
    const auto pods = rng.between(1, 6);
    group = gang(pods, rng.between(1, 2));
    if (rng.chance(40)) group.min_count = rng.between(0, group.pod_sets[0].count);
    if (rng.chance(15)) group.sizes = {size_rule::shape::stepped, 2, 6, 2};
    static constexpr std::array all{topology_level{0}, topology_level{1}, topology_level{2}, node_level};
    if (rng.chance(50)) group.required = rng.pick(all);
    for (const topology_level at : all)
      if (rng.chance(40)) group.limits.push_back({at, rng.between(1, at == node_level ? 2 : 4)});
    shape = rng.between(0, 4);
  }

  /// Whether the group fits once nodes with these labels are there.
  [[nodiscard]] bool fits_with(const std::vector<labels>& added) const {
    cluster<gpus> model{levels};
    std::uint64_t last = 0;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      apply(model, {revision{++last}, node_seen<gpus>{nodes[n]}});
      if (closed[n]) apply(model, {revision{++last}, node_closed{nodes[n].id}});
    }
    for (const labels& path : added)
      apply(model, {revision{++last}, node_seen<gpus>{{node_id{100 + last}, kind_id{1}, {shape}, path}}});
    return place(model.view(), group, place_options<even_kinds>{}).fits();
  }
  /// Whether it fits with `more` nodes, each with the labels of a node that is there.
  [[nodiscard]] bool fits_with(std::size_t more, std::vector<labels>& added, paths::const_iterator from,
                               const paths& all) const {
    if (more == 0) return fits_with(added);
    for (auto path = from; path != all.end(); ++path) {
      added.push_back(*path);
      const bool fits = fits_with(more - 1, added, path, all);
      added.pop_back();
      if (fits) return true;
    }
    return false;
  }
  /// The fewest nodes that do, by trying, all in `inside` if that is a domain; nullopt if one a pod does not do.
  [[nodiscard]] std::optional<pod_count> tried(const domain_path& inside = {}) const {
    paths all;
    bool labels_matter = group.required != no_level && group.required != node_level;
    for (const spread_limit& limit : group.limits) labels_matter = labels_matter || limit.level != node_level;
    if (!labels_matter) all.insert(labels{});
    for (const auto& one : nodes) {
      const auto level = static_cast<std::size_t>(inside.level);
      if (level >= levels.size()) all.insert(one.labels);
      else if (levels.levels[level].merge_equal_names ? inside.path.back() == one.labels[level]
                                                      : inside.path == one.labels.first(level + 1))
        all.insert(one.labels);
    }
    for (pod_count more = 0; more <= group.pod_sets[0].count; ++more) {
      std::vector<labels> added;
      if (fits_with(static_cast<std::size_t>(more), added, all.begin(), all)) return more;
    }
    return std::nullopt;
  }
  [[nodiscard]] std::string text() const {
    std::string all = "shape " + std::to_string(shape) + "\n";
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      all += "node kind " + std::to_string(number(nodes[n].kind)) + " has " + std::to_string(nodes[n].capacity[0]);
      for (const label_id label : nodes[n].labels)
        all += label == no_label ? " -" : " " + std::to_string(number(label));
      all += closed[n] ? " closed\n" : "\n";
    }
    for (const level_rule& rule : levels.levels) all += rule.merge_equal_names ? "merged " : "nested ";
    all += std::to_string(group.pod_sets[0].count) + " pods of " + std::to_string(group.pod_sets[0].request[0]) +
           " min " + std::to_string(minimum_pods(group)) + " required " +
           std::to_string(static_cast<int>(group.required));
    for (const spread_limit& limit : group.limits)
      all += " limit " + std::to_string(static_cast<int>(limit.level)) + ":" + std::to_string(limit.count);
    return all;
  }
};

}  // namespace

TEST_CASE("no fewer nodes do, wherever they stand", "[placement]") {
  muster_test::generator rng{"shortfall"};
  workspace<gpus> space;
  int helped = 0, no_help = 0;
  for (int round = muster_test::rounds(400); round > 0; --round) {
    const plan_of_nodes of{rng};
    if (first_fault(of.group, of.levels).fault != group_fault::none) continue;
    INFO(of.text());
    cluster<gpus> model{of.levels};
    std::uint64_t last = 0;
    for (std::size_t n = 0; n < of.nodes.size(); ++n) {
      apply(model, {revision{++last}, node_seen<gpus>{of.nodes[n]}});
      if (of.closed[n]) apply(model, {revision{++last}, node_closed{of.nodes[n].id}});
    }
    const auto more = shortfall(model.view(), of.group, {of.shape}, space, place_options<even_kinds>{});
    const auto tried = of.tried();
    REQUIRE(more.has_value() == tried.has_value());
    if (more) REQUIRE(more->nodes == *tried);
    if (more) REQUIRE(of.tried(more->domain) == more->nodes);
    helped += more && more->nodes > 0 ? 1 : 0;
    no_help += more ? 0 : 1;
  }
  CHECK(helped > 20);
  CHECK(no_help > 20);
}
