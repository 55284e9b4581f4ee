// SPDX-License-Identifier: BSL-1.0
#include <muster/resource/devices.hpp>
#include <muster/resource/resource_vector.hpp>
#include <muster/scoring/gang_ratio.hpp>

#include "support/catch.hpp"
#include "support/generator.hpp"
#include "support/scene.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

using two = muster::resource_vector<2>;
using scene = muster_test::scene<two>;
using muster::ask_of;
using muster::ratio_in;
using numbers = std::array<muster::amount, 2>;
using counts = std::vector<muster::pod_count>;

muster::pod_group<two> gang_of(std::initializer_list<two::request_type> pods) {
  auto gang = scene::gang(1, 0, {});
  gang.pod_sets.clear();
  for (const auto& each : pods) gang.pod_sets.push_back({each, 1, 0});
  return gang;
}

}  // namespace

TEST_CASE("what a gang asks: in sum, of the largest pod, and whether of one kind", "[scoring]") {
  const auto gang = gang_of({{3, 1}, {1, 2}, {5, 0}});
  const auto two_sets = ask_of(gang, counts{2, 1, 0});
  CHECK(two_sets.sum == numbers{7, 4});
  CHECK(two_sets.largest == numbers{3, 2});
  CHECK(two_sets.pods == 3);
  CHECK(two_sets.one_kind);
  CHECK_FALSE(ask_of(gang, counts{2, 1, 1}).one_kind);
  CHECK_FALSE(ask_of(gang, counts{0, 1, 1}).one_kind);
  CHECK(ask_of(gang, counts{0, 0, 0}).pods == 0);
}

TEST_CASE("two nodes of 8 and pods of 8, 1 and 1: the largest pod counts twice, so the test fails", "[scoring]") {
  scene s;
  for (const std::uint64_t n : {1U, 2U}) s.node(n, {8, 0});
  const auto view = s.view();
  const std::vector<muster::run> all{{0, view.size()}};
  const auto gang = gang_of({{8, 0}, {1, 0}, {1, 0}});
  const auto asked = ask_of(gang, counts{1, 1, 1});
  CHECK(room_for_largest(view, all, asked) == 2);
  CHECK_FALSE(ratio_in(view, all, asked).passes);
  CHECK(ratio_in(view, all, asked).share == 625'000);  // 10 of 16
  CHECK(ratio_in(view, all, ask_of(gang, counts{1, 1, 0})).passes);
}

TEST_CASE("of several kinds a sum is enough, though no node has room", "[scoring]") {
  scene s;
  for (const std::uint64_t n : {1U, 2U}) s.node(n, {2, 4});
  const auto view = s.view();
  const std::vector<muster::run> all{{0, view.size()}};
  const auto gang = gang_of({{3, 1}, {0, 1}});
  const auto ratio = ratio_in(view, all, ask_of(gang, counts{1, 1}));
  CHECK(ratio.passes);
  CHECK(ratio.share == 750'000);
  CHECK(ratio_in(view, all, ask_of(gang, counts{1, 7})).passes);  // of the second 8 of 8
  CHECK(ratio_in(view, all, ask_of(gang, counts{1, 7})).share == 1'000'000);
  CHECK_FALSE(ratio_in(view, all, ask_of(gang, counts{1, 8})).passes);
}

TEST_CASE("only what is left on open nodes counts", "[scoring]") {
  scene s;
  s.node(1, {4, 4});
  s.node(2, {4, 4});
  s.filler(90, 1, {3, 0});
  const std::vector<muster::run> all{{0, 2}};
  const auto asked = ask_of(scene::gang(1, 2, {1, 1}), counts{2});
  CHECK(ratio_in(s.view(), all, asked).share == 400'000);
  CHECK(room_for_largest(s.view(), all, asked) == 5);
  s.say(muster::node_closed{muster::node_id{2}, s.time(0), muster::end_of_time});
  CHECK(ratio_in(s.view(), all, asked).share == 2'000'000);
  CHECK_FALSE(ratio_in(s.view(), all, asked).passes);
  s.filler(91, 1, {1, 0});
  CHECK(ratio_in(s.view(), all, asked).share == muster::highest_score);
  muster::overlay<two> on{s.view()};
  on.charge(0, {0, 0}, muster::max_pods_per_node - 2);
  CHECK(room_for_largest(on, all, ask_of(scene::gang(1, 1, {0, 1}), counts{1})) == 0);
}

TEST_CASE("needs that do not add up bound the largest pod alone", "[scoring]") {
  using gpus = muster::devices<4>;
  muster_test::scene<gpus> s;
  s.node(1, {4});
  gpus::request_type half;
  half.share = 500;
  const auto gang = muster_test::scene<gpus>::gang(1, 2, half);
  const auto view = s.view();
  const std::vector<muster::run> all{{0, 1}};
  CHECK(ratio_in(view, all, ask_of(gang, counts{2})).passes);
  for (std::uint64_t pod = 50; pod < 54; ++pod) {
    gpus::request_type most;
    most.share = 600;
    s.filler(pod, 1, most);
  }
  CHECK_FALSE(ratio_in(s.view(), all, ask_of(gang, counts{1})).passes);  // 400 are left on each
}

TEST_CASE("the ratio and the test as they are written", "[scoring]") {
  muster_test::generator rng{"gang_ratio"};
  int passed = 0, kinds = 0;
  for (int round = 0; round < muster_test::rounds(300); ++round) {
    scene s;
    std::vector<numbers> left;
    for (std::uint64_t n = 0; n < 3; ++n) {
      left.push_back({rng.between(0, 6), rng.between(0, 6)});
      s.node(n, {left.back()[0], left.back()[1]});
    }
    const auto some = [&] { return two::request_type{rng.between(0, 4), rng.between(0, 4)}; };
    const auto gang = gang_of({some(), some()});
    const counts pods{rng.between(1, 2), rng.between(0, 2)};
    numbers sum{}, largest{}, free{};
    std::array<bool, 2> any{}, every{true, true};
    for (std::size_t set = 0; set < 2; ++set)
      for (muster::pod_count pod = 0; pod < pods[set]; ++pod)
        for (std::size_t d = 0; d < 2; ++d) {
          const auto need = gang.pod_sets[set].request[d];
          sum[d] += need;
          largest[d] = std::max(largest[d], need);
          any[d] = any[d] || need > 0;
          every[d] = every[d] && need > 0;
        }
    muster::pod_count room = 0;
    for (const numbers& node : left)
      for (numbers rest = node; room < 100 && rest[0] >= largest[0] && rest[1] >= largest[1]; ++room)
        for (std::size_t d = 0; d < 2; ++d) rest[d] -= largest[d];
    double ratio = 0;
    for (std::size_t d = 0; d < 2; ++d) {
      for (const numbers& node : left) free[d] += node[d];
      if (sum[d] > 0) ratio = std::max(ratio, double(sum[d]) / double(free[d]));
    }
    const bool one_kind = any == every;
    const bool want = one_kind ? room >= pods[0] + pods[1] : ratio <= 1;
    const auto view = s.view();
    const std::vector<muster::run> all{{0, 3}};
    const auto found = ratio_in(view, all, ask_of(gang, pods));
    CHECK(found.passes == want);
    if (ratio < 1000) CHECK(found.share == static_cast<std::int64_t>(ratio * 1e6 + 1e-6));
    passed += want ? 1 : 0;
    kinds += one_kind ? 0 : 1;
  }
  CHECK(passed > 30);
  CHECK(kinds > 30);
}
