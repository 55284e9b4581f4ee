// SPDX-License-Identifier: BSL-1.0
#include "versions.hpp"

#include <muster/muster.hpp>

testimony ask_this_version() {
  auto verdict = muster::verdict::fits;
  return {muster::name(verdict), MUSTER_VERSION_MINOR};
}
