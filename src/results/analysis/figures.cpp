// SPDX-License-Identifier: MIT
#include "analysis/figure.h"
#include "analysis/figures/bad_cells.h"
#include "stats/rates.h"

namespace weakspot::analysis {
namespace {

constexpr NamedFigure kFigures[] = {
    {"mutation", mutation_figure},       {"merge", merge_figure},    {"correlation", correlation_figure},
    {"portability", portability_figure}, {"vendors", vendor_figure}, {"devices", device_figure},
    {"similarity", similarity_figure},   {"news", news_figure},
};

std::uint64_t cells_of(const Study& study) {
  std::uint64_t cells = 0;
  for (const DeviceResults& results : study.results()) {
    for (const std::vector<Entry>* entries : {&results.entries, &results.conformance}) {
      for (const Entry& entry : *entries) cells += entry.cells.size();
    }
  }
  return cells;
}

}  // namespace

std::span<const NamedFigure> all_figures() { return kFigures; }

Table studies_table(Studies studies) {
  Table table{"studies",
              "What was read",
              {{"study", "study"},
               {"devices", "devices"},
               {"environments", "environments"},
               {"tests", "tests"},
               {"cells", "cells"},
               {"bad_cells", "bad cells"}},
              {}};
  for (const Study& study : studies) {
    table.rows.push_back({study.name(), study.devices().size(), study.environments().size(), study.tests().size(),
                          cells_of(study), bad_cells(study).size()});
  }
  return table;
}

Table bad_cells_table(Studies studies) {
  Table table{"bad_cells",
              "Cells whose outcomes do not add up to their instances",
              {{"study", "study"},
               {"file", "file"},
               {"key", "key"},
               {"test", "test"},
               {"expected", "expected"},
               {"found", "found"}},
              {},
              Audience::page};
  for (const Study& study : studies) {
    for (const BadCell& bad : bad_cells(study)) {
      table.rows.push_back({bad.study, bad.file, bad.key, bad.test, bad.expected, bad.found});
    }
  }
  return table;
}

double rate_of(const Study& study, const Cell& cell) {
  if (study.has_times()) return stats::rounded_rate(cell.sightings, cell.seconds);
  return stats::fraction(cell.sightings, cell.total()).value;
}

stats::RateTable rate_table(const Study& study, const std::vector<std::size_t>& tests) {
  stats::RateTable rates(tests.size(), study.environments().size(), study.devices().size());
  for (std::size_t test = 0; test < tests.size(); ++test) {
    for (std::size_t environment = 0; environment < study.environments().size(); ++environment) {
      for (std::size_t device = 0; device < study.devices().size(); ++device) {
        const Cell* cell = study.cell(device, environment, tests[test]);
        if (cell == nullptr) continue;
        rates.at(test, environment, device) = rate_of(study, *cell);
      }
    }
  }
  return rates;
}

}  // namespace weakspot::analysis
