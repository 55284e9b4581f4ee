// SPDX-License-Identifier: BSL-1.0
#include "generator.hpp"

#include "draw.hpp"
#include "load.hpp"

#include <algorithm>

namespace replay {

namespace {

// Source of all three tables: Alibaba's cluster-trace-v2026-spot-gpu (GFS paper, ASPLOS '26, repository
// alibaba/clusterdata), 466,867 jobs, in the histograms that sultanul-ovi/GPU-Cluster-Spot-Resource-Dataset-Analysis
// publishes under MIT. Weights are jobs per million, rounded.

struct range {
  std::int64_t weight;
  std::int64_t least;
  std::int64_t most;
};

// Workers of a job: the published histogram in 21 buckets; inside a bucket each count is equally likely, which
// keeps the mean of every bucket within a worker or six of the published one. The largest job has 332 workers.
constexpr range workers_table[] = {
    {915'858, 1, 1}, {28'149, 2, 2}, {9'853, 3, 3},   {11'282, 4, 4},  {7'441, 5, 6},   {3'354, 7, 7},
    {5'325, 8, 8},   {4'575, 9, 12}, {2'560, 13, 15}, {1'868, 16, 16}, {2'517, 17, 24}, {2'219, 25, 31},
    {1'617, 32, 32}, {850, 33, 48},  {1'219, 49, 64}, {643, 65, 96},   {356, 97, 128},  {101, 129, 160},
    {111, 161, 192}, {86, 193, 256}, {17, 257, 332},
};

struct choice {
  std::int64_t weight;
  int gpus;
};

// GPUs of a worker. The trace publishes the GPUs of whole jobs: 74.2 % of the jobs have at most one, 9.6 % two to
// four, 9.8 % five to eight, 5.9 % up to 128, 0.5 % more. These two tables give 74.2, 11.8, 8.3, 5.2 and 0.5 %.
// Jobs with a share of one GPU (10.4 %) are given the whole GPU.
constexpr choice single_worker_gpus[] = {{81, 1}, {7, 2}, {4, 4}, {8, 8}};
constexpr choice gang_worker_gpus[] = {{30, 1}, {8, 2}, {12, 4}, {50, 8}};

// Seconds. The published table has seven buckets (under 1 min 12.4 %, to 10 min 24.7 %, to 1 h 34.9 %, to 6 h
// 14.0 %, to 24 h 6.1 %, to 3 d 1.9 %, over 3 d 6.0 %); a long bucket is cut into parts of equal weight and growing
// width, so that inside it the logarithm is spread evenly. Duration and size are drawn independently, for only
// their marginals are published.
//
// What differs from the trace: jobs over three days end within ten here, so that one pass warms the cluster up. They
// still hold 78 % of all GPU time, as published; but the trace's longest jobs are small ones, so that jobs with
// at most one GPU have 14 % of the GPU time here (published 55 %) and jobs with more than 128 have 32 % (15 %).
constexpr range duration_table[] = {
    {123'562, 10, 59},          {82'231, 60, 119},          {82'231, 120, 269},        {82'230, 270, 599},
    {116'374, 600, 1'079},      {116'374, 1'080, 1'979},    {116'374, 1'980, 3'599},   {46'809, 3'600, 6'539},
    {46'809, 6'540, 11'879},    {46'809, 11'880, 21'599},   {20'252, 21'600, 34'289},  {20'252, 34'290, 54'429},
    {20'252, 54'430, 86'399},   {9'703, 86'400, 149'649},   {9'703, 149'650, 259'199}, {20'011, 259'200, 387'179},
    {20'011, 387'180, 578'379}, {20'012, 578'380, 864'000},
};

job draw_job(draw& random) {
  job one;
  const range& workers = random.row_of(workers_table);
  one.workers = static_cast<int>(random.between(workers.least, workers.most));
  one.gpus_per_worker =
      one.workers == 1 ? random.row_of(single_worker_gpus).gpus : random.row_of(gang_worker_gpus).gpus;
  const range& duration = random.row_of(duration_table);
  one.duration = random.between(duration.least, duration.most);
  return one;
}

}  // namespace

trace generate(const node_list& nodes, const generator_settings& settings) {
  trace result;
  result.name = "generated after Alibaba's 2026 spot-GPU trace, seed " + std::to_string(settings.seed);
  result.span = settings.span;
  draw random(settings.seed);
  const empty_cluster room(nodes);
  const double wanted = static_cast<double>(gpus_of(nodes)) * static_cast<double>(settings.span) *
                        static_cast<double>(settings.load_percent) / 100.0;
  double demand = 0;
  while (demand < wanted) {
    job one = draw_job(random);
    if (!room.fits(one)) {
      ++result.too_large;
      continue;
    }
    one.submit = random.below(settings.span);
    demand += static_cast<double>(gpus_of(one)) * static_cast<double>(one.duration);
    result.jobs.push_back(one);
  }
  std::stable_sort(result.jobs.begin(), result.jobs.end(),
                   [](const job& a, const job& b) { return a.submit < b.submit; });
  return result;
}

}  // namespace replay
