// SPDX-License-Identifier: MIT
#include "gen/mutate.h"

#include <fmt/format.h>

#include "base/plural.h"
#include "cli/command/commands.h"
#include "cli/command/shared_options.h"
#include "cli/make/test_writer.h"
#include "console/interrupt.h"
#include "workbench/mutate.h"

namespace weakspot::cli {
namespace {

struct Mutate {
  workbench::MutateRequest request;
  std::string dialect_name;
  TestWriterOptions output;

  int run() {
    const auto dialect = dialect_option(dialect_name);
    if (!dialect) return fail(dialect.errors());
    output.dialect = *dialect;
    request.options.filter.stop = InterruptGuard::flag();
    const InterruptGuard guard;
    TestWriter writer(output);
    const base::Result<workbench::MutateResult> result =
        workbench::mutate_tests(request, [&](const litmus::LitmusTest& mutant) { return writer.write(mutant); });
    if (!result) return fail(result.errors());
    base::Diagnostics errors = result->errors;
    const base::Diagnostics unwritten = writer.finish();
    errors.insert(errors.end(), unwritten.begin(), unwritten.end());
    if (result->dropped > 0) {
      print_error(base::counted(result->dropped, "mutant") + " dropped\n");
    }
    return writer.ended(errors.empty() ? kFine : fail(errors));
  }
};

}  // namespace

void add_mutate(Command& app, int& exit_code) {
  auto options = std::make_shared<Mutate>();
  workbench::MutateRequest& request = options->request;
  Command* command = app.add_subcommand("mutate", "Disrupt tests: swap, split, narrow, weaken, leave out");
  add_tests(*command, request.tests);
  std::string help = "which mutators to apply (default: all):";
  for (const gen::Mutator& mutator : gen::mutators()) help += fmt::format("\n{}: {}", mutator.word, mutator.sentence);
  command->add_option("--mutator WORD,...", request.options.mutators, help)->delimiter(',');
  command->add_option("--to NAME", options->dialect_name, "the dialect to write them in (default: the test's own)");
  add_filter_options(*command, request.options.filter);
  command->add_flag("--keep-forbidden", request.options.keep_forbidden,
                    "keep mutants that the model for the test's architecture still forbids");
  add_writer_options(*command, options->output);
  command->footer(
      "Examples:\n  weakspot mutate MP+rel+acq --allowed-by rel-acq\n"
      "  weakspot mutate classic --mutator order,fence --out mutants");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
