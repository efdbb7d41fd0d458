#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "analysis/read_study.h"
#include "analysis/report.h"
#include "base/file.h"
#include "cli/commands.h"
#include "cli/duration.h"

namespace weakspot::cli {
namespace {

std::string figure_names() {
  std::string names;
  for (const analysis::NamedFigure& figure : analysis::all_figures()) names += std::string(figure.name) + ", ";
  return names + "all";
}

struct Analyze {
  std::vector<std::string> paths;
  std::vector<std::string> figures;
  std::string csv, html;
  double target = 0.99999;
  std::string budget = "64s";
  std::size_t clusters = 0;
  bool json = false, keep_going = false;

  int run() {
    for (const std::string& name : figures) {
      if (name != "all" && !is_figure(name)) {
        return fail(base::error(fmt::format("there is no figure '{}'; there are {}", name, figure_names())));
      }
    }
    if (std::find(figures.begin(), figures.end(), "all") != figures.end()) figures.clear();
    if (!(target > 0 && target < 1)) return fail(base::error("--confidence: expected a number between 0 and 1"));
    const base::Result<double> seconds = read_duration(budget);
    if (!seconds) return fail(base::error("--budget: " + base::messages(seconds.errors())));

    analysis::ReadStudies read = analysis::read_studies(paths);
    print_error(base::render(read.errors));
    const bool bad = !read.errors.empty();
    if (bad && (!keep_going || read.studies.empty())) return kBadInput;

    analysis::Analysis result = analysis::analyse(
        read.studies, figures, {.pictures = !html.empty(), .target = target, .budget = *seconds, .clusters = clusters});
    result.errors = std::move(read.errors);
    print_output(json ? analysis::to_json(result) : analysis::to_text(result));
    if (base::Status written = write_files(result); !written) return fail(written.errors());
    return bad ? kBadInput : kFine;
  }

 private:
  static bool is_figure(const std::string& name) {
    for (const analysis::NamedFigure& figure : analysis::all_figures()) {
      if (figure.name == name) return true;
    }
    return false;
  }

  base::Status write_files(const analysis::Analysis& result) const {
    if (!csv.empty()) {
      std::error_code problem;
      std::filesystem::create_directories(csv, problem);
      if (problem) return base::error_in(csv, "cannot make this folder: " + problem.message());
      for (const analysis::Table* table : analysis::tables_of(result)) {
        const std::string path = (std::filesystem::path(csv) / (table->name + ".csv")).string();
        if (base::Status written = base::write_file(path, analysis::to_csv(*table)); !written) return written;
      }
    }
    if (!html.empty()) return base::write_file(html, analysis::to_html(result));
    return base::ok_status();
  }

  static int fail(const base::Diagnostic& error) { return fail(base::Diagnostics{error}); }
  static int fail(const base::Diagnostics& errors) {
    print_error(base::render(errors));
    return kBadInput;
  }
};

}  // namespace

void add_analyze(Command& app, int& exit_code) {
  auto options = std::make_shared<Analyze>();
  Command* command = app.add_subcommand("analyze", "Scores, rates, correlations and clusters from recorded results");
  command->add_option("PATH", options->paths, "results as JSON, records of runs, SQLite databases, or folders of them")
      ->required();
  command->add_option("--figures", options->figures, "which, separated by commas: " + figure_names())
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_option("--csv", options->csv, "write each table into this folder");
  command->add_option("--html", options->html, "write a page with pictures");
  command->add_flag("--json", options->json, "print one JSON object instead of tables");
  command->add_option("--confidence", options->target,
                      "the reproducibility that environments are merged for; default 0.99999");
  command->add_option("--budget", options->budget, "and the time per test, such as 500ms, 64s or 2min; default 64s");
  command->add_option("--clusters", options->clusters, "of devices; default 0: looks for the bend of the curve");
  command->add_flag("--keep-going", options->keep_going,
                    "leave out files that cannot be read; the exit code is still 2");
  command->footer(
      "Examples:\n  weakspot analyze results/ --html analysis.html\n"
      "  weakspot analyze runs.jsonl --figures mutation,merge --json");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
