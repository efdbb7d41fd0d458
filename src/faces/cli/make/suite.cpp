// SPDX-License-Identifier: MIT
#include "gen/suites.h"

#include <fmt/format.h>

#include "base/nearest.h"
#include "cli/command/commands.h"
#include "cli/command/shared_options.h"
#include "cli/make/test_writer.h"
#include "console/help.h"
#include "console/interrupt.h"
#include "workbench/suites.h"

namespace weakspot::cli {
namespace {

std::string suite_list() {
  std::string list;
  for (const gen::Suite& suite : gen::suites())
    list += help_entry(std::string(suite.name), std::string(suite.sentence), 19, results_width());
  return list;
}

base::JsonValue suites_json() {
  base::JsonValue list = base::json_array();
  for (const gen::Suite& suite : gen::suites()) {
    list.push_back(base::json_object({{"suite", suite.name}, {"description", suite.sentence}}));
  }
  return list;
}

struct MakeSuite {
  workbench::RatedSuiteRequest request;
  std::string dialect_name;
  TestWriterOptions output;

  int run() {
    if (request.suite.empty()) {
      print_output(output.json ? json_text(suites_json()) : suite_list());
      return kFine;
    }
    const gen::Suite* suite = gen::suite_named(request.suite);
    if (suite == nullptr) {
      std::vector<std::string> names;
      for (const gen::Suite& one : gen::suites()) names.emplace_back(one.name);
      const int code = fail({base::error(
          fmt::format("there is no suite '{}'{}", request.suite, base::did_you_mean(request.suite, names)))});
      print_error("there are\n" + suite_list());
      return code;
    }
    if (!request.journal.empty()) {
      const base::Result<campaign::ConformanceSuite> rated = workbench::rated_suite(request);
      if (!rated) return fail(rated.errors());
      print_output(campaign::to_json(*rated));
      return kFine;
    }
    const auto dialect = dialect_option(dialect_name);
    if (!dialect) return fail(dialect.errors());
    output.dialect = *dialect;
    const InterruptGuard guard;
    TestWriter writer(output);
    suite->make([&](const litmus::LitmusTest& test) { return writer.write(test); });
    const base::Diagnostics errors = writer.finish();
    return writer.ended(errors.empty() ? kFine : fail(errors));
  }
};

}  // namespace

void add_suite(Command& app, int& exit_code) {
  auto options = std::make_shared<MakeSuite>();
  workbench::RatedSuiteRequest& request = options->request;
  Command* command = app.add_subcommand("suite", "Make a collection of tests, or list the collections");
  command->add_option("NAME", request.suite, "which one (default: list them)");
  command->add_option("--to NAME", options->dialect_name, "the dialect to write tests in (default: the suite's own)");
  add_writer_options(*command, options->output);
  command->add_option("--rates FILE", request.journal,
                      "print a suite for 'conform' with the environments and rates of this journal of 'tune'");
  command->add_option("--family NAME", request.family,
                      "the kind of device that the rated suite is for (default: the journal's device)");
  command->add_option("--measured-on TEXT", request.measured_on,
                      "device and driver, for the rated suite (default: the journal's device)");
  command->footer(
      "Examples:\n  weakspot suite mc-mutants --out mutants\n"
      "  weakspot suite mc-mutants --rates tuned.json.journal --family nvidia");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
