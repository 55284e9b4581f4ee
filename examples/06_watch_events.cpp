// SPDX-License-Identifier: BSL-1.0
// Events that come late, twice and in the wrong order give the same cluster.
#include <muster/muster.hpp>

#include <algorithm>
#include <iostream>
#include <vector>

int main() {
  using gpus = muster::resource_vector<1>;
  using change = muster::change<gpus>;
  const muster::node_id node{1};
  const muster::pod_id first{1}, second{2};

  const std::vector<change> as_it_happened{
      {muster::revision{1}, muster::node_seen<gpus>{{.id = node, .capacity = {8}}}},
      {muster::revision{2}, muster::pod_seen<gpus>{.pod = first, .request = {2}}},
      {muster::revision{3}, muster::pod_placed<gpus>{.pod = first, .node = node}},
      {muster::revision{4}, muster::pod_seen<gpus>{.pod = second, .request = {4}}},
      {muster::revision{5}, muster::pod_placed<gpus>{.pod = second, .node = node, .how = muster::placing::assumed}},
      {muster::revision{6}, muster::pod_unplaced{second}},  // its binding failed
      {muster::revision{7}, muster::pod_placed<gpus>{.pod = second, .node = node}},
      {muster::revision{8}, muster::pod_ended{.pod = first}},
  };
  const auto build = [](const std::vector<change>& changes, bool tell) {
    muster::cluster<gpus> cluster;
    for (const change& one : changes) {
      const auto result = muster::apply(cluster, one);
      if (tell) std::cout << "revision " << number(one.at) << ": " << name(result.outcome) << '\n';
    }
    return cluster;
  };
  auto in_order = build(as_it_happened, false);

  std::vector<change> as_it_arrived(as_it_happened.rbegin(), as_it_happened.rend());
  as_it_arrived.push_back(as_it_happened[2]);
  auto backwards = build(as_it_arrived, true);

  std::cout << "left on the node: " << in_order.view().now(0)[0] << " and " << backwards.view().now(0)[0] << '\n'
            << "same digest: " << (digest(in_order) == digest(backwards) ? "yes" : "no") << '\n';
}
