// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/explain.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/generator.hpp"
#include "support/small_cluster.hpp"

#include <muster/placement/describe_ladder.hpp>
#include <muster/placement/place.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

using namespace muster;
using muster_test::gang_of;
using muster_test::gpus;
using muster_test::small_cluster;

namespace {

const rung* find(const explanation& in, rung_kind kind, std::uint32_t shape = 0) {
  for (const rung& one : in.rungs)
    if (one.kind == kind && one.shape == shape) return &one;
  return nullptr;
}

struct no_kind_one {
  template <class M>
  reason_code operator()(const pod_group<M>&, std::size_t, kind_id kind) const {
    return kind == kind_id{1} ? reason_code{7} : eligible_node;
  }
};

}  // namespace

TEST_CASE("a mixed gang learns how many nodes of which shape would do, and how many pods sit", "[placement]") {
  small_cluster now{5, 5, 5};
  const auto gang = gang_of({{{4}, 1, 0}, {{3}, 1, 0}, {{2}, 4, 0}});  // the pod of 4 spoils a node
  const std::vector<gpus::capacity_type> shapes{{2}, {1}, {4}};
  workspace<gpus> space;
  const auto why = explain(now.model.view(), gang, std::span{shapes}, space);
  CHECK(why.verdict == verdict::never);
  CHECK(find(why, rung_kind::wait_for_leaving) == nullptr);
  const rung* nodes = find(why, rung_kind::more_nodes, 0);
  REQUIRE(nodes != nullptr);
  CHECK(nodes->answer == rung_answer::helps);
  CHECK(nodes->bound == 1);
  CHECK(nodes->proved == 1);
  CHECK(find(why, rung_kind::more_nodes, 1)->answer == rung_answer::no_help);
  CHECK(find(why, rung_kind::more_nodes, 2)->proved == 1);
  const rung* fewer = find(why, rung_kind::lower_min_count);
  CHECK(fewer->answer == rung_answer::helps);
  CHECK(fewer->proved == 5);
  CHECK(find(why, rung_kind::largest_gang)->proved == 5);
  std::string text;
  describe(std::back_inserter(text), why);
  CHECK(text ==
        "with min_count 5 it fits\n"
        "1 more node of shape 0 would do\n"
        "no number of nodes of shape 1 helps\n"
        "1 more node of shape 2 would do\n"
        "5 pods of it sit at once\n");
}

TEST_CASE("a gang that fits needs no ladder, and one that is unknown has none", "[placement]") {
  small_cluster now{8};
  workspace<gpus> space;
  const std::vector<gpus::capacity_type> none;
  const auto why = explain(now.model.view(), gang_of({{{1}, 4, 0}}), std::span{none}, space);
  CHECK(why.verdict == verdict::fits);
  CHECK(why.rungs.empty());
  CHECK(explain(now.model.view(), group_id{5}, std::span{none}, space).verdict == verdict::hold);
}

TEST_CASE("a wider level, a reason code and what is leaving are rungs of their own", "[placement]") {
  small_cluster now({}, 1);
  now.say(node_seen<gpus>{{node_id{1}, kind_id{0}, {4}, {label_id{1}}}});
  now.say(node_seen<gpus>{{node_id{2}, kind_id{0}, {4}, {label_id{2}}}});
  now.say(node_seen<gpus>{{node_id{3}, kind_id{1}, {4}, {label_id{2}}}});
  now.block(90, 1, 4);
  now.say(pod_terminating{pod_id{90}, end_of_time, {}});
  auto gang = gang_of({{{3}, 1, 0}, {{1}, 4, 0}});
  gang.required = topology_level{0};
  workspace<gpus> space;
  const std::vector<gpus::capacity_type> none;
  const auto why =
      explain(now.model.view(), gang, std::span{none}, space, place_options<no_kind_one>{.filter = {}});
  CHECK(why.verdict == verdict::never);  // seven pods, and a rack of four that may be used
  CHECK(find(why, rung_kind::wait_for_leaving)->answer == rung_answer::no_help);
  CHECK(find(why, rung_kind::wait_for_leaving)->proved == 1);
  CHECK(find(why, rung_kind::wider_level)->level == no_level);
  CHECK(find(why, rung_kind::wider_level)->answer == rung_answer::no_help);
  CHECK(find(why, rung_kind::drop_reason)->reason == reason_code{7});
  CHECK(find(why, rung_kind::drop_reason)->answer == rung_answer::helps);
}

TEST_CASE("whether it helps to wait is proved either way, or said to be open", "[placement]") {
  small_cluster now{5, 5, 5};
  now.block(90, 3, 5);
  now.say(pod_terminating{pod_id{90}, end_of_time, {}});
  workspace<gpus> space;
  const std::vector<gpus::capacity_type> none;
  const auto wait_rung = [&](const pod_group<gpus>& gang, const place_options<>& how) {
    const auto why = explain(now.model.view(), gang, std::span{none}, space, how);
    return find(why, rung_kind::wait_for_leaving)->answer;
  };
  const auto gang = gang_of({{{2}, 3, 0}, {{3}, 2, 0}});  // 2+2, 2+3, 3: three nodes
  CHECK(wait_rung(gang, {}) == rung_answer::helps);
  const place_options<> at_once{.budget = 0};
  REQUIRE(place(now.model.view(), gang, at_once).verdict == verdict::not_now);
  CHECK(wait_rung(gang, at_once) == rung_answer::bounded);
  std::string text;
  describe(std::back_inserter(text), place(now.model.view(), gang, at_once));
  CHECK(text.find("once what is terminating has left is not known") != std::string::npos);
  CHECK(wait_rung(gang_of({{{2}, 3, 0}, {{3}, 3, 0}}), {}) == rung_answer::helps);
  CHECK(wait_rung(gang_of({{{2}, 3, 0}, {{4}, 3, 0}}), {}) == rung_answer::no_help);
}

TEST_CASE("minima that cannot sit leave no min_count that helps, yet pods sit", "[placement]") {
  small_cluster now{4};
  const auto gang = gang_of({{{5}, 1, 1}, {{1}, 4, 0}});
  workspace<gpus> space;
  const std::vector<gpus::capacity_type> shapes{{5}, {4}};
  const auto why = explain(now.model.view(), gang, std::span{shapes}, space);
  CHECK(find(why, rung_kind::lower_min_count)->answer == rung_answer::no_help);
  CHECK(find(why, rung_kind::more_nodes, 0)->proved == 1);
  CHECK(find(why, rung_kind::more_nodes, 1)->answer == rung_answer::no_help);
  CHECK(find(why, rung_kind::largest_gang)->proved == 4);
}

TEST_CASE("of a group whose waiting pod asks otherwise the ladder says what place says", "[placement]") {
  small_cluster now{4};
  now.submit(1, 2, 3);
  pod_seen<gpus> odd;
  odd.pod = small_cluster::id(1, 1);
  odd.group = group_id{1};
  odd.request = {1};
  now.say(odd);
  workspace<gpus> space;
  const std::vector<gpus::capacity_type> none;
  REQUIRE(place(now.model.view(), group_id{1}, space).verdict == verdict::invalid);
  const auto why = explain(now.model.view(), group_id{1}, std::span{none}, space);
  CHECK(why.verdict == verdict::invalid);
  CHECK(why.rungs.empty());
}

TEST_CASE("members that run count against the limits when new nodes are asked about", "[placement]") {
  small_cluster now({}, 1);
  now.say(node_seen<gpus>{{node_id{1}, {}, {4}, {label_id{1}}}});
  auto gang = now.submit(1, 3);
  now.say(pod_placed<gpus>{small_cluster::id(1, 0), node_id{1}, placing::bound, {}, {}});
  const auto nodes = [&] {
    now.say(group_seen<gpus>{gang});
    workspace<gpus> space;
    const std::vector<gpus::capacity_type> shapes{{4}};
    const auto why = explain(now.model.view(), group_id{1}, std::span{shapes}, space);
    return why.rungs.empty() ? rung{} : *find(why, rung_kind::more_nodes);
  };
  gang.limits = {{node_level, 1}};  // the node holds the one it may: two more nodes for the other two
  CHECK(nodes().proved == 2);
  gang.limits = {{topology_level{0}, 2}};  // there is one rack, and no more than two in it
  CHECK(nodes().answer == rung_answer::no_help);
  now.say(node_seen<gpus>{{node_id{2}, {}, {0}, {label_id{2}}}});  // a second rack, without room
  CHECK(nodes().proved == 1);
}

TEST_CASE("no fewer nodes do for a mix than the ladder says", "[placement]") {
  muster_test::generator rng{"ladder"};
  workspace<gpus> space;
  int helped = 0, no_help = 0;
  for (int round = muster_test::rounds(300); round > 0; --round) {
    small_cluster now({}, 1);
    const auto count = rng.below(4);
    std::uint64_t id = 0;
    for (std::uint64_t n = 0; n < count; ++n)
      now.say(node_seen<gpus>{{node_id{++id}, {}, {rng.between(0, 6)}, {label_id{1 + rng.below(2)}}}});
    auto gang = gang_of({{{rng.between(1, 5)}, rng.between(1, 3), 0}, {{rng.between(1, 5)}, rng.between(1, 4), 0}});
    if (rng.chance(30)) gang.min_count = rng.between(1, declared_pods(gang));
    if (rng.chance(30)) gang.limits = {{node_level, rng.between(1, 2)}};
    if (rng.chance(30)) gang.required = topology_level{0};
    const std::vector<gpus::capacity_type> shapes{{rng.between(1, 7)}};
    const auto why = explain(now.model.view(), gang, std::span{shapes}, space);
    if (why.rungs.empty()) continue;
    const rung& given = *find(why, rung_kind::more_nodes);
    REQUIRE(given.answer != rung_answer::bounded);
    // by adding them, in every domain
    std::optional<pod_count> fewest;
    std::set<label_id> best;  // domains in which so few do
    const bool anywhere = gang.required == no_level;
    for (std::uint64_t label = 1; label <= (anywhere ? 1U : 2U); ++label) {
      small_cluster more = now;
      bool known = anywhere;
      for (std::uint64_t n = 1; n <= count; ++n)
        known = known || more.model.view().label(*more.model.view().find(node_id{n}), 0) == label_id{label};
      if (!known) continue;
      for (pod_count n = 1; n <= declared_pods(gang); ++n) {
        more.say(node_seen<gpus>{{node_id{100 + static_cast<std::uint64_t>(n)}, {}, shapes[0], {label_id{label}}}});
        if (!place(more.model.view(), gang).fits()) continue;
        if (!fewest || n < *fewest) best.clear();
        if (!fewest || n <= *fewest) {
          fewest = n;
          best.insert(label_id{label});
        }
        break;
      }
    }
    REQUIRE((given.answer == rung_answer::helps) == fewest.has_value());
    if (fewest) REQUIRE(given.proved == *fewest);
    if (fewest && !anywhere) REQUIRE(best.contains(given.domain.path[0]));
    ++(fewest ? helped : no_help);
  }
  CHECK(helped > 20);
  CHECK(no_help > 20);
}

TEST_CASE("what a rung says is so: with that one thing changed the gang fits, or does not", "[placement]") {
  muster_test::generator rng{"rungs"};
  workspace<gpus> space;
  const place_options<no_kind_one> filtered{.filter = {}};
  const std::vector<gpus::capacity_type> none;
  struct {
    int yes = 0, no = 0;
    void count(bool helps) { ++(helps ? yes : no); }
  } fewer, wider, zone, unfiltered;
  for (int round = muster_test::rounds(300); round > 0; --round) {
    small_cluster now({}, 2);  // zones and racks
    for (auto n = rng.between(2, 6); n > 0; --n) {
      const std::uint64_t rack = rng.below(4);
      now.say(node_seen<gpus>{{node_id{static_cast<std::uint64_t>(n)}, kind_id{rng.chance(30) ? 1U : 0U},
                               {rng.between(1, 6)}, {label_id{rack / 2}, label_id{rack}}}});
    }
    auto gang = gang_of({{{rng.between(1, 4)}, rng.between(1, 3), rng.between(0, 1)},
                         {{rng.between(1, 4)}, rng.between(1, 4), rng.between(0, 1)}});
    gang.required = topology_level{1};
    const auto fits = [&](auto change, const auto& how) {
      auto changed = gang;
      change(changed);
      return place(now.model.view(), changed, how).fits();
    };
    const auto why = explain(now.model.view(), gang, std::span{none}, space, filtered);
    if (why.rungs.empty()) continue;
    const pod_count total = declared_pods(gang), minima = gang.pod_sets[0].minimum + gang.pod_sets[1].minimum;

    const rung& less = *find(why, rung_kind::lower_min_count);
    const auto with_min = [&](pod_count min) {
      return fits([min](auto& g) { g.min_count = min; }, filtered);
    };
    fewer.count(less.answer == rung_answer::helps);
    if (less.answer == rung_answer::helps) {
      REQUIRE(with_min(less.proved));
      REQUIRE_FALSE(with_min(less.proved + 1));
    } else {
      REQUIRE(less.answer == rung_answer::no_help);
      REQUIRE_FALSE(with_min(std::max<pod_count>(minima, 1)));
    }

    for (const rung& one : why.rungs) {
      if (one.kind == rung_kind::wider_level) {
        const bool does = fits([&](auto& g) { g.required = one.level; }, filtered);
        REQUIRE((one.answer == rung_answer::helps) == does);
        (one.level == no_level ? wider : zone).count(does);
      }
      if (one.kind == rung_kind::drop_reason) {
        const bool does = fits([](auto&) {}, place_options<>{});
        REQUIRE(one.reason == reason_code{7});
        REQUIRE((one.answer == rung_answer::helps) == does);
        unfiltered.count(does);
      }
    }

    const pod_count most = find(why, rung_kind::largest_gang)->proved;
    const auto sit = [&](pod_count pods) {
      return fits(
          [pods](auto& g) {
            for (auto& set : g.pod_sets) set.minimum = 0;
            g.min_count = pods;
          },
          filtered);
    };
    REQUIRE(most < total);
    if (most > 0) REQUIRE(sit(most));
    REQUIRE_FALSE(sit(most + 1));
  }
  for (const auto& kind : {fewer, wider, zone, unfiltered}) {
    CHECK(kind.yes > 10);
    CHECK(kind.no > 10);
  }
}

TEST_CASE("of a gang that may fit as it is no node is said to be needed", "[placement]") {
  small_cluster now{4, 5, 5};
  const auto gang = gang_of({{{3}, 2, 0}, {{2}, 4, 0}});  // 3 and 2, 3 and 2, 2 and 2
  REQUIRE(place(now.model.view(), gang).fits());
  workspace<gpus> space;
  const std::vector<gpus::capacity_type> shapes{{5}};
  const auto why = explain(now.model.view(), gang, std::span{shapes}, space, place_options<>{.budget = 0});
  REQUIRE(why.verdict == verdict::undecided);
  const rung* more = find(why, rung_kind::more_nodes);
  CHECK(more->answer == rung_answer::bounded);
  CHECK(more->bound == 0);
}

TEST_CASE("under a limit of a wider level no number of nodes of unlike pods is called enough", "[placement]") {
  small_cluster now({}, 1);
  now.say(node_seen<gpus>{{node_id{1}, {}, {4}, {label_id{1}}}});
  auto gang = gang_of({{{3}, 2, 0}, {{1}, 2, 0}});
  gang.limits.push_back({topology_level{0}, 1});
  workspace<gpus> space;
  const std::vector<gpus::capacity_type> shapes{{4}};
  const auto why = explain(now.model.view(), gang, std::span{shapes}, space);
  const rung* more = find(why, rung_kind::more_nodes);
  CHECK(more->answer == rung_answer::bounded);
  CHECK(more->bound == 2);  // a 3 in the rack, 5 more of the others: more than one node
  CHECK(more->proved == 0);
}
