// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_QUERY_HPP
#define MUSTER_PLACEMENT_DETAIL_QUERY_HPP

/// \file
/// One question to `place`, and what every step of answering it needs: who may use which nodes, and the domains to try.

#include <muster/cluster/overlay.hpp>
#include <muster/core/config.hpp>
#include <muster/core/hash.hpp>
#include <muster/placement/answer.hpp>
#include <muster/placement/detail/model_parts.hpp>
#include <muster/placement/detail/seating.hpp>
#include <muster/placement/eligibility.hpp>
#include <muster/placement/workspace.hpp>
#include <muster/resource/model.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

/// Of the options it keeps what a search goes by, so that it is the same type whatever filter, scorer or stop the
/// caller has: a search is compiled once a view, not once a choice of them.
template <capacity_view View>
struct query {
  using model = typename View::model;

  const View& view;
  workspace<model>& space;
  bool largest = false;   // the most pods at a legal size are asked for
  bool resume = false;    // what the last search of the workspace proved may be used
  bool filtered = false;  // there is a filter, and it was asked
  bool confined = false;  // it keeps to the nodes `within`
  std::span<const run> within = {};

  // the domains to try: all of a level, or one that running members pin; where the gang keeps to one device model each
  // is a part of such a domain, and its number that of the part
  bool anywhere = true;   // one for all: any pod set may use all its nodes
  bool by_model = false;
  topology_level level = no_level;
  std::uint32_t first_domain = 0, last_domain = 1;
  run single = {};  // of nodes_of

  [[nodiscard]] const demand<model>& wanted() const noexcept { return space.demand; }
  [[nodiscard]] const typename model::request_type& request(std::size_t s) const noexcept {
    return wanted().group->pod_sets[s].request;
  }

  /// Asks the filter for every (pod set, kind) and lists the runs each pod set may use.
  template <class Filter>
  void ask(const Filter& filter) {
    filtered = may_exclude<Filter>;
    auto& runs = space.eligible;
    auto& offsets = space.eligible_offsets;
    runs.clear();
    offsets.assign(1, 0);
    const std::size_t sets = wanted().sets.size();
    if constexpr (!may_exclude<Filter>) {
      for (std::size_t s = 0; s < sets; ++s) {
        if (view.size() > 0) runs.push_back({0, view.size()});
        offsets.push_back(static_cast<std::uint32_t>(runs.size()));
      }
    } else {
      space.codes.clear();
      for (std::size_t s = 0; s < sets; ++s) {
        for (const auto& [kind, where] : view.base().kinds()) {
          const reason_code code = filter(*wanted().group, s, kind);
          space.codes.push_back(code);
          if (code != eligible_node) continue;
          if (runs.size() > offsets.back() && runs.back().last == where.first) runs.back().last = where.last;
          else runs.push_back(where);
        }
        if constexpr (confining_filter<Filter>) keep_common(offsets.back(), filter.nodes());
        offsets.push_back(static_cast<std::uint32_t>(runs.size()));
      }
    }
    if constexpr (confining_filter<Filter>) {
      confined = true;
      within = filter.nodes();
    }
  }

  /// Of the eligible runs from `first` on leaves what other nodes have in common with them.
  void keep_common(std::size_t first, std::span<const run> others) {
    auto& runs = space.eligible;
    space.runs.clear();
    add_common(std::span{runs}.subspan(first), others, space.runs);
    runs.resize(first);
    runs.insert(runs.end(), space.runs.begin(), space.runs.end());
  }

  [[nodiscard]] std::span<const run> eligible_runs(std::size_t s) const noexcept {
    return std::span{space.eligible}.subspan(space.eligible_offsets[s],
                                             space.eligible_offsets[s + 1] - space.eligible_offsets[s]);
  }

  /// Whether two pod sets may use the same nodes.
  [[nodiscard]] bool same_nodes(std::size_t a, std::size_t b) const noexcept {
    return std::ranges::equal(eligible_runs(a), eligible_runs(b));
  }

  /// Whether some pod set may use other nodes of a domain than another one.
  [[nodiscard]] bool sets_differ() const noexcept { return filtered || by_model; }

  /// Whether pods of a set may sit in a domain on a node whose devices are of a model.
  [[nodiscard]] bool takes(std::size_t s, std::uint32_t domain, std::optional<device_model> of) const {
    return !by_model || domain == no_domain || !asks_devices<model>(request(s)) || model_in(domain) == of;
  }

  /// All nodes of a domain. The span holds until the next call.
  [[nodiscard]] std::span<const run> nodes_of(std::uint32_t domain) {
    const std::uint32_t whole = by_model ? space.models.parts[domain].domain : domain;
    if (level != no_level && level != node_level)
      return view.base().domain_runs(static_cast<std::size_t>(level), whole);
    single = level == no_level ? run{0, view.size()} : run{whole, whole + 1};
    return {&single, 1};
  }

  /// Runs of a pod set's nodes within a domain. The span holds until the next call.
  [[nodiscard]] std::span<const run> runs_of(std::size_t s, std::uint32_t domain) {
    const std::span<const run> allowed = eligible_runs(s);
    if (anywhere) return allowed;
    const std::span<const run> inside =
        by_model && asks_devices<model>(request(s)) ? space.models.runs_of(domain) : nodes_of(domain);
    space.runs.clear();
    add_common(allowed, inside, space.runs);
    return space.runs;
  }

  [[nodiscard]] std::optional<device_model> model_in(std::uint32_t domain) const noexcept {
    return by_model ? space.models.parts[domain].model : std::nullopt;
  }
  [[nodiscard]] domain_path name(std::uint32_t domain) const {
    if (by_model) domain = space.models.parts[domain].domain;
    if (level == no_level) return {};
    if (level != node_level) return view.base().domain_name(static_cast<std::size_t>(level), domain);
    domain_path path{node_level, {}};
    path.path.push_back(static_cast<label_id>(number(view.base().id(domain))));
    return path;
  }

  /// Finds the domains to try; why not, if running members are in none or in several.
  /// \param also a device model to try even where no node has it
  [[nodiscard]] refusal_reason find_domains(std::optional<device_model> also = std::nullopt) {
    level = wanted().group->required;
    anywhere = level == no_level;
    first_domain = 0;
    last_domain = anywhere ? 1
                  : level == node_level
                      ? view.size()
                      : static_cast<std::uint32_t>(view.base().domains(static_cast<std::size_t>(level)));
    if (!anywhere && (wanted().adrift || (!wanted().held.empty() && !pin_domain())))
      return refusal_reason::domains_differ;
    if (wanted().models_differ) return refusal_reason::models_differ;
    by_model = false;
    if constexpr (model_with_makes<model>)
      if (wanted().keeps_to_one_model()) split_by_model(also);
    return refusal_reason::none;
  }

  /// Which models are tried, and where.
  void add_models_to_hash(hasher& hash) const {
    if (!by_model) return;
    for (const model_part& part : space.models.parts)
      hash.add(part.domain).add(part.model.has_value()).add(static_cast<std::uint32_t>(part.model.value_or(any_model)));
  }

  void reset_room(tense when = tense::now) {
    space.room.look_at(view, when);
    space.room.reset(view.base(), wanted());
  }

  /// Only the domain of the members that run; false if they are in none or in several.
  [[nodiscard]] bool pin_domain() {
    std::uint32_t pinned = no_domain;
    for (const held_pods& held : wanted().held) {
      const std::uint32_t here = level == node_level
                                     ? held.position
                                     : view.base().domain_of(held.position, static_cast<std::size_t>(level));
      if (here == no_domain || (pinned != no_domain && pinned != here)) return false;
      pinned = here;
    }
    first_domain = pinned;
    last_domain = pinned + 1;
    return true;
  }

  void split_by_model(std::optional<device_model> also) {
    space.models.clear();
    for (std::uint32_t d = first_domain; d < last_domain; ++d)
      add_parts(view.base(), d, nodes_of(d), wanted().model, also, space.models);
    by_model = true;
    anywhere = false;
    first_domain = 0;
    last_domain = static_cast<std::uint32_t>(space.models.parts.size());
  }
};

/// Sorts runs and joins those that touch or overlap.
inline void join_runs(std::vector<run>& runs) {
  std::sort(runs.begin(), runs.end(), [](const run& a, const run& b) { return a.first < b.first; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const run one = runs[i];
    if (kept > 0 && one.first <= runs[kept - 1].last) runs[kept - 1].last = std::max(runs[kept - 1].last, one.last);
    else runs[kept++] = one;
  }
  runs.resize(kept);
}

/// The nodes of a domain that at least one of the pod sets may use, by position; of each of the first 64 sets, whether
/// it may. \complexity O(sets x nodes) with a filter or one device model, else O(nodes)
template <class Query>
void list_nodes(Query& q, std::span<const std::uint32_t> sets, std::uint32_t domain, tense when,
                std::vector<listed_node>& out) {
  std::vector<run>& all = q.space.all_runs;
  all.clear();
  for (const std::uint32_t s : sets) {
    const std::span<const run> its = q.runs_of(s, domain);
    all.insert(all.end(), its.begin(), its.end());
    if (!q.sets_differ()) break;  // every pod set may use the same nodes
  }
  join_runs(all);
  out.clear();
  visit_nodes(q.view, when, all, [&](std::uint32_t p, const typename Query::model::state_type&) {
    out.push_back({p, q.sets_differ() ? std::uint64_t{0} : ~std::uint64_t{0}});
    return true;
  });
  const auto stands_before = [](const listed_node& node, std::uint32_t p) { return node.position < p; };
  std::sort(out.begin(), out.end(),
            [](const listed_node& a, const listed_node& b) { return a.position < b.position; });
  for (std::size_t i = 0; i < std::min<std::size_t>(sets.size(), 64) && q.sets_differ(); ++i)
    for (const run& one : q.runs_of(sets[i], domain))
      for (auto at = std::lower_bound(out.begin(), out.end(), one.first, stands_before);
           at != out.end() && at->position < one.last; ++at)
        at->may |= std::uint64_t{1} << i;
}

/// The same of all sets that have pods to place, in `space.listed`.
template <class Query>
void list_nodes_of_pending(Query& q, std::uint32_t domain, tense when) {
  std::vector<std::uint32_t>& pending = q.space.order;
  pending.clear();
  for (std::uint32_t s = 0; s < q.wanted().sets.size(); ++s)
    if (q.wanted().sets[s].pending > 0) pending.push_back(s);
  list_nodes(q, pending, domain, when, q.space.listed);
}

/// Whether all pods still to place are alike: one request, one set of nodes.
template <class Query>
[[nodiscard]] bool is_alike(const Query& q, std::size_t& representative) {
  const auto& sets = q.wanted().sets;
  bool found = false;
  for (std::size_t s = 0; s < sets.size(); ++s) {
    if (sets[s].pending == 0) continue;
    if (!found) {
      representative = s;
      found = true;
    } else if (!(q.request(s) == q.request(representative)) || !q.same_nodes(s, representative)) {
      return false;
    }
  }
  return true;
}

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
