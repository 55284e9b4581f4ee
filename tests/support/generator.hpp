// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_SUPPORT_GENERATOR_HPP
#define MUSTER_TESTS_SUPPORT_GENERATOR_HPP

/// \file
/// Seeded numbers for property tests, the same with every compiler and standard library.
///
/// A generator prints its seed when it is made; ctest shows that line when the test fails. Without more, the seed
/// follows from the name, so a run can be repeated. Two environment variables change that:
///
/// - MUSTER_TEST_SEED=N  uses N (a decimal number) for every generator;
/// - MUSTER_TEST_ROUNDS=N  multiplies what `rounds()` answers, for a long run.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <utility>

namespace muster_test {

class generator {
 public:
  using result_type = std::uint64_t;

  explicit generator(std::string_view name) : seed_{seed_for(name)}, state_{seed_} {
    std::printf("seed of %.*s: MUSTER_TEST_SEED=%llu\n", static_cast<int>(name.size()), name.data(),
                static_cast<unsigned long long>(seed_));
    std::fflush(stdout);
  }
  explicit generator(std::uint64_t seed) noexcept : seed_{seed}, state_{seed} {}

  [[nodiscard]] std::uint64_t seed() const noexcept { return seed_; }

  /// The next 64 bits (splitmix64).
  result_type operator()() noexcept {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t bits = state_;
    bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9U;
    bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebU;
    return bits ^ (bits >> 31U);
  }
  static constexpr result_type min() noexcept { return 0; }
  static constexpr result_type max() noexcept { return std::numeric_limits<result_type>::max(); }

  /// Evenly one of 0 .. count - 1. \pre count > 0
  [[nodiscard]] std::uint64_t below(std::uint64_t count) noexcept {
    const std::uint64_t unfair = (max() - count + 1) % count;  // 2^64 mod count
    std::uint64_t bits = (*this)();
    while (bits > max() - unfair) bits = (*this)();
    return bits % count;
  }

  /// Evenly one of least .. most, both included. \pre least <= most, fewer than 2^64 values
  [[nodiscard]] std::int64_t between(std::int64_t least, std::int64_t most) noexcept {
    const auto span = static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(least) + 1;
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(least) + below(span));
  }

  /// True in `percent` of 100 calls.
  [[nodiscard]] bool chance(unsigned percent) noexcept { return below(100) < percent; }

  /// One element. \pre not empty
  template <class Range>
  [[nodiscard]] auto& pick(Range& range) noexcept {
    return range[static_cast<std::size_t>(below(std::size(range)))];
  }

  /// Every order equally likely.
  template <class Range>
  void shuffle(Range& range) noexcept {
    for (std::size_t left = std::size(range); left > 1; --left) {
      using std::swap;
      swap(range[left - 1], range[static_cast<std::size_t>(below(left))]);
    }
  }

 private:
  static std::uint64_t seed_for(std::string_view name) {
    if (const char* given = std::getenv("MUSTER_TEST_SEED")) return std::strtoull(given, nullptr, 10);
    std::uint64_t hash = 0xcbf29ce484222325U;  // FNV-1a
    for (const char letter : name) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3U;
    return hash;
  }

  std::uint64_t seed_;
  std::uint64_t state_;
};

/// How many rounds a property test runs: `usual`, times MUSTER_TEST_ROUNDS where that is set.
[[nodiscard]] inline int rounds(int usual) {
  const char* factor = std::getenv("MUSTER_TEST_ROUNDS");
  return factor == nullptr ? usual : usual * static_cast<int>(std::strtol(factor, nullptr, 10));
}
/// The same for a test whose rounds take long: under sanitizers a fifth of them.
[[nodiscard]] inline int long_rounds(int usual) {
#if defined(MUSTER_TESTS_SANITIZED)
  usual /= 5;
#endif
  return rounds(usual);
}

}  // namespace muster_test

#endif
