// SPDX-License-Identifier: BSL-1.0
#include "study.hpp"

#include "load.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace topology_study {

namespace {

using replay::job;
using replay::seconds;

// One run of the study and where its figures go.
struct task {
  std::size_t scenario = 0, seed = 0, policy = 0;
  const replay::trace* of = nullptr;
  figures found{};
};

scenario describe(const replay::trace& of, const machines& on, int copies,
                  const std::vector<policy_entry>& policies) {
  scenario made;
  made.name = std::filesystem::path(of.name).stem().string();
  made.copies = copies;
  const auto times = static_cast<std::size_t>(copies);
  const auto a_rack = static_cast<int>(on.largest_rack()), a_block = static_cast<int>(on.largest_block());
  for (const job& one : of.jobs) {
    made.gangs += times;
    if (!is_wide(one.workers, one.gpus_per_worker)) continue;
    const int a_node = gpus_per_node / one.gpus_per_worker;
    made.wide += times;
    made.wide_in_rack += one.workers <= a_rack * a_node ? times : 0;
    made.wide_in_block += one.workers <= a_block * a_node ? times : 0;
  }
  made.cpu_only = of.cpu_only * times;
  made.too_large = of.too_large * times;
  for (const policy_entry& one : policies) made.policies.push_back({one, {}});
  return made;
}

// Runs the tasks in their order, several at once. The first fault of any ends all.
void run_all(std::vector<task>& tasks, std::vector<scenario>& scenarios, const machines& on,
             const study_options& options) {
  std::atomic<std::size_t> next{0};
  std::mutex guard;
  std::exception_ptr fault;
  const auto work = [&] {
    for (std::size_t at = next++; at < tasks.size(); at = next++) {
      task& one = tasks[at];
      scenario& in = scenarios[one.scenario];
      try {
        const replay::trace input = replay::with_copies(*one.of, in.copies, options.first_seed + one.seed);
        one.found = figures_of(run(input, on, in.policies[one.policy].policy), on);
        const std::lock_guard lock{guard};
        if (one.policy == 0) in.load.add(load_reached(input, on));
        if (!options.tells) continue;
        std::fprintf(stderr, "%zu of %zu: %s, %d copies, seed %llu, %.*s\n", at + 1, tasks.size(), in.name.c_str(),
                     in.copies, static_cast<unsigned long long>(options.first_seed + one.seed),
                     static_cast<int>(in.policies[one.policy].policy.title.size()),
                     in.policies[one.policy].policy.title.data());
      } catch (...) {
        const std::lock_guard lock{guard};
        if (!fault) fault = std::current_exception();
        next = tasks.size();
      }
    }
  };
  std::vector<std::thread> others;
  for (std::size_t i = 1; i < std::min(options.threads, tasks.size()); ++i) others.emplace_back(work);
  work();
  for (std::thread& one : others) one.join();
  if (fault) std::rethrow_exception(fault);
}

}  // namespace

figures figures_of(const run_result& one, const machines& on) {
  double waited = 0, wide_waited = 0, distance = 0;
  std::size_t wide = 0, started = 0, in_rack = 0, in_block = 0, cut_off = 0;
  for (const measured_gang& gang : one.gangs) {
    waited += static_cast<double>(gang.waited);
    cut_off += gang.started ? 0 : 1;
    if (!is_wide(gang.workers, gang.gpus_per_worker)) continue;
    ++wide;
    wide_waited += static_cast<double>(gang.waited);
    if (!gang.started) continue;
    ++started;
    in_rack += gang.sits.within <= nearness::rack ? 1 : 0;
    in_block += gang.sits.within <= nearness::block ? 1 : 0;
    distance += gang.sits.mean_distance;
  }
  const auto ratio = [](double part, auto of) { return of > 0 ? part / static_cast<double>(of) : 0; };
  return {ratio(waited / 3'600, one.gangs.size()),
          ratio(wide_waited / 3'600, wide),
          ratio(100 * static_cast<double>(in_rack), started),
          ratio(100 * static_cast<double>(in_block), started),
          ratio(distance, started),
          ratio(100 * static_cast<double>(one.allocated), on.gpus() * one.window),
          static_cast<double>(cut_off),
          ratio(1e6 * one.deciding, one.decisions)};
}

double load_reached(const replay::trace& input, const machines& on) {
  double demand = 0;
  for (const job& one : input.jobs)
    for (const seconds from : {one.submit, one.submit + input.span}) {
      const seconds begin = std::max(from, input.span), end = std::min(from + one.duration, 2 * input.span);
      demand += static_cast<double>(gpus_of(one)) * static_cast<double>(std::max<seconds>(0, end - begin));
    }
  return 100 * demand / static_cast<double>(input.span) / static_cast<double>(on.gpus());
}

std::vector<scenario> study(const std::vector<replay::trace>& traces, const machines& on,
                            const study_options& options) {
  std::vector<replay::trace> kept = traces;
  std::vector<scenario> scenarios;
  std::vector<task> tasks;
  for (replay::trace& of : kept) {
    replay::set_aside_too_large(of, replay::node_list(on.hosts.size(), gpus_per_node));
    const double demand = replay::mean_demand(of);
    if (demand <= 0) throw std::runtime_error(of.name + ": no gang is left that asks for GPUs and fits the cluster");
    int before = 0;
    for (const int load : options.loads) {
      const double copies = static_cast<double>(on.gpus()) * load / 100 / demand;
      if (copies > 1'000) throw std::runtime_error(of.name + ": more than 1000 copies for the load");
      const int whole = std::max(1, static_cast<int>(std::lround(copies)));
      if (whole == before) continue;
      before = whole;
      for (std::size_t seed = 0; seed < options.seeds; ++seed)
        for (std::size_t policy = 0; policy < options.policies.size(); ++policy)
          tasks.push_back({scenarios.size(), seed, policy, &of, {}});
      scenarios.push_back(describe(of, on, whole, options.policies));
    }
  }
  run_all(tasks, scenarios, on, options);
  for (const task& one : tasks)
    for (std::size_t f = 0; f < figure_count; ++f)
      scenarios[one.scenario].policies[one.policy].over_seeds[f].add(one.found[f]);
  return scenarios;
}

}  // namespace topology_study
