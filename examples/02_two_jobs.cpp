// SPDX-License-Identifier: BSL-1.0
// Twelve one-GPU nodes and two jobs of eight pods. Pod by pod they hold six each and wait for ever; as gangs one runs
// and the other waits holding nothing.
#include <muster/muster.hpp>

#include <iostream>
#include <iterator>
#include <string>

namespace {

using gpus = muster::resource_vector<1>;

struct simulation {
  muster::cluster<gpus> cluster;
  std::uint64_t revision = 0;

  void say(const muster::change_content<gpus>& what) { muster::apply(cluster, {muster::revision{++revision}, what}); }

  void make_nodes(unsigned count) {
    for (unsigned n = 1; n <= count; ++n) say(muster::node_seen<gpus>{{.id = muster::node_id{n}, .capacity = {1}}});
  }
  void submit(unsigned job, unsigned pods) {
    muster::pod_group<gpus> group{.id = muster::group_id{job}, .disruption = muster::disruption_mode::all};
    group.pod_sets = {{.request = {1}, .count = pods}};
    say(muster::group_seen<gpus>{group});
    for (unsigned p = 0; p < pods; ++p) say(muster::pod_seen<gpus>{.pod = pod(job, p), .group = group.id, .request = {1}});
  }
  static muster::pod_id pod(unsigned job, unsigned p) { return muster::pod_id{job * 100 + p}; }
  long holding(unsigned job) { return cluster.view().group(muster::group_id{job})->members.scheduled(); }
};

void pod_by_pod() {
  simulation now;
  now.make_nodes(12);
  now.submit(1, 8);
  now.submit(2, 8);
  for (unsigned p = 0; p < 8; ++p)
    for (const unsigned job : {1U, 2U}) {
      muster::pod_group<gpus> single{.id = muster::group_id{1000}, .disruption = muster::disruption_mode::single};
      single.pod_sets = {{.request = {1}, .count = 1}};
      const auto answer = muster::place(now.cluster.view(), single);
      if (answer.fits()) now.say(muster::pod_placed<gpus>{.pod = now.pod(job, p), .node = answer.seats.front().node});
    }
  std::cout << "pod by pod: job 1 holds " << now.holding(1) << " of 8, job 2 holds " << now.holding(2)
            << " of 8, neither starts\n";
}

void as_gangs() {
  simulation now;
  now.make_nodes(12);
  now.submit(1, 8);
  now.submit(2, 8);
  const muster::group_id queue[] = {muster::group_id{1}, muster::group_id{2}};
  const auto view = now.cluster.view();
  const auto plan = muster::schedule(view, std::span{queue});
  for (const auto& action : plan.actions) {
    std::cout << "as gangs: job " << number(action.group) << ": " << name(action.kind);
    if (action.kind == muster::action_kind::bind) std::cout << ' ' << action.placed << " pods";
    else std::cout << ", " << name(action.verdict) << ", " << action.lack.missing() << " of " << action.lack.needed << " short";
    std::cout << '\n';
  }
  for (const auto& action : plan.actions)
    if (action.kind == muster::action_kind::bind &&
        muster::assume(now.cluster, plan, action, muster::revision{++now.revision}) != muster::apply_result{})
      std::cout << "as gangs: job " << number(action.group) << " is not where the plan says\n";
  std::cout << "as gangs: job 1 holds " << now.holding(1) << ", job 2 holds " << now.holding(2) << '\n';

  for (unsigned p = 0; p < 8; ++p) now.say(muster::pod_ended{.pod = now.pod(1, p)});
  const muster::group_id rest[] = {muster::group_id{2}};
  const auto next = muster::schedule(now.cluster.view(), std::span{rest});
  std::cout << "job 1 ends: job 2: " << name(next.actions.front().kind) << ' ' << next.actions.front().placed << " pods\n";
}

}  // namespace

int main() {
  pod_by_pod();
  as_gangs();
}
