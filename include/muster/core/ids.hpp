// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_CORE_IDS_HPP
#define MUSTER_CORE_IDS_HPP

/// \file
/// The host's own names, as strong 64-bit keys.
///
/// muster never invents an identity: every object is named by a key the host chose and keeps stable.
/// Each comparison in the library that could tie ends in such a key, so two clusters built from the
/// same facts in different orders decide alike. Names as text stay with the host.

#include <muster/core/config.hpp>

#include <cstdint>
#include <type_traits>

namespace muster::inline MUSTER_ABI {

enum class node_id : std::uint64_t {};         ///< one machine
enum class pod_id : std::uint64_t {};          ///< one pod, unique for ever: a restarted pod is a new pod
enum class group_id : std::uint64_t {};        ///< one pod group; `no_group` for a pod on its own
enum class label_id : std::uint64_t {};        ///< value of a topology label; `no_label` where a node lacks it
/// Nodes of one kind are alike in everything static (taints, labels, OS, driver).
enum class kind_id : std::uint32_t {};
enum class scheduler_id : std::uint32_t {};    ///< the scheduler a pod asks for
enum class set_aside_id : std::uint64_t {};    ///< one reservation or nomination
enum class revision : std::uint64_t {};        ///< the host's order of changes; greater is newer, 0 is "never"

inline constexpr group_id no_group{~std::uint64_t{0}};
inline constexpr label_id no_label{~std::uint64_t{0}};
inline constexpr node_id no_node{~std::uint64_t{0}};
inline constexpr revision never_seen{0};

/// The plain number behind an id.
template <class Id>
  requires std::is_enum_v<Id>
[[nodiscard]] constexpr auto number(Id id) noexcept {
  return static_cast<std::underlying_type_t<Id>>(id);
}

}  // namespace muster::inline MUSTER_ABI

#endif
