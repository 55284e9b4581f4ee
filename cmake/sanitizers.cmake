# SPDX-License-Identifier: BSL-1.0
# muster_sanitizers: empty unless MUSTER_SANITIZERS names some. It is a target and not part of CMAKE_CXX_FLAGS, so
# that Catch2's main can be built without it (with sanitizers that one file takes a minute).

add_library(muster_sanitizers INTERFACE)
if(MUSTER_SANITIZERS)
    target_compile_options(muster_sanitizers INTERFACE
        -fsanitize=${MUSTER_SANITIZERS} -fno-sanitize-recover=all -fno-omit-frame-pointer
        # What AddressSanitizer sees as well (null), what casts alone could bring about (alignment) and what needs an
        # optimised build (object-size) take a quarter of the time to compile.
        -fno-sanitize=null,alignment,object-size
        # gcc's manual: sanitizers make this warning see ghosts. The builds without them keep it.
        $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
        # clang's default since 15, which g++ has not: a fifth of the time to run.
        $<$<CXX_COMPILER_ID:Clang>:-fsanitize-address-use-after-return=never>)
    # For tests that then go fewer rounds.
    target_compile_definitions(muster_sanitizers INTERFACE MUSTER_TESTS_SANITIZED)
    target_link_options(muster_sanitizers INTERFACE -fsanitize=${MUSTER_SANITIZERS})
endif()
