// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "analysis/stored_runs.h"
#include "campaign/device_table.h"
#include "campaign/summary.h"
#include "cli/command/commands.h"
#include "cli/command/shared_options.h"
#include "cli/display/run_text.h"
#include "workbench/run_session.h"

namespace weakspot::cli {
namespace {

struct Report {
  std::vector<std::string> inputs;
  workbench::RunFiles files;
  bool brief = false;
  bool verbose = false;
  bool json = false;

  int run() const {
    std::vector<campaign::RunRecord> records;
    for (const std::string& file : inputs) {
      base::Result<std::vector<campaign::RunRecord>> read = analysis::read_runs(file);
      if (!read) return fail(read.errors());
      records.insert(records.end(), read->begin(), read->end());
    }
    if (json) {
      print_output(results_text(records));
    } else {
      print_groups(campaign::group_records(records));
    }
    const base::Status written = workbench::write_reports(files, records);
    return written ? kFine : fail(written.errors());
  }

 private:
  void print_groups(const std::vector<campaign::RunGroup>& groups) const {
    campaign::EnvironmentNames names;
    for (const campaign::RunGroup& group : groups) {
      print_results(brief ? brief_line(group, results_width())
                          : verdict_line(group, names) + outcome_lines(group.sum(), output_width()));
    }
    if (brief) return;
    for (const campaign::DeviceTable& table : campaign::device_tables(groups)) {
      print_results("\n" + device_table_text(table, results_width()));
    }
    print_results(environment_legend(names, verbose));
  }
};

}  // namespace

void add_report(Command& app, int& exit_code) {
  auto options = std::make_shared<Report>();
  Command* command = app.add_subcommand("report", "Show records of runs again, as text, HTML or JUnit XML");
  command->add_option("RECORDS ...", options->inputs, "files that 'run --out' wrote, or stores")->required();
  command->add_option("--html FILE", options->files.html, "write a report as a page");
  command->add_option("--junit FILE", options->files.junit, "write the verdicts as JUnit XML");
  command->add_flag("--brief", options->brief, "print one line per test, without outcomes");
  add_verbose_option(*command, options->verbose);
  command->add_flag("--json", options->json, "print an array of results, as 'run --json' does");
  command->footer(
      "Examples:\n  weakspot report runs.jsonl\n  weakspot report monday.jsonl tuesday.jsonl --html week.html");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
