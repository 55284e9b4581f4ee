// SPDX-License-Identifier: BSL-1.0
#include <muster/cluster/overlay.hpp>
#include <muster/resource/devices.hpp>
#include <muster/resource/resource_vector.hpp>
#include <muster/scoring/gangs_lost.hpp>

#include "support/allocation.hpp"
#include "support/catch.hpp"
#include "support/generator.hpp"
#include "support/scene.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <map>
#include <span>
#include <vector>

namespace {

using one = muster::resource_vector<1>;
using two = muster::resource_vector<2>;
using muster::gang_loss;
using muster::shape_fault;
using muster::topology_level;
constexpr topology_level rack{0};

struct seat {
  std::uint32_t position = 0;
  muster::pod_count count = 0;
};

template <class M>
using shapes_of = std::vector<muster::gang_shape<M>>;

// What fits, times weights, counted pod by pod from nothing.
struct counted {
  std::int64_t gangs = 0;
  std::int64_t sixtieths = 0;  // of a thousandth of a gang, of at most 6 pods
  std::int64_t domains = 0;
};
template <class M, class View>
counted fitting_by_hand(const View& view, const shapes_of<M>& shapes) {
  counted sum;
  for (const auto& shape : shapes) {
    std::map<std::uint32_t, muster::pod_count> slots;
    for (std::uint32_t p = 0; p < view.base().size(); ++p) {
      if (!view.base().open(p)) continue;
      std::uint32_t domain = shape.level == muster::node_level ? p : 0;
      if (shape.level != muster::node_level && shape.level != muster::no_level)
        domain = view.base().domain_of(p, static_cast<std::size_t>(shape.level));
      if (domain == muster::no_domain) continue;
      typename M::state_type left = view.now(p);
      typename M::grant_type ignored{};
      while (M::allocate(left, shape.request, 1, ignored) == 1) ++slots[domain];
    }
    for (const auto& [domain, count] : slots) {
      sum.gangs += shape.weight * (count / shape.pods);
      sum.sixtieths += shape.weight * count * 1000 * 60 / shape.pods;
      ++sum.domains;
    }
  }
  return sum;
}

}  // namespace

TEST_CASE("the loss of a domain is in whole gangs, and in parts", "[scoring]") {
  using muster::loss_of;
  CHECK(loss_of(16, 15, 8, 5) == gang_loss{5, 625});    // 2 gangs become 1; an eighth of one
  CHECK(loss_of(15, 8, 8, 5) == gang_loss{0, 4375});    // the 7 that were over
  CHECK(loss_of(17, 7, 8, 1) == gang_loss{2, 1250});
  CHECK(loss_of(7, 17, 8, 1) == gang_loss{-2, -1250});  // given back
  CHECK(loss_of(9, 9, 8, 1) == gang_loss{0, 0});
  CHECK(loss_of(3, 2, 3, 1) == gang_loss{1, 333});
  CHECK(loss_of(16, 0, 8, 0) == gang_loss{0, 0});
  constexpr std::int64_t top = std::numeric_limits<std::int64_t>::max();
  CHECK(loss_of(top, 0, 1, top) == gang_loss{top, top});
  CHECK(loss_of(0, top, 1, top) == gang_loss{-top, -top});
}

TEST_CASE("losses are compared by gangs, then by parts", "[scoring]") {
  CHECK(gang_loss{0, 9000} < gang_loss{1, 10});
  CHECK(gang_loss{1, 10} < gang_loss{1, 20});
  CHECK(gang_loss{-1, 0} < gang_loss{0, -500});
  gang_loss sum{1, 10};
  sum += {std::numeric_limits<std::int64_t>::max(), -20};
  CHECK(sum == gang_loss{std::numeric_limits<std::int64_t>::max(), -10});
}

TEST_CASE("beside other candidates a loss is a score from 100 for none to 0 for the worst", "[scoring]") {
  using muster::gangs_kept_score;
  CHECK(gangs_kept_score({0, 500}, {4, 4000}) == 100);
  CHECK(gangs_kept_score({1, 500}, {4, 4000}) == 75);
  CHECK(gangs_kept_score({4, 4000}, {4, 4000}) == 0);
  CHECK(gangs_kept_score({-3, -10}, {4, 4000}) == 100);
  CHECK(gangs_kept_score({0, 500}, {0, 1000}) == 50);  // nobody loses a gang: by parts
  CHECK(gangs_kept_score({-2, 0}, {-1, -10}) == 100);
  CHECK(gangs_kept_score({0, 0}, {0, 0}) == 100);
}

TEST_CASE("of two racks the one that keeps its whole gangs is cheaper", "[scoring]") {
  // rack 1 has 8 + 8 GPUs, rack 2 has 8 + 6; gangs of 2 pods of 8 GPUs, and of 4 of 2 GPUs, must sit in a rack
  muster_test::scene<one> s{muster::nested_levels(1)};
  s.node(1, {8}, {1});
  s.node(2, {8}, {1});
  s.node(3, {8}, {2});
  s.node(4, {8}, {2});
  s.filler(90, 4, {2});
  const shapes_of<one> shapes{{{8}, 2, rack, 10}, {{2}, 4, rack, 3}};
  REQUIRE(muster::check_shapes<one>(std::span{shapes}, s.view().levels()) == shape_fault::none);
  muster::gang_mix<one> mix{std::span{shapes}};
  const auto view = s.view();
  mix.rebuild(view);
  CHECK(mix.weight() == 13);
  CHECK(std::vector<muster::pod_count>(mix.slots(0).begin(), mix.slots(0).end()) ==
        std::vector<muster::pod_count>{2, 1});
  CHECK(std::vector<muster::pod_count>(mix.slots(1).begin(), mix.slots(1).end()) ==
        std::vector<muster::pod_count>{8, 7});
  CHECK(mix.fitting() == 10 * 1 + 3 * (2 + 1));
  // one pod of 2 GPUs: in rack 1 it costs the wide gang and one of two narrow ones, on node 4 nothing whole
  const auto cost = [&](std::uint64_t node) {
    muster::overlay<one> on{view};
    muster::seat_space space;
    const std::uint32_t position = view.find(muster::node_id{node}).value();
    on.charge(position, {2}, 1);
    return mix.lost(on, std::vector<seat>{{position, 1}}, space);
  };
  CHECK(cost(1) == gang_loss{10 + 3, 10 * 500 + 3 * 250});
  CHECK(cost(2) == cost(1));
  CHECK(cost(4) == gang_loss{0, 3 * 250});
  // on node 3 it costs no whole gang, either, but half a wide one
  CHECK(cost(3) == gang_loss{0, 10 * 500 + 3 * 250});
  muster::seat_space space;
  CHECK(mix.lost(view, std::vector<seat>{{0, 1}, {1, 1}}, space) == gang_loss{});  // nothing was taken
  // weighed by what is left: one wide gang, three narrow ones
  CHECK(mix.fitting(0) == 1);
  CHECK(mix.fitting(1) == 3);
  mix.reweigh(0, 60);
  mix.reweigh(1, 20);
  CHECK(mix.weight() == 80);
  CHECK(mix.fitting() == 60 * 1 + 20 * 3);
  CHECK(mix.fitting(0) == 1);
  CHECK(cost(1) == gang_loss{60 + 20, 60 * 500 + 20 * 250});
  CHECK(cost(4) == gang_loss{0, 20 * 250});
  mix.reweigh(1, 0);
  CHECK(cost(4) == gang_loss{});
}

TEST_CASE("anywhere, a node, and a refused node are domains of their own kind", "[scoring]") {
  muster_test::scene<one> s{muster::nested_levels(1)};
  s.node(1, {8}, {1});
  s.node(2, {8});  // in no rack
  s.node(3, {4}, {1});
  const shapes_of<one> shapes{
      {{2}, 3, muster::node_level, 1}, {{2}, 3, muster::no_level, 100}, {{2}, 3, rack, 10'000}};
  muster::gang_mix<one> mix{std::span{shapes}};
  mix.rebuild(s.view());
  // nodes 4, 4 and 2 slots: 1 + 1 + 0 gangs; 10 anywhere: 3; 6 in the rack: 2
  CHECK(mix.fitting() == 2 + 300 + 20'000);
  CHECK(mix.fitting(0) == 2);  // the mix keeps coarse levels first
  CHECK(mix.fitting(1) == 3);
  CHECK(mix.fitting(2) == 2);
  mix.reweigh(0, 7);
  CHECK(mix.fitting() == 7 * 2 + 300 + 20'000);
  mix.reweigh(0, 1);
  const auto refuses_small = [](const one::capacity_type& has, std::size_t shape) { return shape != 2 || has[0] > 4; };
  muster::gang_mix<one, decltype(refuses_small)> picky{std::span{shapes}, refuses_small};
  picky.rebuild(s.view());
  CHECK(picky.fitting() == 2 + 300 + 10'000);
  s.say(muster::node_closed{muster::node_id{2}});
  const auto view = s.view();
  mix.update(view, view.find(muster::node_id{2}).value());
  CHECK(mix.fitting() == 1 + 200 + 20'000);
}

TEST_CASE("what a node may hold of pods bounds its slots", "[scoring]") {
  muster_test::scene<two> s;
  s.node(1, {muster::max_amount, 1});
  const shapes_of<two> shapes{{{0, 0}, 1, muster::no_level, 1}};
  muster::gang_mix<two> mix{std::span{shapes}};
  mix.rebuild(s.view());
  CHECK(mix.slots(0)[0] == muster::max_pods_per_node);
  s.filler(90, 1, {1, 0});
  mix.update(s.view(), 0);
  CHECK(mix.slots(0)[0] == muster::max_pods_per_node - 1);
}

TEST_CASE("faulty mixes are named", "[scoring]") {
  const auto levels = muster::nested_levels(2);
  const auto check = [&](const shapes_of<two>& shapes) {
    return muster::check_shapes<two>(std::span{shapes}, levels);
  };
  CHECK(check({}) == shape_fault::none);
  CHECK(check({{{1, 1}, 8, topology_level{1}, 1}, {{1, 1}, 8, muster::node_level, 0}}) == shape_fault::none);
  CHECK(check({{{1, -1}, 8, rack, 1}}) == shape_fault::request);
  CHECK(check({{{1, 1}, 8, rack, -1}}) == shape_fault::weight);
  CHECK(check({{{1, 1}, 8, rack, muster::max_shape_weight + 1}}) == shape_fault::weight);
  CHECK(check({{{1, 1}, 0, rack, 1}}) == shape_fault::pods);
  CHECK(check({{{1, 1}, muster::max_pods_per_group + 1, rack, 1}}) == shape_fault::pods);
  CHECK(check({{{1, 1}, 8, topology_level{2}, 1}}) == shape_fault::level);
  CHECK(check({{{1, 1}, 8, rack, 0}}) == shape_fault::no_weight);
  CHECK(check(shapes_of<two>(muster::max_shapes + 1, {{1, 1}, 8, rack, 1})) == shape_fault::too_many);
}

TEST_CASE("nothing known, nothing is lost", "[scoring]") {
  muster_test::scene<one> s;
  s.node(1, {8});
  muster::gang_mix<one> mix{std::span<const muster::gang_shape<one>>{}};
  mix.rebuild(s.view());
  muster::seat_space space;
  muster::overlay<one> on{s.view()};
  on.charge(0, {8}, 1);
  CHECK(mix.lost(on, std::vector<seat>{{0, 1}}, space) == gang_loss{});
  CHECK(mix.fitting() == 0);
}

TEST_CASE("losses and counts kept in step are those of counting all nodes afresh", "[scoring]") {
  muster_test::generator rng{"gangs lost"};
  for (int round = 0; round < muster_test::rounds(150); ++round) {
    muster::topology levels = muster::nested_levels(static_cast<std::size_t>(rng.below(3)));
    for (auto& level : levels.levels) level.merge_equal_names = rng.chance(20);
    muster_test::scene<two> s{levels};
    const auto nodes = static_cast<std::uint64_t>(rng.between(1, 10));
    for (std::uint64_t n = 1; n <= nodes; ++n) {
      muster::node_spec<two> spec{muster::node_id{n}, {}, {rng.between(0, 8), 0}, {}};
      spec.capacity[1] = rng.between(1, 16);
      for (auto labels = rng.below(levels.size() + 1); labels > 0; --labels)
        spec.labels.push_back(muster::label_id{1 + rng.below(2)});
      s.say(muster::node_seen<two>{spec});
    }
    shapes_of<two> shapes;
    for (auto some = rng.between(1, 5); some > 0; --some) {
      muster::gang_shape<two> shape;
      shape.request = {rng.between(0, 4), 0};
      shape.request[1] = rng.between(1, 4);
      shape.pods = rng.between(1, 6);
      const auto level = rng.below(levels.size() + 2);
      shape.level = level < levels.size()    ? static_cast<topology_level>(level)
                    : level == levels.size() ? muster::no_level
                                             : muster::node_level;
      shape.weight = rng.between(0, 9);
      shapes.push_back(shape);
    }
    muster::gang_mix<two> mix{std::span{shapes}};
    mix.rebuild(s.view());
    muster::seat_space space;
    for (std::uint64_t step = 1; step < 6; ++step) {
      const auto view = s.view();
      REQUIRE(mix.fitting() == fitting_by_hand<two>(view, shapes).gangs);
      // several pods at once, some nodes twice; some of what runs is given back
      muster::overlay<two> on{view};
      std::vector<seat> seats;
      for (auto some = rng.between(1, 4); some > 0; --some) {
        const auto p = static_cast<std::uint32_t>(rng.below(nodes));
        seats.push_back({p, 1});
        if (rng.chance(20)) on.release(p, {1, 1}, 0);
        else on.charge(p, {rng.between(0, 2), 1}, 1);
      }
      const gang_loss loss = mix.lost(on, seats, space);
      const counted before = fitting_by_hand<two>(view, shapes), after = fitting_by_hand<two>(on, shapes);
      REQUIRE(loss.gangs == before.gangs - after.gangs);
      const std::int64_t rounding = 60 * loss.thousandths - (before.sixtieths - after.sixtieths);
      REQUIRE(std::abs(rounding) < 60 * (1 + before.domains + after.domains));
      std::reverse(seats.begin(), seats.end());
      REQUIRE(mix.lost(on, seats, space) == loss);
      // and the cluster goes on
      const std::uint64_t node = 1 + rng.below(nodes);
      if (rng.chance(20)) s.say(muster::node_closed{muster::node_id{node}});
      else s.filler(1000 + step, node, {rng.between(0, 2), 1});
      const auto later = s.view();
      mix.update(later, later.find(muster::node_id{node}).value());
    }
  }
}

TEST_CASE("shares of devices are slots, too", "[scoring]") {
  using gpus = muster::devices<4>;
  muster_test::scene<gpus> s;
  s.node(1, {.count = 4});
  s.node(2, {.count = 2});
  const shapes_of<gpus> shapes{{{.share = 400}, 3, muster::no_level, 1}, {{.whole = 2}, 1, muster::no_level, 1}};
  muster::gang_mix<gpus> mix{std::span{shapes}};
  const auto view = s.view();
  mix.rebuild(view);
  CHECK(mix.fitting() == 12 / 3 + 3);
  muster::overlay<gpus> on{view};
  gpus::grant_type grant;
  REQUIRE(on.take(1, {.share = 300}, 1, grant) == 1);
  muster::seat_space space;
  // node 2 keeps one whole GPU and 700: 3 slots of 4 for the share, none for a pair
  CHECK(mix.lost(on, std::vector<seat>{{1, 1}}, space) == gang_loss{4 - 11 / 3 + 1, 1000 / 3 + 1000});
}

TEST_CASE("a second question with the same memory allocates nothing", "[scoring]") {
  muster_test::scene<one> s{muster::nested_levels(1)};
  for (std::uint64_t n = 1; n <= 4; ++n) s.node(n, {8}, {n / 2});
  const shapes_of<one> shapes{{{8}, 2, rack, 10}, {{2}, 4, muster::no_level, 3}};
  muster::gang_mix<one> mix{std::span{shapes}};
  const auto view = s.view();
  mix.rebuild(view);
  muster::overlay<one> on{view};
  on.charge(2, {3}, 1);
  const std::vector<seat> seats{{2, 1}, {0, 1}};
  muster::seat_space space;
  const gang_loss first = mix.lost(on, seats, space);
  const muster_test::allocation_watch watch;
  const gang_loss second = mix.lost(on, seats, space);
  mix.update(view, 2);
  const auto calls = watch.calls();
  CHECK(calls == 0);
  CHECK(first == second);
}
