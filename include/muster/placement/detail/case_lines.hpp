// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_CASE_LINES_HPP
#define MUSTER_PLACEMENT_DETAIL_CASE_LINES_HPP

/// \file
/// Nodes and groups as lines of a case file.

#include <muster/cluster/cluster.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/core/text.hpp>
#include <muster/core/time.hpp>
#include <muster/core/topology.hpp>
#include <muster/placement/answer.hpp>
#include <muster/placement/case_columns.hpp>
#include <muster/placement/detail/case_members.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/pod_group.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace muster::inline MUSTER_ABI::case_parts {

/// A letter and a key: the name of a node, a group or a pod.
[[nodiscard]] inline std::string word(char letter, std::uint64_t key) {
  std::string text(1, letter);
  put(std::back_inserter(text), key);
  return text;
}
/// `who` and a number after a space.
[[nodiscard]] inline std::string word(std::string_view who, std::uint64_t number) {
  std::string text{who};
  put_each(std::back_inserter(text), number);
  return text;
}

/// Whole seconds, never below 0.
[[nodiscard]] inline std::int64_t seconds(time_point t) noexcept {
  const auto whole = std::chrono::duration_cast<std::chrono::seconds>(t.time_since_epoch()).count();
  return std::max<std::int64_t>(0, whole);
}
/// The first whole second that is not before `t`, and later than the second `now`: what lasts now still does when read.
[[nodiscard]] inline std::int64_t seconds_after(time_point t, std::int64_t now) noexcept {
  const auto whole = std::chrono::duration_cast<std::chrono::seconds>(t.time_since_epoch());
  return std::max<std::int64_t>(now + 1, whole.count() + (whole < t.time_since_epoch() ? 1 : 0));
}

/// The word for a level of a topology with `levels` levels: rack for the finest, then block, zone, tier4 up to tier8.
[[nodiscard]] inline std::string level_word(topology_level level, std::size_t levels) {
  constexpr std::string_view finest[] = {"rack", "block", "zone"};
  if (level == node_level) return "node";
  const std::size_t from_finest = levels - 1 - static_cast<std::size_t>(level);
  if (from_finest < std::size(finest)) return std::string{finest[from_finest]};
  std::string text{"tier"};
  put(std::back_inserter(text), from_finest + 1);
  return text;
}

/// The name of a domain: its level and the path down to it.
[[nodiscard]] inline std::string domain_word(const domain_path& domain) {
  std::string text = word('L', static_cast<std::uint64_t>(domain.level));
  for (const label_id label : domain.path) {
    text += '/';
    if (label == no_label) text += '-';
    else put(std::back_inserter(text), number(label));
  }
  return text;
}

template <text_output Out>
Out put_levels(Out out, const topology& shape) {
  for (std::size_t l = 1; l < shape.size(); ++l)
    if (shape.levels[l].merge_equal_names)
      out = put_line(out, "merged", level_word(static_cast<topology_level>(l), shape.size()));
  return out;
}

/// Every node that is known, those that went too.
template <text_output Out, resource_model M>
Out put_nodes(Out out, const snapshot<M>& view) {
  const std::size_t levels = view.levels().size();
  const std::size_t first_plain = levels < 3 ? 0 : levels - 3;
  std::vector<std::uint32_t> order(view.size());
  for (std::uint32_t p = 0; p < view.size(); ++p) order[p] = p;
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return view.id(a) < view.id(b); });
  for (const std::uint32_t p : order) {
    const std::string who = word('n', number(view.id(p)));
    out = case_columns<M>::put_capacity(put_each(put(out, "node"), who, "cap"), view.capacity(p));
    const auto put_label = [&](Out to, std::size_t l, std::string_view before, std::string_view between) {
      const std::uint32_t domain = view.domain_of(p, l);
      if (domain == no_domain) return to;
      to = put(put(to, before), level_word(static_cast<topology_level>(l), levels));
      return put(put(to, between), domain_word(view.domain_name(l, domain)));
    };
    for (std::size_t l = first_plain; l < levels; ++l) out = put_label(out, l, " ", "=");
    out = put(out, "\n");
    const std::string label = "label " + who + " ";
    for (std::size_t l = 0; l < first_plain; ++l)
      if (view.domain_of(p, l) != no_domain) out = put(put_label(out, l, label, " "), "\n");
    if (number(view.kind(p)) != 0) out = put_line(out, "kind", who, number(view.kind(p)));
    if (!view.present(p)) out = put_line(out, "lost", who);
    else if (!view.open(p)) out = put_line(out, "closed", who);
    out = case_columns<M>::put_node_lines(out, who, view.capacity(p));
    for (const std::uint32_t device : view.sick_devices(p))
      out = case_columns<M>::put_sick_line(out, who, view.capacity(p), device);
  }
  return out;
}

/// A class of a group.
template <resource_model M, text_output Out>
Out put_class(Out out, std::string_view who, pod_count count, const typename M::request_type& request) {
  return put(case_columns<M>::put_request(put_each(put(out, "class"), who, count), request), "\n");
}

/// Classes of the members that stand apart, after those of the group's pod sets.
template <text_output Out, resource_model M>
Out put_apart(Out out, const group_members<M>& members, std::string_view who) {
  for (std::size_t i = 0; i < members.apart.size(); ++i) {
    const pod_record<M>& pod = *members.apart[i];
    const std::string words = word(who, members.sets.size() + i);
    out = put_class<M>(out, who, 1, pod.request);
    if (members.sets.size() > pod.pod_set) out = put_line(out, "apart", words, pod.pod_set);
    else out = put_line(out, "apart", words);
    out = case_columns<M>::put_class_lines(out, words, pod.request);
  }
  return out;
}

/// A group and its classes.
/// \param filter asked about every class and kind, where there is one
/// \param members what is known of the group's members, where the question is about them
template <text_output Out, resource_model M, class Filter>
Out put_group(Out out, const snapshot<M>& view, const pod_group<M>& group, std::string_view who, const Filter* filter,
              const group_members<M>* members = nullptr) {
  const std::size_t levels = view.levels().size();
  const std::int64_t now = seconds(view.time());
  const std::int64_t start = group.started == end_of_time ? 0 : std::min(seconds(group.started), now);
  out = put_each(put(out, "group"), who, "priority", group.priority);
  out = put_each(out, "min", std::min(minimum_pods(group), declared_pods(group)));
  out = put_each(out, "mode", group.disruption == disruption_mode::single ? "single" : "all");
  out = put_each(out, "start", start, "checkpoint", std::min(std::max(seconds(group.checkpoint), start), now));
  if (group.required != no_level) out = put_each(out, "topology", level_word(group.required, levels));
  const auto tightest = [&](topology_level level) {
    std::optional<pod_count> most;
    for (const spread_limit& limit : group.limits)
      if (limit.level == level && (!most || limit.count < *most)) most = limit.count;
    return most;
  };
  const std::optional<pod_count> on_node = tightest(node_level);
  if (on_node && *on_node > 0) out = put_each(out, "pernode", *on_node);
  out = put(out, "\n");
  if (group.policy == group_policy::basic) out = put_line(out, "basic", who);
  for (std::size_t s = 0; s < group.pod_sets.size(); ++s) {
    const pod_set<M>& set = group.pod_sets[s];
    const pod_count known = members != nullptr ? members->sets[s].known() : 0;
    out = put_class<M>(out, who, std::max(set.count, known), set.request);
    const std::string words = word(who, s);
    if (filter != nullptr)
      for (const auto& [kind, where] : view.kinds())
        if (const reason_code code = (*filter)(group, s, kind); code != eligible_node)
          out = put_line(out, "ineligible", words, number(kind), static_cast<std::uint32_t>(code));
    if (set.minimum > 0) out = put_line(out, "minimum", words, set.minimum);
    out = case_columns<M>::put_class_lines(out, words, set.request);
  }
  if (members != nullptr) out = put_apart(out, *members, who);
  for (std::size_t l = 0; l < levels; ++l)
    if (const auto most = tightest(static_cast<topology_level>(l)))
      out = put_line(out, "atmost", who, level_word(static_cast<topology_level>(l), levels), *most);
  if (on_node && *on_node == 0) out = put_line(out, "atmost", who, "node", 0);
  if (group.one_device_model) out = put_line(out, "onemodel", who);
  if (group.sizes.kind == size_rule::shape::rigid) {
    out = put_line(out, "sizes", who, full_size(group), full_size(group), 1);
  } else if (group.sizes.kind == size_rule::shape::stepped) {
    out = put_line(out, "sizes", who, group.sizes.smallest, group.sizes.largest, group.sizes.step);
  }
  return out;
}

}  // namespace muster::inline MUSTER_ABI::case_parts

#endif
