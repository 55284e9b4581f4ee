// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/largest_gang.hpp>
#include <muster/placement/place.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/generator.hpp"
#include "support/scene.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

using two = muster::resource_vector<2>;
using muster::gang_room;
using muster::label_id;
using muster::topology_level;

constexpr topology_level zone{0}, rack{1};

muster::pod_set<two> pods_of(muster::amount first, muster::amount second) { return {{first, second}, 7, 3}; }

std::vector<gang_room> profile(const muster::snapshot<two>& view, const muster::pod_set<two>& pods) {
  std::vector<gang_room> all;
  muster::workspace<two> space;
  gang_profile(view, pods, space, [&](const gang_room& one) { all.push_back(one); });
  return all;
}

// Not the first kind.
struct not_kind_0 {
  muster::reason_code operator()(const muster::pod_group<two>&, std::size_t, muster::kind_id kind) const {
    return kind == muster::kind_id{0} ? muster::reason_code{1} : muster::eligible_node;
  }
};

}  // namespace

TEST_CASE("the largest gang of a level is that of the domain with the most room", "[placement]") {
  muster_test::scene<two> s{muster::nested_levels(2)};
  s.node(1, {8, 80}, {1, 1});
  s.node(2, {8, 80}, {1, 2});
  s.node(3, {8, 80}, {1, 2});
  s.node(4, {8, 80}, {2, 1});
  s.node(5, {8, 80});       // in no zone
  s.filler(90, 2, {6, 0});  // 2 of 8 left
  const auto all = profile(s.view(), pods_of(2, 10));
  REQUIRE(all.size() == 4);
  CHECK(all[0].pods == 4 + 1 + 4 + 4 + 4);
  CHECK(all[0].domain == muster::domain_path{});
  CHECK(all[1].pods == 9);
  CHECK(all[1].domain == muster::domain_path{zone, {label_id{1}}});
  CHECK(all[2].pods == 5);
  CHECK(all[2].domain == muster::domain_path{rack, {label_id{1}, label_id{2}}});
  CHECK(all[3].pods == 4);
  CHECK(all[3].domain.level == muster::node_level);
}

TEST_CASE("a filter and what is on an overlay count", "[placement]") {
  muster_test::scene<two> s{muster::nested_levels(1)};
  s.node(1, {8, 80}, {1}, 0);
  s.node(2, {6, 80}, {1}, 1);
  s.node(3, {4, 80}, {2}, 1);
  const auto view = s.view();
  muster::workspace<two> space;
  CHECK(largest_gang(view, pods_of(1, 0), topology_level{0}, space).pods == 14);
  CHECK(largest_gang(view, pods_of(1, 0), topology_level{0}, space, not_kind_0{}).pods == 6);
  muster::overlay<two> trial{view};
  trial.charge(*view.find(muster::node_id{2}), {5, 0}, 1);
  const gang_room left = largest_gang(trial, pods_of(1, 0), topology_level{0}, space, not_kind_0{});
  CHECK(left.pods == 4);
  CHECK(left.domain == muster::domain_path{topology_level{0}, {label_id{2}}});
}

TEST_CASE("questions that cannot be asked name their fault; where there is no room there is no domain", "[placement]") {
  muster_test::scene<two> s{muster::nested_levels(1)};
  muster::workspace<two> space;
  CHECK(largest_gang(s.view(), pods_of(1, 0), topology_level{0}, space).pods == 0);  // no node at all
  s.node(1, {8, 80}, {1});
  CHECK(largest_gang(s.view(), pods_of(1, 0), topology_level{1}, space).fault == muster::group_fault::unknown_level);
  CHECK(largest_gang(s.view(), pods_of(-1, 0), topology_level{0}, space).fault != muster::group_fault::none);
  CHECK(profile(s.view(), pods_of(-1, 0)).size() == 1);
  const gang_room none = largest_gang(s.view(), pods_of(9, 0), topology_level{0}, space);
  CHECK(none.pods == 0);
  CHECK(none.domain == muster::domain_path{});
  CHECK(none.fault == muster::group_fault::none);
  CHECK(largest_gang(s.view(), pods_of(0, 0), topology_level{0}, space).pods > 1000);  // asks nothing
}

TEST_CASE("a gang of that many pods sits, and one more does not", "[placement]") {
  muster_test::generator draw{"largest gang"};
  for (int round = 0; round < 200; ++round) {
    muster_test::scene<two> s{muster::nested_levels(2)};
    const auto nodes = 1 + draw.below(12);
    for (std::uint64_t n = 1; n <= nodes; ++n)
      s.node(n, {draw.between(0, 8), draw.between(0, 8)}, {1 + draw.below(2), 1 + draw.below(3)});
    const auto first = draw.between(0, 3);
    const muster::pod_set<two> pods = pods_of(first, draw.between(1, 3));
    const auto view = s.view();
    muster::workspace<two> space;
    for (const topology_level level : {muster::no_level, zone, rack, muster::node_level}) {
      const gang_room most = largest_gang(view, pods, level, space);
      for (const muster::pod_count count : {most.pods, most.pods + 1}) {
        if (count == 0) continue;
        auto gang = s.gang(1, count, pods.request);
        gang.required = level;
        const auto& answer = place(view, gang, space);
        REQUIRE(answer.fits() == (count == most.pods));
      }
    }
  }
}

TEST_CASE("a node has room for no more than the pods it may still hold", "[placement]") {
  muster_test::scene<two> s{muster::nested_levels(2)};
  s.node(1, {6, 6}, {1, 1});
  const auto view = s.view();
  muster::overlay<two> on{view};
  on.charge(0, {0, 0}, muster::max_pods_per_node - 2);
  muster::workspace<two> space;
  for (const muster::amount each : {0, 1}) {
    CHECK(largest_gang(on, pods_of(each, 0), muster::node_level, space).pods == 2);
    auto gang = s.gang(1, 2, {each, 0});
    CHECK(place(on, gang, space).fits());
    gang = s.gang(1, 3, {each, 0});
    CHECK(!place(on, gang, space).fits());
  }
}
