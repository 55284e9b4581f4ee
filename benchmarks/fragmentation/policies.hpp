// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_BENCHMARKS_FRAGMENTATION_POLICIES_HPP
#define MUSTER_BENCHMARKS_FRAGMENTATION_POLICIES_HPP

// Where one pod goes: the rules of the published study (the data page states them), and ours.
//
// A policy rates a node on which the pod fits, higher is better, and names the GPU that a share goes to. It may keep a
// number for each node that changes only when a pod is put there (`worth`).

#include <muster/core/amount.hpp>
#include <muster/core/bits.hpp>
#include <muster/resource/model.hpp>
#include <muster/scoring/fragmentation.hpp>
#include <muster/scoring/slot_potential.hpp>

#include "trace.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace fragmentation_study {

// Classes of pods: none, a share, 1, 2, 4 or 8 GPUs (3 counts as 4, 5 to 7 as 8).
inline constexpr std::size_t class_count = 6;
[[nodiscard]] inline std::size_t class_of(const pod_shape& pod) noexcept {
  if (pod.shares()) return 1;
  const std::uint32_t gpus = pod.asks.first.whole;
  return gpus == 0 ? 0 : gpus == 1 ? 2 : gpus == 2 ? 3 : gpus <= 4 ? 4 : 5;
}

struct site {
  capacity has;
  state left;
  std::int64_t worth = 0;                          // to the policy
  std::array<std::int32_t, class_count> holds{};   // pods of each class

  [[nodiscard]] std::int64_t gpu_milli_left() const noexcept { return model::milli_too_small(left, {}); }
  [[nodiscard]] bool idle_gpus() const noexcept { return muster::count_bits(left.first.idle) == has.first.count; }
};

struct rating {
  std::int64_t score = 0;
  std::int8_t device = -1;  // for a share; -1: as the model chooses, the one with the least left that holds it
};

[[nodiscard]] inline bool fits(const site& at, const pod_shape& pod) {
  return accepts(pod.makes, at.has) && model::fits(at.left, pod.asks);
}

[[nodiscard]] inline grant grant_on(const pod_shape& pod, std::int8_t device) {
  return {{std::uint64_t{1} << static_cast<unsigned>(device), pod.asks.first.share}, pod.asks.second};
}

// Takes a pod's part of a node.
inline void take(state& from, const pod_shape& pod, std::int8_t device, grant& given) {
  if (device < 0) {
    (void)model::allocate(from, pod.asks, 1, given);
  } else {
    given = grant_on(pod, device);
    model::charge(from, given);
  }
}

// The best of the GPUs a share may go to by what `rate(state after)` says; of equal ones the first. GPUs with as much
// left as an earlier one are no other choice.
template <class Rate>
[[nodiscard]] rating best_device(const site& at, const pod_shape& pod, const Rate& rate) {
  rating best{std::numeric_limits<std::int64_t>::min(), -1};
  grant given;
  if (!pod.shares()) {
    state after = at.left;
    take(after, pod, -1, given);
    return {rate(after), -1};
  }
  std::array<std::int32_t, 8> seen{};
  std::size_t levels = 0;
  for (std::uint32_t d = 0; d < at.has.first.count; ++d) {
    const std::int32_t left = at.left.first.left[d];
    if (left < pod.asks.first.share || std::find(seen.begin(), seen.begin() + levels, left) != seen.begin() + levels)
      continue;
    seen[levels++] = left;
    state after = at.left;
    take(after, pod, static_cast<std::int8_t>(d), given);
    if (const std::int64_t score = rate(after); best.device < 0 || score > best.score)
      best = {score, static_cast<std::int8_t>(d)};
  }
  return best;
}

struct fragmentation_gradient {
  const muster::fragmentation<model, make_table>& measure;
  [[nodiscard]] std::int64_t worth(const site& at) const { return measure.of(at.left, at.has); }
  [[nodiscard]] rating rate(const site& at, const pod_shape& pod) const {
    return best_device(at, pod, [&](const state& after) {
      return muster::fragmentation_score(at.worth - measure.of(after, at.has), measure.weight());
    });
  }
};

// A share goes where the model puts it, to the GPU with the least left that holds it; what is worth most after does no
// better and takes several times as long.
struct least_potential_lost {
  const muster::slot_potential<model, make_table>& potential;
  [[nodiscard]] std::int64_t worth(const site& at) const { return potential.value(at.left, at.has); }
  [[nodiscard]] rating rate(const site& at, const pod_shape& pod) const {
    state after = at.left;
    grant given;
    take(after, pod, -1, given);
    return {potential.value(after, at.has) - at.worth, -1};
  }
};

// What scoring/gangs_lost.hpp counts, of gangs of one pod that may sit anywhere: the pods of the mix that stop fitting
// by a placement, each shape counted for itself. Weighed by how often a shape comes; or by that over how many of it fit
// now, so that what is lost counts the more the less is left.
class gang_losses {
 public:
  enum class weights : std::uint8_t { fixed, scarce };
  gang_losses(const trace& of, weights by) : by_{by} {
    for (const pod_shape& one : of.shapes) {
      request asks = one.asks;
      asks.second[memory] = 0;
      const auto same = [&](const entry& known) { return known.asks == asks && known.makes == one.makes; };
      auto known = std::find_if(mix_.begin(), mix_.end(), same);
      if (known == mix_.end()) known = mix_.insert(known, {asks, muster::prepare<model>(asks), one.makes, 0, 0});
      known->pods += one.pods;
      known->weight = known->pods * unit;
    }
  }

  // The weights by what fits now; after every so many pods.
  static constexpr std::int64_t period = 100;
  [[nodiscard]] bool changes() const noexcept { return by_ == weights::scarce; }
  void weigh(std::span<const site> now) {
    for (entry& one : mix_) {
      std::int64_t fitting = 0;
      for (const site& at : now) fitting += count(one, at.left, at.has);
      one.weight = one.pods * unit / (fitting + 1);
    }
  }
  [[nodiscard]] std::int64_t fitting(const state& left, const capacity& has) const {
    std::int64_t sum = 0;
    for (const entry& one : mix_) sum += one.weight * count(one, left, has);
    return sum;
  }

 private:
  static constexpr std::int64_t unit = 1'000'000'000;
  struct entry {
    request asks;
    muster::prepared<model> ready;
    make_set makes = any_make;
    std::int64_t pods = 0, weight = 0;
  };
  [[nodiscard]] static std::int64_t count(const entry& one, const state& left, const capacity& has) {
    return accepts(one.makes, has) ? model::count_fitting(left, one.ready, muster::max_pods_per_group) : 0;
  }
  std::vector<entry> mix_;
  weights by_;
};

// A share goes where the model puts it, as under the potential.
struct fewest_gangs_lost {
  gang_losses& losses;
  [[nodiscard]] std::int64_t worth(const site& at) const { return losses.fitting(at.left, at.has); }
  [[nodiscard]] rating rate(const site& at, const pod_shape& pod) const {
    state after = at.left;
    grant given;
    take(after, pod, -1, given);
    return {losses.fitting(after, at.has) - at.worth, -1};
  }
  // Whether nodes are worth something else from now on, after so many decisions.
  [[nodiscard]] bool learns(std::span<const site> now, std::int64_t decisions) const {
    if (!losses.changes() || decisions % gang_losses::period != 0) return false;
    losses.weigh(now);
    return true;
  }
};

struct without_worth {
  [[nodiscard]] static std::int64_t worth(const site&) noexcept { return 0; }
};

// The published score is then spread between the feasible least and greatest by whole numbers, which keeps the order.
struct best_fit : without_worth {
  [[nodiscard]] static rating rate(const site& at, const pod_shape& pod) {
    const auto x = static_cast<double>(at.left.second[cpu] - pod.asks.second[cpu]);
    const auto y = static_cast<double>(at.gpu_milli_left() - pod.gpu_milli());
    return {static_cast<std::int64_t>(100 * (1 - x / 256000 - y / 16000)), -1};
  }
};

struct dot_product : without_worth {
  [[nodiscard]] static rating rate(const site& at, const pod_shape& pod) {
    const auto x = static_cast<double>(at.left.second[cpu]) * static_cast<double>(pod.asks.second[cpu]);
    const auto y = static_cast<double>(at.gpu_milli_left()) * static_cast<double>(pod.gpu_milli());
    return {static_cast<std::int64_t>(100 * (1 - (x / (128000.0 * 128000.0) + y / (8000.0 * 8000.0)) / 2)), -1};
  }
};

struct gpu_packing : without_worth {
  [[nodiscard]] static rating rate(const site& at, const pod_shape& pod) {
    if (!pod.takes_gpus()) return {0, -1};
    const std::int64_t gpus = at.has.first.count;
    if (at.idle_gpus()) return {std::max(33 - gpus, gpus), -1};
    const std::int64_t wanted = std::max<std::int64_t>(1, pod.asks.first.whole);
    if (!pod.shares()) return {std::max<std::int64_t>(50 - wanted, 33), -1};
    std::int32_t least = 1000;
    for (std::uint32_t d = 0; d < at.has.first.count; ++d)
      if (at.left.first.left[d] >= pod.asks.first.share) least = std::min(least, at.left.first.left[d]);
    if (least == 1000) return {49, -1};
    return {std::max<std::int64_t>(100 - least / 100, 50), -1};
  }
};

struct gpu_clustering : without_worth {
  [[nodiscard]] static rating rate(const site& at, const pod_shape& pod) {
    if (!pod.takes_gpus()) return {0, -1};
    const std::size_t own = class_of(pod);
    bool others = false;
    for (std::size_t c = 1; c < class_count; ++c) others = others || (c != own && at.holds[c] > 0);
    const double bonus = at.holds[own] > 0 ? (others ? 50 : 75) : others ? 0 : 25;
    return {static_cast<std::int64_t>(bonus + 25.0 * static_cast<double>(8000 - at.gpu_milli_left()) / 8000.0), -1};
  }
};

// Any node; which GPU a share goes to is drawn by the run.
struct any_node : without_worth {
  [[nodiscard]] static rating rate(const site&, const pod_shape&) noexcept { return {0, -1}; }
};

}  // namespace fragmentation_study

#endif
