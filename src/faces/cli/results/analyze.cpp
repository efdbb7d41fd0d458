// SPDX-License-Identifier: MIT
#include "workbench/analyze.h"

#include <fmt/format.h>

#include "cli/command/commands.h"
#include "store/result_store.h"

namespace weakspot::cli {
namespace {

struct Analyze {
  workbench::AnalyzeRequest request;
  bool json = false;

  int run() {
    const double target = request.options.target;
    if (!(target > 0 && target < 1)) return fail({base::error("--confidence: expected a number between 0 and 1")});
    if (!request.options.since.empty() && !store::is_record_time(request.options.since)) {
      return fail({base::error(fmt::format("--since: {}", store::kRecordTimes))});
    }
    const base::Result<workbench::AnalyzeResult> result = workbench::analyze(request);
    if (!result) return fail(result.errors());
    print_errors(result->unread);
    if (result->analysis) print_output(json ? to_json(*result->analysis) : to_text(*result->analysis));
    if (!result->problems.empty()) return fail(result->problems);
    return exit_code_of(base::ending_of(result->unread));
  }
};

}  // namespace

void add_analyze(Command& app, int& exit_code) {
  auto options = std::make_shared<Analyze>();
  workbench::AnalyzeRequest& request = options->request;
  Command* command = app.add_subcommand("analyze", "Scores, rates, correlations and clusters from recorded results");
  command
      ->add_option("PATH ...", request.paths,
                   "results as JSON, records of runs, stores, SQLite databases, or folders of them")
      ->required();
  command->add_option("--figures NAME,...", request.figures, "which figures (default all): " + workbench::figure_list())
      ->delimiter(',')
      ->repeatable();
  command->add_option("--csv FOLDER", request.csv, "write each table as a file into this folder");
  command->add_option("--html FILE", request.html, "write a page with pictures");
  command->add_flag("--json", options->json, "print one JSON object instead of tables");
  command->add_option("--confidence P", request.options.target,
                      "reproducibility to merge environments for, between 0 and 1 (default 0.99999)");
  request.options.budget = 64;
  command
      ->add_option("--budget TIME", request.options.budget,
                   "time per test to merge environments for, such as 500ms, 64s or 2min (default 64s)")
      ->as_time(1e-9, 1e9);
  command->add_option("--clusters N", request.options.clusters,
                      "clusters of devices (default 0: where the curve of the distortion bends)");
  command->add_option("--since DATE", request.options.since,
                      "list what is new since then, such as 2026-11-16 or 2026-11-16T10:00:00Z (default: do not)");
  command->add_flag("--keep-going", request.keep_going,
                    "leave out files that cannot be read; the exit code is still 2");
  command->footer(
      "Examples:\n  weakspot analyze results/ --html analysis.html\n"
      "  weakspot analyze runs.jsonl --figures mutation,merge --json");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
