// SPDX-License-Identifier: BSL-1.0
#include "case_instance.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace oracle {
namespace {

// The domain of the required level in which a node lies.
int required_domain(const reference::instance& of, std::size_t at) {
  return *of.required == of.levels ? static_cast<int>(at) : of.nodes[at].domains[*of.required];
}

// Where pods of the gang run, the required domain is theirs; of those in none, or in several, nothing is said.
void close_other_domains(reference::instance& of) {
  for (std::size_t held = 0; of.required && held < of.nodes.size(); ++held) {
    for (std::size_t at = 0; of.nodes[held].held > 0 && at < of.nodes.size(); ++at) {
      of.nodes[at].open = of.nodes[at].open && required_domain(of, at) == required_domain(of, held) &&
                          required_domain(of, held) != reference::no_domain;
    }
  }
}

}  // namespace

reference::instance to_instance(const case_data& of) {
  const auto& asked = of.groups[of.asked_group];
  reference::instance made;
  made.levels = level_count;
  made.min_count = of.needed(of.asked_group);
  made.required = asked.topology;
  if (asked.per_node != 0) {
    made.limits.push_back({level_count, asked.per_node});
  }
  for (std::size_t level = 0; level <= level_count; ++level) {
    if (asked.at_most[level]) {
      made.limits.push_back({level, *asked.at_most[level]});
    }
  }
  std::vector<amount> have;
  amount have_all = 0;
  for (std::size_t which = 0; which < asked.classes.size(); ++which) {
    have.push_back(asked.classes[which].apart ? 0 : of.have(of.asked_group, which));
    have_all += have.back();
  }
  // A group of which none waits keeps the size it has.
  if (asked.sizes && (!asked.may_run() || asked.waiting() > 0)) {
    made.sizes =
        reference::size_rule{asked.sizes->smallest - have_all, asked.sizes->largest - have_all, asked.sizes->step};
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
  for (const auto& each : of.runs) {
    if (each.group == of.asked_group && each.count > each.leaving) {
      made.nodes[each.node].held += each.count - each.leaving;
    }
  }
  close_other_domains(made);
  for (std::size_t which = 0; which < asked.classes.size() && !asked.classes[which].apart; ++which) {
    const auto& one = asked.classes[which];
    reference::pod_class each{asked.waiting(which), one.request, std::max<amount>(one.minimum - have[which], 0), {}};
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

bool runs_apart(const case_data& of) {
  const auto made = to_instance(of);
  std::set<int> domains;
  for (std::size_t at = 0; made.required && at < made.nodes.size(); ++at) {
    if (made.nodes[at].held > 0) {
      domains.insert(required_domain(made, at));
    }
  }
  return domains.size() > 1 || domains.contains(reference::no_domain);
}

}  // namespace oracle
