// SPDX-License-Identifier: BSL-1.0
// The least program that shows the headers are found, Boost with them, and answer.
#include <muster/muster.hpp>

int main() {
  using gpus = muster::resource_vector<1>;
  muster::cluster<gpus> cluster;
  muster::apply(cluster, {muster::revision{1}, muster::node_seen<gpus>{{muster::node_id{1}, {}, {8}, {}}}});
  muster::pod_group<gpus> gang;
  gang.disruption = muster::disruption_mode::all;
  gang.pod_sets = {{{4}, 2, 0}};
  const bool two_fit = muster::place(cluster.view(), gang).fits();
  gang.pod_sets = {{{4}, 3, 0}};
  const bool three_do_not = muster::place(cluster.view(), gang).verdict == muster::verdict::never;
  return two_fit && three_do_not ? 0 : 1;
}
