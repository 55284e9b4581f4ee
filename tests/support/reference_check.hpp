// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_SUPPORT_REFERENCE_CHECK_HPP
#define MUSTER_TESTS_SUPPORT_REFERENCE_CHECK_HPP

// Whether a placement keeps every constraint of an instance, from the instance
// alone: what each node and each domain holds is added up anew and compared.

#include "reference.hpp"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace reference {

struct seat {
  std::size_t pod_class = 0;
  std::size_t node = 0;
  count pods = 0;
};

// The first broken rule in words, or nothing when the placement holds. With
// `enough`, the gang must also have what it needs to start.
[[nodiscard]] inline std::string broken_rule(const instance& of, const std::vector<seat>& placed, bool enough = true) {
  const auto number = [](auto value) { return std::to_string(value); };
  counts of_class(of.classes.size(), 0);
  counts on_node(of.nodes.size(), 0);
  std::vector<counts> used;
  for (const auto& each : of.nodes) {
    used.emplace_back(each.free.size(), 0);
  }
  count size = 0;
  for (const auto& each : placed) {
    if (each.pod_class >= of.classes.size()) {
      return "class " + number(each.pod_class) + " does not exist";
    }
    if (each.node >= of.nodes.size()) {
      return "node " + number(each.node) + " does not exist";
    }
    const auto& asked = of.classes[each.pod_class];
    if (each.pods <= 0 || each.pods > asked.pods) {
      return number(each.pods) + " pods of class " + number(each.pod_class) + " in one seat";
    }
    if (!may_use(of, each.pod_class, each.node)) {
      return "class " + number(each.pod_class) + " may not use node " + number(each.node);
    }
    of_class[each.pod_class] += each.pods;
    on_node[each.node] += each.pods;
    size += each.pods;
    for (std::size_t r = 0; r < asked.request.size(); ++r) {
      used[each.node][r] += each.pods * asked.request[r];
    }
  }
  for (std::size_t which = 0; which < of_class.size(); ++which) {
    if (of_class[which] > of.classes[which].pods) {
      return "class " + number(which) + " has " + number(of_class[which]) + " of " + number(of.classes[which].pods) +
             " pods placed";
    }
    if (enough && of_class[which] < of.classes[which].minimum) {
      return "class " + number(which) + " is below its minimum";
    }
  }
  std::set<int> required_domains;
  for (std::size_t at = 0; at < of.nodes.size(); ++at) {
    const auto& free = of.nodes[at].free;
    for (std::size_t r = 0; r < free.size(); ++r) {
      if (used[at][r] > 0 && used[at][r] > free[r]) {
        return "node " + number(at) + " is over its free amount of resource " + number(r);
      }
    }
    if (on_node[at] > 0 && of.required) {
      const bool by_node = *of.required == of.levels;
      const int domain = by_node ? static_cast<int>(at) : of.nodes[at].domains[*of.required];
      if (domain == no_domain) {
        return "node " + number(at) + " is in no domain of the required level";
      }
      required_domains.insert(domain);
    }
  }
  if (required_domains.size() > 1) {
    return "pods in " + number(required_domains.size()) + " domains of the required level";
  }
  for (const auto& each : of.limits) {
    std::map<int, count> in_domain;  // new pods
    std::map<int, count> held;
    for (std::size_t at = 0; at < of.nodes.size(); ++at) {
      const int domain = each.level == of.levels ? static_cast<int>(at) : of.nodes[at].domains[each.level];
      if (domain != no_domain) {
        in_domain[domain] += on_node[at];
        held[domain] += of.nodes[at].held;
      }
    }
    for (const auto& [domain, pods] : in_domain) {
      if (pods > 0 && pods > each.most - held[domain]) {
        return "more than " + number(each.most) + " pods in one domain of level " + number(each.level);
      }
    }
  }
  if (enough && size < least_size(of)) {
    return number(size) + " pods placed, " + number(least_size(of)) + " needed";
  }
  if (enough && !legal_size(of, size)) {
    return number(size) + " pods are no legal size";
  }
  return {};
}

}  // namespace reference

#endif
