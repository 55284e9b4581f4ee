// SPDX-License-Identifier: BSL-1.0
#include "report.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <ostream>
#include <stdexcept>
#include <string_view>

namespace replay {

namespace {

struct size_bucket {
  std::string_view name;
  std::int64_t least;
  std::int64_t most;
};

constexpr size_bucket size_buckets[] = {
    {"1", 1, 1},           {"2-8", 2, 8},         {"9-32", 9, 32},
    {"33-128", 33, 128},   {"129-512", 129, 512}, {"513 up", 513, INT64_MAX},
    {"all", 1, INT64_MAX},
};

template <class... Values>
std::string text(const char* format, Values... values) {
  char line[320];
  std::snprintf(line, sizeof line, format, values...);
  return line;
}

double hours(std::int64_t sum) { return static_cast<double>(sum) / 3'600.0; }

// Hours with a mark where the true figure is larger.
std::string hours_text(seconds waited, bool cut_off) { return text("%.2f%s", hours(waited), cut_off ? "+" : " "); }

double percent_of_cluster(const run_result& one, std::int64_t sum) {
  return 100.0 * static_cast<double>(sum) /
         (static_cast<double>(one.total_gpus) * static_cast<double>(one.window_to - one.window_from));
}

double per_second(const cluster_placer::effort& spent) {
  return spent.seconds > 0 ? static_cast<double>(spent.count) / spent.seconds : 0.0;
}

std::string dead_from(const run_result& one) {
  const bool dead = one.stuck > 0 && one.last_start < one.window_to;
  return dead ? text("day %.1f", static_cast<double>(one.last_start) / 86'400.0) : "-";
}

}  // namespace

std::vector<wait_figures> waits_by_size(const run_result& one) {
  std::vector<wait_figures> all;
  for (const size_bucket& bucket : size_buckets) {
    std::vector<measured_wait> waits;
    for (const measured_wait& wait : one.waits) {
      if (bucket.least <= wait.gpus && wait.gpus <= bucket.most) waits.push_back(wait);
    }
    if (waits.empty()) continue;
    std::sort(waits.begin(), waits.end(), [](const measured_wait& a, const measured_wait& b) {
      return a.waited != b.waited ? a.waited < b.waited : a.cut_off < b.cut_off;
    });
    // The smallest wait that at least this share of the jobs does not exceed.
    const auto place = [&waits](std::size_t percent) { return (waits.size() * percent + 99) / 100 - 1; };
    std::size_t first_cut_off = 0;
    while (first_cut_off < waits.size() && !waits[first_cut_off].cut_off) ++first_cut_off;
    wait_figures figures;
    figures.sizes = bucket.name;
    figures.jobs = waits.size();
    std::int64_t sum = 0;
    for (const measured_wait& wait : waits) {
      sum += wait.waited;
      if (wait.cut_off) ++figures.cut_off;
    }
    figures.mean = sum / static_cast<std::int64_t>(waits.size());
    figures.p50 = waits[place(50)].waited;
    figures.p95 = waits[place(95)].waited;
    figures.p99 = waits[place(99)].waited;
    figures.p50_cut_off = first_cut_off <= place(50);
    figures.p95_cut_off = first_cut_off <= place(95);
    figures.p99_cut_off = first_cut_off <= place(99);
    figures.most = waits.back().waited;
    all.push_back(figures);
  }
  return all;
}

void write_table(std::ostream& out, const std::vector<run_result>& runs, bool with_speed) {
  out << text("%-20s %9s %9s %14s %10s %9s %10s %10s\n", "rule", "alloc %", "useful %", "idle-held GPUh", "stuck jobs",
              "holding", "GPUs held", "dead from");
  for (const run_result& one : runs) {
    const std::int64_t idle = one.window_sum.allocated - one.window_sum.useful;
    out << text("%-20s %9.2f %9.2f %14.0f %10zu %9zu %10lld %10s\n", one.rule_title.c_str(),
                percent_of_cluster(one, one.window_sum.allocated), percent_of_cluster(one, one.window_sum.useful),
                hours(idle), one.stuck, one.stuck_holding, static_cast<long long>(one.stuck_gpus),
                dead_from(one).c_str());
  }
  out << "(stuck: never starts though all else has ended; dead from: the last job of all started on that day)\n";

  out << text("\n%-20s %14s %14s %14s %14s", "gang-hours waited", "members", "capacity", "fragmentation", "order");
  if (with_speed) out << text(" %12s %12s %12s", "decisions", "decisions/s", "changes/s");
  out << '\n';
  for (const run_result& one : runs) {
    out << text("%-20s %14.0f %14.0f %14.0f %14.0f", one.rule_title.c_str(), hours(one.waited.members),
                hours(one.waited.capacity), hours(one.waited.fragmentation), hours(one.waited.order));
    if (with_speed) {
      out << text(" %12lld %12.0f %12.0f", static_cast<long long>(one.decisions.count), per_second(one.decisions),
                  per_second(one.changes));
    }
    out << '\n';
  }

  out << text("\n%-20s %8s %8s %8s %10s %10s %10s %10s %10s\n", "hours waited, by GPUs", "gang", "jobs", "cut off",
              "mean", "p50", "p95", "p99", "max");
  for (const run_result& one : runs) {
    for (const wait_figures& wait : waits_by_size(one)) {
      out << text("%-20s  %8s %8zu %8zu %10s %10s %10s %10s %10s\n", one.rule_title.c_str(), wait.sizes.c_str(),
                  wait.jobs, wait.cut_off, hours_text(wait.mean, wait.cut_off > 0).c_str(),
                  hours_text(wait.p50, wait.p50_cut_off).c_str(), hours_text(wait.p95, wait.p95_cut_off).c_str(),
                  hours_text(wait.p99, wait.p99_cut_off).c_str(), hours_text(wait.most, wait.cut_off > 0).c_str());
    }
  }
  out << "(+ : rests on waits cut off and counted to the end of the window; the true figure is no smaller)\n";
}

void write_summary(const std::string& file, const std::vector<run_result>& runs) {
  std::ofstream out(file);
  out << "load,rule,gang_gpus,allocated_percent,useful_percent,idle_held_gpu_hours,stuck_jobs,stuck_holding_jobs,"
         "stuck_gpus,last_start_s,members_gang_hours,capacity_gang_hours,fragmentation_gang_hours,order_gang_hours,"
         "decisions,"
         "jobs,cut_off_jobs,wait_mean_s,wait_p50_s,wait_p95_s,wait_p99_s,wait_max_s\n";
  for (const run_result& one : runs) {
    const std::int64_t idle = one.window_sum.allocated - one.window_sum.useful;
    const std::string run_part =
        text("%.3f,%.3f,%.1f,%zu,%zu,%lld,%lld,%.1f,%.1f,%.1f,%.1f,%lld",
             percent_of_cluster(one, one.window_sum.allocated), percent_of_cluster(one, one.window_sum.useful),
             hours(idle), one.stuck, one.stuck_holding, static_cast<long long>(one.stuck_gpus),
             static_cast<long long>(one.last_start), hours(one.waited.members), hours(one.waited.capacity),
             hours(one.waited.fragmentation), hours(one.waited.order), static_cast<long long>(one.decisions.count));
    for (const wait_figures& wait : waits_by_size(one)) {
      out << one.load << ',' << one.rule_key << ',' << wait.sizes << ',' << run_part
          << text(",%zu,%zu,%lld,%lld,%lld,%lld,%lld\n", wait.jobs, wait.cut_off, static_cast<long long>(wait.mean),
                  static_cast<long long>(wait.p50), static_cast<long long>(wait.p95), static_cast<long long>(wait.p99),
                  static_cast<long long>(wait.most));
    }
  }
  out.close();
  if (!out) throw std::runtime_error(file + ": cannot be written");
}

}  // namespace replay
