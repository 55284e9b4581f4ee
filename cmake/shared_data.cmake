# SPDX-License-Identifier: BSL-1.0
# Some tests read traces and oracle cases that are published elsewhere and are not part of the repository.
#
#   muster_add_shared_test(NAME <test> NEEDS <file>... COMMAND <command> [<argument>...])
#
# Files are relative to MUSTER_SHARED_DIR. Where one is missing, the test is reported as skipped under its own name
# and says which file it lacks.

function(muster_add_shared_test)
    cmake_parse_arguments(PARSE_ARGV 0 test "" "NAME" "NEEDS;COMMAND")
    set(missing "")
    foreach(file IN LISTS test_NEEDS)
        if(NOT EXISTS "${MUSTER_SHARED_DIR}/${file}")
            list(APPEND missing "${file}")
        endif()
    endforeach()
    if(missing)
        list(JOIN missing ", " missing)
        add_test(NAME ${test_NAME} COMMAND ${CMAKE_COMMAND} -E echo "muster: skipped ${test_NAME}, without ${missing}")
        message(STATUS "Skipped for want of shared data: ${test_NAME} (${missing})")
    else()
        add_test(NAME ${test_NAME} COMMAND ${test_COMMAND})
    endif()
    set_tests_properties(${test_NAME} PROPERTIES SKIP_REGULAR_EXPRESSION "muster: skipped")
endfunction()
