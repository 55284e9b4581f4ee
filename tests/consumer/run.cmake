# SPDX-License-Identifier: BSL-1.0
# One way of taking muster in, from a clean folder.
#
#   cmake -D way=<way> -D root=<repository> -D built=<build folder> -D work=<folder> -D version=<muster's version>
#         -D generator=<generator> -D compiler=<C++ compiler> -P run.cmake
#
# install                 puts the package under <work>/prefix, and nothing but headers and package files
# find_package            the installed package, asked for by its own version
# wrong_version           the next and the previous minor version and 1.0 are refused, and say why
# other_architecture      a program of another word size may use the same package
# add_subdirectory        the source tree inside another project, which gets no tests, examples or install rules
# fetch_content           the same through FetchContent
# two_versions            this version and a made-up next one in one process, each with its own functions
# two_versions_goes_red   the same with the inline namespace left alone: the program must notice the mix-up

cmake_minimum_required(VERSION 3.25)

set(here "${CMAKE_CURRENT_LIST_DIR}")
set(prefix "${work}/prefix")
string(REGEX MATCH "^([0-9]+)[.]([0-9]+)" minor_version "${version}")
set(major "${CMAKE_MATCH_1}")
set(minor "${CMAKE_MATCH_2}")
math(EXPR next_minor "${minor} + 1")

# configure(<project> <build folder> <result variable> <output variable> [<argument>...])
function(configure project build result output)
    file(REMOVE_RECURSE "${build}")
    execute_process(
        COMMAND "${CMAKE_COMMAND}" -S "${here}/${project}" -B "${build}" -G "${generator}"
            "-DCMAKE_CXX_COMPILER=${compiler}" "-DCMAKE_PREFIX_PATH=${prefix}" "-DMUSTER_ROOT_DIR=${root}" ${ARGN}
        RESULT_VARIABLE ended OUTPUT_VARIABLE printed ERROR_VARIABLE printed)
    set(${result} "${ended}" PARENT_SCOPE)
    set(${output} "${printed}" PARENT_SCOPE)
endfunction()

# build_and_run(<project> [<argument>...]): configures, builds and runs the project's program `consumer`.
function(build_and_run project)
    set(build "${work}/${way}")
    configure(${project} "${build}" ended printed ${ARGN})
    if(NOT ended EQUAL 0)
        message(FATAL_ERROR "${project} does not configure:\n${printed}")
    endif()
    execute_process(COMMAND "${CMAKE_COMMAND}" --build "${build}" COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND "${build}/consumer" RESULT_VARIABLE ended)
    set(program_ended "${ended}" PARENT_SCOPE)
endfunction()

function(expect_success)
    if(NOT program_ended EQUAL 0)
        message(FATAL_ERROR "the consumer's program ended with ${program_ended}")
    endif()
endfunction()

if(way STREQUAL "install")
    file(REMOVE_RECURSE "${prefix}")
    execute_process(COMMAND "${CMAKE_COMMAND}" --install "${built}" --prefix "${prefix}" COMMAND_ERROR_IS_FATAL ANY)
    file(GLOB_RECURSE wanted RELATIVE "${root}/include" "${root}/include/*.hpp")
    file(GLOB_RECURSE headers RELATIVE "${prefix}/include" "${prefix}/include/*")
    if(NOT headers STREQUAL wanted)
        message(FATAL_ERROR "installed headers differ from include/:\n${headers}\n${wanted}")
    endif()
    file(GLOB_RECURSE others RELATIVE "${prefix}" "${prefix}/*")
    list(FILTER others EXCLUDE REGEX "^include/muster/.*[.]hpp$")
    list(FILTER others EXCLUDE REGEX "^share/cmake/muster/muster-(config|config-version|targets)[.]cmake$")
    list(FILTER others EXCLUDE REGEX "^share/doc/[^/]+/LICENSE$")
    if(others)
        message(FATAL_ERROR "installed besides headers and package: ${others}")
    endif()
elseif(way STREQUAL "find_package")
    build_and_run(find_package "-DWANTED=${major}.${minor}")
    expect_success()
elseif(way STREQUAL "wrong_version")
    set(refused "${major}.${next_minor}" 1.0)
    if(minor GREATER 0)
        math(EXPR previous_minor "${minor} - 1")
        list(APPEND refused "${major}.${previous_minor}")
    endif()
    foreach(wanted IN LISTS refused)
        configure(find_package "${work}/${way}" ended printed "-DWANTED=${wanted}")
        string(REGEX REPLACE "[ \n]+" " " printed "${printed}")
        if(ended EQUAL 0)
            message(FATAL_ERROR "muster ${version} passes for ${wanted}")
        elseif(NOT printed MATCHES "compatible with requested version \"${wanted}\"" OR
               NOT printed MATCHES "muster-config.cmake, version: ${version}")
            message(FATAL_ERROR "muster ${wanted} was refused for another reason:\n${printed}")
        endif()
        message("muster ${version} is refused where ${wanted} is asked for")
    endforeach()
elseif(way STREQUAL "other_architecture")
    configure(find_package "${work}/${way}" ended printed "-DWANTED=${version}" -DPRETEND_POINTER_BYTES=4)
    if(NOT ended EQUAL 0)
        message(FATAL_ERROR "refused for its word size:\n${printed}")
    endif()
elseif(way MATCHES "^(add_subdirectory|fetch_content)$")
    build_and_run(${way})
    expect_success()
elseif(way MATCHES "^two_versions")
    # A next version: another number, another answer, and (unless the test is to go red) another inline namespace.
    set(other "${work}/${way}_other")
    file(REMOVE_RECURSE "${other}")
    file(COPY "${root}/include" DESTINATION "${other}")
    set(config "${other}/include/muster/core/config.hpp")
    file(READ "${config}" text)
    string(REGEX REPLACE "MUSTER_VERSION_MINOR ${minor}\n" "MUSTER_VERSION_MINOR ${next_minor}\n" changed "${text}")
    if(way STREQUAL "two_versions")
        string(REPLACE "v${major}_${minor}" "v${major}_${next_minor}" changed "${changed}")
    endif()
    if(changed STREQUAL text)
        message(FATAL_ERROR "config.hpp no longer spells its version as this test expects")
    endif()
    file(WRITE "${config}" "${changed}")
    set(verdict "${other}/include/muster/core/verdict.hpp")
    file(READ "${verdict}" text)
    string(REPLACE "return \"fits\";" "return \"fits next\";" changed "${text}")
    if(changed STREQUAL text)
        message(FATAL_ERROR "verdict.hpp no longer names its verdicts as this test expects")
    endif()
    file(WRITE "${verdict}" "${changed}")

    build_and_run(two_versions "-DOTHER_INCLUDE=${other}/include")
    if(way STREQUAL "two_versions")
        expect_success()
    elseif(program_ended EQUAL 0)
        message(FATAL_ERROR "two versions under one name went unnoticed")
    endif()
else()
    message(FATAL_ERROR "no such way: ${way}")
endif()
