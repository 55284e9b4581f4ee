// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_CORE_STORAGE_HPP
#define MUSTER_CORE_STORAGE_HPP

/// \file
/// The containers of the library, and the only header that names Boost.Container.

#include <muster/core/config.hpp>

// Boost.Container 1.74 names std::iterator_traits without its header once exceptions are off, so this one goes first.
// clang-format off
#include <iterator>
// clang-format on

#include <boost/container/flat_map.hpp>
#include <boost/container/flat_set.hpp>
#include <boost/container/small_vector.hpp>

#include <cstddef>

namespace muster::inline MUSTER_ABI {

/// A sequence whose first N elements need no allocation.
template <class T, std::size_t N>
using short_list = boost::container::small_vector<T, N>;

/// A map kept as a sorted array: iteration order is key order, everywhere.
template <class Key, class Value>
using sorted_map = boost::container::flat_map<Key, Value>;
template <class Key>
using sorted_set = boost::container::flat_set<Key>;

}  // namespace muster::inline MUSTER_ABI

#endif
