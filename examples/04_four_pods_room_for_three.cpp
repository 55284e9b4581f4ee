// SPDX-License-Identifier: BSL-1.0
// Four pods, room for three. With a minimum of three, three are placed and one waits; with a minimum of four, none is.
#include <muster/muster.hpp>

#include <iostream>
#include <iterator>

int main() {
  using gpus = muster::resource_vector<1>;
  muster::cluster<gpus> cluster;
  muster::apply(cluster, {muster::revision{1}, muster::node_seen<gpus>{{.id = muster::node_id{1}, .capacity = {2}}}});
  muster::apply(cluster, {muster::revision{2}, muster::node_seen<gpus>{{.id = muster::node_id{2}, .capacity = {1}}}});

  for (const int min_count : {3, 4}) {
    muster::pod_group<gpus> gang{.disruption = muster::disruption_mode::all};
    gang.pod_sets = {{.request = {1}, .count = 4}};
    gang.min_count = min_count;
    std::cout << "min_count " << min_count << ": ";
    muster::describe(std::ostream_iterator<char>(std::cout), muster::place(cluster.view(), gang));
    std::cout << '\n';
  }
}
