// SPDX-License-Identifier: BSL-1.0
#include "run.hpp"

#include "live_cluster.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <deque>
#include <functional>
#include <limits>
#include <queue>
#include <stdexcept>
#include <string>
#include <utility>

namespace topology_study {

namespace {

using replay::job;
using replay::seconds;

constexpr seconds never = std::numeric_limits<seconds>::max();

class replayer {
 public:
  replayer(const replay::trace& input, const machines& on, const policy_entry& entry)
      : on_{on}, entry_{entry}, policy_{entry.make(on)}, cluster_{on}, jobs_{input.jobs}, from_{input.span},
        to_{2 * input.span + 1} {
    for (job one : input.jobs) {
      one.submit += input.span;
      jobs_.push_back(one);
    }
    starts_.resize(jobs_.size(), never);
    hold_out_until_.resize(jobs_.size(), never);
    first_pods_.resize(jobs_.size());
    reaches_.resize(jobs_.size() / 2);
  }

  run_result run() {
    std::size_t next = 0;
    while (true) {
      const seconds arrival = next < jobs_.size() ? jobs_[next].submit : never;
      const seconds end = ends_.empty() ? never : ends_.top().first;
      const seconds now = std::min({arrival, end, next_deadline()});
      if (now >= to_) break;
      advance(now);
      for (; !ends_.empty() && ends_.top().first == now; ends_.pop()) finish(ends_.top().second);
      for (; next < jobs_.size() && jobs_[next].submit == now; ++next) waiting_.push_back(next);
      take_turn();
    }
    advance(to_);
    collect();
    return std::move(result_);
  }

 private:
  using end_event = std::pair<seconds, std::size_t>;

  void advance(seconds to) {
    result_.allocated += used_ * std::max<seconds>(0, to - std::max(now_, from_));
    now_ = to;
  }

  // When the answer to a gang that holds out changes though the cluster does not.
  seconds next_deadline() {
    while (!holding_out_.empty() &&
           (holding_out_.front().first <= now_ || starts_[holding_out_.front().second] != never))
      holding_out_.pop_front();
    return holding_out_.empty() ? never : holding_out_.front().first;
  }

  std::int64_t room_for(int gpus) {
    std::int64_t& room = room_[static_cast<std::size_t>(gpus)];
    if (room < 0) room = cluster_.room_for(gpus);
    return room;
  }

  void take_turn() {
    auto kept = waiting_.begin();
    auto at = waiting_.begin();
    for (; at != waiting_.end(); ++at) {
      const turn_end end = start(*at);
      if (end == turn_end::started) continue;
      *kept++ = *at;
      if (end == turn_end::holds_out || now_ - jobs_[*at].submit < patience) continue;
      ++at;
      break;
    }
    waiting_.erase(kept, at);
  }

  enum class turn_end { started, holds_out, no_room };

  turn_end start(std::size_t index) {
    using clock = std::chrono::steady_clock;
    const job& gang = jobs_[index];
    if (room_for(gang.gpus_per_worker) < gang.workers) return turn_end::no_room;
    seconds& until = hold_out_until_[index];  // never: it was not refused yet
    const seconds held_out = until == never ? 0 : now_ - until + entry_.deadline;
    seats_.clear();
    const view before = cluster_.now();
    const clock::time_point begin = clock::now();
    const bool sits = policy_->place(before, gang, held_out, seats_);
    result_.deciding += std::chrono::duration<double>(clock::now() - begin).count();
    if (!sits) {
      if (held_out >= entry_.deadline)
        throw std::logic_error(std::string(entry_.key) + " refuses a gang that there is room for");
      if (until == never) {
        until = now_ + entry_.deadline;
        holding_out_.emplace_back(until, index);
      }
      return turn_end::holds_out;
    }
    first_pods_[index] = cluster_.bind(gang, seats_);
    if (index >= reaches_.size()) reaches_[index - reaches_.size()] = reach_of(on_, seats_);
    starts_[index] = now_;
    used_ += gpus_of(gang);
    ends_.emplace(now_ + gang.duration, index);
    ++result_.decisions;
    room_.fill(-1);
    return turn_end::started;
  }

  void finish(std::size_t index) {
    cluster_.end(jobs_[index], first_pods_[index]);
    used_ -= gpus_of(jobs_[index]);
    room_.fill(-1);
  }

  void collect() {
    result_.window = to_ - from_;
    for (std::size_t index = reaches_.size(); index < jobs_.size(); ++index) {
      const job& gang = jobs_[index];
      const bool started = starts_[index] != never;
      result_.gangs.push_back({gang.workers, gang.gpus_per_worker, (started ? starts_[index] : to_) - gang.submit,
                               started, reaches_[index - reaches_.size()]});
    }
  }

  const machines& on_;
  const policy_entry& entry_;
  std::unique_ptr<policy> policy_;
  live_cluster cluster_;
  std::vector<job> jobs_;
  seconds from_, to_;
  seconds now_ = 0;
  std::int64_t used_ = 0;
  std::deque<std::size_t> waiting_;  // by arrival
  std::priority_queue<end_event, std::vector<end_event>, std::greater<>> ends_;
  std::deque<std::pair<seconds, std::size_t>> holding_out_;  // by the end of it; some have started
  std::vector<seconds> starts_, hold_out_until_;
  std::vector<std::uint64_t> first_pods_;
  std::vector<reach> reaches_;  // of the measured pass
  std::vector<share> seats_;
  std::array<std::int64_t, gpus_per_node + 1> room_ = [] {  // by GPUs of a pod; -1: not counted since the last change
    std::array<std::int64_t, gpus_per_node + 1> unknown;
    unknown.fill(-1);
    return unknown;
  }();
  run_result result_;
};

}  // namespace

reach reach_of(const machines& on, std::span<const share> seats) {
  // Pairs on one node are in one rack too, and those in one block: each level takes one off the distance of its pairs.
  const auto pairs = [](std::int64_t pods) { return pods * (pods - 1) / 2; };
  std::int64_t pods = 0, near = 0;
  std::vector<std::pair<std::uint32_t, std::int64_t>> racks, blocks;
  const auto add = [](auto& to, std::uint32_t domain, std::int64_t count) {
    const auto known = std::find_if(to.begin(), to.end(), [&](const auto& one) { return one.first == domain; });
    if (known == to.end()) to.push_back({domain, count});
    else known->second += count;
  };
  for (const share& one : seats) {
    pods += one.pods;
    near += pairs(one.pods);
    add(racks, on.hosts[one.position].rack, one.pods);
    add(blocks, on.hosts[one.position].block, one.pods);
  }
  for (const auto& [rack, count] : racks) near += pairs(count);
  for (const auto& [block, count] : blocks) near += pairs(count);
  reach made;
  made.within = seats.size() <= 1   ? nearness::node
                : racks.size() == 1  ? nearness::rack
                : blocks.size() == 1 ? nearness::block
                                     : nearness::apart;
  if (pods > 1) made.mean_distance = 3 - static_cast<double>(near) / static_cast<double>(pairs(pods));
  return made;
}

run_result run(const replay::trace& input, const machines& on, const policy_entry& entry) {
  return replayer{input, on, entry}.run();
}

}  // namespace topology_study
