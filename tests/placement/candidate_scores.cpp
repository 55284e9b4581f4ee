// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/candidate_scores.hpp>
#include <muster/placement/list_candidates.hpp>
#include <muster/placement/place.hpp>
#include <muster/resource/devices.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/scene.hpp"

#include <array>
#include <cstdint>

namespace {

using two = muster::resource_vector<2>;
using three = muster::resource_vector<3>;
using muster::candidate_trial;

static_assert(muster::candidate_judgement<muster::pods_count, two>);
static_assert(muster::candidate_judgement<muster::resource_fit<two>, two>);
static_assert(muster::candidate_judgements<muster::judgements<>, two>);
static_assert(muster::candidate_judgements<muster::kubernetes_judgements<two>, two>);
static_assert(muster::candidate_judgement<muster::domain_binpack<two>, two>);
static_assert(muster::candidate_judgement<muster::members_there, two>);
static_assert(!muster::candidate_judgements<int, two>);
static_assert(!muster::candidate_judgement<int, two>);

/// What a judgement says of a gang seated on all nodes.
template <class M, class Judgement>
std::int64_t judged(muster_test::scene<M>& s, const muster::pod_group<M>& gang, const Judgement& judge,
                    muster::pod_count running = 0) {
  const auto view = s.view();
  muster::overlay<M> on{view};
  const auto answer = place(view, gang);
  REQUIRE(answer.fits());
  take_seats(on, answer);
  const auto nodes = all_nodes(view);
  return judge(candidate_trial<M>{on, gang, answer, nodes, running});
}

}  // namespace

TEST_CASE("pods count: those placed and those that ran before", "[placement]") {
  muster_test::scene<two> s;
  s.node(1, {9, 9});
  const auto gang = muster_test::scene<two>::gang(1, 4, {1, 1});
  CHECK(judged(s, gang, muster::pods_count{}) == 4);
  CHECK(judged(s, gang, muster::pods_count{}, 3) == 7);
}

TEST_CASE("row 29: resource fit of the nodes of a placement", "[placement]") {
  const auto gang_of = [](auto first, auto second) {
    auto gang = muster_test::scene<two>::gang(1, 1, first);
    gang.pod_sets.push_back({second, 1, 0});
    return gang;
  };
  muster_test::scene<two> s;
  s.node(1, {5, 5});
  s.node(2, {5, 5});
  const auto gang = gang_of(two::request_type{1, 0}, two::request_type{2, 2});
  CHECK(judged(s, gang, muster::resource_fit<two>{}) == 25);  // (30 + 20) / 2
  s.filler(50, 1, {1, 0});
  CHECK(judged(s, gang, muster::resource_fit<two>{}) == 30);  // (40 + 20) / 2

  muster_test::scene<three> g;  // with 5 GPUs a node
  g.node(1, {5, 5, 5});
  g.node(2, {5, 5, 5});
  g.filler(50, 1, {1, 0, 0});
  auto asks = muster_test::scene<three>::gang(1, 1, {1, 0, 0});
  asks.pod_sets.push_back({{1, 2, 1}, 1, 0});
  const muster::resource_fit<three> fit{.only_if_asked = {false, false, true}};
  CHECK(judged(g, asks, fit) == 20);  // (30 + 20 + 10) / 3
  auto without = muster_test::scene<three>::gang(1, 1, {1, 0, 0});
  without.pod_sets.push_back({{1, 2, 0}, 1, 0});
  CHECK(judged(g, without, fit) == 25);  // (30 + 20) / 2
  CHECK(judged(g, without, muster::resource_fit<three>{}) == 16);  // (30 + 20 + 0) / 3
}

TEST_CASE("resource fit counts a shared device once its share runs", "[placement]") {
  muster_test::scene<muster::devices<4>> s;
  s.node(1, {4});
  muster::devices<4>::request_type share{};
  share.share = 500;
  // of four devices one is no longer idle, though a share asks for no idle one
  const auto gang = muster_test::scene<muster::devices<4>>::gang(1, 1, share);
  CHECK(judged(s, gang, muster::resource_fit<muster::devices<4>>{}) == 25);
}

TEST_CASE("domain binpack counts what is asked, and is 0 where that is overfull", "[placement]") {
  muster_test::scene<two> s;
  s.node(1, {4, 4});
  s.node(2, {2, 0});
  s.filler(50, 1, {1, 3});
  const auto gang = muster_test::scene<two>::gang(1, 2, {1, 0});
  CHECK(judged(s, gang, muster::domain_binpack<two>{}) == 500'000);  // 3 of 6; nobody asks the other
  const auto both = muster_test::scene<two>::gang(1, 1, {1, 1});
  CHECK(judged(s, both, muster::domain_binpack<two>{}) == (333'333 + 1'000'000) / 2);
  CHECK(judged(s, both, muster::domain_binpack<two>{{2, 1}}) == (2 * 333'333 + 1'000'000) / 3);
  s.node(1, {4, 1});  // 3 are used of it
  s.node(2, {2, 2});
  CHECK(judged(s, gang, muster::domain_binpack<two>{}) == 500'000);
  CHECK(judged(s, both, muster::domain_binpack<two>{}) == 0);
  CHECK(judged(s, muster_test::scene<two>::gang(1, 1, {0, 0}), muster::domain_binpack<two>{}) == 0);
}

TEST_CASE("members there: those that run on the candidate's nodes, of all that are declared", "[placement]") {
  muster_test::scene<two> s;
  s.node(1, {4, 4});
  s.node(2, {4, 4});
  auto gang = muster_test::scene<two>::gang(1, 4, {1, 1}, 1);
  CHECK(judged(s, gang, muster::members_there{}) == 0);
  s.group(gang);
  s.pods(10, 4, gang);
  for (const std::uint64_t pod : {10U, 11U}) s.bind(pod, 2);
  s.bind(12, 1);
  CHECK(judged(s, gang, muster::members_there{}, 3) == 750);
  const auto view = s.view();
  muster::overlay<two> on{view};
  const auto answer = place(view, gang.id);
  const std::array<muster::run, 1> second{{{*view.find(muster::node_id{2}), *view.find(muster::node_id{2}) + 1}}};
  CHECK(muster::members_there{}(candidate_trial<two>{on, gang, answer, second, 3}) == 500);
}
