// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>

#include "analysis/figure.h"
#include "report/plot.h"
#include "stats/reproducibility.h"

namespace weakspot::analysis {
namespace {

constexpr double kTargets[] = {0.95, 0.99999};
constexpr int kSmallestBudget = -10, kLargestBudget = 6;  // powers of two of a second

std::vector<double> budgets() {
  std::vector<double> seconds;
  for (int power = kSmallestBudget; power <= kLargestBudget; ++power) seconds.push_back(std::ldexp(1.0, power));
  return seconds;
}

std::string budget_text(double seconds) {
  return seconds < 1 ? fmt::format("1/{:.0f}", 1 / seconds) : fmt::format("{:.0f}", seconds);
}

std::string percent(double fraction) { return fmt::format("{:.10g} %", 100 * fraction); }

struct Merging {
  const Study* study;
  std::vector<std::size_t> tests;
  stats::RateTable rates;
  std::vector<std::vector<std::size_t>> reached;  // by target, then by budget

  std::uint64_t pairs = 0;  // pairs of a test and a device that ran it
};

std::vector<Merging> merge_all(Studies studies) {
  std::vector<Merging> merged;
  for (const Study& study : studies) {
    std::vector<std::size_t> tests = study.tests_that_are(TestKind::mutant);
    if (tests.empty() || !study.has_times()) continue;  // budgets are of time
    Merging one{&study, tests, rate_table(study, tests), {}, study.pairs(tests)};
    for (const double target : kTargets) one.reached.push_back(stats::merge_curve(one.rates, target, budgets()));
    merged.push_back(std::move(one));
  }
  return merged;
}

Table curve_table(const std::vector<Merging>& merged) {
  Table table{"merge",
              "",
              {{"study", "study"},
               {"target", "target"},
               {"budget_seconds", "budget s"},
               {"reached", "reached"},
               {"pairs", "of"},
               {"score_percent", "score %"}},
              {},
              Audience::files};
  for (const Merging& one : merged) {
    for (std::size_t target = 0; target < std::size(kTargets); ++target) {
      for (std::size_t i = 0; i < budgets().size(); ++i) {
        const std::uint64_t reached = one.reached[target][i];
        table.rows.push_back({one.study->name(), kTargets[target], budgets()[i], reached, one.pairs,
                              100.0 * static_cast<double>(reached) / static_cast<double>(one.pairs)});
      }
    }
  }
  return table;
}

// The same with one row per study and target.
Table curve_overview(const std::vector<Merging>& merged) {
  Table table{"merge_overview",
              "Pairs of mutant and device reached, by time budget per test in seconds",
              {{"study", "study"}, {"target", "target"}, {"pairs", "of"}},
              {},
              Audience::terminal};
  for (const double budget : budgets()) table.columns.push_back({budget_text(budget), budget_text(budget)});
  for (const Merging& one : merged) {
    for (std::size_t target = 0; target < std::size(kTargets); ++target) {
      std::vector<Value> row{one.study->name(), percent(kTargets[target]), one.pairs};
      for (const std::size_t reached : one.reached[target]) row.emplace_back(std::uint64_t{reached});
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

Table environments_table(const std::vector<Merging>& merged, const FigureOptions& options) {
  Table table{"merged_environments",
              fmt::format("Environments chosen for {} within {:g} s per test", percent(options.target), options.budget),
              {{"study", "study"},
               {"test", "test"},
               {"environment", "environment"},
               {"devices_reached", "devices reached"},
               {"devices", "of"},
               {"lowest_rate", "lowest rate /s", 3},
               {"reproducibility", "reproducibility", 6}},
              {},
              Audience::page};
  for (const Merging& one : merged) {
    const stats::Merged choice = stats::merge_environments(one.rates, options.target, options.budget);
    for (std::size_t i = 0; i < one.tests.size(); ++i) {
      const stats::MergedEnvironment& chosen = choice.tests[i];
      table.rows.push_back({one.study->name(), one.study->tests()[one.tests[i]].name,
                            chosen.environment ? Value(one.study->environments()[*chosen.environment]) : Value(),
                            std::uint64_t{chosen.devices_reached}, one.study->devices().size(), chosen.lowest_rate,
                            stats::reproducibility(chosen.lowest_rate * options.budget)});
    }
  }
  return table;
}

}  // namespace

Figure merge_figure(Studies studies, const FigureOptions& options) {
  Figure figure{"merge",
                "One environment per test",
                "For each mutant, one environment is chosen for all devices: the one in which most devices reach the "
                "rate that gives the target reproducibility within the time budget. The lowest rate and its "
                "reproducibility are those of the slowest device that shows the behaviour there.",
                {},
                {}};
  const std::vector<Merging> merged = merge_all(studies);
  figure.tables = {curve_overview(merged), curve_table(merged), environments_table(merged, options)};
  if (options.pictures && !merged.empty()) {
    report::Chart chart{"merge curves",
                        {"time budget per test, seconds", report::Scale::doublings},
                        {"reached, %", report::Scale::linear},
                        {}};
    for (std::size_t study = 0; study < merged.size(); ++study) {
      const Merging& one = merged[study];
      for (std::size_t target = 0; target < std::size(kTargets); ++target) {
        report::Series series{fmt::format("{} {}", one.study->name(), percent(kTargets[target])),
                              {},
                              report::palette_colour(study),
                              target > 0};
        for (std::size_t i = 0; i < budgets().size(); ++i) {
          series.points.push_back(
              {budgets()[i], 100.0 * static_cast<double>(one.reached[target][i]) / static_cast<double>(one.pairs)});
        }
        chart.series.push_back(std::move(series));
      }
    }
    figure.pictures.push_back({"Pairs of mutant and device reached in one environment per test.", line_chart(chart)});
  }
  return figure;
}

}  // namespace weakspot::analysis
