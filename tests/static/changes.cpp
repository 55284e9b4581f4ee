// SPDX-License-Identifier: BSL-1.0
// A change is a value, made of plain values; what one kind says cannot be said of another kind's object.
#include <muster/cluster/change.hpp>
#include <muster/cluster/overlay.hpp>
#include <muster/resource/devices.hpp>
#include <muster/resource/resource_vector.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>

using namespace muster;
using counted = resource_vector<2>;

static_assert(std::copyable<change<counted>> && std::default_initializable<change<counted>>);
static_assert(std::is_nothrow_move_constructible_v<pod_placed<counted>>);
static_assert(std::is_trivially_copyable_v<pod_seen<counted>> && std::is_trivially_copyable_v<set_aside<devices<8>>>);
static_assert(std::is_trivially_copyable_v<apply_result>);

template <class What, class M = counted>
concept can_be_said = std::constructible_from<change_content<M>, What>;

static_assert(can_be_said<node_seen<counted>> && can_be_said<node_gone> && can_be_said<node_closed> && can_be_said<node_opened>);
static_assert(can_be_said<device_health> && can_be_said<pod_seen<counted>> && can_be_said<pod_placed<counted>>);
static_assert(can_be_said<pod_unplaced> && can_be_said<pod_terminating> && can_be_said<pod_ended>);
static_assert(can_be_said<group_seen<counted>> && can_be_said<group_gone> && can_be_said<group_satisfied>);
static_assert(can_be_said<set_aside<counted>> && can_be_said<set_aside_dropped>);
static_assert(!can_be_said<pod_seen<resource_vector<3>>> && !can_be_said<node_seen<devices<4>>>);
static_assert(!can_be_said<node_id> && !can_be_said<int>);
static_assert(!std::constructible_from<node_gone, pod_id> && !std::constructible_from<pod_unplaced, node_id>);

// A cluster is copied and moved as a value; a snapshot is a cheap view and no way to change anything.
static_assert(std::copyable<cluster<counted>> && std::is_trivially_copyable_v<snapshot<counted>>);
template <class V>
concept lets_change = requires(V view, std::uint32_t position) { view.now(position) = {}; };
static_assert(!lets_change<snapshot<counted>> && !lets_change<overlay<counted>>);
