// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/eligibility.hpp>
#include <muster/placement/explain.hpp>
#include <muster/placement/place.hpp>
#include <muster/placement/verify.hpp>
#include <muster/placement/verify_certificate.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/generator.hpp"
#include "support/scene.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

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

static_assert(muster::node_filter<muster::inside<>, slots>);
static_assert(muster::node_filter<muster::inside<table>, slots>);
static_assert(!muster::node_filter<muster::inside<not_a_filter>, slots>);
static_assert(muster::confining_filter<muster::inside<>>);
static_assert(!muster::confining_filter<table>);

TEST_CASE("a position is outside of runs that do not hold it", "[placement]") {
  const std::array<muster::run, 2> where{{{2, 4}, {7, 8}}};
  const muster::inside<> filter{where};
  const std::vector<std::uint32_t> in{2, 3, 7}, out{0, 1, 4, 6, 8, 9};
  for (const auto p : in) CHECK(!muster::is_outside(filter, p));
  for (const auto p : out) CHECK(muster::is_outside(filter, p));
  CHECK(muster::is_outside(muster::inside<>{}, 0));
  CHECK(!muster::is_outside(muster::everywhere{}, 0));
}

TEST_CASE("a gang keeps to the nodes it is asked inside of, and numbers speak of those", "[placement]") {
  scene s;
  for (std::uint64_t n = 0; n < 6; ++n) s.node(n, {2}, {}, static_cast<std::uint32_t>(n / 3));
  s.say(muster::node_closed{muster::node_id{1}});
  s.say(muster::node_closed{muster::node_id{5}});
  const std::array<muster::run, 1> where{{{1, 4}}};  // nodes 1, closed, to 3
  const muster::place_options<muster::inside<>> options{.filter = {where}};
  const auto four = scene::gang(1, 4, {1}), five = scene::gang(2, 5, {1});
  const auto yes = muster::place(s.view(), four, options);
  REQUIRE(yes.fits());
  CHECK(muster_test::on(yes, 2) == 2);
  CHECK(muster_test::on(yes, 3) == 2);
  CHECK(muster::verify(s.view(), four, yes.seats, options.filter).holds());
  const auto no = muster::place(s.view(), five, options);
  CHECK(no.verdict == verdict::closed);  // node 1 would do
  CHECK(no.lack.seated == 4);
  CHECK(no.lack.shut_nodes == 1);
  CHECK(no.lack.excluded.empty());
  CHECK(muster::verify(s.view(), five, no.proof, options.filter).holds());
  CHECK(!muster::verify(s.view(), five, no.proof).holds());  // all six nodes hold more
  const auto elsewhere = muster::place(s.view(), four);
  CHECK(muster::verify(s.view(), four, elsewhere.seats).holds());
  CHECK(muster::verify(s.view(), four, elsewhere.seats, options.filter).why == muster::refutation::not_eligible);
}

TEST_CASE("both filters count: the one inside which and the one within it", "[placement]") {
  scene s;
  for (std::uint64_t n = 0; n < 6; ++n) s.node(n, {2}, {}, static_cast<std::uint32_t>(n % 2));  // positions 0 2 4 1 3 5
  std::map<std::pair<std::size_t, std::uint32_t>, std::uint32_t> codes{{{0, 1}, 7}};
  std::map<std::pair<std::size_t, std::uint32_t>, int> asked;
  const std::array<muster::run, 1> where{{{1, 5}}};  // nodes 2, 4 of kind 0; 1, 3 of kind 1
  const muster::place_options<muster::inside<table>> options{.filter = {where, {&codes, &asked}}};
  const auto gang = scene::gang(1, 5, {1});
  const auto no = muster::place(s.view(), gang, options);
  CHECK(no.verdict == verdict::never);
  CHECK(no.lack.seated == 4);
  REQUIRE(no.lack.excluded.size() == 1);
  CHECK(no.lack.excluded[0].nodes == 2);
  muster::workspace<slots> space;
  const auto ladder = muster::explain(s.view(), gang, {}, space, options);
  bool named = false;
  for (const muster::rung& one : ladder.rungs)
    if (one.kind == muster::rung_kind::drop_reason) {
      named = true;
      CHECK(one.reason == reason_code{7});
      CHECK(one.answer == muster::rung_answer::helps);
    }
  CHECK(named);
  codes.clear();
  CHECK(muster::place(s.view(), gang, options).fits());
}

TEST_CASE("inside some nodes a gang fits as in a cluster of those nodes", "[placement]") {
  using two = muster::resource_vector<2>;
  muster_test::generator rng{4};
  int fitted = 0, refused = 0;
  for (int round = 0; round < 400; ++round) {
    muster_test::scene<two> all{muster::nested_levels(1)}, part{muster::nested_levels(1)};
    std::vector<muster::run> where;
    const auto nodes = rng.between(1, 7);
    for (std::uint32_t n = 0; n < nodes; ++n) {
      const two::capacity_type capacity{rng.between(1, 6), rng.between(1, 6)};
      const auto rack = static_cast<std::uint64_t>(n / 3 + 1);  // positions follow racks, then keys
      all.node(n, capacity, {rack});
      if (rng.between(0, 2) == 0) continue;
      part.node(n, capacity, {rack});
      if (!where.empty() && where.back().last == n) ++where.back().last;
      else where.push_back({n, n + 1});
    }
    auto gang = muster_test::scene<two>::gang(1, rng.between(1, 4), {rng.between(1, 3), rng.between(1, 3)});
    if (rng.between(0, 1) == 1) gang.pod_sets.push_back({{rng.between(1, 4), rng.between(0, 3)}, rng.between(1, 3), 0});
    if (rng.between(0, 2) == 0) gang.required = muster::topology_level{0};
    const muster::inside<> filter{where};
    const auto here = muster::place(all.view(), gang, muster::place_options<muster::inside<>>{.filter = filter});
    const auto there = muster::place(part.view(), gang);
    REQUIRE(here.verdict == there.verdict);
    if (here.fits()) {
      ++fitted;
      CHECK(muster::verify(all.view(), gang, here.seats, filter).holds());
    } else {
      ++refused;
      CHECK(here.lack.seated == there.lack.seated);
      CHECK(muster::verify(all.view(), gang, here.proof, filter).holds());
    }
  }
  CHECK(fitted > 50);
  CHECK(refused > 50);
}
