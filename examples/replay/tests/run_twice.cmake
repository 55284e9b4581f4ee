# SPDX-License-Identifier: BSL-1.0
# Runs the replay twice and compares all it prints and writes, byte for byte.
#
#   cmake -D replay=<program> -D work=<folder> -P run_twice.cmake

file(REMOVE_RECURSE "${work}")
foreach(run IN ITEMS first second)
    file(MAKE_DIRECTORY "${work}/${run}")
    execute_process(
        COMMAND "${replay}" --quiet --no-speed --uniform 60 --days 4 --seed 3
            --rules pods,quota,gangs,strict,pods_in_order --out out
        WORKING_DIRECTORY "${work}/${run}"
        OUTPUT_FILE printed.txt
        COMMAND_ERROR_IS_FATAL ANY)
endforeach()
foreach(file IN ITEMS printed.txt out/summary.csv out/series.csv out/picture.dat out/picture.gp)
    execute_process(
        COMMAND ${CMAKE_COMMAND} -E compare_files "${work}/first/${file}" "${work}/second/${file}"
        COMMAND_ERROR_IS_FATAL ANY)
endforeach()
