// SPDX-License-Identifier: BSL-1.0
// Any order and repetition of a set of changes gives what a fresh build from a list gives; and whatever the order, what is
// left, the members' phases and the index follow from the registers alone.
#include "change_source.hpp"
#include "support/catch.hpp"
#include "support/cluster_view.hpp"
#include "support/generator.hpp"

#include <muster/cluster/apply.hpp>
#include <muster/cluster/cluster.hpp>
#include <muster/cluster/digest.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using namespace muster;
using change_source::limits;
using change_source::source;
using muster_test::balance_fault;
using muster_test::generator;
using muster_test::index_fault;
using muster_test::portrait_of;

namespace {

topology some_levels(generator& rng, std::uint64_t count) {
  topology levels = nested_levels(static_cast<std::size_t>(count));
  for (level_rule& rule : levels.levels) rule.merge_equal_names = rng.chance(25);
  return levels;
}

/// All changes in the order of their revisions, each once.
template <class M>
cluster<M> fresh_build(const topology& levels, std::vector<change<M>> changes) {
  std::stable_sort(changes.begin(), changes.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
  cluster<M> built{levels};
  for (const change<M>& each : changes) apply(built, each);
  return built;
}

template <class M>
void any_order_is_the_same(const char* name, int usual_rounds) {
  generator rng{name};
  const int rounds = muster_test::rounds(usual_rounds);
  for (int round = rounds; round > 0; --round) {
    CAPTURE(name, rng.seed(), round);
    limits of;
    of.levels = rng.below(4);
    source<M> changes_of{rng, of};
    const topology levels = some_levels(rng, of.levels);
    const bool unique = rng.chance(50);
    const auto changes = changes_of.changes(static_cast<std::size_t>(rng.between(5, 120)), unique);
    const time_point end = changes_of.time();

    auto built = fresh_build<M>(levels, changes);
    const auto expected = portrait_of<M>(built.view(end), changes_of.pods(), changes_of.groups());
    const std::uint64_t expected_digest = digest(built);
    REQUIRE(balance_fault<M>(built, built.view(end)) == "");
    REQUIRE(index_fault(built.view(end)) == "");

    for (int order = 0; order < 3; ++order) {
      auto story = changes;
      for (auto repeats = rng.below(changes.size()); repeats > 0; --repeats) story.push_back(rng.pick(changes));
      rng.shuffle(story);
      cluster<M> told{levels};
      for (const change<M>& each : story) {
        const auto result = apply(told, each);
        REQUIRE(result.outcome != apply_outcome::rejected);
        if (rng.chance(10)) REQUIRE(index_fault(told.view(changes_of.time())) == "");
        if (rng.chance(5)) REQUIRE(balance_fault<M>(told, told.view(changes_of.time())) == "");
      }
      for (auto repeats = rng.below(5); repeats > 0; --repeats) {
        const auto outcome = apply(told, rng.pick(changes)).outcome;  // nothing is news any more
        REQUIRE((outcome == apply_outcome::duplicate || outcome == apply_outcome::stale));
      }
      const auto view = told.view(end);
      REQUIRE(digest(told) == expected_digest);
      REQUIRE(balance_fault<M>(told, view) == "");
      REQUIRE(index_fault(view) == "");
      const auto shown = portrait_of<M>(view, changes_of.pods(), changes_of.groups());
      CHECK(shown.nodes == expected.nodes);
      CHECK(shown.order == expected.order);
      CHECK(shown.domains == expected.domains);
      CHECK(shown.kinds == expected.kinds);
      CHECK(shown.latest == expected.latest);
      CHECK(shown.pods == expected.pods);
      CHECK(shown.groups == expected.groups);
      CHECK(shown.set_asides == expected.set_asides);
      CHECK(shown.scale == expected.scale);
      CHECK(shown.index == expected.index);
      CHECK(shown.populations == expected.populations);
    }
  }
}

}  // namespace

TEST_CASE("changes in any order give the same cluster: counted resources", "[property]") {
  any_order_is_the_same<resource_vector<2>>("change order, resource_vector<2>", 600);
}

TEST_CASE("changes in any order give the same cluster: devices", "[property]") {
  any_order_is_the_same<devices<4>>("change order, devices<4>", 600);
}

TEST_CASE("changes in any order give the same cluster: devices and counted resources", "[property]") {
  any_order_is_the_same<joint<devices<4>, resource_vector<1>>>("change order, joint", 600);
}

TEST_CASE("a copy of a cluster goes its own way", "[property]") {
  using M = devices<4>;
  generator rng{"copy of a cluster"};
  for (int round = muster_test::rounds(60); round > 0; --round) {
    CAPTURE(rng.seed(), round);
    source<M> changes_of{rng, limits{}};
    const auto first = changes_of.changes(60, false), then = changes_of.changes(60, false);
    cluster<M> copied{nested_levels(2)};
    std::uint64_t digest_before = 0;
    {
      cluster<M> original{nested_levels(2)};
      for (const auto& each : first) apply(original, each);
      (void)original.view();
      copied = original;
      digest_before = digest(original);
      for (const auto& each : then) apply(copied, each);
      CHECK(digest(original) == digest_before);
      CHECK(balance_fault<M>(original, original.view()) == "");
    }
    CHECK(balance_fault<M>(copied, copied.view()) == "");
    CHECK(index_fault(copied.view()) == "");
    auto both = first;
    both.insert(both.end(), then.begin(), then.end());
    auto built = fresh_build<M>(nested_levels(2), both);
    CHECK(digest(copied) == digest(built));
    auto shown = portrait_of<M>(copied.view(), changes_of.pods(), changes_of.groups());
    const auto expected = portrait_of<M>(built.view(), changes_of.pods(), changes_of.groups());
    CHECK(shown == expected);
  }
}
