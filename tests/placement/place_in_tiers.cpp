// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/place_in_tiers.hpp>
#include <muster/placement/preferred.hpp>
#include <muster/placement/verify.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/generator.hpp"
#include "support/scene.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace {

using two = muster::resource_vector<2>;
using scene = muster_test::scene<two>;
using muster::domain_path;
using muster::label_id;
using muster::no_level;
using muster::topology_level;
using muster::verdict;

constexpr topology_level block{0}, rack{1};

struct hall : scene {
  hall() : scene{muster::nested_levels(2)} {}
  /// Nodes of so many cores each, in one rack.
  void nodes(std::uint64_t b, std::uint64_t r, std::initializer_list<muster::amount> cores) {
    for (const muster::amount each : cores) node(++last, {each, each}, {b, r});
  }
  template <class Group>
  muster::tier_answer ask(const Group& gang, topology_level highest) {
    return place_in_tiers(view(), gang, highest, space, list);
  }
  std::uint64_t last = 0;
  muster::workspace<two> space;
  muster::candidate_list list;
};

domain_path rack_of(std::uint64_t b, std::uint64_t r) { return {rack, {label_id{b}, label_id{r}}}; }
domain_path block_of(std::uint64_t b) { return {block, {label_id{b}}}; }

using amounts = std::array<muster::amount, 2>;
struct plain_node {
  std::uint64_t b, r;
  amounts all, left;
};

/// Whether pods sit on nodes, by trying everything.
bool sit(std::vector<amounts>& left, const std::vector<amounts>& pods, std::size_t next = 0) {
  if (next == pods.size()) return true;
  for (amounts& node : left) {
    if (node[0] < pods[next][0] || node[1] < pods[next][1]) continue;
    for (std::size_t d = 0; d < 2; ++d) node[d] -= pods[next][d];
    const bool all = sit(left, pods, next + 1);
    for (std::size_t d = 0; d < 2; ++d) node[d] += pods[next][d];
    if (all) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("the lowest tier that holds the gang is taken, and of its domains the fullest", "[placement]") {
  hall s;
  s.nodes(1, 1, {4, 4});
  s.nodes(1, 2, {2, 3});
  s.nodes(2, 1, {4});
  auto made = s.ask(scene::gang(1, 2, {2, 2}), block);
  REQUIRE(made.fits());
  CHECK((made.level == rack));
  CHECK(made.domain == rack_of(2, 1));  // 4 of 4; rack 1 would be half full, rack 2 4 of 5
  made = s.ask(scene::gang(1, 6, {2, 2}), block);
  REQUIRE(made.fits());
  CHECK((made.level == block));
  CHECK(made.domain == block_of(1));
  CHECK(s.space.answer.placed == 6);
  CHECK_FALSE(s.ask(scene::gang(1, 6, {2, 2}), rack).fits());  // nothing above the highest level
  made = s.ask(scene::gang(1, 8, {2, 2}), block);
  CHECK(made.choice.verdict == verdict::never);
  CHECK((made.level == block));
  made = s.ask(scene::gang(1, 8, {2, 2}), no_level);
  REQUIRE(made.fits());
  CHECK((made.level == no_level));
  CHECK(made.domain == domain_path{});
  made = s.ask(scene::gang(1, 2, {2, 2}), muster::node_level);
  REQUIRE(made.fits());
  CHECK((made.domain.level == muster::node_level));
}

TEST_CASE("replacements stay under the highest level of those that run, in the lowest tier below", "[placement]") {
  hall s;
  s.nodes(1, 1, {1, 1});
  s.nodes(1, 2, {2, 2, 2});
  s.nodes(2, 1, {9});
  const auto gang = scene::gang(1, 4, {1, 1});
  s.group(gang);
  s.pods(10, 4, gang);
  s.bind(10, 1);
  auto made = s.ask(gang.id, block);
  REQUIRE(made.fits());
  CHECK(made.domain == rack_of(1, 2));  // rack 1 has room for one more; the node of 9 is another block's
  CHECK(s.space.answer.placed == 3);
  made = s.ask(gang.id, rack);
  CHECK_FALSE(made.fits());  // they run in rack 1
  CHECK(made.choice.tried == 1);
  s.filler(90, 4, {2, 2});
  s.filler(91, 5, {2, 2});
  made = s.ask(gang.id, block);
  REQUIRE(made.fits());
  CHECK(made.domain == block_of(1));
  s.filler(92, 2, {1, 1});
  CHECK(s.ask(gang.id, block).choice.verdict == verdict::not_now);
  CHECK(s.ask(gang.id, no_level).fits());
}

TEST_CASE("of domains equally full the one with more of the members is taken", "[placement]") {
  hall s;
  s.nodes(1, 1, {4});
  s.nodes(1, 2, {4});
  auto gang = scene::gang(1, 3, {1, 1});
  s.group(gang);
  s.pods(10, 3, gang);
  s.bind(10, 2);
  s.filler(90, 1, {1, 1});
  const auto made = s.ask(gang.id, block);
  REQUIRE(made.fits());
  CHECK(made.domain == rack_of(1, 2));
}

TEST_CASE("members that run apart, a level that is not there and an unknown group are told", "[placement]") {
  hall s;
  s.nodes(1, 1, {2});
  s.nodes(2, 1, {2});
  const auto gang = scene::gang(1, 3, {1, 1});
  CHECK(s.ask(gang, topology_level{7}).running.fault == muster::candidate_fault::unknown_level);
  CHECK(s.ask(muster::group_id{9}, block).choice.verdict == verdict::hold);
  s.group(gang);
  s.pods(10, 3, gang);
  s.bind(10, 1);
  s.bind(11, 2);
  const auto made = s.ask(gang.id, block);
  CHECK(made.choice.verdict == verdict::invalid);
  CHECK(made.running.fault == muster::candidate_fault::domains_differ);
  CHECK(s.ask(gang.id, no_level).fits());
}

TEST_CASE("on an overlay its seats count, and it is left as it was", "[placement]") {
  hall s;
  s.nodes(1, 1, {2});
  s.nodes(1, 2, {3});
  const auto view = s.view();
  muster::overlay<two> on{view};
  const auto gang = scene::gang(1, 2, {1, 1});
  REQUIRE(place_in_tiers(on, gang, block, s.space, s.list).domain == rack_of(1, 1));
  take_seats(on, s.space.answer);
  CHECK(place_in_tiers(on, gang, block, s.space, s.list).domain == rack_of(1, 2));
}

TEST_CASE("tiers and domains as the rule chooses them, trying everything", "[placement]") {
  muster_test::generator rng{"place_in_tiers"};
  std::map<int, int> taken;  // by level; -1 none
  int by_members = 0, below = 0;
  for (int round = 0; round < muster_test::rounds(300); ++round) {
    hall s;
    std::vector<plain_node> nodes;
    for (std::uint64_t b = 1; b <= 2; ++b)
      for (std::uint64_t r = 1; r <= 2; ++r)
        for (int n = 0; n < 2; ++n) {
          const amounts all{rng.between(1, 4), rng.between(1, 4)};
          nodes.push_back({b, r, all, all});
          s.node(nodes.size(), {all[0], all[1]}, {b, r});
        }
    auto gang = scene::gang(1, rng.between(1, 3), {rng.between(0, 2), rng.between(0, 2)});
    gang.pod_sets.push_back({{rng.between(1, 3), rng.between(0, 3)}, rng.between(0, 3), 0});
    s.group(gang);
    std::vector<amounts> pods;
    for (std::uint32_t set = 0; set < 2; ++set) {
      s.pods(100 * (set + 1), gang.pod_sets[set].count, gang, set);
      const auto& ask = gang.pod_sets[set].request;
      pods.insert(pods.end(), static_cast<std::size_t>(gang.pod_sets[set].count), {ask[0], ask[1]});
    }
    const auto all_pods = static_cast<double>(pods.size());
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      if (!rng.chance(40)) continue;
      const amounts some{rng.between(0, nodes[n].all[0]), rng.between(0, nodes[n].all[1])};
      s.filler(500 + n, n + 1, {some[0], some[1]});
      for (std::size_t d = 0; d < 2; ++d) nodes[n].left[d] -= some[d];
    }
    // a member runs
    std::optional<std::size_t> member;
    if (pods.size() > 1 && rng.chance(50)) {
      const auto n = static_cast<std::size_t>(rng.below(nodes.size()));
      if (nodes[n].left[0] >= pods[0][0] && nodes[n].left[1] >= pods[0][1]) {
        s.bind(100, n + 1);
        for (std::size_t d = 0; d < 2; ++d) nodes[n].left[d] -= pods[0][d];
        pods.erase(pods.begin());
        member = n;
      }
    }
    const topology_level highest = rng.chance(50) ? block : rng.chance(50) ? rack : no_level;
    // the rule
    std::optional<std::pair<int, std::uint64_t>> want;  // level and b * 10 + r
    for (int level = 1; level >= -1 && !want; --level) {
      if ((highest == rack && level < 1) || (highest == block && level < 0)) break;
      double best = -1;
      const auto name = [&](const plain_node& n, int of) { return of < 0 ? 0 : n.b * 10 + (of == 1 ? n.r : 0); };
      std::map<std::uint64_t, std::vector<const plain_node*>> domains;
      for (const plain_node& n : nodes) domains[name(n, level)].push_back(&n);
      for (const auto& [key, here] : domains) {
        const int top = highest == no_level ? -1 : static_cast<int>(highest);
        if (member && name(*here.front(), top) != name(nodes[*member], top)) continue;
        std::vector<amounts> left;
        amounts used{}, all{};
        for (const plain_node* n : here) {
          left.push_back(n->left);
          for (std::size_t d = 0; d < 2; ++d) used[d] += n->all[d] - n->left[d], all[d] += n->all[d];
        }
        if (!sit(left, pods)) continue;
        double sum = 0, count = 0;
        for (std::size_t d = 0; d < 2; ++d) {
          bool asked = false;
          for (const auto& set : gang.pod_sets) asked = asked || set.request[d] > 0;
          for (const amounts& pod : pods) used[d] += pod[d];
          if (!asked) continue;
          sum += double(used[d]) / double(all[d]);
          count += 1;
        }
        const bool with_member = member && name(nodes[*member], level) == key;
        const double score = (count > 0 ? sum / count : 0) + (with_member ? 1 / all_pods * 1e-5 : 0);
        if (score <= best + 1e-9) continue;
        best = score;
        want = {level, key};
      }
    }
    const auto made = s.ask(gang.id, highest);
    REQUIRE(made.fits() == want.has_value());
    ++taken[want ? want->first : -2];
    if (!want) continue;
    CHECK(verify(s.view(), gang.id, s.space.answer.seats).holds());
    CHECK((made.level == (want->first < 0 ? no_level : static_cast<topology_level>(want->first))));
    if (want->first == 0) CHECK(made.domain == block_of(want->second / 10));
    if (want->first == 1) CHECK(made.domain == rack_of(want->second / 10, want->second % 10));
    if (member) ++by_members;
    if (member && want->first == 1 && want->second != nodes[*member].b * 10 + nodes[*member].r) ++below;
    // preferred.hpp pins every level: it finds a place under the highest just as well, but may find a wider one
    const std::vector<muster::preferred_step> steps{{rack, {}}, {block, {}}};
    if (highest != block) continue;
    muster::workspace<two> other;
    CHECK(place_preferred(s.view(), gang.id, steps, {}, other, s.list).fits());
    CHECK(verify(s.view(), gang.id, other.answer.seats).holds());
  }
  for (const int level : {-2, 0, 1}) CHECK(taken[level] > 10);
  CHECK(taken[-1] > 3);
  CHECK(by_members > 30);
  CHECK(below > 5);
}
