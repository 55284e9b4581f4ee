// SPDX-License-Identifier: BSL-1.0
#include "study_report.hpp"

#include "gnuplot.hpp"

#include <cstdio>
#include <fstream>
#include <stdexcept>

namespace topology_study {

namespace {

using muster_bench::sample;

double percent(std::size_t part, std::size_t of) {
  return of > 0 ? 100 * static_cast<double>(part) / static_cast<double>(of) : 0;
}

void close(std::ofstream& out, const std::string& file) {
  out.close();
  if (!out) throw std::runtime_error(file + ": cannot be written");
}

struct panel {
  figure of;
  const char* title;
  bool of_first;  // in percent of the first policy's, where that is 0.01 or more
};
constexpr panel panels[] = {{figure::in_rack, "gangs of several nodes inside one rack, %", false},
                            {figure::distance, "their pods' mean distance, in levels", false},
                            {figure::wait, "mean wait of all gangs, % of first-fit's (no bar: none waits)", true}};

// One block a panel, one line a scenario: its name, then a value and its standard error for each policy.
void write_data(const std::string& file, const std::vector<scenario>& all) {
  std::ofstream out(file);
  for (const panel& one : panels) {
    for (const scenario& in : all) {
      char name[160];
      std::snprintf(name, sizeof name, "\"%s\\n%.0f %%\"", in.name.c_str(), in.load.mean());
      out << name;
      const double base = in.policies.front().of(one.of).mean();
      for (const policy_figures& each : in.policies) {
        const sample& found = each.of(one.of);
        const sample more = paired_difference(found, in.policies.front().of(one.of));
        if (!one.of_first) out << ' ' << found.mean() << ' ' << found.standard_error();
        else if (base < 0.01) out << " 0 0";  // no bar
        else out << ' ' << 100 * found.mean() / base << ' ' << 100 * more.standard_error() / base;
      }
      out << '\n';
    }
    out << "\n\n";
  }
  close(out, file);
}

void write_script(const std::string& file, const std::vector<scenario>& all) {
  constexpr const char* colours[] = {"#999999", "#56b4e9", "#e69f00", "#009e73", "#0072b2", "#cc79a7"};
  std::ofstream out(file);
  out << "# Run by gnuplot in this folder; topology.dat holds one block a panel.\n"
      << "set terminal svg noenhanced size " << 400 + 160 * all.size() << ",960"
      << " font 'sans-serif,13' background 'white'\n"
      << "set output 'topology.svg'\n"
      << "set multiplot layout 3,1 margins screen 0.07,0.98,0.15,0.95 spacing screen 0,0.1\n"
      << "set style data histograms\nset style histogram errorbars gap 1.5 lw 1\n"
      << "set style fill solid 1.0 noborder\n"
      << "set tics nomirror out\nset xtics scale 0\nset border 3\nset grid ytics lc rgb '#dddddd'\n"
      << "set yrange [0:1<*]\n";
  for (std::size_t p = 0; p < std::size(panels); ++p) {
    out << "set title " << replay::quoted(panels[p].title) << " offset 0,-0.6\n"
        << (p == 0 ? "set key at screen 0.5,0.04 center horizontal maxrows 2 width 2\n" : "unset key\n") << "plot ";
    const std::vector<policy_figures>& policies = all.front().policies;
    for (std::size_t i = 0; i < policies.size(); ++i)
      out << (i == 0 ? "" : ", ") << "'topology.dat' index " << p << " using " << 2 * i + 2 << ':' << 2 * i + 3
          << ":xtic(1) lc rgb '" << colours[i % std::size(colours)] << "' title "
          << replay::quoted(std::string(policies[i].policy.title));
    out << '\n';
  }
  out << "unset multiplot\n";
  close(out, file);
}

}  // namespace

void print_table(const scenario& one) {
  std::printf("\n%s, %d copies: load %.1f %% reached; %zu gangs measured, %zu of them wide,\n"
              "of these %.1f %% no larger than the largest rack and %.1f %% no larger than the largest block\n",
              one.name.c_str(), one.copies, one.load.mean(), one.gangs, one.wide,
              percent(one.wide_in_rack, one.wide), percent(one.wide_in_block, one.wide));
  if (one.cpu_only + one.too_large > 0)
    std::printf("left out: %zu that ask for no GPU, %zu that are larger than the cluster\n", one.cpu_only,
                one.too_large);
  std::printf("%-26s", "");
  for (const figure_text& text : figure_texts)
    std::printf(" %14.*s", static_cast<int>(text.title.size()), text.title.data());
  std::printf("\n");
  for (const policy_figures& each : one.policies) {
    std::printf("%-26.*s", static_cast<int>(each.policy.title.size()), each.policy.title.data());
    for (std::size_t f = 0; f < figure_count; ++f)
      std::printf(" %14.*f", figure_texts[f].decimals, each.over_seeds[f].mean());
    std::printf("\n");
    if (&each == &one.policies.front()) continue;
    std::printf("%-26s", "");
    for (std::size_t f = 0; f < figure_count; ++f) {
      const sample more = paired_difference(each.over_seeds[f], one.policies.front().over_seeds[f]);
      char text[64];
      std::snprintf(text, sizeof text, "%+.*f+-%.*f", figure_texts[f].decimals, more.mean(), figure_texts[f].decimals,
                    more.standard_error());
      std::printf(" %14s", static_cast<figure>(f) == figure::deciding ? "" : text);
    }
    std::printf("\n");
  }
  std::fflush(stdout);
}

void write_csv(const std::string& file, const std::vector<scenario>& all, std::uint64_t first_seed) {
  std::ofstream out(file);
  out << "trace,copies,load_percent,seed,policy";
  for (const figure_text& text : figure_texts) out << ',' << text.key;
  out << '\n';
  for (const scenario& one : all)
    for (const policy_figures& each : one.policies)
      for (std::size_t seed = 0; seed < each.over_seeds[0].size(); ++seed) {
        out << one.name << ',' << one.copies << ',' << one.load.values()[seed] << ',' << first_seed + seed << ','
            << each.policy.key;
        for (const sample& found : each.over_seeds) out << ',' << found.values()[seed];
        out << '\n';
      }
  close(out, file);
}

std::string draw_picture(const std::string& folder, const std::vector<scenario>& all) {
  write_data(folder + "/topology.dat", all);
  write_script(folder + "/topology.gp", all);
  return replay::run_gnuplot(folder, "topology.gp", "topology.svg");
}

}  // namespace topology_study
