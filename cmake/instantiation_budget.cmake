# SPDX-License-Identifier: BSL-1.0
# Counts the template instantiations of translation units and compares them with budgets.
#
#   cmake -D compiler=<clang++> -D root=<repository> -D budgets=<file> -D work=<folder> -P instantiation_budget.cmake
#
# A budget line holds a file and the most classes and functions its compilation may instantiate. A name that starts
# with `muster/` is a header, compiled as the only include of an empty program; any other is a source below <root>.
# Counted with clang 16 and libstdc++ 12: the same input gives the same count on every machine.

file(MAKE_DIRECTORY "${work}")
file(STRINGS "${budgets}" lines REGEX "^[^# ]")
if(NOT lines)
    message(FATAL_ERROR "${budgets} holds no budget")
endif()

set(over "")
foreach(line IN LISTS lines)
    if(NOT line MATCHES "^([^ ]+) +([0-9]+)$")
        message(FATAL_ERROR "${budgets}: not '<file> <count>': ${line}")
    endif()
    set(name "${CMAKE_MATCH_1}")
    set(budget "${CMAKE_MATCH_2}")
    string(MAKE_C_IDENTIFIER "${name}" unit)
    if(name MATCHES "^muster/")
        set(source "${work}/${unit}.cpp")
        file(WRITE "${source}" "#include <${name}>\n")
    else()
        set(source "${root}/${name}")
    endif()
    execute_process(
        COMMAND "${compiler}" -std=c++20 -O0 -I "${root}/include" -ftime-trace -ftime-trace-granularity=0
            -c "${source}" -o "${work}/${unit}.o"
        COMMAND_ERROR_IS_FATAL ANY)
    file(READ "${work}/${unit}.json" trace)
    string(REGEX MATCHALL "\"name\":\"Instantiate(Class|Function)\"" found "${trace}")
    list(LENGTH found count)
    if(count GREATER budget)
        list(APPEND over "${name}")
        message("${name}: ${count} instantiations, over its budget of ${budget}")
    else()
        message("${name}: ${count} instantiations of ${budget}")
    endif()
endforeach()
if(over)
    list(JOIN over ", " over)
    message(FATAL_ERROR "over its budget: ${over}")
endif()
