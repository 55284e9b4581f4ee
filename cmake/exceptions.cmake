# SPDX-License-Identifier: BSL-1.0
# muster_exceptions: empty, or the flags of a program without exceptions and run-time type information.

add_library(muster_exceptions INTERFACE)
if(MUSTER_NO_EXCEPTIONS)
    target_compile_options(muster_exceptions INTERFACE -fno-exceptions -fno-rtti)
    target_compile_definitions(muster_exceptions INTERFACE CATCH_CONFIG_DISABLE_EXCEPTIONS)
endif()
