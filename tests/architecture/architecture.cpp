// SPDX-License-Identifier: BSL-1.0
// The rules of rules.hpp on the library's headers, and on small bad trees that each must be found out.
#include "files.hpp"
#include "rules.hpp"
#include "source_text.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using architecture::check;
using architecture::files_below;
using architecture::finding;
using architecture::header_tree;
using architecture::read;
using architecture::source_dir;

const fs::path fixtures = source_dir / "tests" / "architecture" / "fixtures";

header_tree read_tree(const fs::path& root) {
  header_tree tree;
  for (const auto& path : files_below(root, {".hpp"})) {
    tree[path.lexically_relative(root).generic_string()] = read(path);
  }
  return tree;
}

std::string sentence(const finding& it) {
  return it.file + ":" + std::to_string(it.line) + ": " + it.rule + ": " + it.what;
}

std::set<std::string> rules_in(const std::vector<finding>& findings) {
  std::set<std::string> rules;
  for (const auto& it : findings) rules.insert(it.rule);
  return rules;
}

// A header in good order but for its length.
std::string long_header(const std::string& guard, const std::string& line, int lines) {
  std::string text = "// SPDX-License-Identifier: BSL-1.0\n#ifndef " + guard + "\n#define " + guard + "\n";
  for (int i = 4; i < lines; ++i) text += line + "\n";
  return text + "#endif\n";
}

}  // namespace

TEST_CASE("the headers keep every rule", "[architecture]") {
  const auto headers = read_tree(source_dir / "include" / "muster");
  REQUIRE_FALSE(headers.empty());
  for (const auto& it : check(headers)) FAIL_CHECK(sentence(it));
}

TEST_CASE("what checks an answer includes nothing of the search that found it", "[architecture]") {
  const auto headers = read_tree(source_dir / "include" / "muster");
  const std::set<std::string> words{"placement/answer.hpp", "placement/certificate.hpp", "placement/eligibility.hpp"};
  std::vector<std::string> open{"placement/verify.hpp", "placement/verify_certificate.hpp"};
  std::set<std::string> seen{open.begin(), open.end()};
  while (!open.empty()) {
    const std::string file = open.back();
    open.pop_back();
    REQUIRE(headers.contains(file));
    const bool checks = file.starts_with("placement/verify") || file.starts_with("placement/detail/recount");
    CAPTURE(file);
    CHECK((!file.starts_with("placement/") || checks || words.contains(file)));
    for (const auto& include : architecture::includes_of(headers.at(file))) {
      const std::string prefix = "muster/";
      if (!include.name.starts_with(prefix)) continue;
      if (seen.insert(include.name.substr(prefix.size())).second) open.push_back(include.name.substr(prefix.size()));
    }
  }
  CHECK(seen.contains("placement/detail/recount_ways.hpp"));
}

TEST_CASE("every bad tree is found out by the rule that its folder names, and by no other", "[architecture]") {
  int trees = 0;
  for (const auto& entry : fs::directory_iterator{fixtures}) {
    if (!entry.is_directory()) continue;
    ++trees;
    const std::string rule = entry.path().filename().string();
    const auto findings = check(read_tree(entry.path()));
    for (const auto& it : findings) UNSCOPED_INFO(sentence(it));
    CAPTURE(rule);
    CHECK(rules_in(findings) == std::set<std::string>{rule});
  }
  CHECK(trees >= 18);
}

TEST_CASE("floating point is found out however it is spelled", "[architecture]") {
  for (const auto& [file, text] : read_tree(fixtures / "floating_point")) {
    CAPTURE(file);
    CHECK(check({{file, text}}).size() == 1);
  }
  const auto literals = [](const std::string& text) {
    std::string found;
    for (const auto& it : architecture::floating_literals(architecture::code_of(text)))
      found += std::to_string(it.line) + ":" + it.text + " ";
    return found;
  };
  CHECK(literals("a = 0.5 + .25f;\nb = 1.;") == "1:0.5 1:.25f 2:1. ");
  CHECK(literals("1e6 1E-3 2'000e+1L 0x1p3 0x.8p-1 1.5_ms") == "1:1e6 1:1E-3 1:2'000e+1L 1:0x1p3 1:0x.8p-1 1:1.5_ms ");
  CHECK(literals("0xe9 0x1e-3 1'000 0b1 07 7_seconds 5U v0_1 e6 x.y f(1).g a1.b {1, 2} args... // 0.5").empty());
}

TEST_CASE("a header's length is judged by what it holds", "[architecture]") {
  const std::string guard = "MUSTER_CORE_X_HPP";
  const auto rules_for = [&](const std::string& line, int lines) {
    return rules_in(check({{"core/x.hpp", long_header(guard, line, lines)}}));
  };
  const std::string function = "inline int f() { return 0; }";
  const std::string type = "struct x {};";
  CHECK(rules_for(function, 249).empty());
  CHECK(rules_for(function, 250) == std::set<std::string>{"long_verb"});
  CHECK(rules_for(type, 349).empty());
  CHECK(rules_for(type, 350) == std::set<std::string>{"long_noun"});
}

TEST_CASE("comments and literals are not code", "[architecture]") {
  const auto code = architecture::code_of(
      "int a = 1'000; // throw\n/* double\n float */ char b = '\"'; auto c = \"throw\"; auto d = "
      "R\"x(throw)\")x\";\nthrow");
  CHECK(architecture::lines_with_word(code, "throw") == std::vector<int>{4});
  CHECK(architecture::lines_with_word(code, "double").empty());
  CHECK(architecture::lines_with_word(code, "char") == std::vector<int>{3});
  CHECK(architecture::includes_of("// #include <thread>\n#  include <mutex>\n").size() == 1);
}

TEST_CASE("every source file names its licence in the first line", "[architecture]") {
  for (const char* folder : {"include", "tests", "benchmarks", "examples"}) {
    for (const auto& path : files_below(source_dir / folder, {".hpp", ".cpp"})) {
      if (path.string().find("/fixtures/") != std::string::npos) continue;
      const std::string text = read(path);
      CAPTURE(path.string());
      CHECK(text.starts_with("// SPDX-License-Identifier: BSL-1.0\n"));
    }
  }
}

TEST_CASE("every public header has a test of its own name", "[architecture]") {
  for (const auto& [file, text] : read_tree(source_dir / "include" / "muster")) {
    if (file == "muster.hpp" || file == "core/config.hpp" || file.find("/detail/") != std::string::npos) continue;
    const auto mirror = fs::path{"tests"} / fs::path{file}.replace_extension(".cpp");
    CAPTURE(mirror.generic_string());
    CHECK(fs::exists(source_dir / mirror));
  }
}

TEST_CASE("every umbrella has an instantiation budget", "[architecture]") {
  const std::string budgets = read(source_dir / "tests" / "architecture" / "instantiation_budget.txt");
  for (const std::string header : {"muster/muster.hpp", "muster/cycle/schedule.hpp"}) {
    if (!fs::exists(source_dir / "include" / header)) continue;
    CAPTURE(header);
    CHECK(budgets.find("\n" + header + " ") != std::string::npos);
  }
}
