// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_ORACLE_RANDOM_CASE_HPP
#define MUSTER_TESTS_ORACLE_RANDOM_CASE_HPP

// Small random cases with every constraint the format can state but devices.

#include "../support/generator.hpp"
#include "case_file.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace oracle {

[[nodiscard]] inline case_data random_case(muster_test::generator& random, std::int64_t most_classes,
                                           bool same_request) {
  case_data made;
  made.name = "random";
  made.now = 100;
  const auto resources = static_cast<std::size_t>(random.between(1, 3));
  for (std::size_t r = 0; r < resources; ++r) {
    made.resources.push_back(r == 0 ? "gpu" : "r" + std::to_string(r));
  }
  const auto nodes = random.between(1, 6);
  for (std::int64_t at = 0; at < nodes; ++at) {
    node each;
    each.name = "n" + std::to_string(at);
    for (std::size_t r = 0; r < resources; ++r) {
      each.capacity.push_back(random.between(0, 8));
    }
    const auto rack = random.between(0, 4);  // 4: none; two racks a block, all in one zone
    if (rack < 4) {
      each.labels = {"", "", "", "", "", "z", "b" + std::to_string(rack / 2), "r" + std::to_string(rack)};
    } else if (random.chance(50)) {
      each.labels = {"", "", "", "", "", "z", "b0", ""};
    }
    each.kind = random.between(0, 2);
    if (random.chance(10)) {
      each.closed = time_window{random.between(90, 110), random.between(95, 120)};
      each.closed->until = std::max(each.closed->until, each.closed->from + 1);
    }
    each.lost = random.chance(5);
    made.nodes.push_back(each);
  }
  const auto request = [&] {
    amounts each;
    for (std::size_t r = 0; r < resources; ++r) {
      each.push_back(random.between(0, 4));
    }
    return each;
  };
  group busy;
  busy.name = "busy";
  busy.classes.push_back({100, request(), 0, {}});
  group asked;
  asked.name = "asked";
  const auto classes = random.between(1, most_classes);
  const auto shared = request();
  for (std::int64_t which = 0; which < classes; ++which) {
    pod_class each;
    each.count = random.between(1, classes == 1 ? 12 : 4);
    each.request = same_request ? shared : request();
    each.minimum = random.chance(25) ? random.between(0, each.count) : 0;
    if (!same_request && random.chance(25)) {
      each.barred.push_back({random.between(0, 2), 1});
    }
    asked.classes.push_back(each);
  }
  asked.stated_min = random.between(1, asked.pods());
  if (random.chance(35)) {
    asked.topology = first_plain_level + static_cast<std::size_t>(random.between(0, 3));
  }
  asked.per_node = random.chance(30) ? random.between(1, 3) : 0;
  for (std::size_t level = first_plain_level; level < level_count; ++level) {
    if (random.chance(20)) {
      asked.at_most[level] = random.between(1, 4);
    }
  }
  if (random.chance(25)) {
    const auto smallest = random.between(1, asked.pods());
    asked.sizes = size_rule{smallest, random.between(smallest, asked.pods()), random.between(1, 3)};
  }
  made.groups = {busy, asked};
  made.asked_group = 1;
  for (std::size_t at = 0; at < made.nodes.size(); ++at) {
    if (random.chance(30)) {
      made.runs.push_back({0, 0, at, random.between(1, 2), 0, 0, {}, {}});
    }
    if (random.chance(10)) {
      amounts kept(resources, 1);
      made.kept.push_back({static_cast<std::size_t>(random.between(0, 1)), at, kept, random.between(99, 102)});
    }
  }
  return made;
}

// Lets some of the asked group run, wherever; some of its pods may have left, succeeded, or be unknown yet.
inline void let_run(muster_test::generator& random, case_data& of) {
  auto& classes = of.groups[of.asked_group].classes;
  const auto home = static_cast<std::size_t>(random.below(of.nodes.size()));
  const bool together = random.chance(60);
  for (std::size_t which = 0; which < classes.size(); ++which) {
    auto& each = classes[which];
    amount left = each.count;
    for (std::size_t at = 0; at < of.nodes.size(); ++at) {
      if (left == 0 || of.nodes[at].lost || !random.chance(together ? (at == home ? 70 : 5) : 30)) {
        continue;
      }
      run made{of.asked_group, which, at, random.between(1, std::min<amount>(left, 2)), 0, 0, {}, {}};
      left -= made.count;
      if (random.chance(20)) {
        made.leaving = 1;
        made.until = 500;
      }
      of.runs.push_back(made);
    }
    if (left > 0 && random.chance(15)) {
      each.succeeded = 1;
      --left;
    }
    each.waiting = random.chance(80) ? left : random.between(0, left);
  }
}

}  // namespace oracle

#endif
