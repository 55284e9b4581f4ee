// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_SUPPORT_CLUSTER_VIEW_HPP
#define MUSTER_TESTS_SUPPORT_CLUSTER_VIEW_HPP

/// \file
/// What a cluster says of itself, written out by the host's keys, and what it must say by its registers.
///
/// `portrait` reads every query of a snapshot into plain values that do not depend on positions or on the order in which
/// things were learnt: two clusters that know the same must have equal portraits. `balance_faults` computes what is left on
/// every node anew from the registers, and compares the capacity index with a naive scan.

#include <muster/cluster/cluster.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace muster_test {

template <class M>
struct node_portrait {
  muster::kind_id kind{};
  bool open = false;
  typename M::capacity_type capacity{};
  typename M::state_type now{}, later{}, empty{}, empty_well{};
  std::vector<muster::pod_id> pods;                    ///< charged here
  std::vector<std::vector<muster::label_id>> domains;  ///< path of its domain at every level; empty: none
  bool operator==(const node_portrait&) const = default;
};

template <class M>
struct pod_portrait {
  muster::node_id node = muster::no_node;
  std::optional<muster::node_id> charged_on;
  muster::group_id group = muster::no_group;
  muster::phase phase{};
  typename M::grant_type grant{};
  std::array<std::int64_t, 5> times{};
  bool operator==(const pod_portrait&) const = default;
};

struct group_portrait {
  bool present = false;
  muster::member_counts members;
  std::vector<muster::member_counts> by_set;
  muster::pod_count gated = 0;
  muster::pod_count declared = 0;
  std::int64_t satisfied = 0;
  std::vector<muster::pod_id> pods;
  bool operator==(const group_portrait&) const = default;
};

template <class M>
struct portrait {
  std::map<muster::node_id, node_portrait<M>> nodes;
  std::vector<muster::node_id> order;  ///< by position, nodes that went too
  std::vector<std::vector<muster::run>> domains;  ///< of every level, by number
  std::vector<std::pair<muster::kind_id, muster::run>> kinds;
  muster::revision latest{};
  std::map<muster::pod_id, pod_portrait<M>> pods;
  std::map<muster::group_id, group_portrait> groups;
  std::map<muster::set_aside_id, std::pair<muster::node_id, typename M::grant_type>> set_asides;
  std::vector<std::uint64_t> index;        ///< word by word: what a search reads, rebuilt or kept right change by change
  std::vector<std::uint32_t> populations;  ///< of every leading level
  std::vector<int> scale;                  ///< of the index: the least power of two at level 1, in each dimension
  bool operator==(const portrait&) const = default;
};

/// The scale of an index follows the largest node when it was last rebuilt: where two differ, so do words and levels.
template <class M>
std::vector<int> index_scale(const muster::snapshot<M>& view) {
  std::vector<int> scale;
  for (std::size_t d = 0; d < muster::dimensions_of<M>; ++d) {
    int power = 0;
    while (power < 62 && view.index().level_of(muster::amount{1} << power, d) == 0) ++power;
    scale.push_back(power);
  }
  return scale;
}

/// \param pods, groups every id that may be known
template <class M>
portrait<M> portrait_of(const muster::snapshot<M>& view, const std::vector<muster::pod_id>& pods,
                        const std::vector<muster::group_id>& groups) {
  using namespace muster;
  portrait<M> all;
  for (std::uint32_t position = 0; position < view.size(); ++position) {
    all.order.push_back(view.id(position));
    if (!view.present(position)) continue;
    node_portrait<M>& node = all.nodes[view.id(position)];
    node = {view.kind(position),  view.open(position),  view.capacity(position),    view.now(position),
            view.later(position), view.empty(position), view.empty(position, true), {}, {}};
    view.visit_pods_on(position, [&](const pod_record<M>& pod) { node.pods.push_back(pod.id); });
    std::sort(node.pods.begin(), node.pods.end());
    for (std::size_t level = 0; level < view.levels().size(); ++level) {
      const std::uint32_t domain = view.domain_of(position, level);
      node.domains.emplace_back();
      if (domain == no_domain) continue;
      const labels path = view.domain_name(level, domain).path;
      node.domains.back().assign(path.begin(), path.end());
    }
  }
  for (std::size_t level = 0; level < view.levels().size(); ++level)
    for (std::uint32_t domain = 0; domain < view.domains(level); ++domain) {
      const auto runs = view.domain_runs(level, domain);
      all.domains.emplace_back(runs.begin(), runs.end());
    }
  all.kinds.assign(view.kinds().begin(), view.kinds().end());
  all.latest = view.latest();
  for (std::size_t i = 0; i * sizeof(std::uint64_t) < view.index().bytes(); ++i) all.index.push_back(view.bits(i));
  for (std::size_t level = 0; level < view.index().leading_level_count(); ++level)
    all.populations.push_back(view.population(level));
  all.scale = index_scale(view);
  for (const pod_id id : pods) {
    const pod_record<M>* pod = view.pod(id);
    if (pod == nullptr) continue;
    pod_portrait<M>& shown = all.pods[id];
    shown.node = view.node_of(*pod);
    if (const auto position = view.position_of(*pod); position != no_position) {
      shown.charged_on = view.id(position);
      shown.grant = pod->grant;
    }
    shown.group = view.group_of(*pod);
    shown.phase = pod->phase;
    std::size_t i = 0;
    for (const time_point t : {pod->seen, pod->placed, pod->until, pod->left, pod->ended})
      shown.times[i++] = t.time_since_epoch().count();
  }
  for (const group_id id : groups) {
    const group_record<M>* group = view.named_group(id);
    if (group == nullptr || (group->spec_at == never_seen && group->members == member_counts{})) continue;
    group_portrait& shown = all.groups[id];
    shown.present = view.group(id) != nullptr;
    shown.members = group->members;
    shown.by_set.assign(group->by_set.begin(), group->by_set.end());
    while (!shown.by_set.empty() && shown.by_set.back() == member_counts{}) shown.by_set.pop_back();
    shown.gated = group->gated;
    shown.declared = declared_pods(group->spec);
    shown.satisfied = group->satisfied.time_since_epoch().count();
    view.visit_members(*group, [&](const pod_record<M>& pod) { shown.pods.push_back(pod.id); });
    std::sort(shown.pods.begin(), shown.pods.end());
  }
  view.visit_set_asides([&](const set_aside<M>& kept, std::uint32_t position) {
    all.set_asides.emplace(kept.id, std::pair{view.id(position), kept.grant});
  });
  return all;
}

/// What any search may ask of the index, by visiting: positions at a leading level that reach `needed` in the others.
template <class View, class Levels>
std::vector<std::uint32_t> visited(const View& view, std::size_t level, const Levels& needed, std::size_t first,
                                   std::size_t last) {
  std::vector<std::uint32_t> found;
  view.base().index().visit_level([&view](std::size_t i) { return view.bits(i); }, level, needed, first, last,
                                  [&found](std::size_t position) {
                                    found.push_back(static_cast<std::uint32_t>(position));
                                    return true;
                                  });
  return found;
}

/// Compares every level of the index, every population, and every requirement of one other dimension at a time with a scan
/// of what the view says is left. Works on snapshots and overlays. Empty: all agree.
template <class View>
std::string index_fault(const View& view) {
  using M = typename View::model;
  constexpr std::size_t dims = muster::dimensions_of<M>;
  const auto& snapshot = view.base();
  const auto& index = snapshot.index();
  const auto size = snapshot.size();
  std::vector<typename std::decay_t<decltype(index)>::levels> at(size);
  if (index.size() != size) return "the index has another size";
  for (std::uint32_t position = 0; position < size; ++position)
    for (std::size_t d = 0; d < dims; ++d) at[position][d] = index.level_of(M::amount_left(view.now(position), d), d);
  for (std::size_t level = 0; level < index.leading_level_count(); ++level) {
    for (std::size_t d = 0; d < std::max<std::size_t>(dims, 1); ++d) {
      for (std::uint8_t least = 0; least < (d == 0 ? 1 : 16); ++least) {
        typename std::decay_t<decltype(index)>::levels needed{};
        if (d > 0) needed[d] = least;
        std::vector<std::uint32_t> expected;
        bool reachable = least == 0;
        for (std::uint32_t position = 0; position < size; ++position) {
          reachable = reachable || at[position][d] >= least;
          if (snapshot.open(position) && at[position][0] == level && (d == 0 || at[position][d] >= least))
            expected.push_back(position);
        }
        if (!reachable) break;  // beyond the largest node: no search asks for it
        if (visited(view, level, needed, 0, size) != expected)
          return "level " + std::to_string(level) + ", dimension " + std::to_string(d) + " at " + std::to_string(least);
        if (d == 0 && view.population(level) != expected.size()) return "population of level " + std::to_string(level);
      }
    }
  }
  return {};
}

/// What is left on every node, computed from the registers alone, against what the snapshot says. Empty: all agree.
template <class M>
std::string balance_fault(const muster::cluster<M>& model, const muster::snapshot<M>& view) {
  using namespace muster;
  const auto& books = model.books();
  const auto death_of = [&](std::uint32_t slot) {
    const node_extras* more = books.extras.find(slot);
    return more == nullptr ? never_seen : more->gone_at;
  };
  struct sums {
    typename M::state_type now{}, later{};
    std::vector<const pod_record<M>*> derived;
  };
  std::map<node_id, sums> expected;
  for (std::uint32_t slot = 0; slot < books.nodes.size(); ++slot) {
    const node_record& node = books.nodes[slot];
    if (node.present != (node.spec_at != never_seen && node.spec_at > death_of(slot))) return "presence of a node";
    if (!node.present) continue;
    sums& of = expected[node.id];
    of.now = M::empty_node(books.capacity[node.position]);
    bool closed = false;
    if (const node_extras* more = books.extras.find(slot)) {
      const node_extras& x = *more;
      closed = x.closed && x.closed_at > x.gone_at && x.from <= view.time() && view.time() < x.until;
      if constexpr (model_with_devices<M>)
        for (const auto& [device, health] : x.devices)
          if (!health.healthy && health.at > x.gone_at) M::set_health(of.now, device, false);
    }
    if (node.open == closed) return "whether a node is open";
    of.later = of.now;
  }
  const auto charge = [](sums& of, const auto& grant, bool leaves) {
    M::charge(of.now, grant);
    if (!leaves) M::charge(of.later, grant);
  };
  std::map<std::pair<std::uint32_t, std::size_t>, pod_count> counts;
  for (const pod_record<M>& pod : books.pods) {
    phase expected_phase = phase::seen;
    if (pod.has_place) expected_phase = static_cast<phase>(static_cast<int>(phase::assumed) + static_cast<int>(pod.how));
    if (pod.leaving_at != never_seen) expected_phase = phase::terminating;
    const bool lost = pod.has_place && death_of(pod.node) >= pod.placed_at;
    if (lost) expected_phase = phase::lost;
    if (pod.ended_at != never_seen)
      expected_phase = static_cast<phase>(static_cast<int>(phase::succeeded) + static_cast<int>(pod.end));
    if (pod.phase != expected_phase) return "phase of a pod";
    const bool charged = pod.has_place && pod.spec_at != never_seen && !is_terminal(expected_phase) && books.nodes[pod.node].present;
    if (pod.charged != charged) return "whether a pod is charged";
    if (pod.spec_at != never_seen && pod.group != no_slot) ++counts[{pod.group, static_cast<std::size_t>(expected_phase)}];
    if (!charged) continue;
    sums& of = expected[books.nodes[pod.node].id];
    if (pod.grant_is_given) charge(of, pod.grant, expected_phase == phase::terminating);
    else of.derived.push_back(&pod);
  }
  for (const auto& [id, aside] : books.asides) {
    const bool here = aside.at > aside.dropped_at && aside.what.until > view.time() && aside.node != no_slot &&
                      books.nodes[aside.node].present && death_of(aside.node) < aside.at;
    if (aside.charged != here) return "whether a set-aside is charged";
    if (here) charge(expected[aside.what.node], aside.what.grant, false);
  }
  for (auto& [id, of] : expected) {
    std::sort(of.derived.begin(), of.derived.end(), [](const auto* a, const auto* b) { return a->id < b->id; });
    for (const pod_record<M>* pod : of.derived) {
      auto trial = of.now;
      const auto grant = M::force(trial, pod->request);
      if (!(grant == pod->grant)) return "the grant derived for a pod";
      charge(of, grant, pod->phase == phase::terminating);
    }
    const auto position = view.find(id);
    if (!position) return "a node that is present has no position";
    if (!(view.now(*position) == of.now)) return "what is left now";
    if (!(view.later(*position) == of.later)) return "what is left later";
  }
  for (std::uint32_t slot = 0; slot < books.groups.size(); ++slot)
    for (std::size_t p = 0; p < phase_count; ++p) {
      const auto counted = counts.find({slot, p});
      if (books.groups[slot].members.in[p] != (counted == counts.end() ? 0 : counted->second)) return "counts of a group";
    }
  return {};
}

}  // namespace muster_test

#endif
