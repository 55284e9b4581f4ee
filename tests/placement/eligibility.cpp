// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/eligibility.hpp>
#include <muster/placement/place.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/scene.hpp"

#include <array>
#include <cstddef>
#include <map>
#include <utility>

namespace {

using slots = muster::resource_vector<1>;
using scene = muster_test::scene<slots>;
using muster::kind_id;
using muster::reason_code;
using muster::verdict;

/// Reasons by (pod set, kind), and how often each was asked.
struct table {
  std::map<std::pair<std::size_t, std::uint32_t>, std::uint32_t>* codes;
  std::map<std::pair<std::size_t, std::uint32_t>, int>* asked;
  reason_code operator()(const muster::pod_group<slots>&, std::size_t set, kind_id kind) const {
    const std::pair key{set, number(kind)};
    ++(*asked)[key];
    const auto found = codes->find(key);
    return found == codes->end() ? muster::eligible_node : reason_code{found->second};
  }
};
struct not_a_filter {
  int operator()(const muster::pod_group<slots>&) const { return 0; }
};

static_assert(muster::node_filter<muster::everywhere, slots>);
static_assert(muster::node_filter<table, slots>);
static_assert(!muster::node_filter<not_a_filter, slots>);

struct asked {
  std::map<std::pair<std::size_t, std::uint32_t>, std::uint32_t> codes;
  std::map<std::pair<std::size_t, std::uint32_t>, int> count;
  muster::placement_answer<slots> place(scene& s, const muster::pod_group<slots>& group) {
    count.clear();
    return muster::place(s.view(), group, muster::place_options<table>{.filter = {&codes, &count}});
  }
};

}  // namespace

static_assert(!muster::may_exclude<muster::everywhere>);
static_assert(muster::may_exclude<int>);  // whatever else it is

TEST_CASE("the filter is asked once per pod set and kind of node", "[placement]") {
  scene s;
  for (std::uint64_t n = 0; n < 30; ++n) s.node(n, {1}, {}, static_cast<std::uint32_t>(n % 3));
  auto gang = scene::gang(1, 4, {1});
  gang.pod_sets.push_back({{1}, 4, 0});
  asked ask;
  CHECK(ask.place(s, gang).fits());
  CHECK(ask.count.size() == 6);
  for (const auto& [key, times] : ask.count) CHECK(times == 1);
}

TEST_CASE("a pod set sits only on kinds it may use", "[placement]") {
  scene s;
  s.node(1, {4}, {}, 1);
  s.node(2, {4}, {}, 2);
  auto gang = scene::gang(1, 3, {1});
  gang.pod_sets.push_back({{1}, 3, 0});
  asked ask;
  ask.codes[{0, 1}] = 7;  // set 0 may not use kind 1
  ask.codes[{1, 2}] = 8;
  const auto answer = ask.place(s, gang);
  REQUIRE(answer.placed == 6);
  CHECK(muster_test::on(answer, 2, 0) == 3);
  CHECK(muster_test::on(answer, 1, 1) == 3);
}

TEST_CASE("excluded nodes are counted by reason, closed ones apart", "[placement]") {
  scene s;
  for (std::uint64_t n = 0; n < 3; ++n) s.node(n, {4}, {}, 1);
  for (std::uint64_t n = 10; n < 12; ++n) s.node(n, {4}, {}, 2);
  for (std::uint64_t n = 20; n < 24; ++n) s.node(n, {4}, {}, 3);
  s.node(30, {4}, {}, 0);
  s.say(muster::node_closed{muster::node_id{2}});
  asked ask;
  ask.codes = {{{0, 1}, 5}, {{0, 2}, 6}, {{0, 3}, 5}};
  const auto answer = ask.place(s, scene::gang(1, 6, {1}));
  CHECK(answer.verdict == verdict::never);
  CHECK(answer.lack.seated == 4);
  CHECK(answer.lack.needed == 6);
  CHECK(answer.lack.open_nodes == 1);
  CHECK(answer.lack.shut_nodes == 1);
  REQUIRE(answer.lack.excluded.size() == 2);
  CHECK(answer.lack.excluded[0].reason == reason_code{5});
  CHECK(answer.lack.excluded[0].nodes == 6);
  CHECK(answer.lack.excluded[1].reason == reason_code{6});
  CHECK(answer.lack.excluded[1].nodes == 2);
}

TEST_CASE("where no node is eligible the gang never fits, however empty the cluster", "[placement]") {
  scene s;
  s.node(1, {8}, {}, 4);
  asked ask;
  ask.codes[{0, 4}] = 9;
  const auto answer = ask.place(s, scene::gang(1, 1, {1}));
  CHECK(answer.verdict == verdict::never);
  CHECK(answer.lack.open_nodes == 0);
}
