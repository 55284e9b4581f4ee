// SPDX-License-Identifier: BSL-1.0
#include <muster/cluster/changes.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/small_cluster.hpp"

#include <muster/cluster/digest.hpp>

#include <cstddef>
#include <vector>

using namespace muster;
using muster_test::gpus;
using muster_test::small_cluster;

namespace {

small_cluster eventful() {
  small_cluster now{4, 4, 2};
  now.submit(1, 3);
  for (std::uint64_t p = 0; p < 3; ++p)
    now.say(pod_placed<gpus>{small_cluster::id(1, p), node_id{1 + p % 2}, placing::bound, {}, {}});
  now.say(pod_ended{small_cluster::id(1, 0), ending::failed, {}});
  now.say(pod_terminating{small_cluster::id(1, 1), end_of_time, {}});
  now.say(pod_unplaced{small_cluster::id(1, 2), {}});
  now.say(node_closed{node_id{2}});
  now.say(node_gone{node_id{3}});
  now.say(group_satisfied{group_id{1}, {}});
  now.submit(2, 1);
  now.say(group_gone{group_id{2}});
  now.say(pod_ended{small_cluster::id(2, 0), ending::failed, {}});
  now.say(set_aside<gpus>{set_aside_id{1}, group_id{1}, 0, node_id{1}, 1, {1}, end_of_time});
  now.say(set_aside<gpus>{set_aside_id{2}, group_id{1}, 0, node_id{1}, 1, {1}, end_of_time});
  now.say(set_aside_dropped{set_aside_id{2}});
  return now;
}

template <class Model>
std::vector<change<gpus>> listed(const Model& model) {
  std::vector<change<gpus>> all;
  for_each_change(model, [&](const change<gpus>& one) { all.push_back(one); });
  return all;
}

}  // namespace

TEST_CASE("a cluster is the changes it lists, forwards and backwards", "[cluster]") {
  const small_cluster now = eventful();
  const auto all = listed(now.model);
  cluster<gpus> forwards, backwards;
  for (const auto& one : all) apply(forwards, one);
  for (std::size_t i = all.size(); i-- > 0;) apply(backwards, all[i]);
  CHECK(digest(forwards) == digest(now.model));
  CHECK(digest(backwards) == digest(now.model));
}

TEST_CASE("forgetting drops what is over and changes nothing else", "[cluster]") {
  small_cluster now = eventful();
  const auto left = [&](std::uint64_t node) {
    const auto view = now.model.view();
    return view.now(*view.find(node_id{node}))[0];
  };
  const auto before = left(1);
  const std::size_t listed_before = listed(now.model).size();

  SECTION("nothing was over by then") {
    const auto digest_before = digest(now.model);
    forget(now.model, revision{3});
    CHECK(digest(now.model) == digest_before);
  }
  SECTION("all of it") {
    forget(now.model, revision{now.last});
    CHECK(listed(now.model).size() < listed_before);
    const auto view = now.model.view();
    CHECK(view.pod(small_cluster::id(1, 0)) == nullptr);
    CHECK(view.named_group(group_id{2}) == nullptr);
    CHECK(view.size() == 2);
    CHECK(view.pod(small_cluster::id(1, 1)) != nullptr);
    CHECK(view.state_of(node_id{2}) == node_state::closed);
    CHECK(view.group(group_id{1})->members[phase::terminating] == 1);
    CHECK(view.latest() == revision{now.last});
  }
  CHECK(left(1) == before);
}

TEST_CASE("forgetting keeps what is newer, and members that the gate counts", "[cluster]") {
  small_cluster now{4};
  SECTION("a window said after the node's death") {
    now.say(node_gone{node_id{1}});
    const revision dead{now.last};
    now.say(node_closed{node_id{1}});
    forget(now.model, dead);
    now.say(node_seen<gpus>{{node_id{1}, {}, {4}, {}}});
    CHECK(now.model.view().state_of(node_id{1}) == node_state::closed);
  }
  SECTION("members that succeeded") {
    now.submit(1, 4);
    now.say(pod_ended{small_cluster::id(1, 0)});
    now.say(pod_ended{small_cluster::id(1, 1)});
    forget(now.model, revision{now.last});
    CHECK(now.model.view().group(group_id{1})->members.succeeded() == 2);
    now.say(group_gone{group_id{1}});
    forget(now.model, revision{now.last});
    CHECK(now.model.view().pod(small_cluster::id(1, 0)) == nullptr);
  }
}

TEST_CASE("a set-aside that was dropped before it was seen stands nowhere", "[cluster]") {
  small_cluster now{4};
  now.say(set_aside_dropped{set_aside_id{1}});
  CHECK(now.model.view(time_point{duration{1000}}).now(0)[0] == 4);
}
