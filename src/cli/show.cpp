// SPDX-License-Identifier: MIT

#include "cli/commands.h"
#include "cli/shared_options.h"
#include "litmus/dialect.h"
#include "litmus/draw.h"
#include "litmus/text.h"
#include "workbench/inputs.h"

namespace weakspot::cli {
namespace {

using Json = base::JsonValue;

Json describe(const workbench::TestInput& input) {
  const litmus::LitmusTest& test = input.test;
  Json json;
  json["test"] = test.name;
  json["hash"] = litmus::hash_of(test).hex();
  json["file"] = input.file;
  json["description"] = test.description;
  json["arch"] = litmus::to_string(test.arch);
  json["threads"] = test.threads.size();
  json["locations"] = base::json_array();
  for (std::uint32_t i = 0; i < test.locations.size(); ++i) {
    json["locations"].push_back(test.name_of(litmus::LocationId{i}));
  }
  json["observed"] = base::json_array();
  for (const litmus::Observable& item : test.observed()) json["observed"].push_back(test.name_of(item));
  json["condition"] = litmus::condition_line(test);
  json["expectations"] = base::json_object();
  for (const auto& [model, expectation] : test.expectations) {
    json["expectations"][model] = expectation == litmus::Expectation::allowed ? "allowed" : "forbidden";
  }
  return json;
}

struct Show {
  std::vector<std::string> tests;
  bool json = false;
  bool ascii = false;

  int run() const {
    const workbench::TestInputs inputs = workbench::load_tests(tests);
    if (json) {
      Json array = base::json_array();
      for (const workbench::TestInput& input : inputs.tests) array.push_back(describe(input));
      print_output(json_text(array));
    } else {
      std::string text;
      for (const workbench::TestInput& input : inputs.tests) {
        if (!text.empty()) text += "\n";
        text += litmus::draw(input.test, {.ascii = ascii});
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
  command->add_flag("--ascii", options->ascii, "draw only with + - |");
  command->footer("Examples:\n  weakspot show MP\n  weakspot show tests/*.litmus --json");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
