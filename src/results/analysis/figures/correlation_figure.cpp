// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "analysis/figure.h"
#include "report/plot.h"
#include "stats/correlation.h"

namespace weakspot::analysis {
namespace {

constexpr std::size_t kTestsNamed = 5;

// The sightings of two tests in the environments in which both ran.
struct Paired {
  std::vector<double> a, b;
};

Paired sightings(const Study& study, std::size_t device, std::size_t a, std::size_t b) {
  Paired paired;
  for (std::size_t environment = 0; environment < study.environments().size(); ++environment) {
    const Cell* first = study.cell(device, environment, a);
    const Cell* second = study.cell(device, environment, b);
    if (first == nullptr || second == nullptr) continue;
    paired.a.push_back(static_cast<double>(first->sightings));
    paired.b.push_back(static_cast<double>(second->sightings));
  }
  return paired;
}

void correlate_bugs(const Study& study, const FigureOptions& options, Table& table, std::vector<Picture>& pictures) {
  for (std::size_t device = 0; device < study.devices().size(); ++device) {
    for (const std::size_t test : study.tests_that_are(TestKind::conformance)) {
      for (const std::size_t mutant : study.tests_that_are(TestKind::mutant)) {
        if (study.tests()[test].role.family != study.tests()[mutant].role.family) continue;
        const Paired paired = sightings(study, device, test, mutant);
        const std::optional<stats::Correlation> found = stats::pearson(paired.a, paired.b);
        if (!found) continue;
        const std::string& name = study.devices()[device].name;
        table.rows.push_back({study.name(), name, study.tests()[test].name, study.tests()[mutant].name, found->r,
                              found->p_value, std::uint64_t{found->samples}});
        if (!options.pictures) continue;
        report::Chart chart{"correlation",
                            {study.tests()[mutant].name, report::Scale::linear},
                            {study.tests()[test].name, report::Scale::linear},
                            {{"", {}}}};
        for (std::size_t i = 0; i < paired.a.size(); ++i) chart.series[0].points.push_back({paired.b[i], paired.a[i]});
        pictures.push_back({fmt::format("{}: sightings of '{}' and of its mutant '{}' by environment, r = {:.5f}.",
                                        name, study.tests()[test].name, study.tests()[mutant].name, found->r),
                            scatter_chart(chart)});
      }
    }
  }
}

// Rates of the tests over the environments in which all of them ran.
stats::Matrix samples(const Study& study, std::size_t device, const std::vector<std::size_t>& tests) {
  std::vector<std::size_t> complete;
  for (std::size_t environment = 0; environment < study.environments().size(); ++environment) {
    const bool all = std::all_of(tests.begin(), tests.end(),
                                 [&](std::size_t test) { return study.cell(device, environment, test) != nullptr; });
    if (all) complete.push_back(environment);
  }
  stats::Matrix matrix(tests.size(), complete.size());
  for (std::size_t test = 0; test < tests.size(); ++test) {
    for (std::size_t i = 0; i < complete.size(); ++i) {
      const Cell* cell = study.cell(device, complete[i], tests[test]);
      matrix.at(test, i) = rate_of(study, *cell);
    }
  }
  return matrix;
}

struct PriorityTables {
  Table pairs, ranks, orders;
};

void add_order(PriorityTables& tables, const Study& study, const std::vector<std::size_t>& tests,
               const std::string& device, const stats::Matrix& squares) {
  const std::vector<stats::Priority> order = stats::tuning_priority(squares);
  std::string first;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const std::string& name = study.tests()[tests[order[rank].test]].name;
    tables.ranks.rows.push_back({study.name(), device, std::uint64_t{rank + 1}, name, order[rank].sum});
    if (rank < kTestsNamed && order[rank].sum > 0) first += (first.empty() ? "" : " > ") + name;
  }
  if (!first.empty()) tables.orders.rows.push_back({study.name(), device, first});
}

void prioritise(const Study& study, const FigureOptions& options, PriorityTables& tables,
                std::vector<Picture>& pictures) {
  std::vector<std::size_t> tests = study.tests_that_are(TestKind::mutant);
  const std::vector<std::size_t> others = study.tests_that_are(TestKind::other);
  tests.insert(tests.end(), others.begin(), others.end());
  if (tests.size() < 3) return;
  stats::Matrix sum(tests.size(), tests.size());
  bool any = false;
  for (std::size_t device = 0; device < study.devices().size(); ++device) {
    const stats::Matrix rates = samples(study, device, tests);
    if (rates.columns() < 3) continue;
    any = true;
    const stats::Matrix squares = stats::r_squared(rates);
    const std::string& name = study.devices()[device].name;
    for (std::size_t a = 0; a < tests.size(); ++a) {
      for (std::size_t b = 0; b < tests.size(); ++b) sum.at(a, b) += squares.at(a, b);
      for (std::size_t b = a + 1; b < tests.size(); ++b) {
        tables.pairs.rows.push_back(
            {study.name(), name, study.tests()[tests[a]].name, study.tests()[tests[b]].name, squares.at(a, b)});
      }
    }
    add_order(tables, study, tests, name, squares);
    if (!options.pictures) continue;
    report::HeatMap map{"R squared", {}, {}, squares.values(), 0, 1};
    for (const std::size_t test : tests) map.rows.push_back(study.tests()[test].name);
    map.columns = map.rows;
    pictures.push_back(
        {fmt::format("{}, {}: R\u00b2 of death rates over the environments.", study.name(), name), heat_map(map)});
  }
  if (any) add_order(tables, study, tests, "all", sum);
}

}  // namespace

Figure correlation_figure(Studies studies, const FigureOptions& options) {
  Figure figure{
      "correlation",
      "Correlations",
      "For a failing conformance test in a study that also ran its mutants: Pearson's coefficient of their sightings "
      "over the environments, and the probability of a coefficient this large by chance. For all pairs of mutants: "
      "R\u00b2 of their death rates. A test with a large sum of R\u00b2 says much about the others and is worth tuning "
      "first.",
      {},
      {}};
  Table bugs{"bug_correlation",
             "Sightings of bugs and of mutants",
             {{"study", "study"},
              {"device", "device"},
              {"test", "test"},
              {"mutant", "mutant"},
              {"r", "r", 5},
              {"p_value", "p", 6, true},
              {"environments", "environments"}},
             {}};
  PriorityTables tables;
  tables.pairs = {"r_squared",
                  "",
                  {{"study", "study"}, {"device", "device"}, {"test", "test"}, {"other", "other"}, {"r_squared", "r2"}},
                  {},
                  Audience::files};
  tables.ranks = {"tuning_priority",
                  "Tuning priority",
                  {{"study", "study"},
                   {"device", "device"},
                   {"rank", "rank"},
                   {"test", "test"},
                   {"sum", "sum of R\u00b2, normalised", 3}},
                  {},
                  Audience::page};
  tables.orders = {"tuning_order",
                   "Tests to tune first",
                   {{"study", "study"}, {"device", "device"}, {"order", "order"}},
                   {},
                   Audience::terminal};
  for (const Study& study : studies) {
    correlate_bugs(study, options, bugs, figure.pictures);
    prioritise(study, options, tables, figure.pictures);
  }
  figure.tables = {std::move(bugs), std::move(tables.orders), std::move(tables.ranks), std::move(tables.pairs)};
  return figure;
}

}  // namespace weakspot::analysis
