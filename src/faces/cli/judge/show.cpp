// SPDX-License-Identifier: MIT

#include "cli/command/commands.h"
#include "cli/command/shared_options.h"
#include "litmus/draw.h"
#include "questions/test_json.h"
#include "workbench/inputs.h"

namespace weakspot::cli {
namespace {

using Json = base::JsonValue;

struct Show {
  std::vector<std::string> tests;
  bool json = false;
  bool ascii = false;

  int run() const {
    const workbench::TestInputs inputs = workbench::load_tests(tests);
    if (json) {
      Json array = base::json_array();
      for (const workbench::TestInput& input : inputs.tests)
        array.push_back(questions::description_json(input.test, input.file));
      print_output(json_text(array));
    } else {
      std::string text;
      for (const workbench::TestInput& input : inputs.tests) {
        if (!text.empty()) text += "\n";
        text += litmus::draw(input.test, {.ascii = ascii || draws_plainly()});
      }
      print_output(text);
    }
    return inputs.errors.empty() ? kFine : fail(inputs.errors);
  }
};

}  // namespace

void add_show(Command& app, int& exit_code) {
  auto options = std::make_shared<Show>();
  Command* command = app.add_subcommand("show", "Draw tests: threads as columns, scopes as boxes");
  add_tests(*command, options->tests);
  command->add_flag("--json", options->json, "print an array of descriptions");
  command->add_flag("--ascii", options->ascii, "draw only with + - | (default: if the locale is not UTF-8)");
  command->footer("Examples:\n  weakspot show MP\n  weakspot show tests/*.litmus --json");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
