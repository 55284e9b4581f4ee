// SPDX-License-Identifier: BSL-1.0
#include "trace.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <utility>

namespace fragmentation_study {

namespace {

constexpr std::int64_t most = std::int64_t{1} << 40;

request read_request(const replay::csv_table& rows, std::size_t row) {
  const auto number = [&](const char* column, std::int64_t to) { return rows.number(row, rows.column(column), 0, to); };
  request asks;
  const std::int64_t gpus = number("num_gpu", 8), milli = number("gpu_milli", 1000);
  if (gpus > 1 && milli != 1000) rows.fault(row, rows.column("gpu_milli"), "several GPUs must be whole ones");
  if (gpus > 0 && milli == 1000) asks.first.whole = static_cast<std::uint32_t>(gpus);
  else if (gpus > 0) asks.first.share = static_cast<std::int32_t>(milli);
  asks.second[cpu] = number("cpu_milli", most);
  asks.second[memory] = number("memory_mib", most);
  return asks;
}

make_set read_makes(std::string_view words, const machines& on) {
  if (words.empty()) return any_make;
  make_set set = 0;
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find('|'));
    for (std::size_t i = 0; i < on.makes.size(); ++i)
      if (on.makes[i] == word) set |= make_set{1} << i;
    words.remove_prefix(std::min(words.size(), word.size() + 1));
  }
  return set;
}

// What tells shapes apart, the memory or not.
using shape_key = std::tuple<std::int64_t, std::int64_t, std::uint32_t, std::int32_t, make_set>;
shape_key key_of(const pod_shape& shape, bool with_memory) {
  return {shape.asks.second[cpu], with_memory ? shape.asks.second[memory] : 0, shape.asks.first.whole,
          shape.asks.first.share, shape.makes};
}

}  // namespace

std::int64_t machines::gpu_milli() const noexcept {
  std::int64_t sum = 0;
  for (const capacity& node : nodes) sum += std::int64_t{1000} * node.first.count;
  return sum;
}

std::int64_t machines::gpus_of(make_set set) const noexcept {
  std::int64_t sum = 0;
  for (const capacity& node : nodes)
    if (accepts(set, node)) sum += node.first.count;
  return std::max<std::int64_t>(1, sum);
}

machines read_machines(const std::string& file) {
  const replay::csv_table rows = replay::csv_table::from_file(file);
  machines made;
  made.makes.emplace_back();  // the make without a name
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    const std::int64_t gpus = rows.number(row, rows.column("gpus"), 0, 8);
    if (gpus == 0) continue;
    const std::string make{rows.field(row, rows.column("gpu_model"))};
    const auto known = std::find(made.makes.begin(), made.makes.end(), make);
    const auto number = static_cast<std::uint32_t>(known - made.makes.begin());
    if (known == made.makes.end()) made.makes.push_back(make);
    if (made.makes.size() > 32) rows.fault(row, rows.column("gpu_model"), "more than 31 makes of GPU");
    capacity node;
    node.first.count = static_cast<std::uint32_t>(gpus);
    node.first.model = muster::device_model{number};
    node.second[cpu] = rows.number(row, rows.column("cpu_milli"), 0, most);
    node.second[memory] = rows.number(row, rows.column("memory_mib"), 0, most);
    made.nodes.push_back(node);
  }
  if (made.nodes.empty()) throw std::runtime_error(file + ": no node has GPUs");
  return made;
}

std::vector<trace> read_traces(const std::string& file, const machines& on) {
  const replay::csv_table rows = replay::csv_table::from_file(file);
  std::vector<trace> made;
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    const std::string name{rows.field(row, rows.column("trace"))};
    if (made.empty() || made.back().name != name) made.push_back({name, {}});
    pod_shape shape;
    shape.asks = read_request(rows, row);
    shape.spec = rows.field(row, rows.column("gpu_spec"));
    shape.makes = read_makes(shape.spec, on);
    shape.pods = rows.number(row, rows.column("pods"), 0, 1'000'000);
    made.back().shapes.push_back(shape);
  }
  return made;
}

timed_trace read_timed_trace(const std::string& file) {
  const replay::csv_table rows = replay::csv_table::from_file(file);
  timed_trace made;
  made.shapes.name = "openb with departures";
  std::map<shape_key, std::uint32_t> numbers;
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    pod_shape shape;
    shape.asks = read_request(rows, row);
    const auto [at, added] =
        numbers.try_emplace(key_of(shape, true), static_cast<std::uint32_t>(made.shapes.shapes.size()));
    if (added) made.shapes.shapes.push_back(shape);
    ++made.shapes.shapes[at->second].pods;
    made.pods.push_back({at->second, rows.number(row, rows.column("creation_s"), 0, most),
                         rows.number(row, rows.column("deletion_s"), 0, most)});
  }
  return made;
}

known_shapes popular_shapes(const trace& of) {
  std::map<shape_key, pod_shape> folded;
  std::int64_t all = 0;
  for (const pod_shape& one : of.shapes) {
    pod_shape& to = folded[key_of(one, false)];
    const std::int64_t before = to.pods;
    to = one;
    to.asks.second[memory] = 0;
    to.pods += before;
    all += one.pods;
  }
  std::vector<pod_shape> order;
  for (const auto& [key, shape] : folded) order.push_back(shape);
  const auto rank = [](const pod_shape& shape) {
    const auto& gpus = shape.asks.first;
    const std::int64_t devices = gpus.share > 0 ? 1 : std::int64_t{gpus.whole};
    const std::int32_t each = gpus.share > 0 ? gpus.share : gpus.whole > 0 ? 1000 : 0;
    return std::tuple{shape.pods, shape.asks.second[cpu], each, devices, std::string_view{shape.spec}};
  };
  std::sort(order.begin(), order.end(), [&](const pod_shape& a, const pod_shape& b) { return rank(a) > rank(b); });
  known_shapes made;
  std::int64_t covered = 0;
  for (const pod_shape& one : order) {
    if (covered * 100 >= all * 95) break;
    covered += one.pods;
    made.shapes.push_back({one.asks, one.pods});
    made.makes.of_shape.push_back(one.makes);
  }
  return made;
}

}  // namespace fragmentation_study
