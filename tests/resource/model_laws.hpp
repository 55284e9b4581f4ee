// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_RESOURCE_MODEL_LAWS_HPP
#define MUSTER_TESTS_RESOURCE_MODEL_LAWS_HPP

/// \file
/// The laws of muster/resource/model.hpp as functions over any model.
///
/// A test brings a `source`: `capacity(rng)`, `request(rng)` and `more(rng, capacity)` (a capacity that lacks nothing the
/// first has). Every law is checked on states reached by random grants, on sick devices too where the model has some.

#include "support/catch.hpp"
#include "support/generator.hpp"

#include <muster/resource/model.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace model_laws {

using muster::amount;
using muster::pod_count;
using muster_test::generator;

template <class M>
struct holding {
  typename M::request_type request;
  typename M::grant_type grant;
  pod_count pods = 0;
};

template <class M>
using holdings = std::vector<holding<M>>;

/// No node of a test holds more pods than this, so that counting one by one ends.
inline constexpr pod_count plenty = 200;

/// Takes room for pods of random requests, so that the state is one a cluster may be in.
template <class M, class Source>
holdings<M> fill(typename M::state_type& state, Source& source, generator& rng) {
  holdings<M> taken;
  for (auto tries = rng.below(8); tries > 0; --tries) {
    holding<M> one{source.request(rng), {}, 0};
    one.pods = M::allocate(state, one.request, rng.between(1, 3), one.grant);
    if (one.pods > 0) taken.push_back(one);
  }
  return taken;
}

template <class M>
void make_sick(typename M::state_type& state, generator& rng) {
  if constexpr (muster::model_with_devices<M>) {
    while (rng.chance(30)) M::set_health(state, static_cast<std::uint32_t>(rng.below(M::device_room)), false);
  }
}

template <class M>
void release_all(typename M::state_type& state, holdings<M> taken, generator& rng) {
  rng.shuffle(taken);
  for (const auto& one : taken) M::release(state, one.grant);
}

/// How many pods fit when they are taken one at a time.
template <class M>
pod_count one_by_one(typename M::state_type state, const typename M::request_type& request) {
  typename M::grant_type grant;
  pod_count count = 0;
  while (count < plenty && M::allocate(state, request, 1, grant) == 1) ++count;
  return count;
}

/// `fits` and every form of `count_fitting` agree with taking pods one at a time; the limit is kept.
template <class M>
void counting_is_exact(const typename M::state_type& state, const typename M::request_type& request, generator& rng) {
  const pod_count exact = one_by_one<M>(state, request);
  CHECK(M::count_fitting(state, request, plenty) == exact);
  CHECK(M::fits(state, request) == (exact > 0));
  CHECK(M::count_fitting(state, request, 1) == (exact > 0 ? 1 : 0));
  const pod_count limit = rng.between(0, exact < plenty ? exact + 2 : plenty);
  const pod_count limited = limit < exact ? limit : exact;
  CHECK(M::count_fitting(state, request, limit) == limited);
  CHECK(M::count_fitting(state, muster::prepare<M>(request), limit) == limited);
}

/// Taken in lumps of any size, all that count are taken, never more than asked, and nothing after.
template <class M>
void allocation_never_falls_short(typename M::state_type state, const typename M::request_type& request, generator& rng) {
  const pod_count exact = M::count_fitting(state, request, plenty);
  pod_count covered = 0;
  while (covered < exact) {
    const pod_count limit = rng.between(1, exact - covered);
    typename M::grant_type grant;
    const pod_count got = M::allocate(state, request, limit, grant);
    REQUIRE(got >= 1);
    REQUIRE(got <= limit);
    covered += got;
    if (exact < plenty) CHECK(M::count_fitting(state, request, plenty) == exact - covered);
  }
  if (exact < plenty) {
    const auto full = state;
    typename M::grant_type grant;
    CHECK(M::allocate(state, request, 1, grant) == 0);
    CHECK(state == full);
  }
}

/// Whatever was taken, by whichever way, and is given back in any order leaves the state as it was.
template <class M, class Source>
void release_undoes(typename M::state_type state, Source& source, generator& rng) {
  const auto before = state;
  auto taken = fill<M>(state, source, rng);
  for (auto overcommitted = rng.below(4); overcommitted > 0; --overcommitted) {
    const auto request = source.request(rng);
    taken.push_back({request, M::force(state, request), 1});
  }
  if (!taken.empty()) {  // a host may tell a grant twice over: two pods on one share
    const auto again = taken[static_cast<std::size_t>(rng.below(taken.size()))];
    M::charge(state, again.grant);
    taken.push_back(again);
  }
  release_all<M>(state, taken, rng);
  CHECK(state == before);
}

/// `force` gives what `allocate` gives where one more fits.
template <class M>
void force_prefers_room(typename M::state_type state, const typename M::request_type& request) {
  if (!M::fits(state, request)) return;
  auto twin = state;
  typename M::grant_type grant;
  REQUIRE(M::allocate(twin, request, 1, grant) == 1);
  CHECK(M::force(state, request) == grant);
  CHECK(state == twin);
}

/// The parts of a grant, charged one by one to the empty node, are the grant: disjoint and complete.
template <class M>
void parts_add_up(typename M::state_type state, const typename M::request_type& request, generator& rng) {
  auto apart = state;
  typename M::grant_type grant;
  const pod_count pods = M::allocate(state, request, rng.between(1, 5), grant);
  std::vector<typename M::grant_type> parts;
  for (pod_count i = 0; i < pods; ++i) parts.push_back(M::part(grant, request, i));
  rng.shuffle(parts);
  for (const auto& part : parts) M::charge(apart, part);
  CHECK(apart == state);
  // Each part is worth exactly one pod of the request: given back alone, one more fits than before.
  if (pods > 0 && M::count_fitting(state, request, plenty) + 1 < plenty) {
    const pod_count before = M::count_fitting(state, request, plenty);
    M::release(state, parts.front());
    CHECK(M::count_fitting(state, request, plenty) == before + 1);
  }
}

/// What `allocate` and `part` give may be charged and covers its pods, and no other number of them.
template <class M>
void grants_are_recognised(typename M::state_type state, const typename M::request_type& request, generator& rng) {
  const auto before = state;
  typename M::grant_type grant;
  const pod_count pods = M::allocate(state, request, rng.between(1, 5), grant);
  if (pods == 0) return;
  const bool asks_something = !(state == before);
  CHECK(M::may_charge(before, grant));
  for (const auto& where : {before, state}) {
    CHECK(M::covers(where, grant, request, pods));
    CHECK(M::covers(where, grant, request, pods + 1) != asks_something);
    CHECK(M::covers(where, grant, request, pods - 1) == (!asks_something && pods > 1));
    CHECK_FALSE(M::covers(where, grant, request, 0));
    CHECK_FALSE(M::covers(where, grant, request, -pods));
  }
  auto apart = before;
  for (pod_count i = 0; i < pods; ++i) {
    const auto part = M::part(grant, request, i);
    CHECK(M::covers(apart, part, request, 1));
    CHECK(M::may_charge(apart, part));
    M::charge(apart, part);
  }
}

/// Grants from anywhere (others' on the node, of a node that is empty, larger or forced): what may be charged and covers n
/// pods shows that n fit, and what may not be charged may not be after more was.
template <class M>
void no_grant_is_taken_too_often(const typename M::state_type& state, const typename M::state_type& elsewhere,
                                 const holdings<M>& taken, const typename M::request_type& request, generator& rng) {
  std::vector<holding<M>> offered = taken;
  for (auto other : {state, elsewhere}) offered.push_back({request, M::force(other, request), 1});
  for (auto other : {state, elsewhere}) {
    holding<M> several{request, {}, 0};
    several.pods = M::allocate(other, request, rng.between(1, 4), several.grant);
    if (several.pods > 0) offered.push_back(several);
  }
  for (const auto& one : offered) {
    auto trial = state;
    pod_count times = 0;
    while (times < plenty && M::may_charge(trial, one.grant)) {
      const auto room = trial;
      M::charge(trial, one.grant);
      for (const pod_count pods : {pod_count{1}, one.pods, one.pods + 1})
        if (M::covers(room, one.grant, request, pods)) CHECK(M::count_fitting(room, request, pods) == pods);
      ++times;
      if (trial == room) break;
    }
    if (trial == state) continue;
    auto back = trial;  // charged as often as may be: not once more
    if (times < plenty) {
      CHECK_FALSE(M::may_charge(trial, one.grant));
      M::charge(back, one.grant);
      CHECK_FALSE(M::may_charge(back, one.grant));
    }
  }
}

/// What a model shows as its dimensions is necessary for a pod to fit.
template <class M>
void dimensions_are_necessary(const typename M::state_type& state, const typename M::request_type& request) {
  if constexpr (muster::dimensional_model<M>) {
    if (const amount needed = M::amount_needed(request, 0); muster::leading_decides<M>(request) && needed > 0)
      CHECK(M::count_fitting(state, request, plenty) ==
            std::min<amount>(plenty, std::max<amount>(0, M::amount_left(state, 0)) / needed));
    if (!M::fits(state, request)) return;
    for (std::size_t d = 0; d < M::dimensions; ++d) {
      const amount needed = M::amount_needed(request, d);
      if (needed > 0) CHECK(M::amount_left(state, d) >= needed);
    }
  }
}

/// The same pods on a node with more capacity leave at least as much room.
template <class M>
void capacity_never_hurts(const typename M::state_type& less, const typename M::state_type& more,
                          const typename M::request_type& request) {
  CHECK(M::count_fitting(more, request, plenty) >= M::count_fitting(less, request, plenty));
}

template <class M, class Source>
void hold(const char* name, Source source, int usual_rounds = 400) {
  generator rng{name};
  for (int round = muster_test::rounds(usual_rounds); round > 0; --round) {
    CAPTURE(name, rng.seed(), round);
    const auto capacity = source.capacity(rng);
    REQUIRE(M::check_capacity(capacity) == muster::amount_fault::none);
    auto state = M::empty_node(capacity);
    make_sick<M>(state, rng);
    const auto empty = state;
    const auto taken = fill<M>(state, source, rng);
    for (const auto& one : taken) CHECK(muster::check_grant<M>(one.grant) == muster::amount_fault::none);
    const auto request = source.request(rng);
    REQUIRE(M::check_request(request) == muster::amount_fault::none);

    counting_is_exact<M>(state, request, rng);
    allocation_never_falls_short<M>(state, request, rng);
    release_undoes<M>(state, source, rng);
    force_prefers_room<M>(state, request);
    parts_add_up<M>(state, request, rng);
    dimensions_are_necessary<M>(state, request);
    grants_are_recognised<M>(state, request, rng);
    no_grant_is_taken_too_often<M>(state, empty, taken, request, rng);
    no_grant_is_taken_too_often<M>(state, M::empty_node(source.more(rng, capacity)), taken, request, rng);

    // On a larger node, the same grants.
    auto larger = M::empty_node(source.more(rng, capacity));
    for (const auto& one : taken) M::charge(larger, one.grant);
    auto well = M::empty_node(capacity);
    for (const auto& one : taken) M::charge(well, one.grant);
    capacity_never_hurts<M>(well, larger, request);
    capacity_never_hurts<M>(state, well, request);  // a device that is well again is capacity too

    release_all<M>(state, taken, rng);
    CHECK(state == empty);
  }
}

}  // namespace model_laws

#endif
