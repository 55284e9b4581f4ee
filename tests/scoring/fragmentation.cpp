// SPDX-License-Identifier: BSL-1.0
#include <muster/resource/devices.hpp>
#include <muster/resource/joint.hpp>
#include <muster/resource/resource_vector.hpp>
#include <muster/scoring/fragmentation.hpp>
#include <muster/scoring/node_value.hpp>

#include "support/catch.hpp"
#include "support/generator.hpp"

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace {

using gpus = muster::devices<8>;
using model = muster::joint<gpus, muster::resource_vector<1>>;  // GPUs beside cores
using shape = muster::weighted_shape<model>;

// Two GPUs, one of them with 300 milli left, and 10 cores.
model::state_type half_used() {
  model::state_type left = model::empty_node({{2}, {10}});
  model::grant_type given;
  REQUIRE(model::allocate(left, {{.share = 700}, {0}}, 1, given) == 1);
  return left;
}
constexpr model::capacity_type two_gpus{{2}, {10}};

const std::vector<shape> shares_and_others{
    {{{.share = 500}, {4}}, 3}, {{{.whole = 1}, {4}}, 1}, {{{}, {4}}, 1}};

}  // namespace

TEST_CASE("fragmented is what the likely pods cannot use", "[scoring]") {
  const muster::fragmentation<model> measure{std::span{shares_and_others}};
  CHECK(measure.weight() == 5);
  // half a GPU and a whole one fit on the idle GPU: the other one's 300 are too small; to a pod without GPUs all is
  CHECK(measure.of(half_used(), two_gpus) == 3 * 300 + 1 * 300 + 1 * 1300);
  CHECK(measure.value(half_used(), two_gpus) == -2500);
  // an idle node: all of it is of use but to the pod without GPUs
  CHECK(measure.of(model::empty_node(two_gpus), two_gpus) == 2000);
}

TEST_CASE("where a pod does not fit, all that is idle is fragmented", "[scoring]") {
  const muster::fragmentation<model> measure{std::span{shares_and_others}};
  model::state_type no_cores = half_used();
  no_cores.second[0] = 3;
  CHECK(measure.of(no_cores, two_gpus) == 5 * 1300);
}

TEST_CASE("a node that refuses a shape has nothing for it", "[scoring]") {
  const auto refuses_first = [](const model::capacity_type&, std::size_t i) { return i != 0; };
  const muster::fragmentation<model, decltype(refuses_first)> measure{std::span{shares_and_others}, refuses_first};
  CHECK(measure.of(half_used(), two_gpus) == 3 * 1300 + 1 * 300 + 1 * 1300);
}

TEST_CASE("a sick GPU is not idle, and one that is overcommitted has nothing left", "[scoring]") {
  const muster::fragmentation<model> measure{std::span{shares_and_others}};
  model::state_type left = half_used();
  model::set_health(left, 0, false);  // the one with 300
  CHECK(measure.of(left, two_gpus) == 1000);
  model::state_type over = half_used();
  over.first.left[0] = -200;
  CHECK(measure.of(over, two_gpus) == 1000);
}

TEST_CASE("a node without GPUs is not fragmented", "[scoring]") {
  const muster::fragmentation<model> measure{std::span{shares_and_others}};
  CHECK(measure.of(model::empty_node({{0}, {64}}), {{0}, {64}}) == 0);
}

TEST_CASE("nothing known, nothing is fragmented and all nodes score alike", "[scoring]") {
  const std::vector<shape> nothing;
  const muster::fragmentation<model> measure{std::span{nothing}};
  CHECK(measure.of(half_used(), two_gpus) == 0);
  CHECK(muster::fragmentation_score(0, measure.weight()) == 50);
}

TEST_CASE("as a scorer fragmentation likes the node that loses least to it", "[scoring]") {
  const muster::fragmentation<model> measure{std::span{shares_and_others}};
  const muster::least_loss<model, muster::fragmentation<model>> score{measure};
  const model::request_type small{{.share = 300}, {1}};
  // on the used node it fills the gap of 300: before 2500, after 1 * 1000; on an idle one it makes a gap of 700
  CHECK(score(half_used(), two_gpus, small) == 2500 - 1000);
  CHECK(score(model::empty_node(two_gpus), two_gpus, small) == 2000 - (0 + 700 + 1700));
}

TEST_CASE("the published score is a sigmoid rounded down", "[scoring]") {
  using muster::fragmentation_score;
  CHECK(fragmentation_score(0, 7) == 50);
  CHECK(fragmentation_score(1, 7) == 50);
  CHECK(fragmentation_score(-1, 7) == 49);
  CHECK(fragmentation_score(std::int64_t{64'000} << 40, std::int64_t{1} << 40) == 99);
  CHECK(fragmentation_score(-(std::int64_t{64'000} << 40), std::int64_t{1} << 40) == 0);
  muster_test::generator draw{"sigmoid"};
  for (int round = 0; round < 20'000; ++round) {
    const auto weight = static_cast<std::int64_t>(1 + draw.below(1U << 20U));
    const auto reach = static_cast<std::uint64_t>(weight) * 8000;
    const auto gain = static_cast<std::int64_t>(draw.below(2 * reach)) - static_cast<std::int64_t>(reach);
    const double exact = 100 / (1 + std::exp(-static_cast<double>(gain) / static_cast<double>(weight) / 1000));
    if (std::abs(exact - std::round(exact)) < 1e-6) continue;  // too near to a step for doubles
    REQUIRE(fragmentation_score(gain, weight) == static_cast<std::int64_t>(exact));
  }
}
