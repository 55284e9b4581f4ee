# SPDX-License-Identifier: BSL-1.0
# muster_warnings: what every test, example and benchmark is compiled with. Never part of muster::muster.

add_library(muster_warnings INTERFACE)
target_compile_options(muster_warnings INTERFACE
    -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wold-style-cast
    # gcc 12 sees overlapping copies in `"text" + std::string` at -O2 and up (its bug 105651).
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>
    # ... and overlong reads in the moves of Boost's small_vector, of which it loses the size.
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-stringop-overread>
    $<$<BOOL:${MUSTER_WARNINGS_AS_ERRORS}>:-Werror>)
