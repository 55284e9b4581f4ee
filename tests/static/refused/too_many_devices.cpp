// SPDX-License-Identifier: BSL-1.0
// expect: a node holds 1 to 64 devices
#include <muster/resource/devices.hpp>

muster::devices<65>::state_type state;
