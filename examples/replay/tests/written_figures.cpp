// SPDX-License-Identifier: BSL-1.0
// All that is written of a run that is small enough to work out on paper, to the letter.
//
// Twelve nodes of one GPU; two jobs of eight pods arrive at 0, last 100 s, and come again at 1000, when the measured
// window of 1001 s begins.
//
// Pod by pod the jobs take turns and hold six and six GPUs for ever. Twelve pods sit and the thirteenth does not: 13
// decisions, after which nobody is tried any more. 12 GPUs x 1001 s are held for nothing (3.3 GPU-hours); the jobs of
// the second pass wait 1001 s for capacity, those of the first as long for members (0.556 hours each).
//
// As gangs the first runs from 0 to 100, the second from 100 to 200; again from 1000 and from 1100. A decision each:
// the four GPUs left are too few for the other, which is not tried. In the window 8 GPUs x 200 s of 12 x 1001 are used
// (13.320 %), and one job waits 100 s for capacity (0.028 hours).

#include "report.hpp"
#include "series.hpp"
#include "small_runs.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include <support/catch.hpp>

namespace {

using namespace replay;

std::vector<run_result> both_rules() {
  const node_list twelve(12, 1);
  const std::vector<job> two_of_eight{{0, 100, 8, 1}, {0, 100, 8, 1}};
  return {run_rule("pods", two_of_eight, twelve, 1'000), run_rule("gangs", two_of_eight, twelve, 1'000)};
}

std::string text_of(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool has_line(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

}  // namespace

TEST_CASE("the summary of two jobs on twelve nodes, to the letter") {
  write_summary("written_summary.csv", both_rules());
  CHECK(text_of("written_summary.csv") ==
        "load,rule,gang_gpus,allocated_percent,useful_percent,idle_held_gpu_hours,stuck_jobs,stuck_holding_jobs,"
        "stuck_gpus,last_start_s,members_gang_hours,capacity_gang_hours,fragmentation_gang_hours,order_gang_hours,"
        "decisions,jobs,cut_off_jobs,wait_mean_s,wait_p50_s,wait_p95_s,wait_p99_s,wait_max_s\n"
        "test,pods,2-8,100.000,0.000,3.3,4,2,12,0,0.6,0.6,0.0,0.0,13,2,2,1001,1001,1001,1001,1001\n"
        "test,pods,all,100.000,0.000,3.3,4,2,12,0,0.6,0.6,0.0,0.0,13,2,2,1001,1001,1001,1001,1001\n"
        "test,gangs,2-8,13.320,13.320,0.0,0,0,0,1100,0.0,0.0,0.0,0.0,4,2,0,50,0,100,100,100\n"
        "test,gangs,all,13.320,13.320,0.0,0,0,0,1100,0.0,0.0,0.0,0.0,4,2,0,50,0,100,100,100\n");
}

TEST_CASE("the table of two jobs on twelve nodes, to the letter") {
  std::ostringstream out;
  write_table(out, both_rules(), false);
  CHECK(out.str() ==
        "rule                   alloc %  useful % idle-held GPUh stuck jobs   holding  GPUs held  dead from\n"
        "pod by pod              100.00      0.00              3          4         2         12    day 0.0\n"
        "gangs, best effort       13.32     13.32              0          0         0          0          -\n"
        "(stuck: never starts though all else has ended; dead from: the last job of all started on that day)\n"
        "\n"
        "gang-hours waited           members       capacity  fragmentation          order\n"
        "pod by pod                        1              1              0              0\n"
        "gangs, best effort                0              0              0              0\n"
        "\n"
        "hours waited, by GPUs     gang     jobs  cut off       mean        p50        p95        p99        max\n"
        "pod by pod                 2-8        2        2      0.28+      0.28+      0.28+      0.28+      0.28+\n"
        "pod by pod                 all        2        2      0.28+      0.28+      0.28+      0.28+      0.28+\n"
        "gangs, best effort         2-8        2        0      0.01       0.00       0.03       0.03       0.03 \n"
        "gangs, best effort         all        2        0      0.01       0.00       0.03       0.03       0.03 \n"
        "(+ : rests on waits cut off and counted to the end of the window; the true figure is no smaller)\n");
}

// 2001 s in bins of 3 s; a job that starts or ends within one counts for the seconds it was there.
TEST_CASE("the time series of two jobs on twelve nodes, to the letter") {
  write_series("written_series.csv", both_rules());
  const std::string text = text_of("written_series.csv");
  const std::string first =
      "load,rule,from_s,measured,allocated_gpus,useful_gpus,waiting_jobs,holding_jobs\n"
      "test,pods,0,0,12.0,0.0,2.0,2.0\n"
      "test,pods,3,0,12.0,0.0,2.0,2.0\n"
      "test,pods,6,0,12.0,0.0,2.0,2.0\n";
  CHECK(text.substr(0, first.size()) == first);
  for (const char* line : {
           "test,pods,999,0,12.0,0.0,3.3,2.0",   // two more from 1000 on
           "test,pods,1002,1,12.0,0.0,4.0,2.0",  // measured
           "test,pods,1998,1,12.0,0.0,4.0,2.0",
           "test,gangs,0,0,8.0,8.0,1.0,0.0",
           "test,gangs,96,0,8.0,8.0,1.0,0.0",
           "test,gangs,99,0,8.0,8.0,0.3,0.0",  // the second starts at 100
           "test,gangs,102,0,8.0,8.0,0.0,0.0",
           "test,gangs,198,0,5.3,5.3,0.0,0.0",  // and ends at 200
           "test,gangs,201,0,0.0,0.0,0.0,0.0",
           "test,gangs,999,0,5.3,5.3,0.7,0.0",  // both again, from 1000 on
           "test,gangs,1002,1,8.0,8.0,1.0,0.0",
           "test,gangs,1098,1,8.0,8.0,0.7,0.0",
           "test,gangs,1200,1,0.0,0.0,0.0,0.0",
           "test,gangs,1998,1,0.0,0.0,0.0,0.0",
       }) {
    CAPTURE(line);
    CHECK(has_line(text, line));
  }
  CHECK(std::count(text.begin(), text.end(), '\n') == 1 + 2 * 667);
}
