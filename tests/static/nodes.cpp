// SPDX-License-Identifier: BSL-1.0
// Which of the host's types can be read as a node, and what is said of those that cannot.
#include <muster/node/node.hpp>
#include <muster/resource/resource_vector.hpp>

#include <array>
#include <cstdint>
#include <string>

using namespace muster;
using counted = resource_vector<2>;

struct bare {
  node_id id{};
  counted::capacity_type capacity{};
};
struct full {
  node_id id{};
  counted::capacity_type capacity{};
  kind_id kind{};
  std::array<label_id, 3> labels{};
};
struct without_capacity {
  node_id id{};
};
struct with_a_bare_number {
  std::uint64_t id = 0;
  counted::capacity_type capacity{};
};
struct with_capacity_in_words {
  node_id id{};
  std::string capacity;
};

// A type that looks nothing like a node.
namespace inventory {
struct machine {
  std::uint64_t serial = 0;
  counted::capacity_type bays{};
};
}  // namespace inventory
template <>
struct muster::node_traits<inventory::machine> {
  static node_id id(const inventory::machine& box) { return node_id{box.serial}; }
  static const counted::capacity_type& capacity(const inventory::machine& box) { return box.bays; }
  static kind_id kind(const inventory::machine&) { return kind_id{7}; }
  static label_id label(const inventory::machine& box, std::size_t) { return label_id{box.serial / 8}; }
};

static_assert(node_like<bare, counted>);
static_assert(node_like<full, counted>);
static_assert(node_like<inventory::machine, counted>);
static_assert(check_node<full, counted>());

static_assert(!node_like<without_capacity, counted>);
static_assert(!node_like<with_a_bare_number, counted>);
static_assert(!node_like<with_capacity_in_words, counted>);
static_assert(!node_like<int, counted>);
static_assert(!node_like<bare, int>);
