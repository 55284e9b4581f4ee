# SPDX-License-Identifier: BSL-1.0
# Runs the replay as the main job does, with its picture, on a small cluster: the picture must be there, and drawn.
#
#   cmake -D replay=<program> -D work=<folder> -D name=<test> -P draws.cmake

find_program(gnuplot NAMES gnuplot)
if(NOT gnuplot)
    message("muster: skipped ${name}, without gnuplot")
    return()
endif()
file(REMOVE_RECURSE "${work}")
execute_process(
    COMMAND "${replay}" --quiet --no-speed --uniform 20 --days 2 --rules pods,gangs --loads 90 --out "${work}"
    OUTPUT_VARIABLE printed
    COMMAND_ERROR_IS_FATAL ANY)
set(picture "${work}/allocated_useful.svg")
if(NOT EXISTS "${picture}")
    message(FATAL_ERROR "there is no ${picture}:\n${printed}")
endif()
file(READ "${picture}" drawn)
string(LENGTH "${drawn}" length)
# two panels of hundreds of bins, each with its title, and the key
if(length LESS 5000)
    message(FATAL_ERROR "${picture} has ${length} characters only")
endif()
foreach(text IN ITEMS "<svg" "</svg>" "<path" "pod by pod, load 90 %" "gangs, best effort, load 90 %"
        "held, gang not whole" "useful")
    string(FIND "${drawn}" "${text}" at)
    if(at EQUAL -1)
        message(FATAL_ERROR "'${text}' is not in ${picture}")
    endif()
endforeach()
string(FIND "${printed}" "picture: ${picture}" at)
if(at EQUAL -1)
    message(FATAL_ERROR "it does not say where the picture is:\n${printed}")
endif()
