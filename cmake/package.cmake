# SPDX-License-Identifier: BSL-1.0
# Install the headers and a package for find_package(muster <major>.<minor>).

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(muster_package_dir "${CMAKE_INSTALL_DATADIR}/cmake/muster")

# Before 1.0 a minor version may change interfaces; headers fit every architecture.
if(PROJECT_VERSION_MAJOR EQUAL 0)
    set(muster_compatibility SameMinorVersion)
else()
    set(muster_compatibility SameMajorVersion)
endif()
write_basic_package_version_file("${PROJECT_BINARY_DIR}/muster-config-version.cmake"
    COMPATIBILITY ${muster_compatibility} ARCH_INDEPENDENT)
configure_package_config_file(cmake/muster-config.cmake.in "${PROJECT_BINARY_DIR}/muster-config.cmake"
    INSTALL_DESTINATION "${muster_package_dir}" NO_SET_AND_CHECK_MACRO)

install(TARGETS muster EXPORT muster-targets FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT muster-targets NAMESPACE muster:: DESTINATION "${muster_package_dir}")
install(FILES "${PROJECT_BINARY_DIR}/muster-config.cmake" "${PROJECT_BINARY_DIR}/muster-config-version.cmake"
    DESTINATION "${muster_package_dir}")
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")
