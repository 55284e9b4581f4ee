// SPDX-License-Identifier: BSL-1.0
#include "picture.hpp"

#include "gnuplot.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>

namespace replay {

namespace {

constexpr double seconds_a_day = 86'400.0;

// One block a run: day, percent allocated, percent useful. Blocks are parted by two empty lines.
void write_data(const std::string& file, const std::vector<run_result>& runs) {
  std::ofstream out(file);
  for (const run_result& one : runs) {
    const double gpus = static_cast<double>(one.total_gpus);
    for (std::size_t bin = 0; bin < one.series.bins(); ++bin) {
      const seconds from = static_cast<seconds>(bin) * one.series.width();
      const double length = static_cast<double>(std::min(one.series.width(), one.window_to - from));
      const levels& sum = one.series.sum(bin);
      out << static_cast<double>(from) / seconds_a_day << ' '
          << 100.0 * static_cast<double>(sum.allocated) / length / gpus << ' '
          << 100.0 * static_cast<double>(sum.useful) / length / gpus << '\n';
    }
    out << "\n\n";
  }
  out.close();
  if (!out) throw std::runtime_error(file + ": cannot be written");
}

std::size_t count_loads(const std::vector<run_result>& runs) {
  return static_cast<std::size_t>(std::count_if(
      runs.begin(), runs.end(), [&runs](const run_result& one) { return one.rule_key == runs.front().rule_key; }));
}

void write_script(const std::string& file, const std::string& title, const std::vector<run_result>& runs) {
  const std::size_t columns = std::max<std::size_t>(1, count_loads(runs));
  const std::size_t rows = runs.size() / columns;
  const double height = static_cast<double>(100 + 200 * rows);
  std::ofstream out(file);
  out << "# Run by gnuplot in this folder; picture.dat holds one block a run.\n"
      << "set terminal svg noenhanced size " << (columns > 1 ? 1300 : 900) << ',' << height
      << " font 'sans-serif,13' background 'white'\n"
      << "set output 'allocated_useful.svg'\n"
      << "set multiplot layout " << rows << ',' << columns << " columnsfirst title " << quoted(title)
      << " margins screen " << (columns > 1 ? 0.06 : 0.09) << ",0.98," << 95.0 / height << ',' << 1.0 - 65.0 / height
      << " spacing screen 0.07," << 70.0 / height << '\n'
      << "set yrange [0:100]\nset ytics 25\nset format y '%g %%'\nset tics nomirror out\nset border 3\n"
      << "set grid ytics lc rgb '#dddddd'\nset style fill solid 1.0 noborder\n";
  for (std::size_t index = 0; index < runs.size(); ++index) {
    const run_result& one = runs[index];
    const double from = static_cast<double>(one.window_from) / seconds_a_day;
    const double to = static_cast<double>(one.window_to) / seconds_a_day;
    out << "set xrange [0:" << to << "]\n"
        << "set title " << quoted(one.rule_title + ", load " + one.load) << " offset 0,-0.6\n"
        << "set xlabel " << quoted(index % rows == rows - 1 ? "days; measured right of the line" : "") << '\n'
        << "set arrow 1 from " << from << ",0 to " << from << ",100 nohead lc rgb '#555555' dt 2 front\n"
        << (index == 0 ? "set key at screen 0.5,0.02 center horizontal maxrows 1\n" : "unset key\n")
        << "plot 'picture.dat' index " << index << " using 1:2 with filledcurves y1=0 lc rgb '#e69f00' "
        << "title 'held, gang not whole', '' index " << index
        << " using 1:3 with filledcurves y1=0 lc rgb '#3b78b5' title 'useful', '' index " << index
        << " using 1:2 with lines lc rgb '#333333' lw 1 notitle\n";
  }
  out << "unset multiplot\n";
  out.close();
  if (!out) throw std::runtime_error(file + ": cannot be written");
}

}  // namespace

std::string draw_picture(const std::string& folder, const std::string& title, const std::vector<run_result>& runs) {
  write_data(folder + "/picture.dat", runs);
  write_script(folder + "/picture.gp", title, runs);
  return run_gnuplot(folder, "picture.gp", "allocated_useful.svg");
}

}  // namespace replay
