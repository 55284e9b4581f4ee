// SPDX-License-Identifier: BSL-1.0
// What the machine itself takes: the floors that the figures are set against. Nothing of muster in here.
//
// floor/scan/N     the sum of a vector of N numbers, one of which changed before
// floor/scan_x3/N  the sums of three
// floor/touch/N    64 scattered numbers of N read, changed and written back
// floor/clock      two readings of the clock with nothing between, as the time of every decision contains them

#include "support/measure.hpp"

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace {

using numbers = std::vector<std::int64_t>;

numbers seeded_numbers(std::int64_t count, std::uint32_t seed) {
  numbers made(static_cast<std::size_t>(count));
  for (std::int64_t& number : made) number = (seed = seed * 1'664'525U + 1'013'904'223U) >> 28U;
  return made;
}

constexpr std::size_t rounds_at_once = 32;  // between two readings of the clock

void scan(benchmark::State& state, std::int64_t count, std::size_t vectors) {
  std::vector<numbers> of;
  std::vector<std::int64_t> expected(vectors), sums(vectors);
  for (std::size_t v = 0; v < vectors; ++v) {
    of.push_back(seeded_numbers(count, static_cast<std::uint32_t>(v + 1)));
    expected[v] = std::accumulate(of[v].begin(), of[v].end(), std::int64_t{0});
  }
  std::size_t next = 0;
  muster_bench::measure(
      state, [](std::uint64_t) {},
      [&] {
        std::int64_t all = 0;
        for (std::size_t i = 0; i < rounds_at_once; ++i) {
          for (std::size_t v = 0; v < vectors; ++v) {
            ++of[v][next];
            sums[v] = std::accumulate(of[v].begin(), of[v].end(), std::int64_t{0});
            all += sums[v];
          }
          next = next + 97 < of[0].size() ? next + 97 : 0;
        }
        return static_cast<std::uint64_t>(all);
      },
      [&](std::uint64_t round) -> const char* {
        for (std::size_t v = 0; v < vectors; ++v)
          if (sums[v] != expected[v] + static_cast<std::int64_t>((round + 1) * rounds_at_once)) return "wrong sum";
        return nullptr;
      },
      rounds_at_once);
}

void touch(benchmark::State& state, std::int64_t count) {
  constexpr std::size_t scattered = 64, different = 4096;
  numbers of = seeded_numbers(count, 1);
  const std::int64_t before = std::accumulate(of.begin(), of.end(), std::int64_t{0});
  std::vector<std::uint32_t> where(different);
  std::uint64_t drawn = 7;
  for (std::uint32_t& at : where) {
    drawn = drawn * 6'364'136'223'846'793'005U + 1'442'695'040'888'963'407U;
    at = static_cast<std::uint32_t>((drawn >> 33U) % of.size());
  }
  std::size_t first = 0;
  muster_bench::measure(
      state, [](std::uint64_t) {},
      [&] {
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < rounds_at_once; ++i) {
          for (std::size_t k = first; k < first + scattered; ++k) sum += of[where[k]]++;
          first = (first + scattered) % different;
        }
        return static_cast<std::uint64_t>(sum);
      },
      [&](std::uint64_t round) -> const char* {
        if (round % 4096 != 0) return nullptr;
        const std::int64_t now = std::accumulate(of.begin(), of.end(), std::int64_t{0});
        return now == before + static_cast<std::int64_t>((round + 1) * rounds_at_once * scattered) ? nullptr : "wrong sum";
      },
      rounds_at_once);
}

[[maybe_unused]] const bool declared = [] {
  for (const std::int64_t n : muster_bench::cluster_sizes) {
    muster_bench::declare("floor/scan", "", n, [n](benchmark::State& state) { scan(state, n, 1); });
    muster_bench::declare("floor/scan_x3", "", n, [n](benchmark::State& state) { scan(state, n, 3); });
    muster_bench::declare("floor/touch", "", n, [n](benchmark::State& state) { touch(state, n); });
  }
  benchmark::RegisterBenchmark("floor/clock", [](benchmark::State& state) {
    muster_bench::measure(
        state, [](std::uint64_t) {}, [] { return std::uint64_t{0}; },
        [](std::uint64_t) -> const char* { return nullptr; });
  })->UseManualTime()->Unit(benchmark::kMicrosecond);
  return true;
}();

}  // namespace
