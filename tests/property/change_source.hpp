// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_PROPERTY_CHANGE_SOURCE_HPP
#define MUSTER_TESTS_PROPERTY_CHANGE_SOURCE_HPP

/// \file
/// Random sets of changes of every kind about few nodes, pods, groups and set-asides, so that they meet.

#include "support/generator.hpp"

#include <muster/cluster/change.hpp>
#include <muster/resource/devices.hpp>
#include <muster/resource/joint.hpp>
#include <muster/resource/resource_vector.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace change_source {

using muster_test::generator;

/// Random capacities, requests and grants of a model. Grants are what a host may say: they need not fit.
template <class M>
struct amounts;

template <std::size_t N>
struct amounts<muster::resource_vector<N>> {
  using model = muster::resource_vector<N>;
  static typename model::capacity_type capacity(generator& rng) { return any(rng, 20); }
  static typename model::request_type request(generator& rng) { return any(rng, 6); }
  static typename model::grant_type grant(generator& rng) { return any(rng, 12); }

 private:
  static typename model::amounts any(generator& rng, std::int64_t most) {
    typename model::amounts all{};
    for (auto& each : all) each = rng.chance(5) ? muster::max_amount - rng.between(0, 5) : rng.between(0, most);
    return all;
  }
};

template <std::size_t M>
struct amounts<muster::devices<M>> {
  using model = muster::devices<M>;
  static typename model::capacity_type capacity(generator& rng) {
    typename model::capacity_type all;
    all.count = static_cast<std::uint32_t>(rng.below(M + 1));
    all.model = muster::device_model{static_cast<std::uint32_t>(rng.below(3))};
    for (auto& group : all.link_group) group = static_cast<std::uint8_t>(rng.below(2));
    return all;
  }
  static typename model::request_type request(generator& rng) {
    typename model::request_type one;
    if (rng.chance(50)) one.share = static_cast<std::int32_t>(rng.between(1, 1000));
    else one.whole = static_cast<std::uint32_t>(rng.below(M));
    one.model = muster::device_model{static_cast<std::uint32_t>(rng.below(2))};
    one.one_link_group = rng.chance(20);
    return one;
  }
  static typename model::grant_type grant(generator& rng) {
    return {rng.below(std::uint64_t{1} << M), static_cast<std::int32_t>(rng.chance(50) ? 1000 : rng.between(0, 1000))};
  }
};

template <class A, class B>
struct amounts<muster::joint<A, B>> {
  using model = muster::joint<A, B>;
  static typename model::capacity_type capacity(generator& rng) {
    return {amounts<A>::capacity(rng), amounts<B>::capacity(rng)};
  }
  static typename model::request_type request(generator& rng) { return {amounts<A>::request(rng), amounts<B>::request(rng)}; }
  static typename model::grant_type grant(generator& rng) { return {amounts<A>::grant(rng), amounts<B>::grant(rng)}; }
};

struct limits {
  std::uint64_t nodes = 7, pods = 14, groups = 3, set_asides = 4;
  std::uint64_t levels = 2;
  std::int64_t times = 6;
};

template <class M>
class source {
 public:
  source(generator& rng, limits of) : rng_{rng}, of_{of} {}

  [[nodiscard]] std::vector<muster::pod_id> pods() const { return ids<muster::pod_id>(of_.pods); }
  [[nodiscard]] std::vector<muster::group_id> groups() const { return ids<muster::group_id>(of_.groups); }
  [[nodiscard]] muster::time_point time() { return muster::time_point{muster::duration{rng_.between(0, of_.times)}}; }

  /// `count` changes. With `unique` each has a revision of its own, else about three share one.
  std::vector<muster::change<M>> changes(std::size_t count, bool unique) {
    std::vector<std::uint64_t> revisions;
    for (std::uint64_t i = 1; i <= count; ++i) revisions.push_back(unique ? i : 1 + rng_.below(count / 3 + 1));
    rng_.shuffle(revisions);
    std::vector<muster::change<M>> all;
    for (const std::uint64_t at : revisions) all.push_back({muster::revision{at}, content()});
    return all;
  }

  muster::change_content<M> content() {
    using namespace muster;
    const auto kind = rng_.below(100);
    if (kind < 15) return seen_node();
    if (kind < 20) return node_gone{node()};
    if (kind < 24) return closed_node();
    if (kind < 26) return node_opened{node()};
    if (kind < 32) return sick_device();
    if (kind < 50) return seen_pod();
    if (kind < 68) return placed_pod();
    if (kind < 71) return pod_unplaced{pod(), time()};
    if (kind < 77) return pod_terminating{pod(), time(), time()};
    if (kind < 81) return pod_ended{pod(), static_cast<ending>(rng_.below(3)), time()};
    if (kind < 86) return seen_group();
    if (kind < 88) return group_gone{group()};
    if (kind < 90) return group_satisfied{group(), time()};
    if (kind < 97) return kept_aside();
    return set_aside_dropped{aside()};
  }

 private:
  template <class Id>
  static std::vector<Id> ids(std::uint64_t count) {
    std::vector<Id> all;
    for (std::uint64_t i = 0; i < count; ++i) all.push_back(Id{i});
    return all;
  }
  muster::node_id node() { return muster::node_id{rng_.below(of_.nodes) * 1000}; }
  muster::pod_id pod() { return muster::pod_id{rng_.below(of_.pods)}; }
  muster::group_id group() { return muster::group_id{rng_.below(of_.groups)}; }
  muster::set_aside_id aside() { return muster::set_aside_id{rng_.below(of_.set_asides)}; }

  muster::change_content<M> seen_node() {
    muster::node_spec<M> spec{node(), muster::kind_id{static_cast<std::uint32_t>(rng_.below(3))}, amounts<M>::capacity(rng_), {}};
    for (auto length = rng_.below(of_.levels + 1); length > 0; --length)
      spec.labels.push_back(rng_.chance(15) ? muster::no_label : muster::label_id{rng_.below(3)});
    return muster::node_seen<M>{spec};
  }
  muster::change_content<M> closed_node() {
    if (rng_.chance(30)) return muster::node_closed{node()};
    const auto from = time();
    return muster::node_closed{node(), from, from + muster::duration{rng_.between(1, 4)}};
  }
  muster::change_content<M> sick_device() {
    if constexpr (muster::model_with_devices<M>)
      return muster::device_health{node(), static_cast<std::uint32_t>(rng_.below(M::device_room)), rng_.chance(30)};
    else return seen_node();
  }
  muster::change_content<M> seen_pod() {
    muster::pod_seen<M> seen;
    seen.pod = pod();
    seen.group = rng_.chance(15) ? muster::no_group : group();
    seen.pod_set = static_cast<std::uint32_t>(rng_.below(3));
    seen.request = amounts<M>::request(rng_);
    seen.priority = static_cast<std::int32_t>(rng_.below(2));
    seen.rank = static_cast<std::uint32_t>(rng_.below(4));
    seen.gated = rng_.chance(20);
    seen.at = time();
    return seen;
  }
  muster::change_content<M> placed_pod() {
    muster::pod_placed<M> placed{pod(), node(), static_cast<muster::placing>(rng_.below(3)), {}, time()};
    if (rng_.chance(40)) placed.grant = amounts<M>::grant(rng_);
    return placed;
  }
  muster::change_content<M> seen_group() {
    muster::pod_group<M> made;
    made.id = group();
    made.disruption = muster::disruption_mode::single;
    for (auto sets = rng_.below(3); sets > 0; --sets)
      made.pod_sets.push_back({amounts<M>::request(rng_), rng_.between(1, 4), rng_.between(0, 1)});
    made.min_count = rng_.chance(50) ? std::nullopt : std::optional<muster::pod_count>{0};
    made.priority = static_cast<std::int32_t>(rng_.below(2));
    return muster::group_seen<M>{made};
  }
  muster::change_content<M> kept_aside() {
    return muster::set_aside<M>{aside(), group(), 0, node(), rng_.between(1, 3), amounts<M>::grant(rng_), time()};
  }

  generator& rng_;
  limits of_;
};

}  // namespace change_source

#endif
