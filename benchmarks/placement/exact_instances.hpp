// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_BENCHMARKS_PLACEMENT_EXACT_INSTANCES_HPP
#define MUSTER_BENCHMARKS_PLACEMENT_EXACT_INSTANCES_HPP

/// \file
/// Gangs of unlike pods that are hard to judge: at the last yes and the first no, or asking all that prices allow.
///
/// Nodes have GPUs, CPU and memory. What is in use follows one of four sets, with a *level* that says how much is free:
///
/// - A: all nodes are partly used, each resource for itself;
/// - B: a few dozen nodes as in A, all others full;
/// - C: whole nodes are free, the others full;
/// - D: as A, in eighths of a node, all resources alike.
///
/// A gang has a few pod sets of 8, 4, 2 or 1 GPUs, or of odd numbers; CPU and memory follow the GPUs, run against them,
/// or are anything. The same seed gives the same instances everywhere, as far as prices refuse the same gangs.

#include <muster/placement/place.hpp>

#include "support/scene.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

namespace muster_bench {

using trio = gpus_cpu_memory;
using trio_amounts = std::array<muster::amount, 3>;

/// Nodes with one pod each that takes what is in use.
struct node_uses {
  std::vector<trio_amounts> has, free;
};

struct instance {
  std::shared_ptr<muster::cluster<trio>> nodes;
  muster::pod_group<trio> group;
};

/// \param rack nodes of a rack, eight of which are a zone; 0: there are neither
[[nodiscard]] inline std::shared_ptr<muster::cluster<trio>> build(const node_uses& of, std::size_t rack = 0) {
  auto made = std::make_shared<muster::cluster<trio>>(muster::nested_levels(rack == 0 ? 0 : 2));
  std::uint64_t last = 0, pods = 0;
  const auto tell = [&](const auto& what) {
    if (muster::apply(*made, muster::change<trio>{muster::revision{++last}, what}).outcome !=
        muster::apply_outcome::applied) {
      std::fprintf(stderr, "an instance of the benchmarks was not taken\n");
      std::abort();
    }
  };
  for (std::size_t i = 0; i < of.has.size(); ++i) {
    const muster::node_id id{muster::mixed(i) >> 1U};
    muster::node_spec<trio> node{id, muster::kind_id{0}, of.has[i], {}};
    if (rack != 0) {
      node.labels.push_back(muster::label_id{1 + static_cast<std::uint32_t>(i / rack / 8)});
      node.labels.push_back(muster::label_id{1 + static_cast<std::uint32_t>(i / rack)});
    }
    tell(muster::node_seen<trio>{node});
    trio_amounts used = of.has[i];
    for (std::size_t r = 0; r < 3; ++r) used[r] -= of.free[i][r];
    if (used == trio_amounts{}) continue;
    muster::pod_seen<trio> seen;
    seen.pod = muster::pod_id{++pods};
    seen.request = used;
    tell(seen);
    tell(muster::pod_placed<trio>{seen.pod, id, muster::placing::bound, {}, {}});
  }
  return made;
}

[[nodiscard]] inline muster::pod_count pods_of(const muster::pod_group<trio>& group) {
  muster::pod_count sum = 0;
  for (const auto& set : group.pod_sets) sum += set.count;
  return sum;
}

namespace exact_parts {

[[nodiscard]] inline muster::amount between(seeded& draw, muster::amount least, muster::amount most) {
  return least + static_cast<muster::amount>(draw.below(static_cast<std::uint64_t>(most - least + 1)));
}

/// Nodes with anything free.
[[nodiscard]] inline std::size_t open_nodes(const node_uses& of) {
  return static_cast<std::size_t>(
      std::count_if(of.free.begin(), of.free.end(), [](const trio_amounts& free) { return free != trio_amounts{}; }));
}

/// A gang of this many pods, shared out at random to sets of these requests.
[[nodiscard]] inline muster::pod_group<trio> gang_of(seeded& draw, const std::vector<trio_amounts>& requests,
                                                     muster::pod_count pods) {
  muster::pod_group<trio> group;
  group.id = muster::group_id{~std::uint64_t{1}};
  group.disruption = muster::disruption_mode::all;
  std::vector<muster::amount> weights;
  muster::amount all = 0;
  for (std::size_t s = 0; s < requests.size(); ++s) all += weights.emplace_back(between(draw, 1, 100));
  for (std::size_t s = 0; s < requests.size(); ++s)
    group.pod_sets.push_back({requests[s], std::max<muster::pod_count>(1, pods * weights[s] / all), 0});
  return group;
}

/// A gang of this many pods in so many sets; each pod fits on one open node in sixteen at least.
[[nodiscard]] inline muster::pod_group<trio> draw_gang(seeded& draw, const node_uses& on, std::size_t sets,
                                                       muster::pod_count pods) {
  static constexpr std::array<muster::amount, 5> powers{8, 4, 2, 1, 0}, odd{7, 5, 3, 2, 1};
  const auto& sizes = draw.below(2) == 0 ? powers : odd;
  const std::uint64_t kind = draw.below(3);
  const auto draw_request = [&]() -> trio_amounts {
    const muster::amount g = sizes[draw.below(sizes.size())];
    if (kind == 0) return {g, g * 11 + between(draw, 1, 8), g * 90 + between(draw, 4, 64)};
    if (kind == 1) return {g, (9 - g) * between(draw, 2, 9), (9 - g) * between(draw, 16, 64)};
    return {g, between(draw, 1, 64), between(draw, 4, 512)};
  };
  const auto sits = [&](const trio_amounts& request) {
    const auto fits = [&](const trio_amounts& free) { return trio::fits(free, request); };
    return std::count_if(on.free.begin(), on.free.end(), fits) * 16 >= static_cast<std::ptrdiff_t>(open_nodes(on));
  };
  std::vector<trio_amounts> requests;
  for (std::size_t s = 0; s < sets; ++s) {
    trio_amounts one = draw_request();
    while (!sits(one))
      one = {one[0] / 2, std::max<muster::amount>(1, one[1] / 2), std::max<muster::amount>(1, one[2] / 2)};
    requests.push_back(one);
  }
  return gang_of(draw, requests, pods);
}

/// What nodes have: one to three types.
[[nodiscard]] inline std::vector<trio_amounts> draw_nodes(seeded& draw, std::size_t nodes) {
  static constexpr trio_amounts types[] = {{8, 96, 768}, {8, 128, 1024}, {4, 64, 512}, {16, 192, 1536}, {8, 64, 384}};
  const std::size_t first = draw.below(5), kinds = 1 + draw.below(3);
  std::vector<trio_amounts> has;
  for (std::size_t i = 0; i < nodes; ++i) has.push_back(types[(first + draw.below(kinds)) % 5]);
  return has;
}

inline constexpr std::uint32_t levels = 1U << 14U;

/// What is free at a level, 0 to `levels`: never less at a higher one.
class use_set {
 public:
  use_set(char set, std::vector<trio_amounts> has, seeded& draw) : set_{set}, has_{std::move(has)} {
    const std::size_t open = set == 'B' ? std::min<std::size_t>(has_.size(), 20 + draw.below(41)) : has_.size();
    rank_.resize(has_.size());
    for (std::size_t i = 0; i < rank_.size(); ++i) rank_[i] = i;
    for (std::size_t i = rank_.size(); i > 1; --i) std::swap(rank_[i - 1], rank_[draw.below(i)]);
    for (std::size_t i = 0; i < has_.size(); ++i) {
      std::array<std::uint32_t, 3> share{};
      for (auto& one : share) one = static_cast<std::uint32_t>(512 + draw.below(1024));
      if (rank_[i] >= open) share.fill(0);
      shares_.push_back(share);
    }
  }

  [[nodiscard]] node_uses at(std::uint32_t level) const {
    node_uses made{has_, {}};
    for (std::size_t i = 0; i < has_.size(); ++i) {
      trio_amounts free{};
      for (std::size_t r = 0; r < 3; ++r) {
        const auto share = std::min<std::uint64_t>(1024, std::uint64_t{shares_[i][r]} * level / levels);
        if (set_ == 'C')
          free[r] = rank_[i] * levels < std::uint64_t{level} * has_.size() ? has_[i][r] : 0;
        else if (set_ == 'D')
          free[r] =
              has_[i][r] * static_cast<muster::amount>(shares_[i][0] * std::uint64_t{level} / levels * 8 / 1024) / 8;
        else
          free[r] = has_[i][r] * static_cast<muster::amount>(share) / 1024;
        free[r] = std::min(free[r], has_[i][r]);
      }
      made.free.push_back(free);
    }
    return made;
  }

 private:
  char set_;
  std::vector<trio_amounts> has_;
  std::vector<std::uint64_t> rank_;
  std::vector<std::array<std::uint32_t, 3>> shares_;
};

/// Whether nothing short of a search refuses the gang.
[[nodiscard]] inline bool prices_allow(const instance& of, muster::workspace<trio>& space) {
  muster::place_options<> options;
  options.budget = 400'000;
  const auto& answer = place(of.nodes->view(), of.group, space, options);
  for (const muster::domain_refusal& one : answer.proof.refusals)
    if (one.when == muster::tense::now) return one.kind == muster::proof_kind::exhausted;
  return true;
}

/// The most of `from` .. `to` that is allowed, if `from` is. \param allowed asked with a number; not again once false
template <class Allowed>
[[nodiscard]] std::int64_t most_allowed(std::int64_t from, std::int64_t to, Allowed&& allowed) {
  while (from < to) {
    const std::int64_t middle = from + (to - from + 1) / 2;
    if (allowed(middle))
      from = middle;
    else
      to = middle - 1;
  }
  return from;
}

/// Scales the gang to what prices allow, then adds pods set by set until no more of any set is allowed.
inline void push_to_prices(instance& in, seeded& draw, muster::workspace<trio>& space) {
  const auto shape = in.group.pod_sets;
  const auto scale = [&](std::int64_t by) {
    for (std::size_t s = 0; s < shape.size(); ++s)
      in.group.pod_sets[s].count = std::max<muster::pod_count>(1, shape[s].count * by / 256);
    return prices_allow(in, space);
  };
  (void)scale(most_allowed(0, 1024, scale));
  const std::size_t first = draw.below(shape.size());
  for (std::size_t i = 0; i < shape.size(); ++i) {
    auto& count = in.group.pod_sets[(first + i) % shape.size()].count;
    const muster::pod_count now = count;
    count = most_allowed(now, now + 1024, [&](std::int64_t more) {
      count = more;
      return prices_allow(in, space);
    });
  }
}

/// What is free at a level drawn between a sixteenth and a half.
[[nodiscard]] inline node_uses draw_uses(char set, std::size_t nodes, seeded& draw) {
  const use_set uses{set, draw_nodes(draw, nodes), draw};
  return uses.at(static_cast<std::uint32_t>(between(draw, levels / 16, levels / 2)));
}

/// So many instances from one seed: one(number, seeded, workspace).
template <class One>
[[nodiscard]] std::vector<instance> draw_each(std::uint64_t seed, std::size_t count, One&& one) {
  seeded draw{seed};
  muster::workspace<trio> space;
  std::vector<instance> made;
  for (std::size_t i = 0; i < count; ++i) made.push_back(one(i, draw, space));
  return made;
}

}  // namespace exact_parts

/// Pairs of instances of one gang: at the least free capacity that does, and at the next less that does not.
[[nodiscard]] inline std::vector<instance> draw_boundary(std::size_t nodes, std::size_t pairs) {
  using namespace exact_parts;
  seeded draw{11};
  muster::workspace<trio> space;
  std::vector<instance> made;
  for (std::size_t i = 0; i < pairs; ++i) {
    const char set = "ABCD"[i % 4];
    const use_set uses{set, draw_nodes(draw, nodes), draw};
    const std::size_t sets = 2 + draw.below(4);
    const muster::pod_count pods = i / 4 % 2 == 0 ? between(draw, 64, 512) : between(draw, 512, 4000);
    instance in{nullptr, draw_gang(draw, uses.at(levels), sets, pods)};
    const auto fits = [&](std::int64_t level) {
      in.nodes = build(uses.at(static_cast<std::uint32_t>(level)));
      return place(in.nodes->view(), in.group, space).fits();
    };
    while (!fits(levels) && pods_of(in.group) > static_cast<muster::pod_count>(sets))
      for (auto& one : in.group.pod_sets) one.count = (one.count + 1) / 2;
    const std::int64_t last_no = most_allowed(0, levels, [&](std::int64_t level) { return !fits(level); });
    for (const std::int64_t level : {last_no, std::min<std::int64_t>(last_no + 1, levels)}) {
      (void)fits(level);
      made.push_back(in);
    }
  }
  return made;
}

/// Gangs that prices do not refuse, and with one pod more of any set they do.
[[nodiscard]] inline std::vector<instance> draw_tight(std::size_t nodes, std::size_t count) {
  using namespace exact_parts;
  return draw_each(12, count, [nodes](std::size_t i, seeded& draw, muster::workspace<trio>& space) {
    const node_uses on = draw_uses("ABCD"[i % 4], nodes, draw);
    const std::size_t sets = 2 + i / 4 % 4;
    instance in{build(on), draw_gang(draw, on, sets, between(draw, 256, 4000))};
    push_to_prices(in, draw, space);
    return in;
  });
}

/// Gangs of which no more pods can sit than their min_count, by prices.
[[nodiscard]] inline std::vector<instance> draw_elastic(std::size_t nodes, std::size_t count) {
  using namespace exact_parts;
  return draw_each(13, count, [nodes](std::size_t i, seeded& draw, muster::workspace<trio>& space) {
    const node_uses on = draw_uses("ABCD"[i % 4], nodes, draw);
    const std::size_t sets = 2 + i / 4 % 4;
    instance in{build(on), draw_gang(draw, on, sets, between(draw, 1000, 6000))};
    const auto allowed = [&](std::int64_t pods) {
      in.group.min_count = pods;
      return prices_allow(in, space);
    };
    (void)allowed(most_allowed(1, pods_of(in.group), allowed));
    return in;
  });
}

/// Gangs that may have so many pods in a rack, in a zone of eight racks, or both: at the most that sit, and one more.
[[nodiscard]] inline std::vector<instance> draw_limited(std::size_t nodes, std::size_t pairs) {
  using namespace exact_parts;
  constexpr std::size_t rack = 16;
  seeded draw{16};
  muster::workspace<trio> space;
  std::vector<instance> made;
  for (std::size_t i = 0; i < pairs; ++i) {
    const node_uses on = draw_uses("ABCD"[i % 4], nodes, draw);
    instance in{build(on, rack), draw_gang(draw, on, 2 + i / 4 % 4, between(draw, 256, 4000))};
    muster::place_options<> options;
    options.largest = true;
    const auto most = [&] { return place(in.nodes->view(), in.group, space, options).placed; };
    in.group.min_count = 0;
    const auto racks = static_cast<muster::pod_count>((open_nodes(on) + rack - 1) / rack);
    const muster::pod_count a_rack = std::max<muster::pod_count>(1, most() / racks);  // if they were spread evenly
    const auto limit = [&](std::uint8_t level, muster::pod_count pods) {
      in.group.limits.push_back({muster::topology_level{level}, std::max<muster::pod_count>(2, pods)});
    };
    if (i % 3 != 0) limit(1, a_rack * between(draw, 50, 150) / 100);
    if (i % 3 != 1) limit(0, 8 * a_rack * between(draw, 50, 150) / 100);
    in.group.min_count = most();
    if (*in.group.min_count > 0) made.push_back(in);
    if (++*in.group.min_count <= pods_of(in.group)) made.push_back(in);
  }
  return made;
}

/// Many pod sets on few tight node types: where what prices allow need not sit.
[[nodiscard]] inline std::vector<instance> draw_few_types(std::size_t nodes, std::size_t count) {
  using namespace exact_parts;
  return draw_each(14, count, [nodes](std::size_t i, seeded& draw, muster::workspace<trio>& space) {
    node_uses uses;
    trio_amounts types[4];
    for (auto& one : types) one = {0, between(draw, 60, 120), between(draw, 60, 120)};
    for (std::size_t n = 0; n < nodes; ++n) uses.has.push_back(types[draw.below(4)]);
    uses.free = uses.has;
    std::vector<trio_amounts> requests;
    for (std::size_t s = 0; s < 5 + i % 2; ++s) requests.push_back({0, between(draw, 15, 40), between(draw, 15, 40)});
    instance in{build(uses), gang_of(draw, requests, static_cast<muster::pod_count>(4 * nodes))};
    push_to_prices(in, draw, space);
    return in;
  });
}

/// Thousands of small pods on nodes of which no two have the same free.
[[nodiscard]] inline std::vector<instance> draw_small_pods(std::size_t nodes, std::size_t count) {
  using namespace exact_parts;
  return draw_each(15, count, [nodes](std::size_t, seeded& draw, muster::workspace<trio>& space) {
    node_uses uses;
    for (std::size_t n = 0; n < nodes; ++n) {
      uses.has.push_back({0, 64'000, 0});
      uses.free.push_back({0, 16'000 + static_cast<muster::amount>(n * 16 + draw.below(16)), 0});
    }
    std::vector<trio_amounts> requests;
    for (int s = 0; s < 4; ++s) requests.push_back({0, between(draw, 2'000, 6'000), 0});
    instance in{build(uses), gang_of(draw, requests, static_cast<muster::pod_count>(7 * nodes))};
    push_to_prices(in, draw, space);
    return in;
  });
}

}  // namespace muster_bench

#endif
