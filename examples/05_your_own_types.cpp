// SPDX-License-Identifier: BSL-1.0
// A host's own node type with labels, taints, five resources and eight GPUs; a filter for tolerations.
#include <muster/muster.hpp>

#include <array>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

namespace host {

struct machine {
  std::string hostname;
  unsigned serial;
  unsigned zone, rack;
  bool spot;  // tainted: only pods that tolerate it
  long milli_cpu, mebibytes, nics, nvme, pod_slots;
  unsigned gpus;
};

// GPUs one by one; CPU, memory, NICs, NVMe and pod slots as sums.
using model = muster::joint<muster::devices<8>, muster::resource_vector<5>>;

}  // namespace host

template <>
struct muster::node_traits<host::machine> {
  static node_id id(const host::machine& m) { return node_id{m.serial}; }
  static kind_id kind(const host::machine& m) { return kind_id{m.spot ? 1U : 0U}; }
  static host::model::capacity_type capacity(const host::machine& m) {
    return {{.count = m.gpus}, {m.milli_cpu, m.mebibytes, m.nics, m.nvme, m.pod_slots}};
  }
  static label_id label(const host::machine& m, std::size_t level) { return label_id{level == 0 ? m.zone : m.rack}; }
};

static_assert(muster::check_node<host::machine, host::model>());

int main() {
  std::vector<host::machine> machines;
  for (unsigned i = 0; i < 8; ++i)
    machines.push_back({"gpu-" + std::to_string(i), i + 1, 1, i / 4, i >= 6, 96'000, 786'432, 4, 2, 110, 8});

  muster::cluster<host::model> cluster{muster::nested_levels(2)};
  std::uint64_t revision = 0;
  for (const host::machine& m : machines) muster::apply_node(cluster, muster::revision{++revision}, m);

  // a leader that shares a GPU, and six workers with four GPUs and two NICs each
  muster::pod_group<host::model> gang{.id = muster::group_id{1}, .disruption = muster::disruption_mode::all};
  gang.pod_sets = {{.request = {{.share = 250}, {4'000, 16'384, 1, 0, 1}}, .count = 1, .minimum = 1},
                   {.request = {{.whole = 4}, {32'000, 131'072, 2, 0, 1}}, .count = 6, .minimum = 6}};
  gang.required = muster::topology_level{1};  // one rack

  std::map<muster::group_id, bool> tolerates_spot;
  const auto toleration = [&](const muster::pod_group<host::model>& group, std::size_t, muster::kind_id kind) {
    const bool spot = kind == muster::kind_id{1};
    return !spot || tolerates_spot[group.id] ? muster::eligible_node : muster::reason_code{1};
  };
  const std::array<std::string_view, 7> resources{"idle gpus", "gpu share", "cpu", "memory", "nics", "nvme", "pod slots"};
  const std::array<std::string_view, 2> levels{"zone", "rack"}, reasons{"", "spot node not tolerated"};
  const muster::describe_names names{resources, levels, reasons};
  const auto view = cluster.view();
  const auto ask = [&] {
    const auto answer = muster::place(view, gang, muster::place_options<decltype(toleration)>{.filter = toleration});
    for (const auto& seat : answer.seats)
      std::cout << seat.count << " of pod set " << seat.pod_set << " on " << machines[number(seat.node) - 1].hostname
                << ", devices " << std::hex << "0x" << seat.grant.first.on << std::dec << '\n';
    muster::describe(std::ostream_iterator<char>(std::cout), answer, names);
    std::cout << '\n';
  };
  ask();
  gang.pod_sets[1].count = gang.pod_sets[1].minimum = 9;
  ask();
}
