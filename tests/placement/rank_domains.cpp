// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/rank_domains.hpp>
#include <muster/placement/place.hpp>
#include <muster/cluster/overlay.hpp>
#include <muster/resource/devices.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/generator.hpp"
#include "support/scene.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

namespace {

using cores = muster::resource_vector<1>;
using muster::topology_level;

constexpr topology_level block{0}, rack{1};

/// Two dimensions; counts how often a node is asked.
struct counted : muster::resource_vector<2> {
  using base = muster::resource_vector<2>;
  static inline std::size_t asked = 0;
  [[nodiscard]] static muster::pod_count count_fitting(const state_type& left, const request_type& request,
                                                       muster::pod_count limit) {
    ++asked;
    return base::count_fitting(left, request, limit);
  }
};

/// The ranking, node by node.
template <class View, class M = typename View::model>
std::vector<std::tuple<muster::pod_count, std::uint32_t>> by_hand(const View& view, const muster::pod_set<M>& pods,
                                                                  topology_level level) {
  std::vector<std::tuple<muster::pod_count, std::uint32_t>> all;
  const auto domains = level == muster::node_level ? view.base().size()
                                                   : view.base().domains(static_cast<std::size_t>(level));
  for (std::uint32_t d = 0; d < domains; ++d) {
    muster::pod_count slots = 0;
    for (std::uint32_t p = 0; p < view.base().size(); ++p) {
      const auto here = level == muster::node_level ? p : view.base().domain_of(p, static_cast<std::size_t>(level));
      if (here == d && view.base().open(p)) slots += M::count_fitting(view.now(p), pods.request, 4096);
    }
    if (slots >= pods.count) all.push_back({slots, d});
  }
  std::sort(all.begin(), all.end());
  return all;
}

template <class M>
void check_random(muster_test::generator& rng, bool large) {
  auto shape = muster::nested_levels(2);
  shape.levels[1].merge_equal_names = rng.between(0, 3) == 0;
  muster_test::scene<M> s{shape};
  const auto nodes = static_cast<std::uint64_t>(rng.between(1, large ? 400 : 30));
  const auto width = rng.between(1, 40);
  for (std::uint64_t n = 0; n < nodes; ++n) {
    typename M::capacity_type capacity{};
    for (auto& each : capacity) each = rng.between(0, large ? 9 : 200);
    const auto r = n / static_cast<std::uint64_t>(width);
    const auto kind = static_cast<std::uint32_t>(rng.between(0, 1));
    if (rng.between(0, 9) == 0) s.node(n, capacity, {r / 4}, kind);
    else s.node(n, capacity, {r / 4, r}, kind);
    if (rng.between(0, 9) == 0) s.say(muster::node_closed{muster::node_id{n}});
  }
  const auto view = s.view();
  muster::overlay<M> on{view};
  muster::workspace<M> space;
  muster::domain_ranking ranking;
  for (int ask = 0; ask < 6; ++ask) {
    muster::pod_set<M> pods;
    for (auto& each : pods.request) each = rng.between(0, large ? 3 : 60);
    pods.request[0] = std::max<muster::amount>(1, pods.request[0]);
    pods.count = rng.between(1, 40);
    for (const topology_level level : {block, rack, muster::node_level}) {
      rank_domains(on, pods, level, space, ranking);
      std::vector<std::tuple<muster::pod_count, std::uint32_t>> got;
      for (const muster::ranked_domain& one : ranking.domains) got.push_back({one.slots, one.domain});
      CHECK(got == by_hand(on, pods, level));
    }
    const auto at = static_cast<std::uint32_t>(rng.between(0, static_cast<std::int64_t>(nodes) - 1));
    if (view.open(at) && M::count_fitting(on.now(at), pods.request, 1) == 1) on.charge(at, pods.request, 1);
  }
}

}  // namespace

TEST_CASE("the domains that hold a gang, fullest first, as counted node by node", "[placement]") {
  muster_test::generator rng{17};
  for (int round = 0; round < 60; ++round) {
    check_random<cores>(rng, round % 2 == 0);
    check_random<muster::resource_vector<2>>(rng, round % 2 == 0);
  }
}

TEST_CASE("racks of shared devices are counted device by device", "[placement]") {
  muster_test::scene<muster::devices<4>> s{muster::nested_levels(2)};
  for (std::uint64_t n = 0; n < 6; ++n) s.node(n, {4}, {0, n / 3});
  muster::workspace<muster::devices<4>> space;
  muster::domain_ranking ranking;
  muster::pod_set<muster::devices<4>> pods{{}, 24, 0};
  pods.request.share = 500;
  rank_domains(s.view(), pods, rack, space, ranking);
  REQUIRE(ranking.domains.size() == 2);
  CHECK(ranking.domains[0].slots == 24);
  CHECK(ranking.domains[0].domain == 0);
  pods.count = 25;
  rank_domains(s.view(), pods, rack, space, ranking);
  CHECK(ranking.domains.empty());
}

TEST_CASE("one rack of fifty is chosen without a look at nodes of racks that cannot hold the gang", "[placement]") {
  muster_test::scene<counted> s{muster::nested_levels(2)};
  std::uint64_t id = 0;
  for (std::uint64_t r = 0; r < 50; ++r)
    for (int n = 0; n < 16; ++n) {
      // CPUs are just enough, so that the index alone is not sure of a node; rack 23 alone has its GPUs left
      s.node(id, {8, 41}, {0, r});
      if (r != 23) s.filler(10'000 + id, id, {5, 0});
      ++id;
    }
  muster::workspace<counted> space;
  muster::domain_ranking ranking;
  const muster::pod_set<counted> pods{{1, 5}, 100, 0};
  const auto view = s.view();
  rank_domains(view, pods, rack, space, ranking);
  REQUIRE(ranking.domains.size() == 1);
  CHECK(view.domain_name(1, ranking.domains[0].domain).path.back() == muster::label_id{23});
  CHECK(ranking.domains[0].slots == 128);
  counted::asked = 0;
  rank_domains(view, pods, rack, space, ranking);
  CHECK(counted::asked <= 16);

  auto group = muster_test::scene<counted>::gang(1, pods.count, pods.request);
  group.required = rack;
  (void)place(view, group, space);
  counted::asked = 0;
  REQUIRE(place(view, group, space).fits());
  CHECK(space.answer.domain.path.back() == muster::label_id{23});
  CHECK(counted::asked <= 2 * 16);  // counted, then seated

  // A refusal says how many each rack holds, so it looks at all of them.
  group.min_count = group.pod_sets[0].count = 129;
  REQUIRE(place(view, group, space).verdict == muster::verdict::never);
  CHECK(space.answer.lack.seated == 128);
  CHECK(space.answer.lack.best_domain.path.back() == muster::label_id{23});
}

TEST_CASE("faulty questions are named", "[placement]") {
  muster_test::scene<cores> s{muster::nested_levels(1)};
  s.node(1, {4}, {1});
  muster::workspace<cores> space;
  muster::domain_ranking ranking;
  rank_domains(s.view(), muster::pod_set<cores>{{1}, 2, 0}, topology_level{5}, space, ranking);
  CHECK(ranking.fault == muster::group_fault::unknown_level);
  CHECK(ranking.domains.empty());
  rank_domains(s.view(), muster::pod_set<cores>{{-1}, 2, 0}, block, space, ranking);
  CHECK(ranking.fault != muster::group_fault::none);
  rank_domains(s.view(), muster::pod_set<cores>{{1}, 2, 0}, block, space, ranking);
  CHECK(ranking.fault == muster::group_fault::none);
  CHECK(ranking.domains.size() == 1);
}

TEST_CASE("a filter keeps nodes out of the count", "[placement]") {
  muster_test::scene<cores> s{muster::nested_levels(1)};
  for (std::uint64_t n = 0; n < 4; ++n) s.node(n, {4}, {n / 2});
  muster::workspace<cores> space;
  muster::domain_ranking ranking;
  const std::vector<muster::run> some{{1, 4}};
  rank_domains(s.view(), muster::pod_set<cores>{{1}, 4, 0}, block, space, ranking, muster::inside<>{some});
  REQUIRE(ranking.domains.size() == 2);
  CHECK(ranking.domains[0].slots == 4);
  CHECK(ranking.domains[1].slots == 8);
}

TEST_CASE("a node has no more slots than pods it may still hold", "[placement]") {
  muster_test::scene<cores> s{muster::nested_levels(1)};
  for (std::uint64_t n = 0; n < 4; ++n) s.node(n, {6}, {n / 2});
  const auto view = s.view();
  muster::overlay<cores> on{view};
  const auto full = *view.find(muster::node_id{0});
  on.charge(full, {0}, muster::max_pods_per_node - 2);
  muster::workspace<cores> space;
  muster::domain_ranking ranking;
  rank_domains(on, muster::pod_set<cores>{{1}, 3, 0}, block, space, ranking);
  REQUIRE(ranking.domains.size() == 2);
  CHECK(ranking.domains[0].slots == 8);
  CHECK(ranking.domains[1].slots == 12);
  rank_domains(on, muster::pod_set<cores>{{1}, 3, 0}, muster::node_level, space, ranking);
  CHECK(ranking.domains.size() == 3);
  rank_domains(on, muster::pod_set<cores>{{0}, 3, 0}, block, space, ranking);  // asks nothing
  REQUIRE(ranking.domains.size() == 2);
  CHECK(ranking.domains[0].slots == muster::max_pods_per_node + 2);
  CHECK(ranking.domains[1].slots == 2 * muster::max_pods_per_node);
}
