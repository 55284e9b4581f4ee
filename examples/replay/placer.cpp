// SPDX-License-Identifier: BSL-1.0
#include "placer.hpp"

#include <muster/cluster/apply.hpp>
#include <muster/cluster/changes.hpp>
#include <muster/cluster/cluster.hpp>
#include <muster/core/ids.hpp>
#include <muster/core/verdict.hpp>
#include <muster/cycle/schedule.hpp>
#include <muster/cycle/stages.hpp>
#include <muster/placement/place.hpp>
#include <muster/resource/resource_vector.hpp>
#include <muster/workload/pod_group.hpp>

#include <algorithm>
#include <chrono>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace replay {

namespace {

using model = muster::resource_vector<1>;  // whole GPUs

class stopwatch {
 public:
  explicit stopwatch(cluster_placer::effort& spent) : spent_(spent), begin_(std::chrono::steady_clock::now()) {}
  ~stopwatch() { spent_.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }
  stopwatch(const stopwatch&) = delete;
  stopwatch& operator=(const stopwatch&) = delete;

 private:
  cluster_placer::effort& spent_;
  std::chrono::steady_clock::time_point begin_;
};

constexpr std::int64_t forget_after = 100'000;  // pods that ended; until then they are tombstones of the model

std::size_t index(int value) { return static_cast<std::size_t>(value); }

muster::pod_group<model> group_of(std::uint64_t id, int pods, int gpus) {
  muster::pod_group<model> group;
  group.id = muster::group_id{id};
  group.pod_sets.push_back({.request = {gpus}, .count = pods, .minimum = pods});
  group.disruption = muster::disruption_mode::all;
  return group;
}

}  // namespace

struct cluster_placer::library {
  muster::cluster<model> cluster;
  muster::workspace<model> space;
  muster::schedule_space<model> turn;
  std::vector<muster::group_id> queue;
  muster::place_options<> options;
  std::map<int, muster::pod_group<model>> single_pods;  // by GPUs
  std::vector<std::uint64_t> first_pod;                 // by job; its other pods follow
  std::uint64_t next_pod = 0;
  std::uint64_t revision = 0;
  std::int64_t over = 0;                                // pods that ended since the model last forgot

  void apply(muster::change_content<model> what, effort& changes) {
    ++changes.count;
    const muster::change<model> one{muster::revision{++revision}, std::move(what)};
    const muster::apply_result result = muster::apply(cluster, one);
    if (result.outcome != muster::apply_outcome::applied) {
      throw std::logic_error("a change was not applied: " + std::string(muster::name(result.outcome)) + ", " +
                             std::string(muster::name(result.fault)));
    }
  }

  void bind(std::uint64_t pod, int node, effort& changes) {
    apply(muster::pod_placed<model>{.pod = muster::pod_id{pod},
                                    .node = muster::node_id{static_cast<std::uint64_t>(node)}},
          changes);
  }
};

cluster_placer::cluster_placer(const node_list& nodes, std::size_t jobs, seen_as how)
    : library_(std::make_unique<library>()), how_(how), free_(nodes), total_gpus_(gpus_of(nodes)) {
  free_gpus_ = total_gpus_;
  nodes_by_free_.resize(index(*std::max_element(nodes.begin(), nodes.end())) + 1);
  library_->first_pod.resize(jobs);
  library_->options.extras = false;
  effort unmeasured;
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    ++nodes_by_free_[index(nodes[node])];
    muster::node_seen<model> seen;
    seen.node.id = muster::node_id{node};
    seen.node.capacity = {nodes[node]};
    library_->apply(seen, unmeasured);
  }
}

cluster_placer::~cluster_placer() = default;

void cluster_placer::arrive(std::size_t job_index, const job& one) {
  const stopwatch timed(changes_);
  if (how_ == seen_as::gang) {
    library_->apply(muster::group_seen<model>{group_of(job_index, one.workers, one.gpus_per_worker)}, changes_);
  }
  library_->first_pod[job_index] = library_->next_pod;
  for (int rank = 0; rank < one.workers; ++rank) {
    muster::pod_seen<model> pod;
    pod.pod = muster::pod_id{library_->next_pod++};
    if (how_ == seen_as::gang) pod.group = muster::group_id{job_index};
    pod.request = {one.gpus_per_worker};
    pod.rank = static_cast<std::uint32_t>(rank);
    library_->apply(pod, changes_);
  }
}

gang_answer cluster_placer::place_gang(std::size_t job_index, const job& one) {
  {
    const stopwatch timed(decisions_);
    ++decisions_.count;
    muster::place(library_->cluster.view(), muster::group_id{job_index}, library_->space, library_->options);
  }
  const muster::placement_answer<model>& answer = library_->space.answer;
  const std::int64_t room = room_for(one.gpus_per_worker);
  if (answer.verdict == muster::verdict::not_now) {
    if (answer.lack.seated != room || room >= one.workers) throw std::logic_error("a refusal miscounts the room");
    return {false, static_cast<int>(room), {}};
  }
  if (!answer.fits() || answer.placed != one.workers) {
    throw std::logic_error("an answer no gang of this replay can have: " + std::string(muster::name(answer.verdict)));
  }
  shares_.clear();
  for (const muster::seat<model>& seat : answer.seats) {
    shares_.push_back({static_cast<int>(muster::number(seat.node)), static_cast<int>(seat.count)});
  }
  bind_gang(job_index, shares_, one.gpus_per_worker);
  return {true, one.workers, shares_};
}

void cluster_placer::bind_gang(std::size_t job_index, const std::vector<share>& shares, int gpus_per_worker) {
  const stopwatch timed(changes_);
  std::uint64_t pod = library_->first_pod[job_index];
  for (const share& part : shares) {
    change_free(part.node, -part.count * gpus_per_worker);
    for (int count = 0; count < part.count; ++count) library_->bind(pod++, part.node, changes_);
  }
}

std::vector<placed_gang> cluster_placer::take_turn(std::span<const std::size_t> queue, bool strict_order) {
  library_->queue.clear();
  for (const std::size_t job_index : queue) library_->queue.push_back(muster::group_id{job_index});
  {
    const stopwatch timed(decisions_);
    const muster::snapshot<model> view = library_->cluster.view();
    if (strict_order) {
      muster::schedule(view, std::span<const muster::group_id>(library_->queue), library_->turn,
                       muster::strict_stages{});
    } else {
      muster::schedule(view, std::span<const muster::group_id>(library_->queue), library_->turn);
    }
  }
  std::vector<placed_gang> placed;
  const muster::plan<model>& plan = library_->turn.plan;
  for (const muster::action<model>& one : plan.actions) {
    if (one.decided_by == muster::stage::place) ++decisions_.count;
    if (one.kind != muster::action_kind::bind) continue;
    placed_gang& gang = placed.emplace_back();
    gang.job_index = static_cast<std::size_t>(muster::number(one.group));
    for (const muster::seat<model>& seat : plan.seats_of(one)) {
      gang.shares.push_back({static_cast<int>(muster::number(seat.node)), static_cast<int>(seat.count)});
    }
    const muster::group_record<model>* group = library_->cluster.view().group(one.group);
    bind_gang(gang.job_index, gang.shares, static_cast<int>(group->spec.pod_sets.front().request[0]));
  }
  return placed;
}

std::optional<int> cluster_placer::place_one_pod(std::size_t job_index, int rank, const job& one) {
  auto [single, is_new] = library_->single_pods.try_emplace(one.gpus_per_worker);
  if (is_new) single->second = group_of(~std::uint64_t{1}, 1, one.gpus_per_worker);
  {
    const stopwatch timed(decisions_);
    ++decisions_.count;
    muster::place(library_->cluster.view(), single->second, library_->space, library_->options);
  }
  const muster::placement_answer<model>& answer = library_->space.answer;
  if (answer.verdict == muster::verdict::not_now) {
    if (room_for(one.gpus_per_worker) > 0) throw std::logic_error("a pod is refused though it fits");
    return std::nullopt;
  }
  if (!answer.fits() || answer.placed != 1) {
    throw std::logic_error("an answer no pod of this replay can have: " + std::string(muster::name(answer.verdict)));
  }
  const int node = static_cast<int>(muster::number(answer.seats.front().node));
  const stopwatch timed(changes_);
  change_free(node, -one.gpus_per_worker);
  library_->bind(library_->first_pod[job_index] + static_cast<std::uint64_t>(rank), node, changes_);
  return node;
}

void cluster_placer::release(std::size_t job_index, const job& one, std::span<const share> shares) {
  const stopwatch timed(changes_);
  for (int rank = 0; rank < one.workers; ++rank) {
    const std::uint64_t pod = library_->first_pod[job_index] + static_cast<std::uint64_t>(rank);
    library_->apply(muster::pod_ended{.pod = muster::pod_id{pod}}, changes_);
  }
  if (how_ == seen_as::gang) library_->apply(muster::group_gone{muster::group_id{job_index}}, changes_);
  for (const share& part : shares) change_free(part.node, part.count * one.gpus_per_worker);
  library_->over += one.workers;
  if (library_->over < forget_after) return;
  muster::forget(library_->cluster, muster::revision{library_->revision});
  library_->over = 0;
}

void cluster_placer::change_free(int node, int by) {
  int& free = free_[index(node)];
  if (free + by < 0) throw std::logic_error("node " + std::to_string(node) + " would be overfilled");
  --nodes_by_free_[index(free)];
  free += by;
  ++nodes_by_free_[index(free)];
  free_gpus_ += by;
}

std::int64_t cluster_placer::room_for(int gpus_per_worker) const {
  std::int64_t pods = 0;
  for (std::size_t free = index(gpus_per_worker); free < nodes_by_free_.size(); ++free) {
    pods += nodes_by_free_[free] * (static_cast<std::int64_t>(free) / gpus_per_worker);
  }
  return pods;
}

void cluster_placer::check() {
  const muster::snapshot<model> view = library_->cluster.view();
  for (std::size_t node = 0; node < free_.size(); ++node) {
    const auto position = view.find(muster::node_id{node});
    if (!position || view.now(*position)[0] != free_[node]) {
      throw std::logic_error("the model and the count of free GPUs differ on node " + std::to_string(node));
    }
  }
}

}  // namespace replay
