// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_CONSUMER_VERSIONS_HPP
#define MUSTER_TESTS_CONSUMER_VERSIONS_HPP

#include <string_view>

// What each version of the library says for the same verdict, and its minor version.
struct testimony {
  std::string_view verdict_name;
  int minor_version;
};

testimony ask_this_version();
testimony ask_other_version();

#endif
