// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/place_fullest.hpp>
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
#include <tuple>
#include <vector>

namespace {

using two = muster::resource_vector<2>;
using scene = muster_test::scene<two>;
using muster::no_level;
using muster::node_level;
using muster::topology_level;
using muster_test::on;

constexpr topology_level block{0}, rack{1};
using levels = std::vector<topology_level>;

struct hall : scene {
  hall() : scene{muster::nested_levels(2)} {}
  void nodes(std::uint64_t b, std::uint64_t r, std::initializer_list<muster::amount> rooms) {
    for (const muster::amount each : rooms) node(++last, {each, each}, {b, r});
  }
  template <class Group>
  bool ask(const Group& gang, topology_level preferred) {
    return place_fullest(view(), gang, preferred, space);
  }
  std::uint64_t last = 0;
  muster::workspace<two> space;
};

using amounts = std::array<muster::amount, 2>;
struct plain_node {
  std::uint64_t b, r;
  amounts left;
};

bool takes(const amounts& left, const amounts& need) { return left[0] >= need[0] && left[1] >= need[1]; }
void pay(amounts& left, const amounts& need) {
  for (std::size_t d = 0; d < 2; ++d) left[d] -= need[d];
}

/// How many pods of a size nodes hold.
muster::pod_count room(const std::vector<plain_node>& nodes, const std::vector<std::size_t>& here,
                       const amounts& size) {
  muster::pod_count sum = 0;
  for (const std::size_t n : here) {
    amounts left = nodes[n].left;
    for (; sum < 1000 && takes(left, size); ++sum) pay(left, size);
  }
  return sum;
}

/// The rule read from its words: nodes of the pods in turn.
/// \param preferred, widest 2 the node, 1 the rack, 0 the block, -1 anywhere
std::optional<std::vector<std::size_t>> plain_rule(const std::vector<plain_node>& nodes,
                                                   const std::vector<amounts>& pods, int preferred, int widest) {
  amounts sum{}, largest{};
  std::array<bool, 2> any{}, every{true, true};
  for (const amounts& pod : pods)
    for (std::size_t d = 0; d < 2; ++d) {
      sum[d] += pod[d];
      largest[d] = std::max(largest[d], pod[d]);
      any[d] = any[d] || pod[d] > 0;
      every[d] = every[d] && pod[d] > 0;
    }
  const auto name = [&](std::size_t n, int level) -> std::uint64_t {
    if (level < 0) return 0;
    return level == 0 ? nodes[n].b : level == 1 ? nodes[n].b * 10 + nodes[n].r : n;
  };
  for (int level = std::max(preferred, widest); level >= widest; --level) {
    std::map<std::uint64_t, std::vector<std::size_t>> domains;
    for (std::size_t n = 0; n < nodes.size(); ++n) domains[name(n, level)].push_back(n);
    std::vector<std::tuple<double, std::uint64_t>> order;
    for (const auto& [key, here] : domains) {
      double ratio = 0;
      for (std::size_t d = 0; d < 2; ++d) {
        muster::amount free = 0;
        for (const std::size_t n : here) free += nodes[n].left[d];
        if (sum[d] > 0) ratio = std::max(ratio, double(sum[d]) / double(free));
      }
      const bool passes =
          any == every ? room(nodes, here, largest) >= static_cast<muster::pod_count>(pods.size()) : ratio <= 1;
      if (passes) order.push_back({-ratio, key});
    }
    std::sort(order.begin(), order.end());
    for (const auto& [ratio, key] : order) {
      const auto& here = domains[key];
      std::vector<std::tuple<muster::pod_count, std::uint64_t, std::size_t>> asked;
      for (const std::size_t n : here) {
        std::vector<std::size_t> beside;
        for (const std::size_t other : here)
          if (name(other, preferred) == name(n, preferred)) beside.push_back(other);
        asked.push_back({-room(nodes, beside, largest), name(n, preferred), n});
      }
      std::sort(asked.begin(), asked.end());
      auto left = nodes;
      std::vector<std::size_t> seats;
      for (const amounts& pod : pods)
        for (const auto& [more, sub, n] : asked) {
          if (!takes(left[n].left, pod)) continue;
          pay(left[n].left, pod);
          seats.push_back(n);
          break;
        }
      if (seats.size() == pods.size()) return seats;
    }
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("the levels from the preferred one up to the required one", "[placement]") {
  const auto shape = muster::nested_levels(2);
  CHECK(levels_between(shape, rack, block) == levels{rack, block});
  CHECK(levels_between(shape, node_level, no_level) == levels{node_level, rack, block, no_level});
  CHECK(levels_between(shape, no_level, block) == levels{block});
  CHECK(levels_between(shape, block, rack) == levels{rack});
  CHECK(levels_between(shape, rack, rack) == levels{rack});
  CHECK(levels_between(shape, no_level, no_level) == levels{no_level});
}

TEST_CASE("the deepest domain, of these the one it fills most", "[placement]") {
  hall s;
  s.nodes(1, 1, {4, 4});
  s.nodes(1, 2, {3});
  s.nodes(2, 1, {9});
  CHECK(s.ask(scene::gang(1, 3, {1, 1}), rack));
  CHECK(on(s.space.answer, 3) == 3);
  CHECK(s.ask(scene::gang(1, 4, {1, 1}), rack));
  CHECK(on(s.space.answer, 1) == 4);
  CHECK(s.ask(scene::gang(1, 10, {1, 1}), rack));  // block 1 has 11
  CHECK(on(s.space.answer, 4) == 0);
}

TEST_CASE("inside a domain the sub-domain with more room comes first", "[placement]") {
  hall s;
  s.nodes(1, 1, {2, 2});
  s.nodes(1, 2, {3, 3});
  CHECK(s.ask(scene::gang(1, 7, {1, 1}), rack));
  CHECK(on(s.space.answer, 3) == 3);
  CHECK(on(s.space.answer, 4) == 3);
  CHECK(on(s.space.answer, 1) == 1);
}

TEST_CASE("two nodes of 8 and pods of 8, 1 and 1: the rule lets no domain pass, the gang is placed", "[placement]") {
  hall s;
  s.nodes(1, 1, {8, 8});
  auto gang = scene::gang(1, 1, {8, 1});
  gang.pod_sets.push_back({{1, 1}, 2, 0});
  gang.required = rack;
  REQUIRE_FALSE(plain_rule({{1, 1, {8, 8}}, {1, 1, {8, 8}}}, {{8, 1}, {1, 1}, {1, 1}}, 1, 1));
  CHECK_FALSE(s.ask(gang, rack));
  REQUIRE(s.space.answer.fits());
  CHECK(verify(s.view(), gang, s.space.answer.seats).holds());
  CHECK(s.space.answer.placed == 3);
}

TEST_CASE("members that run pin the required domain, not the preferred one", "[placement]") {
  hall s;
  s.nodes(1, 1, {2});
  s.nodes(1, 2, {4});
  s.nodes(2, 1, {3});
  auto gang = scene::gang(1, 4, {1, 1});
  gang.required = block;
  s.group(gang);
  s.pods(10, 4, gang);
  s.bind(10, 1);
  CHECK(s.ask(gang.id, rack));
  CHECK(on(s.space.answer, 2) == 3);  // rack 1 of block 2 would be fuller
  CHECK(verify(s.view(), gang.id, s.space.answer.seats).holds());
}

TEST_CASE("the fullest domain is chosen as the rule is written, and never refuses what fits", "[placement]") {
  muster_test::generator rng{"place_fullest"};
  int by_rule = 0, by_search = 0, refused = 0;
  for (int round = 0; round < muster_test::rounds(400); ++round) {
    hall s;
    std::vector<plain_node> nodes;
    for (std::uint64_t b = 1; b <= 2; ++b)
      for (std::uint64_t r = 1; r <= 2; ++r)
        for (int n = 0; n < 2; ++n) {
          const amounts left{rng.between(0, 5), rng.between(0, 5)};
          nodes.push_back({b, r, left});
          s.node(nodes.size() - 1, {left[0], left[1]}, {b, r});
        }
    const bool kinds = rng.chance(40);
    const auto need = [&] { return rng.between(kinds ? 0 : 1, 3); };
    auto gang = scene::gang(1, rng.between(1, 3), {need(), need()});
    gang.pod_sets.push_back({{need(), need()}, rng.between(0, 3), 0});
    const auto required = static_cast<int>(rng.between(-1, 1)), preferred = static_cast<int>(rng.between(required, 2));
    const auto level = [](int of) {
      return of < 0 ? no_level : of == 2 ? node_level : static_cast<topology_level>(of);
    };
    gang.required = level(required);
    std::vector<amounts> pods;
    for (const auto& set : gang.pod_sets)
      pods.insert(pods.end(), static_cast<std::size_t>(set.count), {set.request[0], set.request[1]});
    const auto want = plain_rule(nodes, pods, preferred, required);
    const bool taken = s.ask(gang, level(preferred));
    CHECK(taken == want.has_value());
    const bool fits = place(s.view(), gang).fits();
    CHECK(s.space.answer.fits() == fits);
    if (taken && want) {
      std::vector<std::size_t> seats;
      for (const auto& one : s.space.answer.seats) seats.push_back(number(one.node));
      CHECK(seats == *want);
    }
    ++(taken ? by_rule : fits ? by_search : refused);
  }
  for (const int times : {by_rule, by_search, refused}) CHECK(times > 10);
}
