// SPDX-License-Identifier: MIT
// An analysis as text for a terminal, as an HTML page and as JSON.
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
  base::Diagnostics errors;  // why inputs were left out
};

// The figures of these names, in the order of all_figures(); all of them if `names` is empty.
Analysis analyse(Studies studies, const std::vector<std::string>& names, const FigureOptions& options);

std::string to_text(const Analysis& analysis);
std::string to_html(const Analysis& analysis);
// {"studies": [{...}, ...], TABLE: [{COLUMN: value, ...}, ...], ..., "bad_cells": [...], "errors": ["...", ...]}
std::string to_json(const Analysis& analysis);

// All tables that have rows; each goes to a file of its name.
std::vector<const Table*> tables_of(const Analysis& analysis);

}  // namespace weakspot::analysis
