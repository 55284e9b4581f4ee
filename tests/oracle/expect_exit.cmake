# SPDX-License-Identifier: BSL-1.0
# Runs COMMAND with ARGUMENTS; it must end with STATUS, and print every text of SAYS on STREAM (output or error) and
# none of SAYS_NOT.
execute_process(COMMAND "${COMMAND}" ${ARGUMENTS} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE error)
if(NOT "${status}" STREQUAL "${STATUS}")
    message(FATAL_ERROR "ended with ${status}, not with ${STATUS}:\n${output}${error}")
endif()
foreach(text IN LISTS SAYS)
    string(FIND "${${STREAM}}" "${text}" at)
    if(at EQUAL -1)
        message(FATAL_ERROR "does not say '${text}':\n${${STREAM}}")
    endif()
endforeach()
foreach(text IN LISTS SAYS_NOT)
    string(FIND "${${STREAM}}" "${text}" at)
    if(NOT at EQUAL -1)
        message(FATAL_ERROR "says '${text}':\n${${STREAM}}")
    endif()
endforeach()
