// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/candidate_scores.hpp>
#include <muster/placement/candidates.hpp>
#include <muster/placement/preferred.hpp>
#include <muster/placement/verify.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/generator.hpp"
#include "support/scene.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

using cores = muster::resource_vector<1>;
using scene = muster_test::scene<cores>;
using muster::duration;
using muster::no_level;
using muster::place_preferred;
using muster::preference_fault;
using muster::preferred_step;
using muster::topology_level;
using muster::verdict;

constexpr topology_level zone{0}, block{1}, rack{2};
const std::vector<preferred_step> near_first{{rack, {}}, {block, {}}, {zone, {}}, {no_level, {}}};

/// Two zones of two blocks of two racks of two nodes of two cores: 16 nodes, node 1 in rack 1 of block 1 of zone 1.
struct hall : scene {
  hall() : scene{muster::nested_levels(3)} {
    std::uint64_t id = 0;
    for (std::uint64_t z = 1; z <= 2; ++z)
      for (std::uint64_t b = 1; b <= 2; ++b)
        for (std::uint64_t r = 1; r <= 2; ++r)
          for (int n = 0; n < 2; ++n) node(++id, {2}, {z, b, r});
  }
  muster::preferred_answer ask(const muster::pod_group<cores>& gang, const std::vector<preferred_step>& steps,
                               duration waited = {}) {
    return place_preferred(view(), gang, steps, waited, space, list);
  }
  muster::workspace<cores> space;
  muster::candidate_list list;
};

}  // namespace

TEST_CASE("a gang sits at the narrowest level that holds it", "[placement]") {
  hall s;
  const std::array<std::size_t, 5> step{0, 1, 1, 2, 3};  // of 4, 5, 8, 16 and 17 pods
  const std::array<muster::pod_count, 5> pods{4, 5, 8, 16, 17};
  for (std::size_t i = 0; i < pods.size(); ++i) {
    const auto made = s.ask(scene::gang(1, pods[i], {1}), near_first);
    REQUIRE(made.fits());
    CHECK(made.step == step[i]);
    CHECK(s.space.answer.placed == pods[i]);
    CHECK((made.domain.level == near_first[step[i]].level));
    CHECK(!made.next);
  }
  const auto none = s.ask(scene::gang(1, 33, {1}), near_first);
  CHECK(none.choice.verdict == verdict::never);
  CHECK(none.step == 3);
  CHECK(s.space.answer.lack.seated == 32);
}

TEST_CASE("a list that does not end anywhere refuses where its last level does", "[placement]") {
  hall s;
  const auto made = s.ask(scene::gang(1, 9, {1}), {{rack, {}}, {block, {}}});
  CHECK(made.choice.verdict == verdict::never);
  CHECK(made.step == 1);
  CHECK(!made.next);
}

TEST_CASE("a wider level is taken only after the waiting it asks for", "[placement]") {
  hall s;
  const std::vector<preferred_step> steps{{rack, {}}, {block, duration{30}}, {no_level, duration{300}}};
  const auto gang = scene::gang(1, 6, {1});
  auto made = s.ask(gang, steps);
  CHECK(made.choice.verdict == verdict::never);  // in a rack
  CHECK(made.step == 0);
  CHECK(made.next == duration{30});
  CHECK(!s.ask(gang, steps, duration{29}).fits());
  made = s.ask(gang, steps, duration{30});
  REQUIRE(made.fits());
  CHECK(made.step == 1);
  CHECK(!made.next);
  made = s.ask(scene::gang(1, 9, {1}), steps, duration{299});
  CHECK(made.next == duration{300});
  CHECK(s.ask(scene::gang(1, 9, {1}), steps, duration{300}).fits());
  const std::vector<preferred_step> later{{rack, duration{5}}};
  made = s.ask(gang, later);
  CHECK(made.choice.verdict == verdict::hold);
  CHECK(made.step == muster::no_step);
  CHECK(made.next == duration{5});
}

TEST_CASE("what the group requires holds at every step", "[placement]") {
  hall s;
  auto gang = scene::gang(1, 9, {1});
  gang.required = block;
  const auto made = s.ask(gang, near_first);
  CHECK(!made.fits());
  gang.pod_sets[0].count = 8;
  const auto eight = s.ask(gang, {{rack, {}}, {no_level, {}}});
  REQUIRE(eight.fits());
  CHECK(eight.step == 1);
  CHECK((s.space.answer.domain.level == block));
}

TEST_CASE("a level that members that run do not share is passed over", "[placement]") {
  hall s;
  const auto gang = scene::gang(1, 6, {1});
  s.group(gang);
  s.pods(100, 6, gang);
  s.bind(100, 1);
  s.bind(101, 3);  // another rack of the same block
  auto made = place_preferred(s.view(), gang.id, near_first, duration{}, s.space, s.list);
  REQUIRE(made.fits());
  CHECK(made.step == 1);
  CHECK(made.domain == muster::domain_path{block, {muster::label_id{1}, muster::label_id{1}}});
  CHECK(made.passed_over.fault == muster::candidate_fault::domains_differ);
  const std::vector<preferred_step> rack_only{{rack, {}}};
  made = place_preferred(s.view(), gang.id, rack_only, duration{}, s.space, s.list);
  CHECK(made.choice.verdict == verdict::invalid);
  CHECK(made.passed_over.pod == muster::pod_id{101});
  made = place_preferred(s.view(), muster::group_id{9}, near_first, duration{}, s.space, s.list);
  CHECK(made.choice.verdict == verdict::hold);
}

TEST_CASE("of the domains of a level judgements choose", "[placement]") {
  hall s;
  s.filler(90, 5, {1});  // rack 1 of block 2
  const muster::judgements<muster::resource_fit<cores>> fullest{};
  const auto made = place_preferred(s.view(), scene::gang(1, 3, {1}), near_first, duration{}, s.space, s.list,
                                    muster::place_options<>{}, fullest);
  REQUIRE(made.fits());
  CHECK(made.domain == muster::domain_path{rack, {muster::label_id{1}, muster::label_id{2}, muster::label_id{1}}});
}

TEST_CASE("faulty steps are named", "[placement]") {
  hall s;
  const auto gang = scene::gang(1, 1, {1});
  const auto fault = [&](const std::vector<preferred_step>& steps) { return s.ask(gang, steps); };
  CHECK(fault({}).fault == preference_fault::no_steps);
  CHECK(fault({{rack, {}}, {topology_level{7}, {}}}).fault == preference_fault::unknown_level);
  CHECK(fault({{rack, {}}, {topology_level{7}, {}}}).step == 1);
  CHECK(fault({{block, {}}, {rack, {}}}).fault == preference_fault::not_wider);
  CHECK(fault({{no_level, {}}, {rack, {}}}).fault == preference_fault::not_wider);
  CHECK(fault({{rack, {}}, {rack, {}}}).fault == preference_fault::not_wider);
  CHECK(fault({{rack, {}}, {muster::node_level, {}}}).fault == preference_fault::not_wider);
  CHECK(fault({{muster::node_level, {}}, {rack, {}}}).fault == preference_fault::none);
  CHECK(fault({{rack, duration{2}}, {block, duration{1}}}).fault == preference_fault::opens_too_soon);
  CHECK(fault({{rack, duration{-1}}}).fault == preference_fault::opens_too_soon);
  for (const auto each : {preference_fault::none, preference_fault::no_steps, preference_fault::unknown_level,
                          preference_fault::not_wider, preference_fault::opens_too_soon})
    CHECK(name(each) != "?");
}

TEST_CASE("the step taken is the first at which a domain holds the gang", "[placement]") {
  muster_test::generator rng{8};
  std::array<int, 4> taken{};
  for (int round = 0; round < 150; ++round) {
    hall s;
    for (std::uint64_t n = 1; n <= 16; ++n)
      if (rng.between(0, 2) == 0) s.filler(100 + n, n, {rng.between(1, 2)});
    auto gang = scene::gang(1, rng.between(1, 9), {1});
    if (rng.between(0, 1) == 1) gang.pod_sets.push_back({{2}, rng.between(1, 4), 0});
    const auto made = s.ask(gang, near_first);
    std::size_t want = muster::no_step;
    for (std::size_t i = 0; i < near_first.size() && want == muster::no_step; ++i) {
      auto bound = gang;
      bound.required = near_first[i].level;
      if (place(s.view(), bound).fits()) want = i;
    }
    REQUIRE(made.fits() == (want != muster::no_step));
    if (!made.fits()) continue;
    CHECK(made.step == want);
    ++taken[want];
    auto bound = gang;
    bound.required = near_first[want].level;
    CHECK(verify(s.view(), bound, s.space.answer.seats).holds());
  }
  for (const int times : taken) CHECK(times > 3);
}

TEST_CASE("with nothing to place and no domain to place it in the first step is taken, and names none", "[placement]") {
  scene s{muster::nested_levels(3)};
  auto gang = scene::gang(1, 2, {1});
  gang.disruption = muster::disruption_mode::single;
  gang.min_count = 0;
  s.group(gang);
  muster::workspace<cores> space;
  muster::candidate_list list;
  const auto made = place_preferred(s.view(), gang.id, near_first, duration{}, space, list);
  CHECK(made.fits());
  CHECK(made.step == 0);
  CHECK(made.choice.candidate == muster::no_candidate);
  CHECK(made.domain.path.empty());
  CHECK(space.answer.placed == 0);
}
