// SPDX-License-Identifier: BSL-1.0
#include <muster/preemption/detail/dual_simplex.hpp>

#include "support/catch.hpp"
#include "support/generator.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

using namespace muster::preemption_detail;
using muster_test::generator;

namespace {

constexpr auto no_limit = std::numeric_limits<std::uint64_t>::max();

struct covering_row {
  std::vector<linear_term> terms;
  std::int64_t bound = 0;
};

struct program {
  std::vector<std::int64_t> costs;
  std::vector<covering_row> rows;
};

struct fraction {
  wide_int above = 0, below = 1;  // below > 0
};

bool less(const fraction& a, const fraction& b) { return a.above * b.below < b.above * a.below; }
double real(const fraction& a) { return static_cast<double>(a.above) / static_cast<double>(a.below); }

/// Determinant by elimination without fractions: every division is exact.
wide_int determinant(std::vector<std::vector<wide_int>> m) {
  wide_int before = 1, sign = 1;
  for (std::size_t k = 0; k < m.size(); ++k) {
    std::size_t p = k;
    while (p < m.size() && m[p][k] == 0) ++p;
    if (p == m.size()) return 0;
    if (p != k) {
      std::swap(m[p], m[k]);
      sign = -sign;
    }
    for (std::size_t i = k + 1; i < m.size(); ++i)
      for (std::size_t j = k + 1; j < m.size(); ++j) m[i][j] = (m[i][j] * m[k][k] - m[i][k] * m[k][j]) / before;
    before = m[k][k];
  }
  return sign * before;
}

struct exact_optimum {
  fraction cost;
  std::vector<std::int64_t> at_most;  // the values, rounded up
};

/// The least cost, by trying every basis; nothing if no basis is feasible.
std::optional<exact_optimum> try_all_bases(const program& of) {
  const std::size_t rows = of.rows.size(), variables = of.costs.size();
  std::vector<std::vector<wide_int>> columns(variables + rows, std::vector<wide_int>(rows, 0));
  for (std::size_t r = 0; r < rows; ++r) {
    for (const linear_term& term : of.rows[r].terms) columns[term.variable][r] = term.coefficient;
    columns[variables + r][r] = -1;
  }
  std::vector<wide_int> bounds;
  for (const covering_row& row : of.rows) bounds.push_back(row.bound);
  std::optional<exact_optimum> best;
  std::vector<char> chosen(columns.size(), 0);
  std::fill(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(rows), char{1});
  do {
    std::vector<std::size_t> basis;
    for (std::size_t c = 0; c < chosen.size(); ++c)
      if (chosen[c] != 0) basis.push_back(c);
    std::vector<std::vector<wide_int>> matrix;
    for (const std::size_t c : basis) matrix.push_back(columns[c]);
    wide_int below = determinant(matrix);
    if (below == 0) continue;
    const wide_int sign = below < 0 ? -1 : 1;
    below *= sign;
    bool feasible = true;
    exact_optimum here{{0, below}, std::vector<std::int64_t>(variables, 0)};
    for (std::size_t i = 0; i < basis.size() && feasible; ++i) {
      auto with = matrix;
      with[i] = bounds;
      const wide_int above = sign * determinant(with);
      feasible = above >= 0;
      if (basis[i] >= variables) continue;
      here.cost.above += above * of.costs[basis[i]];
      here.at_most[basis[i]] = static_cast<std::int64_t>((above + below - 1) / below);
    }
    if (feasible && (!best || less(here.cost, best->cost))) best = here;
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
  return best;
}

/// What the prices prove of every solution within the box 0 <= x <= at_most, in whole numbers over 2^price_bits:
/// sum of price x bound, less what a variable whose reduced cost is negative may save.
wide_int proven(const program& of, const dual_simplex& lp, std::span<const std::int64_t> at_most) {
  std::vector<wide_int> reduced;
  for (const std::int64_t cost : of.costs) reduced.push_back(static_cast<wide_int>(cost) << lp.price_bits());
  wide_int sum = 0;
  for (std::uint32_t r = 0; r < of.rows.size(); ++r) {
    REQUIRE(lp.price(r) >= 0);
    sum += static_cast<wide_int>(lp.price(r)) * of.rows[r].bound;
    for (const linear_term& term : of.rows[r].terms)
      reduced[term.variable] -= static_cast<wide_int>(lp.price(r)) * term.coefficient;
  }
  for (std::size_t v = 0; v < reduced.size(); ++v)
    if (reduced[v] < 0) sum += reduced[v] * at_most[v];
  return sum;
}

/// Whether the prices prove that no x >= 0 with a sum of at most 1000 meets all rows.
bool proves_infeasible(const program& of, const dual_simplex& lp) {
  std::vector<wide_int> column(of.costs.size(), 0);
  wide_int bound = 0, most = 0;
  for (std::uint32_t r = 0; r < of.rows.size(); ++r) {
    bound += static_cast<wide_int>(lp.price(r)) * of.rows[r].bound;
    for (const linear_term& term : of.rows[r].terms)
      column[term.variable] += static_cast<wide_int>(lp.price(r)) * term.coefficient;
  }
  for (const wide_int sum : column) most = std::max(most, sum);
  return bound > most * 1000;
}

/// How far the values leave the row they miss most, over 2^value_bits.
wide_int most_missed(const program& of, const dual_simplex& lp) {
  wide_int most = 0;
  for (const covering_row& row : of.rows) {
    wide_int sum = static_cast<wide_int>(row.bound) << lp.value_bits();
    for (const linear_term& term : row.terms)
      sum -= static_cast<wide_int>(term.coefficient) * lp.value(term.variable);
    most = std::max(most, sum);
  }
  return most;
}

wide_int total_cost(const program& of, const dual_simplex& lp) {  // over 2^value_bits
  wide_int sum = 0;
  for (std::uint32_t v = 0; v < of.costs.size(); ++v) sum += static_cast<wide_int>(of.costs[v]) * lp.value(v);
  return sum;
}

void enter(const program& of, dual_simplex& lp) {
  lp.clear();
  for (const std::int64_t cost : of.costs) lp.add_variable(cost);
  for (const covering_row& row : of.rows) lp.add_row(row.terms, row.bound);
}

double over(wide_int number, int bits) {
  return static_cast<double>(number) / static_cast<double>(std::uint64_t{1} << static_cast<unsigned>(bits));
}

/// Values and prices both as good as the least cost, but for rounding.
void check_optimal(const program& of, const dual_simplex& lp, const exact_optimum& exact) {
  const double least = real(exact.cost), slip = 1e-6 * std::max(least, 1.0);
  const wide_int bound = proven(of, lp, exact.at_most);
  // bound / 2^bits <= above / below, in whole numbers
  CHECK(bound * exact.cost.below <= (exact.cost.above << lp.price_bits()));
  CHECK(over(bound, lp.price_bits()) >= least - slip);
  CHECK(over(most_missed(of, lp), lp.value_bits()) <= 1e-6);
  CHECK(over(total_cost(of, lp), lp.value_bits()) <= least + slip);
  CHECK(over(total_cost(of, lp), lp.value_bits()) >= least - 10 * slip);
}

program small_program(generator& rng, std::int64_t largest, std::int64_t largest_cost) {
  program made;
  const auto variables = rng.between(1, 5), rows = rng.between(1, 5);
  for (std::int64_t v = 0; v < variables; ++v) made.costs.push_back(rng.chance(25) ? 0 : rng.between(0, largest_cost));
  for (std::int64_t r = 0; r < rows; ++r) {
    covering_row& row = made.rows.emplace_back();
    const bool limits = rng.chance(30);
    for (std::uint32_t v = 0; v < variables; ++v)
      if (rng.chance(70))
        row.terms.push_back({v, static_cast<std::int32_t>(limits ? rng.between(-largest, 0)
                                                          : rng.chance(20) ? rng.between(-largest, largest)
                                                                           : rng.between(1, largest))});
    row.bound = limits ? rng.between(-3 * largest, 0) : rng.between(-largest, 3 * largest);
  }
  return made;
}

/// Nodes with states that give pods of two classes and need units of several nodes: demand rows first, then what a node
/// may host, then what a state needs.
struct structured {
  program all;
  std::size_t demand_rows = 2, units = 0;
  std::vector<std::int64_t> at_most;
};

structured make_structured(generator& rng, std::size_t nodes, std::size_t units, std::size_t states) {
  structured made;
  made.units = units;
  auto& [costs, rows] = made.all;
  rows.resize(2 + nodes);
  for (std::size_t u = 0; u < units; ++u) costs.push_back(rng.between(1, 400) * 1000 + 1);
  made.at_most.assign(units, 1);
  for (std::size_t j = 0; j < nodes; ++j) {
    const auto alike = static_cast<std::int32_t>(rng.between(1, 4));
    std::vector<covering_row> links(units);
    for (std::size_t s = 0; s < states; ++s) {
      const auto state = static_cast<std::uint32_t>(costs.size());
      costs.push_back(rng.chance(50) ? 0 : rng.between(1, 60) * 1000 + 1);
      made.at_most.push_back(alike);
      for (int needs = 0; needs < 2; ++needs) {
        covering_row& link = links[rng.below(units)];
        if (link.terms.empty() || link.terms.back().variable != state) link.terms.push_back({state, -1});
      }
      rows[0].terms.push_back({state, static_cast<std::int32_t>(rng.between(1, 4))});
      if (rng.chance(60)) rows[1].terms.push_back({state, static_cast<std::int32_t>(rng.between(1, 2))});
      rows[2 + j].terms.push_back({state, -1});
    }
    rows[2 + j].bound = -alike;
    for (std::uint32_t u = 0; u < units; ++u)
      if (!links[u].terms.empty()) {
        links[u].terms.push_back({u, alike});
        rows.push_back(links[u]);
      }
  }
  rows[0].bound = static_cast<std::int64_t>(nodes);
  rows[1].bound = static_cast<std::int64_t>(nodes / 3);
  return made;
}

/// Rows are added as the values miss them. \return how it ended
linear_end solve_lazily(const structured& of, dual_simplex& lp, std::vector<std::uint32_t>& number, bool purge) {
  constexpr std::uint32_t out = ~std::uint32_t{0};
  lp.clear();
  number.assign(of.all.rows.size(), out);
  for (const std::int64_t cost : of.all.costs) lp.add_variable(cost);
  for (std::size_t r = 0; r < of.demand_rows; ++r) number[r] = lp.add_row(of.all.rows[r].terms, of.all.rows[r].bound);
  for (int round = 0;; ++round) {
    if (const linear_end end = lp.solve(no_limit); end != linear_end::optimal) return end;
    std::vector<std::size_t> missed;
    for (std::size_t r = 0; r < number.size(); ++r) {
      if (number[r] != out) continue;
      wide_int sum = -(static_cast<wide_int>(of.all.rows[r].bound) << lp.value_bits());
      for (const linear_term& term : of.all.rows[r].terms)
        sum += static_cast<wide_int>(term.coefficient) * lp.value(term.variable);
      if (sum < -(wide_int{1} << (lp.value_bits() - 19))) missed.push_back(r);
    }
    if (missed.empty()) return linear_end::optimal;
    if (purge && round < 20)
      for (std::size_t r = of.demand_rows; r < number.size(); ++r)
        if (number[r] != out && lp.is_slack(number[r])) {
          lp.remove_row(number[r]);
          number[r] = out;
        }
    for (const std::size_t r : missed) number[r] = lp.add_row(of.all.rows[r].terms, of.all.rows[r].bound);
  }
}

/// As `proven`, for rows that are in under their numbers.
wide_int proven(const structured& of, const dual_simplex& lp, std::span<const std::uint32_t> number) {
  std::vector<wide_int> reduced;
  for (const std::int64_t cost : of.all.costs) reduced.push_back(static_cast<wide_int>(cost) << lp.price_bits());
  wide_int sum = 0;
  for (std::size_t r = 0; r < number.size(); ++r) {
    if (number[r] == ~std::uint32_t{0}) continue;
    const std::int64_t price = lp.price(number[r]);
    REQUIRE(price >= 0);
    sum += static_cast<wide_int>(price) * of.all.rows[r].bound;
    for (const linear_term& term : of.all.rows[r].terms)
      reduced[term.variable] -= static_cast<wide_int>(price) * term.coefficient;
  }
  for (std::size_t v = 0; v < reduced.size(); ++v)
    if (reduced[v] < 0) sum += reduced[v] * of.at_most[v];
  return sum;
}

}  // namespace

TEST_CASE("a small linear program is solved as trying every basis does", "[preemption]") {
  generator rng{"small linear programs"};
  dual_simplex lp;
  int optimal = 0, infeasible = 0;
  for (int round = muster_test::rounds(600); round > 0; --round) {
    CAPTURE(rng.seed(), round);
    const program it = small_program(rng, rng.chance(30) ? 2 : 20, rng.chance(20) ? 1 : 50);
    enter(it, lp);
    const linear_end end = lp.solve(no_limit);
    const auto exact = try_all_bases(it);
    REQUIRE(end == (exact ? linear_end::optimal : linear_end::infeasible));
    if (exact) {
      check_optimal(it, lp, *exact);
      ++optimal;
    } else {
      CHECK(proves_infeasible(it, lp));
      ++infeasible;
    }
  }
  CHECK(optimal > 100);
  CHECK(infeasible > 20);
}

TEST_CASE("a linear program goes on from where it ended when it changes", "[preemption]") {
  generator rng{"changed linear programs"};
  dual_simplex lp;
  for (int round = muster_test::rounds(300); round > 0; --round) {
    CAPTURE(rng.seed(), round);
    program it = small_program(rng, 9, 50);
    enter(it, lp);
    (void)lp.solve(no_limit);
    std::vector<char> fixed(it.costs.size(), 0);
    dual_simplex::saved_basis first;
    lp.save(first);
    for (int change = 0; change < 4; ++change) {
      const std::uint64_t kind = rng.below(4);
      if (kind == 0 && it.rows.size() < 6) {
        const program more = small_program(rng, 9, 50);
        covering_row row = more.rows.front();
        std::erase_if(row.terms, [&](const linear_term& term) { return term.variable >= it.costs.size(); });
        REQUIRE(lp.add_row(row.terms, row.bound) == it.rows.size());
        it.rows.push_back(row);
      } else if (kind == 1) {
        const auto variable = static_cast<std::uint32_t>(rng.below(it.costs.size()));
        fixed[variable] ^= 1;
        fixed[variable] != 0 ? lp.fix_at_zero(variable) : lp.release(variable);
      } else if (kind == 2) {
        const auto row = static_cast<std::uint32_t>(rng.below(it.rows.size()));
        it.rows[row].bound = rng.between(-9, 27);
        lp.set_bound(row, it.rows[row].bound);
      } else {
        lp.load(first);
      }
      program fixed_too = it;  // a fixed variable is one more row
      for (std::uint32_t v = 0; v < fixed.size(); ++v)
        if (fixed[v] != 0)
          for (covering_row& row : fixed_too.rows)
            std::erase_if(row.terms, [&](const linear_term& term) { return term.variable == v; });
      const linear_end end = lp.solve(no_limit);
      const auto exact = try_all_bases(fixed_too);
      CAPTURE(change, kind);
      REQUIRE(end == (exact ? linear_end::optimal : linear_end::infeasible));
      if (exact)
        check_optimal(fixed_too, lp, *exact);
      else
        CHECK(proves_infeasible(fixed_too, lp));
    }
  }
}

TEST_CASE("a row that is removed no longer counts, whether it was met with or without room to spare", "[preemption]") {
  generator rng{"removed rows"};
  dual_simplex lp;
  int tight = 0;
  for (int round = muster_test::rounds(300); round > 0; --round) {
    CAPTURE(rng.seed(), round);
    program it = small_program(rng, 9, 50);
    enter(it, lp);
    if (lp.solve(no_limit) != linear_end::optimal || it.rows.size() < 2) continue;
    tight += lp.is_slack(static_cast<std::uint32_t>(it.rows.size() - 1)) ? 0 : 1;
    lp.remove_row(static_cast<std::uint32_t>(it.rows.size() - 1));
    it.rows.pop_back();
    const auto exact = try_all_bases(it);
    REQUIRE(exact);
    REQUIRE(lp.solve(no_limit) == linear_end::optimal);
    check_optimal(it, lp, *exact);
  }
  CHECK(tight > 20);
}

TEST_CASE("rows added as they are missed lead to the optimum of all rows", "[preemption]") {
  generator rng{"lazy rows"};
  dual_simplex lazy, whole;
  for (int round = muster_test::rounds(12); round > 0; --round) {
    CAPTURE(rng.seed(), round);
    const auto nodes = round == 1 ? 120 : rng.between(5, 40);  // once so many that most variables sleep
    const auto units = static_cast<std::size_t>(rng.between(3, 30));
    const auto it = make_structured(rng, static_cast<std::size_t>(nodes), units, 6);
    std::vector<std::uint32_t> number;
    REQUIRE(solve_lazily(it, lazy, number, rng.chance(50)) == linear_end::optimal);
    // values that meet all rows and prices that prove them: each is the other's witness
    const double bound = over(proven(it, lazy, number), lazy.price_bits());
    const double cost = over(total_cost(it.all, lazy), lazy.value_bits());
    CHECK(over(most_missed(it.all, lazy), lazy.value_bits()) <= 2e-6);
    CHECK(bound <= cost * (1 + 1e-5));
    CHECK(bound >= cost * (1 - 1e-5));
    enter(it.all, whole);
    REQUIRE(whole.solve(no_limit) == linear_end::optimal);
    CHECK(over(proven(it.all, whole, it.at_most), whole.price_bits()) >= cost * (1 - 1e-5));
  }
}

TEST_CASE("a basis that is saved and loaded gives back the optimum it was saved at, in few steps", "[preemption]") {
  generator rng{"saved bases"};
  dual_simplex lp;
  const auto it = make_structured(rng, 30, 20, 6);
  enter(it.all, lp);
  REQUIRE(lp.solve(no_limit) == linear_end::optimal);
  const wide_int cost = total_cost(it.all, lp);
  const double size = over(cost, lp.value_bits());
  dual_simplex::saved_basis root;
  lp.save(root);
  for (std::uint32_t u = 0; u < it.units; ++u) {
    CAPTURE(u);
    lp.fix_at_zero(u);
    const linear_end end = lp.solve(no_limit);
    REQUIRE((end == linear_end::optimal || end == linear_end::infeasible));
    if (end == linear_end::optimal) {
      CHECK(lp.value(u) == 0);
      CHECK(over(total_cost(it.all, lp), lp.value_bits()) >= size * (1 - 1e-6));
    }
    lp.release(u);
    const linear_term only[] = {{u, 1}};
    const std::uint32_t row = lp.add_row(only, 1);
    lp.load(root);
    REQUIRE(lp.solve(no_limit) == linear_end::optimal);
    CHECK(over(lp.value(u), lp.value_bits()) >= 1 - 1e-6);
    lp.remove_row(row);
    lp.load(root);
    const std::uint64_t before = lp.pivots();
    REQUIRE(lp.solve(no_limit) == linear_end::optimal);
    CHECK(lp.pivots() == before);
    CHECK(std::abs(over(total_cost(it.all, lp) - cost, lp.value_bits())) <= size * 1e-6);
  }
}

TEST_CASE("many equal costs and rows do not hold the method up", "[preemption]") {
  generator rng{"degenerate linear programs"};
  dual_simplex lp;
  for (int round = muster_test::rounds(20); round > 0; --round) {
    CAPTURE(rng.seed(), round);
    auto it = make_structured(rng, 20, 10, 8);
    const std::int64_t same = rng.chance(50) ? 0 : 1;
    for (std::size_t v = 0; v < it.all.costs.size(); ++v) it.all.costs[v] = v < it.units ? 1 : same;
    for (std::size_t r = it.all.rows.size(); r-- > 2;)
      if (rng.chance(50)) it.all.rows.push_back(it.all.rows[r]);
    enter(it.all, lp);
    REQUIRE(lp.solve(no_limit) == linear_end::optimal);
    const double cost = over(total_cost(it.all, lp), lp.value_bits());
    CHECK(over(most_missed(it.all, lp), lp.value_bits()) <= 2e-6);
    CHECK(over(proven(it.all, lp, it.at_most), lp.price_bits()) >= cost - 1e-5);
    CHECK(lp.pivots() < 20 * it.all.rows.size());
  }
}

TEST_CASE("a linear program takes no more steps than it may, and goes on later", "[preemption]") {
  generator rng{"budgets of a linear program"};
  dual_simplex lp;
  const auto it = make_structured(rng, 30, 20, 6);
  enter(it.all, lp);
  CHECK(lp.solve(0) == linear_end::out_of_steps);
  CHECK(lp.steps() == 0);
  int parts = 0;
  linear_end end = linear_end::out_of_steps;
  wide_int before = -1;
  for (; end == linear_end::out_of_steps && parts < 10000; ++parts) {
    end = lp.solve(4000);
    const wide_int bound = proven(it.all, lp, it.at_most);
    before = bound;
  }
  REQUIRE(end == linear_end::optimal);
  CHECK(parts > 3);
  dual_simplex whole;
  enter(it.all, whole);
  REQUIRE(whole.solve(no_limit) == linear_end::optimal);
  const wide_int difference = proven(it.all, whole, it.at_most) - before;
  CHECK(std::abs(over(difference, lp.price_bits())) <= 1e-6 * over(before, lp.price_bits()));
}

TEST_CASE("the same calls give the same answers, with used memory too", "[preemption]") {
  generator rng{"repeated linear programs"};
  dual_simplex used;
  for (int round = muster_test::rounds(5); round > 0; --round) {
    CAPTURE(rng.seed(), round);
    const auto it = make_structured(rng, 20, 15, 5);
    std::vector<std::uint32_t> number, number_used;
    dual_simplex fresh;
    REQUIRE(solve_lazily(it, fresh, number, true) == solve_lazily(it, used, number_used, true));
    CHECK(fresh.pivots() == used.pivots());
    CHECK(fresh.steps() == used.steps());
    REQUIRE(number == number_used);
    for (std::uint32_t v = 0; v < it.all.costs.size(); ++v) REQUIRE(fresh.value(v) == used.value(v));
    for (const std::uint32_t r : number)
      if (r != ~std::uint32_t{0}) REQUIRE(fresh.price(r) == used.price(r));
  }
}

TEST_CASE("the largest numbers neither overflow nor hold the method up", "[preemption]") {
  generator rng{"extreme linear programs"};
  dual_simplex lp;
  constexpr std::int64_t largest_cost = (std::int64_t{1} << 40) - 1, largest_bound = std::int64_t{1} << 31;
  int optimal = 0;
  for (int round = muster_test::rounds(400); round > 0; --round) {
    CAPTURE(rng.seed(), round);
    program it;
    const auto variables = rng.between(1, 60), rows = rng.between(1, 40);
    const auto coefficient = [&] {
      const std::int64_t size = rng.chance(50) ? 1 << 20 : rng.between(1, std::int64_t{1} << rng.between(0, 20));
      return static_cast<std::int32_t>(rng.chance(35) ? -size : size);
    };
    for (std::int64_t v = 0; v < variables; ++v)
      it.costs.push_back(rng.chance(30) ? largest_cost : rng.chance(30) ? 0 : rng.between(0, 1000));
    for (std::int64_t r = 0; r < rows; ++r) {
      covering_row& row = it.rows.emplace_back();
      for (std::uint32_t v = 0; v < variables; ++v)
        if (rng.chance(30)) row.terms.push_back({v, coefficient()});
      row.bound = rng.chance(30) ? -largest_bound : rng.chance(30) ? largest_bound : rng.between(-5, 5);
    }
    enter(it, lp);
    for (int again = 0; again < 3; ++again) {
      const linear_end end = lp.solve(no_limit);
      optimal += end == linear_end::optimal ? 1 : 0;
      for (std::uint32_t r = 0; r < rows; ++r) REQUIRE(lp.price(r) >= 0);
      for (std::uint32_t v = 0; v < variables; ++v) REQUIRE(lp.value(v) >= 0);
      const auto row = static_cast<std::uint32_t>(rng.below(static_cast<std::uint64_t>(rows)));
      lp.set_bound(row, rng.between(-largest_bound, largest_bound));
    }
  }
  CHECK(optimal > 0);
}
