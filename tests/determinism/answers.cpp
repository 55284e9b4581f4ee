// SPDX-License-Identifier: BSL-1.0
// Prints a line for each of many seeded questions: verdict, numbers, seats, prices and steps. Built with several
// compilers and flags, it must print the same.
#include <muster/placement/place.hpp>
#include <muster/resource/devices.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/generator.hpp"
#include "support/scene.hpp"

#include <cstdint>
#include <cstdio>

namespace {

using muster_test::generator;
using eight = muster::devices<8>;
using three = muster::resource_vector<3>;

three::amounts request_of(generator& rng, three) { return {rng.between(0, 4), rng.between(1, 7), rng.between(1, 9)}; }
three::amounts capacity_of(generator& rng, three) {
  return {rng.between(0, 8), rng.between(4, 24), rng.between(4, 32)};
}
eight::request_type request_of(generator& rng, eight) {
  if (rng.chance(50)) return {.whole = static_cast<std::uint32_t>(rng.between(1, 3)), .one_link_group = rng.chance(40)};
  return {.share = static_cast<std::int32_t>(rng.between(1, 9) * 100)};
}
eight::capacity_type capacity_of(generator& rng, eight) {
  eight::capacity_type made{.count = static_cast<std::uint32_t>(rng.between(1, 6))};
  for (std::uint8_t d = 0; d < 8; ++d) made.link_group[d] = d / 3;
  return made;
}

template <class M>
void ask(generator& rng, int questions) {
  muster::workspace<M> space;
  for (int round = 0; round < questions; ++round) {
    muster_test::scene<M> s{muster::nested_levels(1)};
    const auto nodes = rng.between(3, 40);
    for (std::int64_t n = 0; n < nodes; ++n) {  // one draw a statement: the order of arguments is the compiler's
      const auto capacity = capacity_of(rng, M{});
      s.node(static_cast<std::uint64_t>(n), capacity, {1 + rng.below(3)});
    }
    const auto first = rng.between(1, 12);
    auto gang = s.gang(1, first, request_of(rng, M{}));
    for (auto sets = rng.between(1, 4); sets > 0; --sets)
      gang.pod_sets.push_back({request_of(rng, M{}), rng.between(1, 12), rng.between(0, 1)});
    if (rng.chance(40)) gang.min_count = rng.between(1, declared_pods(gang));
    if (rng.chance(25)) gang.required = muster::topology_level{0};
    if (rng.chance(25)) gang.limits.push_back({muster::node_level, rng.between(1, 3)});
    if (rng.chance(25)) gang.limits.push_back({muster::topology_level{0}, rng.between(1, 9)});
    const auto& answer = place(s.view(), gang, space, muster::place_options<>{.largest = rng.chance(50)});
    muster::hasher hash;
    for (const auto& seat : answer.seats) {
      hash.add(number(seat.node)).add(seat.pod_set).add(seat.count);
      M::add_to_hash(hash, seat.grant);
    }
    for (const auto& refusal : answer.proof.refusals)
      hash.add(static_cast<int>(refusal.kind)).add(refusal.held).add(refusal.asked);
    for (const auto price : answer.proof.prices) hash.add(price);
    std::printf("%d %d %lld %lld %lld %llu %016llx\n", static_cast<int>(answer.verdict),
                static_cast<int>(answer.reason), static_cast<long long>(answer.placed),
                static_cast<long long>(answer.lack.seated), static_cast<long long>(answer.lack.bound),
                static_cast<unsigned long long>(answer.steps), static_cast<unsigned long long>(hash.value()));
  }
}

}  // namespace

int main() {
  generator rng{std::uint64_t{20'261'129}};
  ask<three>(rng, 1500);
  ask<eight>(rng, 500);
  return 0;
}
