// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_SUPPORT_SCENE_HPP
#define MUSTER_TESTS_SUPPORT_SCENE_HPP

/// \file
/// A cluster told line by line, as the scenarios of the reports are written. Revisions count up by themselves.

#include <muster/cluster/apply.hpp>
#include <muster/cluster/cluster.hpp>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <utility>

namespace muster_test {

template <class M>
class scene {
 public:
  using request = typename M::request_type;

  explicit scene(muster::topology levels = {}) : model_{std::move(levels)} {}

  muster::apply_result say(muster::change_content<M> what) {
    return muster::apply(model_, {muster::revision{++revision_}, std::move(what)});
  }
  [[nodiscard]] muster::snapshot<M> view(std::int64_t at = 0) { return model_.view(time(at)); }
  [[nodiscard]] muster::cluster<M>& model() { return model_; }
  [[nodiscard]] std::uint64_t revision() const { return revision_; }
  /// The next one, for changes that are not told here.
  [[nodiscard]] muster::revision next_revision() { return muster::revision{++revision_}; }
  [[nodiscard]] static muster::time_point time(std::int64_t at) { return muster::time_point{muster::duration{at}}; }

  void node(std::uint64_t id, typename M::capacity_type capacity, std::initializer_list<std::uint64_t> labels = {},
            std::uint32_t kind = 0) {
    muster::node_spec<M> spec{muster::node_id{id}, muster::kind_id{kind}, capacity, {}};
    for (const std::uint64_t label : labels) spec.labels.push_back(muster::label_id{label});
    say(muster::node_seen<M>{spec});
  }
  /// A gang of alike pods.
  [[nodiscard]] static muster::pod_group<M> gang(std::uint64_t id, muster::pod_count pods, request each,
                                                 std::optional<muster::pod_count> min = std::nullopt) {
    muster::pod_group<M> group;
    group.id = muster::group_id{id};
    group.pod_sets.push_back({each, pods, 0});
    group.min_count = min;
    group.disruption = muster::disruption_mode::all;
    return group;
  }
  void group(const muster::pod_group<M>& group) { say(muster::group_seen<M>{group}); }
  /// A pod without a place yet; its request is its pod set's.
  void pod(std::uint64_t id, const muster::pod_group<M>& of, std::uint32_t set = 0) {
    muster::pod_seen<M> seen;
    seen.pod = muster::pod_id{id};
    seen.group = of.id;
    seen.pod_set = set;
    seen.request = of.pod_sets[set].request;
    seen.priority = of.priority;
    say(seen);
  }
  void pods(std::uint64_t first, muster::pod_count count, const muster::pod_group<M>& of, std::uint32_t set = 0) {
    for (muster::pod_count i = 0; i < count; ++i) pod(first + static_cast<std::uint64_t>(i), of, set);
  }
  void bind(std::uint64_t pod, std::uint64_t node, muster::placing how = muster::placing::bound) {
    muster::pod_placed<M> placed;
    placed.pod = muster::pod_id{pod};
    placed.node = muster::node_id{node};
    placed.how = how;
    say(placed);
  }
  /// A pod of no group that runs on a node.
  void filler(std::uint64_t id, std::uint64_t node, request asked, std::int32_t priority = 0) {
    muster::pod_seen<M> seen;
    seen.pod = muster::pod_id{id};
    seen.request = asked;
    seen.priority = priority;
    say(seen);
    bind(id, node);
  }
  void end(std::uint64_t pod, muster::ending how = muster::ending::succeeded) {
    say(muster::pod_ended{muster::pod_id{pod}, how});
  }
  void leave(std::uint64_t pod) { say(muster::pod_terminating{muster::pod_id{pod}}); }

 private:
  muster::cluster<M> model_;
  std::uint64_t revision_ = 0;
};

/// Pods a placement puts on a node.
template <class Answer>
[[nodiscard]] muster::pod_count on(const Answer& answer, std::uint64_t node, int pod_set = -1) {
  muster::pod_count sum = 0;
  for (const auto& seat : answer.seats)
    if (seat.node == muster::node_id{node} && (pod_set < 0 || seat.pod_set == static_cast<std::uint32_t>(pod_set)))
      sum += seat.count;
  return sum;
}

}  // namespace muster_test

#endif
