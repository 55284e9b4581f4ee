// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_STRANGER_ASSERT_HPP
#define MUSTER_TESTS_STRANGER_ASSERT_HPP

/// \file
/// The stranger's own assertion: counts what is broken instead of ending the process. Comes before every muster header.

namespace stranger {
inline int broken_preconditions = 0;
}

#define MUSTER_ASSERT(condition) ((condition) ? void() : void(++::stranger::broken_preconditions))

#endif
