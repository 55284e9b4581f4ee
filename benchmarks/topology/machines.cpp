// SPDX-License-Identifier: BSL-1.0
#include "machines.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

namespace topology_study {

namespace {

template <class Of>
std::size_t most_alike(const std::vector<host>& hosts, std::uint32_t count, const Of& of) {
  std::vector<std::size_t> sizes(count, 0);
  for (const host& one : hosts) ++sizes[of(one)];
  return sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
}

}  // namespace

std::size_t machines::largest_rack() const {
  return most_alike(hosts, racks, [](const host& one) { return one.rack; });
}

std::size_t machines::largest_block() const {
  return most_alike(hosts, blocks, [](const host& one) { return one.block; });
}

machines read_machines(const replay::csv_table& table) {
  const std::size_t host_column = table.column("host"), dsw = table.column("dsw"), psw = table.column("psw"),
                    asw = table.column("asw");
  machines made;
  std::map<std::tuple<std::string_view, std::string_view>, std::uint32_t> blocks;
  std::map<std::tuple<std::string_view, std::string_view, std::string_view>, std::uint32_t> racks;
  std::map<std::int64_t, std::size_t> hosts;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::int64_t number = table.number(row, host_column, 0, std::numeric_limits<std::int64_t>::max());
    if (!hosts.try_emplace(number, row).second) table.fault(row, host_column, "names a host for the second time");
    for (const std::size_t column : {dsw, psw, asw})
      if (table.field(row, column).empty()) table.fault(row, column, "is empty");
    const std::string_view core = table.field(row, dsw), block = table.field(row, psw), rack = table.field(row, asw);
    const auto in_block = blocks.try_emplace({core, block}, static_cast<std::uint32_t>(blocks.size())).first;
    const auto in_rack = racks.try_emplace({core, block, rack}, static_cast<std::uint32_t>(racks.size())).first;
    made.hosts.push_back({in_block->second, in_rack->second});
  }
  if (made.hosts.empty()) throw replay::csv_error(table.file(), 2, 1, "no hosts after the header");
  std::stable_sort(made.hosts.begin(), made.hosts.end(), [](const host& a, const host& b) {
    return std::tie(a.block, a.rack) < std::tie(b.block, b.rack);
  });
  made.blocks = static_cast<std::uint32_t>(blocks.size());
  made.racks = static_cast<std::uint32_t>(racks.size());
  return made;
}

machines extended(const machines& some, std::size_t hosts) {
  machines made;
  for (std::size_t i = 0; i < hosts; ++i) {
    const host& like = some.hosts[i % some.hosts.size()];
    const auto time = static_cast<std::uint32_t>(i / some.hosts.size());
    made.hosts.push_back({like.block + time * some.blocks, like.rack + time * some.racks});
    made.blocks = std::max(made.blocks, made.hosts.back().block + 1);
    made.racks = std::max(made.racks, made.hosts.back().rack + 1);
  }
  return made;
}

}  // namespace topology_study
