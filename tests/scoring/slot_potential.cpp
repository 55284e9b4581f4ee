// SPDX-License-Identifier: BSL-1.0
#include <muster/cluster/apply.hpp>
#include <muster/placement/place.hpp>
#include <muster/resource/devices.hpp>
#include <muster/resource/joint.hpp>
#include <muster/resource/resource_vector.hpp>
#include <muster/scoring/slot_potential.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace {

using gpus = muster::devices<8>;
using model = muster::joint<gpus, muster::resource_vector<1>>;  // GPUs beside cores
using shape = muster::slot_shape<model>;

model::request_type pod(std::uint32_t whole, muster::amount cores) { return {{.whole = whole}, {cores}}; }

// One pod of a GPU and 6 cores, of which two cores are counted for further ones; one of all 8 GPUs.
const std::vector<shape> narrow_and_wide{{pod(1, 6), pod(1, 2), 10}, {pod(8, 0), pod(8, 0), 80}};

constexpr model::capacity_type node{{8}, {16}};

}  // namespace

TEST_CASE("the value of s slots is 1000 s^(2/3) rounded down", "[scoring]") {
  CHECK(muster::concave_value(0) == 0);
  CHECK(muster::concave_value(1) == 1000);
  CHECK(muster::concave_value(8) == 4000);
  CHECK(muster::concave_value(1000) == 100'000);
  for (std::int64_t s = 0; s <= muster::max_pods_per_node; ++s) {
    const std::int64_t v = muster::concave_value(s), cube = s * s * 1'000'000'000;
    REQUIRE(v * v * v <= cube);
    REQUIRE((v + 1) * (v + 1) * (v + 1) > cube);
  }
}

TEST_CASE("a shape weighs by its width and by how scarce its nodes are", "[scoring]") {
  CHECK(muster::weigh_shape(1, 6212, 6212) == 10 * 100);
  CHECK(muster::weigh_shape(0, 6212, 6212) == 10 * 100);  // a share
  CHECK(muster::weigh_shape(8, 6212, 6212) == 24 * 8 * 100);
  CHECK(muster::weigh_shape(8, 6212, 3106, 15) == 15 * 8 * 200);
  CHECK(muster::weigh_shape(2, 10, 3, 10) == 2 * 10 * 333);  // 1000 / 3, rounded
  CHECK(muster::weigh_shape(2, 10, 6, 10) == 2 * 10 * 167);
  CHECK(muster::weigh_shape(1, 10, 0) == 10 * 1000);  // nobody takes it: as if one did
  CHECK(muster::weigh_shape(muster::max_amount, muster::max_amount, 1) == muster::max_shape_weight);
  CHECK(muster::weigh_shape(1, muster::max_amount, muster::max_amount) == 10 * 100);
  CHECK(muster::weigh_shape(8, 0, 0) == 1);  // a cluster without devices yet
  CHECK(muster::weigh_shape(8, 4, 1'000'000) == 1);
}

TEST_CASE("a node is worth what its slots are worth", "[scoring]") {
  const muster::slot_potential<model> potential{std::span{narrow_and_wide}};
  // 8 GPUs and 16 cores: 8 slots by GPUs and by cores counted as two each; one of the wide shape
  CHECK(potential.value(model::empty_node(node), node) == 10 * 4000 + 80 * 1000);
  model::state_type left = model::empty_node(node);
  model::grant_type given;
  REQUIRE(model::allocate(left, pod(1, 6), 1, given) == 1);
  // 7 GPUs and 10 cores: five further ones; 1000 * 5^(2/3) = 2924.01
  CHECK(potential.value(left, node) == 10 * 2924);
  REQUIRE(model::allocate(left, pod(1, 5), 1, given) == 1);
  CHECK(potential.value(left, node) == 0);  // 5 cores: not even the first
}

TEST_CASE("a further need that is left out is the request", "[scoring]") {
  const std::vector<shape> one{{.request = pod(1, 6), .weight = 10}};
  const std::vector<shape> said{{.request = pod(1, 6), .further = pod(1, 6), .weight = 10}};
  for (const muster::amount cores : {5, 6, 11, 12, 100}) {
    const model::capacity_type some{{8}, {cores}};
    const model::state_type left = model::empty_node(some);
    const std::int64_t slots = std::min<std::int64_t>(8, cores / 6);
    CHECK(muster::slot_potential<model>{std::span{one}}.value(left, some) == 10 * muster::concave_value(slots));
    CHECK(muster::slot_potential<model>{std::span{said}}.value(left, some) == 10 * muster::concave_value(slots));
  }
}

TEST_CASE("shapes of no weight and refused shapes count nothing; nothing known, every node is alike", "[scoring]") {
  const std::vector<shape> weightless{{pod(1, 0), pod(1, 0), 0}, {pod(8, 0), pod(8, 0), 80}};
  CHECK(muster::slot_potential<model>{std::span{weightless}}.value(model::empty_node(node), node) == 80 * 1000);
  const auto refuses_wide = [](const model::capacity_type&, std::size_t i) { return i != 1; };
  const muster::slot_potential<model, decltype(refuses_wide)> narrow{std::span{narrow_and_wide}, refuses_wide};
  CHECK(narrow.value(model::empty_node(node), node) == 10 * 4000);
  const std::vector<shape> nothing;
  CHECK(muster::slot_potential<model>{std::span{nothing}}.value(model::empty_node(node), node) == 0);
}

TEST_CASE("more slots than a table holds are counted, too", "[scoring]") {
  using cores = muster::resource_vector<1>;
  const std::vector<muster::slot_shape<cores>> one{{{1}, {1}, 1}};
  const muster::slot_potential<cores> potential{std::span{one}};
  for (const std::int64_t s : {255, 256, 257, 1000, 16384})
    CHECK(potential.value({s}, {s}) == muster::concave_value(s));
  CHECK(potential.value({20'000}, {20'000}) == muster::concave_value(muster::max_pods_per_node));
  CHECK(potential.value({-3}, {8}) == 0);
}

TEST_CASE("faulty shapes are named", "[scoring]") {
  const auto check = [](const std::vector<shape>& shapes) { return muster::check_shapes<model>(std::span{shapes}); };
  CHECK(check(narrow_and_wide) == muster::shape_fault::none);
  CHECK(check({{pod(1, 1), pod(1, -1), 1}}) == muster::shape_fault::request);
  CHECK(check({{pod(1, 1), pod(1, 1), -1}}) == muster::shape_fault::weight);
  CHECK(check({{pod(1, 1), pod(1, 1), 0}}) == muster::shape_fault::no_weight);
}

TEST_CASE("place() keeps a node whole for wide pods by the potential", "[scoring]") {
  // two nodes alike but for one pod; the fullest node could take both pods, too, but the pods want its last cores
  muster::cluster<model> cluster;
  std::uint64_t revision = 0;
  for (const std::uint64_t id : {1U, 2U})
    muster::apply(cluster, {muster::revision{++revision},
                            muster::node_seen<model>{{.id = muster::node_id{id}, .capacity = node}}});
  muster::pod_group<model> first;
  first.id = muster::group_id{1};
  first.disruption = muster::disruption_mode::single;
  first.pod_sets.push_back({pod(1, 1), 1, 0});
  const muster::slot_potential<model> potential{std::span{narrow_and_wide}};
  using scorer = muster::least_loss<model, muster::slot_potential<model>>;
  muster::overlay<model> on{cluster.view()};
  muster::workspace<model> space;
  const muster::place_options<muster::everywhere, scorer> options{.scorer = scorer{potential}};
  const auto& one = place(on, first, space, options);
  REQUIRE(one.fits());
  const muster::node_id used = one.seats.front().node;
  take_seats(on, one);
  first.id = muster::group_id{2};
  const auto& two = place(on, first, space, options);
  REQUIRE(two.fits());
  CHECK(two.seats.front().node == used);  // the other one still takes 8 GPUs
}
