# SPDX-License-Identifier: BSL-1.0
# Copies a header with one piece of it replaced, and fails if the piece is not there exactly once.
#
#   cmake -D header=<file> -D "was=<text>" -D "is=<text>" -D output=<file> -P mutate.cmake

file(READ "${header}" text)
string(FIND "${text}" "${was}" first)
string(FIND "${text}" "${was}" last REVERSE)
if(first EQUAL -1 OR NOT first EQUAL last)
    message(FATAL_ERROR
        "'${was}' is not in ${header} exactly once: name the undo step's new words in tests/property/mutants/CMakeLists.txt")
endif()
string(REPLACE "${was}" "${is}" text "${text}")
file(WRITE "${output}" "${text}")
