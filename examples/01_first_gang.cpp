// SPDX-License-Identifier: BSL-1.0
// Three nodes of 8 GPUs, a gang that fits and one that does not.
#include <muster/muster.hpp>

#include <iostream>
#include <iterator>

int main() {
  using gpus = muster::resource_vector<1>;
  muster::cluster<gpus> cluster;
  for (unsigned n = 1; n <= 3; ++n)
    muster::apply(cluster, {muster::revision{n}, muster::node_seen<gpus>{{.id = muster::node_id{n}, .capacity = {8}}}});

  const auto view = cluster.view();
  for (const int pods : {5, 7}) {
    muster::pod_group<gpus> gang;
    gang.disruption = muster::disruption_mode::all;
    gang.pod_sets = {{.request = {4}, .count = pods}};

    const auto answer = muster::place(view, gang);
    for (const auto& seat : answer.seats)
      std::cout << seat.count << " pods on node " << number(seat.node) << '\n';
    const std::string_view names[] = {"gpu"};
    muster::describe(std::ostream_iterator<char>(std::cout), answer, {.resources = names});
    std::cout << '\n';
  }
}
