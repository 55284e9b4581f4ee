# SPDX-License-Identifier: BSL-1.0
# muster_warnings: what every test, example and benchmark is compiled with. Never part of muster::muster.

add_library(muster_warnings INTERFACE)
target_compile_options(muster_warnings INTERFACE
    -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wold-style-cast
    $<$<BOOL:${MUSTER_WARNINGS_AS_ERRORS}>:-Werror>)
