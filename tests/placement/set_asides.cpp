// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/set_asides.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/scene.hpp"

#include <muster/placement/place.hpp>
#include <muster/resource/resource_vector.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace {

using slots = muster::resource_vector<1>;
using muster::group_id;
using muster::node_id;
using muster::set_aside_id;

struct scene : muster_test::scene<slots> {
  void keep(std::uint64_t id, std::uint64_t group, std::uint64_t node, muster::pod_count pods, std::uint32_t set = 0) {
    say(muster::set_aside<slots>{set_aside_id{id}, group_id{group}, set, node_id{node}, pods, {pods}});
  }
  /// The set-asides of group 1 that seats use up; \param seats node, pods, pod set
  std::vector<std::uint64_t> used(std::vector<std::vector<std::uint64_t>> seats) {
    const auto now = view();
    std::vector<muster::seat<slots>> all;
    for (const auto& one : seats)
      all.push_back({node_id{one[0]},
                     {static_cast<muster::amount>(one[1])},
                     static_cast<muster::pod_count>(one[1]),
                     now.find(node_id{one[0]}).value(),
                     static_cast<std::uint32_t>(one[2])});
    std::vector<std::uint64_t> ids;
    muster::visit_used_set_asides(now, group_id{1}, std::span<const muster::seat<slots>>{all},
                                  [&](const auto& kept, std::uint32_t position) {
                                    CHECK(now.id(position) == kept.node);
                                    ids.push_back(number(kept.id));
                                  });
    return ids;
  }
};

using ids = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("a placement uses up its group's set-asides on the nodes it takes, whole", "[placement]") {
  scene s;
  for (std::uint64_t n = 1; n <= 3; ++n) s.node(n, {8});
  s.keep(1, 1, 1, 2);
  s.keep(2, 1, 1, 1, 1);
  s.keep(3, 2, 1, 1);
  s.keep(4, 1, 2, 5);
  CHECK(s.used({{1, 1, 0}}) == ids{1, 2});
  CHECK(s.used({{1, 1, 0}, {2, 1, 0}}) == ids{1, 2, 4});
  CHECK(s.used({{3, 1, 0}}).empty());
}

TEST_CASE("elsewhere it uses up those whose pods it seats, set by set, in the order of ids", "[placement]") {
  scene s;
  for (std::uint64_t n = 1; n <= 4; ++n) s.node(n, {8});
  s.keep(1, 1, 1, 2);
  s.keep(2, 1, 2, 3);
  s.keep(3, 1, 3, 1);
  s.keep(4, 1, 3, 1, 1);
  CHECK(s.used({{4, 1, 0}}) == ids{3});
  CHECK(s.used({{4, 3, 0}}) == ids{1, 3});
  CHECK(s.used({{4, 5, 0}}) == ids{1, 2});
  CHECK(s.used({{4, 6, 0}}) == ids{1, 2, 3});
  CHECK(s.used({{4, 6, 0}, {4, 1, 1}}) == ids{1, 2, 3, 4});
  CHECK(s.used({{1, 2, 0}}) == ids{1});  // its two pods are those of the first
  CHECK(s.used({{1, 3, 0}}) == ids{1, 3});
}

TEST_CASE("seats that are taken take the place of what was kept for them, and that is not free twice", "[placement]") {
  scene s;
  s.node(1, {4});
  s.node(2, {1});
  s.keep(1, 1, 1, 3);
  const auto gang = scene::gang(1, 3, {1});
  s.group(gang);
  s.pods(10, 3, gang);
  const auto other = scene::gang(2, 2, {1});
  const auto view = s.view();
  muster::overlay<slots> on{view};
  muster::workspace<slots> space;
  REQUIRE(place(on, gang.id, space).placed == 3);
  CHECK(on.now(0)[0] == 1);
  muster::take_seats(on, space.answer);
  CHECK(on.now(0)[0] + on.now(1)[0] == 2);
  CHECK(place(on, other, space).fits());
  CHECK_FALSE(place(on, scene::gang(1, 3, {1}), space).fits());  // the group itself has nothing kept any more
}
