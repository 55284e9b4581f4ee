// SPDX-License-Identifier: BSL-1.0
// A scorer may say anything, NaN and infinities included: it chooses among the placements there are, no more.
#include <muster/core/hash.hpp>
#include <muster/placement/place.hpp>
#include <muster/placement/verify.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/generator.hpp"
#include "support/scene.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace {

using two = muster::resource_vector<2>;
using scene = muster_test::scene<two>;

// Without sense, but a function of its arguments.
template <class Number>
struct wild_scorer {
  Number operator()(const two::state_type& left, const two::capacity_type&, const two::request_type& asks) const {
    using limits = std::numeric_limits<Number>;
    const std::uint64_t bits = muster::hasher{}.add(left[0]).add(left[1]).add(asks[0]).value();
    switch (bits % 8) {
      case 0: return limits::quiet_NaN();
      case 1: return limits::infinity();
      case 2: return -limits::infinity();
      case 3: return limits::lowest();
      case 4: return limits::max();
      default: return static_cast<Number>(bits % 1000) / 7;
    }
  }
};

template <class Scorer>
using by = muster::place_options<muster::everywhere, Scorer>;

scene random_cluster(muster_test::generator& rng) {
  scene s{muster::nested_levels(1)};
  const auto nodes = rng.between(1, 12);
  for (std::int64_t n = 1; n <= nodes; ++n) {
    const auto gpus = rng.between(0, 6), cores = rng.between(1, 12);
    s.node(static_cast<std::uint64_t>(n), {gpus, cores}, {1 + rng.below(3)});
  }
  return s;
}

muster::pod_group<two> random_gang(muster_test::generator& rng) {
  const auto pods = rng.between(1, 10), gpus = rng.between(0, 2), cores = rng.between(1, 3);
  auto gang = scene::gang(1, pods, {gpus, cores});
  if (rng.chance(40)) {
    const auto more = rng.between(1, 4), wide = rng.between(0, 3);
    gang.pod_sets.push_back({{wide, 1}, more, 0});
  }
  if (rng.chance(30)) gang.min_count = rng.between(1, declared_pods(gang));
  if (rng.chance(60)) gang.required = muster::topology_level{0};
  if (rng.chance(20)) gang.limits.push_back({muster::node_level, rng.between(1, 3)});
  return gang;
}

bool same_seats(const muster::placement_answer<two>& a, const muster::placement_answer<two>& b) {
  return std::equal(a.seats.begin(), a.seats.end(), b.seats.begin(), b.seats.end(), [](const auto& x, const auto& y) {
    return x.node == y.node && x.pod_set == y.pod_set && x.count == y.count && x.grant == y.grant;
  });
}

template <class Number>
void ask(const char* name) {
  muster_test::generator rng{name};
  int fitting = 0;
  for (int round = 0; round < muster_test::rounds(400); ++round) {
    scene s = random_cluster(rng);
    const auto gang = random_gang(rng);
    const auto view = s.view();
    const auto plain = place(view, gang);
    const auto wild = place(view, gang, by<wild_scorer<Number>>{});
    REQUIRE(wild.verdict == plain.verdict);
    if (!wild.fits()) continue;
    ++fitting;
    REQUIRE(verify(view, gang, wild.seats).holds());
    REQUIRE(wild.placed >= gang.min_count.value_or(declared_pods(gang)));
    REQUIRE(same_seats(place(view, gang, by<wild_scorer<Number>>{}), wild));
  }
  REQUIRE(fitting > 50);
}

struct not_the_first {
  float operator()(const two::state_type&, const two::capacity_type& has, const two::request_type&) const {
    return has[0] == 8 ? std::numeric_limits<float>::quiet_NaN() : -std::numeric_limits<float>::max();
  }
};
struct half_or_more {
  double operator()(const two::state_type&, const two::capacity_type& has, const two::request_type&) const {
    return has[0] == 8 ? 0.5 : 0.75;
  }
};

struct better_once_used {
  double operator()(const two::state_type& left, const two::capacity_type& has, const two::request_type&) const {
    return has[0] == 4 ? 0.6 : left[0] == 8 ? 0.7 : 0.75;
  }
};

}  // namespace

TEST_CASE("a scorer that returns NaN and infinities never turns a yes into a no, nor moves twice", "[property]") {
  ask<double>("wild doubles");
  ask<float>("wild floats");
}

TEST_CASE("NaN is no better than the lowest number, and fractions count", "[property]") {
  scene s;
  s.node(1, {8, 8});
  s.node(2, {4, 8});
  const auto gang = scene::gang(1, 1, {1, 1});
  // both are the lowest score there is: the first node in order
  CHECK(muster_test::on(place(s.view(), gang, by<not_the_first>{}), 1) == 1);
  CHECK(muster_test::on(place(s.view(), gang, by<half_or_more>{}), 2) == 1);
  // also when it is asked again after a pod
  CHECK(muster_test::on(place(s.view(), scene::gang(1, 2, {1, 1}), by<better_once_used>{}), 1) == 2);
}
