// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_BENCHMARKS_SUPPORT_SCENE_HPP
#define MUSTER_BENCHMARKS_SUPPORT_SCENE_HPP

/// \file
/// The clusters that are asked: n nodes of 8 GPUs, told through `apply` in a seeded order, in one of two states.
///
/// - empty: no pod anywhere;
/// - full90: a seeded tenth of the nodes idle, the others filled to the last GPU by seeded gangs of 1 to 8 GPUs, one pod each.
///
/// Three topology levels: 16 nodes a rack, 16 racks a block, 8 blocks a zone. Keys are scattered 64-bit numbers. A *probe* pod of 8
/// GPUs sits on one idle node and moves before every question, among the nodes that an answer would use first.
///
/// A scene is built once and shared by the benchmarks of one program; of those with a million nodes only the last stays.

#include <muster/cluster/apply.hpp>
#include <muster/cluster/cluster.hpp>
#include <muster/core/hash.hpp>
#include <muster/resource/devices.hpp>
#include <muster/resource/resource_vector.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace muster_bench {

using gpus = muster::resource_vector<1>;
using single_gpus = muster::devices<8>;
using gpus_cpu_memory = muster::resource_vector<3>;

inline constexpr std::uint32_t gpus_per_node = 8;

/// What a node has, and what a pod of some GPUs asks.
template <class M>
struct amounts_of;

template <>
struct amounts_of<gpus> {
  static gpus::capacity_type node(std::uint64_t) { return {gpus_per_node}; }
  static gpus::request_type pod(std::uint32_t count) { return {count}; }
};
template <>
struct amounts_of<single_gpus> {
  static single_gpus::capacity_type node(std::uint64_t) {
    return {gpus_per_node, muster::device_model{1}, {0, 0, 0, 0, 1, 1, 1, 1}};
  }
  static single_gpus::request_type pod(std::uint32_t count) { return {count}; }
};
/// GPUs, milli-CPU and MiB; no two of up to a million nodes have the same.
template <>
struct amounts_of<gpus_cpu_memory> {
  static gpus_cpu_memory::capacity_type node(std::uint64_t i) {
    return {gpus_per_node, static_cast<muster::amount>(128'000 + i % 1000), static_cast<muster::amount>(1'048'576 + i / 1000)};
  }
  static gpus_cpu_memory::request_type pod(std::uint32_t count) { return {count, 12'000 * muster::amount{count}, 98'304 * muster::amount{count}}; }
};

class seeded {
 public:
  explicit seeded(std::uint64_t seed) noexcept : state_{seed} {}
  std::uint64_t operator()() noexcept { return muster::mixed(state_++); }
  /// A number below `end`.
  std::uint64_t below(std::uint64_t end) noexcept { return (*this)() % end; }

 private:
  std::uint64_t state_;
};

enum class filling : std::uint8_t { empty, full90 };
inline constexpr filling all_fillings[] = {filling::empty, filling::full90};

[[nodiscard]] inline std::string name(filling how) { return how == filling::empty ? "empty" : "full90"; }

[[nodiscard]] inline std::uint32_t idle_nodes(filling how, std::int64_t nodes) {
  return static_cast<std::uint32_t>(how == filling::empty ? nodes : nodes / 10);
}

template <class M>
class scene {
 public:
  muster::cluster<M> model;
  std::vector<muster::node_id> idle;  ///< nodes without pods but the probe, in the order of their positions

  /// \param racks if not 0 the one level there is, of so many racks alike in size
  scene(filling how, std::int64_t nodes, std::uint32_t kinds, std::uint64_t racks = 0)
      : model{muster::nested_levels(racks > 0 ? 1 : 3)} {
    const auto n = static_cast<std::uint64_t>(nodes);
    seeded draw{20'260'101};
    std::vector<std::uint64_t> order(n);
    for (std::uint64_t i = 0; i < n; ++i) order[i] = i;
    for (std::uint64_t i = n; i > 1; --i) std::swap(order[i - 1], order[draw.below(i)]);
    for (const std::uint64_t i : order) {
      muster::node_spec<M> spec{key(i), muster::kind_id{static_cast<std::uint32_t>(i % kinds)}, amounts_of<M>::node(i), {}};
      if (racks > 0) spec.labels.push_back(muster::label_id{i * racks / n});
      else for (const std::uint64_t width : {2048U, 256U, 16U}) spec.labels.push_back(muster::label_id{i / width});
      tell(muster::node_seen<M>{spec});
    }
    for (std::uint64_t i = n; i > 1; --i) std::swap(order[i - 1], order[draw.below(i)]);
    const std::uint64_t left_idle = idle_nodes(how, nodes);
    for (std::uint64_t i = left_idle; i < n; ++i) {
      for (std::uint32_t left = gpus_per_node; left > 0;) {
        const auto size = std::min(left, static_cast<std::uint32_t>(1 + draw.below(gpus_per_node)));
        left -= size;
        place_pod(see_pod(amounts_of<M>::pod(size), see_group(amounts_of<M>::pod(size), 1)), key(order[i]));
      }
    }
    for (std::uint64_t i = 0; i < left_idle; ++i) idle.push_back(key(order[i]));
    const auto view = model.view();
    std::sort(idle.begin(), idle.end(),
              [&](muster::node_id a, muster::node_id b) { return view.find(a).value() < view.find(b).value(); });
    probe_ = see_pod(amounts_of<M>::pod(gpus_per_node), muster::no_group);
    move_probe(0);
  }

  /// Idle nodes beside the one the probe is on.
  [[nodiscard]] std::uint32_t free_nodes() const noexcept { return static_cast<std::uint32_t>(idle.size()) - 1; }

  /// Puts the probe on another idle node, one of those that answers use first.
  void move_probe(std::uint64_t round) {
    const std::uint64_t among = std::min<std::uint64_t>(idle.size(), 64);
    probe_at_ = (probe_at_ + 1 + muster::mixed(round) % (among - 1)) % among;
    place_pod(probe_, idle[probe_at_]);
  }

  muster::group_id see_group(const typename M::request_type& request, muster::pod_count pods) {
    muster::group_seen<M> seen{gang(request, pods)};
    seen.group.id = muster::group_id{++last_group_};
    tell(seen);
    return seen.group.id;
  }
  muster::pod_id see_pod(const typename M::request_type& request, muster::group_id group, bool gated = false) {
    const muster::pod_id id{++last_pod_};
    see_pod_again(id, request, group, gated);
    return id;
  }
  void see_pod_again(muster::pod_id id, const typename M::request_type& request, muster::group_id group, bool gated) {
    muster::pod_seen<M> seen;
    seen.pod = id;
    seen.group = group;
    seen.request = request;
    seen.gated = gated;
    tell(seen);
  }
  void place_pod(muster::pod_id pod, muster::node_id node) {
    tell(muster::pod_placed<M>{pod, node, muster::placing::bound, {}, {}});
  }
  void end_pod(muster::pod_id pod) { tell(muster::pod_ended{pod, muster::ending::succeeded, {}}); }

  /// A gang that is not in the cluster: `pods` pods, all of them or none.
  [[nodiscard]] static muster::pod_group<M> gang(const typename M::request_type& request, muster::pod_count pods) {
    muster::pod_group<M> group;
    group.id = muster::group_id{~std::uint64_t{1}};
    group.pod_sets.push_back({request, pods, 0});
    group.disruption = muster::disruption_mode::all;
    return group;
  }

 private:
  [[nodiscard]] static muster::node_id key(std::uint64_t i) { return muster::node_id{muster::mixed(i) >> 1U}; }

  template <class What>
  void tell(const What& what) {
    const auto result = muster::apply(model, muster::change<M>{muster::revision{++last_}, what});
    if (result.outcome != muster::apply_outcome::applied) {
      std::fprintf(stderr, "a scene of the benchmarks was not taken: %s\n", muster::name(result.fault).data());
      std::abort();
    }
  }

  std::uint64_t last_ = 0, last_pod_ = 0, last_group_ = 0;
  muster::pod_id probe_{};
  std::uint64_t probe_at_ = 0;
};

namespace scene_parts {
/// Drops the scene of a million nodes that was built last.
inline std::function<void()>& drop_big() {
  static std::function<void()> drop;
  return drop;
}
}  // namespace scene_parts

/// The scene of this description, built at its first use.
template <class M>
[[nodiscard]] scene<M>& scene_of(filling how, std::int64_t nodes, std::uint32_t kinds = 1, std::uint64_t racks = 0) {
  static std::map<std::tuple<filling, std::int64_t, std::uint32_t, std::uint64_t>, std::unique_ptr<scene<M>>> built;
  const std::tuple key{how, nodes, kinds, racks};
  std::unique_ptr<scene<M>>& here = built[key];
  if (here == nullptr) {
    if (nodes >= 1'000'000) {
      if (auto& drop = scene_parts::drop_big()) drop();
      scene_parts::drop_big() = [key] { built[key].reset(); };
    }
    here = std::make_unique<scene<M>>(how, nodes, kinds, racks);
  }
  return *here;
}

}  // namespace muster_bench

#endif
