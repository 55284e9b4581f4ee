// SPDX-License-Identifier: BSL-1.0
// 1,250 nodes of 8 GPUs, a training run of 512 pods with 8 GPUs each, room for 400: nothing is bound, and it says why.
#include <muster/muster.hpp>

#include <iostream>
#include <iterator>

int main() {
  using gpus = muster::resource_vector<1>;
  muster::cluster<gpus> cluster;
  std::uint64_t revision = 0;
  const auto say = [&](const muster::change_content<gpus>& what) {
    muster::apply(cluster, {muster::revision{++revision}, what});
  };
  for (unsigned n = 1; n <= 1250; ++n) {
    say(muster::node_seen<gpus>{{.id = muster::node_id{n}, .capacity = {8}}});
    if (n <= 400) continue;  // the others run something small
    say(muster::pod_seen<gpus>{.pod = muster::pod_id{n}, .request = {1 + n % 8}});
    say(muster::pod_placed<gpus>{.pod = muster::pod_id{n}, .node = muster::node_id{n}});
  }
  muster::pod_group<gpus> run{.id = muster::group_id{1}, .disruption = muster::disruption_mode::all};
  run.pod_sets = {{.request = {8}, .count = 512}};
  say(muster::group_seen<gpus>{run});
  for (unsigned p = 0; p < 512; ++p)
    say(muster::pod_seen<gpus>{.pod = muster::pod_id{10'000 + p}, .group = run.id, .request = {8}});

  const auto view = cluster.view();
  const auto answer = muster::place(view, run.id);
  const std::string_view names[] = {"gpu"};
  muster::describe(std::ostream_iterator<char>(std::cout), answer, {.resources = names});
  std::cout << "\npods bound: " << answer.placed << '\n';

  muster::workspace<gpus> space;
  if (const auto more = muster::shortfall(view, run, {8}, space))
    std::cout << "it would fit with " << more->nodes << " more nodes of 8 GPUs\n";
}
