// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_CORE_CONFIG_HPP
#define MUSTER_CORE_CONFIG_HPP

/// \file
/// Version, inline namespace and the assertion hook.
///
/// Everything stands in `namespace muster::inline MUSTER_ABI`. The name folds in what gives a type another layout or an
/// inline function another body, and would otherwise break the one-definition rule in silence: the minor version,
/// whether exceptions are on, whether the host replaced the assertion, whether NDEBUG turned it off, and whether
/// libstdc++'s containers are its debugging ones. Units that differ in these can live in one process, each with types
/// of its own; what they exchange does not link by mistake.
///
/// A host that wants broken preconditions reported its own way defines `MUSTER_ASSERT(condition)`
/// before the first include, in every translation unit alike.

#define MUSTER_VERSION_MAJOR 0
#define MUSTER_VERSION_MINOR 1
#define MUSTER_VERSION_PATCH 0

#if defined(__cpp_exceptions)
#  define MUSTER_ABI_EXCEPTIONS
#else
#  define MUSTER_ABI_EXCEPTIONS _noexcept
#endif

#if defined(MUSTER_ASSERT)
#  define MUSTER_ABI_ASSERT _assert
#else
#  define MUSTER_ABI_ASSERT
#  if defined(NDEBUG)
#    define MUSTER_ASSERT(condition) static_cast<void>(0)  // whatever NDEBUG is when a later header is read
#  else
#    include <cassert>
#    define MUSTER_ASSERT(condition) assert(condition)
#  endif
#endif

#if defined(NDEBUG)
#  define MUSTER_ABI_NDEBUG _ndebug
#else
#  define MUSTER_ABI_NDEBUG
#endif

#if defined(_GLIBCXX_DEBUG)
#  define MUSTER_ABI_CONTAINERS _debug
#else
#  define MUSTER_ABI_CONTAINERS
#endif

#define MUSTER_ABI_JOINED(a, b, c, d) v0_1##a##b##c##d
#define MUSTER_ABI_JOIN(a, b, c, d) MUSTER_ABI_JOINED(a, b, c, d)
#define MUSTER_ABI MUSTER_ABI_JOIN(MUSTER_ABI_EXCEPTIONS, MUSTER_ABI_ASSERT, MUSTER_ABI_NDEBUG, MUSTER_ABI_CONTAINERS)

#endif
