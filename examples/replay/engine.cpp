// SPDX-License-Identifier: BSL-1.0
#include "engine.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace replay {

namespace {

std::vector<job> two_passes(const trace& input) {
  std::vector<job> jobs = input.jobs;
  for (job one : input.jobs) {
    one.submit += input.span;
    jobs.push_back(one);
  }
  return jobs;
}

void collect(run_result& result, const std::vector<job>& jobs, const ledger& books) {
  result.jobs = jobs.size();
  result.ended = books.ended();
  for (std::size_t index = 0; index < jobs.size(); ++index) {
    const seconds started = books.started_at(index);
    result.last_start = std::max(result.last_start, started);
    if (started == ledger::never) {
      ++result.stuck;
      if (books.held_pods(index) > 0) ++result.stuck_holding;
      result.stuck_gpus += std::int64_t{books.held_pods(index)} * jobs[index].gpus_per_worker;
    }
    if (index < jobs.size() / 2) continue;  // the warm-up pass
    const bool cut_off = started == ledger::never || started >= result.window_to;
    const seconds until = cut_off ? std::max(result.window_to, jobs[index].submit) : started;
    result.waits.push_back({gpus_of(jobs[index]), until - jobs[index].submit, cut_off});
  }
  if (result.ended + result.stuck != result.jobs) throw std::logic_error("a job neither ended nor is stuck");
  if (books.now().allocated != result.stuck_gpus) throw std::logic_error("GPUs are held by no stuck job");
}

}  // namespace

run_result run(const trace& input, const node_list& nodes, const rule_entry& rule, const std::string& load,
               progress& shown) {
  run_result result;
  result.load = load;
  result.rule_key = rule.key;
  result.rule_title = rule.title;
  result.window_from = input.span;
  result.window_to = 2 * input.span + 1;  // a trace's last job comes at the very end of its span

  const std::vector<job> jobs = two_passes(input);
  run_state state(jobs, nodes, result.window_from, result.window_to, rule.how);
  const auto decide = rule.make(state.cluster());
  shown.begin(load, result.rule_title, jobs.size());

  constexpr seconds none = std::numeric_limits<seconds>::max();
  std::size_t next = 0;
  std::vector<std::size_t> moment;
  while (next < jobs.size() || state.any_running()) {
    const seconds arrival = next < jobs.size() ? jobs[next].submit : none;
    const seconds end = state.any_running() ? state.next_end() : none;
    const seconds now = std::min(arrival, end);
    state.advance(now);
    shown.at(next, now);

    moment.clear();
    while (state.any_running() && state.next_end() == now) moment.push_back(state.end_next());
    if (!moment.empty()) decide->ended(moment, state);

    moment.clear();
    for (; next < jobs.size() && jobs[next].submit == now; ++next) {
      state.arrive(next);
      moment.push_back(next);
    }
    if (!moment.empty()) decide->arrived(moment, state);
  }
  state.advance(std::max(result.window_to, state.books().clock()));
  shown.end();
  state.check();

  result.total_gpus = state.cluster().total_gpus();
  result.window_sum = state.books().window_sum();
  result.waited = state.books().waited();
  result.series = state.books().series();
  result.decisions = state.cluster().decisions();
  result.changes = state.cluster().changes();
  collect(result, jobs, state.books());
  return result;
}

}  // namespace replay
