// SPDX-License-Identifier: BSL-1.0
#include <muster/cluster/domains.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/generator.hpp"

#include <muster/cluster/apply.hpp>
#include <muster/cluster/cluster.hpp>
#include <muster/resource/resource_vector.hpp>
#include <muster/workload/validate.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

using namespace muster;
using counted = resource_vector<1>;

namespace {

constexpr std::uint64_t none = ~std::uint64_t{0};  // no_label's number

struct site {
  explicit site(std::size_t levels, std::initializer_list<std::size_t> merged = {}) : model{make(levels, merged)} {}

  void node(std::uint64_t id, std::initializer_list<std::uint64_t> path, std::uint32_t kind = 0) {
    node_spec<counted> spec{node_id{id}, kind_id{kind}, {1}, {}};
    for (const std::uint64_t label : path) spec.labels.push_back(label_id{label});
    apply(model, {revision{++last}, node_seen<counted>{spec}});
  }
  /// Ids of the nodes that are present in each domain of a level, by the domain's path.
  std::map<std::vector<std::uint64_t>, std::set<std::uint64_t>> members(std::size_t level) {
    const auto view = model.view();
    std::map<std::vector<std::uint64_t>, std::set<std::uint64_t>> all;
    for (std::uint32_t domain = 0; domain < view.domains(level); ++domain) {
      const domain_path name = view.domain_name(level, domain);
      CHECK(name.level == static_cast<topology_level>(level));
      if (domain > 0) CHECK(view.domain_name(level, domain - 1).path < name.path);  // numbered in label order
      std::vector<std::uint64_t> path;
      for (const label_id label : name.path) path.push_back(number(label));
      std::set<std::uint64_t>& ids = all[path];
      CHECK(ids.empty());  // no name twice
      for (const run& piece : view.domain_runs(level, domain))
        for (std::uint32_t position = piece.first; position < piece.last; ++position) {
          CHECK(view.domain_of(position, level) == domain);
          if (view.present(position)) CHECK(ids.insert(number(view.id(position))).second);
        }
    }
    return all;
  }

  static topology make(std::size_t levels, std::initializer_list<std::size_t> merged) {
    topology shape = nested_levels(levels);
    for (const std::size_t level : merged) shape.levels[level].merge_equal_names = true;
    return shape;
  }

  cluster<counted> model;
  std::uint64_t last = 0;
};

using members_by_path = std::map<std::vector<std::uint64_t>, std::set<std::uint64_t>>;

}  // namespace

TEST_CASE("equal rack names in two zones are two domains", "[cluster]") {
  site of{2};
  of.node(1, {1, 7});
  of.node(2, {1, 7});
  of.node(3, {2, 7});
  of.node(4, {2, 8});
  CHECK(of.members(0) == members_by_path{{{1}, {1, 2}}, {{2}, {3, 4}}});
  CHECK(of.members(1) == members_by_path{{{1, 7}, {1, 2}}, {{2, 7}, {3}}, {{2, 8}, {4}}});
}

TEST_CASE("a merged level knows its own value alone", "[cluster]") {
  site of{2, {1}};
  of.node(1, {1, 7});
  of.node(2, {2, 7});
  of.node(3, {2, 8});
  CHECK(of.members(1) == members_by_path{{{7}, {1, 2}}, {{8}, {3}}});
  CHECK(of.members(0) == members_by_path{{{1}, {1}}, {{2}, {2, 3}}});
}

TEST_CASE("domains of a merged level stand in the order of its own values", "[cluster]") {
  site of{2, {1}};
  of.node(1, {1, 8});
  of.node(2, {2, 7});
  const auto view = of.model.view();
  REQUIRE(view.domains(1) == 2);
  CHECK(view.domain_name(1, 0).path == labels{label_id{7}});
  CHECK(view.domain_name(1, 1).path == labels{label_id{8}});
}

TEST_CASE("a level below a merged one still has its whole path", "[cluster]") {
  site of{3, {1}};
  of.node(1, {1, 7, 5});
  of.node(2, {2, 7, 5});
  CHECK(of.members(1) == members_by_path{{{7}, {1, 2}}});
  CHECK(of.members(2) == members_by_path{{{1, 7, 5}, {1}}, {{2, 7, 5}, {2}}});
}

TEST_CASE("a node without the label of a level is in none of its domains", "[cluster]") {
  site of{2};
  of.node(1, {1});
  of.node(2, {});
  of.node(3, {none, 7});
  of.node(4, {1, 7});
  CHECK(of.members(0) == members_by_path{{{1}, {1, 4}}});
  CHECK(of.members(1) == members_by_path{{{none, 7}, {3}}, {{1, 7}, {4}}});  // the missing zone is part of the path
  const auto view = of.model.view();
  CHECK(view.domain_of(view.find(node_id{1}).value(), 1) == no_domain);
  CHECK(view.domain_of(view.find(node_id{2}).value(), 0) == no_domain);
}

TEST_CASE("a domain with nodes of several kinds is one run a kind", "[cluster]") {
  site of{1};
  of.node(1, {5}, 2);
  of.node(2, {5}, 1);
  of.node(3, {5}, 2);
  of.node(4, {6}, 1);
  const auto view = of.model.view();
  REQUIRE(view.domains(0) == 2);
  CHECK(view.domain_runs(0, 0).size() == 2);
  CHECK(view.domain_runs(0, 1).size() == 1);
  REQUIRE(view.kinds().size() == 2);
  CHECK(view.kinds()[0] == std::pair{kind_id{1}, run{0, 2}});
  CHECK(view.kinds()[1] == std::pair{kind_id{2}, run{2, 4}});
}

TEST_CASE("no nodes, no domains", "[cluster]") {
  site of{3};
  for (std::size_t level = 0; level < 3; ++level) CHECK(of.members(level).empty());
  of.node(1, {});
  for (std::size_t level = 0; level < 3; ++level) CHECK(of.members(level).empty());
  site flat{0};
  flat.node(1, {});
  CHECK(flat.model.view().size() == 1);
}

TEST_CASE("a domain keeps its name when its nodes went, so that it can be said what their return would do",
          "[cluster]") {
  site of{1};
  of.node(1, {5});
  of.node(2, {6});
  apply(of.model, {revision{50}, node_gone{node_id{2}}});
  CHECK(of.members(0) == members_by_path{{{5}, {1}}, {{6}, {}}});
  of.last = 60;
  of.node(3, {7});
  CHECK(of.members(0) == members_by_path{{{5}, {1}}, {{6}, {}}, {{7}, {3}}});
  of.node(2, {6});
  CHECK(of.members(0) == members_by_path{{{5}, {1}}, {{6}, {2}}, {{7}, {3}}});
}

TEST_CASE("positions are in the order of kind, path and key", "[cluster]") {
  site of{1};
  of.node(9, {1}, 1);
  of.node(2, {2}, 1);
  of.node(5, {1}, 0);
  of.node(1, {1}, 1);
  of.node(3, {}, 1);
  const auto view = of.model.view();
  std::vector<std::uint64_t> order;
  for (std::uint32_t position = 0; position < view.size(); ++position) order.push_back(number(view.id(position)));
  CHECK(order == std::vector<std::uint64_t>{5, 1, 9, 2, 3});
}

TEST_CASE("runs cover exactly the nodes whose labels say so", "[cluster]") {
  muster_test::generator rng{"domain runs"};
  for (int round = muster_test::rounds(120); round > 0; --round) {
    CAPTURE(rng.seed(), round);
    const auto levels = static_cast<std::size_t>(rng.below(5));
    topology shape = nested_levels(levels);
    for (level_rule& rule : shape.levels) rule.merge_equal_names = rng.chance(30);
    site of{0};
    of.model = cluster<counted>{shape};
    std::map<std::uint64_t, std::vector<std::uint64_t>> paths;
    for (auto steps = rng.below(60); steps > 0; --steps) {
      const std::uint64_t id = rng.below(40);
      node_spec<counted> spec{node_id{id}, kind_id{static_cast<std::uint32_t>(rng.below(3))}, {1}, {}};
      std::vector<std::uint64_t>& path = paths[id];
      path.assign(levels, none);
      for (auto length = rng.below(levels + 1), l = std::uint64_t{0}; l < length; ++l) {
        path[static_cast<std::size_t>(l)] = rng.chance(20) ? none : rng.below(3);
        spec.labels.push_back(label_id{path[static_cast<std::size_t>(l)]});
      }
      apply(of.model, {revision{++of.last}, node_seen<counted>{spec}});
      if (rng.chance(20)) (void)of.model.view();
    }
    for (std::size_t level = 0; level < levels; ++level) {
      members_by_path expected;
      for (const auto& [id, path] : paths) {
        if (path[level] == none) continue;
        const bool merged = shape.levels[level].merge_equal_names;
        const std::vector<std::uint64_t> name(merged ? path.begin() + static_cast<std::ptrdiff_t>(level) : path.begin(),
                                              path.begin() + static_cast<std::ptrdiff_t>(level) + 1);
        expected[name].insert(id);
      }
      REQUIRE(of.members(level) == expected);
    }
  }
}

namespace {

/// Nodes of every domain of a level, node_level included, by position.
std::vector<std::set<std::uint32_t>> nodes_by_domain(const snapshot<counted>& view, topology_level at) {
  std::vector<std::set<std::uint32_t>> all(at == node_level ? view.size() : view.domains(static_cast<std::size_t>(at)));
  for (std::uint32_t p = 0; p < view.size(); ++p) {
    const std::uint32_t domain = at == node_level ? p : view.domain_of(p, static_cast<std::size_t>(at));
    if (domain != no_domain) all[domain].insert(p);
  }
  return all;
}

/// Whether any two domains, one of each list, share a node although neither holds the other.
bool cross(const std::vector<std::set<std::uint32_t>>& some, const std::vector<std::set<std::uint32_t>>& others) {
  for (const auto& a : some)
    for (const auto& b : others) {
      std::vector<std::uint32_t> shared;
      std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(shared));
      if (!shared.empty() && shared.size() < a.size() && shared.size() < b.size()) return true;
    }
  return false;
}

}  // namespace

TEST_CASE("limits are accepted iff the domains of their levels nest wherever nodes stand", "[cluster]") {
  muster_test::generator rng{"limits and domains"};
  constexpr std::size_t levels = 3;
  std::map<std::vector<std::uint64_t>, bool> crossed;  // by merged levels and the pair
  for (int round = muster_test::rounds(600); round > 0; --round) {
    CAPTURE(rng.seed(), round);
    topology shape = nested_levels(levels);
    const std::uint64_t merged = rng.below(8);
    for (std::size_t l = 0; l < levels; ++l) shape.levels[l].merge_equal_names = (merged >> l & 1U) != 0;
    site of{0};
    of.model = cluster<counted>{shape};
    for (std::uint64_t id = 8; id > 0; --id) {
      node_spec<counted> spec{node_id{id}, kind_id{}, {1}, {}};
      for (std::size_t l = 0; l < levels; ++l)
        spec.labels.push_back(rng.chance(10) ? no_label : label_id{rng.below(2)});
      apply(of.model, {revision{++of.last}, node_seen<counted>{spec}});
    }
    const auto view = of.model.view();
    const topology_level known[] = {topology_level{0}, topology_level{1}, topology_level{2}, node_level};
    for (const topology_level a : known)
      for (const topology_level b : known) {
        pod_group<counted> group;
        group.disruption = disruption_mode::all;
        group.pod_sets = {{{1}, 4, 0}};
        group.limits = {{a, 2}, {b, 1}};
        const group_fault fault = first_fault(group, shape).fault;
        const bool crosses = cross(nodes_by_domain(view, a), nodes_by_domain(view, b));
        CAPTURE(merged, static_cast<int>(a), static_cast<int>(b), name(fault));
        if (fault == group_fault::none)
          REQUIRE_FALSE(crosses);
        else
          REQUIRE(fault == group_fault::limits_cross);
        if (fault != group_fault::none)
          crossed[{merged, static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b)}] |= crosses;
      }
  }
  CHECK(crossed.size() == 24);  // pairs with a merged finer level, in both orders, over the 8 topologies
  for (const auto& [pair, seen] : crossed) {
    CAPTURE(pair);
    CHECK(seen);  // refused for a reason
  }
}
