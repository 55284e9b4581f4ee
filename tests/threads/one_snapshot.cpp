// SPDX-License-Identifier: BSL-1.0
// Threads share one snapshot, each with its own workspace or overlay, and all get equal answers. ThreadSanitizer
// watches.
#include <muster/placement/place.hpp>
#include <muster/quorum/gate.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/scene.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace {

using two = muster::resource_vector<2>;
using scene = muster_test::scene<two>;

/// Everything a thread learnt, in an order of its own making.
using lesson = std::vector<std::uint64_t>;

void note(lesson& to, const muster::placement_answer<two>& answer) {
  to.push_back(static_cast<std::uint64_t>(answer.verdict));
  to.push_back(static_cast<std::uint64_t>(answer.placed));
  to.push_back(static_cast<std::uint64_t>(answer.lack.seated));
  for (const auto& seat : answer.seats) {
    to.push_back(number(seat.node));
    to.push_back(static_cast<std::uint64_t>(seat.count));
  }
}

lesson ask_everything(const muster::snapshot<two>& view, const std::vector<muster::pod_group<two>>& groups) {
  lesson learnt;
  muster::workspace<two> space;
  muster::overlay<two> on{view};
  for (const auto& group : groups) {
    learnt.push_back(gate(view, group.id).open() ? 1U : 0U);
    note(learnt, place(view, group, space));
    note(learnt, place(view, group.id, space));
    if (place(on, group, space).fits()) take_seats(on, space.answer);
    note(learnt, space.answer);
  }
  return learnt;
}

}  // namespace

TEST_CASE("threads that share a snapshot get equal answers", "[threads]") {
  scene s{muster::nested_levels(1)};
  for (std::uint64_t n = 0; n < 60; ++n) s.node(n * 31, {8, 64}, {1 + n % 5});
  for (std::uint64_t n = 0; n < 60; n += 2) s.filler(1000 + n, n * 31, {static_cast<muster::amount>(1 + n % 7), 8});
  s.leave(1002);
  s.say(muster::node_closed{muster::node_id{31}});
  std::vector<muster::pod_group<two>> groups;
  for (std::uint64_t g = 1; g <= 8; ++g) {
    auto group = scene::gang(g, static_cast<muster::pod_count>(4 * g), {static_cast<muster::amount>(1 + g % 4), 4});
    if (g % 2 == 0) group.required = muster::topology_level{0};
    if (g % 3 == 0) group.pod_sets.push_back({{1, 16}, 3, 1});
    if (g == 5) group.pod_sets[0].count = 900;
    s.group(group);
    s.pods(5000 + 100 * g, static_cast<muster::pod_count>(g), group);
    groups.push_back(group);
  }
  s.say(muster::set_aside<two>{muster::set_aside_id{1}, muster::group_id{2}, 0, muster::node_id{62}, 1, {2, 4}});

  const auto view = s.view();
  const lesson expected = ask_everything(view, groups);
  std::array<lesson, 4> learnt;
  std::vector<std::thread> threads;
  for (lesson& of : learnt)
    threads.emplace_back([&view, &groups, &of] {
      for (int again = 0; again < 3; ++again) of = ask_everything(view, groups);
    });
  for (std::thread& one : threads) one.join();
  CHECK(expected.size() > 100);
  for (const lesson& of : learnt) CHECK((of == expected));
}
