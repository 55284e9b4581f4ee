// SPDX-License-Identifier: BSL-1.0
#include <muster/resource/resource_vector.hpp>
#include <muster/scoring/tier_score.hpp>

#include "support/catch.hpp"
#include "support/generator.hpp"
#include "support/scene.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace {

using cores = muster::resource_vector<1>;
using muster::grown;
using muster::no_level;
using muster::tier_score;
using muster::topology_level;
using muster::used_domain;
using muster::whole_share;

constexpr topology_level zone{0}, block{1}, rack{2};

/// Two zones of two blocks of two racks of one node: node 1 in rack 1 of block 1 of zone 1. Node 9 has no label.
struct hall : muster_test::scene<cores> {
  hall() : scene{muster::nested_levels(3)} {
    std::uint64_t id = 0;
    for (std::uint64_t z = 1; z <= 2; ++z)
      for (std::uint64_t b = 1; b <= 2; ++b)
        for (std::uint64_t r = 1; r <= 2; ++r) node(++id, {2}, {z, b, r});
    node(9, {2});
  }
  [[nodiscard]] std::uint32_t at(std::uint64_t id) { return *view().find(muster::node_id{id}); }
  [[nodiscard]] used_domain used(std::initializer_list<std::uint64_t> ids) {
    used_domain all;
    for (const std::uint64_t id : ids) all = grown(view(), all, at(id));
    return all;
  }
  [[nodiscard]] std::int64_t score(std::initializer_list<std::uint64_t> ids, std::uint64_t node) {
    return tier_score(view(), used(ids), at(node));
  }
};

}  // namespace

TEST_CASE("a node scores by the tier of the lowest domain that holds it and what is used", "[scoring]") {
  hall s;
  CHECK(s.score({1}, 1) == whole_share);      // the used domain itself
  CHECK(s.score({1}, 2) == whole_share / 2);  // tier 2 of 1 .. 3
  CHECK(s.score({1}, 3) == 0);                // tier 3, the highest
  CHECK(s.score({1}, 5) == 0);                // no domain holds both
  CHECK(s.score({1}, 9) == 0);
  CHECK(s.score({}, 1) == 0);
}

TEST_CASE("the used domain grows to the lowest one that holds all", "[scoring]") {
  hall s;
  CHECK((s.used({1}).level == rack));
  CHECK((s.used({1, 1}).level == rack));
  CHECK((s.used({1, 2}).level == block));
  CHECK((s.used({1, 2, 1}).level == block));  // and never shrinks
  CHECK((s.used({2, 3}).level == zone));
  CHECK((s.used({2, 8}).level == no_level));
  CHECK((s.used({2, 9}).level == no_level));
  CHECK(s.used({}).empty());
  CHECK(s.score({1, 2}, 1) == whole_share / 2);  // a rack inside the used block is not the used domain
  CHECK(s.score({1, 2}, 2) == whole_share / 2);
  CHECK(s.score({1, 2}, 3) == 0);
  CHECK(s.score({1, 8}, 1) == 0);
}

TEST_CASE("of one tier a node is in the used domain or not", "[scoring]") {
  muster_test::scene<cores> s{muster::nested_levels(1)};
  s.node(1, {2}, {1});
  s.node(2, {2}, {1});
  s.node(3, {2}, {2});
  const auto view = s.view();
  const used_domain used = grown(view, used_domain{}, *view.find(muster::node_id{1}));
  CHECK(tier_score(view, used, *view.find(muster::node_id{2})) == whole_share);
  CHECK(tier_score(view, used, *view.find(muster::node_id{3})) == 0);
  muster_test::scene<cores> flat;
  flat.node(1, {2});
  CHECK(tier_score(flat.view(), grown(flat.view(), {}, 0), 0) == 0);  // no tier at all
}

TEST_CASE("tiers as the rule counts them on random trees", "[scoring]") {
  using path = std::vector<std::uint64_t>;
  muster_test::generator rng{"tier_score"};
  const auto common = [](const path& a, const path& b) {
    return path(a.begin(), std::mismatch(a.begin(), a.begin() + std::ptrdiff_t(std::min(a.size(), b.size())),
                                         b.begin()).first);
  };
  for (int round = 0; round < muster_test::rounds(100); ++round) {
    const auto levels = static_cast<std::size_t>(rng.between(2, 4));
    muster_test::scene<cores> s{muster::nested_levels(levels)};
    std::vector<path> where;
    for (std::uint64_t n = 0; n < 8; ++n) {
      path labels;
      for (std::size_t l = 0; l < levels; ++l) labels.push_back(static_cast<std::uint64_t>(rng.between(1, 2)));
      if (rng.chance(20)) labels.resize(static_cast<std::size_t>(rng.between(1, std::int64_t(levels))));
      muster::node_spec<cores> spec{muster::node_id{n}, {}, {1}, {}};
      for (const std::uint64_t each : labels) spec.labels.push_back(muster::label_id{each});
      s.say(muster::node_seen<cores>{spec});
      where.push_back(labels);
    }
    const auto view = s.view();
    const auto at = [&](std::uint64_t n) { return *view.find(muster::node_id{n}); };
    used_domain used;
    path lowest;  // names of the used domain, from the coarsest down; its tier is levels - how many + 1
    for (int step = 0; step < 4; ++step) {
      const auto next = rng.below(8);
      lowest = step == 0 ? where[next] : common(lowest, where[next]);
      used = grown(view, used, at(next));
      for (std::uint64_t n = 0; n < 8; ++n) {
        const path both = common(lowest, where[n]);
        const auto tier = static_cast<std::int64_t>(levels - both.size() + 1);
        const auto highest = static_cast<std::int64_t>(levels);
        std::int64_t want = both.empty() ? 0 : (highest - tier) * whole_share / (highest - 1);
        if (!both.empty() && both == lowest && both == where[n]) want = whole_share;
        CHECK(tier_score(view, used, at(n)) == want);
      }
    }
  }
}
