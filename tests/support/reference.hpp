// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_SUPPORT_REFERENCE_HPP
#define MUSTER_TESTS_SUPPORT_REFERENCE_HPP

// An independent answer to "does this gang fit", for tests only.
//
// It shares no code with the library and takes the obvious road: the set of all
// vectors (pods placed of every class) that the nodes can hold together, built
// node by node. Everything asked about the gang is then read off that set. The
// price is memory and time in the product of the class sizes, so this is for
// small gangs, or gangs of few classes.
//
//   instance   what is asked, as plain numbers
//   solve()    exact; nothing when the instance is above `work_limit`
//   alike_max  the most pods of a gang of one class, any size, O(nodes x levels)
//
// Rules. A pod fits a node that is open, where its class may go, and that has as
// much free of every resource it asks for (a resource not asked for is not
// looked at). Levels are numbered from the outermost, 0; the node itself is the
// level below the last, so `levels` itself names it. With `required`, all pods
// are in one domain of that level, and nodes without one take none. A limit is
// at most k pods of the gang in any one domain of its level, those that are there
// already included; nodes without a domain of that level are not limited by it.
// Domains nest.

#include "reference_set.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <vector>

namespace reference {

inline constexpr int no_domain = -1;

struct node {
  counts free;
  std::vector<int> domains;  // of every level, or no_domain
  bool open = true;
  count held = 0;  // pods of the gang that are there already
};

struct pod_class {
  count pods = 0;
  counts request;
  count minimum = 0;
  std::vector<bool> barred;  // by node; empty: none
};

struct limit {
  std::size_t level = 0;
  count most = 0;
};

struct size_rule {
  count smallest = 0;
  count largest = std::numeric_limits<count>::max();
  count step = 1;
};

struct instance {
  std::size_t levels = 0;
  std::vector<node> nodes;
  std::vector<pod_class> classes;
  count min_count = 0;
  std::optional<std::size_t> required;
  std::vector<limit> limits;
  std::optional<size_rule> sizes;  // absent: any size
};

struct result {
  bool feasible = false;
  count max = 0;            // most pods, whatever the minima and sizes
  count largest_legal = 0;  // most pods that keep all minima and a legal size; 0 when infeasible
};

[[nodiscard]] inline bool legal_size(const instance& of, count size) {
  return !of.sizes ||
         (size >= of.sizes->smallest && size <= of.sizes->largest && (size - of.sizes->smallest) % of.sizes->step == 0);
}

// What a gang needs at least: its own minimum, and those of its classes.
[[nodiscard]] inline count least_size(const instance& of) {
  count sum = 0;
  for (const auto& each : of.classes) {
    sum += each.minimum;
  }
  return std::max(of.min_count, sum);
}

[[nodiscard]] inline bool may_use(const instance& of, std::size_t which, std::size_t at) {
  const auto& barred = of.classes[which].barred;
  return of.nodes[at].open && (barred.empty() || !barred[at]);
}

// How many pods of one class fit on one node alone, limits aside.
[[nodiscard]] inline count fitting(const instance& of, std::size_t which, std::size_t at) {
  if (!may_use(of, which, at)) {
    return 0;
  }
  const auto& asked = of.classes[which];
  count most = asked.pods;
  for (std::size_t r = 0; r < asked.request.size(); ++r) {
    if (asked.request[r] > 0) {
      const count free = std::max<count>(of.nodes[at].free[r], 0);
      most = std::min(most, free / asked.request[r]);
    }
  }
  return most;
}

// The sets of nodes that may be used together: one for each domain of the
// required level, or all nodes.
[[nodiscard]] inline std::vector<std::vector<std::size_t>> arenas(const instance& of) {
  std::map<int, std::vector<std::size_t>> by_domain;
  for (std::size_t at = 0; at < of.nodes.size(); ++at) {
    const bool by_node = of.required && *of.required == of.levels;
    const int domain = !of.required ? 0 : by_node ? static_cast<int>(at) : of.nodes[at].domains[*of.required];
    if (domain != no_domain) {
      by_domain[domain].push_back(at);
    }
  }
  std::vector<std::vector<std::size_t>> sets;
  for (auto& [domain, nodes] : by_domain) {
    sets.push_back(std::move(nodes));
  }
  return sets;
}

[[nodiscard]] inline count limit_at(const instance& of, std::size_t level) {
  count most = std::numeric_limits<count>::max();
  for (const auto& each : of.limits) {
    if (each.level == level) {
      most = std::min(most, each.most);
    }
  }
  return most;
}

// How many more pods of the gang the limit of a level leaves room for in the domain of a node; at the level below the
// last in the node itself.
[[nodiscard]] inline count room_at(const instance& of, std::size_t level, std::size_t at) {
  const count most = limit_at(of, level);
  if (most == std::numeric_limits<count>::max()) {
    return most;
  }
  count held = 0;
  for (std::size_t each = 0; each < of.nodes.size(); ++each) {
    const bool same = level == of.levels ? each == at : of.nodes[each].domains[level] == of.nodes[at].domains[level];
    held += same ? of.nodes[each].held : 0;
  }
  return std::max<count>(most - held, 0);
}

// Joins what the nodes of one arena hold, from the node level outwards: at each
// limited level the parts of one domain are joined and cut to its limit; in the
// end all parts are joined. `Join(a, b)` and `cut(a, k)` work on the parts.
template <typename Part, typename Join, typename Cut>
[[nodiscard]] Part gather(const instance& of, const std::vector<std::size_t>& nodes, std::vector<Part> parts, Part none,
                          Join join, Cut cut) {
  std::vector<std::size_t> stands_for = nodes;  // one node of every part
  for (std::size_t each = 0; each < parts.size(); ++each) {
    cut(parts[each], room_at(of, of.levels, nodes[each]));
  }
  for (std::size_t level = of.levels; level-- > 0;) {
    if (limit_at(of, level) == std::numeric_limits<count>::max()) {
      continue;
    }
    std::map<int, std::size_t> first;  // part of every domain met so far
    std::vector<Part> joined;
    std::vector<std::size_t> joined_for;
    std::vector<bool> limited;
    for (std::size_t each = 0; each < parts.size(); ++each) {
      const int domain = of.nodes[stands_for[each]].domains[level];
      const auto known = first.find(domain);
      if (domain == no_domain || known == first.end()) {
        first.emplace(domain, joined.size());
        joined.push_back(std::move(parts[each]));
        joined_for.push_back(stands_for[each]);
        limited.push_back(domain != no_domain);
      } else {
        joined[known->second] = join(joined[known->second], parts[each]);
      }
    }
    for (std::size_t each = 0; each < joined.size(); ++each) {
      if (limited[each]) {
        cut(joined[each], room_at(of, level, joined_for[each]));
      }
    }
    parts = std::move(joined);
    stands_for = std::move(joined_for);
  }
  for (const auto& part : parts) {
    none = join(none, part);
  }
  return none;
}

// The most pods of a gang of one class.
[[nodiscard]] inline count alike_max(const instance& of) {
  count best = 0;
  const count wanted = of.classes.front().pods;
  for (const auto& nodes : arenas(of)) {
    std::vector<count> parts;
    for (const auto at : nodes) {
      parts.push_back(fitting(of, 0, at));
    }
    best = std::max(best, gather<count>(
                              of, nodes, std::move(parts), 0,
                              [&](count left, count right) { return std::min(wanted, left + right); },
                              [](count& part, count most) { part = std::min(part, most); }));
  }
  return best;
}

[[nodiscard]] inline counts most_of(const instance& of) {
  counts most;
  for (const auto& each : of.classes) {
    most.push_back(each.pods);
  }
  return most;
}

// All count vectors that one node holds.
[[nodiscard]] inline vector_set on_one_node(const instance& of, std::size_t at) {
  vector_set held{most_of(of)};
  counts chosen(of.classes.size(), 0);
  counts free = of.nodes[at].free;
  const auto choose = [&](const auto& again, std::size_t which) -> void {
    if (which == chosen.size()) {
      held.insert(chosen);
      return;
    }
    const auto before = free;
    const auto& asked = of.classes[which];
    for (chosen[which] = 0; chosen[which] <= asked.pods; ++chosen[which]) {
      if (chosen[which] > 0) {
        bool fits = may_use(of, which, at);
        for (std::size_t r = 0; fits && r < free.size(); ++r) {
          free[r] -= asked.request[r];
          fits = asked.request[r] == 0 || free[r] >= 0;
        }
        if (!fits) {
          break;
        }
      }
      again(again, which + 1);
    }
    chosen[which] = 0;
    free = before;
  };
  choose(choose, 0);
  return held;
}

inline constexpr double work_limit = 2e7;

// Steps that solve() may need, roughly, from the sizes alone.
[[nodiscard]] inline double work(const instance& of) {
  double vectors = 1;
  for (const auto& each : of.classes) {
    vectors *= static_cast<double>(each.pods) + 1;
  }
  double steps = 0;
  for (std::size_t at = 0; at < of.nodes.size(); ++at) {
    double here = 1;
    for (std::size_t which = 0; which < of.classes.size(); ++which) {
      here *= static_cast<double>(fitting(of, which, at)) + 1;
    }
    steps += vectors * here;
  }
  return steps + vectors;
}

[[nodiscard]] inline std::optional<result> solve(const instance& of, double most_work = work_limit) {
  if (work(of) > most_work) {
    return std::nullopt;
  }
  result found;
  const auto least = least_size(of);
  const auto judge = [&](const counts& placed) {
    const auto size = vector_set::total(placed);
    found.max = std::max(found.max, size);
    bool enough = size >= least && legal_size(of, size);
    for (std::size_t which = 0; enough && which < placed.size(); ++which) {
      enough = placed[which] >= of.classes[which].minimum;
    }
    if (enough) {
      found.feasible = true;
      found.largest_legal = std::max(found.largest_legal, size);
    }
  };
  judge(counts(of.classes.size(), 0));  // no pod at all needs no domain
  vector_set nothing{most_of(of)};
  nothing.insert(counts(of.classes.size(), 0));
  for (const auto& nodes : arenas(of)) {
    std::vector<vector_set> parts;
    for (const auto at : nodes) {
      parts.push_back(on_one_node(of, at));
    }
    const auto reached = gather<vector_set>(
        of, nodes, std::move(parts), nothing,
        [](const vector_set& left, const vector_set& right) { return left.sum_with(right); },
        [](vector_set& part, count most) { part.keep_at_most(most); });
    for (const auto& placed : reached.members()) {
      judge(placed);
    }
  }
  return found;
}

}  // namespace reference

#endif
