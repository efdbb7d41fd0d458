#include "gen/suites.h"

#include <fmt/format.h>

#include "base/file.h"
#include "campaign/suite_rates.h"
#include "cli/commands.h"
#include "cli/conform_suites.h"
#include "cli/test_writer.h"

namespace weakspot::cli {
namespace {

std::string suite_list() {
  std::string list;
  for (const gen::Suite& suite : gen::suites()) list += fmt::format("  {:<16} {}\n", suite.name, suite.sentence);
  return list;
}

struct MakeSuite {
  std::string name;
  std::string dialect_name;
  TestWriterOptions output;
  std::string rates, family, measured_on;

  int run() {
    if (name.empty()) {
      print_output(suite_list());
      return kFine;
    }
    const gen::Suite* suite = gen::suite_named(name);
    if (suite == nullptr) {
      print_error(fmt::format("error: there is no suite '{}'; there are\n{}", name, suite_list()));
      return kBadInput;
    }
    if (!rates.empty()) return print_rated();
    if (!dialect_name.empty()) {
      output.dialect = litmus::dialect_named(dialect_name);
      if (!output.dialect) {
        print_error(fmt::format("error: unknown dialect '{}'\n", dialect_name));
        return kBadInput;
      }
    }
    TestWriter writer(output);
    suite->make([&](const litmus::LitmusTest& test) { return writer.write(test); });
    const base::Diagnostics errors = writer.finish();
    print_error(base::render(errors));
    return errors.empty() ? kFine : kBadInput;
  }

 private:
  int print_rated() const {
    const auto fail = [](const base::Diagnostics& errors) {
      print_error(base::render(errors));
      return kBadInput;
    };
    base::Result<std::string> text = base::read_file(rates);
    if (!text) return fail(text.errors());
    const auto journal = campaign::read_journal_rates(base::Source(rates, *std::move(text)));
    if (!journal) return fail(journal.errors());
    base::Result<campaign::ConformanceSuite> made = generated_suite(name);
    if (!made) return fail(made.errors());
    made = campaign::with_rates(*std::move(made), *journal);
    if (!made) return fail(made.errors());
    made->family = family.empty() ? journal->device_name : family;
    if (!measured_on.empty()) made->measured_on = measured_on;
    print_output(campaign::to_json(*made));
    return kFine;
  }
};

}  // namespace

void add_suite(Command& app, int& exit_code) {
  auto options = std::make_shared<MakeSuite>();
  Command* command = app.add_subcommand("suite", "Make a collection of tests; without a name, list the collections");
  command->add_option("NAME", options->name, "which; without it, a list");
  command->add_option("--to", options->dialect_name, "the dialect to write them in; the suite's own if not given");
  command->add_flag("--list", options->output.list, "print names and cycles alone");
  command->add_option("--out", options->output.folder, "write one file per test and an @all index into this folder");
  command->add_flag("--json", options->output.json, "print an array of {test, hash, identity, dialect, info, text}");
  command->add_option("--rates", options->rates,
                      "print a suite for 'conform' with the environments and rates of this journal of 'tune'");
  command->add_option("--family", options->family, "the kind of device that it is for; default: the journal's device");
  command->add_option("--measured-on", options->measured_on, "device and driver, if the suite is to say more");
  command->footer(
      "Examples:\n  weakspot suite mc-mutants --out mutants\n  weakspot suite ptx-scoped --list\n"
      "  weakspot suite mc-mutants --rates tuned.json.journal --family nvidia > nvidia.json");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
