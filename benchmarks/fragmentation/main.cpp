// SPDX-License-Identifier: BSL-1.0
// Idle GPUs under simple policies, against a published table, and under muster's slot potential. See README.md.

#include "study.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace fragmentation_study;

struct command_line {
  std::vector<std::string> files;
  std::string timed, only;
  study_options options;
  bool brief = false;
};

constexpr const char* usage =
    "usage: muster_fragmentation NODES.csv SHAPES.csv PUBLISHED.csv [--timed PODS.csv] [--trace NAME] [--seeds N]\n"
    "                            [--first-seed N] [--published-only] [--own-only] [--brief]\n";

bool read_number(const char* text, std::uint64_t most, std::uint64_t& to) {
  char* end = nullptr;
  to = std::strtoull(text, &end, 10);
  return *text >= '0' && *text <= '9' && *end == '\0' && to <= most;
}

bool read(int count, char** words, command_line& to) {
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    const char* value = i + 1 < count ? words[i + 1] : nullptr;
    std::uint64_t number = 0;
    if (word == "--brief") to.brief = true;
    else if (word == "--published-only") to.options.own_policies = false;
    else if (word == "--own-only") to.options.published_policies = false;
    else if (!word.starts_with("--")) to.files.emplace_back(word);
    else if (value == nullptr) return false;
    else if (word == "--timed") to.timed = words[++i];
    else if (word == "--trace") to.only = words[++i];
    else if (word == "--seeds" && read_number(words[++i], 1000, number) && number > 0) to.options.seeds = number;
    else if (word == "--first-seed" && read_number(words[++i], ~std::uint64_t{0} / 2, number))
      to.options.first_seed = number;
    else return false;
  }
  return to.files.size() == 3;
}

// How far our rows are from the published ones.
struct distance {
  double sum = 0, largest = 0;
  int rows = 0, outside = 0;
};

// A row passes within 0.5 points or three standard errors of the difference.
bool is_within(double difference, double own_error, double their_error) {
  return std::abs(difference) <= std::max(0.5, 3 * std::hypot(own_error, their_error));
}

void compare(const trace& of, const policy_result& own, const std::map<std::size_t, published_level>& theirs,
             bool brief, distance& away) {
  for (const auto& [arrived, published] : theirs) {
    const auto at = own.unallocated.find(arrived);
    if (at == own.unallocated.end()) {
      std::printf("%-11s %-13s %4zu  no pod arrived there\n", of.name.c_str(), own.policy.c_str(), arrived);
      ++away.rows;
      ++away.outside;
      continue;
    }
    const sample& idle = at->second;
    const sample& fragments = own.fragmented.at(arrived);
    const double by = idle.mean() - published.unallocated, fragments_by = fragments.mean() - published.fragmented;
    const double their_error = published.deviation / std::sqrt(static_cast<double>(published.seeds));
    // of fragments no deviation is published; where the cluster is full they are what is idle
    const bool within = is_within(by, idle.standard_error(), their_error) &&
                        is_within(fragments_by, fragments.standard_error(), their_error);
    ++away.rows;
    away.outside += within ? 0 : 1;
    away.sum += std::abs(by);
    away.largest = std::max(away.largest, std::abs(by));
    if (!brief || !within)
      std::printf("%-11s %-13s %4zu %10.3f %10.3f %+8.3f %10.3f %10.3f %+8.3f  %s\n", of.name.c_str(),
                  own.policy.c_str(), arrived, idle.mean(), published.unallocated, by, fragments.mean(),
                  published.fragmented, fragments_by, within ? "" : "outside");
  }
}

const policy_result* find(const std::vector<policy_result>& all, std::string_view name) {
  for (const policy_result& one : all)
    if (one.policy == name) return &one;
  return nullptr;
}

// In the table of our own.
bool is_shown(std::string_view policy) {
  return policy == "FGD" || policy == "BestFit" || policy == "potential" || policy.find(',') != std::string_view::npos;
}

// Whether the fewest gangs lost leave less idle than the tightest node once as much has arrived as there is; yes where
// either was not run.
bool is_worth_it(const std::vector<policy_result>& results) {
  const policy_result *lost = find(results, "gangs lost, scarce"), *tightest = find(results, "BestFit");
  if (lost == nullptr || tightest == nullptr || lost->unallocated.count(100) == 0) return true;
  return lost->unallocated.at(100).mean() < tightest->unallocated.at(100).mean();
}

void print_own(const trace& of, const policy_result& one, const policy_result* base) {
  std::printf("%-11s %-19s", of.name.c_str(), one.policy.c_str());
  for (const std::size_t arrived : {90U, 95U, 100U}) {
    if (one.unallocated.count(arrived) == 0) {
      std::printf("  %18s", "-");
      continue;
    }
    std::printf("  %6.3f", one.unallocated.at(arrived).mean());
    if (base != nullptr && base != &one && base->unallocated.count(arrived) > 0) {
      const sample less = paired_difference(one.unallocated.at(arrived), base->unallocated.at(arrived));
      std::printf(" %+6.3f+-%.3f", less.mean(), less.standard_error());
    } else {
      std::printf("%14s", "");
    }
  }
  std::printf("  %6.1f  %6.1f", one.wide_failed.mean(), one.microseconds.mean());
  if (base != nullptr) std::printf("  %5.2f", one.microseconds.mean() / base->microseconds.mean());
  std::printf("\n");
}

int print_all(const command_line& line) {
  const machines on = read_machines(line.files[0]);
  const std::vector<trace> traces = read_traces(line.files[1], on);
  const published_table published = read_published(line.files[2]);
  std::printf("%zu nodes, %.0f GPUs; seeds %llu to %llu\n", on.nodes.size(), static_cast<double>(on.gpu_milli()) / 1000,
              static_cast<unsigned long long>(line.options.first_seed),
              static_cast<unsigned long long>(line.options.first_seed + line.options.seeds - 1));
  std::vector<std::pair<trace, std::vector<policy_result>>> all;
  for (const trace& one : traces)
    if (line.only.empty() || one.name == line.only) all.emplace_back(one, study(on, one, line.options));
  if (all.empty()) {
    std::fprintf(stderr, "%s: no such trace: %s\n", line.files[1].c_str(), line.only.c_str());
    return 2;
  }
  int outside = 0;
  if (line.options.published_policies) {
    std::printf("\nThe published table again. Unallocated and fragmented GPUs in %% of all; difference.\n");
    if (!line.brief)
      std::printf("%-11s %-13s %4s %10s %10s %8s %10s %10s %8s\n", "trace", "policy", "at %", "idle", "published", "by",
                  "fragments", "published", "by");
    std::map<std::string, distance> away;
    for (const auto& [of, results] : all) {
      const auto known = published.find(of.name);
      if (known == published.end()) continue;
      for (const policy_result& one : results)
        if (const auto rows = known->second.find(one.policy); rows != known->second.end())
          compare(of, one, rows->second, line.brief, away[one.policy]);
    }
    std::printf("\n%-13s %6s %9s %15s %9s   mean < 0.25\n", "policy", "rows", "outside", "mean difference", "largest");
    for (const auto& [policy, one] : away) {
      const double mean = one.rows > 0 ? one.sum / one.rows : 0;
      outside += one.outside + (mean < 0.25 ? 0 : 1);
      std::printf("%-13s %6d %9d %15.3f %9.3f   %s\n", policy.c_str(), one.rows, one.outside, mean, one.largest,
                  mean < 0.25 ? "met" : "missed");
    }
  }
  if (line.options.own_policies) {
    std::printf("\nIdle GPUs in %% at 90, 95 and 100 %% arrived, and what that is more than FGD of fixed order on the\n"
                "same pods; pods of 8 GPUs failed until 100 %%; us a decision, and as a multiple of FGD's.\n");
    for (const auto& [of, results] : all) {
      const policy_result* base = find(results, "FGD");
      for (const policy_result& one : results)
        if (is_shown(one.policy))
          print_own(of, one, one.policy == "potential, noisy" ? find(results, "FGD, noisy") : base);
      if (is_worth_it(results)) continue;
      std::printf("%-11s gangs lost, scarce leave no less idle than BestFit\n", of.name.c_str());
      ++outside;
    }
  }
  if (!line.timed.empty()) {
    std::printf("\nWith departures, on 60 drawn machines: lost GPU time in %% of what was asked, and how much more\n"
                "that is than under FGD; pods of 8 GPUs lost, pods lost.\n");
    const timed_trace timed = read_timed_trace(line.timed);
    for (const std::int64_t load : {90, 105}) {
      const std::vector<stream_result> results = study_stream(on, timed, 60, load, line.options);
      for (const stream_result& one : results) {
        const sample more = paired_difference(one.lost_gpu_time, results[0].lost_gpu_time);
        std::printf("load %5.1f %%  %-18s %7.3f %+7.3f+-%.3f  %6.1f  %7.1f\n", one.load.mean(), one.policy.c_str(),
                    one.lost_gpu_time.mean(), more.mean(), more.standard_error(), one.wide_lost.mean(),
                    one.lost.mean());
      }
    }
  }
  if (outside > 0) std::printf("\n%d rows or policies outside what was allowed\n", outside);
  return outside > 0 ? 1 : 0;
}

}  // namespace

int main(int count, char** words) {
  command_line line;
  if (!read(count, words, line)) {
    std::fputs(usage, stderr);
    return 2;
  }
  try {
    return print_all(line);
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "%s\n", fault.what());
    return 2;
  }
}
