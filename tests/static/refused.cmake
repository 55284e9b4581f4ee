# SPDX-License-Identifier: BSL-1.0
# Compiles a source that must be refused and compares the compiler's words with the source's `// expect:` line.
#
#   cmake -D source=<file> -D compiler=<C++ compiler> -D include=<folder|folder...> -P refused.cmake

file(STRINGS "${source}" line REGEX "^// expect: ")
if(NOT line MATCHES "^// expect: (.+)$")
    message(FATAL_ERROR "${source} has no line '// expect: <regular expression>'")
endif()
set(expected "${CMAKE_MATCH_1}")

string(REPLACE "|" ";" folders "${include}")
list(REMOVE_DUPLICATES folders)
list(REMOVE_ITEM folders "" /usr/include)
list(TRANSFORM folders PREPEND "-I")
execute_process(
    COMMAND "${compiler}" -std=c++20 -fsyntax-only ${folders} "${source}"
    RESULT_VARIABLE result OUTPUT_VARIABLE printed ERROR_VARIABLE printed)
if(result EQUAL 0)
    message(FATAL_ERROR "${source} compiles")
elseif(NOT printed MATCHES "${expected}")
    message(FATAL_ERROR "${source} is refused, but not with '${expected}':\n${printed}")
endif()
