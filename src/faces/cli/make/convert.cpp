// SPDX-License-Identifier: MIT
#include "workbench/convert.h"

#include <fmt/format.h>

#include "cli/command/commands.h"
#include "cli/command/shared_options.h"
#include "cli/make/test_writer.h"
#include "questions/test_json.h"

namespace weakspot::cli {
namespace {

using Json = base::JsonValue;
using Converted = std::vector<workbench::ConvertedTest>;

struct Convert {
  workbench::ConvertRequest request;
  std::string dialect_name;
  bool json = false;

  int run() {
    const auto dialect = dialect_option(dialect_name);
    if (!dialect) return fail(dialect.errors());
    request.dialect = dialect->value_or(litmus::Dialect::canonical);
    const workbench::ConvertResult result = workbench::convert(request);
    if (request.folder.empty()) {
      print_output(json ? json_text(as_json(result.tests)) : as_text(result.tests, request.dialect));
    }
    base::Diagnostics errors = result.errors;
    const base::Diagnostics none = tell_left_out(result.left_out, result.tests.size(), "converted");
    errors.insert(errors.end(), none.begin(), none.end());
    return errors.empty() ? kFine : fail(errors);
  }

 private:
  static std::string as_text(const Converted& converted, litmus::Dialect dialect) {
    std::string text;
    if (dialect == litmus::Dialect::json && converted.size() != 1) {
      // One JSON text holds several tests as an array.
      for (const workbench::ConvertedTest& one : converted) {
        text += text.empty() ? "[\n" : ",\n";
        text += one.text.substr(0, one.text.find_last_not_of('\n') + 1);
      }
      return converted.empty() ? "" : text + "\n]\n";
    }
    for (const workbench::ConvertedTest& one : converted) {
      if (!text.empty()) text += "\n";
      text += one.text;
    }
    return text;
  }

  Json as_json(const Converted& converted) const {
    Json array = base::json_array();
    for (const workbench::ConvertedTest& one : converted) {
      array.push_back(questions::converted_json(one.input.test, one.input.file, request.dialect, one.text));
    }
    return array;
  }
};

}  // namespace

void add_convert(Command& app, int& exit_code) {
  auto options = std::make_shared<Convert>();
  workbench::ConvertRequest& request = options->request;
  Command* command = app.add_subcommand("convert", "Write tests in another dialect, or say what it cannot express");
  add_tests(*command, request.tests);
  command->add_option("--to NAME", options->dialect_name, "the dialect (required): " + dialect_list())->required();
  command->add_option("--out FOLDER", request.folder, "write one file per test, and an @all index, into this folder");
  command->add_flag("--json", options->json, "print an array of {test, hash, file, dialect, text}");
  command->footer("Examples:\n  weakspot convert --to ptx MP\n  weakspot convert --to aarch64 classic --out arm-tests");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
