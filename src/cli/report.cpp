#include <fmt/format.h>

#include "base/file.h"
#include "campaign/html_report.h"
#include "campaign/junit.h"
#include "campaign/record_json.h"
#include "campaign/summary.h"
#include "cli/commands.h"
#include "cli/run_text.h"

namespace weakspot::cli {
namespace {

struct Report {
  std::vector<std::string> files;
  std::string html, junit;
  bool brief = false;

  int run() const {
    std::vector<campaign::RunRecord> records;
    for (const std::string& file : files) {
      base::Result<std::vector<campaign::RunRecord>> read = campaign::read_records(file);
      if (!read) return fail(read.errors());
      records.insert(records.end(), read->begin(), read->end());
    }
    const std::vector<campaign::RunGroup> groups = campaign::group_records(records);
    for (const campaign::RunGroup& group : groups) {
      print_output(verdict_line(group));
      if (!brief) print_output(outcome_lines(group.sum(), {}));
    }
    if (!brief) {
      for (const campaign::DeviceTable& table : campaign::device_tables(groups)) {
        print_output("\n" + device_table_text(table));
      }
    }
    if (!html.empty()) {
      if (base::Status written = base::write_file(html, campaign::html_report(records)); !written) {
        return fail(written.errors());
      }
    }
    if (!junit.empty()) {
      if (base::Status written = base::write_file(junit, campaign::junit_xml(records)); !written) {
        return fail(written.errors());
      }
    }
    return kFine;
  }

  static int fail(const base::Diagnostics& errors) {
    print_error(base::render(errors));
    return kBadInput;
  }
};

}  // namespace

void add_report(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Report>();
  CLI::App* command = app.add_subcommand("report", "Show records of runs again, as text, HTML or JUnit XML");
  command->add_option("RECORDS", options->files, "files that 'run --out' wrote")->required();
  command->add_option("--html", options->html, "write a page to look at");
  command->add_option("--junit", options->junit, "write JUnit XML");
  command->add_flag("--brief", options->brief, "one line per test, without its outcomes");
  command->footer(
      "Examples:\n  weakspot report runs.jsonl\n  weakspot report monday.jsonl tuesday.jsonl --html week.html");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
