// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_SUPPORT_ALLOCATION_HPP
#define MUSTER_TESTS_SUPPORT_ALLOCATION_HPP

/// \file
/// Counts what a stretch of code allocates, and makes an allocation fail on purpose.
///
/// Every test binary links a replacement of the global operator new. It counts per thread, so that a test is not
/// disturbed by what others do. Catch2's assertions allocate: read the counter first, assert afterwards.
///
///     muster_test::allocation_watch watch;
///     place(view, group, workspace);
///     const auto calls = watch.calls();
///     CHECK(calls == 0);

#include <cstddef>

namespace muster_test {

/// Allocations of this thread since the watch was made.
class allocation_watch {
 public:
  allocation_watch() noexcept;

  [[nodiscard]] std::size_t calls() const noexcept;
  [[nodiscard]] std::size_t bytes() const noexcept;
  /// What is held more than at the start, in bytes as the allocator rounds them up; negative if more was given back.
  [[nodiscard]] std::ptrdiff_t held() const noexcept;
  /// The most that was held more than at the start, at any one time. Of the watch made last.
  [[nodiscard]] std::ptrdiff_t peak() const noexcept;

 private:
  std::size_t calls_;
  std::size_t bytes_;
  std::ptrdiff_t held_;
};

#if defined(__cpp_exceptions)
/// While it lives, this thread may allocate `allowed` more times; the next time throws std::bad_alloc, and so on.
class allocation_limit {
 public:
  explicit allocation_limit(std::size_t allowed) noexcept;
  ~allocation_limit();
  allocation_limit(const allocation_limit&) = delete;
  allocation_limit& operator=(const allocation_limit&) = delete;
};
#endif

}  // namespace muster_test

#endif
