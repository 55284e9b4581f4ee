// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_BENCHMARKS_PREEMPTION_FULL_CLUSTER_HPP
#define MUSTER_BENCHMARKS_PREEMPTION_FULL_CLUSTER_HPP

/// \file
/// Clusters that are full of running gangs, and who asks to preempt some.
///
/// n nodes of 8 GPUs, 128 cores and 1 TiB, 16 a rack, are filled by gangs of 1 to 64 pods of 1, 2, 4 or 8 GPUs, about 1,000
/// of them on 1,250 nodes. Three in ten are of mode `single`; one in ten is above the priority of who asks; their last
/// checkpoints are a minute to 34 hours old. Packed: a gang takes the first nodes with room from a random one on.
/// Scattered: each of its pods a random node.

#include "support/scene.hpp"

#include <muster/cluster/apply.hpp>
#include <muster/cluster/cluster.hpp>
#include <muster/core/time.hpp>
#include <muster/workload/pod_group.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace muster_bench {

enum class layout : std::uint8_t { packed, scattered };

[[nodiscard]] inline std::string name(layout how) { return how == layout::packed ? "packed" : "scattered"; }

class full_cluster {
 public:
  using model_type = gpus_cpu_memory;

  full_cluster(layout how, std::uint64_t nodes, std::uint64_t seed)
      : draw_{seed * 1'000'003 + nodes}, free_(nodes, gpus_per_node) {
    for (std::uint64_t n = 0; n < nodes; ++n) {
      muster::node_spec<model_type> spec{muster::node_id{n}, muster::kind_id{0}, {gpus_per_node, 128'000, 1'048'576}, {}};
      spec.labels.push_back(muster::label_id{n / 16});
      tell(muster::node_seen<model_type>{spec});
    }
    for (int misses = 0; misses < 40;) misses += start_gang(how) ? 0 : 1;
  }

  [[nodiscard]] auto view() { return model_.view(now); }
  [[nodiscard]] std::uint64_t gangs() const noexcept { return gangs_; }

  /// A gang above nine in ten of those that run. \param sets pods of each, and GPUs of each of these
  [[nodiscard]] static muster::pod_group<model_type> asking(
      std::initializer_list<std::pair<muster::pod_count, std::uint32_t>> sets) {
    muster::pod_group<model_type> group;
    group.id = muster::group_id{~std::uint64_t{1}};
    group.priority = 50;
    group.disruption = muster::disruption_mode::all;
    for (const auto& [pods, per_pod] : sets) group.pod_sets.push_back({request(per_pod), pods, 0});
    return group;
  }

 private:
  static constexpr muster::time_point now{std::chrono::hours{1000}};

  /// Of a pod with so many GPUs; of one with none 8 cores.
  [[nodiscard]] static model_type::request_type request(std::uint32_t per_pod) {
    return per_pod > 0 ? amounts_of<model_type>::pod(per_pod) : model_type::request_type{0, 8'000, 32'768};
  }
  template <std::size_t N>
  [[nodiscard]] std::size_t weighed(const std::uint32_t (&percent)[N]) {
    std::uint64_t at = draw_.below(100);
    for (std::size_t i = 0; i < N; ++i) {
      if (at < percent[i]) return i;
      at -= percent[i];
    }
    return N - 1;
  }
  [[nodiscard]] std::chrono::seconds age() {  // log-uniform from a minute to 34 hours: 2048 minutes
    const std::uint64_t octave = draw_.below(11);
    return std::chrono::seconds{(60U << octave) + draw_.below(60U << octave)};
  }
  /// A node with room for a pod, or none.
  [[nodiscard]] std::optional<std::uint64_t> find_room(layout how, std::uint64_t start, std::uint32_t per_pod) {
    for (std::uint64_t k = 0; k < free_.size(); ++k) {
      const std::uint64_t n = how == layout::packed ? (start + k) % free_.size() : draw_.below(free_.size());
      if (free_[n] >= per_pod) return n;
    }
    return {};
  }
  bool start_gang(layout how) {
    const std::uint32_t per_pod = 1U << weighed({45, 28, 17, 10});
    const std::uint32_t pods = 1U << weighed({55, 20, 10, 8, 4, 2, 1});
    const std::uint64_t start = draw_.below(free_.size());
    std::vector<std::uint64_t> at;
    while (at.size() < pods) {
      const auto node = find_room(how, start, per_pod);
      if (!node) {
        for (const std::uint64_t n : at) free_[n] += per_pod;
        return false;
      }
      free_[*node] -= per_pod;
      at.push_back(*node);
    }
    ++gangs_;
    muster::pod_group<model_type> group;
    group.id = muster::group_id{gangs_};
    group.priority = draw_.below(10) == 0 ? 100 : static_cast<std::int32_t>(draw_.below(41));
    group.disruption = draw_.below(10) < 3 ? muster::disruption_mode::single : muster::disruption_mode::all;
    group.started = now - std::chrono::hours{40};
    group.checkpoint = now - age();
    group.pod_sets.push_back({request(per_pod), static_cast<muster::pod_count>(pods), 0});
    tell(muster::group_seen<model_type>{group});
    for (const std::uint64_t n : at) {
      muster::pod_seen<model_type> seen;
      seen.pod = muster::pod_id{++pods_};
      seen.group = group.id;
      seen.request = request(per_pod);
      seen.priority = group.priority;
      tell(seen);
      tell(muster::pod_placed<model_type>{seen.pod, muster::node_id{n}, muster::placing::bound, {}, {}});
    }
    return true;
  }
  template <class What>
  void tell(const What& what) {
    const auto result = muster::apply(model_, muster::change<model_type>{muster::revision{++last_}, what});
    if (result.outcome == muster::apply_outcome::applied) return;
    std::fprintf(stderr, "a full cluster was not taken: %s\n", muster::name(result.fault).data());
    std::abort();
  }

  muster::cluster<model_type> model_{muster::nested_levels(1)};
  seeded draw_;
  std::vector<std::uint32_t> free_;  // GPUs of each node
  std::uint64_t last_ = 0, gangs_ = 0, pods_ = 0;
};

}  // namespace muster_bench

#endif
