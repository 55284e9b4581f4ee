// SPDX-License-Identifier: BSL-1.0
#include "gang_turns.hpp"
#include "gangs.hpp"
#include "pod_by_pod.hpp"
#include "quota_then_pods.hpp"
#include "rule.hpp"

#include <stdexcept>
#include <string>

namespace replay {

namespace {

constexpr rule_entry rules[] = {
    {"pods", "pod by pod",
     "each pod takes a place as soon as it fits, in one queue by its last attempt, and holds it to the end",
     seen_as::pods, [](const cluster_placer&) -> std::unique_ptr<rule> { return std::make_unique<pod_by_pod>(true); }},
    {"quota", "quota, then pods",
     "a job is let in when the sum of free GPUs covers it; its pods are then placed one by one", seen_as::pods,
     [](const cluster_placer& cluster) -> std::unique_ptr<rule> {
       return std::make_unique<quota_then_pods>(cluster.total_gpus());
     }},
    {"gangs", "gangs, best effort", "in order of arrival, every gang that fits whole is placed whole", seen_as::gang,
     [](const cluster_placer&) -> std::unique_ptr<rule> { return std::make_unique<gangs_best_effort>(); }},
    {"strict", "gangs, strict order", "only the first gang of the queue may be placed; it blocks the others",
     seen_as::gang,
     [](const cluster_placer&) -> std::unique_ptr<rule> { return std::make_unique<gangs_strict_order>(); }},
    {"pods_in_order", "pods, in order",
     "pod by pod, but the queue stays in order of arrival: a failed attempt costs no place", seen_as::pods,
     [](const cluster_placer&) -> std::unique_ptr<rule> { return std::make_unique<pod_by_pod>(false); }},
    {"gang_turns", "gangs, whole turns", "as gangs, the whole queue handed to muster::schedule() at every change",
     seen_as::gang, [](const cluster_placer&) -> std::unique_ptr<rule> { return std::make_unique<gang_turns>(false); }},
    {"strict_turns", "strict, whole turns", "as strict, the whole queue handed to muster::schedule() at every change",
     seen_as::gang, [](const cluster_placer&) -> std::unique_ptr<rule> { return std::make_unique<gang_turns>(true); }},
};

}  // namespace

std::span<const rule_entry> all_rules() { return rules; }

std::vector<rule_entry> rules_named(std::string_view list) {
  std::vector<rule_entry> chosen;
  while (true) {
    const std::size_t comma = list.find(',');
    const std::string_view key = list.substr(0, comma);
    bool found = false;
    for (const rule_entry& entry : rules) {
      if (entry.key != key) continue;
      chosen.push_back(entry);
      found = true;
    }
    if (!found) {
      std::string known;
      for (const rule_entry& entry : rules) known += (known.empty() ? "" : ",") + std::string(entry.key);
      throw std::runtime_error("--rules: no rule '" + std::string(key) + "' among " + known);
    }
    if (comma == std::string_view::npos) return chosen;
    list.remove_prefix(comma + 1);
  }
}

}  // namespace replay
