// SPDX-License-Identifier: BSL-1.0
#include <muster/resource/resource_vector.hpp>
#include <muster/scoring/seat_list.hpp>

#include "support/catch.hpp"
#include "support/scene.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace {

struct seat {
  std::uint32_t position = 0;
  std::int32_t count = 0;
};
struct no_count {
  std::uint32_t position = 0;
};

static_assert(muster::seat_list<std::vector<seat>>);
static_assert(muster::seat_list<std::span<const seat>>);
static_assert(muster::seat_list<std::array<seat, 2>>);
static_assert(!muster::seat_list<std::vector<no_count>>);
static_assert(!muster::seat_list<seat>);

}  // namespace

TEST_CASE("a node has a key at every level, and one above all domains where it lacks the label", "[scoring]") {
  using muster::scoring_detail::domain_key;
  muster_test::scene<muster::resource_vector<1>> s{muster::nested_levels(2)};
  s.node(1, {8}, {1});
  s.node(2, {8}, {2, 1});
  const auto view = s.view();
  constexpr muster::topology_level zone{0}, rack{1};
  CHECK(domain_key(view, 0, zone) == 0);
  CHECK(domain_key(view, 1, zone) == 1);
  CHECK(domain_key(view, 0, rack) == muster::scoring_detail::no_key);
  CHECK(domain_key(view, 1, rack) == 0);
  CHECK(domain_key(view, 1, muster::node_level) == 1);
  CHECK(domain_key(view, 1, muster::no_level) == 0);
}
