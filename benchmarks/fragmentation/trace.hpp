// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_BENCHMARKS_FRAGMENTATION_TRACE_HPP
#define MUSTER_BENCHMARKS_FRAGMENTATION_TRACE_HPP

// The openb trace and its variants: machines with up to 8 GPUs, and pods folded into distinct shapes.

#include <muster/resource/devices.hpp>
#include <muster/resource/joint.hpp>
#include <muster/resource/resource_vector.hpp>
#include <muster/scoring/pod_shape.hpp>

#include "csv_reader.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace fragmentation_study {

// GPUs beside milli-CPU and MiB.
using model = muster::joint<muster::devices<8>, muster::resource_vector<2>>;
using state = model::state_type;
using capacity = model::capacity_type;
using request = model::request_type;
using grant = model::grant_type;
using shape_list = std::vector<muster::weighted_shape<model>>;

inline constexpr std::size_t cpu = 0, memory = 1;

// The makes of GPU a shape accepts, bit i for the make with number i; all of them where the trace names none.
using make_set = std::uint32_t;
inline constexpr make_set any_make = ~make_set{0};

struct pod_shape {
  request asks;
  make_set makes = any_make;
  std::string spec{};     // the same as the trace writes it
  std::int64_t pods = 0;  // how many of the trace

  [[nodiscard]] bool shares() const noexcept { return asks.first.share > 0; }
  [[nodiscard]] bool takes_gpus() const noexcept { return shares() || asks.first.whole > 0; }
  [[nodiscard]] std::int64_t gpu_milli() const noexcept {
    return shares() ? asks.first.share : std::int64_t{1000} * asks.first.whole;
  }
};

[[nodiscard]] inline bool accepts(make_set makes, const capacity& node) noexcept {
  return (makes >> static_cast<std::uint32_t>(node.first.model) & 1U) != 0;
}

// What a list of shapes accepts, as scoring asks it.
struct make_table {
  std::vector<make_set> of_shape;
  [[nodiscard]] bool operator()(const capacity& node, std::size_t shape) const noexcept {
    return accepts(of_shape[shape], node);
  }
};

// Shapes to judge by, without memory, and what they accept.
struct known_shapes {
  shape_list shapes;
  make_table makes;
};

struct machines {
  std::vector<capacity> nodes;
  std::vector<std::string> makes;  // index = number of the make
  [[nodiscard]] std::int64_t gpu_milli() const noexcept;
  // GPUs on nodes of the makes, at least 1.
  [[nodiscard]] std::int64_t gpus_of(make_set makes) const noexcept;
};

struct trace {
  std::string name;
  std::vector<pod_shape> shapes;
};

// The nodes with GPUs. Throws what the reader throws.
[[nodiscard]] machines read_machines(const std::string& file);

// All traces of a file of shapes, in its order. Makes that no machine has are accepted by nobody.
[[nodiscard]] std::vector<trace> read_traces(const std::string& file, const machines& on);

// A pod of the default trace with its own times, in seconds.
struct timed_pod {
  std::uint32_t shape = 0;
  std::int64_t created = 0, deleted = 0;
};
struct timed_trace {
  trace shapes;
  std::vector<timed_pod> pods;
};
[[nodiscard]] timed_trace read_timed_trace(const std::string& file);

// The shapes that fragmentation is measured by: by falling number of pods until 95 % of all are covered, weighed by it.
[[nodiscard]] known_shapes popular_shapes(const trace& of);

}  // namespace fragmentation_study

#endif
