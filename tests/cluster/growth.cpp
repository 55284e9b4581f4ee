// SPDX-License-Identifier: BSL-1.0
// What many changes cost together: 16 times as many take about 16 times as long, not 256 times.
#include <muster/cluster/apply.hpp>
#include <muster/cluster/cluster.hpp>
#include <muster/resource/devices.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <limits>
#include <utility>

using namespace muster;

namespace {

constexpr std::uint64_t few = 1000, many = 16 * few;

/// Processor time of `run`, the least of some attempts, each on something made afresh.
template <class Make, class Run>
std::clock_t least_time(Make make, Run run) {
  std::clock_t least = std::numeric_limits<std::clock_t>::max();
  for (int attempt = 0; attempt < 3; ++attempt) {
    auto on = make();
    const std::clock_t before = std::clock();
    run(on);
    least = std::min(least, std::clock() - before);
  }
  return std::max<std::clock_t>(least, 1);
}

/// Whether many cost no more than 100 times what few do.
template <class Make, class Run>
bool grows_with_the_number(const char* what, Make make, Run run) {
  const auto time_of = [&](std::uint64_t n) {
    return least_time([&] { return make(n); }, [&](auto& on) { run(on, n); });
  };
  const auto short_time = std::max<std::clock_t>(time_of(few), 50);
  const double ratio = static_cast<double>(time_of(many)) / static_cast<double>(short_time);
  std::printf("%s: %d times as many take %.0f times as long\n", what, 16, ratio);
  return ratio < 100;
}

template <class M>
struct crowd {
  cluster<M> model;
  std::uint64_t last = 0;
  void say(change_content<M> what) { apply(model, change<M>{revision{++last}, std::move(what)}); }
  void pod(std::uint64_t id, std::uint64_t node, typename M::request_type request) {
    pod_seen<M> seen;
    seen.pod = pod_id{id};
    seen.request = request;
    say(seen);
    say(pod_placed<M>{seen.pod, node_id{node}, placing::bound, {}, {}});
  }
};

using counted = resource_vector<1>;

/// n nodes with a pod each.
crowd<counted> full_nodes(std::uint64_t n) {
  crowd<counted> made;
  for (std::uint64_t i = 0; i < n; ++i) {
    made.say(node_seen<counted>{{node_id{i}, {}, {4}, {}}});
    made.pod(i, i, {1});
  }
  (void)made.model.view();
  return made;
}

/// All of 0 .. n-1 in an order that is not theirs.
constexpr std::uint64_t nth(std::uint64_t i, std::uint64_t n) { return (i * 7919 + 13) % n; }

}  // namespace

TEST_CASE("closing many nodes costs what it costs to close each", "[cluster][growth]") {
  CHECK(grows_with_the_number("closings", full_nodes, [](crowd<counted>& of, std::uint64_t n) {
    for (std::uint64_t i = 0; i < n; ++i) of.say(node_closed{node_id{nth(i, n)}});
  }));
}

TEST_CASE("draining many nodes costs what it costs to drain each", "[cluster][growth]") {
  CHECK(grows_with_the_number("drainings", full_nodes, [](crowd<counted>& of, std::uint64_t n) {
    for (std::uint64_t i = 0; i < n; ++i) of.say(pod_terminating{pod_id{nth(i, n)}});
    for (std::uint64_t i = 0; i < n; ++i) of.say(pod_ended{pod_id{nth(i * 3, n)}});
  }));
}

TEST_CASE("a node is resized without a look at what is set aside on others", "[cluster][growth]") {
  const auto with_asides = [](std::uint64_t n) {
    auto made = full_nodes(n);
    for (std::uint64_t i = 0; i < n; ++i)
      made.say(set_aside<counted>{set_aside_id{nth(i, n)}, group_id{i}, 0, node_id{i}, 1, {1}});
    return made;
  };
  CHECK(grows_with_the_number("resizings", with_asides, [](crowd<counted>& of, std::uint64_t n) {
    for (std::uint64_t i = 0; i < n; ++i) of.say(node_seen<counted>{{node_id{nth(i, n)}, {}, {5}, {}}});
  }));
}

TEST_CASE("a device that falls sick derives the grants of its node's pods once", "[cluster][growth]") {
  using gpus = devices<8>;
  const auto full_node = [](std::uint64_t n) {
    crowd<gpus> made;  // the pods are parked until the node is there
    for (std::uint64_t i = 0; i < n; ++i) made.pod(i, 1, {.share = 1});
    return made;
  };
  CHECK(grows_with_the_number("derived grants", full_node, [](crowd<gpus>& of, std::uint64_t) {
    of.say(node_seen<gpus>{{node_id{1}, {}, {.count = 8}, {}}});
    for (int i = 0; i < 4; ++i) of.say(device_health{node_id{1}, 2, i % 2 != 0});
  }));
}
