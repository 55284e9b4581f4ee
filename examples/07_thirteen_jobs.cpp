// SPDX-License-Identifier: BSL-1.0
// A job of 13 whole nodes of one block. Pod by pod thirteen gangs die for it and it still waits; as a gang it asks who
// must leave, and the answer is the one cheapest set: two gangs that lose ten minutes each.
#include <muster/muster.hpp>

#include <chrono>
#include <iostream>
#include <set>

namespace {

using gpus = muster::resource_vector<1>;
using std::chrono::minutes;

constexpr muster::time_point now{minutes{10'000}};
constexpr unsigned job_pods = 13;
constexpr std::int32_t job_priority = 50;

/// Three blocks of 13 nodes with 8 GPUs, all of them in use.
struct simulation {
  muster::cluster<gpus> cluster{muster::nested_levels(1)};
  std::uint64_t revision = 0;
  unsigned gangs = 0, pods = 0;

  simulation() {
    for (unsigned n = 1; n <= 39; ++n)
      say(muster::node_seen<gpus>{{.id = muster::node_id{n},
                                   .kind = muster::kind_id{block(n)},
                                   .capacity = {8},
                                   .labels = {muster::label_id{block(n)}}}});
    for (int small = 0; small < 2; ++small) run({1}, 4, 1, minutes{1});  // block 1: thirteen small gangs ...
    for (unsigned n = 2; n <= 12; ++n) run({n}, 8, 1, minutes{1});
    run({13}, 8, 100, minutes{1});                                                 // ... and one that nobody may evict
    run({14, 15, 16, 17, 18, 19, 20}, 8, 5, minutes{600});                         // block 2: two that lose ten hours
    run({21, 22, 23, 24, 25, 26}, 8, 5, minutes{600});
    run({27, 28, 29, 30, 31, 32, 33}, 8, 9, minutes{10});                          // block 3: two that lose ten minutes
    run({34, 35, 36, 37, 38, 39}, 8, 9, minutes{10});
  }
  void say(const muster::change_content<gpus>& what) { muster::apply(cluster, {muster::revision{++revision}, what}); }

  /// A gang with a pod on each of these nodes.
  void run(std::initializer_list<unsigned> nodes, unsigned each, std::int32_t priority, minutes since_checkpoint) {
    muster::pod_group<gpus> gang{.id = muster::group_id{++gangs}, .disruption = muster::disruption_mode::all};
    gang.priority = priority;
    gang.checkpoint = now - since_checkpoint;
    gang.pod_sets = {{.request = {each}, .count = static_cast<muster::pod_count>(nodes.size())}};
    say(muster::group_seen<gpus>{gang});
    for (const unsigned n : nodes) {
      const muster::pod_id pod{++pods};
      say(muster::pod_seen<gpus>{.pod = pod, .group = gang.id, .request = {each}, .priority = priority});
      say(muster::pod_placed<gpus>{.pod = pod, .node = muster::node_id{n}});
    }
  }
  static unsigned block(unsigned node) { return (node + 12) / 13; }
};

muster::pod_group<gpus> asks(unsigned pods) {
  muster::pod_group<gpus> job{.id = muster::group_id{1000}, .disruption = muster::disruption_mode::all};
  job.priority = job_priority;
  job.pod_sets = {{.request = {8}, .count = pods}};
  return job;
}

/// Each pod asks for itself, the later ones in the block of the first.
void pod_by_pod() {
  simulation then;
  std::set<muster::group_id> dead;
  muster::preempt_space<gpus> space;
  muster::kind_id block{0};
  unsigned seated = 0;
  for (unsigned p = 0; p < job_pods; ++p) {
    const auto view = then.cluster.view(now);
    const auto in_block = [&](const muster::pod_group<gpus>&, std::size_t, muster::kind_id kind) {
      return block == muster::kind_id{0} || kind == block ? muster::eligible_node : muster::reason_code{1};
    };
    const muster::preempt_options<muster::seat_pod_by_pod<>, muster::more_important, muster::more_pods_seated,
                                  muster::anyone, decltype(in_block)>
        options{.filter = in_block};
    const auto& plan = muster::preempt_group(view, asks(1), space, options);
    if (!plan.evicts()) continue;
    block = muster::kind_id{simulation::block(static_cast<unsigned>(number(plan.seats.front().node)))};
    for (const auto& unit : plan.victims.units) dead.insert(unit.group->id);
    for (const auto* pod : plan.victims.pods) then.say(muster::pod_ended{.pod = pod->id});
    then.run({static_cast<unsigned>(number(plan.seats.front().node))}, 8, job_priority, minutes{0});
    ++seated;
  }
  std::cout << "pod by pod: " << dead.size() << " gangs died, " << seated << " of " << job_pods
            << " pods have a node, the job waits\n";
}

void as_a_gang() {
  simulation then;
  auto job = asks(job_pods);
  job.required = muster::topology_level{0};
  const auto view = then.cluster.view(now);
  muster::victim_space<gpus> space;
  const auto& plan = muster::cheapest_victims(view, job, space);
  std::cout << "as a gang: " << name(plan.outcome) << ' ' << plan.victims.units.size() << " gangs:";
  for (const auto& unit : plan.victims.units) std::cout << ' ' << number(unit.group->id);
  std::cout << "\nas a gang: that costs " << plan.cost.part[0] / 60'000 << " GPU minutes, "
            << (plan.proved ? "and nothing costs less" : "perhaps something costs less") << "\nas a gang: "
            << plan.seats.size() << " nodes of block " << number(plan.domain.path.back()) << ", whole: "
            << (muster::verify_victims(view, job, plan).holds() ? "yes" : "no") << '\n';

  muster::preempt_space<gpus> other;
  const auto& fixed = muster::preempt_group(view, job, other);
  muster::cost_value<1> cost{};
  for (const auto& unit : fixed.victims.units)
    cost += muster::lost_work<>{}(muster::evicted_members<gpus>{unit.group, fixed.victims.pods_of(unit), now});
  std::cout << "placement first, then victims: " << fixed.victims.units.size() << " gangs, " << cost.part[0] / 60'000
            << " GPU minutes\n";
}

}  // namespace

int main() {
  pod_by_pod();
  as_a_gang();
}
