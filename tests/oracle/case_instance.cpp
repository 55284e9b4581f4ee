// SPDX-License-Identifier: BSL-1.0
#include "case_instance.hpp"

#include <array>
#include <map>
#include <string>

namespace oracle {

reference::instance to_instance(const case_data& of) {
  const auto& asked = of.groups[of.asked_group];
  reference::instance made;
  made.levels = level_count;
  made.min_count = asked.min();
  made.required = asked.topology;
  if (asked.per_node != 0) {
    made.limits.push_back({level_count, asked.per_node});
  }
  for (std::size_t level = 0; level <= level_count; ++level) {
    if (asked.at_most[level]) {
      made.limits.push_back({level, *asked.at_most[level]});
    }
  }
  if (asked.sizes) {
    made.sizes = reference::size_rule{asked.sizes->smallest, asked.sizes->largest, asked.sizes->step};
  }
  const auto free = of.free(of.asked_group);
  std::array<std::map<std::string, int>, level_count> domains;
  for (std::size_t at = 0; at < of.nodes.size(); ++at) {
    reference::node each{free[at], {}, of.open(at)};
    for (std::size_t level = 0; level < level_count; ++level) {
      const auto& label = of.nodes[at].labels[level];
      const auto fresh = static_cast<int>(domains[level].size());
      each.domains.push_back(label.empty() ? reference::no_domain : domains[level].emplace(label, fresh).first->second);
    }
    made.nodes.push_back(std::move(each));
  }
  for (const auto& one : asked.classes) {
    reference::pod_class each{one.count, one.request, one.minimum, {}};
    for (std::size_t at = 0; !one.barred.empty() && at < of.nodes.size(); ++at) {
      bool barred = false;
      for (const auto& bar : one.barred) {
        barred = barred || bar.kind == of.nodes[at].kind;
      }
      each.barred.push_back(barred);
    }
    made.classes.push_back(std::move(each));
  }
  return made;
}

}  // namespace oracle
