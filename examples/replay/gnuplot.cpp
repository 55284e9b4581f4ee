// SPDX-License-Identifier: BSL-1.0
#include "gnuplot.hpp"

#include <cstdlib>
#include <filesystem>

namespace replay {

namespace {

// In single quotes, one inside them written as `twin`.
std::string in_quotes(const std::string& text, const std::string& twin) {
  std::string result = "'";
  for (const char letter : text) result += letter == '\'' ? twin : std::string(1, letter);
  return result + "'";
}

}  // namespace

std::string quoted(const std::string& text) { return in_quotes(text, "''"); }

std::string run_gnuplot(const std::string& folder, const std::string& script, const std::string& picture) {
  const std::string file = folder + "/" + picture;
  std::filesystem::remove(file);
  const std::string again = "; 'gnuplot " + script + "' in " + folder + " draws it later";
  if (std::system("command -v gnuplot >/dev/null 2>&1") != 0) {
    return "no picture: gnuplot is not installed (Debian: apt-get install gnuplot-nox)" + again;
  }
  const std::string command = "cd -- " + in_quotes(folder, "'\\''") + " && gnuplot " + script;
  if (std::system(command.c_str()) != 0 || !std::filesystem::exists(file)) {
    return "no picture: gnuplot failed, see its message above" + again;
  }
  return "picture: " + file;
}

}  // namespace replay
