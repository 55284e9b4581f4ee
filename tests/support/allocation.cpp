// SPDX-License-Identifier: BSL-1.0
#include "support/allocation.hpp"

#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>

#include <malloc.h>  // malloc_usable_size

namespace {

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

thread_local std::size_t calls_here = 0;
thread_local std::size_t bytes_here = 0;
thread_local std::ptrdiff_t held_here = 0;
thread_local std::ptrdiff_t most_held_here = 0;
thread_local std::size_t allowed_here = unlimited;

// Null when the limit is reached or the memory is gone.
void* allocate(std::size_t bytes, std::size_t alignment) noexcept {
  if (allowed_here == 0) return nullptr;
  if (allowed_here != unlimited) --allowed_here;
  ++calls_here;
  bytes_here += bytes;
  if (bytes == 0) bytes = 1;
  void* memory = alignment <= alignof(std::max_align_t)
                     ? std::malloc(bytes)
                     : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  held_here += static_cast<std::ptrdiff_t>(malloc_usable_size(memory));
  if (held_here > most_held_here) most_held_here = held_here;
  return memory;
}

void give_back(void* memory) noexcept {
  held_here -= static_cast<std::ptrdiff_t>(malloc_usable_size(memory));
  std::free(memory);
}

void* allocate_or_fail(std::size_t bytes, std::size_t alignment) {
  void* memory = allocate(bytes, alignment);
  if (memory == nullptr) {
#if defined(__cpp_exceptions)
    throw std::bad_alloc{};
#else
    std::abort();
#endif
  }
  return memory;
}

constexpr std::size_t usual = alignof(std::max_align_t);

}  // namespace

void* operator new(std::size_t bytes) { return allocate_or_fail(bytes, usual); }
void* operator new[](std::size_t bytes) { return allocate_or_fail(bytes, usual); }
void* operator new(std::size_t bytes, std::align_val_t at) {
  return allocate_or_fail(bytes, static_cast<std::size_t>(at));
}
void* operator new[](std::size_t bytes, std::align_val_t at) {
  return allocate_or_fail(bytes, static_cast<std::size_t>(at));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return allocate(bytes, usual); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept { return allocate(bytes, usual); }

void operator delete(void* memory) noexcept { give_back(memory); }
void operator delete[](void* memory) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { give_back(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { give_back(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { give_back(memory); }

namespace muster_test {

allocation_watch::allocation_watch() noexcept : calls_{calls_here}, bytes_{bytes_here}, held_{held_here} {
  most_held_here = held_here;
}
std::size_t allocation_watch::calls() const noexcept { return calls_here - calls_; }
std::size_t allocation_watch::bytes() const noexcept { return bytes_here - bytes_; }
std::ptrdiff_t allocation_watch::held() const noexcept { return held_here - held_; }
std::ptrdiff_t allocation_watch::peak() const noexcept { return most_held_here - held_; }

#if defined(__cpp_exceptions)
allocation_limit::allocation_limit(std::size_t allowed) noexcept { allowed_here = allowed; }
allocation_limit::~allocation_limit() { allowed_here = unlimited; }
#endif

}  // namespace muster_test
