// SPDX-License-Identifier: BSL-1.0
// Public fault reports of the kinds "topology" and "scoring/fragmentation" that a single placement decides, or a few in
// a row. Those on divisions (B83, B86, B89) are in tests/placement/divide_spread.cpp; eviction (B31) and backfill (B80)
// are for what is not built yet.
#include <muster/placement/candidate_scores.hpp>
#include <muster/placement/place.hpp>
#include <muster/placement/preferred.hpp>
#include <muster/placement/verify_certificate.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/scene.hpp"

#include <cstdint>

namespace {
using one = muster::resource_vector<1>;
using two = muster::resource_vector<2>;
using muster::label_id;
using muster::topology_level;
using muster::verdict;
using muster_test::on;

constexpr topology_level spine{0}, rack{1}, only_level{0};
}  // namespace

TEST_CASE("B82 a hard limit by level holds, and an unknown level is a fault", "[reports]") {
  muster_test::scene<one> s{muster::nested_levels(2)};
  for (const std::uint64_t each : {1U, 2U, 3U}) s.node(each, {2}, {7, each});
  auto gang = s.gang(1, 2, {2});
  gang.required = rack;
  const auto in_rack = place(s.view(), gang);
  CHECK(in_rack.verdict == verdict::never);
  CHECK(in_rack.placed == 0);
  CHECK(verify(s.view(), gang, in_rack.proof).holds());
  gang.required = spine;
  const auto in_spine = place(s.view(), gang);
  REQUIRE(in_spine.fits());
  CHECK(in_spine.placed == 2);
  gang.required = topology_level{2};
  const auto nowhere = place(s.view(), gang);
  CHECK(nowhere.verdict == verdict::invalid);
  CHECK(nowhere.fault.fault == muster::group_fault::unknown_level);
}

TEST_CASE("B85 a member made anew joins its siblings' rack or waits", "[reports]") {
  for (const bool taken : {false, true}) {
    muster_test::scene<one> s{muster::nested_levels(1)};
    for (const std::uint64_t each : {1U, 2U}) s.node(each, {1}, {1});
    for (const std::uint64_t each : {3U, 4U, 5U}) s.node(each, {1}, {2});
    auto gang = s.gang(1, 2, {1});
    gang.required = only_level;
    s.group(gang);
    s.pods(10, 2, gang);
    s.bind(10, 1);
    s.bind(11, 2);
    s.end(11, muster::ending::lost);
    s.pod(12, gang);
    if (taken) s.filler(90, 2, {1});
    const auto answer = place(s.view(), gang.id);
    CHECK(answer.fits() == !taken);
    CHECK(on(answer, 2) == (taken ? 0 : 1));
    CHECK(answer.pending == (taken ? 1 : 0));
  }
}

TEST_CASE("B95 pods without GPUs leave the node that has them to pods that need them", "[reports]") {
  // GPUs, cores; the first dimension leads
  for (const muster::amount small : {8, 2}) {
    muster_test::scene<two> s;
    s.node(1, {4, 8});
    s.node(2, {0, small});
    auto gang = s.gang(1, 1, {1, 1});
    gang.pod_sets.push_back({{0, 1}, 4, 0});
    const auto answer = place(s.view(), gang);
    REQUIRE(answer.fits());
    CHECK(on(answer, 1, 0) == 1);
    CHECK(on(answer, 2, 1) == (small == 8 ? 4 : 2));
    CHECK(on(answer, 1, 1) == (small == 8 ? 0 : 2));
  }
}

TEST_CASE("B94 single pods go where a rack is broken already, and whole racks stay whole", "[reports]") {
  // the broken rack is the last one by its label: no order of names helps
  muster_test::scene<one> s{muster::nested_levels(1)};
  std::uint64_t id = 0;
  for (const std::uint64_t label : {2U, 3U, 9U})
    for (int n = 0; n < 4; ++n) s.node(++id, {1}, {label});
  s.filler(90, 9, {1});
  s.filler(91, 12, {1});
  const auto view = s.view();
  muster::overlay<one> on_top{view};
  muster::workspace<one> space;
  muster::candidate_list list;
  const muster::judgements<muster::resource_fit<one>> fullest{};
  const muster::preferred_step steps[] = {{only_level, {}}, {muster::no_level, {}}};
  for (std::uint64_t pod = 1; pod <= 2; ++pod) {
    const auto made = place_preferred(on_top, s.gang(pod, 1, {1}), steps, muster::duration{}, space, list,
                                      muster::place_options<>{}, fullest);
    REQUIRE(made.fits());
    CHECK(made.domain.path.back() == label_id{9});
    take_seats(on_top, space.answer);
  }
  for (std::uint64_t gang = 3; gang <= 4; ++gang) {
    auto four = s.gang(gang, 4, {1});
    four.required = only_level;
    const auto& answer = place(on_top, four, space);
    REQUIRE(answer.fits());
    CHECK(answer.domain.path.back() == label_id{gang - 1});  // racks 2 and 3
    take_seats(on_top, answer);
  }
}
