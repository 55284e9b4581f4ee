// SPDX-License-Identifier: BSL-1.0
// Bytes a node and a pod, three resources and three topology levels, beyond what the host keeps itself.
#include "support/allocation.hpp"
#include "support/catch.hpp"
#include "support/compiled_once.hpp"

#include <muster/cluster/apply.hpp>
#include <muster/cluster/cluster.hpp>
#include <muster/resource/resource_vector.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>

using namespace muster;
using counted = resource_vector<3>;

namespace {

struct footprint {
  std::ptrdiff_t node = 0, pod = 0;
};

/// Racks of 40 nodes, blocks of 8 racks, zones of 5 blocks; 8 GPUs, 128 cores in milli, 1 TiB in MiB; two pods a node.
footprint measured(std::uint64_t nodes) {
  const muster_test::allocation_watch watch;
  cluster<counted> model{nested_levels(3)};
  std::uint64_t at = 0;
  for (std::uint64_t n = 0; n < nodes; ++n) {
    const std::uint64_t rack = n / 40, block = rack / 8, zone = block / 5;
    const node_spec<counted> spec{
        node_id{n}, kind_id{}, {8, 128'000, 1'048'576}, {label_id{zone}, label_id{block}, label_id{rack}}};
    apply(model, {revision{++at}, node_seen<counted>{spec}});
  }
  (void)model.view();
  const auto for_nodes = watch.held() + static_cast<std::ptrdiff_t>(sizeof model);
  const std::uint64_t pods = 2 * nodes;
  for (std::uint64_t p = 0; p < pods; ++p) {
    pod_seen<counted> seen;
    seen.pod = pod_id{p};
    seen.group = group_id{p / 64};
    seen.request = {1, 8'000, 65'536};
    apply(model, {revision{++at}, seen});
    apply(model, {revision{++at}, pod_placed<counted>{pod_id{p}, node_id{p % nodes}, placing::bound, {}, {}}});
  }
  (void)model.view();
  const auto for_pods = watch.held() + static_cast<std::ptrdiff_t>(sizeof model) - for_nodes;
  return {for_nodes / static_cast<std::ptrdiff_t>(nodes), for_pods / static_cast<std::ptrdiff_t>(pods)};
}

}  // namespace

TEST_CASE("a node costs at most 160 bytes with three resources and three levels", "[cluster][memory]") {
  for (const std::uint64_t nodes : {std::uint64_t{1'250}, std::uint64_t{100'000}}) {
    const footprint bytes = measured(nodes);
    std::printf("%6llu nodes: %td bytes a node, %td bytes a pod (record %zu)\n", static_cast<unsigned long long>(nodes),
                bytes.node, bytes.pod, sizeof(pod_record<counted>));
    CHECK(bytes.node <= 160);
    CHECK(bytes.pod <= 2 * static_cast<std::ptrdiff_t>(sizeof(pod_record<counted>)));
  }
}

TEST_CASE("changes of what is known allocate nothing", "[cluster][memory]") {
  cluster<counted> model{nested_levels(3)};
  std::uint64_t at = 0;
  apply(model, {revision{++at}, node_seen<counted>{{node_id{1}, {}, {8, 8, 8}, {}}}});
  pod_seen<counted> seen;
  seen.pod = pod_id{1};
  seen.group = group_id{1};
  seen.request = {1, 1, 1};
  apply(model, {revision{++at}, seen});
  const auto turn = [&] {
    apply(model, {revision{++at}, pod_placed<counted>{pod_id{1}, node_id{1}, placing::bound, {}, {}}});
    (void)model.view();
    apply(model, {revision{++at}, pod_terminating{pod_id{1}, {}, {}}});
    (void)model.view();
    apply(model, {revision{++at}, pod_unplaced{pod_id{1}, {}}});
    (void)model.view();
  };
  turn();
  const muster_test::allocation_watch watch;
  for (int i = 0; i < 10; ++i) turn();
  const auto calls = watch.calls();
  CHECK(calls == 0);
}
