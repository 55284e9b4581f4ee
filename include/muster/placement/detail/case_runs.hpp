// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_CASE_RUNS_HPP
#define MUSTER_PLACEMENT_DETAIL_CASE_RUNS_HPP

/// \file
/// What holds capacity, as a case file groups it: runs of alike pods, pods of their own, groups that are named.

#include <muster/cluster/cluster.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/core/text.hpp>
#include <muster/core/time.hpp>
#include <muster/placement/case_columns.hpp>
#include <muster/placement/detail/case_lines.hpp>
#include <muster/placement/detail/case_members.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/member.hpp>
#include <muster/workload/pod_group.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI::case_parts {

/// Everything of a snapshot that holds capacity, each in the order of its key.
template <resource_model M>
struct held_by_key {
  std::map<std::tuple<std::uint64_t, std::uint32_t, std::uint64_t>, held_run<M>> runs;  ///< (group, class, node)
  std::map<std::uint64_t, held_run<M>> singles;                                         ///< pods of their own
  std::map<std::uint64_t, const group_record<M>*> groups;  ///< of runs and set-asides; nullptr: nobody declared it

  /// A pod stands in a run of its group if it is one of the declared pods of its class, asks what the class asks and
  /// holds what it asks; else, or if its group is the one the question is about, on its own.
  /// \param others the asked group's own members are told elsewhere
  held_by_key(const snapshot<M>& view, group_id asked, bool others) {
    std::vector<std::pair<const pod_record<M>*, std::uint32_t>> pods;
    for (std::uint32_t p = 0; p < view.size(); ++p)
      view.visit_pods_on(p, [&](const pod_record<M>& pod) {
        if (!others || view.group_of(pod) != asked) pods.emplace_back(&pod, p);
      });
    std::sort(pods.begin(), pods.end(), [](const auto& a, const auto& b) { return a.first->id < b.first->id; });
    std::map<std::pair<group_id, std::uint32_t>, pod_count> running;
    for (const auto& [pod, position] : pods) {
      const group_record<M>* group = view.group(view.group_of(*pod));
      held_run<M>* to = nullptr;
      if (group != nullptr && group->id != asked && is_of_its_class(*pod, group->spec, view.capacity(position)) &&
          running[{group->id, pod->pod_set}]++ < group->spec.pod_sets[pod->pod_set].count) {
        groups.emplace(number(group->id), group);
        to = &runs[{number(group->id), pod->pod_set, number(view.id(position))}];
      } else {
        to = &singles[number(pod->id)];
      }
      to->position = position;
      to->add(*pod);
    }
    view.visit_set_asides([&](const set_aside<M>& kept, std::uint32_t) {
      if (kept.group != asked) groups.emplace(number(kept.group), view.group(kept.group));
    });
  }
};

/// A run and what is known of its pods. \param who the words for group and class
template <text_output Out, resource_model M>
Out put_run(Out out, const snapshot<M>& view, std::string_view who, const held_run<M>& run) {
  const std::string words = std::string{who} + " " + word('n', number(view.id(run.position)));
  const auto& capacity = view.capacity(run.position);
  out = put_line(out, "run", words, run.leaving.size() + run.staying.size());
  if (!run.leaving.empty()) {
    const std::int64_t now = seconds(view.time());
    time_point until = beginning_of_time;
    for (const pod_record<M>* pod : run.leaving) until = std::max(until, pod->until);
    out = put_line(out, "leaving", words, run.leaving.size(),
                   until == end_of_time ? now + 1'000'000'000 : seconds_after(until, now));
  }
  for (const auto* pods : {&run.leaving, &run.staying})
    for (const pod_record<M>* pod : *pods) {
      if (!case_columns<M>::is_usual(capacity, pod->request, pod->grant))
        out = put(case_columns<M>::put_amounts(put_each(put(out, "holds"), words), pod->grant), "\n");
      out = case_columns<M>::put_grant_lines(out, words, capacity, pod->grant);
    }
  return out;
}

/// The members of a group: runs by class and node, then how many of each class succeeded and wait.
template <text_output Out, resource_model M>
Out put_members(Out out, const snapshot<M>& view, const group_members<M>& members, std::string_view who) {
  for (const auto& [key, run] : members.runs) out = put_run(out, view, word(who, key.first), run);
  for (std::size_t s = 0; s < members.sets.size(); ++s)
    if (members.sets[s].succeeded > 0) out = put_line(out, "succeeded", word(who, s), members.sets[s].succeeded);
  for (std::size_t s = 0; s < members.sets.size(); ++s)
    out = put_line(out, "waiting", word(who, s), members.sets[s].waiting);
  for (std::size_t i = 0; i < members.apart.size(); ++i)
    out = put_line(out, "waiting", word(who, members.sets.size() + i), members.apart[i]->charged ? 0 : 1);
  return out;
}

/// What is set aside: the amounts in one line, single devices in one each.
template <text_output Out, resource_model M>
Out put_kept(Out out, const snapshot<M>& view, const set_aside<M>& kept, std::uint32_t position) {
  const std::string words = word('g', number(kept.group)) + " " + word('n', number(view.id(position)));
  const auto& capacity = view.capacity(position);
  const std::int64_t until = seconds_after(kept.until, seconds(view.time()));
  if (case_columns<M>::any_amount(kept.grant)) {
    out = case_columns<M>::put_amounts(put_each(put(out, "kept"), words), kept.grant);
    if (kept.until != end_of_time) out = put_each(out, until);
    out = put(out, "\n");
  }
  if (kept.until == end_of_time) return case_columns<M>::put_kept_lines(out, words, capacity, kept.grant);
  return case_columns<M>::put_kept_lines(out, words, capacity, kept.grant, until);
}

}  // namespace muster::inline MUSTER_ABI::case_parts

#endif
