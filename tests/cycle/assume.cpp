// SPDX-License-Identifier: BSL-1.0
#include <muster/cycle/assume.hpp>

#include "support/catch.hpp"

#include <muster/cycle/schedule.hpp>
#include <muster/resource/devices.hpp>

#include <array>
#include <cstdint>
#include <map>

using namespace muster;
using eight = devices<8>;

TEST_CASE("every pod of a bind gets its own devices", "[cycle]") {
  cluster<eight> model;
  std::uint64_t last = 0;
  const auto say = [&](change_content<eight> what) { apply(model, change<eight>{revision{++last}, std::move(what)}); };
  for (std::uint64_t n = 1; n <= 2; ++n) say(node_seen<eight>{{node_id{n}, {}, {8, any_model, {}}, {}}});
  pod_group<eight> gang;
  gang.id = group_id{1};
  gang.disruption = disruption_mode::all;
  gang.pod_sets.push_back({{3, 0, any_model, false}, 4, 0});
  say(group_seen<eight>{gang});
  for (std::uint64_t p = 1; p <= 4; ++p) {
    pod_seen<eight> pod;
    pod.pod = pod_id{p};
    pod.group = gang.id;
    pod.request = gang.pod_sets[0].request;
    say(pod);
  }
  const std::array queue{gang.id};
  const plan<eight> made = schedule(model.view(), std::span{queue});
  REQUIRE(made.actions.front().kind == action_kind::bind);
  assume(model, made, made.actions.front(), revision{++last});
  const auto view = model.view();
  std::map<node_id, std::uint64_t> taken;
  for (std::uint64_t p = 1; p <= 4; ++p) {
    const pod_record<eight>* pod = view.pod(pod_id{p});
    REQUIRE(pod->charged);
    CHECK(pod->phase == phase::assumed);
    CHECK(std::popcount(pod->grant.on) == 3);
    const node_id node = view.node_of(*pod);
    CHECK((taken[node] & pod->grant.on) == 0);
    taken[node] |= pod->grant.on;
  }
  for (std::uint32_t position = 0; position < view.size(); ++position)
    CHECK(view.now(position).idle == (0xffU & ~taken[view.id(position)]));
}
