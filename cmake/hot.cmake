# SPDX-License-Identifier: BSL-1.0
# muster_hot: lightly optimised even in a debug build. For programs that run for longer than optimising them takes: the
# property tests, the case runner, the replay. Sanitizers are left out: with both, clang 16 takes three times as long to
# compile, and g++ 12 twelve times.

add_library(muster_hot INTERFACE)
if(NOT MUSTER_SANITIZERS)
    target_compile_options(muster_hot INTERFACE $<$<CONFIG:Debug>:-O1>)
endif()
