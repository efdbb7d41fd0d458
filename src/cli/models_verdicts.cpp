// SPDX-License-Identifier: MIT
#include "cli/models_verdicts.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/plural.h"
#include "cli/commands.h"
#include "cli/test_writer.h"
#include "workbench/published_verdicts.h"

namespace weakspot::cli {
namespace {

using Json = base::JsonValue;

struct ModelsVerdicts {
  workbench::PublishedVerdictsRequest request;
  std::vector<std::string> models;  // "base=ptx"
  std::string out;
  bool json = false;

  int run() {
    for (const std::string& choice : models) {
      const std::size_t equals = choice.find('=');
      if (equals == std::string::npos) {
        return fail({base::error(fmt::format("--models: expected COLUMN=MODEL, not '{}'", choice))});
      }
      request.models.emplace_back(choice.substr(0, equals), choice.substr(equals + 1));
    }
    const base::Result<workbench::PublishedVerdicts> result = workbench::compare_published(request);
    if (!result) return fail(result.errors());
    json ? print_output(json_text(as_json(*result))) : print_results(text_of(*result));
    base::Diagnostics errors = result->errors;
    if (!out.empty()) {
      for (base::Diagnostic& error : write(*result)) errors.push_back(std::move(error));
    }
    if (!errors.empty()) return fail(errors);
    return result->differences.empty() ? kFine : kFinding;
  }

 private:
  base::Diagnostics write(const workbench::PublishedVerdicts& result) const {
    TestWriterOptions options;
    options.folder = out;
    options.dialect = litmus::Dialect::canonical;
    TestWriter writer(options);
    for (const litmus::LitmusTest& test : result.tests) {
      if (!writer.write(test)) break;
    }
    return writer.finish();
  }

  static std::string text_of(const workbench::PublishedVerdicts& result) {
    std::string text = base::counted(result.tests.size(), "test");
    if (result.columns.size() > 1) {
      text += fmt::format(", {} of them with different verdicts in the table's columns", result.separated);
    }
    text += "\n";
    for (const workbench::PublishedColumn& column : result.columns) {
      text += fmt::format("{}: {} agrees on {} of {}\n", column.name, column.model, column.agreed, result.tests.size());
    }
    for (const workbench::PublishedDifference& one : result.differences) {
      text += fmt::format("  {}  {}: published {}, ours {}\n", one.test, one.column,
                          one.allowed ? "allowed" : "forbidden", to_string(one.ours));
    }
    for (const workbench::PublishedDevice& device : result.devices) {
      text += fmt::format("{}: {} seen, {} of them forbidden by a model\n", device.name,
                          base::counted(device.seen, "outcome"), device.forbidden.size());
      for (const auto& [column, test] : device.forbidden) {
        text += fmt::format("  {}  seen, but forbidden by our model for '{}'\n", test, column);
      }
    }
    return text;
  }

  static Json as_json(const workbench::PublishedVerdicts& result) {
    Json object;
    object["tests"] = result.tests.size();
    object["separated"] = result.separated;
    object["columns"] = base::json_array();
    for (const workbench::PublishedColumn& column : result.columns) {
      object["columns"].push_back(
          base::json_object({{"name", column.name}, {"model", column.model}, {"agreed", column.agreed}}));
    }
    object["differences"] = base::json_array();
    for (const workbench::PublishedDifference& one : result.differences) {
      object["differences"].push_back(base::json_object({{"test", one.test},
                                                         {"column", one.column},
                                                         {"published", one.allowed ? "allowed" : "forbidden"},
                                                         {"ours", std::string(to_string(one.ours))}}));
    }
    object["devices"] = base::json_array();
    for (const workbench::PublishedDevice& device : result.devices) {
      Json forbidden = base::json_array();
      for (const auto& [column, test] : device.forbidden) {
        forbidden.push_back(base::json_object({{"column", column}, {"test", test}}));
      }
      object["devices"].push_back(
          base::json_object({{"name", device.name}, {"seen", device.seen}, {"forbidden", std::move(forbidden)}}));
    }
    return object;
  }
};

}  // namespace

Command* add_models_verdicts(Command& models, int& exit_code) {
  auto options = std::make_shared<ModelsVerdicts>();
  Command* command = models.add_subcommand("verdicts", "Hold a published table of verdicts against our models");
  command->add_option("TABLE", options->request.table, "results.csv of cuda-litmus, or a table of its form")
      ->required();
  command->add_option("--kernels FOLDER", options->request.kernels, "the CUDA files that the table's tests name")
      ->required();
  command
      ->add_option("--models COLUMN=MODEL,...", options->models,
                   "our model for a column (default: ptx-strong for 'strengthened', ptx for others)")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_option("--out FOLDER", options->out, "write the tests into this folder, with an index");
  command->add_flag("--json", options->json, "print an object");
  command->footer(
      "Exit code 1: a model disagrees with the table.\n\n"
      "Examples:\n  weakspot models verdicts results.csv --kernels kernels\n"
      "  weakspot models verdicts results.csv --kernels kernels --out tests");
  command->callback([options, &exit_code] { exit_code = options->run(); });
  return command;
}

}  // namespace weakspot::cli
