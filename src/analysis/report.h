// An analysis for those who read it: the text of a terminal, a page, a JSON object.
#pragma once

#include <string>
#include <vector>

#include "analysis/figure.h"
#include "base/diagnostic.h"

namespace weakspot::analysis {

struct Analysis {
  Table studies;
  std::vector<Figure> figures;
  Table bad_cells;
  base::Diagnostics errors;  // of what is left out
};

// The figures of these names, in the order of all_figures(); all of them if there are no names.
Analysis analyse(Studies studies, const std::vector<std::string>& names, const FigureOptions& options);

std::string to_text(const Analysis& analysis);
std::string to_html(const Analysis& analysis);
// {"studies": [{...}, ...], TABLE: [{COLUMN: value, ...}, ...], ..., "bad_cells": [...], "errors": ["...", ...]}
std::string to_json(const Analysis& analysis);

// All tables that have rows, for files of their names.
std::vector<const Table*> tables_of(const Analysis& analysis);

}  // namespace weakspot::analysis
