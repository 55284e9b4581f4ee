// SPDX-License-Identifier: BSL-1.0
// Catch2's own code and main(), one object for every test binary of a build folder. Version 3 brings a library.
#if !__has_include(<catch2/catch_all.hpp>)
#  define CATCH_CONFIG_MAIN
#  include <catch2/catch.hpp>
#endif
