// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_BENCHMARKS_TOPOLOGY_STUDY_HPP
#define MUSTER_BENCHMARKS_TOPOLOGY_STUDY_HPP

// What is run: every trace at every load and seed under every policy, and the figures of it.

#include "machines.hpp"
#include "policy.hpp"
#include "run.hpp"
#include "support/sample.hpp"
#include "trace.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace topology_study {

// A gang is *wide* that no empty node holds.
[[nodiscard]] inline bool is_wide(int workers, int gpus_per_worker) {
  return workers > gpus_per_node / gpus_per_worker;
}

enum class figure : std::uint8_t { wait, wide_wait, in_rack, in_block, distance, allocated, cut_off, deciding };
inline constexpr std::size_t figure_count = 8;

struct figure_text {
  std::string_view key;    // for the CSV
  std::string_view title;
  int decimals;
};
inline constexpr std::array<figure_text, figure_count> figure_texts{{
    {"mean_wait_h", "wait h", 3},          // all gangs; of one that has not started until the end of the window
    {"wide_mean_wait_h", "wide h", 3},     // of wide gangs
    {"in_one_rack_percent", "rack %", 2},  // of the wide gangs that started
    {"in_one_block_percent", "block %", 2},
    {"mean_distance", "distance", 3},      // mean of the wide gangs' mean distances
    {"allocated_percent", "alloc %", 2},   // of GPU time
    {"cut_off_gangs", "cut off", 0},       // not started by the end of the window
    {"decision_us", "us", 1},              // spent in the policy for each gang started
}};

using figures = std::array<double, figure_count>;
[[nodiscard]] figures figures_of(const run_result& one, const machines& on);

// Mean demand of the measured window in percent of all GPUs, were no gang to wait; what still runs of the warm-up pass
// counts.
[[nodiscard]] double load_reached(const replay::trace& input, const machines& on);

struct policy_figures {
  policy_entry policy;
  std::array<muster_bench::sample, figure_count> over_seeds;
  [[nodiscard]] const muster_bench::sample& of(figure one) const {
    return over_seeds[static_cast<std::size_t>(one)];
  }
};

// One trace at one load.
struct scenario {
  std::string name;  // the file's, without folder and ending
  int copies = 1;
  muster_bench::sample load;
  std::size_t gangs = 0, wide = 0;             // measured
  std::size_t wide_in_rack = 0, wide_in_block = 0;  // no larger than the largest rack, block
  std::size_t cpu_only = 0, too_large = 0;     // left out
  std::vector<policy_figures> policies;
};

struct study_options {
  std::vector<int> loads{90, 97, 105};
  std::uint64_t first_seed = 1;
  std::size_t seeds = 3;
  std::vector<policy_entry> policies;
  std::size_t threads = 2;
  bool tells = false;  // on stderr, what has been run
};

// As many whole copies as come nearest to each load; of loads that follow each other and need equally many the first is
// run. Throws std::runtime_error where nothing is left of a trace.
[[nodiscard]] std::vector<scenario> study(const std::vector<replay::trace>& traces, const machines& on,
                                          const study_options& options);

}  // namespace topology_study

#endif
