// SPDX-License-Identifier: BSL-1.0

// What Kubernetes' group preemption costs beside the cheapest victims, on the cases that ask for victims.
//
//     victim_costs FILE...
//
// Its two placing rules are the ones the cases note: the first node that fits, and the fullest one. What a case notes
// must come out again, cost and units: else the case is named and the exit status is 1; 2 for a file with a fault.

#include <muster/preemption/cheapest_victims.hpp>
#include <muster/preemption/preempt_group.hpp>

#include "case_cluster.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace {

using model = muster::resource_vector<5>;
using oracle::amount;

// The order in which the format puts units back: as Kubernetes', but a start counts before the number of pods.
struct order_of_format {
  bool operator()(const muster::victim_unit<model>& a, const muster::victim_unit<model>& b) const {
    const auto key = [](const muster::victim_unit<model>& of) {
      return std::tuple{-std::int64_t{of.priority}, of.kind == muster::unit_kind::group ? 0 : 1,
                        of.group->spec.started, -std::int64_t{of.pods}, of.first};
    };
    return key(a) < key(b);
  }
};

// Of several domains the one whose victims are of the lowest highest priority, the lowest sum, the fewest.
struct lower_victims {
  bool operator()(const muster::victim_plan<model>& a, const muster::victim_plan<model>& b) const {
    const auto key = [](const muster::victim_plan<model>& of) {
      std::int64_t highest = std::numeric_limits<std::int64_t>::min(), sum = 0;
      for (const auto& unit : of.victims.units) {
        highest = std::max<std::int64_t>(highest, unit.priority);
        sum += unit.priority;
      }
      return std::tuple{highest, sum, of.victims.units.size()};
    };
    return key(a) < key(b);
  }
};

// Seats pods in class order until enough sit, each on the first node in file order that fits, or on the fullest.
struct format_rule {
  bool fullest = false;
  muster::pod_count enough = 0;

  template <class Question, class Filter, class Seats>
  void operator()(const Question& of, const Filter& filter, Seats& seats) const {
    const auto& base = of.on.base();
    std::vector<std::uint32_t> nodes(base.size());
    std::iota(nodes.begin(), nodes.end(), 0U);
    std::sort(nodes.begin(), nodes.end(), [&](auto a, auto b) { return base.id(a) < base.id(b); });
    const auto most = of.group.limits.empty() ? muster::max_pods_per_group : of.group.limits[0].count;
    std::vector<muster::pod_count> here(nodes.size(), 0);
    muster::pod_count left = enough;
    for (const std::uint32_t set : muster::turns_by_set(of.waiting)) {
      if (left == 0) {
        return;
      }
      std::uint32_t best = muster::no_position;
      double highest = -1;
      for (const std::uint32_t node : nodes) {
        if (here[node] >= most || !muster::takes_pod(of.on, of.group, set, node, filter)) {
          continue;
        }
        const double score = fullest ? allocated(of, set, node) : 0;
        if (score > highest + 1e-9) {  // of equal ones, to what sums of quotients are equal to, the first
          highest = score;
          best = node;
        }
      }
      if (best == muster::no_position) {
        continue;
      }
      ++here[best];
      --left;
      (void)muster::seat_in_turn(
          of.on, of.group, std::span{&set, 1}, [&](std::size_t) { return best; }, seats);
    }
  }

  template <class Question>
  static double allocated(const Question& of, std::uint32_t set, std::uint32_t node) {
    double sum = 0;
    for (std::size_t d = 0; d < 5; ++d) {
      const auto all = of.on.base().capacity(node)[d];
      const auto used = all - of.on.now(node)[d] + of.group.pod_sets[set].request[d];
      sum += all > 0 ? static_cast<double>(used) / static_cast<double>(all) : 0;
    }
    return sum;
  }
};

struct found {
  bool exists = false;
  amount cost = 0, units = 0;
};

template <class Plan>
found read(const muster::snapshot<model>& view, const Plan& plan) {
  if (plan.outcome == muster::preemption_outcome::not_needed) {
    return {true, 0, 0};
  }
  if (!plan.evicts()) {
    return {};
  }
  found made{true, 0, static_cast<amount>(plan.victims.units.size())};
  for (const auto* pod : plan.victims.pods) {
    made.cost += muster::lost_work<>{}.share(view.group(*pod), *pod, view.time()).part[0] / 1000;
  }
  return made;
}

constexpr amount one_hour = 3600;
constexpr std::array<const char*, 2> rules{"first node", "fullest node"};

struct tally {
  std::vector<double> ratios;  // where the cheapest costs an hour of a device at least
  std::size_t asked = 0, missed = 0, cheap = 0;
  double cost = 0, least = 0;  // summed, where both have victims
  double cheap_cost = 0, cheap_least = 0;

  void add(const found& rule, const found& best) {
    ++asked;
    if (!rule.exists) {
      ++missed;
      return;
    }
    const auto of_rule = static_cast<double>(rule.cost), of_best = static_cast<double>(best.cost);
    cost += of_rule;
    least += of_best;
    if (best.cost >= one_hour) {
      ratios.push_back(of_rule / of_best);
      return;
    }
    ++cheap;
    cheap_cost += of_rule;
    cheap_least += of_best;
  }
  void print(const char* rule) {
    std::sort(ratios.begin(), ratios.end());
    const auto at = [&](std::size_t percent) {
      return ratios.empty() ? 0.0 : ratios[std::min(ratios.size() - 1, ratios.size() * percent / 100)];
    };
    double logs = 0;
    for (const double each : ratios) {
      logs += std::log(each);
    }
    const auto count = static_cast<double>(std::max<std::size_t>(1, ratios.size()));
    std::printf("| %s | %zu | %.2f | %.2f | %.2f | %.1f | %.1f | %zu: %.0f for %.0f | %zu of %zu |\n", rule,
                ratios.size(), least > 0 ? cost / least : 0, at(50), std::exp(logs / count), at(95),
                ratios.empty() ? 0.0 : ratios.back(), cheap, cheap_cost / one_hour, cheap_least / one_hour, missed,
                asked);
  }
};

}  // namespace

int main(int argc, char** argv) {
  std::array<tally, 2> tallies;
  std::size_t noted = 0, undecided = 0;
  int status = 0;
  for (int arg = 1; arg < argc; ++arg) {
    const auto read_file = oracle::read_case_file(argv[arg]);
    for (const auto& fault : read_file.faults) {
      std::fprintf(stderr, "%s\n", oracle::to_string(fault).c_str());
      status = 2;
    }
    for (const auto& each : read_file.cases) {
      if (each.asked != oracle::question::preempt || each.resources.size() > 5 || each.with_devices) {
        continue;
      }
      oracle::cluster_builder<model> built{each};
      if (!built.refused().empty()) {
        continue;
      }
      const auto view = built.cluster().view(oracle::at_second(each.now));
      const auto key = oracle::group_key(each.asked_group);
      static muster::victim_space<model> cheapest;
      const auto& plan = muster::cheapest_victims(view, key, cheapest);
      const found best = read(view, plan);
      undecided += plan.proved ? 0U : 1U;
      for (std::size_t r = 0; r < rules.size(); ++r) {
        muster::preempt_options<format_rule, order_of_format, lower_victims> options;
        options.rule = {r == 1, muster::minimum_pods(view.group(key)->spec)};
        static muster::preempt_space<model> space;
        const found rule = read(view, muster::preempt_group(view, key, space, options));
        if (const auto& note = each.evicting[r]) {
          ++noted;
          if (note->exists != rule.exists || note->cost != rule.cost || note->units != rule.units) {
            std::printf("%s:%zu: %s: by the %s cost %lld, units %lld; noted %lld and %lld\n", argv[arg], each.line,
                        each.name.c_str(), rules[r], static_cast<long long>(rule.cost),
                        static_cast<long long>(rule.units), static_cast<long long>(note->cost),
                        static_cast<long long>(note->units));
            status = std::max(status, 1);
          }
        }
        if (best.exists && best.units > 0) {
          tallies[r].add(rule, best);
        }
      }
    }
  }
  if (argc < 2) {
    std::fprintf(stderr, "usage: victim_costs FILE...\n");
    return 2;
  }
  std::printf("Cost of Kubernetes' victims over the cheapest, by its placing rule. Apart, in device-hours: where the "
              "cheapest cost less than one.\n\n"
              "| rule | cases | in sum | median | geometric mean | p95 | max | apart | misses victims |\n"
              "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
  for (std::size_t r = 0; r < rules.size(); ++r) {
    tallies[r].print(rules[r]);
  }
  std::printf("\nnotes reproduced: %zu%s; cheapest not proved: %zu\n", noted, status == 1 ? " but those above" : "",
              undecided);
  return status;
}
