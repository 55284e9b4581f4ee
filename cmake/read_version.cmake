# SPDX-License-Identifier: BSL-1.0
# muster_read_version(<variable> <header>): MAJOR.MINOR.PATCH as the header's three macros say it.

function(muster_read_version variable header)
    file(STRINGS "${header}" lines REGEX "^#[ ]*define MUSTER_VERSION_(MAJOR|MINOR|PATCH)[ ]+[0-9]+")
    foreach(part MAJOR MINOR PATCH)
        if(NOT "${lines}" MATCHES "MUSTER_VERSION_${part}[ ]+([0-9]+)")
            message(FATAL_ERROR "${header} does not define MUSTER_VERSION_${part}")
        endif()
        list(APPEND numbers "${CMAKE_MATCH_1}")
    endforeach()
    list(JOIN numbers "." version)
    set(${variable} "${version}" PARENT_SCOPE)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${header}")
endfunction()
