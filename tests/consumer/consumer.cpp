// SPDX-License-Identifier: BSL-1.0
// The least program that shows the headers are found and answer.
#include <muster/core/verdict.hpp>

int main() { return muster::name(muster::verdict::fits) == "fits" ? 0 : 1; }
