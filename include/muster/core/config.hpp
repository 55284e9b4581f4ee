// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_CORE_CONFIG_HPP
#define MUSTER_CORE_CONFIG_HPP

/// \file
/// Version, inline namespace and the assertion hook.
///
/// Everything stands in `namespace muster::inline MUSTER_ABI`. The name folds in what would otherwise
/// break the one-definition rule in silence: the minor version, whether exceptions are on, and whether
/// the host replaced the assertion. Two versions can so live in one process.
///
/// A host that wants broken preconditions reported its own way defines `MUSTER_ASSERT(condition)`
/// before the first include, in every translation unit alike.

#define MUSTER_VERSION_MAJOR 0
#define MUSTER_VERSION_MINOR 1
#define MUSTER_VERSION_PATCH 0

#if defined(MUSTER_ASSERT)
#  if defined(__cpp_exceptions)
#    define MUSTER_ABI v0_1_assert
#  else
#    define MUSTER_ABI v0_1_noexcept_assert
#  endif
#else
#  include <cassert>
#  define MUSTER_ASSERT(condition) assert(condition)
#  if defined(__cpp_exceptions)
#    define MUSTER_ABI v0_1
#  else
#    define MUSTER_ABI v0_1_noexcept
#  endif
#endif

#endif
