// SPDX-License-Identifier: BSL-1.0
// Ids are numbers that cannot be mixed up.
#include <muster/core/ids.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

using namespace muster;

template <class Id>
concept plain_id = std::is_enum_v<Id> && std::is_trivially_copyable_v<Id> && std::totally_ordered<Id> &&
                   !std::convertible_to<Id, std::uint64_t> && !std::convertible_to<std::uint64_t, Id>;

static_assert(plain_id<node_id> && sizeof(node_id) == 8);
static_assert(plain_id<pod_id> && sizeof(pod_id) == 8);
static_assert(plain_id<group_id> && sizeof(group_id) == 8);
static_assert(plain_id<label_id> && sizeof(label_id) == 8);
static_assert(plain_id<kind_id> && sizeof(kind_id) == 4);
static_assert(plain_id<revision>);

static_assert(!std::equality_comparable_with<node_id, pod_id>);
static_assert(!std::assignable_from<node_id&, group_id>);
