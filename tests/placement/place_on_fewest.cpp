// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/eligibility.hpp>
#include <muster/placement/fewest_domains.hpp>
#include <muster/placement/place.hpp>
#include <muster/placement/place_on_fewest.hpp>
#include <muster/placement/verify.hpp>
#include <muster/resource/devices.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/generator.hpp"
#include "support/scene.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using two = muster::resource_vector<2>;
using scene = muster_test::scene<two>;
using muster::domain_path;
using muster::fewest_answer;
using muster::fewest_fault;
using muster::fewest_rule;
using muster::fewest_wish;
using muster::no_level;
using muster::node_level;
using muster::place_on_fewest;
using muster::pod_count;
using muster::run;
using muster::topology_level;
using muster::verdict;

constexpr topology_level zone{0}, rack{1};

domain_path path(topology_level level, std::initializer_list<std::uint64_t> labels) {
  domain_path made{level, {}};
  for (const std::uint64_t one : labels) made.path.push_back(muster::label_id{one});
  return made;
}

/// Workers of one core and four of memory, and servers of four cores and one of memory.
muster::pod_group<two> workers_and_servers(pod_count workers, pod_count servers) {
  auto gang = scene::gang(1, workers, {1, 4});
  gang.pod_sets.push_back({{4, 1}, servers, 0});
  return gang;
}

/// Two zones of three racks of two nodes, 8 cores and 8 of memory each: a node holds a worker and a server.
struct hall : scene {
  hall() : scene{muster::nested_levels(2)} {
    std::uint64_t id = 0;
    for (std::uint64_t z = 1; z <= 2; ++z)
      for (std::uint64_t r = 1; r <= 3; ++r)
        for (int n = 0; n < 2; ++n) node(++id, {8, 8}, {z, r});
  }
  /// Leaves nothing of a node.
  void block(std::uint64_t id) { filler(500 + id, id, {8, 8}); }
  template <class Group>
  fewest_answer ask(const Group& group, const fewest_wish& wish = {rack}) {
    return place_on_fewest(view(), group, wish, space);
  }
  muster::workspace<two> space;
};

/// Where the answer lies does not matter for a single domain.
bool is_in(const fewest_answer& made, const domain_path& domain) {
  return std::find(made.domains.begin(), made.domains.end(), domain) != made.domains.end();
}

}  // namespace

TEST_CASE("unlike pods sit on one domain where one holds them, and there on the narrowest", "[placement]") {
  hall s;
  auto made = s.ask(workers_and_servers(1, 1));
  REQUIRE(made.fits());
  CHECK(made.domains.size() == 1);
  CHECK((made.shared == node_level));
  CHECK(made.proved());
  CHECK(made.best);
  made = s.ask(workers_and_servers(2, 2));
  REQUIRE(made.fits());
  CHECK(made.domains == std::vector{path(rack, {1, 1})});
  CHECK((made.shared == rack));
  CHECK(made.best);
}

TEST_CASE("of domains that do those with the fewest slots", "[placement]") {
  hall s;
  s.filler(90, 7, {8, 6});  // rack 1 of zone 2 keeps one node and a little
  s.filler(91, 9, {0, 4});  // rack 2 of zone 2 the room of one worker less
  const auto made = s.ask(workers_and_servers(2, 2));
  REQUIRE(made.fits());
  CHECK(made.domains == std::vector{path(rack, {2, 2})});
  CHECK(made.best);
}

TEST_CASE("the fewest domains go before the nearest, or behind them", "[placement]") {
  hall s;  // zone 1 keeps three racks of one node, zone 2 one whole rack and one node
  for (const std::uint64_t n : {2U, 4U, 6U, 10U, 11U, 12U}) s.block(n);
  const auto gang = workers_and_servers(4, 4);  // four nodes: no zone has more than three
  CHECK(s.ask(gang).domains.size() == 3);
  const auto three = workers_and_servers(3, 3);
  auto made = s.ask(three);  // rack 1 of zone 2, and a node of the other rack there
  REQUIRE(made.fits());
  CHECK(made.domains == std::vector{path(rack, {2, 1}), path(rack, {2, 2})});
  CHECK((made.shared == zone));
  CHECK(made.best);
  s.block(9);  // now two racks hold three nodes only across zones
  made = s.ask(three);
  REQUIRE(made.fits());
  CHECK(made.domains.size() == 2);
  CHECK((made.shared == no_level));
  CHECK(made.best);
  made = s.ask(three, {rack, fewest_rule::nearest});
  REQUIRE(made.fits());
  CHECK(made.domains.size() == 3);
  CHECK((made.shared == zone));
  CHECK(made.proved());
  CHECK(made.best);
}

TEST_CASE("prices that refuse one set refuse others, and raise the least number", "[placement]") {
  hall s;
  const auto gang = workers_and_servers(9, 9);  // a pair a node; slots and sums would allow three racks
  for (const auto rule : {fewest_rule::fewest_domains, fewest_rule::nearest}) {
    const auto made = s.ask(gang, {rack, rule});
    REQUIRE(made.fits());
    CHECK(made.domains.size() == 5);
    CHECK(made.proved());
    CHECK(made.best);
    CHECK(made.asks <= 3);
  }
}

TEST_CASE("members that run use their domain, and cost nothing more", "[placement]") {
  hall s;
  const auto gang = workers_and_servers(3, 3);
  s.group(gang);
  s.pods(100, 3, gang, 0);
  s.pods(200, 3, gang, 1);
  s.bind(100, 11);  // in the last rack, which has room for more
  const auto made = s.ask(gang.id);
  REQUIRE(made.fits());
  CHECK(made.domains.size() == 2);
  CHECK(is_in(made, path(rack, {2, 3})));
  CHECK((made.shared == zone));
  CHECK(made.proved());
  CHECK(verify(s.view(), gang.id, s.space.answer.seats).holds());
}

TEST_CASE("with nothing to place the domains of members that run are counted", "[placement]") {
  hall s;
  const auto gang = workers_and_servers(1, 1);
  s.group(gang);
  s.pod(100, gang, 0);
  s.pod(200, gang, 1);
  s.bind(100, 1);
  s.bind(200, 12);
  const auto made = s.ask(gang.id);
  REQUIRE(made.fits());
  CHECK(made.domains == std::vector{path(rack, {1, 1}), path(rack, {2, 3})});
  CHECK(made.proved());
  CHECK(made.asks == 0);
}

TEST_CASE("a node without the label is a domain of its own", "[placement]") {
  scene s{muster::nested_levels(2)};
  for (std::uint64_t n = 1; n <= 3; ++n) s.node(n, {8, 8}, {1});  // in a zone, and in no rack
  s.node(4, {8, 8}, {1, 1});
  s.node(5, {8, 8}, {1, 1});
  muster::workspace<two> space;
  const auto made = place_on_fewest(s.view(), workers_and_servers(4, 4), fewest_wish{rack}, space);
  REQUIRE(made.fits());
  CHECK(made.domains.size() == 3);  // the rack of two and two nodes
  CHECK(is_in(made, path(rack, {1, 1})));
  CHECK((made.domains.back().level == node_level));
  CHECK(made.proved());
}

TEST_CASE("a refusal is that of all nodes", "[placement]") {
  hall s;
  const auto gang = workers_and_servers(13, 12);
  const auto made = s.ask(gang);
  CHECK(made.verdict == verdict::never);
  CHECK(!made.proved());
  const auto whole = place(s.view(), gang);
  CHECK(s.space.answer.verdict == whole.verdict);
  CHECK(s.space.answer.lack.seated == whole.lack.seated);
  CHECK(s.space.answer.proof.refusals.size() == whole.proof.refusals.size());
  CHECK(s.ask(muster::group_id{77}).verdict == verdict::hold);
  auto faulty = gang;
  faulty.disruption = muster::disruption_mode::unstated;
  CHECK(s.ask(faulty).verdict == verdict::invalid);
}

TEST_CASE("what is wrong with the question is named", "[placement]") {
  hall s;
  CHECK(s.ask(workers_and_servers(1, 1), {topology_level{5}}).fault == fewest_fault::unknown_level);
  CHECK(s.ask(workers_and_servers(1, 1), {no_level}).fault == fewest_fault::unknown_level);
  const auto gang = workers_and_servers(2, 1);
  s.group(gang);
  s.pods(100, 2, gang, 0);
  s.pod(200, gang, 1);
  s.bind(101, 99);  // nobody knows where that is
  const auto made = s.ask(gang.id);
  CHECK(made.fault == fewest_fault::node_gone);
  CHECK(made.pod == muster::pod_id{101});
  CHECK(made.verdict == verdict::invalid);
}

TEST_CASE("what is set aside for the group is free to it", "[placement]") {
  hall s;
  for (std::uint64_t n = 3; n <= 12; n += 2) s.block(n);  // whole is rack 1 of zone 1 alone
  auto gang = workers_and_servers(2, 2);
  s.say(muster::set_aside<two>{muster::set_aside_id{1}, gang.id, 0, muster::node_id{1}, 1, {8, 8}});
  auto made = s.ask(gang);
  REQUIRE(made.fits());
  CHECK(made.domains == std::vector{path(rack, {1, 1})});
  gang.id = muster::group_id{2};
  made = s.ask(gang);
  REQUIRE(made.fits());
  CHECK(made.domains.size() == 2);
}

TEST_CASE("an overlay is asked with what it holds, and left as it was", "[placement]") {
  hall s;
  const auto view = s.view();
  muster::overlay<two> on{view};
  for (std::uint64_t n = 1; n <= 12; n += 2) on.charge(*view.find(muster::node_id{n}), {8, 8});
  const auto before = on.now(*view.find(muster::node_id{2}));
  const auto made = place_on_fewest(on, workers_and_servers(3, 3), fewest_wish{rack}, s.space);
  REQUIRE(made.fits());
  CHECK(made.domains.size() == 3);
  CHECK((made.shared == zone));
  CHECK(made.best);
  CHECK(on.now(*view.find(muster::node_id{2})) == before);
}

TEST_CASE("extras add no domain", "[placement]") {
  hall s;
  auto gang = workers_and_servers(20, 4);
  gang.min_count = 8;
  gang.pod_sets[0].minimum = 4;
  gang.pod_sets[1].minimum = 4;
  const auto made = s.ask(gang);
  REQUIRE(made.fits());
  CHECK(made.domains.size() == 2);
  CHECK(made.proved());
  CHECK(s.space.answer.placed == 8);
}

TEST_CASE("a gang of one device model sits on few domains of that model", "[placement]") {
  using gpus = muster::devices<8>;
  muster_test::scene<gpus> s{muster::nested_levels(1)};
  constexpr muster::device_model one{1}, other{2};
  for (std::uint64_t n = 1; n <= 6; ++n)  // racks 1 to 3 have a node of each
    s.node(n, {.count = 4, .model = n % 2 == 0 ? one : other}, {(n + 1) / 2});
  s.node(7, {.count = 8, .model = one}, {4});
  auto gang = muster_test::scene<gpus>::gang(1, 3, {.whole = 4});
  gang.one_device_model = true;
  gang.pod_sets.push_back({{.whole = 3}, 1, 0});
  muster::workspace<gpus> space;
  const auto made = place_on_fewest(s.view(), gang, fewest_wish{topology_level{0}}, space);
  REQUIRE(made.fits());
  CHECK(made.domains.size() == 3);  // two pods of 4 in rack 4, one in a rack and the one of 3 in another
  CHECK(made.proved());
  CHECK(verify(s.view(), gang, space.answer.seats).holds());
  gang.one_device_model = false;
  CHECK(place_on_fewest(s.view(), gang, fewest_wish{topology_level{0}}, space).domains.size() == 2);
}

TEST_CASE("racks with the same nodes are not alike in zones that are limited", "[placement]") {
  scene s{muster::nested_levels(2)};
  s.node(1, {8, 8}, {1, 1});
  s.node(2, {8, 8}, {1, 2});
  s.node(3, {8, 8}, {2, 1});
  auto gang = workers_and_servers(2, 2);  // a pair a rack, and a zone
  gang.limits.push_back({zone, 2});
  muster::workspace<two> space;
  const auto made = place_on_fewest(s.view(), gang, fewest_wish{rack}, space);
  REQUIRE(made.fits());
  CHECK(made.domains.size() == 2);
  CHECK(is_in(made, path(rack, {2, 1})));
  CHECK(made.best);
}

TEST_CASE("zones with the same nodes are not alike where their racks are limited", "[placement]") {
  scene s{muster::nested_levels(2)};
  for (const std::uint64_t n : {1U, 2U}) s.node(n, {8, 8}, {1, 1});
  for (const std::uint64_t n : {3U, 4U}) s.node(n, {8, 8}, {2, n});
  s.node(5, {2, 2}, {1});  // in no rack, and too small
  s.node(6, {2, 2}, {2});
  auto gang = workers_and_servers(2, 2);
  gang.limits.push_back({rack, 2});
  muster::workspace<two> space;
  const auto made = place_on_fewest(s.view(), gang, fewest_wish{zone}, space);
  REQUIRE(made.fits());
  CHECK(made.domains == std::vector{path(zone, {2})});
  CHECK(made.best);
}

TEST_CASE("nodes with as much left are not alike where it is left on other devices", "[placement]") {
  using gpus = muster::devices<8>;
  muster_test::scene<gpus> s{muster::nested_levels(1)};
  for (const std::uint64_t n : {1U, 2U}) s.node(n, {.count = 2}, {n});
  s.filler(90, 1, {.share = 600});  // one whole device and 400
  s.filler(91, 2, {.share = 500});  // one whole device and 500
  auto gang = muster_test::scene<gpus>::gang(1, 1, {.whole = 1});
  gang.pod_sets.push_back({{.share = 500}, 1, 0});
  muster::workspace<gpus> space;
  const auto made = place_on_fewest(s.view(), gang, fewest_wish{topology_level{0}}, space);
  REQUIRE(made.fits());
  CHECK(made.domains == std::vector{path(topology_level{0}, {2})});
  CHECK(made.best);
}

TEST_CASE("without steps what greed and sums find is told, with what is proved", "[placement]") {
  hall s;
  const muster::place_options<> none{.budget = 0};
  const auto made = place_on_fewest(s.view(), workers_and_servers(4, 4), fewest_wish{rack}, s.space, none);
  REQUIRE(made.fits());
  CHECK(made.domains.size() >= 2);
  CHECK(made.least <= 2);
  CHECK(made.steps == 0);
  auto alike = scene::gang(1, 8, {4, 4});  // alike pods are counted: nothing is left open
  const auto counted = place_on_fewest(s.view(), alike, fewest_wish{rack}, s.space, none);
  CHECK(counted.domains.size() == 2);
  CHECK(counted.best);
}

// ---- against all sets of domains

namespace {

/// Keeps a pod set from a kind of node.
struct kinds_filter {
  std::array<std::array<bool, 2>, 3> out{};
  template <class M>
  muster::reason_code operator()(const muster::pod_group<M>&, std::size_t set, muster::kind_id kind) const {
    return muster::reason_code{out.at(set).at(static_cast<std::size_t>(kind)) ? 5U : 0U};
  }
};
using options = muster::place_options<kinds_filter>;

/// A few nodes in a few racks, some in none, and a gang of two or three unlike pod sets.
struct random_case {
  struct node {
    std::uint64_t id;
    std::uint32_t kind;
    std::array<muster::amount, 2> has;
    std::uint64_t zone, rack;  // 0: none
    std::array<muster::amount, 2> used;
  };
  std::vector<node> nodes;
  muster::pod_group<two> gang;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> running;  // pod set, node
  kinds_filter filter;
  bool merged = false, in_cluster = false;
  topology_level level = rack;

  explicit random_case(muster_test::generator& rng) {
    const bool lopsided = rng.chance(50);  // two large racks in two zones, small ones in a third
    merged = !lopsided && rng.chance(20);
    const auto count = static_cast<std::uint64_t>(lopsided ? 6 : rng.between(3, 8));
    for (std::uint64_t n = 0; n < count; ++n) {
      const bool alike = rng.chance(40);
      node one{10 + n * 7 % 11, alike ? 0 : static_cast<std::uint32_t>(rng.below(2)), {4, 4}, 1 + rng.below(2),
               1 + rng.below(3), {0, 0}};
      if (!alike) one.has = {rng.between(2, 6), rng.between(2, 6)};
      if (rng.chance(8)) one.rack = 0;
      if (rng.chance(4)) one.zone = 0;
      if (rng.chance(25)) one.used = {rng.between(0, 2), rng.between(0, 2)};
      if (lopsided) {
        const muster::amount each = n < 2 ? 9 : rng.between(4, 5);
        one.has = {each, each};
        one.rack = 1 + n;
        one.zone = rng.chance(10) ? one.zone : n < 2 ? 1 + n : 3;
      }
      nodes.push_back(one);
    }
    gang.id = muster::group_id{1};
    gang.disruption = muster::disruption_mode::all;
    const auto sets = rng.between(2, 3);
    for (std::int64_t s = 0; s < sets; ++s) {
      const pod_count pods = rng.between(1, 4);
      const pod_count minimum = rng.chance(30) ? rng.between(0, pods) : 0;
      gang.pod_sets.push_back({{rng.between(0, 3), rng.between(1, 3)}, pods, minimum});
      if (rng.chance(20)) filter.out[static_cast<std::size_t>(s)][rng.below(2)] = true;
    }
    if (lopsided)
      for (auto& set : gang.pod_sets) set.count += 2;
    if (rng.chance(30)) gang.min_count = rng.between(1, declared_pods(gang));
    if (rng.chance(20)) gang.limits.push_back({node_level, rng.between(1, 3)});
    if (rng.chance(15)) gang.limits.push_back({rack, rng.between(1, 4)});
    if (rng.chance(15) && !merged) gang.limits.push_back({zone, rng.between(2, 6)});
    if (rng.chance(15)) gang.required = rng.chance(70) ? zone : rack;
    level = lopsided || rng.chance(65) ? rack : rng.chance(60) ? node_level : zone;
    in_cluster = rng.chance(40);
    for (std::size_t i = 0; in_cluster && i < 2; ++i)
      if (rng.chance(50))
        running.push_back({static_cast<std::uint32_t>(rng.below(gang.pod_sets.size())), rng.pick(nodes).id});
  }

  [[nodiscard]] scene build(std::vector<node> in_order) const {
    muster::topology levels = muster::nested_levels(2);
    levels.levels[1].merge_equal_names = merged;
    scene s{levels};
    for (const node& one : in_order) {
      muster::node_spec<two> spec{muster::node_id{one.id}, muster::kind_id{one.kind}, {one.has[0], one.has[1]}, {}};
      spec.labels.push_back(one.zone == 0 ? muster::no_label : muster::label_id{one.zone});
      spec.labels.push_back(one.rack == 0 ? muster::no_label : muster::label_id{one.rack});
      s.say(muster::node_seen<two>{spec});
      s.filler(900 + one.id, one.id, {one.used[0], one.used[1]});
    }
    if (!in_cluster) return s;
    s.group(gang);
    std::vector<pod_count> left;
    for (std::uint32_t set = 0; set < gang.pod_sets.size(); ++set) {
      s.pods(100 + 20ULL * set, gang.pod_sets[set].count, gang, set);
      left.push_back(gang.pod_sets[set].count);
    }
    for (const auto& [set, on] : running)
      if (left[set] > 0) s.bind(100 + 20ULL * set + static_cast<std::uint64_t>(--left[set]), on);
    return s;
  }
};

/// What every set of domains says.
class all_sets {
 public:
  all_sets(const muster::snapshot<two>& view, const random_case& of) : view_{view}, of_{of} {
    for (std::uint32_t p = 0; p < view.size(); ++p) {
      const unit here{at(p, of.level) == muster::no_domain ? no_level : of.level,
                      at(p, of.level) == muster::no_domain ? p : at(p, of.level)};
      const auto known = std::find(units_.begin(), units_.end(), here);
      of_position_.push_back(static_cast<std::size_t>(known - units_.begin()));
      if (known == units_.end()) units_.push_back(here);
    }
    if (of.in_cluster)
      view.visit_members(*view.group(of.gang.id), [&](const auto& pod) {
        if (muster::is_scheduled(pod.phase)) held_.push_back(*view.find(view.node_of(pod)));
      });
    for (const std::uint32_t p : held_) pinned_ |= 1U << of_position_[p];
  }

  struct best {
    int domains = 100;
    int width = 100;  // of the narrowest level that holds all
    pod_count slots = 0;
  };
  /// The best of all sets, by the rule.
  [[nodiscard]] best find(fewest_rule rule, int only_width = -1) {
    best found;
    for (int width = 0; width <= 3; ++width)
      for (const std::vector<std::uint32_t>& scope : domains_of(width)) {
        if (only_width >= 0 && width != only_width) continue;
        if (!std::all_of(held_.begin(), held_.end(),
                         [&](std::uint32_t p) { return std::find(scope.begin(), scope.end(), p) != scope.end(); }))
          continue;
        for (std::uint32_t set = 0; set < 1U << units_.size(); ++set) {
          if ((set & pinned_) != pinned_ || !fits(set, scope)) continue;
          const best here{std::popcount(set), width, slots_of(set, scope, width)};
          const auto key = [&](const best& one) {
            return rule == fewest_rule::nearest ? std::tuple{one.width, one.domains, one.slots}
                                                : std::tuple{one.domains, one.width, one.slots};
          };
          if (found.domains == 100 || key(here) < key(found)) found = here;
        }
      }
    return found;
  }
  /// Slots of what an answer uses beyond the pinned.
  [[nodiscard]] pod_count slots_of(const fewest_answer& made, std::span<const muster::seat<two>> seats, int width) {
    std::uint32_t set = pinned_;
    std::set<std::uint32_t> positions(held_.begin(), held_.end());
    for (const auto& seat : seats) set |= 1U << of_position_[seat.position], positions.insert(seat.position);
    CHECK(static_cast<std::size_t>(std::popcount(set)) == made.domains.size());
    for (const auto& scope : domains_of(width))
      if (std::find(scope.begin(), scope.end(), *positions.begin()) != scope.end()) return slots_of(set, scope, width);
    return -1;
  }
  [[nodiscard]] static int width_of(topology_level level) {
    return level == node_level ? 0 : level == rack ? 1 : level == zone ? 2 : 3;
  }

 private:
  using unit = std::pair<topology_level, std::uint32_t>;
  [[nodiscard]] std::uint32_t at(std::uint32_t p, topology_level level) const {
    if (level == no_level) return 0;
    return level == node_level ? p : view_.domain_of(p, static_cast<std::size_t>(level));
  }
  /// Nodes of every domain of a level.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> domains_of(int width) const {
    const topology_level level = std::array{node_level, rack, zone, no_level}[static_cast<std::size_t>(width)];
    std::map<std::uint32_t, std::vector<std::uint32_t>> found;
    for (std::uint32_t p = 0; p < view_.size(); ++p)
      if (at(p, level) != muster::no_domain) found[at(p, level)].push_back(p);
    std::vector<std::vector<std::uint32_t>> all;
    for (auto& [domain, nodes] : found) all.push_back(std::move(nodes));
    return all;
  }
  [[nodiscard]] bool fits(std::uint32_t set, const std::vector<std::uint32_t>& scope) {
    std::vector<run> nodes;
    for (const std::uint32_t p : scope)
      if ((set >> of_position_[p] & 1U) != 0) nodes.push_back({p, p + 1});
    const muster::place_options<muster::inside<kinds_filter>> how{{nodes, of_.filter}};
    if (of_.in_cluster) return place(view_, of_.gang.id, space_, how).fits();
    return place(view_, of_.gang, space_, how).fits();
  }
  /// What the free domains chosen hold of each class alone: of a scope within a domain the scope is the domain.
  [[nodiscard]] pod_count slots_of(std::uint32_t set, const std::vector<std::uint32_t>& scope, int width) const {
    const bool single = width <= width_of(of_.level);
    pod_count sum = 0;
    for (std::uint32_t p = 0; p < view_.size(); ++p) {
      if ((set >> of_position_[p] & 1U) == 0) continue;
      if (single) {
        if (std::find(scope.begin(), scope.end(), p) == scope.end()) continue;
        if (!held_.empty()) continue;
      } else if ((pinned_ >> of_position_[p] & 1U) != 0) {
        continue;
      }
      std::vector<std::pair<two::request_type, std::array<bool, 2>>> classes;
      for (std::size_t s = 0; s < of_.gang.pod_sets.size(); ++s) {
        const std::pair one{of_.gang.pod_sets[s].request, of_.filter.out[s]};
        const bool waits = !of_.in_cluster || view_.group(of_.gang.id)->by_set[s].unscheduled() > 0;
        if (!waits || std::find(classes.begin(), classes.end(), one) != classes.end()) continue;
        classes.push_back(one);
        if (of_.filter.out[s][static_cast<std::size_t>(view_.kind(p))]) continue;
        const pod_count most = of_.gang.limits.empty() ? 1 << 20 : of_.gang.limits[0].count;
        sum += two::count_fitting(view_.now(p), of_.gang.pod_sets[s].request, most);
      }
    }
    return sum;
  }

  const muster::snapshot<two>& view_;
  const random_case& of_;
  std::vector<unit> units_;
  std::vector<std::size_t> of_position_;
  std::vector<std::uint32_t> held_;
  std::uint32_t pinned_ = 0;
  muster::workspace<two> space_;
};

fewest_answer ask(const muster::snapshot<two>& view, const random_case& of, const fewest_wish& wish,
                  muster::workspace<two>& space, const options& how) {
  if (of.in_cluster) return place_on_fewest(view, of.gang.id, wish, space, how);
  return place_on_fewest(view, of.gang, wish, space, how);
}

}  // namespace

TEST_CASE("the fewest and the nearest domains are those of all sets", "[placement]") {
  muster_test::generator rng{"fewest domains"};
  int several = 0, held = 0, apart = 0;
  for (int round = 0; round < muster_test::rounds(160); ++round) {
    const random_case one{rng};
    scene s = one.build(one.nodes);
    const auto view = s.view();
    muster::workspace<two> space;
    options how;
    how.filter = one.filter;
    all_sets sets{view, one};
    for (const fewest_rule rule : {fewest_rule::fewest_domains, fewest_rule::nearest}) {
      CAPTURE(round, static_cast<int>(rule));
      const fewest_wish wish{one.level, rule};
      const auto made = ask(view, one, wish, space, how);
      const auto whole = one.in_cluster ? place(view, one.gang.id, how) : place(view, one.gang, how);
      REQUIRE(made.verdict == whole.verdict);
      if (!made.fits()) continue;
      if (one.in_cluster) REQUIRE(verify(view, one.gang.id, space.answer.seats, one.filter).holds());
      else REQUIRE(verify(view, one.gang, space.answer.seats, one.filter).holds());
      if (whole.placed == 0) continue;
      const auto best = sets.find(rule);
      const int width = all_sets::width_of(made.shared);
      const bool passed_over = one.merged && one.level == zone;  // racks are: what is narrower is not known
      if (rule == fewest_rule::fewest_domains || made.best || !passed_over)
        CHECK(static_cast<int>(made.domains.size()) == best.domains);
      if (made.best || !passed_over) CHECK(width == best.width);
      CHECK(made.proved());
      CHECK((made.best || passed_over));
      const auto& limits = one.gang.limits;  // whose slots the test can count
      if (limits.empty() || (limits.size() == 1 && limits[0].level == node_level && !one.in_cluster))
        if (!one.merged) CHECK(sets.slots_of(made, space.answer.seats, width) == best.slots);
      several += best.domains > 1 ? 1 : 0;
      held += one.running.empty() ? 0 : 1;
      // the order in which the nodes were told, and little effort
      auto nodes = one.nodes;
      rng.shuffle(nodes);
      scene again = one.build(nodes);
      muster::workspace<two> other;
      const auto same = ask(again.view(), one, wish, other, how);
      CHECK(same.domains == made.domains);
      CHECK(same.asks == made.asks);
      const auto free_domains = ask(view, one, {one.level, rule == fewest_rule::nearest ? fewest_rule::fewest_domains
                                                                                        : fewest_rule::nearest},
                                    other, how);
      apart += free_domains.domains.size() != made.domains.size() ? 1 : 0;
      fewest_wish little = wish;
      little.most_asks = static_cast<std::uint32_t>(rng.between(0, 3));
      if (rng.chance(20)) little.most_sets = static_cast<std::uint32_t>(rng.between(0, 5));
      options poor = how;
      if (rng.chance(50)) poor.budget = static_cast<std::uint64_t>(rng.between(0, 20));
      const auto less = ask(view, one, little, other, poor);
      if (!less.fits()) continue;
      CHECK(less.asks <= little.most_asks);
      const auto among = rule == fewest_rule::nearest ? sets.find(rule, all_sets::width_of(less.shared)) : best;
      CHECK(static_cast<int>(less.least) <= among.domains);
      CHECK(among.domains <= static_cast<int>(less.domains.size()));
      if (less.best) CHECK(all_sets::width_of(less.shared) == best.width);
      if (less.best) CHECK(static_cast<int>(less.domains.size()) == best.domains);
      if (one.in_cluster) CHECK(verify(view, one.gang.id, other.answer.seats, one.filter).holds());
      else CHECK(verify(view, one.gang, other.answer.seats, one.filter).holds());
    }
  }
  CHECK(several > 60);
  CHECK(held > 30);
  CHECK(apart > 5);
}
