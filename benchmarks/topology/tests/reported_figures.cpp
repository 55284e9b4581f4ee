// SPDX-License-Identifier: BSL-1.0
// From runs to figures, by hand; and the files that are written.

#include "small_clusters.hpp"
#include "study.hpp"
#include "study_report.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <support/catch.hpp>

namespace {

using namespace topology_study;

double of(const figures& all, figure one) { return all[static_cast<std::size_t>(one)]; }

replay::trace trace_of(std::vector<replay::job> jobs, replay::seconds span) {
  replay::trace made;
  made.name = "folder/small.csv";
  made.jobs = std::move(jobs);
  made.span = span;
  return made;
}

std::string text_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("the figures of a run") {
  const machines on = hosts_in({{"P1", 2}, {"P1", 2}});
  run_result run;
  run.window = 1'000;
  run.allocated = 16'000;
  run.decisions = 4;
  run.deciding = 8e-6;
  run.gangs = {{1, 8, 0, true, {nearness::node, 0}},      {2, 8, 3'600, true, {nearness::rack, 1}},
               {4, 4, 7'200, true, {nearness::block, 2}}, {2, 4, 0, true, {nearness::node, 0}},
               {3, 8, 7'200, false, {}}};
  const figures found = figures_of(run, on);
  CHECK(of(found, figure::wait) == Approx(1));               // 5 hours, 5 gangs
  CHECK(of(found, figure::wide_wait) == Approx(5 / 3.0));    // three are wider than a node
  CHECK(of(found, figure::in_rack) == Approx(50));           // of two that started
  CHECK(of(found, figure::in_block) == Approx(100));
  CHECK(of(found, figure::distance) == Approx(1.5));
  CHECK(of(found, figure::allocated) == Approx(50));         // of 32 GPUs
  CHECK(of(found, figure::cut_off) == Approx(1));
  CHECK(of(found, figure::deciding) == Approx(2));
}

TEST_CASE("the load reached is what overlaps the measured window") {
  const machines one_node = hosts_in({{"P1", 1}});
  CHECK(load_reached(trace_of({{0, 500, 1, 8}}, 1'000), one_node) == Approx(50));
  CHECK(load_reached(trace_of({{900, 300, 1, 8}}, 1'000), one_node) == Approx(30));  // 200 from the first pass
  CHECK(load_reached(trace_of({{0, 3'000, 1, 4}}, 1'000), one_node) == Approx(100));  // of either pass
}

TEST_CASE("a study takes as many copies as come nearest, each load once, and leaves out what is too large") {
  const machines on = hosts_in({{"P1", 2}, {"P1", 2}});  // 32 GPUs; a copy demands 8
  study_options options;
  options.loads = {50, 80, 90, 100};
  options.seeds = 2;
  options.policies = policies_named("first_fit,muster");
  const std::vector<scenario> all =
      study({trace_of({{0, 50, 2, 8}, {50, 1'000, 5, 8}, {100, 0, 1, 1}}, 100)}, on, options);
  REQUIRE(all.size() == 3);
  CHECK(all[0].copies == 2);
  CHECK(all[1].copies == 3);
  CHECK(all[2].copies == 4);
  CHECK(all[0].name == "small");
  CHECK(all[0].too_large == 2);
  CHECK(all[0].gangs == 4);
  CHECK(all[0].wide == 2);
  CHECK(all[0].wide_in_rack == 2);
  CHECK(all[2].load.mean() == Approx(100));
  CHECK(all[0].policies[1].of(figure::in_rack).size() == 2);

  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "muster_topology_test";
  std::filesystem::create_directories(folder);
  write_csv((folder / "topology.csv").string(), all, 1);
  const std::string written = text_of(folder / "topology.csv");
  CHECK(written.starts_with("trace,copies,load_percent,seed,policy,mean_wait_h,"));
  CHECK(std::count(written.begin(), written.end(), '\n') == 1 + 3 * 2 * 2);
  CHECK(written.find("\nsmall,2,50,2,muster,") != std::string::npos);
  const std::string said = draw_picture(folder.string(), all);
  if (said.starts_with("picture: ")) CHECK(text_of(folder / "topology.svg").find("<svg") != std::string::npos);
  else CHECK(said.starts_with("no picture: gnuplot is not installed"));
  std::filesystem::remove_all(folder);
}

TEST_CASE("a trace of which nothing is left is a fault") {
  const machines on = hosts_in({{"P1", 1}});
  study_options options;
  options.policies = policies_named("first_fit");
  CHECK_THROWS_WITH(study({trace_of({{0, 50, 2, 8}}, 100)}, on, options),
                    "folder/small.csv: no gang is left that asks for GPUs and fits the cluster");
}
