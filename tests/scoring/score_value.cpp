// SPDX-License-Identifier: BSL-1.0
#include <muster/scoring/score_value.hpp>

#include "support/catch.hpp"
#include "support/generator.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace {

using muster::highest_score;
using muster::lowest_score;
using muster::score_value;
__extension__ using wide = unsigned __int128;

enum plain : int { three = 3 };
enum class strict : int { three = 3 };
struct whole {
  std::int32_t value;
  constexpr operator std::int32_t() const { return value; }
};
struct broken {
  double value;
  operator double() const { return value; }
};
struct nothing {};

static_assert(muster::score_number<bool>);
static_assert(muster::score_number<const std::int32_t&>);
static_assert(muster::score_number<std::uint64_t>);
static_assert(muster::score_number<float>);
static_assert(muster::score_number<double>);
static_assert(muster::score_number<plain>);
static_assert(muster::score_number<whole>);
static_assert(!muster::score_number<broken>);  // it would become an integer by way of a number with a fraction
static_assert(!muster::score_number<strict>);
static_assert(!muster::score_number<nothing>);
static_assert(!muster::score_number<const char*>);
static_assert(muster::score_number<long double> == (sizeof(long double) == 8));
static_assert(noexcept(score_value(1.0)));
static_assert(score_value(0.5) == 500'000);  // also while compiling

// |x| in millionths, rounded down, by 128-bit integers.
std::int64_t expected(double x) {
  int exponent = 0;
  const double part = std::frexp(std::abs(x), &exponent);  // x = part 2^exponent, part in [1/2, 1)
  const wide scaled = static_cast<wide>(static_cast<std::uint64_t>(std::ldexp(part, 53))) * 1'000'000;
  const int up = exponent - 53;
  if (up > 40) return highest_score;
  const wide size = up >= 0 ? scaled << up : -up < 100 ? scaled >> -up : 0;
  return size > static_cast<wide>(highest_score) ? highest_score : static_cast<std::int64_t>(size);
}

}  // namespace

TEST_CASE("whole numbers are scores as they are, and held where 64 bits do not hold them", "[scoring]") {
  CHECK(score_value(-7) == -7);
  CHECK(score_value(true) == 1);
  CHECK(score_value(three) == 3);
  CHECK(score_value(whole{-5}) == -5);
  CHECK(score_value(std::int8_t{-128}) == -128);
  CHECK(score_value(std::numeric_limits<std::uint32_t>::max()) == 4'294'967'295);
  CHECK(score_value(std::uint64_t{1} << 62U) == std::int64_t{1} << 62);
  CHECK(score_value(std::uint64_t{1} << 63U) == highest_score);
  CHECK(score_value(std::numeric_limits<std::uint64_t>::max()) == highest_score);
  CHECK(score_value(lowest_score) == lowest_score);
  CHECK(score_value(highest_score) == highest_score);
}

TEST_CASE("floating-point numbers are scores in millionths, rounded toward 0", "[scoring]") {
  CHECK(score_value(0.0) == 0);
  CHECK(score_value(-0.0) == 0);
  CHECK(score_value(1.0) == 1'000'000);
  CHECK(score_value(-1.0F) == -1'000'000);
  CHECK(score_value(0.25F) == 250'000);
  CHECK(score_value(3.0000015) == 3'000'001);
  CHECK(score_value(-3.0000015) == -3'000'001);
  CHECK(score_value(0.9e-6) == 0);
  CHECK(score_value(-0.9e-6) == 0);
  CHECK(score_value(std::numeric_limits<double>::denorm_min()) == 0);
  CHECK(score_value(std::numeric_limits<float>::denorm_min()) == 0);
  CHECK(score_value(std::numeric_limits<float>::min()) == 0);
  // the last numbers below 2^63 millionths, and the first beyond
  CHECK(score_value(9'223'372'036'854.775) == 9'223'372'036'854'775'390);  // the nearest double is .775390625
  CHECK(score_value(9'223'372'036'854.78) == highest_score);
}

TEST_CASE("NaN is the lowest score, infinities and what is beyond are the ends", "[scoring]") {
  using number = std::numeric_limits<double>;
  using small = std::numeric_limits<float>;
  CHECK(score_value(number::quiet_NaN()) == lowest_score);
  CHECK(score_value(-number::quiet_NaN()) == lowest_score);
  CHECK(score_value(std::bit_cast<double>(std::uint64_t{0x7ff0000000000001})) == lowest_score);  // signalling
  CHECK(score_value(small::quiet_NaN()) == lowest_score);
  CHECK(score_value(number::infinity()) == highest_score);
  CHECK(score_value(-number::infinity()) == lowest_score);
  CHECK(score_value(small::infinity()) == highest_score);
  CHECK(score_value(-small::infinity()) == lowest_score);
  CHECK(score_value(number::max()) == highest_score);
  CHECK(score_value(number::lowest()) == lowest_score);
  CHECK(score_value(small::max()) == highest_score);
  CHECK(score_value(small::lowest()) == lowest_score);
  CHECK(score_value(0x1p44) == highest_score);
  CHECK(score_value(-0x1p44F) == lowest_score);
  CHECK(score_value(0x1p43) == std::int64_t{8'796'093'022'208'000'000});
}

TEST_CASE("every size of number agrees with 128-bit integers, and keeps the order", "[scoring]") {
  muster_test::generator draw{"score values"};
  for (int round = 0; round < 200'000; ++round) {
    const auto random = [&draw] {  // exponents from 2^-60 to 2^60
      const std::uint64_t part = draw() >> 12U, exponent = 1023 - 60 + draw.below(121), sign = draw.below(2);
      return std::bit_cast<double>(sign << 63U | exponent << 52U | part);
    };
    const double a = random(), b = random();
    const std::int64_t size = expected(a);
    REQUIRE(score_value(a) == (a > 0 ? size : size == highest_score ? lowest_score : -size));
    if (a < b) REQUIRE(score_value(a) <= score_value(b));
    const auto narrow = static_cast<float>(a);
    REQUIRE(score_value(narrow) == score_value(static_cast<double>(narrow)));
  }
}
