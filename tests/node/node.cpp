// SPDX-License-Identifier: BSL-1.0
// Which types can be read as a node is in static/nodes.cpp.
#include <muster/node/node.hpp>

#include "support/catch.hpp"

#include <muster/resource/resource_vector.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using namespace muster;
using counted = resource_vector<2>;

namespace {

struct plain_box {
  node_id id{};
  counted::capacity_type capacity{};
};

struct racked_box {
  node_id id{};
  counted::capacity_type capacity{};
  kind_id kind{};
  std::vector<label_id> labels;
};

/// A type in a host's own words.
struct machine {
  std::string serial;
  int gpus = 0;
  int rack = 0;
};

}  // namespace

template <>
struct muster::node_traits<machine> {
  static node_id id(const machine& box) { return node_id{box.serial.size()}; }
  static counted::capacity_type capacity(const machine& box) { return {box.gpus, 0}; }
  static kind_id kind(const machine&) { return kind_id{9}; }
  static label_id label(const machine& box, std::size_t level) {
    return level == 0 ? label_id{static_cast<std::uint64_t>(box.rack)} : no_label;
  }
};

TEST_CASE("a type with an id and a capacity is a node of one kind without labels", "[node]") {
  const auto spec = read_node<counted>(plain_box{node_id{3}, {8, 64}}, 2);
  CHECK(spec.id == node_id{3});
  CHECK(spec.capacity == counted::capacity_type{8, 64});
  CHECK(spec.kind == kind_id{});
  CHECK(spec.labels == labels{no_label, no_label});
}

TEST_CASE("kind and labels are read where a type has them", "[node]") {
  const racked_box box{node_id{3}, {8, 64}, kind_id{2}, {label_id{1}, label_id{4}, label_id{9}}};
  const auto spec = read_node<counted>(box, 2);
  CHECK(spec.kind == kind_id{2});
  CHECK(spec.labels == labels{label_id{1}, label_id{4}});
  CHECK(read_node<counted>(box, 0).labels.empty());
  CHECK(read_node<counted>(box, 4).labels == labels{label_id{1}, label_id{4}, label_id{9}, no_label});
}

TEST_CASE("a host's own type enters through its traits", "[node]") {
  const auto spec = read_node<counted>(machine{"box", 8, 17}, 2);
  CHECK(spec.id == node_id{3});
  CHECK(spec.capacity == counted::capacity_type{8, 0});
  CHECK(spec.kind == kind_id{9});
  CHECK(spec.labels == labels{label_id{17}, no_label});
}

TEST_CASE("every node state has its name", "[node]") {
  CHECK(name(node_state::open) == "open");
  CHECK(name(node_state::closed) == "closed");
  CHECK(name(node_state::lost) == "lost");
}
