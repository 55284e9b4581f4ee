// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_CORE_TIME_HPP
#define MUSTER_CORE_TIME_HPP

/// \file
/// Time as the host tells it. `host_clock` has no `now()`: muster reads no clock, every moment is an argument.

#include <muster/core/config.hpp>

#include <chrono>
#include <cstdint>

namespace muster::inline MUSTER_ABI {

struct host_clock {
  using rep = std::int64_t;
  using period = std::milli;
  using duration = std::chrono::duration<rep, period>;
  using time_point = std::chrono::time_point<host_clock>;
  static constexpr bool is_steady = false;
};

using duration = host_clock::duration;
using time_point = host_clock::time_point;

inline constexpr time_point beginning_of_time = time_point::min();
inline constexpr time_point end_of_time = time_point::max();  ///< "not known", "for ever"

}  // namespace muster::inline MUSTER_ABI

#endif
