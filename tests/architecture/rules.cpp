// SPDX-License-Identifier: BSL-1.0
#include "rules.hpp"

#include "source_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <initializer_list>
#include <map>
#include <regex>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace architecture {

namespace {

constexpr std::string_view umbrella = "muster.hpp";

const std::map<std::string, int, std::less<>> floors{
    {"core", 0},     {"resource", 1},  {"node", 2},     {"workload", 2},  {"cluster", 3},
    {"quorum", 4},   {"scoring", 4},   {"lifetime", 4}, {"placement", 5}, {"preemption", 6},
    {"deadlock", 6}, {"admission", 7}, {"recovery", 7}, {"cycle", 8},
};

// Input and output, threads, clocks, chance and formatting belong to the host.
const std::set<std::string, std::less<>> banned{
    "iostream", "ostream",    "istream",   "sstream",   "fstream",      "spanstream", "syncstream",
    "iomanip",  "ios",        "iosfwd",    "streambuf", "strstream",    "cstdio",     "stdio.h",
    "print",    "filesystem", "thread",    "mutex",     "shared_mutex", "atomic",     "condition_variable",
    "future",   "stop_token", "semaphore", "latch",     "barrier",      "random",     "format",
    "regex",    "locale",     "ctime",     "time.h",    "stdexcept",
};

// What floating point is spelled with, beside literals.
constexpr auto floating_words = std::to_array<std::string_view>({
    "double",     "float",      "double_t",   "float_t",   "__float128", "float16_t", "float32_t", "float64_t",
    "float128_t", "bfloat16_t", "sqrt",       "cbrt",      "hypot",      "pow",       "exp2",      "log2",
    "log10",      "fabs",       "fmod",       "frexp",     "ldexp",      "lround",    "llround",   "nearbyint",
    "rint",       "lrint",      "isnan",      "isfinite",  "signbit",    "std::log",  "std::exp",  "std::floor",
    "std::ceil",  "std::round", "std::trunc", "std::lerp", "std::sin",   "std::cos",  "std::tan",  "std::numbers",
});
const std::set<std::string, std::less<>> floating_headers{"cmath",  "math.h",  "complex", "numbers", "valarray",
                                                          "cfloat", "float.h", "cfenv",   "fenv.h",  "stdfloat"};

[[nodiscard]] std::string room_of(std::string_view file) {
  const auto slash = file.find('/');
  return slash == std::string_view::npos ? std::string{} : std::string{file.substr(0, slash)};
}

[[nodiscard]] bool in_folder(std::string_view file, std::string_view folder) { return file.starts_with(folder); }

[[nodiscard]] bool may_name_boost(std::string_view file, std::string_view header) {
  const bool is_graph = in_folder(header, "boost/graph/") || in_folder(header, "boost/property_map/");
  if (is_graph) return in_folder(file, "deadlock/") || in_folder(file, "placement/detail/");
  return in_folder(header, "boost/container/") && file == "core/storage.hpp";
}

// "core/ids.hpp" for <muster/core/ids.hpp>, empty for a header that is not the library's.
[[nodiscard]] std::string own_header(const include_line& include) {
  constexpr std::string_view prefix = "muster/";
  return include.name.starts_with(prefix) ? include.name.substr(prefix.size()) : std::string{};
}

class checker {
 public:
  explicit checker(const header_tree& headers) : headers_{headers} {}

  std::vector<finding> run() {
    for (const auto& [file, text] : headers_) {
      check_frame(file, text);
      check_code(file, code_of(text));
      for (const auto& include : includes_of(text)) check_include(file, include);
    }
    check_umbrella();
    check_cycles();
    check_weight();
    std::sort(found_.begin(), found_.end(), [](const finding& a, const finding& b) {
      return std::tie(a.file, a.line, a.rule) < std::tie(b.file, b.line, b.rule);
    });
    return std::move(found_);
  }

 private:
  void report(std::string rule, std::string_view file, int line, std::string what) {
    found_.push_back({std::move(rule), std::string{file}, line, std::move(what)});
  }

  void check_frame(const std::string& file, const std::string& text) {
    const auto lines = lines_of(text);
    if (lines.empty() || lines[0] != "// SPDX-License-Identifier: BSL-1.0") {
      report("missing_spdx", file, 1, "the first line is not the SPDX line of BSL-1.0");
    }
    std::string guard = "MUSTER_" + file;
    for (char& letter : guard) {
      letter =
          letter == '/' || letter == '.' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    }
    if (file == umbrella) guard = "MUSTER_MUSTER_HPP";
    std::vector<std::string_view> directives;
    for (const auto line : lines) {
      if (line.starts_with("#")) directives.push_back(line);
    }
    if (directives.size() < 3 || directives[0] != "#ifndef " + guard || directives[1] != "#define " + guard ||
        !directives.back().starts_with("#endif")) {
      report("wrong_guard", file, 2, "the include guard is not " + guard);
    }
    const bool verb = is_verb(text);
    const std::size_t too_many = verb ? 250 : 350;
    if (lines.size() >= too_many) {
      report(verb ? "long_verb" : "long_noun", file, static_cast<int>(lines.size()),
             std::to_string(lines.size()) + " lines; " + std::to_string(too_many) + " is too many");
    }
  }

  void check_code(const std::string& file, const std::string& code) {
    const auto forbid = [&](const char* rule, std::initializer_list<std::string_view> words) {
      for (const auto word : words) {
        for (const int line : lines_with_word(code, word)) report(rule, file, line, std::string{word});
      }
    };
    forbid("throw_expression", {"throw"});
    for (const auto word : floating_words) forbid("floating_point", {word});
    for (const auto& literal : floating_literals(code)) report("floating_point", file, literal.line, literal.text);
    forbid("clock", {"system_clock", "steady_clock", "high_resolution_clock", "std::time", "std::clock"});
    forbid("global_state", {"thread_local"});
    if (file != "core/storage.hpp" && !in_folder(file, "deadlock/") && !in_folder(file, "placement/detail/")) {
      forbid("boost_outside_its_walls", {"boost::"});
    }
    // `inline int counter = 0;`, `static node cache{};`: a variable that is neither constant nor a member function.
    static const std::regex variable{
        R"(^\s*(inline|static)\s+(?!(inline\s+|static\s+)?(constexpr|consteval|const|constinit|namespace|using)\b)[\w:<>,&*\s]+(=|;|\{[^()]*\}\s*;))"};
    int number = 0;
    for (const auto line : lines_of(code)) {
      ++number;
      if (std::regex_search(line.begin(), line.end(), variable))
        report("global_state", file, number, std::string{line});
    }
  }

  void check_include(const std::string& file, const include_line& include) {
    if (in_folder(include.name, "boost/")) {
      if (!may_name_boost(file, include.name)) report("boost_outside_its_walls", file, include.line, include.name);
      return;
    }
    const std::string target = own_header(include);
    if (target.empty()) {
      if (include.quoted) {
        report("unrooted_include", file, include.line, include.name);
      } else if (banned.contains(include.name)) {
        report("banned_header", file, include.line, include.name);
      } else if (floating_headers.contains(include.name)) {
        report("floating_point", file, include.line, include.name);
      }
      return;
    }
    if (include.quoted) report("unrooted_include", file, include.line, include.name);
    if (target == umbrella) {
      report("umbrella_include", file, include.line, include.name);
      return;
    }
    const std::string to = room_of(target);
    const std::string from = room_of(file);
    if (!floors.contains(to)) {
      report("unknown_room", file, include.line, include.name);
      return;
    }
    if (target.find("/detail/") != std::string::npos && to != from) {
      report("foreign_detail", file, include.line, include.name);
    }
    if (file == umbrella) return;
    if (!floors.contains(from)) {
      report("unknown_room", file, 1, from);
      return;
    }
    const int floor_here = floors.find(from)->second;
    const int floor_there = floors.find(to)->second;
    if (floor_there > floor_here) report("upward_include", file, include.line, include.name);
    if (floor_there == floor_here && to != from) report("sideways_include", file, include.line, include.name);
  }

  void check_umbrella() {
    const auto at = headers_.find(std::string{umbrella});
    if (at == headers_.end()) return;
    int number = 0;
    const std::string code = code_of(at->second);
    for (const auto line : lines_of(code)) {
      ++number;
      if (line.find_first_not_of(" \t") == std::string_view::npos || line.starts_with('#')) continue;
      report("umbrella_content", umbrella, number, std::string{line});
    }
    const auto reached = reachable(std::string{umbrella});
    for (const auto& [file, text] : headers_) {
      const bool is_public = file.find("/detail/") == std::string::npos;
      if (is_public && !reached.contains(file)) report("umbrella_gap", umbrella, 1, file);
    }
  }

  void check_weight() {
    const std::string light = "cycle/schedule.hpp";
    if (!headers_.contains(light)) return;
    for (const auto& file : reachable(light)) {
      for (const auto& include : includes_of(headers_.at(file))) {
        if (in_folder(include.name, "boost/graph/"))
          report("heavy_schedule", light, 1, file + " includes " + include.name);
      }
    }
  }

  void check_cycles() {
    std::set<std::string> done;
    std::vector<std::string> path;
    for (const auto& [file, text] : headers_) visit(file, done, path);
  }

  void visit(const std::string& file, std::set<std::string>& done, std::vector<std::string>& path) {
    if (const auto again = std::find(path.begin(), path.end(), file); again != path.end()) {
      std::string chain;
      for (auto step = again; step != path.end(); ++step) chain += *step + " -> ";
      report("include_cycle", file, 1, chain + file);
      return;
    }
    if (done.contains(file)) return;
    path.push_back(file);
    for (const auto& target : direct(file)) visit(target, done, path);
    path.pop_back();
    done.insert(file);
  }

  // Headers of the tree that `file` includes.
  [[nodiscard]] std::vector<std::string> direct(const std::string& file) const {
    std::vector<std::string> targets;
    for (const auto& include : includes_of(headers_.at(file))) {
      if (auto target = own_header(include); headers_.contains(target)) targets.push_back(std::move(target));
    }
    return targets;
  }

  [[nodiscard]] std::set<std::string> reachable(const std::string& from) const {
    std::set<std::string> seen{from};
    std::vector<std::string> open{from};
    while (!open.empty()) {
      const std::string file = std::move(open.back());
      open.pop_back();
      for (auto& target : direct(file)) {
        if (seen.insert(target).second) open.push_back(std::move(target));
      }
    }
    return seen;
  }

  const header_tree& headers_;
  std::vector<finding> found_;
};

}  // namespace

std::vector<finding> check(const header_tree& headers) { return checker{headers}.run(); }

bool is_verb(const std::string& text) {
  static const std::regex type{
      R"(^\s*(template\s*<.*>\s*)?(requires\b.*\s)?(struct|class|enum|union|concept)\b(?!.*;\s*$))"};
  static const std::regex one_line_type{R"(^\s*(template\s*<.*>\s*)?(struct|class|enum|union|concept)\b.*[{=].*;)"};
  const std::string code = code_of(text);
  const auto lines = lines_of(code);
  return std::none_of(lines.begin(), lines.end(), [](std::string_view line) {
    return std::regex_search(line.begin(), line.end(), type) ||
           std::regex_search(line.begin(), line.end(), one_line_type);
  });
}

}  // namespace architecture
