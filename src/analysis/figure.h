// The figures that an analysis computes from studies, each as tables and pictures. Each figure has one function in a
// source file of its own; docs/analysis.md says what the numbers mean.
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
  double target = 0.99999;   // the reproducibility that merged environments are chosen for
  double budget = 64;        // seconds, the time that they are chosen for
  std::size_t clusters = 0;  // of devices; 0: as many as the bend in the distortion curve suggests
};

using Studies = std::span<const Study>;

Figure mutation_figure(Studies studies, const FigureOptions& options);
Figure merge_figure(Studies studies, const FigureOptions& options);
Figure correlation_figure(Studies studies, const FigureOptions& options);
Figure portability_figure(Studies studies, const FigureOptions& options);
Figure vendor_figure(Studies studies, const FigureOptions& options);
Figure similarity_figure(Studies studies, const FigureOptions& options);

struct NamedFigure {
  std::string_view name;
  Figure (*make)(Studies studies, const FigureOptions& options);
};
std::span<const NamedFigure> all_figures();

// What was read, and the cells whose counts do not add up.
Table studies_table(Studies studies);
Table bad_cells_table(Studies studies);

// Rates of some of a study's tests as the published studies have them (stats::rounded_rate).
stats::RateTable rate_table(const Study& study, const std::vector<std::size_t>& tests);

}  // namespace weakspot::analysis
