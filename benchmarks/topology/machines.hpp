// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_BENCHMARKS_TOPOLOGY_MACHINES_HPP
#define MUSTER_BENCHMARKS_TOPOLOGY_MACHINES_HPP

// The nodes of the study: which rack and which block each stands in. All have eight GPUs.

#include "csv_reader.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace topology_study {

inline constexpr int gpus_per_node = 8;

// Numbers from 0. Racks are numbered over all blocks, so that a rack's number alone names it.
struct host {
  std::uint32_t block = 0, rack = 0;
  friend bool operator==(const host&, const host&) = default;
};

// Hosts stand block by block and rack by rack, both in the order in which a file first names them.
struct machines {
  std::vector<host> hosts;
  std::uint32_t blocks = 0, racks = 0;

  [[nodiscard]] std::int64_t gpus() const { return static_cast<std::int64_t>(hosts.size()) * gpus_per_node; }
  // The most nodes that one rack, one block has.
  [[nodiscard]] std::size_t largest_rack() const;
  [[nodiscard]] std::size_t largest_block() const;
};

// Columns host,dsw,psw,asw: core, aggregation and top-of-rack switch. A block is (dsw,psw), a rack (dsw,psw,asw), for
// asw labels repeat. Throws what the reader throws.
[[nodiscard]] machines read_machines(const replay::csv_table& table);

// So many hosts: those there are, then the first racks again, in blocks and racks with new names; the last rack may be
// cut. Fewer than there are: the first ones.
[[nodiscard]] machines extended(const machines& some, std::size_t hosts);

}  // namespace topology_study

#endif
