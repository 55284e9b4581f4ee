// SPDX-License-Identifier: BSL-1.0
#include "run.hpp"

#include <numeric>
#include <stdexcept>
#include <string>

namespace fragmentation_study {

namespace {

template <class T>
void shuffle(std::vector<T>& all, replay::draw& random) {
  for (std::size_t i = all.size(); i > 1; --i)
    std::swap(all[i - 1], all[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(i)))]);
}

}  // namespace

arrivals draw_arrivals(const machines& on, const trace& of, std::uint64_t seed) {
  replay::draw random{seed};
  arrivals made;
  std::vector<std::uint32_t> whole;
  std::int64_t demand = 0;
  for (std::uint32_t s = 0; s < of.shapes.size(); ++s)
    for (std::int64_t i = 0; i < of.shapes[s].pods; ++i) {
      whole.push_back(s);
      demand += of.shapes[s].gpu_milli();
    }
  made.pods = whole;
  shuffle(made.pods, random);
  if (demand == 0) throw std::runtime_error("trace " + of.name + ": no pod takes GPUs");
  const std::int64_t most = on.gpu_milli() * 13 / 10;
  const auto any = [&](const std::vector<std::uint32_t>& of_these) {
    return static_cast<std::size_t>(random.below(static_cast<std::int64_t>(of_these.size())));
  };
  if (demand > most) {
    while (demand > most) {
      const std::size_t at = any(made.pods);
      demand -= of.shapes[made.pods[at]].gpu_milli();
      made.pods.erase(made.pods.begin() + static_cast<std::ptrdiff_t>(at));
    }
  } else {
    for (;;) {
      const std::uint32_t next = whole[any(whole)];
      const pod_shape& pod = of.shapes[next];
      const std::int64_t one_device = pod.shares() ? pod.asks.first.share : pod.takes_gpus() ? 1000 : 0;
      if (demand + one_device > most) break;
      demand += pod.gpu_milli();
      made.pods.push_back(next);
    }
  }
  made.node_order.resize(on.nodes.size());
  std::iota(made.node_order.begin(), made.node_order.end(), 0U);
  shuffle(made.node_order, random);
  return made;
}

}  // namespace fragmentation_study
