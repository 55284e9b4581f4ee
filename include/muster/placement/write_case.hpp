// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_WRITE_CASE_HPP
#define MUSTER_PLACEMENT_WRITE_CASE_HPP

/// \file
/// A snapshot and a question as a case file: to keep a surprising decision, to hand it on, to replay it elsewhere.
///
/// The format is line by line, one item a line (tests/oracle/EXTENSIONS.md has the lines beyond the plain format).
/// Nodes are named n<key>, groups g<key>, pods without a group, or whose request is not their pod set's, become
/// groups p<key> of one pod. The finest three topology levels are written as zone, block and rack, with the whole
/// path as the name; coarser ones are left out. Set-asides are written as `kept`.

#include <muster/cluster/cluster.hpp>
#include <muster/core/config.hpp>
#include <muster/core/text.hpp>
#include <muster/placement/case_columns.hpp>
#include <muster/placement/eligibility.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/pod_group.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace muster::inline MUSTER_ABI {

struct case_names {
  std::string_view name = "snapshot";
  std::span<const std::string_view> resources{};  ///< of the columns; missing ones are gpu, r1, r2, ...
};

/// Writes the question "can this declared group be placed?" with everything the snapshot knows that bears on it.
///
/// \return the end of what was written \complexity O(nodes + pods log pods + sets x kinds); allocates
/// \determinism the same text for the same snapshot and question, whatever order it was built in
template <text_output Out, resource_model M, node_filter<M> Filter = everywhere>
Out write_case(Out out, const snapshot<M>& view, const pod_group<M>& question, const case_names& names = {},
               const Filter& filter = {});

// ---------------------------------------------------------------------------------------------------------------------

namespace case_parts {

inline constexpr std::array<std::string_view, 3> level_words{"zone", "block", "rack"};

[[nodiscard]] inline std::string word(char letter, std::uint64_t key) {
  std::string text(1, letter);
  put(std::back_inserter(text), key);
  return text;
}

/// Seconds, never below 0.
[[nodiscard]] inline std::int64_t seconds(time_point t) noexcept {
  const auto count = std::chrono::duration_cast<std::chrono::seconds>(t.time_since_epoch()).count();
  return std::max<std::int64_t>(0, count);
}

/// The word for a level of a topology with `levels` levels; empty if the format has none.
[[nodiscard]] inline std::string_view level_word(std::size_t level, std::size_t levels) noexcept {
  const std::size_t from_finest = levels - 1 - level;
  return from_finest < level_words.size() ? level_words[level_words.size() - 1 - from_finest] : std::string_view{};
}

template <text_output Out, resource_model M>
Out put_nodes(Out out, const snapshot<M>& view) {
  const std::size_t levels = view.levels().size();
  std::vector<std::uint32_t> order;
  for (std::uint32_t p = 0; p < view.size(); ++p)
    if (view.present(p)) order.push_back(p);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return view.id(a) < view.id(b); });
  for (const std::uint32_t p : order) {
    const std::string who = word('n', number(view.id(p)));
    out = put(put(put(out, "node "), who), " cap");
    out = case_columns<M>::put_capacity(out, view.capacity(p));
    for (std::size_t l = 0; l < levels; ++l) {
      const std::uint32_t domain = view.domain_of(p, l);
      if (level_word(l, levels).empty() || domain == no_domain) continue;
      out = put(put(put(out, " "), level_word(l, levels)), "=");
      const domain_path path = view.domain_name(l, domain);
      out = put(put(out, "L"), l);
      for (const label_id label : path.path) {
        *out++ = '/';
        if (label == no_label) *out++ = '-';
        else out = put(out, number(label));
      }
    }
    out = put(out, "\n");
    if (number(view.kind(p)) != 0) out = put(put(put(put(put(out, "kind "), who), " "), number(view.kind(p))), "\n");
    if (!view.open(p)) out = put(put(put(out, "closed "), who), "\n");
    out = case_columns<M>::put_node_lines(out, who, view.capacity(p));
    for (const std::uint32_t device : view.sick_devices(p))
      out = put(put(put(put(put(out, "sick "), who), " "), device), "\n");
  }
  return out;
}

template <text_output Out, resource_model M, class Filter>
Out put_group(Out out, const snapshot<M>& view, const pod_group<M>& group, std::string_view who, const Filter* filter) {
  const std::size_t levels = view.levels().size();
  out = put(put(put(put(out, "group "), who), " priority "), group.priority);
  out = put(put(out, " min "), group.min_count.value_or(declared_pods(group)));
  out = put(out, group.disruption == disruption_mode::single ? " mode single" : " mode all");
  out = put(put(out, " start "), group.started == end_of_time ? 0 : seconds(group.started));
  out = put(put(out, " checkpoint "),
            std::max(seconds(group.checkpoint), group.started == end_of_time ? 0 : seconds(group.started)));
  if (group.required == node_level) out = put(out, " topology node");
  else if (group.required != no_level)
    out = put(put(out, " topology "), level_word(static_cast<std::size_t>(group.required), levels));
  for (const spread_limit& limit : group.limits)
    if (limit.level == node_level) out = put(put(out, " pernode "), limit.count);
  out = put(out, "\n");
  for (std::size_t s = 0; s < group.pod_sets.size(); ++s) {
    const pod_set<M>& set = group.pod_sets[s];
    out = put(put(put(put(out, "class "), who), " "), set.count);
    out = put(case_columns<M>::put_request(out, set.request), "\n");
    std::string words{who};
    words += ' ';
    put(std::back_inserter(words), s);
    if (filter != nullptr)
      for (const auto& [kind, where] : view.kinds())
        if (const reason_code code = (*filter)(group, s, kind); code != eligible_node)
          out = put(
              put_word(put_word(put(put(out, "ineligible "), words), number(kind)), static_cast<std::uint32_t>(code)),
              "\n");
    if (set.minimum > 0) out = put(put_word(put(put(out, "minimum "), words), set.minimum), "\n");
    out = case_columns<M>::put_class_lines(out, words, set.request);
  }
  for (const spread_limit& limit : group.limits)
    if (limit.level != node_level) {
      out = put(put(put(put(out, "atmost "), who), " "), level_word(static_cast<std::size_t>(limit.level), levels));
      out = put(put_word(out, limit.count), "\n");
    }
  if (group.sizes.kind != size_rule::shape::any) {
    const bool rigid = group.sizes.kind == size_rule::shape::rigid;
    out = put_word(put(put(out, "sizes "), who), rigid ? full_size(group) : group.sizes.smallest);
    out = put_word(out, rigid ? full_size(group) : group.sizes.largest);
    out = put(put_word(out, rigid ? pod_count{1} : group.sizes.step), "\n");
  }
  return out;
}

}  // namespace case_parts

template <text_output Out, resource_model M, node_filter<M> Filter>
Out write_case(Out out, const snapshot<M>& view, const pod_group<M>& question, const case_names& names,
               const Filter& filter) {
  using namespace case_parts;
  out = put(put(put(out, "case "), names.name), "\nresources");
  for (std::size_t r = 0; r < case_columns<M>::count; ++r) {
    *out++ = ' ';
    if (r < names.resources.size()) out = put(out, names.resources[r]);
    else if (r == 0) out = put(out, "gpu");
    else out = put(put(out, "r"), r);
  }
  out = put(put(put(out, "\nnow "), seconds(view.time())), "\n");
  out = put_nodes(out, view);

  // running pods, by (group, class, node), as groups of the cluster or groups of one
  struct held {
    pod_count pods = 0, leaving = 0;
    time_point until = beginning_of_time;
    std::vector<const pod_record<M>*> who;
  };
  std::map<std::tuple<std::uint64_t, std::uint32_t, std::uint64_t>, held> runs;
  std::map<std::uint64_t, const pod_record<M>*> singles;
  for (std::uint32_t p = 0; p < view.size(); ++p)
    view.visit_pods_on(p, [&](const pod_record<M>& pod) {
      const group_record<M>* group = view.group(view.group_of(pod));
      if (group == nullptr || group->id == question.id || pod.pod_set >= group->spec.pod_sets.size() ||
          !(group->spec.pod_sets[pod.pod_set].request == pod.request)) {
        singles.emplace(number(pod.id), &pod);
        return;
      }
      held& here = runs[{number(group->id), pod.pod_set, number(view.id(p))}];
      ++here.pods;
      here.who.push_back(&pod);
      if (pod.phase == phase::terminating) {
        ++here.leaving;
        here.until = std::max(here.until, pod.until);
      }
    });
  std::map<std::uint64_t, const group_record<M>*> groups;
  for (const auto& [key, here] : runs) groups.emplace(std::get<0>(key), view.group(group_id{std::get<0>(key)}));
  view.visit_set_asides([&](const set_aside<M>& kept, std::uint32_t) {
    if (const group_record<M>* group = view.group(kept.group); group != nullptr && kept.group != question.id)
      groups.emplace(number(kept.group), group);
  });

  const std::string asked = word('g', number(question.id));
  out = put_group(out, view, question, asked, &filter);
  for (const auto& [key, group] : groups)
    out = put_group(out, view, group->spec, word('g', key), static_cast<const Filter*>(nullptr));
  for (const auto& [key, pod] : singles) {
    pod_group<M> one;
    one.disruption = disruption_mode::single;
    one.priority = pod->priority;
    one.pod_sets.push_back({pod->request, 1, 0});
    out = put_group(out, view, one, word('p', key), static_cast<const Filter*>(nullptr));
  }

  const auto put_run = [&](const std::string& who, const std::string& node, const held& here) {
    out = put(put_word(put(put(put(put(out, "run "), who), " "), node), here.pods), "\n");
    if (here.leaving > 0) {
      out = put_word(put(put(put(put(out, "leaving "), who), " "), node), here.leaving);
      out = put(put_word(out, here.until == end_of_time ? seconds(view.time()) + 1'000'000'000 : seconds(here.until)),
                "\n");
    }
    for (const pod_record<M>* pod : here.who) out = case_columns<M>::put_grant_lines(out, who + " " + node, pod->grant);
  };
  for (const auto& [key, here] : runs) {
    std::string who = word('g', std::get<0>(key)) + " ";
    put(std::back_inserter(who), std::get<1>(key));
    put_run(who, word('n', std::get<2>(key)), here);
  }
  for (const auto& [key, pod] : singles) {
    held here{1, pod->phase == phase::terminating ? 1 : 0, pod->until, {pod}};
    put_run(word('p', key) + " 0", word('n', number(view.node_of(*pod))), here);
  }
  view.visit_set_asides([&](const set_aside<M>& kept, std::uint32_t position) {
    const bool known = kept.group == question.id || groups.contains(number(kept.group));
    if (!known) return;
    if constexpr (M::grant_follows_from_request) {
      out = put(put(put(put(out, "kept "), word('g', number(kept.group))), " "), word('n', number(view.id(position))));
      out = case_columns<M>::put_request(out, kept.grant);
      if (kept.until != end_of_time) out = put_word(out, seconds(kept.until));
      out = put(out, "\n");
    }
  });
  return put(put(put(out, "query feasible "), asked), "\nend\n");
}

}  // namespace muster::inline MUSTER_ABI

#endif
