// SPDX-License-Identifier: BSL-1.0
// Replays a stream of gangs under several rules of scheduling, and reports what each makes of the same arrivals.

#include "engine.hpp"
#include "generator.hpp"
#include "load.hpp"
#include "options.hpp"
#include "picture.hpp"
#include "report.hpp"
#include "series.hpp"
#include "trace_reader.hpp"

#include <cstdio>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

namespace {

using namespace replay;

struct scenario {
  std::string load;
  trace input;
  node_list nodes;
};

node_list given_nodes(const options& chosen) {
  if (!chosen.nodes_file.empty()) return read_nodes(csv_table::from_file(chosen.nodes_file));
  return node_list(static_cast<std::size_t>(chosen.uniform > 0 ? chosen.uniform : 1'250), 8);
}

std::vector<scenario> generated(const options& chosen) {
  const node_list nodes = given_nodes(chosen);
  std::vector<scenario> all;
  for (const int load : chosen.loads) {
    const generator_settings settings{chosen.seed, seconds{chosen.days} * 86'400, load};
    all.push_back({std::to_string(load) + " %", generate(nodes, settings), nodes});
  }
  return all;
}

std::vector<scenario> read(const options& chosen) {
  trace input = read_trace(csv_table::from_file(chosen.trace_file), chosen.trace_file);
  if (chosen.copies > 1) input = with_copies(input, chosen.copies, chosen.seed);
  std::vector<scenario> all;
  if (!chosen.nodes_file.empty() || chosen.uniform > 0) {
    all.push_back({"", input, given_nodes(chosen)});
    set_aside_too_large(all.back().input, all.back().nodes);
    char load[32];
    std::snprintf(load, sizeof load, "%.0f %%", 100 * offered_load(all.back().input, all.back().nodes));
    all.back().load = load;
    return all;
  }
  for (const int load : chosen.loads) {
    all.push_back({std::to_string(load) + " %", input, node_list(nodes_for_load(input, load), 8)});
    set_aside_too_large(all.back().input, all.back().nodes);
  }
  return all;
}

void describe(const scenario& one) {
  std::printf("load %s: %zu nodes, %lld GPUs; %zu jobs in %.1f days, offered load %.1f %%\n", one.load.c_str(),
              one.nodes.size(), static_cast<long long>(gpus_of(one.nodes)), one.input.jobs.size(),
              static_cast<double>(one.input.span) / 86'400.0, 100 * offered_load(one.input, one.nodes));
  if (one.input.cpu_only > 0) std::printf("  left out: %zu jobs that ask for no GPU\n", one.input.cpu_only);
  if (one.input.too_large > 0) {
    std::printf("  left out: %zu jobs that do not fit on the whole empty cluster\n", one.input.too_large);
  }
  std::printf("  one pass unmeasured to warm up, the same arrivals again measured\n\n");
}

void replay_all(const options& chosen) {
  const std::vector<scenario> scenarios = chosen.trace_file.empty() ? generated(chosen) : read(chosen);
  std::filesystem::create_directories(chosen.out);
  progress shown(chosen.quiet);
  std::printf("input: %s\n\n", scenarios.front().input.name.c_str());
  std::vector<run_result> all;
  for (const scenario& one : scenarios) {
    describe(one);
    std::fflush(stdout);
    std::vector<run_result> runs;
    for (const rule_entry& entry : rules_named(chosen.rules)) {
      runs.push_back(run(one.input, one.nodes, entry, one.load, shown));
    }
    write_table(std::cout, runs, chosen.speed);
    std::cout << std::endl;
    all.insert(all.end(), runs.begin(), runs.end());
  }
  write_summary(chosen.out + "/summary.csv", all);
  write_series(chosen.out + "/series.csv", all);
  std::printf("figures: %s/summary.csv\ntime series: %s/series.csv\n", chosen.out.c_str(), chosen.out.c_str());
  if (!chosen.picture) return;
  const std::string from = std::filesystem::path(scenarios.front().input.name).filename().string();
  std::printf("%s\n", draw_picture(chosen.out, "GPUs allocated (the line) and useful (blue): " + from, all).c_str());
}

}  // namespace

int main(int count, char** words) {
  try {
    const options chosen = read_options(count, words);
    if (chosen.help) {
      std::printf("%s", usage().c_str());
      return 0;
    }
    replay_all(chosen);
  } catch (const std::exception& fault) {
    std::fflush(stdout);
    std::fprintf(stderr, "replay: %s\n", fault.what());
    return 1;
  }
  return 0;
}
