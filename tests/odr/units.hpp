// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_ODR_UNITS_HPP
#define MUSTER_TESTS_ODR_UNITS_HPP

/// \file
/// What one translation unit sees of the library: the name of its inline namespace and the address of one of its
/// inline functions. Units of one mode must agree on both, units of different modes on neither.

#include <string_view>

namespace odr {

using any_function = void (*)();

struct sight {
  std::string_view abi;
  any_function name_of_verdict;
};

sight forward();
sight backward();
sight other_mode();
sight other_assert();
sight own_assert();

}  // namespace odr

#define MUSTER_TESTS_TEXT_OF(name) #name
#define MUSTER_TESTS_NAME_OF(macro) MUSTER_TESTS_TEXT_OF(macro)

/// The sight of the unit that spells this macro.
#define MUSTER_TESTS_SIGHT                                                                                     \
  odr::sight {                                                                                                 \
    MUSTER_TESTS_NAME_OF(MUSTER_ABI),                                                                          \
        reinterpret_cast<odr::any_function>(static_cast<std::string_view (*)(muster::verdict)>(&muster::name)) \
  }

#endif
