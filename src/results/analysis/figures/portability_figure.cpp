// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <set>

#include "analysis/figure.h"
#include "report/plot.h"
#include "stats/portability.h"

namespace weakspot::analysis {

Figure portability_figure(Studies studies, const FigureOptions& options) {
  Figure figure{
      "portability",
      "Portable environments",
      "How much is lost when tests and devices share environments. They are chosen by the sum of rates (MFS), of their "
      "logarithms (MLFS), or of logarithms in which a rate of zero outweighs everything else (MLFS-F).",
      {},
      {}};
  Table table{"portability",
              "Portable environments",
              {{"study", "study"},
               {"metric", "metric"},
               {"level", "level"},
               {"environments", "environments"},
               {"shown", "shown"},
               {"pairs", "of"},
               {"rate_sum", "sum of rates /s", 3}},
              {},
              Audience::page};
  Table overview{"portability_overview",
                 "Pairs of mutant and device shown, by how environments are shared",
                 {{"study", "study"}, {"metric", "metric"}, {"pairs", "of"}},
                 {},
                 Audience::terminal};
  for (const stats::PortabilityLevel level : stats::kPortabilityLevels) {
    overview.columns.push_back({std::string(to_string(level)), std::string(to_string(level))});
  }
  for (const Study& study : studies) {
    const std::vector<std::size_t> tests = study.tests_that_are(TestKind::mutant);
    if (tests.empty() || study.environments().size() < 2) continue;
    const stats::RateTable rates = rate_table(study, tests);
    const std::uint64_t pairs = study.pairs(tests);
    report::BarChart chart{"pairs shown", report::Scale::linear, {}};
    for (std::size_t metric = 0; metric < std::size(stats::kPortabilityMetrics); ++metric) {
      const std::string name(to_string(stats::kPortabilityMetrics[metric]));
      std::vector<Value> row{study.name(), name, pairs};
      for (const stats::PortabilityLevel level : stats::kPortabilityLevels) {
        const stats::Portable chosen = choose_portable(rates, stats::kPortabilityMetrics[metric], level);
        std::set<std::size_t> different;
        for (const std::optional<std::size_t>& environment : chosen.environments) {
          if (environment) different.insert(*environment);
        }
        table.rows.push_back({study.name(), name, std::string(to_string(level)), different.size(),
                              std::uint64_t{chosen.shown}, pairs,
                              study.has_times() ? Value(chosen.rate_sum) : Value()});
        chart.bars.push_back({fmt::format("{} {}", name, to_string(level)), static_cast<double>(chosen.shown),
                              fmt::format("{} of {}", chosen.shown, pairs), report::palette_colour(metric)});
        row.emplace_back(std::uint64_t{chosen.shown});
      }
      overview.rows.push_back(std::move(row));
    }
    if (!options.pictures) continue;
    figure.pictures.push_back(
        {fmt::format("{}: pairs of mutant and device that show their behaviour.", study.name()), bar_chart(chart)});
  }
  figure.tables = {std::move(overview), std::move(table)};
  return figure;
}

}  // namespace weakspot::analysis
