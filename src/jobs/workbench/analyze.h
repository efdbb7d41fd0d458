// SPDX-License-Identifier: MIT
// Figures from recorded results, and their files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/report.h"
#include "base/result.h"

namespace weakspot::workbench {

struct AnalyzeRequest {
  std::vector<std::string> paths;    // as read_studies() takes them
  std::vector<std::string> figures;  // their names; none, or "all": all of them
  analysis::FigureOptions options;   // an HTML file has pictures in any case
  bool keep_going = false;           // leave out what cannot be read
  std::string csv;                   // a folder with a file for each table; empty: none
  std::string html;                  // a page with pictures; empty: none
};

struct AnalyzeResult {
  std::optional<analysis::Analysis> analysis;  // none if something could not be read, unless the request keeps going
  base::Diagnostics unread;                    // for files and rows that are left out
  base::Diagnostics problems;                  // files that could not be written
};

base::Result<AnalyzeResult> analyze(const AnalyzeRequest& request);

// A page with all figures and their pictures. What cannot be read is left out and said there.
base::Result<std::string> analysis_page(const std::vector<std::string>& paths);

// The names of all figures: "mutation, merge, ..., all"
std::string figure_list();

}  // namespace weakspot::workbench
