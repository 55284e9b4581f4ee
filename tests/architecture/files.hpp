// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_ARCHITECTURE_FILES_HPP
#define MUSTER_TESTS_ARCHITECTURE_FILES_HPP

/// \file
/// The repository's files, for tests that read them.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

namespace architecture {

inline const std::filesystem::path source_dir{MUSTER_SOURCE_DIR};

[[nodiscard]] inline std::string read(const std::filesystem::path& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, std::istreambuf_iterator<char>{}};
}

/// Files below a folder whose extension is one of these, sorted; none where the folder does not exist.
[[nodiscard]] inline std::vector<std::filesystem::path> files_below(const std::filesystem::path& root,
                                                                    const std::set<std::string>& extensions) {
  std::vector<std::filesystem::path> found;
  if (!std::filesystem::exists(root)) return found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator{root}) {
    if (entry.is_regular_file() && extensions.contains(entry.path().extension().string())) {
      found.push_back(entry.path());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace architecture

#endif
