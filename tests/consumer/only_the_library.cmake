# SPDX-License-Identifier: BSL-1.0
# A project that takes muster in gets the library and nothing else.

foreach(option IN ITEMS MUSTER_INSTALL MUSTER_TESTS MUSTER_EXAMPLES MUSTER_BENCHMARKS)
    if(${option})
        message(FATAL_ERROR "${option} is on in a project that merely takes muster in")
    endif()
endforeach()
foreach(target IN ITEMS test_core test_architecture replay muster_bench muster_warnings)
    if(TARGET ${target})
        message(FATAL_ERROR "${target} is built in a project that merely takes muster in")
    endif()
endforeach()
