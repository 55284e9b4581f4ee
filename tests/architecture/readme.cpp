// SPDX-License-Identifier: BSL-1.0
// The README's programs are cut from the examples, which are compiled and run: what it shows works.
#include "files.hpp"
#include "source_text.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace {

// The contents of the fenced blocks of one language.
std::vector<std::string> blocks_of(std::string_view markdown, std::string_view language) {
  const std::string fence = "```";
  std::vector<std::string> blocks;
  bool inside = false;
  bool wanted = false;
  for (const auto line : architecture::lines_of(markdown)) {
    if (line.starts_with(fence)) {
      inside = !inside;
      wanted = inside && line.substr(fence.size()) == language;
      if (wanted) blocks.emplace_back();
    } else if (wanted) {
      blocks.back() += std::string{line} + "\n";
    }
  }
  return blocks;
}

}  // namespace

TEST_CASE("every C++ block of the README stands in an example, word for word", "[architecture]") {
  std::vector<std::string> examples;
  for (const auto& path : architecture::files_below(architecture::source_dir / "examples", {".cpp"})) {
    examples.push_back(architecture::read(path));
  }
  for (const auto& block : blocks_of(architecture::read(architecture::source_dir / "README.md"), "cpp")) {
    CAPTURE(block);
    CHECK(std::any_of(examples.begin(), examples.end(),
                      [&](const std::string& text) { return text.find(block) != std::string::npos; }));
  }
}

TEST_CASE("fenced blocks are found by their language", "[architecture]") {
  const auto blocks = blocks_of("a\n```cpp\nint x;\nint y;\n```\n```sh\nls\n```\n```cpp\nint z;\n```\n", "cpp");
  CHECK(blocks == std::vector<std::string>{"int x;\nint y;\n", "int z;\n"});
}
