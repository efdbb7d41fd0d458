// SPDX-License-Identifier: MIT
// The figures of an analysis: tables and pictures computed from studies. Each figure has one function, in a source file
// of its own; docs/analysis.md says what the numbers mean. A figure that was not asked for has no tables.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/study.h"
#include "analysis/table.h"
#include "stats/merge.h"

namespace weakspot::analysis {

struct Picture {
  std::string caption;
  std::string svg;
};

struct Figure {
  std::string name;  // on the command line
  std::string title;
  std::string meaning;  // a few sentences for the page
  std::vector<Table> tables;
  std::vector<Picture> pictures;
};

struct FigureOptions {
  bool pictures = false;
  double target = 0.99999;   // the reproducibility that merged environments must reach
  double budget = 64;        // within this time per test, in seconds
  std::size_t clusters = 0;  // clusters of devices; 0: as many as at the bend of the distortion curve
  std::string since;         // a time as in records; what is new since then is listed; empty: nothing is
};

using Studies = std::span<const Study>;

Figure mutation_figure(Studies studies, const FigureOptions& options);
Figure merge_figure(Studies studies, const FigureOptions& options);
Figure correlation_figure(Studies studies, const FigureOptions& options);
Figure portability_figure(Studies studies, const FigureOptions& options);
Figure vendor_figure(Studies studies, const FigureOptions& options);
Figure device_figure(Studies studies, const FigureOptions& options);
Figure similarity_figure(Studies studies, const FigureOptions& options);
Figure news_figure(Studies studies, const FigureOptions& options);

struct NamedFigure {
  std::string_view name;
  Figure (*make)(Studies studies, const FigureOptions& options);
};
std::span<const NamedFigure> all_figures();

// The studies, and their cells whose counts do not add up.
Table studies_table(Studies studies);
Table bad_cells_table(Studies studies);

// Sightings per second, rounded as in the published studies (stats::rounded_rate); per instance in a study without
// times.
double rate_of(const Study& study, const Cell& cell);

// Rates of some of a study's tests.
stats::RateTable rate_table(const Study& study, const std::vector<std::size_t>& tests);

}  // namespace weakspot::analysis
