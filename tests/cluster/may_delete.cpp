// SPDX-License-Identifier: BSL-1.0
#include <muster/cluster/may_delete.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"

#include <muster/cluster/apply.hpp>
#include <muster/resource/resource_vector.hpp>

#include <cstdint>

using namespace muster;
using counted = resource_vector<1>;

TEST_CASE("a group may go once every pod that names it is over", "[cluster]") {
  cluster<counted> model;
  std::uint64_t last = 0;
  const auto say = [&](change_content<counted> what) { apply(model, {revision{++last}, std::move(what)}); };
  const auto pod = [&](std::uint64_t id) {
    pod_seen<counted> seen;
    seen.pod = pod_id{id};
    seen.group = group_id{1};
    seen.request = {1};
    say(seen);
  };
  CHECK(may_delete(model.view(), group_id{1}));  // nobody knows it
  say(node_seen<counted>{{node_id{1}, {}, {8}, {}}});
  for (std::uint64_t id = 1; id <= 3; ++id) pod(id);
  CHECK_FALSE(may_delete(model.view(), group_id{1}));  // only its pods are known
  CHECK(may_delete(model.view(), group_id{2}));

  say(pod_ended{pod_id{1}, ending::succeeded, {}});
  say(pod_placed<counted>{pod_id{2}, node_id{1}, placing::bound, {}, {}});
  say(pod_ended{pod_id{3}, ending::failed, {}});
  CHECK_FALSE(may_delete(model.view(), group_id{1}));
  say(pod_terminating{pod_id{2}, {}, {}});
  CHECK_FALSE(may_delete(model.view(), group_id{1}));  // it still holds its node
  say(node_gone{node_id{1}});
  CHECK(may_delete(model.view(), group_id{1}));
  pod(4);
  CHECK_FALSE(may_delete(model.view(), group_id{1}));
}
