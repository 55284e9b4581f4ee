// SPDX-License-Identifier: BSL-1.0
// That no order and no repetition changes a digest is in property/change_order.cpp.
#include <muster/cluster/digest.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"

#include <muster/cluster/apply.hpp>
#include <muster/cluster/cluster.hpp>
#include <muster/resource/devices.hpp>

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

using namespace muster;
using gpus = devices<4>;

namespace {

constexpr time_point at(std::int64_t tick) { return time_point{duration{tick}}; }

std::vector<change_content<gpus>> different_words() {
  pod_group<gpus> group;
  group.id = group_id{1};
  group.pod_sets = {{{.whole = 1}, 4, 1}};
  group.disruption = disruption_mode::single;
  auto other_sizes = group, other_limits = group, other_minimum = group, one_model = group;
  other_sizes.sizes = {size_rule::shape::stepped, 4, 4, 1};
  other_limits.limits = {{node_level, 2}};
  other_minimum.min_count = 2;
  one_model.one_device_model = true;
  pod_seen<gpus> pod{pod_id{1}, group_id{1}, 0, {.whole = 1}};
  auto gated = pod, ranked = pod, lone = pod, sharing = pod, important = pod, other_scheduler = pod;
  gated.gated = true;
  ranked.rank = 7;
  lone.group = no_group;
  sharing.request = {.share = 500};
  important.priority = 1;
  other_scheduler.scheduler = scheduler_id{3};
  return {
      node_seen<gpus>{{node_id{1}, {}, {.count = 4}, {}}},
      node_seen<gpus>{{node_id{1}, {}, {.count = 3}, {}}},
      node_seen<gpus>{{node_id{1}, kind_id{1}, {.count = 4}, {}}},
      node_seen<gpus>{{node_id{1}, {}, {.count = 4}, {label_id{0}}}},
      node_seen<gpus>{{node_id{2}, {}, {.count = 4}, {}}},
      node_gone{node_id{1}},
      node_closed{node_id{1}, at(1), at(2)},
      node_closed{node_id{1}, at(1), at(3)},
      node_opened{node_id{1}},
      device_health{node_id{1}, 1, false},
      device_health{node_id{1}, 1, true},
      device_health{node_id{1}, 2, false},
      pod, gated, ranked, lone, sharing, important, other_scheduler,
      pod_placed<gpus>{pod_id{1}, node_id{1}, placing::bound, {}, {}},
      pod_placed<gpus>{pod_id{1}, node_id{1}, placing::ready, {}, {}},
      pod_placed<gpus>{pod_id{1}, node_id{2}, placing::bound, {}, {}},
      pod_placed<gpus>{pod_id{1}, node_id{1}, placing::bound, {}, at(4)},
      pod_placed<gpus>{pod_id{1}, node_id{1}, placing::bound, gpus::grant_type{1, 1000}, {}},
      pod_unplaced{pod_id{1}, {}},
      pod_unplaced{pod_id{1}, at(4)},
      pod_terminating{pod_id{1}, at(1), {}},
      pod_terminating{pod_id{1}, at(2), {}},
      pod_terminating{pod_id{1}, at(1), at(1)},
      pod_ended{pod_id{1}, ending::failed, {}},
      pod_ended{pod_id{1}, ending::lost, {}},
      pod_ended{pod_id{1}, ending::failed, at(1)},
      group_seen<gpus>{group}, group_seen<gpus>{other_sizes}, group_seen<gpus>{other_limits},
      group_seen<gpus>{other_minimum}, group_seen<gpus>{one_model},
      group_gone{group_id{1}},
      group_satisfied{group_id{1}, at(1)},
      group_satisfied{group_id{1}, at(2)},
      set_aside<gpus>{set_aside_id{1}, group_id{1}, 0, node_id{1}, 1, {1, 1000}, at(9)},
      set_aside<gpus>{set_aside_id{1}, group_id{1}, 0, node_id{1}, 1, {2, 1000}, at(9)},
      set_aside<gpus>{set_aside_id{1}, group_id{1}, 0, node_id{1}, 1, {1, 1000}, at(8)},
      set_aside_dropped{set_aside_id{1}},
  };
}

}  // namespace

TEST_CASE("a digest tells every two words apart, and every two revisions", "[cluster]") {
  std::set<std::uint64_t> digests{digest(cluster<gpus>{nested_levels(1)})};
  std::size_t words = 1;
  for (const auto& what : different_words())
    for (const std::uint64_t revision_number : {1U, 2U}) {
      cluster<gpus> model{nested_levels(1)};
      REQUIRE(apply(model, {revision{revision_number}, what}).outcome != apply_outcome::rejected);
      CAPTURE(what.index(), revision_number);
      CHECK(digests.insert(digest(model)).second);
      ++words;
    }
  CHECK(digests.size() == words);
}

TEST_CASE("a view, at any time, leaves the digest as it was", "[cluster]") {
  cluster<gpus> model{nested_levels(1)};
  std::uint64_t last = 0;
  for (const auto& what : different_words()) apply(model, {revision{++last}, what});
  const auto before = digest(model);
  for (const std::int64_t moment : {0, 9, 1, 100, 2}) {
    (void)model.view(at(moment));
    CHECK(digest(model) == before);
  }
}
