# SPDX-License-Identifier: BSL-1.0
# Runs a program and compares its standard output with a file, to the letter.
#
#   cmake -D program=<program> -D expected=<file> -P compare_output.cmake

execute_process(COMMAND "${program}" OUTPUT_VARIABLE printed RESULT_VARIABLE result)
if(NOT result STREQUAL "0")
    message(FATAL_ERROR "${program} ended with ${result} and printed\n${printed}")
endif()
if(NOT EXISTS "${expected}")
    message(FATAL_ERROR "${expected} is missing; the program printed\n${printed}")
endif()
file(READ "${expected}" wanted)
if(NOT printed STREQUAL wanted)
    message(FATAL_ERROR "expected (${expected})\n${wanted}\nbut it printed\n${printed}")
endif()
