// SPDX-License-Identifier: BSL-1.0
#include "study.hpp"

#include <cmath>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <queue>
#include <set>
#include <tuple>

namespace fragmentation_study {

namespace {

void record(policy_result& to, const outcome& one, std::int64_t all) {
  const auto percent = [&](double milli) { return 100 * milli / static_cast<double>(all); };
  for (std::size_t a = 0; a < one.levels.size(); ++a) {
    const level& at = one.levels[a];
    if (at.arrivals == 0) continue;
    to.unallocated[a].add(percent(at.idle));
    to.fragmented[a].add(percent(at.fragmented));
  }
  std::int64_t wide = 0;
  for (std::size_t a = 0; a <= 100; ++a) wide = std::max(wide, one.levels[a].wide_failed);
  to.wide_failed.add(static_cast<double>(wide));
  to.microseconds.add(1e6 * one.seconds / static_cast<double>(one.decisions));
}

using potential = muster::slot_potential<model, make_table>;
using measure_of_fragmentation = muster::fragmentation<model, make_table>;

potential make_potential(const potential_shapes& shapes) {
  return potential{std::span{shapes.shapes}, shapes.makes};
}

// Every shape four times, its CPU request up to a tenth more or less.
trace with_noise(const trace& of, std::uint64_t seed) {
  replay::draw random{seed};
  trace made{of.name, {}};
  for (const pod_shape& one : of.shapes)
    for (std::int64_t part = 0; part < 4; ++part) {
      pod_shape noisy = one;
      noisy.pods = (one.pods + part) / 4;
      noisy.asks.second[cpu] = one.asks.second[cpu] * random.between(900, 1100) / 1000;
      if (noisy.pods > 0) made.shapes.push_back(noisy);
    }
  return made;
}

}  // namespace

potential_shapes known_to_potential(const machines& on, const trace& of, const std::vector<bool>& known) {
  std::set<std::tuple<std::int64_t, std::uint32_t, std::int32_t, make_set>> seen;
  potential_shapes made;
  const std::int64_t all = on.gpus_of(any_make);
  const auto add = [&](const muster::devices<8>::request_type& gpus, std::int64_t cores, make_set makes) {
    if (!seen.emplace(cores, gpus.whole, gpus.share, makes).second) return;
    muster::slot_shape<model> shape;
    shape.request = {gpus, {cores, 0}};
    shape.further = {gpus, {(cores + 2) / 3, 0}};
    shape.weight = muster::weigh_shape(gpus.whole, all, on.gpus_of(makes));
    made.shapes.push_back(shape);
    made.makes.of_shape.push_back(makes);
  };
  std::set<std::uint32_t> widths;
  for (std::size_t s = 0; s < of.shapes.size(); ++s) {
    const pod_shape& one = of.shapes[s];
    if (!known[s] || !one.takes_gpus()) continue;
    add(one.asks.first, muster::coarse_amount(one.asks.second[cpu]), one.makes);
    widths.insert(one.asks.first.whole);
  }
  for (const capacity& node : on.nodes)  // pods as wide as a node may come before one was seen
    if (widths.insert(node.first.count).second) add({node.first.count}, 0, any_make);
  return made;
}

namespace {

// The potential over the shapes that came so far: made anew where a new one came, after every pod of the first 20 and
// then every 100.
outcome offer_learning(const machines& on, const trace& of, const arrivals& drawn, std::uint64_t seed) {
  std::vector<bool> known(of.shapes.size(), false);
  potential judge = make_potential({});
  least_potential_lost policy{judge};
  bool news = false;
  std::size_t count = 0;
  return offer(on, of, drawn, policy, ties::fresh, seed, nullptr, false, [&](std::uint32_t shape) {
    news = news || !known[shape];
    known[shape] = true;
    ++count;
    if (!news || (count > 20 && count % 100 != 0)) return false;
    news = false;
    judge = make_potential(known_to_potential(on, of, known));
    return true;
  });
}

}  // namespace

std::vector<policy_result> study(const machines& on, const trace& of, const study_options& options) {
  const known_shapes popular = popular_shapes(of);
  const measure_of_fragmentation measure{std::span{popular.shapes}, popular.makes};
  const potential judge = make_potential(known_to_potential(on, of, std::vector<bool>(of.shapes.size(), true)));
  const std::int64_t all = on.gpu_milli();
  std::vector<policy_result> results;
  for (std::uint64_t seed = options.first_seed; seed < options.first_seed + options.seeds; ++seed) {
    const arrivals drawn = draw_arrivals(on, of, seed);
    std::size_t next = 0;
    const auto add = [&](const char* name, const outcome& one) {
      if (next == results.size()) results.push_back({name, {}, {}, {}, {}});
      record(results[next++], one, all);
    };
    if (options.published_policies) {
      add("FGD", offer(on, of, drawn, fragmentation_gradient{measure}, ties::fixed, seed, &measure));
      add("BestFit", offer(on, of, drawn, best_fit{}, ties::fixed, seed, &measure));
      add("DotProd", offer(on, of, drawn, dot_product{}, ties::fixed, seed, &measure));
      add("GpuPacking", offer(on, of, drawn, gpu_packing{}, ties::fixed, seed, &measure));
      add("GpuClustering", offer(on, of, drawn, gpu_clustering{}, ties::fixed, seed, &measure));
      add("Random", offer(on, of, drawn, any_node{}, ties::fresh, seed, &measure, true));
    }
    if (options.own_policies) {
      add("FGD, fresh ties", offer(on, of, drawn, fragmentation_gradient{measure}, ties::fresh, seed, &measure));
      add("potential", offer(on, of, drawn, least_potential_lost{judge}, ties::fresh, seed, &measure));
      gang_losses fixed{of, gang_losses::weights::fixed}, scarce{of, gang_losses::weights::scarce};
      add("gangs lost, fixed", offer(on, of, drawn, fewest_gangs_lost{fixed}, ties::fresh, seed, &measure));
      add("gangs lost, scarce", offer(on, of, drawn, fewest_gangs_lost{scarce}, ties::fresh, seed, &measure));
      add("potential, learned", offer_learning(on, of, drawn, seed));
      const trace noisy = with_noise(of, seed);
      const known_shapes noisy_popular = popular_shapes(noisy);
      const measure_of_fragmentation noisy_measure{std::span{noisy_popular.shapes}, noisy_popular.makes};
      const potential noisy_judge =
          make_potential(known_to_potential(on, noisy, std::vector<bool>(noisy.shapes.size(), true)));
      const arrivals noisy_drawn = draw_arrivals(on, noisy, seed);
      add("FGD, noisy",
          offer(on, noisy, noisy_drawn, fragmentation_gradient{noisy_measure}, ties::fixed, seed, nullptr));
      add("potential, noisy",
          offer(on, noisy, noisy_drawn, least_potential_lost{noisy_judge}, ties::fresh, seed, nullptr));
    }
  }
  return results;
}

namespace {

struct stream_pod {
  std::int64_t created = 0, deleted = 0;
  std::uint32_t shape = 0;
  bool measured = false;
  bool operator<(const stream_pod& other) const {
    return std::tie(created, deleted, shape) < std::tie(other.created, other.deleted, other.shape);
  }
};

std::vector<stream_pod> draw_stream(const machines& on, const timed_trace& of, std::int64_t load, std::uint64_t seed) {
  std::int64_t span = 1;
  double gpu_time = 0;
  for (const timed_pod& pod : of.pods) {
    span = std::max(span, pod.created + 1);
    gpu_time += static_cast<double>(of.shapes.shapes[pod.shape].gpu_milli()) *
                static_cast<double>(std::max<std::int64_t>(0, pod.deleted - pod.created));
  }
  const double wanted = static_cast<double>(on.gpu_milli()) * static_cast<double>(load) / 100;
  const auto copies = std::max(1L, std::lround(wanted * static_cast<double>(span) / gpu_time));
  replay::draw random{seed};
  std::vector<stream_pod> made;
  for (long copy = 0; copy < copies; ++copy) {
    const std::int64_t shift = random.below(span);
    for (const timed_pod& pod : of.pods)
      for (const bool measured : {false, true}) {
        const std::int64_t at = (pod.created + shift) % span + (measured ? span : 0);
        made.push_back({at, at + std::max<std::int64_t>(0, pod.deleted - pod.created), pod.shape, measured});
      }
  }
  std::sort(made.begin(), made.end());
  return made;
}

template <class Policy>
void stream(const machines& on, const timed_trace& of, const std::vector<stream_pod>& pods, const Policy& policy,
            ties rule, std::uint64_t seed, stream_result& to) {
  std::vector<std::uint32_t> as_listed(on.nodes.size());
  std::iota(as_listed.begin(), as_listed.end(), 0U);
  run<Policy> cluster{on, of.shapes, as_listed, policy, rule, seed, false};
  struct leaving {
    std::int64_t at = 0;
    std::size_t pod = 0;
    bool operator>(const leaving& other) const { return std::tie(at, pod) > std::tie(other.at, other.pod); }
  };
  std::priority_queue<leaving, std::vector<leaving>, std::greater<>> ends;
  std::vector<typename run<Policy>::seat> seats(pods.size());
  double asked = 0, lost_time = 0;
  std::int64_t lost = 0, wide = 0, span = 1;
  for (std::size_t p = 0; p < pods.size(); ++p) {
    const stream_pod& pod = pods[p];
    for (; !ends.empty() && ends.top().at <= pod.created; ends.pop())
      cluster.remove(pods[ends.top().pod].shape, seats[ends.top().pod]);
    const pod_shape& shape = of.shapes.shapes[pod.shape];
    const double time = static_cast<double>(shape.gpu_milli()) * static_cast<double>(pod.deleted - pod.created);
    if (pod.measured) asked += time;
    else span = std::max(span, pod.created + 1);
    seats[p] = cluster.put(pod.shape);
    if (seats[p].node != rating_table::nowhere) {
      ends.push({pod.deleted, p});
    } else if (pod.measured) {
      lost_time += time;
      ++lost;
      wide += shape.asks.first.whole == 8 ? 1 : 0;
    }
  }
  to.load.add(100 * asked / static_cast<double>(span) / static_cast<double>(on.gpu_milli()));
  to.lost_gpu_time.add(100 * lost_time / asked);
  to.lost.add(static_cast<double>(lost));
  to.wide_lost.add(static_cast<double>(wide));
}

}  // namespace

std::vector<stream_result> study_stream(const machines& on, const timed_trace& of, std::size_t nodes,
                                        std::int64_t load, const study_options& options) {
  std::vector<stream_result> results(5);
  results[0].policy = "FGD";
  results[1].policy = "FGD, fresh ties";
  results[2].policy = "potential";
  results[3].policy = "BestFit";
  results[4].policy = "gangs lost, scarce";
  const known_shapes popular = popular_shapes(of.shapes);
  const measure_of_fragmentation measure{std::span{popular.shapes}, popular.makes};
  const std::uint64_t seeds = std::min<std::uint64_t>(options.seeds, 3);
  for (std::uint64_t seed = options.first_seed; seed < options.first_seed + seeds; ++seed) {
    machines some = on;
    some.nodes.clear();
    const std::vector<std::uint32_t> order = draw_arrivals(on, of.shapes, seed).node_order;
    for (std::size_t i = 0; i < std::min(nodes, order.size()); ++i) some.nodes.push_back(on.nodes[order[i]]);
    const std::vector<stream_pod> pods = draw_stream(some, of, load, seed);
    const potential judge =
        make_potential(known_to_potential(some, of.shapes, std::vector<bool>(of.shapes.shapes.size(), true)));
    stream(some, of, pods, fragmentation_gradient{measure}, ties::fixed, seed, results[0]);
    stream(some, of, pods, fragmentation_gradient{measure}, ties::fresh, seed, results[1]);
    gang_losses scarce{of.shapes, gang_losses::weights::scarce};
    stream(some, of, pods, least_potential_lost{judge}, ties::fresh, seed, results[2]);
    stream(some, of, pods, best_fit{}, ties::fixed, seed, results[3]);
    stream(some, of, pods, fewest_gangs_lost{scarce}, ties::fresh, seed, results[4]);
  }
  return results;
}

published_table read_published(const std::string& file) {
  const replay::csv_table rows = replay::csv_table::from_file(file);
  published_table made;
  const auto real = [&](std::size_t row, const char* column) {
    const std::string text{rows.field(row, rows.column(column))};
    char* end = nullptr;
    const double x = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0') rows.fault(row, rows.column(column), "no number: " + text);
    return x;
  };
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    const auto at = static_cast<std::size_t>(rows.number(row, rows.column("arrived_pct"), 0, 200));
    published_level& one = made[std::string{rows.field(row, rows.column("trace"))}]
                               [std::string{rows.field(row, rows.column("policy"))}][at];
    one.unallocated = real(row, "unalloc_pct_mean");
    one.deviation = real(row, "alloc_pct_sd");
    one.fragmented = real(row, "frag_amount_pct_mean");
    one.seeds = rows.number(row, rows.column("seeds"), 1, 1'000'000);
  }
  return made;
}

}  // namespace fragmentation_study
