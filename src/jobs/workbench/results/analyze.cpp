// SPDX-License-Identifier: MIT
#include "workbench/analyze.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "analysis/read_study.h"
#include "base/file.h"
#include "base/nearest.h"

namespace weakspot::workbench {
namespace {

bool is_figure(const std::string& name) {
  const auto figures = analysis::all_figures();
  return name == "all" || std::any_of(figures.begin(), figures.end(),
                                      [&](const analysis::NamedFigure& figure) { return figure.name == name; });
}

base::Status write_files(const AnalyzeRequest& request, const analysis::Analysis& result) {
  if (!request.csv.empty()) {
    std::error_code problem;
    std::filesystem::create_directories(request.csv, problem);
    if (problem) return base::error_in(request.csv, "cannot create the folder: " + problem.message());
    for (const analysis::Table* table : analysis::tables_of(result)) {
      const std::string path = (std::filesystem::path(request.csv) / (table->name + ".csv")).string();
      if (base::Status written = base::write_file(path, analysis::to_csv(*table)); !written) return written;
    }
  }
  if (!request.html.empty()) return base::write_file(request.html, analysis::to_html(result));
  return base::ok_status();
}

std::vector<std::string> figure_names() {
  std::vector<std::string> names;
  for (const analysis::NamedFigure& figure : analysis::all_figures()) names.emplace_back(figure.name);
  names.emplace_back("all");
  return names;
}

}  // namespace

std::string figure_list() { return fmt::format("{}", fmt::join(figure_names(), ", ")); }

base::Result<AnalyzeResult> analyze(const AnalyzeRequest& request) {
  for (const std::string& name : request.figures) {
    if (!is_figure(name)) {
      return base::error(fmt::format("there is no figure '{}'; there are {}{}", name, figure_list(),
                                     base::did_you_mean(name, figure_names())));
    }
  }
  std::vector<std::string> figures = request.figures;
  if (std::find(figures.begin(), figures.end(), "all") != figures.end()) figures.clear();
  analysis::FigureOptions options = request.options;
  options.pictures = options.pictures || !request.html.empty();

  AnalyzeResult result;
  analysis::ReadStudies read = analysis::read_studies(request.paths);
  result.unread = read.errors;
  if (!read.errors.empty() && (!request.keep_going || read.studies.empty())) return result;
  result.analysis = analysis::analyse(read.studies, figures, options);
  result.analysis->errors = std::move(read.errors);
  if (const base::Status written = write_files(request, *result.analysis); !written) result.problems = written.errors();
  return result;
}

base::Result<std::string> analysis_page(const std::vector<std::string>& paths) {
  AnalyzeRequest request{.paths = paths, .figures = {}, .options = {}, .keep_going = true, .csv = "", .html = ""};
  request.options.pictures = true;
  const base::Result<AnalyzeResult> result = analyze(request);
  if (!result) return result.errors();
  if (!result->analysis) return result->unread;
  return analysis::to_html(*result->analysis);
}

}  // namespace weakspot::workbench
